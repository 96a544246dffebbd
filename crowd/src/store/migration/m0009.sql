-- All tables as they were in the last version with tables of its own for days and classes. What stands for {id} is the
-- type of a number that the database counts.

CREATE TABLE campaign (
    id {id}, name text NOT NULL, title text, created_at bigint NOT NULL, card text
);
CREATE TABLE position (
    id {id}, campaign_id bigint NOT NULL REFERENCES campaign (id), name text NOT NULL, fen text NOT NULL,
    chess960 boolean NOT NULL, same_as text NOT NULL, state text NOT NULL, created_at bigint NOT NULL,
    hidden boolean
);
CREATE TABLE gold_answer (
    position_id bigint NOT NULL REFERENCES position (id), mv text NOT NULL, PRIMARY KEY (position_id, mv)
);
CREATE TABLE contributor (
    id {id}, name text, created_at bigint NOT NULL, set_aside boolean NOT NULL, name_key text, phrase_hash text,
    results_seen_at bigint NOT NULL DEFAULT 0
);
CREATE TABLE session (
    token_hash text NOT NULL, contributor_id bigint NOT NULL REFERENCES contributor (id),
    created_at bigint NOT NULL, PRIMARY KEY (token_hash)
);
CREATE TABLE assignment (
    id {id}, token text NOT NULL, contributor_id bigint NOT NULL REFERENCES contributor (id),
    position_id bigint NOT NULL REFERENCES position (id), mode text NOT NULL, state text NOT NULL,
    issued_at bigint NOT NULL, expires_at bigint NOT NULL, finished_at bigint, event_count integer NOT NULL,
    asked text, moves text, refused text, complete boolean NOT NULL, checked boolean NOT NULL,
    scored boolean NOT NULL, wanted text NOT NULL DEFAULT '', held boolean NOT NULL DEFAULT FALSE, network bigint
);
CREATE TABLE event (
    assignment_id bigint NOT NULL REFERENCES assignment (id), seq integer NOT NULL, op text NOT NULL,
    mv text NOT NULL, at_ms bigint NOT NULL, received_at bigint NOT NULL, PRIMARY KEY (assignment_id, seq)
);
CREATE TABLE pair (
    id {id}, position_id bigint NOT NULL REFERENCES position (id),
    first_assignment bigint NOT NULL REFERENCES assignment (id),
    second_assignment bigint REFERENCES assignment (id), created_at bigint NOT NULL
);
CREATE TABLE estimate (
    position_id bigint NOT NULL REFERENCES position (id), mv text NOT NULL, class text NOT NULL,
    yes integer NOT NULL, no integer NOT NULL, majority double precision NOT NULL,
    one_coin double precision NOT NULL, dawid_skene double precision NOT NULL, PRIMARY KEY (position_id, mv)
);
CREATE TABLE reliability (
    contributor_id bigint NOT NULL REFERENCES contributor (id), class text NOT NULL,
    reliability double precision NOT NULL, labels integer NOT NULL, PRIMARY KEY (contributor_id, class)
);
CREATE TABLE test_case (
    position_id bigint NOT NULL REFERENCES position (id), moves text NOT NULL, lists bigint NOT NULL,
    first_list_at bigint NOT NULL, last_list_at bigint NOT NULL, certified_at bigint NOT NULL,
    method text NOT NULL, version text NOT NULL, PRIMARY KEY (position_id)
);
CREATE TABLE moderation (
    id {id}, position_id bigint NOT NULL REFERENCES position (id), moves text NOT NULL, state text NOT NULL,
    resolution text, note text, created_at bigint NOT NULL, resolved_at bigint, decided_by text, shown_at bigint,
    reversed_at bigint, reversed_by text
);
CREATE TABLE flag (
    id {id}, assignment_id bigint NOT NULL REFERENCES assignment (id), contributor_id bigint NOT NULL,
    position_id bigint NOT NULL, kind text NOT NULL, other bigint NOT NULL, detail text NOT NULL,
    score double precision NOT NULL, created_at bigint NOT NULL
);
CREATE TABLE award (
    assignment_id bigint NOT NULL REFERENCES assignment (id), kind text NOT NULL, contributor_id bigint NOT NULL,
    mode text NOT NULL, points bigint NOT NULL, correct bigint NOT NULL, total bigint NOT NULL,
    given_at bigint NOT NULL, PRIMARY KEY (assignment_id, kind)
);
CREATE TABLE moderator_session (
    token_hash text NOT NULL, moderator text NOT NULL, key text NOT NULL, created_at bigint NOT NULL,
    expires_at bigint NOT NULL, PRIMARY KEY (token_hash)
);
CREATE TABLE deed (
    id {id}, at bigint NOT NULL, moderator text NOT NULL, act text NOT NULL, subject bigint, detail text NOT NULL
);
CREATE TABLE daily_board (
    day bigint NOT NULL, name text NOT NULL, fen text NOT NULL, PRIMARY KEY (day)
);
CREATE TABLE daily_list (
    contributor_id bigint NOT NULL REFERENCES contributor (id), day bigint NOT NULL, started_at bigint NOT NULL,
    finished_at bigint, moves text, points bigint NOT NULL, found bigint NOT NULL, took_ms bigint NOT NULL,
    PRIMARY KEY (contributor_id, day)
);
CREATE TABLE class_set (
    id {id}, code text NOT NULL, teacher_hash text NOT NULL, title text NOT NULL, positions text NOT NULL,
    time_limit_s integer, at_end boolean NOT NULL, created_at bigint NOT NULL, students integer NOT NULL
);
CREATE TABLE class_student (
    id {id}, class_id bigint NOT NULL REFERENCES class_set (id), name text NOT NULL, same_as text NOT NULL,
    token_hash text NOT NULL, joined_at bigint NOT NULL
);
CREATE TABLE class_answer (
    student_id bigint NOT NULL REFERENCES class_student (id), number integer NOT NULL, started_at bigint NOT NULL,
    finished_at bigint, moves text, PRIMARY KEY (student_id, number)
);
CREATE UNIQUE INDEX one_campaign_a_name ON campaign (name);
CREATE UNIQUE INDEX one_position_a_diagram ON position (same_as);
CREATE UNIQUE INDEX one_assignment_a_token ON assignment (token);
CREATE UNIQUE INDEX one_assignment_a_person_and_position ON assignment (contributor_id, position_id);
CREATE UNIQUE INDEX one_flag_a_kind ON flag (assignment_id, kind, other);
CREATE UNIQUE INDEX one_pair_a_first ON pair (first_assignment);
CREATE INDEX assignments_of_a_position ON assignment (position_id, state);
CREATE INDEX assignments_by_state ON assignment (state, issued_at);
CREATE INDEX awards_of_a_person ON award (contributor_id, given_at);
CREATE INDEX awards_by_time ON award (given_at);
CREATE INDEX pairs_by_second ON pair (second_assignment);
CREATE INDEX sessions_of_a_person ON session (contributor_id);
CREATE UNIQUE INDEX one_open_item_a_position ON moderation (position_id) WHERE state = 'open';
CREATE INDEX assignments_to_check ON assignment (state, checked, id);
CREATE INDEX assignments_to_score ON assignment (state, scored, id);
CREATE UNIQUE INDEX one_open_assignment_a_wish ON assignment (contributor_id, mode, wanted) WHERE state = 'open';
CREATE UNIQUE INDEX one_person_a_phrase ON contributor (phrase_hash);
CREATE UNIQUE INDEX one_person_a_name ON contributor (name_key);
CREATE INDEX daily_lists_of_a_day ON daily_list (day, finished_at);
CREATE UNIQUE INDEX one_class_a_code ON class_set (code);
CREATE UNIQUE INDEX one_class_a_teacher ON class_set (teacher_hash);
CREATE UNIQUE INDEX one_student_a_name ON class_student (class_id, same_as);
CREATE UNIQUE INDEX one_student_a_token ON class_student (token_hash);
CREATE INDEX classes_by_age ON class_set (created_at);
CREATE INDEX assignments_with_network ON assignment (position_id) WHERE network IS NOT NULL;
