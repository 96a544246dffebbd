-- People, machines, repositories and jobs. What the queue of a job is made of comes with 0002.

create schema lab;

-- Values of the lab as a whole, such as the key that lease tokens are signed with.
create table lab.settings (
    key text primary key,
    value text not null
);

create table lab.accounts (
    id integer generated always as identity primary key,
    name text not null unique,
    role text not null check (role in ('author', 'maintainer', 'administrator')),
    -- A PHC string (Argon2id); null until an invitation is used.
    password text,
    created_at timestamptz not null default now(),
    disabled_at timestamptz
);

-- Tokens of people's programs, such as CI. Only hashes (SHA-256) are stored, here and below: tokens
-- are random, and cannot be guessed from them.
create table lab.account_tokens (
    id integer generated always as identity primary key,
    account integer not null references lab.accounts,
    name text not null,
    hash bytea not null unique,
    created_at timestamptz not null default now(),
    used_at timestamptz,
    revoked_at timestamptz
);

create table lab.workers (
    id integer generated always as identity primary key,
    owner integer not null references lab.accounts,
    name text not null unique,
    hash bytea not null unique,
    about text not null default '',
    -- As in the protocol: cores, memory, tool chains, speed.
    abilities jsonb not null default '{}',
    created_at timestamptz not null default now(),
    seen_at timestamptz,
    revoked_at timestamptz,
    quarantined_at timestamptz,
    quarantine_reason text
);

-- Where engines come from. Workers build nothing that a maintainer has not approved.
create table lab.repositories (
    id integer generated always as identity primary key,
    name text not null unique,
    url text not null,
    -- The commands and paths of `touchstone.toml`: build, artefact, bench.
    recipe jsonb not null,
    -- Presets of bounds and time controls, by name.
    presets jsonb not null default '{}',
    added_by integer not null references lab.accounts,
    added_at timestamptz not null default now(),
    approved_by integer references lab.accounts,
    approved_at timestamptz
);

create table lab.jobs (
    number integer generated always as identity primary key,
    id text not null unique,
    kind text not null,
    title text not null default '',
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
    -- What is known so far, in the format of the kind, and the number of the last result in it.
    summary jsonb,
    summary_cursor bigint not null default 0,
    -- Whether the final result passed, for a test that can.
    passed boolean,
    archived_at timestamptz
);

create index jobs_by_state on lab.jobs (state, number);

-- How a summary developed: one point for each step that a graph shows.
create table lab.points (
    job integer not null references lab.jobs on delete cascade,
    number bigint not null,
    at timestamptz not null default now(),
    value jsonb not null,
    primary key (job, number)
);

create table lab.audit (
    id bigint generated always as identity primary key,
    at timestamptz not null default now(),
    account integer references lab.accounts,
    action text not null,
    -- What it was done to: a job, a worker, an account, a repository.
    subject text not null default '',
    detail text not null default ''
);
