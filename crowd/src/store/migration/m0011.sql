-- One table of lists: those of campaigns, of the board of the day and of classes, which had tables of their own.

ALTER TABLE campaign ADD COLUMN kind text NOT NULL DEFAULT 'campaign';
DROP INDEX one_open_assignment_a_wish;
ALTER TABLE assignment RENAME TO list;
ALTER TABLE list RENAME COLUMN mode TO purpose;
ALTER TABLE list ADD COLUMN limit_ms bigint;
ALTER TABLE list ADD COLUMN reveal text NOT NULL DEFAULT 'when-known';
-- Who finished a list before has seen its result, or will find it among the news.
ALTER TABLE list ADD COLUMN seen boolean NOT NULL DEFAULT TRUE;
UPDATE list SET purpose = 'campaign' WHERE purpose = 'calm';
-- The time limit was the same for all until then.
UPDATE list SET limit_ms = 90000 WHERE purpose = 'timed';
-- Such a list answered the moves that others had not settled: those on it yes, and the others no.
UPDATE list SET state = 'expired' WHERE purpose = 'missing' AND state = 'open';
ALTER TABLE event RENAME COLUMN assignment_id TO list_id;
ALTER TABLE flag RENAME COLUMN assignment_id TO list_id;
ALTER TABLE award RENAME COLUMN assignment_id TO list_id;
ALTER TABLE award RENAME COLUMN mode TO purpose;
UPDATE award SET purpose = 'campaign' WHERE purpose = 'calm';
UPDATE award SET purpose = 'review' WHERE purpose = 'missing';
ALTER TABLE pair RENAME COLUMN first_assignment TO first_list;
ALTER TABLE pair RENAME COLUMN second_assignment TO second_list;
CREATE TABLE class (
    campaign_id bigint NOT NULL PRIMARY KEY REFERENCES campaign (id), code text NOT NULL UNIQUE,
    teacher_hash text NOT NULL UNIQUE, time_limit_s integer, reveal text NOT NULL, created_at bigint NOT NULL,
    students integer NOT NULL
);
CREATE INDEX classes_made_before ON class (created_at);
CREATE TABLE student (
    class_id bigint NOT NULL REFERENCES class (campaign_id),
    contributor_id bigint NOT NULL REFERENCES contributor (id), name text NOT NULL, same_as text NOT NULL,
    joined_at bigint NOT NULL, PRIMARY KEY (class_id, contributor_id)
);
CREATE UNIQUE INDEX one_name_a_class ON student (class_id, same_as);
-- Each campaign's link has an open list of its own for each purpose. Boards of the day and of classes are told apart by
-- their positions.
CREATE UNIQUE INDEX one_open_list_a_wish ON list (contributor_id, purpose, wanted)
    WHERE state = 'open' AND purpose IN ('campaign', 'timed', 'pair', 'review');
CREATE INDEX lists_unseen ON list (contributor_id) WHERE seen = FALSE;

-- Days. No campaign of people has this name: theirs are small letters, digits and hyphens. How many moves are legal is
-- counted by the program, which also makes the tokens of all lists moved here. A list is open as long as its board or class
-- is there, so its own time of 400 days ends later.
INSERT INTO campaign (name, created_at, kind)
    SELECT 'Days', 0, 'daily' WHERE EXISTS (SELECT 1 FROM daily_board);
INSERT INTO position (campaign_id, name, fen, chess960, same_as, state, created_at, hidden)
    SELECT c.id, d.name, d.fen, FALSE, 'day ' || d.day, 'lesson', d.day * 86400000, FALSE
    FROM daily_board d JOIN campaign c ON c.kind = 'daily' ORDER BY d.day;
INSERT INTO list (token, contributor_id, position_id, purpose, reveal, state, issued_at, expires_at, finished_at,
        event_count, moves, refused, complete, checked, scored, seen, wanted, held)
    SELECT 'moved day ' || l.day || ' ' || l.contributor_id, l.contributor_id, p.id, 'daily', 'at-once',
        CASE WHEN l.finished_at IS NULL THEN 'open' ELSE 'finished' END, l.started_at,
        l.started_at + 400 * CAST(86400000 AS bigint), l.finished_at, 0, l.moves,
        CASE WHEN l.finished_at IS NULL THEN NULL ELSE '' END, l.finished_at IS NOT NULL, TRUE,
        l.finished_at IS NOT NULL, TRUE, '', FALSE
    FROM daily_list l JOIN position p ON p.same_as = 'day ' || l.day;
INSERT INTO award (list_id, kind, contributor_id, purpose, points, correct, total, given_at)
    SELECT i.id, 'daily', l.contributor_id, 'daily', l.points, l.found, 0, l.finished_at
    FROM daily_list l JOIN list i ON i.token = 'moved day ' || l.day || ' ' || l.contributor_id
    WHERE l.finished_at IS NOT NULL;

-- Classes. Each student becomes a person of their own.
INSERT INTO campaign (name, title, created_at, kind)
    SELECT 'Class ' || code, title, created_at, 'class' FROM class_set ORDER BY id;
INSERT INTO class (campaign_id, code, teacher_hash, time_limit_s, reveal, created_at, students)
    SELECT c.id, s.code, s.teacher_hash, s.time_limit_s, CASE WHEN s.at_end THEN 'at-end' ELSE 'at-once' END,
        s.created_at, s.students
    FROM class_set s JOIN campaign c ON c.name = 'Class ' || s.code;
-- The positions of a class are the lines of a text.
WITH RECURSIVE line (campaign_id, code, created_at, number, fen, rest) AS (
    SELECT c.campaign_id, c.code, c.created_at, 0, '', s.positions || '
'
        FROM class_set s JOIN class c ON c.code = s.code
    UNION ALL
    SELECT campaign_id, code, created_at, number + 1, substr(rest, 1, {find} - 1), substr(rest, {find} + 1)
        FROM line WHERE rest <> '' AND rest <> '
'
)
INSERT INTO position (campaign_id, name, fen, chess960, same_as, state, created_at, hidden)
    SELECT campaign_id, CAST(number AS text), fen, FALSE, 'class ' || code || ' ' || number, 'lesson', created_at, FALSE
    FROM line WHERE number > 0 ORDER BY code, number;
ALTER TABLE contributor ADD COLUMN student bigint;
INSERT INTO contributor (created_at, set_aside, results_seen_at, student)
    SELECT joined_at, FALSE, joined_at, id FROM class_student ORDER BY id;
INSERT INTO student (class_id, contributor_id, name, same_as, joined_at)
    SELECT c.campaign_id, p.id, s.name, s.same_as, s.joined_at
    FROM class_student s JOIN class_set o ON o.id = s.class_id JOIN class c ON c.code = o.code
        JOIN contributor p ON p.student = s.id;
INSERT INTO list (token, contributor_id, position_id, purpose, limit_ms, reveal, state, issued_at, expires_at,
        finished_at, event_count, moves, refused, complete, checked, scored, seen, wanted, held)
    SELECT 'moved class ' || a.student_id || ' ' || a.number, p.id, q.id, 'class',
        CAST(c.time_limit_s AS bigint) * 1000, c.reveal,
        CASE WHEN a.finished_at IS NULL THEN 'open' ELSE 'finished' END, a.started_at,
        a.started_at + 400 * CAST(86400000 AS bigint), a.finished_at, 0, a.moves,
        CASE WHEN a.finished_at IS NULL THEN NULL ELSE '' END, a.finished_at IS NOT NULL, TRUE,
        a.finished_at IS NOT NULL, TRUE, '', FALSE
    FROM class_answer a JOIN class_student s ON s.id = a.student_id JOIN class_set o ON o.id = s.class_id
        JOIN class c ON c.code = o.code JOIN contributor p ON p.student = s.id
        JOIN position q ON q.same_as = 'class ' || o.code || ' ' || a.number;
ALTER TABLE contributor DROP COLUMN student;

DROP TABLE class_answer;
DROP TABLE class_student;
DROP TABLE class_set;
DROP TABLE daily_list;
DROP TABLE daily_board;
