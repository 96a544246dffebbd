-- What only those call who give work and look after it.

-- Opens a job for its chunks; null if it is there already, the same in every field.
create or replace function touchstone.open_job(
    the_id text, the_kind text, the_body text, the_units bigint, does_compare boolean, the_every bigint
) returns integer language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    number integer;
    known touchstone.jobs;
    other text;
begin
    insert into touchstone.jobs as j (id, kind, body, units, compares, again_every)
        values (the_id, the_kind, the_body, the_units, does_compare, the_every)
        on conflict (id) do nothing returning j.number into number;
    if number is null then
        known := touchstone.job_of(the_id);
        other := case
            when known.kind <> the_kind then 'kind'
            when known.body <> the_body then 'body'
            when known.units <> the_units then 'units'
            when known.compares <> does_compare then 'second'
            when known.again_every is distinct from the_every then 'again_every'
        end;
        if other is not null then
            raise exception using errcode = 'TS005', message = 'another job', detail = other;
        end if;
        return null;
    end if;
    perform pgmq.create(touchstone.queue(number, false));
    if the_every is not null then
        perform pgmq.create(touchstone.queue(number, true));
        execute format('create index %I on pgmq.%I (((message ->> ''not_for'') collate "C"), msg_id)',
            'q_' || touchstone.queue(number, true) || '_not_for', 'q_' || touchstone.queue(number, true));
    end if;
    return number;
end $$;

create or replace function touchstone.add_chunks(
    the_job integer, the_chunks bigint[], the_firsts bigint[], the_units bigint[], the_bodies text[]
) returns void language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
    insert into touchstone.chunks (job, chunk, first, units)
        select the_job, c, f, u from unnest(the_chunks, the_firsts, the_units) n (c, f, u);
    insert into touchstone.bodies (job, chunk, bodies)
        select the_job, c, b from unnest(the_chunks, the_bodies) n (c, b);
    perform pgmq.send_batch(touchstone.queue(the_job, false),
        array(select jsonb_build_object('chunk', c) from unnest(the_chunks) with ordinality n (c, nth)
            order by nth));
end $$;

-- Without statistics the first leases of a big job would walk over its whole queue.
create or replace function touchstone.close_job(the_job integer) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
    execute format('analyze pgmq.%I', 'q_' || touchstone.queue(the_job, false));
    analyze touchstone.chunks, touchstone.bodies;
end $$;

create or replace function touchstone.stop(the_id text, reason text) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
    update touchstone.jobs set stopped = reason
        where number = (touchstone.job_of(the_id)).number and stopped is null;
end $$;

create or replace function touchstone.set_aside(the_worker text, reason text) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    part touchstone.chunks;
    lease record;
begin
    update touchstone.workers set set_aside = coalesce(set_aside, reason) where name = the_worker;
    if not found then
        raise exception using errcode = 'TS002', message = 'no such worker';
    end if;
    for part in select * from touchstone.chunks
        where holder = the_worker and message is not null order by job, again, message
    loop
        select * into lease
            from touchstone.hold(the_worker, part.job, part.chunk, part.attempts);
        if lease.in_time then
            perform pgmq.set_vt(lease.queue, lease.message, clock_timestamp());
        end if;
    end loop;
end $$;

create or replace function touchstone.forget(the_id text, the_worker text) returns bigint
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    job touchstone.jobs := touchstone.job_of(the_id);
    dropped bigint;
    unfinished bigint[];
    anew bigint[];
    stale bigint[];
begin
    perform pg_advisory_xact_lock(1414485835, job.number);
    delete from touchstone.results r where r.job = job.number and r.worker = the_worker;
    get diagnostics dropped = row_count;
    unfinished := array(select c.chunk from touchstone.chunks c where c.job = job.number and c.units > (
        select count(*) from touchstone.results r where r.job = job.number
            and r.key >= c.first and r.key < c.first + c.units));
    -- Whoever does a chunk anew is the first; the second time comes after.
    if job.again_every is not null then
        execute format('select array_agg(msg_id) from pgmq.%I m
            where (m.message ->> ''chunk'')::bigint in (select unnest($1))',
            'q_' || touchstone.queue(job.number, true)) into stale using unfinished;
        if stale is not null then
            perform pgmq.delete(touchstone.queue(job.number, true), stale);
        end if;
    end if;
    execute format('select array_agg(c order by c) from unnest($1) c where c not in
        (select (m.message ->> ''chunk'')::bigint from pgmq.%I m)',
        'q_' || touchstone.queue(job.number, false)) into anew using unfinished;
    if anew is not null then
        perform pgmq.send_batch(touchstone.queue(job.number, false),
            array(select jsonb_build_object('chunk', c) from unnest(anew) c));
        update touchstone.chunks c set holder = null, message = null
            where c.job = job.number and c.chunk in (select unnest(anew));
        update touchstone.jobs j set drained = false where j.number = job.number;
    end if;
    return dropped;
end $$;

-- Who is told that there is nothing after a number never misses what comes in later under a lower
-- one: numbers up to `horizon` are committed, or never will be.
create or replace function touchstone.results_after(the_id text, after bigint, at_most bigint)
returns setof touchstone.results
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    job touchstone.jobs := touchstone.job_of(the_id);
    horizon bigint;
begin
    perform pg_advisory_lock(1414485835, job.number);
    horizon := pg_sequence_last_value(pg_get_serial_sequence('touchstone.results', 'number')::regclass);
    perform pg_advisory_unlock(1414485835, job.number);
    return query select * from touchstone.results r
        where r.job::bigint = job.number::bigint and r.number > after and r.number <= horizon
        order by r.job::bigint, r.number limit at_most;
end $$;

create or replace function touchstone.progress(
    the_job touchstone.jobs,
    out done bigint, out compared bigint, out to_compare bigint, out alarms bigint
) language sql stable set search_path = pg_catalog, pg_temp as $$
    select
        (select count(*) from touchstone.results r where r.job = the_job.number),
        (select count(*) from touchstone.results r where r.job = the_job.number and r.compared),
        (select coalesce(sum(c.units), 0)::bigint from touchstone.chunks c
            where c.job = the_job.number and c.chunk % the_job.again_every = 0),
        (select count(*) from touchstone.alarms a where a.job = the_job.number)
$$;

-- Takes away all that is known of a job.
create or replace function touchstone.remove(the_id text) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    gone touchstone.jobs := touchstone.job_of(the_id);
begin
    perform pg_advisory_xact_lock(1414485835, gone.number);
    delete from touchstone.jobs where number = gone.number;
    delete from touchstone.results where job = gone.number;
    delete from touchstone.alarms where job = gone.number;
    delete from touchstone.chunks where job = gone.number;
    delete from touchstone.bodies where job = gone.number;
    perform pgmq.drop_queue(touchstone.queue(gone.number, false));
    if gone.again_every is not null then
        perform pgmq.drop_queue(touchstone.queue(gone.number, true));
    end if;
end $$;

create or replace function touchstone.alarms_of(the_id text) returns setof touchstone.alarms
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    job touchstone.jobs := touchstone.job_of(the_id);
begin
    return query select * from touchstone.alarms a where a.job = job.number order by a.number;
end $$;

-- Lets a role work: no more than lease, heartbeat, complete, give back, enlist. Whether it is new.
create or replace function touchstone.admit(role_name text) returns boolean
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    is_new boolean := not exists (select from pg_roles where rolname = role_name);
begin
    if exists (select from pg_roles where rolname = role_name
        and (rolsuper or pg_has_role(rolname, current_user, 'member'))) then
        raise exception using errcode = 'TS006', message = 'more than a worker';
    end if;
    if is_new then
        execute format('create role %I login', role_name);
    end if;
    execute format('grant usage on schema touchstone to %I', role_name);
    execute format('grant execute on function touchstone.version(),
        touchstone.enlist(text, text), touchstone.lease(text, text[], bigint),
        touchstone.heartbeat(text, text, bigint, integer, bigint),
        touchstone.give_back(text, text, bigint, integer),
        touchstone.complete(text, text, bigint, integer, bigint[], text[]) to %I', role_name);
    return is_new;
end $$;
