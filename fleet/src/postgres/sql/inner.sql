-- What the other functions are made of; nobody calls these from outside.
--
-- Order of locks, kept by all: the job's advisory lock, then a message, then its chunk. Of a job's
-- advisory lock (1414485835, job), `complete` holds the shared half until it commits; who must know
-- what is committed (`results`, `forget`, `drain`) waits for it by taking the other half.

create or replace function touchstone.version() returns integer
language sql immutable as 'select 1';

create or replace function touchstone.queue(the_job integer, is_again boolean) returns text
language sql immutable set search_path = pg_catalog, pg_temp
as $$ select 'touchstone_' || the_job || case when is_again then '_again' else '' end $$;

create or replace function touchstone.job_of(the_id text) returns touchstone.jobs
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
declare
    found_job touchstone.jobs;
begin
    select * into found_job from touchstone.jobs where id = the_id;
    if found_job.number is null then
        raise exception using errcode = 'TS001', message = 'no such job';
    end if;
    return found_job;
end $$;

-- A worker was heard of. Never waits for its row: a call that cannot write the time leaves it.
create or replace function touchstone.hear(the_worker text) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    known touchstone.workers;
begin
    select * into known from touchstone.workers where name = the_worker;
    if known.name is null then
        raise exception using errcode = 'TS002', message = 'no such worker';
    end if;
    if known.set_aside is not null then
        raise exception using errcode = 'TS003', message = 'set aside', detail = known.set_aside;
    end if;
    if known.heard < clock_timestamp() - interval '1 second' then
        update touchstone.workers set heard = clock_timestamp() where name in
            (select name from touchstone.workers where name = the_worker for update skip locked);
    end if;
end $$;

-- Locks the message of a lease and tells whether the lease is still the last of its chunk.
create or replace function touchstone.hold(
    the_worker text, the_job integer, the_chunk bigint, the_attempt integer,
    out is_last boolean, out in_time boolean, out queue text, out message bigint
) language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    leased touchstone.chunks;
begin
    is_last := false;
    in_time := false;
    select * into leased from touchstone.chunks c where c.job = the_job and c.chunk = the_chunk
        and c.attempts = the_attempt and c.holder = the_worker;
    if leased.message is null then
        return;
    end if;
    queue := touchstone.queue(the_job, leased.again);
    message := leased.message;
    execute format('select vt > clock_timestamp() from pgmq.%I where msg_id = $1 for update',
        'q_' || queue) into in_time using message;
    -- A statement of its own: it sees what was committed while the lock was waited for.
    is_last := in_time is not null and exists (
        select from touchstone.chunks c where c.job = the_job and c.chunk = the_chunk
            and c.attempts = the_attempt and c.message = leased.message
            and c.again = leased.again);
    in_time := is_last and in_time;
end $$;

create or replace function touchstone.after(milliseconds bigint) returns timestamptz
language sql volatile set search_path = pg_catalog, pg_temp
as $$ select clock_timestamp() + milliseconds * interval '1 millisecond' $$;

-- The next message of a chunk that another worker has done once. PGMQ reads by what a message
-- holds, not by what it does not; so this is its `read` with another condition.
create or replace function touchstone.read_again(
    the_job integer, the_worker text, visibility_ms bigint, out message bigint, out chunk bigint
) language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    side text;
begin
    -- Before and after the own name, each by the index: own messages are never walked over.
    foreach side in array array['<', '>'] loop
        execute format(
            'with next as (
                select msg_id from pgmq.%1$I
                where (message ->> ''not_for'') collate "C" %2$s $1 and vt <= clock_timestamp()
                order by (message ->> ''not_for'') collate "C", msg_id
                limit 1 for update skip locked)
            update pgmq.%1$I m
            set vt = touchstone.after($2), read_ct = read_ct + 1, last_read_at = clock_timestamp()
            from next where m.msg_id = next.msg_id
            returning m.msg_id, (m.message ->> ''chunk'')::bigint',
            'q_' || touchstone.queue(the_job, true), side)
            into message, chunk using the_worker, visibility_ms;
        exit when message is not null;
    end loop;
end $$;

create or replace function touchstone.read_first(
    the_job integer, visibility_ms bigint, out message bigint, out chunk bigint
) language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    queue text := touchstone.queue(the_job, false);
begin
    select m.msg_id, (m.message ->> 'chunk')::bigint into message, chunk
        from pgmq.read(queue, (visibility_ms / 1000)::integer, 1) m;
    -- `read` counts in seconds.
    if message is not null and visibility_ms % 1000 <> 0 then
        perform pgmq.set_vt(queue, message, touchstone.after(visibility_ms));
    end if;
end $$;

-- Marks a job whose queues are empty, of which nothing is leased either.
create or replace function touchstone.drain(the_job touchstone.jobs) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    filled text := format('exists (select from pgmq.%I)', 'q_' || touchstone.queue(the_job.number, false));
    is_filled boolean;
begin
    if the_job.again_every is not null then
        filled := filled || format(' or exists (select from pgmq.%I)',
            'q_' || touchstone.queue(the_job.number, true));
    end if;
    -- In one statement: a chunk that goes from one queue to the other is in one of them.
    execute 'select ' || filled into is_filled;
    if is_filled then
        return;
    end if;
    perform pg_advisory_xact_lock_shared(1414485835, the_job.number);
    execute format('update touchstone.jobs set drained = true where number = $1 and not (%s)', filled)
        using the_job.number;
end $$;

-- How many chunks of a job are leased, and how many wait.
create or replace function touchstone.messages(
    the_job touchstone.jobs, out leased bigint, out waiting bigint
) language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    visible text := format('select vt from pgmq.%I', 'q_' || touchstone.queue(the_job.number, false));
begin
    if the_job.again_every is not null then
        visible := visible || format(' union all select vt from pgmq.%I',
            'q_' || touchstone.queue(the_job.number, true));
    end if;
    execute format('select count(*) filter (where vt > clock_timestamp()),
        count(*) filter (where vt <= clock_timestamp()) from (%s) m', visible) into leased, waiting;
end $$;
