-- Decisions wait until others confirm them; people write notes about tests.

alter table lab.jobs
    -- When a decision was reached that is not final yet. What confirms it comes before other work.
    add column decided_at timestamptz,
    -- Workers whose results are not needed for that.
    add column enough integer[] not null default '{}',
    -- Workers disagreed, and a maintainer has resumed it: it stands.
    add column vouched boolean not null default false,
    -- What people write about the test.
    add column note text not null default '';

-- As before; what is done anew comes before what nobody has begun, as verdicts are made from the pairs
-- before the first that is missing.
create or replace function lab.send(the_job integer, is_check boolean, messages jsonb[]) returns void
language plpgsql as $$
begin
    if is_check then
        perform pgmq.send_batch(lab.queue(the_job, true), messages);
    else
        perform pgmq.send_batch(lab.queue(the_job, false), messages, timestamptz '2000-01-01');
    end if;
end $$;

-- A flagged job goes on: those that could not do it, and those that fell silent, are forgotten.
create function lab.resume(the_job integer) returns void
language plpgsql set jit = off as $$
begin
    update lab.jobs set state = 'running', reason = null, vouched = decided_at is not null,
        finished_at = null, settled_at = null where number = the_job and state = 'flagged';
    if not found then
        return;
    end if;
    delete from lab.inabilities where job = the_job;
    perform lab.open_queues(the_job);
    for is_check in 0 .. 1 loop
        execute format('update pgmq.%I set headers = headers - ''silent'', vt = least(vt, clock_timestamp())
            where headers ? ''silent''', 'q_' || lab.queue(the_job, is_check = 1));
    end loop;
end $$;
