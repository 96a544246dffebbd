-- What workers may call, with the rights of who installed it.

create or replace function touchstone.enlist(the_worker text, the_about text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    insert into touchstone.workers as w (name, about) values (the_worker, the_about)
        on conflict (name) do update set about = excluded.about, heard = clock_timestamp()
        where w.set_aside is null;
    perform touchstone.hear(the_worker);
end $$;

create or replace function touchstone.lease(the_worker text, the_kinds text[], visibility_ms bigint)
returns table (
    id text, kind text, body text, units bigint, compares boolean, again_every bigint,
    chunk bigint, first bigint, chunk_units bigint, attempt integer, bodies text
) language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    job touchstone.jobs;
    given record;
    is_again boolean;
begin
    perform touchstone.hear(the_worker);
    for job in select j.* from touchstone.jobs j
        where j.kind = any (the_kinds) and j.stopped is null and not j.drained order by j.number
    loop
        is_again := job.again_every is not null;
        if is_again then
            select * into given from touchstone.read_again(job.number, the_worker, visibility_ms);
            is_again := given.message is not null;
        end if;
        if not is_again then
            select * into given from touchstone.read_first(job.number, visibility_ms);
        end if;
        if given.message is not null then
            return query
                with leased as (
                    update touchstone.chunks c set attempts = c.attempts + 1,
                        holder = the_worker, message = given.message, again = is_again
                    where c.job = job.number and c.chunk = given.chunk
                    returning c.chunk, c.first, c.units, c.attempts)
                select job.id, job.kind, job.body, job.units, job.compares, job.again_every,
                    l.chunk, l.first, l.units, l.attempts, b.bodies
                from leased l join touchstone.bodies b on b.job = job.number and b.chunk = l.chunk;
            return;
        end if;
        perform touchstone.drain(job);
    end loop;
end $$;

create or replace function touchstone.heartbeat(
    the_worker text, the_id text, the_chunk bigint, the_attempt integer, visibility_ms bigint,
    out is_held boolean, out stopped_by text
) language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    job touchstone.jobs := touchstone.job_of(the_id);
    lease record;
begin
    perform touchstone.hear(the_worker);
    is_held := false;
    stopped_by := job.stopped;
    if stopped_by is not null then
        return;
    end if;
    select * into lease from touchstone.hold(the_worker, job.number, the_chunk, the_attempt);
    is_held := lease.in_time;
    if is_held then
        perform pgmq.set_vt(lease.queue, lease.message, touchstone.after(visibility_ms));
    end if;
end $$;

create or replace function touchstone.give_back(
    the_worker text, the_id text, the_chunk bigint, the_attempt integer
) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    job touchstone.jobs := touchstone.job_of(the_id);
    lease record;
begin
    select * into lease from touchstone.hold(the_worker, job.number, the_chunk, the_attempt);
    if lease.in_time then
        perform pgmq.set_vt(lease.queue, lease.message, clock_timestamp());
    end if;
end $$;

-- Results are kept and the message is deleted in the one transaction that this call is. There is a
-- row for each alarm, and one more whose `unit` is null.
create or replace function touchstone.complete(
    the_worker text, the_id text, the_chunk bigint, the_attempt integer,
    the_keys bigint[], the_values text[]
) returns table (
    taken bigint, second bigint, unit bigint, first_worker text, first_value text,
    second_worker text, second_value text
) language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    job touchstone.jobs := touchstone.job_of(the_id);
    part touchstone.chunks;
    lease record;
    kept bigint[];
    stray bigint;
    is_done boolean;
begin
    perform pg_advisory_xact_lock_shared(1414485835, job.number);
    perform touchstone.hear(the_worker);
    select * into lease from touchstone.hold(the_worker, job.number, the_chunk, the_attempt);
    -- Locked: results of one chunk come one after the other.
    select * into part from touchstone.chunks c
        where c.job = job.number and c.chunk = the_chunk for update;
    select k into stray from unnest(the_keys) with ordinality given (k, nth)
        where part.first is null or k < part.first or k >= part.first + part.units
        order by nth limit 1;
    if stray is not null then
        raise exception using errcode = 'TS004', message = 'not leased', detail = stray;
    end if;

    with inserted as (
        insert into touchstone.results as r (job, key, worker, value)
        select job.number, k, the_worker, v
            from unnest(the_keys, the_values) with ordinality given (k, v, nth) order by k, nth
        on conflict do nothing returning r.key)
    select coalesce(array_agg(i.key), '{}') into kept from inserted i;
    taken := cardinality(kept);
    second := 0;
    if taken < cardinality(the_keys) then
        for second, unit, first_worker, first_value, second_value in
            select * from touchstone.compare(job, the_worker, kept, the_keys, the_values)
        loop
            exit when unit is null;
            second_worker := the_worker;
            return next;
        end loop;
        second_worker := null;
    end if;
    return next;

    if lease.is_last then
        select count(*) = part.units into is_done from (
            select unnest(the_keys) union
            select r.key from touchstone.results r where r.job = job.number
                and r.key >= part.first and r.key < part.first + part.units
                and r.worker = the_worker) brought;
        if is_done then
            perform touchstone.finish(job, part, the_worker, lease.queue);
        end if;
    end if;
end $$;

-- Compares those results that were not kept with those that are. The last row has no `unit`.
create or replace function touchstone.compare(
    the_job touchstone.jobs, the_worker text, kept bigint[], the_keys bigint[], the_values text[]
) returns table (
    second bigint, unit bigint, first_worker text, first_value text, second_value text
) language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    total bigint;
    differ touchstone.alarms[];
begin
    with given as (
        select k, v, nth, row_number() over (partition by k order by nth) as which
            from unnest(the_keys, the_values) with ordinality g (k, v, nth)),
    others as (
        select g.k, g.v, g.nth, r.worker, r.value from given g
            join touchstone.results r on r.job = the_job.number and r.key = g.k
            left join unnest(kept) new (k) on new.k = g.k
            where new.k is null or g.which > 1),
    marked as (
        update touchstone.results r set compared = true from others o
            where the_job.compares and r.job = the_job.number and r.key = o.k
                and r.worker <> the_worker and not r.compared)
    select count(*), array_agg(row(0, the_job.number, k, worker, value, the_worker, v)::touchstone.alarms
            order by nth) filter (where the_job.compares and value <> v)
        into total, differ from others;
    insert into touchstone.alarms as a
        (job, unit, first_worker, first_value, second_worker, second_value)
        select d.job, d.unit, d.first_worker, d.first_value, d.second_worker, d.second_value
            from unnest(differ) d
        on conflict do nothing;
    total := total - coalesce(cardinality(differ), 0);
    return query select total, d.unit, d.first_worker, d.first_value, d.second_value
        from unnest(differ) d;
    return query select total, null::bigint, null::text, null::text, null::text;
end $$;

-- The end of a lease whose units all have results.
create or replace function touchstone.finish(
    the_job touchstone.jobs, part touchstone.chunks, the_worker text, queue text
) returns void language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
    perform pgmq.delete(queue, part.message);
    if not part.again and part.chunk % the_job.again_every = 0 then
        perform pgmq.send(touchstone.queue(the_job.number, true),
            jsonb_build_object('chunk', part.chunk, 'not_for', the_worker));
    end if;
    update touchstone.chunks c set holder = null, message = null
        where c.job = part.job and c.chunk = part.chunk;
end $$;
