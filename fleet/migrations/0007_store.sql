-- Chunks that kill their workers, heartbeats in batches, and what a look at all jobs reads.

-- When the program of the worker last started.
alter table lab.workers add column registered_at timestamptz;

create index workers_in_quarantine on lab.workers (id) where quarantined_at is not null;
create index audit_by_time on lab.audit (at);
create index jobs_to_archive on lab.jobs (finished_at)
    where archived_at is null and state in ('done', 'stopped', 'rejected');

-- Whether results of a quarantined worker are still to be taken back, of any job.
create function lab.is_purging() returns boolean language plpgsql stable
set enable_seqscan = off set enable_bitmapscan = off
set enable_hashjoin = off set enable_mergejoin = off set jit = off as $$
begin
    return exists (select from lab.workers w left join lab.records r on r.worker = w.id
        where w.quarantined_at is not null
            and (r.purged_at is null or r.purged_at < w.quarantined_at));
end $$;

-- Notes that workers were seen. Never waits for a row. Waits for the disk: PostgreSQL skips a dead entry
-- of an index quickly only when all that committed about the time of its death is on it, and a lease that
-- comes next looks over many.
create function lab.note_seen(the_workers integer[]) returns void
language plpgsql set enable_seqscan = off set enable_bitmapscan = off
set enable_hashjoin = off set enable_mergejoin = off set jit = off as $$
begin
    update lab.workers w set seen_at = clock_timestamp() where w.id in
        (select o.id from lab.workers o where o.id = any (the_workers) order by o.id
            for no key update skip locked);
end $$;

-- The workers that fell silent while they had a chunk, as part of its message: those noted before, and
-- the one of the last lease, whose time is over. It fell silent if it was not seen since it got the
-- chunk, or started anew since. One that was seen only lost the lease, by a bad network for instance.
create function lab.silence(headers jsonb, leased_at timestamptz) returns jsonb language plpgsql
set enable_seqscan = off set enable_bitmapscan = off set jit = off as $$
declare
    known jsonb := coalesce(headers -> 'silent', '[]');
begin
    if exists (select from lab.workers w where w.id = (headers ->> 'worker')::integer
        and (w.seen_at is null or w.seen_at <= leased_at or w.registered_at > leased_at)) then
        known := known || (headers -> 'worker');
    end if;
    return case when known = '[]' then '{}' else jsonb_build_object('silent', known) end;
end $$;

-- Whether nobody should get a chunk any more: three workers fell silent while they had it, or five
-- attempts of fewer ended so.
create function lab.is_deadly(silence jsonb) returns boolean language sql immutable as $$
    select jsonb_array_length(coalesce(silence -> 'silent', '[]')) >= 3
        and (jsonb_array_length(silence -> 'silent') >= 5
            or (select count(distinct w) from jsonb_array_elements(silence -> 'silent') w) >= 3)
$$;

-- Flags a job for a chunk that is deadly; false if it does not run any more, as when all its units
-- have results and the chunk was to be checked.
create function lab.flag_deadly(the_job integer, the_chunk bigint, silence jsonb) returns boolean
language plpgsql set enable_seqscan = off set jit = off as $$
declare
    workers bigint := (select count(distinct w) from jsonb_array_elements(silence -> 'silent') w);
begin
    update lab.jobs set state = 'flagged', reason = 'chunk ' || the_chunk || ': ' || case
        when workers >= 3 then workers || ' workers fell silent while doing it'
        else 'workers fell silent ' || jsonb_array_length(silence -> 'silent') || ' times while doing it' end
        where number = the_job and state = 'running';
    return found;
end $$;

-- As before; and a chunk that is deadly flags its job, or waits forever if it was only to be checked.
-- Checks that fit nobody cost one entry of an index each, and a row that is put behind the others.
create or replace function lab.lease(
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
    passed tid[] := '{}';
    taken bigint[] := '{}';
    fits integer[] := '{}';
    silences jsonb[] := '{}';
    mark constant text := 'update pgmq.%I m
        set vt = $4 + ($3)[g.fit] * interval ''1 millisecond'', read_ct = m.read_ct + 1,
            last_read_at = $4, headers = jsonb_build_object(''worker'', ($5)[g.fit]) || g.silence
        from unnest($1, $2, $6) g (message, fit, silence) where m.msg_id = g.message';
    fit integer;
    silence jsonb;
    is_flagged boolean := false;
    m record;
    part record;
    of_whom integer[];
    whose integer[];
begin
    if to_regclass('pgmq.' || q) is null then
        return;
    end if;
    for m in execute format('select ctid, msg_id, read_ct, enqueued_at, message, headers, last_read_at
        from pgmq.%I where vt <= $1 order by vt limit 64 for update skip locked', c) using at_time
    loop
        exit when left_over = 0;
        looked_at := looked_at + 1;
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
            passed := array_append(passed, m.ctid);
            continue;
        end if;
        select k.chunk, k.first, k.units, k.bodies, k.state into part from lab.chunks k
            where k.job = the_job and k.chunk = (m.message ->> 'chunk')::bigint;
        if part.state is distinct from 2 then
            execute format('delete from pgmq.%I where msg_id = $1', c) using m.msg_id;
            continue;
        end if;
        silence := case when m.headers is null then '{}' else lab.silence(m.headers, m.last_read_at) end;
        if silence <> '{}' and lab.is_deadly(silence) then
            is_flagged := lab.flag_deadly(the_job, part.chunk, silence);
            exit when is_flagged;
            execute format('update pgmq.%I set vt = ''infinity'', headers = $2 where msg_id = $1', c)
                using m.msg_id, silence;
            continue;
        end if;
        free[fit] := false;
        left_over := left_over - 1;
        taken := taken || m.msg_id;
        fits := fits || fit;
        silences := array_append(silences, silence);
        return query select fit, m.msg_id, m.read_ct + 1, true,
            part.chunk, part.first, part.units, part.bodies;
    end loop;
    if taken <> '{}' then
        execute format(mark, c) using taken, fits, visible_ms, at_time, workers, silences;
    end if;
    -- None of those at the front fits anybody: the next look begins behind them.
    if looked_at = 64 and cardinality(passed) = 64 then
        execute format('update pgmq.%I set vt = $2 where ctid = any ($1)', c) using passed, at_time;
    end if;
    if not with_first or left_over = 0 or is_flagged then
        return;
    end if;
    fit := 0;
    taken := '{}';
    fits := '{}';
    silences := '{}';
    for m in execute format('select msg_id, read_ct, message, headers, last_read_at from pgmq.%I
        where vt <= $1 order by vt limit $2 for update skip locked', q) using at_time, left_over
    loop
        select k.chunk, k.first, k.units, k.bodies, k.state into part from lab.chunks k
            where k.job = the_job and k.chunk = (m.message ->> 'chunk')::bigint;
        if part.state is distinct from 0 then
            execute format('delete from pgmq.%I where msg_id = $1', q) using m.msg_id;
            continue;
        end if;
        silence := case when m.headers is null then '{}' else lab.silence(m.headers, m.last_read_at) end;
        if silence <> '{}' and lab.is_deadly(silence) then
            is_flagged := lab.flag_deadly(the_job, part.chunk, silence);
            exit when is_flagged;
            execute format('update pgmq.%I set vt = ''infinity'', headers = $2 where msg_id = $1', q)
                using m.msg_id, silence;
            continue;
        end if;
        loop
            fit := fit + 1;
            exit when free[fit];
        end loop;
        taken := taken || m.msg_id;
        fits := fits || fit;
        silences := array_append(silences, silence);
        return query select fit, m.msg_id, m.read_ct + 1, false,
            part.chunk, part.first, part.units, part.bodies;
    end loop;
    if taken <> '{}' then
        execute format(mark, q) using taken, fits, visible_ms, at_time, workers, silences;
    end if;
end $$;

-- As before; what is given back is nobody's any more.
create or replace function lab.prolong(
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
    -- A worker that gives it back did not fall silent, be it late.
    execute format('update pgmq.%I set vt = coalesce($3, enqueued_at),
            headers = case when $3 is null then headers - ''worker'' else headers end
        where msg_id = $1 and read_ct = $2 and (vt > $4 or $3 is null)', 'q_' || lab.queue(the_job, is_check))
        using the_message, the_attempt, at_time + visible_ms * interval '1 millisecond', at_time;
    get diagnostics changed = row_count;
    return changed > 0;
end $$;

create or replace function lab.release(the_job integer, the_worker integer) returns void
language plpgsql set jit = off as $$
begin
    if to_regclass('pgmq.q_' || lab.queue(the_job, false)) is not null then
        execute format('update pgmq.%I set vt = enqueued_at, headers = headers - ''worker''
            where vt > clock_timestamp() and (headers ->> ''worker'')::integer = $1',
            'q_' || lab.queue(the_job, false)) using the_worker;
        execute format('update pgmq.%I set vt = enqueued_at, headers = headers - ''worker''
            where vt > clock_timestamp() and (headers ->> ''worker'')::integer = $1',
            'q_' || lab.queue(the_job, true)) using the_worker;
    end if;
end $$;

-- Renews leases, which are in arrays as long as each other. Of each: the state of its job, why it is
-- in it, and whether the lease is still this worker's. A test that is decided needs no more games,
-- and counts as stopped.
--
-- Does not wait for the disk, as leases do not, nor for a message that is locked: it is being
-- answered.
create function lab.beat(
    the_jobs integer[], are_checks boolean[], messages bigint[], attempts integer[], visible_ms bigint[]
) returns table (place integer, state text, reason text, held boolean) language plpgsql
set enable_seqscan = off set enable_bitmapscan = off
set enable_hashjoin = off set enable_mergejoin = off set jit = off as $$
#variable_conflict use_column
declare
    at_time timestamptz := clock_timestamp();
    j record;
    q text;
    mine integer[];
begin
    perform set_config('synchronous_commit', 'off', true);
    for j in select g.job, g.is_check, array_agg(g.p::integer) as places, array_agg(g.m) as messages,
            array_agg(g.a) as attempts, array_agg(g.v) as visible_ms
        from unnest(the_jobs, are_checks, messages, attempts, visible_ms)
            with ordinality g (job, is_check, m, a, v, p)
        group by g.job, g.is_check order by g.job, g.is_check
    loop
        select case when o.concluded_at is null or o.units <= (
                select coalesce(sum(c.done), 0) from lab.counters c where c.job = o.number)
                then o.state else 'stopped' end, coalesce(o.reason, 'the test is decided')
            into state, reason from lab.jobs o where o.number = j.job;
        q := 'q_' || lab.queue(j.job, j.is_check);
        mine := '{}';
        if state in ('running', 'done') and to_regclass('pgmq.' || q) is not null then
            execute format('select array_agg(g.place) from unnest($1, $2, $3) g (place, message, attempt)
                join pgmq.%I m on m.msg_id = g.message
                where m.read_ct = g.attempt and m.vt > $4', q)
                into mine using j.places, j.messages, j.attempts, at_time;
            execute format('update pgmq.%I m set vt = $4 + g.ms * interval ''1 millisecond''
                from unnest($1, $2, $3) g (message, attempt, ms)
                where m.msg_id = g.message and m.read_ct = g.attempt and m.vt > $4 and m.msg_id in
                    (select o.msg_id from pgmq.%1$I o where o.msg_id = any ($1) order by o.msg_id
                        for update skip locked)', q)
                using j.messages, j.attempts, j.visible_ms, at_time;
        end if;
        foreach place in array j.places loop
            held := place = any (coalesce(mine, '{}'));
            return next;
        end loop;
    end loop;
end $$;

-- As before; leases are counted only where they are limited, at most so many of each job.
drop function lab.open_jobs();
create function lab.open_jobs(most_leases bigint default null)
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
            if most_leases is not null then
                execute format('select count(*) from
                    (select from pgmq.%I where vt > $1 and vt < ''infinity'' limit $2) m',
                    'q_' || lab.queue(number, false)) into leased using at_time, most_leases;
                execute format('select count(*) from
                    (select from pgmq.%I where vt > $1 and vt < ''infinity'' limit $2) m',
                    'q_' || lab.queue(number, true)) into more using at_time, most_leases;
                leased := leased + more;
            end if;
            execute format('select exists (select from pgmq.%I where vt <= $2 order by vt limit 1)
                or exists (select from pgmq.%I where vt <= $2 and $1 > 0 order by vt limit 1)',
                'q_' || lab.queue(number, false), 'q_' || lab.queue(number, true))
                into ready using checking, at_time;
        end if;
        return next;
    end loop;
end $$;

-- As before, without chunks that wait forever.
create or replace function lab.leased_of(the_job integer) returns bigint language plpgsql
set enable_seqscan = off set jit = off as $$
declare
    one bigint;
    other bigint;
begin
    if to_regclass('pgmq.q_' || lab.queue(the_job, false)) is null then
        return 0;
    end if;
    execute format('select count(*) from pgmq.%I where vt > $1 and vt < ''infinity''',
        'q_' || lab.queue(the_job, false))
        into one using clock_timestamp();
    execute format('select count(*) from pgmq.%I where vt > $1 and vt < ''infinity''',
        'q_' || lab.queue(the_job, true))
        into other using clock_timestamp();
    return one + other;
end $$;
