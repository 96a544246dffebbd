-- The queue of a lab: chunks, results, answers, and what counts them.
--
-- Each job has two queues of PGMQ: `lab_N` for chunks that nobody has done, `lab_N_check` for chunks
-- that another worker does again. A message is a hint, the state of its chunk decides: a message
-- whose chunk has another state is deleted by the next lease.
--
-- Order of locks, kept by all: the advisory locks of workers, those of jobs, both ascending, then
-- chunks, ascending, then counters. Leases skip what is locked, and wait for nobody. Of a worker's
-- lock (1414485836, worker) and a job's (1414485837, job), an answer holds the shared half until it
-- commits; the other half is taken to discard a worker's results, and to read numbers in order.
--
-- No plan may depend on statistics: tables grow from nothing to millions of rows between two looks
-- of autovacuum. Functions whose statements could be planned in another way exclude that way.

-- When nothing of a finished job waited to be verified any more.
alter table lab.jobs add column settled_at timestamptz;
-- Whether its results were discarded since it was done, and which worker's.
alter table lab.jobs add column reopened text;
alter table lab.jobs add column has_queues boolean not null default false;

create index jobs_with_queues on lab.jobs (number) where has_queues;

create index jobs_open on lab.jobs (number)
    where state = 'running' or (state = 'done' and settled_at is null);

create table lab.chunks (
    job integer not null,
    chunk bigint not null,
    first bigint not null,
    units integer not null check (units > 0),
    -- A JSON list of the units' bodies; null if all are empty.
    bodies text,
    -- 0: open; 1: done; 2: done, and another worker does it again; 3: verified.
    state smallint not null default 0,
    -- Of the results that are kept, if the kind compares and one worker delivered them all.
    digest bytea,
    primary key (job, chunk)
) with (fillfactor = 70);

create table lab.results (
    job integer not null,
    key bigint not null,
    number bigint generated always as identity,
    worker integer not null,
    value text not null,
    primary key (job, key)
);

create unique index results_by_number on lab.results (job, number);

-- Who delivered what of a chunk.
create table lab.answers (
    job integer not null,
    chunk bigint not null,
    worker integer not null,
    -- Whether some of the kept results are its.
    kept boolean not null,
    -- Of its results, once it has delivered all units of the chunk.
    digest bytea,
    primary key (job, chunk, worker)
);

-- For quarantine and discarding.
create index answers_by_worker on lab.answers (worker, job, chunk);

-- Results that are not kept, of a worker that has not yet delivered its whole chunk.
create table lab.seconds (
    job integer not null,
    chunk bigint not null,
    worker integer not null,
    key bigint not null,
    value text not null,
    primary key (job, chunk, worker, key)
);

create table lab.alarms (
    number bigint generated always as identity primary key,
    job integer not null,
    unit bigint not null,
    first_worker integer not null,
    first_value text not null,
    second_worker integer not null,
    second_value text not null
);

-- Values may be too long for an index.
create unique index alarms_once on lab.alarms (job, unit, first_worker, second_worker,
    hashtextextended(first_value, 0), hashtextextended(second_value, 0));

-- Sums over units, in slots, so that transactions that end together do not wait for one row.
create table lab.counters (
    job integer not null,
    slot smallint not null,
    done bigint not null default 0,
    checking bigint not null default 0,
    verified bigint not null default 0,
    alarms bigint not null default 0,
    primary key (job, slot)
) with (fillfactor = 20);

-- What each worker did of each job.
create table lab.shares (
    job integer not null,
    worker integer not null,
    -- Units whose kept results are its, and those of them that another worker confirmed.
    units bigint not null default 0,
    verified bigint not null default 0,
    primary key (job, worker)
) with (fillfactor = 50);

create index shares_by_worker on lab.shares (worker, job);

-- What each worker did in all jobs of kinds that compare: its record, on which depends how often it
-- is checked.
create table lab.records (
    worker integer primary key,
    units bigint not null default 0,
    -- Chunks that it delivered, and those of them that another worker confirmed.
    chunks bigint not null default 0,
    confirmed bigint not null default 0,
    -- Its results were discarded after it was quarantined.
    purged_at timestamptz
) with (fillfactor = 50);

create table lab.inabilities (
    job integer not null,
    worker integer not null,
    reason text not null,
    at timestamptz not null default clock_timestamp(),
    primary key (job, worker)
);

-- Results of finished jobs: lists of [number, key, worker, value], compressed by PostgreSQL.
create table lab.archives (
    job integer not null,
    last_number bigint not null,
    results text not null,
    primary key (job, last_number)
);

create function lab.queue(the_job integer, is_check boolean) returns text
language sql immutable as $$ select 'lab_' || the_job || case when is_check then '_check' else '' end $$;

-- Makes the queues of a job, unless they are there.
create function lab.open_queues(the_job integer) returns void
language plpgsql as $$
begin
    if to_regclass('pgmq.q_' || lab.queue(the_job, false)) is null then
        perform pgmq.create(lab.queue(the_job, false));
        perform pgmq.create(lab.queue(the_job, true));
    end if;
    update lab.jobs set has_queues = true where number = the_job and not has_queues;
end $$;

create function lab.drop_queues(the_job integer) returns void
language plpgsql as $$
begin
    if to_regclass('pgmq.q_' || lab.queue(the_job, false)) is not null then
        perform pgmq.drop_queue(lab.queue(the_job, false));
        perform pgmq.drop_queue(lab.queue(the_job, true));
    end if;
    update lab.jobs set has_queues = false where number = the_job;
end $$;

-- Leases chunks of a job to workers, at most one to each; `nth` is the worker's place in the arrays.
-- First those that are checked, so that a worker with wrong results is found early. A worker of the
-- owner of an earlier answer gets a check only when it has waited `patience_ms`.
--
-- This is PGMQ's `read` for many readers: with the time as a parameter, which an index can be
-- searched by, and a reader for each message. It reads the visible messages alone.
create function lab.lease(
    the_job integer, workers integer[], owners integer[], visible_ms bigint[],
    with_first boolean, patience_ms bigint
) returns table (
    nth integer, message bigint, attempt integer, is_check boolean,
    chunk bigint, first bigint, units integer, bodies text
) language plpgsql
set enable_seqscan = off set enable_sort = off set enable_bitmapscan = off
set enable_hashjoin = off set enable_mergejoin = off set jit = off as $$
#variable_conflict use_column
declare
    at_time timestamptz := clock_timestamp();
    q text := 'q_' || lab.queue(the_job, false);
    c text := 'q_' || lab.queue(the_job, true);
    free boolean[] := array_fill(true, array[cardinality(workers)]);
    left_over integer := cardinality(workers);
    looked_at integer := 0;
    passed bigint[] := '{}';
    taken bigint[] := '{}';
    fits integer[] := '{}';
    mark constant text := 'update pgmq.%I m
        set vt = $4 + ($3)[g.fit] * interval ''1 millisecond'', read_ct = m.read_ct + 1,
            last_read_at = $4, headers = jsonb_build_object(''worker'', ($5)[g.fit])
        from unnest($1, $2) g (message, fit) where m.msg_id = g.message';
    fit integer;
    m record;
    part record;
    of_whom integer[];
    whose integer[];
begin
    if to_regclass('pgmq.' || q) is null then
        return;
    end if;
    for m in execute format('select msg_id, read_ct, enqueued_at, message from pgmq.%I
        where vt <= $1 order by vt limit 64 for update skip locked', c) using at_time
    loop
        exit when left_over = 0;
        looked_at := looked_at + 1;
        select k.chunk, k.first, k.units, k.bodies, k.state into part from lab.chunks k
            where k.job = the_job and k.chunk = (m.message ->> 'chunk')::bigint;
        if part.state is distinct from 2 then
            execute format('delete from pgmq.%I where msg_id = $1', c) using m.msg_id;
            continue;
        end if;
        of_whom := array(select jsonb_array_elements_text(m.message -> 'workers')::integer);
        whose := array(select jsonb_array_elements_text(m.message -> 'owners')::integer);
        fit := null;
        for i in 1 .. cardinality(workers) loop
            if free[i] and workers[i] <> all (of_whom) and (owners[i] <> all (whose)
                or m.enqueued_at < at_time - patience_ms * interval '1 millisecond') then
                fit := i;
                exit;
            end if;
        end loop;
        if fit is null then
            passed := passed || m.msg_id;
            continue;
        end if;
        free[fit] := false;
        left_over := left_over - 1;
        taken := taken || m.msg_id;
        fits := fits || fit;
        return query select fit, m.msg_id, m.read_ct + 1, true,
            part.chunk, part.first, part.units, part.bodies;
    end loop;
    if taken <> '{}' then
        execute format(mark, c) using taken, fits, visible_ms, at_time, workers;
    end if;
    -- None of those at the front fits anybody: the next look begins behind them.
    if looked_at = 64 and cardinality(passed) = 64 then
        execute format('update pgmq.%I set vt = $2 where msg_id = any ($1)', c)
            using passed, at_time;
    end if;
    if not with_first or left_over = 0 then
        return;
    end if;
    fit := 0;
    taken := '{}';
    fits := '{}';
    for m in execute format('select msg_id, read_ct, message from pgmq.%I
        where vt <= $1 order by vt limit $2 for update skip locked', q) using at_time, left_over
    loop
        select k.chunk, k.first, k.units, k.bodies, k.state into part from lab.chunks k
            where k.job = the_job and k.chunk = (m.message ->> 'chunk')::bigint;
        if part.state is distinct from 0 then
            execute format('delete from pgmq.%I where msg_id = $1', q) using m.msg_id;
            continue;
        end if;
        loop
            fit := fit + 1;
            exit when free[fit];
        end loop;
        taken := taken || m.msg_id;
        fits := fits || fit;
        return query select fit, m.msg_id, m.read_ct + 1, false,
            part.chunk, part.first, part.units, part.bodies;
    end loop;
    if taken <> '{}' then
        execute format(mark, q) using taken, fits, visible_ms, at_time, workers;
    end if;
end $$;

-- Leases chunks of several jobs: `place` is the place in the arrays, which are as long as each other.
--
-- Does not wait for the disk: a lease that a crash of the database takes back is leased again, and
-- if both workers deliver, the second confirms the first.
create function lab.lease_all(
    the_jobs integer[], with_first boolean[], the_workers integer[], the_owners integer[],
    the_visible_ms bigint[], patience_ms bigint
) returns table (
    place integer, message bigint, attempt integer, is_check boolean,
    chunk bigint, first bigint, units integer, bodies text
) language plpgsql as $$
#variable_conflict use_column
declare
    j record;
begin
    perform set_config('synchronous_commit', 'off', true);
    for j in select g.job, bool_or(g.f) as with_first, array_agg(g.p::integer order by g.p) as places,
            array_agg(g.w order by g.p) as workers, array_agg(g.o order by g.p) as owners,
            array_agg(g.v order by g.p) as visible_ms
        from unnest(the_jobs, with_first, the_workers, the_owners, the_visible_ms)
            with ordinality g (job, f, w, o, v, p)
        group by g.job order by g.job
    loop
        return query select j.places[l.nth], l.message, l.attempt, l.is_check, l.chunk, l.first,
            l.units, l.bodies
            from lab.lease(j.job, j.workers, j.owners, j.visible_ms, j.with_first, patience_ms) l;
    end loop;
end $$;

-- Prolongs a lease, or ends it if `visible_ms` is null. Returns whether it was still this worker's.
create function lab.prolong(
    the_job integer, is_check boolean, the_message bigint, the_attempt integer, visible_ms bigint
) returns boolean language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set jit = off as $$
declare
    at_time timestamptz := clock_timestamp();
    changed bigint;
begin
    if to_regclass('pgmq.q_' || lab.queue(the_job, is_check)) is null then
        return false;
    end if;
    -- What is given back is the next to be leased.
    execute format('update pgmq.%I set vt = coalesce($3, enqueued_at)
        where msg_id = $1 and read_ct = $2 and vt > $4', 'q_' || lab.queue(the_job, is_check))
        using the_message, the_attempt, at_time + visible_ms * interval '1 millisecond', at_time;
    get diagnostics changed = row_count;
    return changed > 0;
end $$;

-- Ends leases whose chunks are answered: each message unless it was leased to another since.
create function lab.close_leases(
    the_job integer, is_check boolean, messages bigint[], attempts integer[]
) returns void language plpgsql
set enable_seqscan = off set enable_bitmapscan = off
set enable_hashjoin = off set enable_mergejoin = off set jit = off as $$
begin
    if to_regclass('pgmq.q_' || lab.queue(the_job, is_check)) is not null then
        execute format('delete from pgmq.%I m using unnest($1, $2) g (message, attempt)
            where m.msg_id = g.message and m.read_ct = g.attempt',
            'q_' || lab.queue(the_job, is_check)) using messages, attempts;
    end if;
end $$;

-- Locks what answers need, and returns the quarantined among their workers.
create function lab.begin_answers(the_workers integer[], the_jobs integer[])
returns table (worker integer, reason text) language plpgsql
set enable_seqscan = off set jit = off as $$
declare
    one integer;
begin
    foreach one in array the_workers loop
        perform pg_advisory_xact_lock_shared(1414485836, one);
    end loop;
    foreach one in array the_jobs loop
        perform pg_advisory_xact_lock_shared(1414485837, one);
    end loop;
    return query select w.id, coalesce(w.quarantine_reason, '') from lab.workers w
        where w.id = any (the_workers) and w.quarantined_at is not null;
end $$;

-- Locks chunks in their order, and returns their states.
create function lab.lock_chunks(the_jobs integer[], the_chunks bigint[])
returns setof lab.chunks language plpgsql
set enable_seqscan = off set enable_bitmapscan = off
set enable_hashjoin = off set enable_mergejoin = off set jit = off as $$
declare
    part lab.chunks;
begin
    for i in 1 .. cardinality(the_jobs) loop
        select * into part from lab.chunks k
            where k.job = the_jobs[i] and k.chunk = the_chunks[i] for update;
        if part.job is not null then
            return next part;
        end if;
    end loop;
end $$;

-- Keeps those results whose units have none. If there are others, returns what is now kept for each
-- unit, and whether it is new.
create function lab.keep_results(
    the_jobs integer[], the_keys bigint[], the_workers integer[], the_values text[]
) returns table (job integer, key bigint, worker integer, value text, is_new boolean) language plpgsql
set enable_seqscan = off set enable_bitmapscan = off
set enable_hashjoin = off set enable_mergejoin = off set jit = off as $$
#variable_conflict use_column
declare
    before bigint := coalesce(
        pg_sequence_last_value(pg_get_serial_sequence('lab.results', 'number')::regclass), 0);
    kept bigint;
begin
    insert into lab.results (job, key, worker, value)
        select j, k, w, v from unnest(the_jobs, the_keys, the_workers, the_values)
            with ordinality g (j, k, w, v, nth) order by nth
        on conflict do nothing;
    get diagnostics kept = row_count;
    if kept < cardinality(the_jobs) then
        -- Chunks are locked: what is newer is of this call.
        return query select r.job, r.key, r.worker, r.value, r.number > before
            from unnest(the_jobs, the_keys) g (j, k)
            join lab.results r on r.job = g.j and r.key = g.k;
    end if;
end $$;

-- How many results are kept of each of these chunks.
create function lab.count_kept(the_jobs integer[], the_firsts bigint[], the_units integer[])
returns bigint[] language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set jit = off as $$
declare
    counts bigint[] := '{}';
    one bigint;
begin
    for i in 1 .. cardinality(the_jobs) loop
        select count(*) into one from lab.results r where r.job = the_jobs[i]
            and r.key >= the_firsts[i] and r.key < the_firsts[i] + the_units[i];
        counts := counts || one;
    end loop;
    return counts;
end $$;

-- The results that are kept of chunks.
create function lab.kept_of(
    the_jobs integer[], the_chunks bigint[], the_firsts bigint[], the_units integer[]
) returns table (chunk bigint, job integer, key bigint, worker integer, value text) language plpgsql
set enable_seqscan = off set enable_bitmapscan = off
set enable_hashjoin = off set enable_mergejoin = off set jit = off as $$
begin
    return query select g.c, r.job, r.key, r.worker, r.value
        from unnest(the_jobs, the_chunks, the_firsts, the_units) g (j, c, f, u)
        join lab.results r on r.job = g.j and r.key >= g.f and r.key < g.f + g.u;
end $$;

-- Who answered chunks. Of workers that are quarantined, only what is kept counts.
create function lab.answers_of(the_jobs integer[], the_chunks bigint[])
returns table (job integer, chunk bigint, worker integer, kept boolean, digest bytea, owner integer)
language plpgsql
set enable_seqscan = off set enable_bitmapscan = off
set enable_hashjoin = off set enable_mergejoin = off set jit = off as $$
begin
    return query select a.job, a.chunk, a.worker, a.kept, a.digest, w.owner
        from unnest(the_jobs, the_chunks) g (j, c)
        join lab.answers a on a.job = g.j and a.chunk = g.c
        join lab.workers w on w.id = a.worker
        where a.kept or w.quarantined_at is null
        order by a.job, a.chunk, a.worker;
end $$;

-- Results of chunks that are not kept.
create function lab.seconds_of(the_jobs integer[], the_chunks bigint[])
returns setof lab.seconds language plpgsql
set enable_seqscan = off set enable_bitmapscan = off
set enable_hashjoin = off set enable_mergejoin = off set jit = off as $$
begin
    return query select s.* from unnest(the_jobs, the_chunks) g (j, c)
        join lab.seconds s on s.job = g.j and s.chunk = g.c;
end $$;

-- Results after a number, in their order. Numbers up to `horizon` are committed, or never will be:
-- a reader that is at the end never misses a lower number that comes in later.
create function lab.results_after(the_job integer, after bigint, at_most bigint)
returns setof lab.results language plpgsql
set enable_seqscan = off set enable_sort = off set enable_bitmapscan = off set jit = off as $$
declare
    horizon bigint;
begin
    perform pg_advisory_xact_lock(1414485837, the_job);
    horizon := coalesce(
        pg_sequence_last_value(pg_get_serial_sequence('lab.results', 'number')::regclass), 0);
    return query select * from lab.results r
        where r.job = the_job and r.number > after and r.number <= horizon
        order by r.job, r.number limit at_most;
end $$;

-- The jobs that have work, with what is known of them.
create function lab.open_jobs()
returns table (
    number integer, id text, kind text, owner integer, priority integer, weight real, needs jsonb,
    units bigint, compares boolean, again_every bigint, running boolean,
    done bigint, checking bigint, unable integer[], leased bigint, ready boolean
) language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set jit = off as $$
#variable_conflict use_column
declare
    at_time timestamptz := clock_timestamp();
    more bigint;
begin
    for number, id, kind, owner, priority, weight, needs, units, compares, again_every, running,
            done, checking, unable in
        select j.number, j.id, j.kind, j.owner, j.priority, j.weight, j.needs, j.units, j.compares,
            j.again_every, j.state = 'running', c.done, c.checking,
            array(select i.worker from lab.inabilities i where i.job = j.number)
        from lab.jobs j cross join lateral (
            select coalesce(sum(c.done), 0)::bigint as done,
                coalesce(sum(c.checking), 0)::bigint as checking
            from lab.counters c where c.job = j.number) c
        where j.state = 'running' or (j.state = 'done' and j.settled_at is null)
        order by j.number
    loop
        leased := 0;
        ready := false;
        if to_regclass('pgmq.q_' || lab.queue(number, false)) is not null then
            execute format('select count(*) from pgmq.%I where vt > $1',
                'q_' || lab.queue(number, false)) into leased using at_time;
            execute format('select count(*) from pgmq.%I where vt > $1',
                'q_' || lab.queue(number, true)) into more using at_time;
            leased := leased + more;
            execute format('select exists (select from pgmq.%I where vt <= $2 order by vt limit 1)
                or exists (select from pgmq.%I where vt <= $2 and $1 > 0 order by vt limit 1)',
                'q_' || lab.queue(number, false), 'q_' || lab.queue(number, true))
                into ready using checking, at_time;
        end if;
        return next;
    end loop;
end $$;

-- Frees what a worker has leased of a job.
create function lab.release(the_job integer, the_worker integer) returns void
language plpgsql set jit = off as $$
begin
    if to_regclass('pgmq.q_' || lab.queue(the_job, false)) is not null then
        execute format('update pgmq.%I set vt = enqueued_at
            where vt > clock_timestamp() and (headers ->> ''worker'')::integer = $1',
            'q_' || lab.queue(the_job, false)) using the_worker;
        execute format('update pgmq.%I set vt = enqueued_at
            where vt > clock_timestamp() and (headers ->> ''worker'')::integer = $1',
            'q_' || lab.queue(the_job, true)) using the_worker;
    end if;
end $$;

-- Marks those jobs as done all of whose units have results. The last of those who commit sees all.
create function lab.close_jobs(the_jobs integer[]) returns void
language plpgsql set enable_seqscan = off set jit = off as $$
begin
    update lab.jobs j set state = 'done', finished_at = clock_timestamp(), settled_at = null
        where j.number = any (the_jobs) and j.state = 'running' and j.body is not null
            and j.units <= (select coalesce(sum(c.done), 0) from lab.counters c where c.job = j.number);
    update lab.jobs j set settled_at = clock_timestamp()
        where j.number = any (the_jobs) and j.state = 'done' and j.settled_at is null
            and 0 >= (select coalesce(sum(c.checking), 0) from lab.counters c where c.job = j.number);
end $$;

-- Adds to the counters of jobs.
create function lab.count(
    the_slot smallint, the_jobs integer[], the_done bigint[], the_checking bigint[],
    the_verified bigint[], the_alarms bigint[]
) returns void language plpgsql as $$
begin
    insert into lab.counters as c (job, slot, done, checking, verified, alarms)
        select j, the_slot, d, k, v, a
            from unnest(the_jobs, the_done, the_checking, the_verified, the_alarms) g (j, d, k, v, a)
            order by j
        on conflict (job, slot) do update set done = c.done + excluded.done,
            checking = c.checking + excluded.checking, verified = c.verified + excluded.verified,
            alarms = c.alarms + excluded.alarms;
end $$;

-- Adds to what workers did, of jobs and in all.
create function lab.credit(
    share_jobs integer[], share_workers integer[], share_units bigint[], share_verified bigint[],
    the_workers integer[], the_units bigint[], the_chunks bigint[], the_confirmed bigint[]
) returns void language plpgsql as $$
begin
    insert into lab.shares as s (job, worker, units, verified)
        select j, w, u, v from unnest(share_jobs, share_workers, share_units, share_verified)
            g (j, w, u, v) order by j, w
        on conflict (job, worker) do update set units = s.units + excluded.units,
            verified = s.verified + excluded.verified;
    insert into lab.records as r (worker, units, chunks, confirmed)
        select w, u, c, f from unnest(the_workers, the_units, the_chunks, the_confirmed)
            g (w, u, c, f) order by w
        on conflict (worker) do update set units = r.units + excluded.units,
            chunks = r.chunks + excluded.chunks, confirmed = r.confirmed + excluded.confirmed;
end $$;

-- Adds the next chunks of a job.
create function lab.add_chunks(
    the_job integer, the_chunks bigint[], the_firsts bigint[], the_units integer[], the_bodies text[]
) returns void language plpgsql as $$
begin
    insert into lab.chunks (job, chunk, first, units, bodies)
        select the_job, c, f, u, b from unnest(the_chunks, the_firsts, the_units, the_bodies) g (c, f, u, b);
    perform pgmq.send_batch(lab.queue(the_job, false),
        array(select jsonb_build_object('chunk', c) from unnest(the_chunks) with ordinality g (c, nth)
            order by nth));
end $$;

create function lab.send(the_job integer, is_check boolean, messages jsonb[]) returns void
language plpgsql as $$
begin
    perform pgmq.send_batch(lab.queue(the_job, is_check), messages);
end $$;

create function lab.records_of(the_workers integer[]) returns setof lab.records
language plpgsql set enable_seqscan = off set jit = off as $$
begin
    return query select * from lab.records r where r.worker = any (the_workers);
end $$;

create function lab.set_chunks(
    the_jobs integer[], the_chunks bigint[], the_states smallint[], the_digests bytea[]
) returns void language plpgsql
set enable_seqscan = off set enable_bitmapscan = off
set enable_hashjoin = off set enable_mergejoin = off set jit = off as $$
begin
    update lab.chunks k set state = g.s, digest = g.d
        from unnest(the_jobs, the_chunks, the_states, the_digests) g (j, c, s, d)
        where k.job = g.j and k.chunk = g.c;
end $$;

create function lab.note_answers(
    the_jobs integer[], the_chunks bigint[], the_workers integer[], are_kept boolean[], the_digests bytea[]
) returns void language plpgsql as $$
begin
    insert into lab.answers as a (job, chunk, worker, kept, digest)
        select j, c, w, k, d from unnest(the_jobs, the_chunks, the_workers, are_kept, the_digests)
            g (j, c, w, k, d) order by j, c, w
        on conflict (job, chunk, worker) do update set kept = excluded.kept,
            digest = coalesce(excluded.digest, a.digest);
end $$;

-- Puts a worker's results in the place of those that were kept, under new numbers.
create function lab.replace_results(
    the_job integer, the_worker integer, the_keys bigint[], the_values text[]
) returns void language plpgsql
set enable_seqscan = off set enable_bitmapscan = off
set enable_hashjoin = off set enable_mergejoin = off set jit = off as $$
begin
    delete from lab.results r using unnest(the_keys) g (k) where r.job = the_job and r.key = g.k;
    insert into lab.results (job, key, worker, value)
        select the_job, k, the_worker, v from unnest(the_keys, the_values) g (k, v) order by k;
end $$;

-- Forgets what a worker, or any if null, delivered of a part of a chunk.
create function lab.forget_partial(the_job integer, the_chunk bigint, the_worker integer) returns void
language plpgsql set enable_seqscan = off set enable_bitmapscan = off set jit = off as $$
begin
    delete from lab.seconds s where s.job = the_job and s.chunk = the_chunk
        and (the_worker is null or s.worker = the_worker);
    if the_worker is null then
        delete from lab.answers a
            where a.job = the_job and a.chunk = the_chunk and a.digest is null;
    end if;
end $$;

-- Takes back the results of a worker in a chunk, or all if null; returns whose they were.
create function lab.take_back(the_job integer, the_first bigint, the_units integer, the_worker integer)
returns table (worker integer, units bigint) language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set jit = off as $$
#variable_conflict use_column
begin
    return query with gone as (
        delete from lab.results r where r.job = the_job
            and r.key >= the_first and r.key < the_first + the_units
            and (the_worker is null or r.worker = the_worker)
            returning r.worker)
        select g.worker, count(*) from gone g group by g.worker;
end $$;

-- Chunks of which a worker delivered something, in their order.
create function lab.chunks_of(the_worker integer, the_job integer, after bigint, at_most integer)
returns setof bigint language plpgsql
set enable_seqscan = off set enable_sort = off set enable_bitmapscan = off set jit = off as $$
begin
    return query select a.chunk from lab.answers a
        where a.worker = the_worker and a.job = the_job and a.chunk > after
        order by a.worker, a.job, a.chunk limit at_most;
end $$;

-- The next job of which a worker delivered something.
create function lab.next_job_of(the_worker integer, after integer) returns integer
language plpgsql
set enable_seqscan = off set enable_sort = off set enable_bitmapscan = off set jit = off as $$
begin
    return (select a.job from lab.answers a where a.worker = the_worker and a.job > after
        order by a.worker, a.job limit 1);
end $$;

-- Moves the results of a job to its archive.
create function lab.archive(the_job integer) returns void language plpgsql as $$
begin
    perform pg_advisory_xact_lock(1414485837, the_job);
    insert into lab.archives (job, last_number, results)
        select the_job, max(number),
            jsonb_agg(jsonb_build_array(number, key, worker, value) order by number)::text
        from (select r.*, (row_number() over (order by r.number) - 1) / 10000 as part
            from lab.results r where r.job = the_job) p
        group by part;
    delete from lab.results where job = the_job;
    delete from lab.chunks where job = the_job;
    delete from lab.answers where job = the_job;
    delete from lab.seconds where job = the_job;
    perform lab.drop_queues(the_job);
    update lab.jobs set archived_at = clock_timestamp(), settled_at = coalesce(settled_at, clock_timestamp())
        where number = the_job;
end $$;

-- Takes away all that is known of a job.
create function lab.remove(the_job integer) returns void language plpgsql as $$
begin
    perform pg_advisory_xact_lock(1414485837, the_job);
    perform lab.drop_queues(the_job);
    delete from lab.results where job = the_job;
    delete from lab.chunks where job = the_job;
    delete from lab.answers where job = the_job;
    delete from lab.seconds where job = the_job;
    delete from lab.archives where job = the_job;
    delete from lab.alarms where job = the_job;
    delete from lab.counters where job = the_job;
    delete from lab.shares where job = the_job;
    delete from lab.inabilities where job = the_job;
    update lab.jobs set follows = null where follows = the_job;
    delete from lab.jobs where number = the_job;
end $$;

-- How many chunks of a job are leased.
create function lab.leased_of(the_job integer) returns bigint language plpgsql
set enable_seqscan = off set jit = off as $$
declare
    one bigint;
    other bigint;
begin
    if to_regclass('pgmq.q_' || lab.queue(the_job, false)) is null then
        return 0;
    end if;
    execute format('select count(*) from pgmq.%I where vt > $1', 'q_' || lab.queue(the_job, false))
        into one using clock_timestamp();
    execute format('select count(*) from pgmq.%I where vt > $1', 'q_' || lab.queue(the_job, true))
        into other using clock_timestamp();
    return one + other;
end $$;
