-- Tests: which server conducts which, and what came of it.

alter table lab.jobs
    -- The server that reads the results of a test, until then; any other may take over after that.
    add column conductor text,
    add column conducted_until timestamptz,
    -- Nothing is tried before then: what the preparation needs failed.
    add column try_at timestamptz,
    add column tries integer not null default 0,
    -- The summary is final.
    add column concluded_at timestamptz;

create index jobs_to_conduct on lab.jobs (number)
    where spec is not null and concluded_at is null and state in ('waiting', 'running', 'done', 'stopped');
create index jobs_by_follows on lab.jobs (follows) where follows is not null;
create index jobs_by_owner on lab.jobs (owner, number);
