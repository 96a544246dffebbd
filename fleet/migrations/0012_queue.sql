-- The queue of a lab: chunks, leases, results, answers, and what counts them.
--
-- Each job has a queue of PGMQ, `lab_N`, whose messages are hints: there is a chunk that nobody has done. Who has
-- a chunk, and until when, is in lab.leases; the message is hidden for the same time, so that it comes back when the
-- lease is over. What is to be done again, perhaps not by everybody, waits in lab.leases, and has no message.
--
-- Order of locks, kept by all: the advisory locks of workers, those of jobs, both ascending, then
-- chunks, ascending, then leases, messages and counters. New leases skip what is locked, and wait for nobody. Of a
-- worker's lock (1414485836, worker) and a job's (1414485837, job), an answer holds the shared half until it
-- commits; the other half is taken to discard a worker's results, and to read numbers in order.

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

create sequence lab.lease_numbers;

-- Chunks that somebody has, or had and did not finish, and those that are to be done again.
create table lab.leases (
    job integer not null,
    chunk bigint not null,
    -- The last lease. Each has its own number.
    number bigint not null default nextval('lab.lease_numbers'),
    -- Nobody, if it was given back or noted as silent.
    worker integer,
    leased_at timestamptz,
    -- The end of the lease, or when it is somebody's turn at the earliest; never, if it is deadly.
    until timestamptz not null,
    -- The message of the queue; null of what is done again.
    message bigint,
    -- Workers that fell silent while they had it, each time.
    silent integer[] not null default '{}',
    -- When it was put here to be done again: long ago if its results were taken back, which is done first. Null if
    -- it has a message.
    since timestamptz,
    -- Workers that have done it, and their owners: it is for others.
    workers integer[] not null default '{}',
    owners integer[] not null default '{}',
    primary key (job, chunk)
);

create index leases_by_until on lab.leases (job, until);

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

-- Sums over units, and the number of open chunks, in slots, so that transactions that end together do not wait for
-- one row.
create table lab.counters (
    job integer not null,
    slot smallint not null,
    done bigint not null default 0,
    checking bigint not null default 0,
    verified bigint not null default 0,
    alarms bigint not null default 0,
    open_chunks bigint not null default 0,
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
    -- The time from lease to answer of what it delivered, times the cores that the job needs, in milliseconds.
    core_ms bigint not null default 0,
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

-- From now to the end of the transaction, rows are found by indexes, in their order. Tables grow from nothing to
-- millions of rows between two looks of autovacuum: what statistics know of them is wrong.
create function lab.go_by_indexes() returns void language plpgsql as $$
begin
    perform set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
        set_config('enable_sort', 'off', true), set_config('enable_hashjoin', 'off', true),
        set_config('enable_mergejoin', 'off', true), set_config('jit', 'off', true);
end $$;

-- Makes the queue of a job, unless it is there, with the chunks that are open: none of a new job, those that nobody
-- had begun of a test that was decided, and is counted again.
create function lab.open_queue(the_job integer) returns void language plpgsql as $$
declare
    hints jsonb[];
begin
    update lab.jobs set has_queue = true where number = the_job and not has_queue;
    if not found then
        return;
    end if;
    perform pgmq.create('lab_' || the_job);
    hints := array(select jsonb_build_object('chunk', k.chunk) from lab.chunks k
        where k.job = the_job and k.state = 0
            and not exists (select from lab.leases l where l.job = k.job and l.chunk = k.chunk)
        order by k.chunk);
    if hints <> '{}' then
        perform pgmq.send_batch('lab_' || the_job, hints);
    end if;
end $$;

create function lab.drop_queue(the_job integer) returns void language plpgsql as $$
begin
    delete from lab.leases where job = the_job;
    update lab.jobs set has_queue = false where number = the_job and has_queue;
    if found then
        perform pgmq.drop_queue('lab_' || the_job);
    end if;
end $$;

-- Notes that workers were seen. Never waits for a row. Waits for the disk: PostgreSQL skips a dead entry
-- of an index quickly only when all that committed about the time of its death is on it, and a lease that
-- comes next looks over many.
create function lab.note_seen(the_workers integer[]) returns void language plpgsql as $$
begin
    perform lab.go_by_indexes();
    update lab.workers w set seen_at = clock_timestamp() where w.id in
        (select o.id from lab.workers o where o.id = any (the_workers) order by o.id
            for no key update skip locked);
end $$;

-- Whether a chunk, whose last lease is over, may be leased again. Its worker fell silent if it was not seen since it
-- got the chunk, or started anew since; one that was seen only lost the lease, by a bad network for instance. Three
-- workers that fell silent, or five times of fewer, flag the job; if it does not run, as when the chunk has its
-- results and is only to be confirmed, the chunk waits forever.
create function lab.is_survivable(the_job integer, the_chunk bigint) returns boolean language plpgsql as $$
declare
    times integer[];
    those bigint;
begin
    update lab.leases l set silent = l.silent || l.worker, worker = null from lab.workers w
        where l.job = the_job and l.chunk = the_chunk and w.id = l.worker
            and (w.seen_at is null or w.seen_at <= l.leased_at or w.registered_at > l.leased_at);
    times := (select l.silent from lab.leases l where l.job = the_job and l.chunk = the_chunk);
    those := (select count(distinct s) from unnest(times) s);
    if those < 3 and cardinality(times) < 5 then
        return true;
    end if;
    update lab.jobs set state = 'flagged', reason = 'chunk ' || the_chunk || ': ' || case
        when those >= 3 then those || ' workers fell silent while doing it'
        else 'workers fell silent ' || cardinality(times) || ' times while doing it' end
        where number = the_job and state = 'running';
    if not found then
        update lab.leases set until = 'infinity' where job = the_job and chunk = the_chunk;
    end if;
    return false;
end $$;

-- Leases chunks of jobs to workers, at most one to each: `place` is the place in the arrays, which are as long as
-- each other. First what is done again, so that a worker with wrong results is found early, and not by a worker of
-- an owner who has done it, until it has waited for `patience_ms`. Then, of jobs that run, what comes next.
--
-- Does not wait for the disk: a lease that a crash of the database takes back is leased again, and
-- if both workers deliver, the second confirms the first.
create function lab.lease(
    the_jobs integer[], are_running boolean[], the_workers integer[], the_owners integer[],
    the_visible_ms bigint[], patience_ms bigint
) returns table (place integer, number bigint, chunk bigint, first bigint, units integer, bodies text)
language plpgsql as $$
#variable_conflict use_column
declare
    at_time timestamptz := clock_timestamp();
    others_since timestamptz := at_time - patience_ms * interval '1 millisecond';
    j record;
    m record;
    free integer[];
    fit integer;
    looked_at integer;
    passed tid[];
    taken bigint[];
    fits integer[];
    visible bigint;
    alike integer[];
    ids bigint[];
    chunks bigint[];
    ends timestamptz[];
    over bigint[];
    back bigint[];
    hidden bigint[];
    hidden_until timestamptz[];
    numbers bigint[];
begin
    perform lab.go_by_indexes(), set_config('synchronous_commit', 'off', true);
    for j in select g.job, 'lab_' || g.job as queue, bool_or(g.r) as is_running, array_agg(g.p::integer) as places
        from unnest(the_jobs, are_running) with ordinality g (job, r, p) group by g.job order by g.job
    loop
        free := j.places;
        looked_at := 0;
        passed := '{}';
        taken := '{}';
        fits := '{}';
        for m in select l.ctid, l.chunk, l.leased_at, l.since, l.workers, l.owners from lab.leases l
            where l.job = j.job and l.since is not null and l.until <= at_time
            order by l.job, l.until limit 64 for update skip locked
        loop
            exit when free = '{}';
            looked_at := looked_at + 1;
            fit := null;
            foreach place in array free loop
                if the_workers[place] <> all (m.workers)
                    and (the_owners[place] <> all (m.owners) or m.since < others_since) then
                    fit := place;
                    exit;
                end if;
            end loop;
            if fit is null then
                passed := array_append(passed, m.ctid);
            elsif m.leased_at is null or lab.is_survivable(j.job, m.chunk) then
                free := array_remove(free, fit);
                taken := taken || m.chunk;
                fits := fits || fit;
            end if;
        end loop;
        if taken <> '{}' then
            return query update lab.leases l
                set worker = the_workers[g.p], number = nextval('lab.lease_numbers'), leased_at = at_time,
                    until = at_time + the_visible_ms[g.p] * interval '1 millisecond', message = null
                from unnest(taken, fits) g (c, p) join lab.chunks k on k.job = j.job and k.chunk = g.c
                where l.job = j.job and l.chunk = g.c
                returning g.p, l.number, k.chunk, k.first, k.units, k.bodies;
        end if;
        -- None of those at the front fits anybody: the next look begins behind them.
        if looked_at = 64 and cardinality(passed) = 64 then
            update lab.leases l set until = at_time where l.ctid = any (passed);
        end if;
        continue when not j.is_running;
        back := '{}';
        while free <> '{}' loop
            -- Those who ask for the same time get theirs at once.
            visible := the_visible_ms[free[1]];
            alike := array(select p from unnest(free) p where the_visible_ms[p] = visible);
            select array_agg(r.msg_id), array_agg((r.message ->> 'chunk')::bigint), array_agg(r.vt)
                into ids, chunks, ends
                from pgmq.read(j.queue, (visible / 1000)::integer, cardinality(alike)) r;
            over := '{}';
            taken := '{}';
            numbers := '{}';
            fits := '{}';
            hidden := '{}';
            hidden_until := '{}';
            -- PGMQ hides messages for whole seconds.
            if ids is not null and visible % 1000 > 0 then
                ends := array_fill(clock_timestamp() + visible * interval '1 millisecond', array[cardinality(ids)]);
                perform pgmq.set_vt(j.queue, ids, ends[1]);
            end if;
            for m in select g.id, g.chunk, g.hidden_until, k.first, k.units, k.bodies, k.state,
                    l.message, l.until
                from unnest(ids, chunks, ends) g (id, chunk, hidden_until)
                left join lab.chunks k on k.job = j.job and k.chunk = g.chunk
                left join lab.leases l on l.job = j.job and l.chunk = g.chunk
            loop
                if m.state is distinct from 0 or m.until is not null and m.message is distinct from m.id then
                    over := over || m.id;
                    continue;
                end if;
                if m.until is not null then
                    perform from lab.leases l where l.job = j.job and l.chunk = m.chunk and l.until <= at_time
                        for update skip locked;
                    if not found or not lab.is_survivable(j.job, m.chunk) then
                        back := back || m.id;
                        continue;
                    end if;
                end if;
                place := alike[cardinality(taken) + 1];
                number := nextval('lab.lease_numbers');
                chunk := m.chunk;
                first := m.first;
                units := m.units;
                bodies := m.bodies;
                return next;
                taken := taken || chunk;
                numbers := numbers || number;
                fits := fits || place;
                hidden := hidden || m.id;
                hidden_until := hidden_until || m.hidden_until;
            end loop;
            insert into lab.leases as l (job, chunk, number, worker, leased_at, until, message)
                select j.job, c, n, the_workers[p], at_time, u, i
                    from unnest(taken, numbers, fits, hidden_until, hidden) g (c, n, p, u, i)
                on conflict (job, chunk) do update set number = excluded.number, worker = excluded.worker,
                    leased_at = excluded.leased_at, until = excluded.until, message = excluded.message;
            if over <> '{}' then
                perform pgmq.delete(j.queue, over);
                delete from lab.leases l where l.job = j.job and l.message = any (over) and l.since is null;
            end if;
            -- In the place of what is over, there may be others.
            if over = '{}' or cardinality(ids) < cardinality(alike) then
                fits := alike;
            end if;
            free := array(select p from unnest(free) p where p <> all (fits));
        end loop;
        if back <> '{}' then
            perform pgmq.set_vt(j.queue, back, at_time);
        end if;
    end loop;
end $$;

-- Renews leases, which are in arrays as long as each other. Of each: the state of its job, why it is
-- in it, and whether the lease is still this worker's. A test that is decided needs no more games,
-- and counts as stopped.
--
-- Does not wait for the disk, as leases do not, nor for a lease that is locked: it is being
-- answered.
create function lab.beat(
    the_jobs integer[], the_chunks bigint[], the_numbers bigint[], the_workers integer[], the_visible_ms bigint[]
) returns table (place integer, state text, reason text, held boolean) language plpgsql as $$
#variable_conflict use_column
declare
    at_time timestamptz := clock_timestamp();
    j record;
    mine integer[];
    messages bigint[];
begin
    perform lab.go_by_indexes(), set_config('synchronous_commit', 'off', true);
    for j in select g.job, at_time + g.v * interval '1 millisecond' as until, array_agg(g.p::integer) as places,
            array_agg(g.c) as chunks, array_agg(g.n) as numbers, array_agg(g.w) as workers
        from unnest(the_jobs, the_chunks, the_numbers, the_workers, the_visible_ms)
            with ordinality g (job, c, n, w, v, p)
        group by g.job, g.v order by g.job, g.v
    loop
        select case when o.concluded_at is null or o.units <= (
                select coalesce(sum(c.done), 0) from lab.counters c where c.job = o.number)
                then o.state else 'stopped' end, coalesce(o.reason, 'the test is decided')
            into state, reason from lab.jobs o where o.number = j.job;
        mine := '{}';
        if state in ('running', 'done') then
            mine := array(select g.p from unnest(j.places, j.chunks, j.numbers, j.workers) g (p, c, n, w)
                join lab.leases l on l.job = j.job and l.chunk = g.c
                where l.number = g.n and l.worker = g.w and l.until > at_time);
            with renewed as (
                update lab.leases l set until = j.until where l.job = j.job and l.chunk in
                    (select o.chunk from unnest(j.chunks, j.numbers, j.workers) g (c, n, w)
                        join lab.leases o on o.job = j.job and o.chunk = g.c
                        where o.number = g.n and o.worker = g.w and o.until > at_time
                        for update of o skip locked)
                    returning l.message)
                select array_agg(r.message) into messages from renewed r where r.message is not null;
            if messages is not null then
                perform pgmq.set_vt('lab_' || j.job, messages, j.until);
            end if;
        end if;
        foreach place in array j.places loop
            held := place = any (mine);
            return next;
        end loop;
    end loop;
end $$;

-- Locks what answers need, and returns the quarantined among their workers.
create function lab.begin_answers(the_workers integer[], the_jobs integer[])
returns table (worker integer, reason text) language plpgsql as $$
declare
    one integer;
begin
    perform lab.go_by_indexes();
    foreach one in array the_workers loop
        perform pg_advisory_xact_lock_shared(1414485836, one);
    end loop;
    foreach one in array the_jobs loop
        perform pg_advisory_xact_lock_shared(1414485837, one);
    end loop;
    return query select w.id, coalesce(w.quarantine_reason, '') from lab.workers w
        where w.id = any (the_workers) and w.quarantined_at is not null;
end $$;

-- Marks those jobs as done all of whose units have results. The last of those who commit sees all.
create function lab.close_jobs(the_jobs integer[]) returns void language plpgsql as $$
begin
    perform lab.go_by_indexes();
    update lab.jobs j set state = 'done', finished_at = clock_timestamp(), settled_at = null
        where j.number = any (the_jobs) and j.state = 'running' and j.body is not null
            and j.units <= (select coalesce(sum(c.done), 0) from lab.counters c where c.job = j.number);
    update lab.jobs j set settled_at = clock_timestamp()
        where j.number = any (the_jobs) and j.state = 'done' and j.settled_at is null
            and 0 >= (select coalesce(sum(c.checking), 0) from lab.counters c where c.job = j.number);
end $$;
