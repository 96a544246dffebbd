-- People: sessions, one-time links, limits of attempts, the audit log.

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

create index account_tokens_by_account on lab.account_tokens (account);
create index workers_by_owner on lab.workers (owner);
create index audit_by_account on lab.audit (account, id);

-- A time as the API writes it.
create function lab.rfc3339(at timestamptz) returns text language sql stable as
    $$ select to_char(at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') $$;
