-- What the broker keeps besides the queues. Can be run again at any time.

create schema if not exists touchstone;

create table if not exists touchstone.workers (
    name text primary key,
    about text not null,
    heard timestamptz not null default clock_timestamp(),
    set_aside text
);

create table if not exists touchstone.jobs (
    number integer generated always as identity primary key,
    id text not null unique,
    kind text not null,
    body text not null,
    units bigint not null,
    compares boolean not null,
    again_every bigint,
    stopped text,
    -- Its queues are empty: who looks for work passes it over.
    drained boolean not null default false
);

create table if not exists touchstone.chunks (
    job integer not null,
    chunk bigint not null,
    first bigint not null,
    units bigint not null,
    attempts integer not null default 0,
    -- Who leased it last, by which message of which queue; null when it is done, or to be done anew.
    holder text,
    message bigint,
    again boolean not null default false,
    primary key (job, chunk)
) with (fillfactor = 80);

-- Apart from `chunks`, whose rows change with each lease.
create table if not exists touchstone.bodies (
    job integer not null,
    chunk bigint not null,
    bodies text not null,
    primary key (job, chunk)
);

create table if not exists touchstone.results (
    job integer not null,
    key bigint not null,
    number bigint generated always as identity,
    worker text not null,
    value text not null,
    compared boolean not null default false,
    primary key (job, key)
);

-- By an expression, so that only `results_after` uses it: of a new job the planner knows nothing,
-- takes all of its rows for one, and would look keys up by walking over the whole job.
create unique index if not exists results_by_number on touchstone.results ((job::bigint), number);

create table if not exists touchstone.alarms (
    number bigint generated always as identity primary key,
    job integer not null,
    unit bigint not null,
    first_worker text not null,
    first_value text not null,
    second_worker text not null,
    second_value text not null
);

-- Values may be too long for an index.
create unique index if not exists alarms_once on touchstone.alarms
    (job, unit, first_worker, second_worker,
        hashtextextended(first_value, 0), hashtextextended(second_value, 0));
