-- What pages read: lists of tests by author and repository, what finished lately, perft tables.

create index jobs_of_owner on lab.jobs (owner, state, number);
create index jobs_of_repository on lab.jobs (repository, state, number) where repository is not null;
create index jobs_of_finish on lab.jobs (finished_at) where finished_at is not null;
create index jobs_of_perft on lab.jobs (number) where kind like 'perft%' and state = 'done';

-- What workers did in each hour, for the graph of throughput.
create table lab.hours (
    at timestamptz not null,
    worker integer not null,
    units bigint not null default 0,
    games bigint not null default 0,
    primary key (at, worker)
);

-- How much of a worker's share of a job is in lab.hours already.
create table lab.samples (
    job integer not null,
    worker integer not null,
    units bigint not null,
    primary key (job, worker)
);
