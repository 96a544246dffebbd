//! One table of lists: those of campaigns, of the board of the day and of classes, which had tables of their own.

use std::collections::HashMap;

use sea_orm::prelude::Expr;
use sea_orm::{ConnectionTrait as _, QueryResult};
use sea_orm_migration::prelude::*;

use crate::model::{Purpose, Timestamp};

pub(super) struct OneList;

impl MigrationName for OneList {
    fn name(&self) -> &'static str {
        "m0011_one_list"
    }
}

/// Both databases accept these.
const BEFORE: [&str; 24] = [
    "ALTER TABLE campaign ADD COLUMN kind text NOT NULL DEFAULT 'campaign'",
    "DROP INDEX one_open_assignment_a_wish",
    "ALTER TABLE assignment RENAME TO list",
    "ALTER TABLE list RENAME COLUMN mode TO purpose",
    "ALTER TABLE list ADD COLUMN limit_ms bigint",
    "ALTER TABLE list ADD COLUMN reveal text NOT NULL DEFAULT 'when-known'",
    // Who finished a list before has seen its result, or will find it among the news.
    "ALTER TABLE list ADD COLUMN seen boolean NOT NULL DEFAULT TRUE",
    "UPDATE list SET purpose = 'campaign' WHERE purpose = 'calm'",
    // The time limit was the same for all until then.
    "UPDATE list SET limit_ms = 90000 WHERE purpose = 'timed'",
    // Such a list answered the moves that others had not settled: those on it yes, and the others no.
    "UPDATE list SET state = 'expired' WHERE purpose = 'missing' AND state = 'open'",
    "ALTER TABLE event RENAME COLUMN assignment_id TO list_id",
    "ALTER TABLE flag RENAME COLUMN assignment_id TO list_id",
    "ALTER TABLE award RENAME COLUMN assignment_id TO list_id",
    "ALTER TABLE award RENAME COLUMN mode TO purpose",
    "UPDATE award SET purpose = 'campaign' WHERE purpose = 'calm'",
    "UPDATE award SET purpose = 'review' WHERE purpose = 'missing'",
    "ALTER TABLE pair RENAME COLUMN first_assignment TO first_list",
    "ALTER TABLE pair RENAME COLUMN second_assignment TO second_list",
    "CREATE TABLE class (campaign_id bigint NOT NULL PRIMARY KEY REFERENCES campaign (id), code text NOT NULL UNIQUE, \
     teacher_hash text NOT NULL UNIQUE, time_limit_s integer, reveal text NOT NULL, created_at bigint NOT NULL, \
     students integer NOT NULL)",
    "CREATE INDEX classes_made_before ON class (created_at)",
    "CREATE TABLE student (class_id bigint NOT NULL REFERENCES class (campaign_id), \
     contributor_id bigint NOT NULL REFERENCES contributor (id), name text NOT NULL, same_as text NOT NULL, \
     joined_at bigint NOT NULL, PRIMARY KEY (class_id, contributor_id))",
    "CREATE UNIQUE INDEX one_name_a_class ON student (class_id, same_as)",
    // Each campaign's link has an open list of its own for each purpose. Boards of the day and of classes are told
    // apart by their positions.
    "CREATE UNIQUE INDEX one_open_list_a_wish ON list (contributor_id, purpose, wanted) \
     WHERE state = 'open' AND purpose IN ('campaign', 'timed', 'pair', 'review')",
    "CREATE INDEX lists_unseen ON list (contributor_id) WHERE seen = FALSE",
];

const AFTER: [&str; 5] = [
    "DROP TABLE class_answer",
    "DROP TABLE class_student",
    "DROP TABLE class_set",
    "DROP TABLE daily_list",
    "DROP TABLE daily_board",
];

#[async_trait::async_trait]
impl MigrationTrait for OneList {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let db = manager.get_connection();
        for sql in BEFORE {
            db.execute_unprepared(sql).await?;
        }
        let moving = Moving { db };
        moving.missing_moves_become_answers().await?;
        moving.days().await?;
        moving.classes().await?;
        for sql in AFTER {
            db.execute_unprepared(sql).await?;
        }
        Ok(())
    }
}

struct Moving<'a> {
    db: &'a SchemaManagerConnection<'a>,
}

/// A finished or open list of a board of the day or of a class.
struct OldList<'a> {
    contributor: i64,
    position: i64,
    purpose: Purpose,
    limit_ms: Option<i64>,
    reveal: &'a str,
    started_at: i64,
    finished_at: Option<i64>,
    moves: Option<String>,
}

impl Moving<'_> {
    async fn rows(&self, sql: &str) -> Result<Vec<QueryResult>, DbErr> {
        let statement = sea_orm::Statement::from_string(self.db.get_database_backend(), sql);
        self.db.query_all_raw(statement).await
    }

    async fn missing_moves_become_answers(&self) -> Result<(), DbErr> {
        let lists = "SELECT id, asked, moves FROM list WHERE purpose = 'missing'";
        for row in self.rows(lists).await? {
            let id: i64 = row.try_get("", "id")?;
            let text = |name| row.try_get::<Option<String>>("", name);
            let (asked, moves) = (text("asked")?.unwrap_or_default(), text("moves")?);
            let mut change = Query::update();
            change
                .table("list")
                .value("purpose", Purpose::Review.as_str());
            if let Some(moves) = moves {
                let listed: Vec<&str> = moves.split_ascii_whitespace().collect();
                let (yes, no): (Vec<&str>, Vec<&str>) = asked
                    .split_ascii_whitespace()
                    .partition(|mv| listed.contains(mv));
                change
                    .value("moves", yes.join(" "))
                    .value("refused", no.join(" "));
            }
            change.and_where(Expr::col("id").eq(id));
            self.db.execute(&change).await?;
        }
        Ok(())
    }

    async fn days(&self) -> Result<(), DbErr> {
        let boards = self
            .rows("SELECT day, name, fen FROM daily_board ORDER BY day")
            .await?;
        if boards.is_empty() {
            return Ok(());
        }
        // No campaign of people has this name: theirs are small letters, digits and hyphens.
        let campaign = self.campaign("Days", None, 0, "daily").await?;
        let mut positions = HashMap::new();
        for row in boards {
            let day: i64 = row.try_get("", "day")?;
            let (name, fen): (String, String) = (row.try_get("", "name")?, row.try_get("", "fen")?);
            let id = self.position(
                campaign,
                name,
                &fen,
                super::key_of_day(day),
                day * Timestamp::DAY_MS,
            );
            positions.insert(day, (id.await?, fen));
        }
        let lists = "SELECT contributor_id, day, started_at, finished_at, moves, points, found FROM daily_list";
        for row in self.rows(lists).await? {
            let day: i64 = row.try_get("", "day")?;
            let Some((position, fen)) = positions.get(&day) else {
                continue;
            };
            let contributor = row.try_get("", "contributor_id")?;
            let old = OldList {
                contributor,
                position: *position,
                purpose: Purpose::Daily,
                limit_ms: None,
                reveal: "at-once",
                started_at: row.try_get("", "started_at")?,
                finished_at: row.try_get("", "finished_at")?,
                moves: row.try_get("", "moves")?,
            };
            let id = self.list(&old).await?;
            if let Some(finished) = old.finished_at {
                let legal = chess::notation::fen::parse(fen);
                let legal = legal.map_or(0, |position| position.legal_moves().len() as u64);
                let mut award = Query::insert();
                award.into_table("award").columns([
                    "list_id",
                    "kind",
                    "contributor_id",
                    "purpose",
                    "points",
                    "correct",
                    "total",
                    "given_at",
                ]);
                award.values_panic([
                    id.into(),
                    "daily".into(),
                    contributor.into(),
                    "daily".into(),
                    row.try_get::<i64>("", "points")?.into(),
                    row.try_get::<i64>("", "found")?.into(),
                    legal.cast_signed().into(),
                    finished.into(),
                ]);
                self.db.execute(&award).await?;
            }
        }
        Ok(())
    }

    async fn classes(&self) -> Result<(), DbErr> {
        let classes = "SELECT id, code, teacher_hash, title, positions, time_limit_s, at_end, created_at, students \
            FROM class_set ORDER BY id";
        for row in self.rows(classes).await? {
            let id: i64 = row.try_get("", "id")?;
            let code: String = row.try_get("", "code")?;
            let title: String = row.try_get("", "title")?;
            let limit: Option<i32> = row.try_get("", "time_limit_s")?;
            let created: i64 = row.try_get("", "created_at")?;
            let reveal = if row.try_get("", "at_end")? {
                "at-end"
            } else {
                "at-once"
            };
            let campaign = self
                .campaign(&super::name_of_class(&code), Some(title), created, "class")
                .await?;
            let mut class = Query::insert();
            class.into_table("class").columns([
                "campaign_id",
                "code",
                "teacher_hash",
                "time_limit_s",
                "reveal",
                "created_at",
                "students",
            ]);
            class.values_panic([
                campaign.into(),
                code.clone().into(),
                row.try_get::<String>("", "teacher_hash")?.into(),
                limit.into(),
                reveal.into(),
                created.into(),
                row.try_get::<i32>("", "students")?.into(),
            ]);
            self.db.execute(&class).await?;
            let fens: String = row.try_get("", "positions")?;
            let mut positions = Vec::new();
            for (number, fen) in (1..).zip(fens.lines()) {
                let key = super::key_in_class(&code, number);
                positions.push(
                    self.position(campaign, number.to_string(), fen, key, created)
                        .await?,
                );
            }
            self.students((id, campaign), &positions, limit, reveal)
                .await?;
        }
        Ok(())
    }

    /// Each student becomes a person of their own.
    async fn students(
        &self,
        (class, campaign): (i64, i64),
        positions: &[i64],
        limit: Option<i32>,
        reveal: &str,
    ) -> Result<(), DbErr> {
        let students = format!(
            "SELECT id, name, same_as, joined_at FROM class_student WHERE class_id = {class} ORDER BY id"
        );
        for row in self.rows(&students).await? {
            let id: i64 = row.try_get("", "id")?;
            let joined: i64 = row.try_get("", "joined_at")?;
            let mut person = Query::insert();
            person.into_table("contributor").columns([
                "created_at",
                "set_aside",
                "results_seen_at",
            ]);
            person.values_panic([joined.into(), false.into(), joined.into()]);
            let contributor = self.inserted(person).await?;
            let mut student = Query::insert();
            student.into_table("student").columns([
                "class_id",
                "contributor_id",
                "name",
                "same_as",
                "joined_at",
            ]);
            student.values_panic([
                campaign.into(),
                contributor.into(),
                row.try_get::<String>("", "name")?.into(),
                row.try_get::<String>("", "same_as")?.into(),
                joined.into(),
            ]);
            self.db.execute(&student).await?;
            let answers = format!(
                "SELECT number, started_at, finished_at, moves FROM class_answer WHERE student_id = {id} ORDER BY number"
            );
            for row in self.rows(&answers).await? {
                let number: i32 = row.try_get("", "number")?;
                let at = usize::try_from(number - 1).unwrap_or(usize::MAX);
                let Some(&position) = positions.get(at) else {
                    continue;
                };
                self.list(&OldList {
                    contributor,
                    position,
                    purpose: Purpose::Class,
                    limit_ms: limit.map(|s| i64::from(s) * 1000),
                    reveal,
                    started_at: row.try_get("", "started_at")?,
                    finished_at: row.try_get("", "finished_at")?,
                    moves: row.try_get("", "moves")?,
                })
                .await?;
            }
        }
        Ok(())
    }

    async fn campaign(
        &self,
        name: &str,
        title: Option<String>,
        created: i64,
        kind: &str,
    ) -> Result<i64, DbErr> {
        let mut campaign = Query::insert();
        campaign
            .into_table("campaign")
            .columns(["name", "title", "created_at", "kind"]);
        campaign.values_panic([name.into(), title.into(), created.into(), kind.into()]);
        self.inserted(campaign).await
    }

    async fn position(
        &self,
        campaign: i64,
        name: String,
        fen: &str,
        key: String,
        created: i64,
    ) -> Result<i64, DbErr> {
        let mut position = Query::insert();
        position.into_table("position").columns([
            "campaign_id",
            "name",
            "fen",
            "chess960",
            "same_as",
            "state",
            "created_at",
            "hidden",
        ]);
        position.values_panic([
            campaign.into(),
            name.into(),
            fen.into(),
            false.into(),
            key.into(),
            "lesson".into(),
            created.into(),
            false.into(),
        ]);
        self.inserted(position).await
    }

    async fn list(&self, old: &OldList<'_>) -> Result<i64, DbErr> {
        let token = web::secret::random().map_err(|error| DbErr::Custom(error.to_string()))?;
        let is_finished = old.finished_at.is_some();
        let mut list = Query::insert();
        list.into_table("list").columns([
            "token",
            "contributor_id",
            "position_id",
            "purpose",
            "limit_ms",
            "reveal",
            "state",
            "issued_at",
            "expires_at",
            "finished_at",
            "event_count",
            "moves",
            "refused",
            "complete",
            "checked",
            "scored",
            "seen",
            "wanted",
            "held",
        ]);
        list.values_panic([
            token.into(),
            old.contributor.into(),
            old.position.into(),
            old.purpose.as_str().into(),
            old.limit_ms.into(),
            old.reveal.into(),
            if is_finished { "finished" } else { "open" }.into(),
            old.started_at.into(),
            // It stays open as long as its board or class is there.
            (old.started_at + 400 * Timestamp::DAY_MS).into(),
            old.finished_at.into(),
            0.into(),
            old.moves.clone().into(),
            is_finished.then_some("").into(),
            is_finished.into(),
            true.into(),
            is_finished.into(),
            true.into(),
            "".into(),
            false.into(),
        ]);
        self.inserted(list).await
    }

    async fn inserted(&self, mut row: InsertStatement) -> Result<i64, DbErr> {
        row.returning_col("id");
        let inserted = self.db.query_one(&row).await?;
        let inserted = inserted.ok_or_else(|| DbErr::Custom("nothing was inserted".to_owned()))?;
        inserted.try_get("", "id")
    }
}
