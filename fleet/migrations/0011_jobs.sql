-- Jobs, which are tests that have chunks, and what pages show of them. How they are distributed comes with 0012.

create table lab.jobs (
    number integer generated always as identity primary key,
    id text not null unique,
    kind text not null,
    title text not null default '',
    -- What people write about the test.
    note text not null default '',
    -- What workers are given; null until a test is prepared.
    body text,
    -- What an author submitted, from which body and chunks are made; null if a program brought both.
    spec jsonb,
    repository integer references lab.repositories,
    units bigint not null default 0,
    compares boolean not null default false,
    again_every bigint,
    owner integer not null references lab.accounts,
    -- pending: a maintainer must approve it; waiting: for another job, or to be prepared.
    state text not null default 'running' check (state in
        ('pending', 'waiting', 'running', 'done', 'stopped', 'flagged', 'rejected')),
    -- Why it was stopped, flagged or rejected.
    reason text,
    priority integer not null default 0,
    -- Its share among running jobs of the same priority.
    weight real not null default 1 check (weight > 0),
    -- What a worker must have: cores, memory_mib, has.
    needs jsonb not null default '{}',
    -- It begins when that one has passed, as LTC after STC.
    follows integer references lab.jobs,
    created_at timestamptz not null default now(),
    approved_by integer references lab.accounts,
    approved_at timestamptz,
    started_at timestamptz,
    finished_at timestamptz,
    -- When nothing of a finished job waited to be verified any more.
    settled_at timestamptz,
    -- Whether its results were discarded since it was done, and which worker's.
    reopened text,
    archived_at timestamptz,
    -- Whether its queue is there.
    has_queue boolean not null default false,
    -- What is known so far, in the format of the kind, and the number of the last result in it.
    summary jsonb,
    summary_cursor bigint not null default 0,
    -- Whether the final result passed, for a test that can.
    passed boolean,
    -- When a decision was reached that is not final yet. What confirms it comes before other work.
    decided_at timestamptz,
    -- Workers whose results are not needed for that.
    enough integer[] not null default '{}',
    -- Workers disagreed, and a maintainer has resumed it: it stands.
    vouched boolean not null default false,
    -- The summary is final.
    concluded_at timestamptz,
    -- The server that reads the results of a test, until then; any other may take over after that.
    conductor text,
    conducted_until timestamptz,
    -- Nothing is tried before then: what the preparation needs failed.
    try_at timestamptz,
    tries integer not null default 0
);

create index jobs_by_state on lab.jobs (state, number);
create index jobs_open on lab.jobs (number)
    where state = 'running' or (state = 'done' and settled_at is null);
create index jobs_with_queue on lab.jobs (number) where has_queue;
create index jobs_to_conduct on lab.jobs (number)
    where spec is not null and concluded_at is null and state in ('waiting', 'running', 'done', 'stopped');
create index jobs_to_archive on lab.jobs (finished_at)
    where archived_at is null and state in ('done', 'stopped', 'rejected');
create index jobs_by_follows on lab.jobs (follows) where follows is not null;
create index jobs_by_owner on lab.jobs (owner, number);

-- What pages read: lists of tests by author and repository, what finished lately, perft tables.
create index jobs_of_owner on lab.jobs (owner, state, number);
create index jobs_of_repository on lab.jobs (repository, state, number) where repository is not null;
create index jobs_of_finish on lab.jobs (finished_at) where finished_at is not null;
create index jobs_of_perft on lab.jobs (number) where kind like 'perft%' and state = 'done';

-- How a summary developed: one point for each step that a graph shows.
create table lab.points (
    job integer not null references lab.jobs on delete cascade,
    number bigint not null,
    at timestamptz not null default now(),
    value jsonb not null,
    primary key (job, number)
);

-- What workers did in each hour, for the graph of throughput.
create table lab.hours (
    at timestamptz not null,
    worker integer not null,
    units bigint not null default 0,
    games bigint not null default 0,
    core_ms bigint not null default 0,
    primary key (at, worker)
);

-- What workers did in each month (its first day), kept for ever.
create table lab.months (
    month date not null,
    worker integer not null,
    units bigint not null default 0,
    games bigint not null default 0,
    core_ms bigint not null default 0,
    primary key (month, worker)
);

-- How much of a worker's share of a job is in lab.hours already.
create table lab.samples (
    job integer not null,
    worker integer not null,
    units bigint not null,
    primary key (job, worker)
);

-- How much of a worker's time is in lab.hours and lab.months already.
create table lab.noted (
    worker integer primary key,
    core_ms bigint not null
);
