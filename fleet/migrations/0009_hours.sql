-- CPU time and games by month, person and machine.

alter table lab.records
    -- The time from lease to answer of what it delivered, times the cores that the job needs, in milliseconds.
    add column core_ms bigint not null default 0;

alter table lab.hours add column core_ms bigint not null default 0;

-- What workers did in each month (its first day), kept for ever.
create table lab.months (
    month date not null,
    worker integer not null,
    units bigint not null default 0,
    games bigint not null default 0,
    core_ms bigint not null default 0,
    primary key (month, worker)
);

-- How much of a worker's time is in lab.hours and lab.months already.
create table lab.noted (
    worker integer primary key,
    core_ms bigint not null
);

drop function lab.credit(integer[], integer[], bigint[], bigint[], integer[], bigint[], bigint[], bigint[]);

-- Adds to what workers did, of jobs and in all.
create function lab.credit(
    share_jobs integer[], share_workers integer[], share_units bigint[], share_verified bigint[],
    the_workers integer[], the_units bigint[], the_chunks bigint[], the_confirmed bigint[], the_core_ms bigint[]
) returns void language plpgsql as $$
begin
    insert into lab.shares as s (job, worker, units, verified)
        select j, w, u, v from unnest(share_jobs, share_workers, share_units, share_verified)
            g (j, w, u, v) order by j, w
        on conflict (job, worker) do update set units = s.units + excluded.units,
            verified = s.verified + excluded.verified;
    insert into lab.records as r (worker, units, chunks, confirmed, core_ms)
        select w, u, c, f, m from unnest(the_workers, the_units, the_chunks, the_confirmed, the_core_ms)
            g (w, u, c, f, m) order by w
        on conflict (worker) do update set units = r.units + excluded.units,
            chunks = r.chunks + excluded.chunks, confirmed = r.confirmed + excluded.confirmed,
            core_ms = r.core_ms + excluded.core_ms;
end $$;
