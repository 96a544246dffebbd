-- People, their machines, and what they may do. Versions of the schema begin at 10: those before were of
-- programs that were never released, and are not brought up to date.

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

create index account_tokens_by_account on lab.account_tokens (account);

create table lab.sessions (
    id integer generated always as identity primary key,
    account integer not null references lab.accounts,
    -- SHA-256 of the cookie, as for all tokens.
    hash bytea not null unique,
    created_at timestamptz not null default now(),
    seen_at timestamptz not null default now(),
    expires_at timestamptz not null,
    -- The browser, as it describes itself, for the list of sessions.
    browser text not null default ''
);

create index sessions_by_account on lab.sessions (account);
create index sessions_by_expiry on lab.sessions (expires_at);

-- Addresses that set a password, once: invitations and resets, which an administrator hands over.
create table lab.links (
    id integer generated always as identity primary key,
    account integer not null references lab.accounts,
    hash bytea not null unique,
    -- Null: made by the program itself, when the lab has no people yet.
    made_by integer references lab.accounts,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    used_at timestamptz
);

create index links_by_account on lab.links (account);

-- Attempts to sign in, for all servers. A key is an account, an address, or both; each attempt moves
-- `until` one step into the future, and one that would move it too far is rejected.
create table lab.attempts (
    key text primary key,
    until timestamptz not null
);

create index attempts_by_until on lab.attempts (until);

create table lab.audit (
    id bigint generated always as identity primary key,
    at timestamptz not null default now(),
    account integer references lab.accounts,
    action text not null,
    -- What it was done to: a job, a worker, an account, a repository.
    subject text not null default '',
    detail text not null default ''
);

create index audit_by_account on lab.audit (account, id);
create index audit_by_time on lab.audit (at);

create table lab.workers (
    id integer generated always as identity primary key,
    owner integer not null references lab.accounts,
    name text not null unique,
    hash bytea not null unique,
    about text not null default '',
    -- As in the protocol: cores, memory, tool chains, speed.
    abilities jsonb not null default '{}',
    created_at timestamptz not null default now(),
    -- When its program last started.
    registered_at timestamptz,
    seen_at timestamptz,
    revoked_at timestamptz,
    quarantined_at timestamptz,
    quarantine_reason text
);

create index workers_by_owner on lab.workers (owner);
create index workers_in_quarantine on lab.workers (id) where quarantined_at is not null;

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

-- A time as the API writes it.
create function lab.rfc3339(at timestamptz) returns text language sql stable as
    $$ select to_char(at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') $$;
