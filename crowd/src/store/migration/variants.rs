//! Takes campaigns of chess variants out of the database: their lists go to a file, since no version of the program
//! from this step on can show or judge them.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use sea_orm::{ConnectionTrait as _, DbBackend, FromQueryResult, Statement};
use sea_orm_migration::prelude::*;
use serde_json::{Value, json};

pub(super) struct NoVariants;

impl MigrationName for NoVariants {
    fn name(&self) -> &'static str {
        "m0010_no_variants"
    }
}

/// The positions of campaigns with a rules card.
const POSITIONS: &str =
    "SELECT p.id FROM position p JOIN campaign c ON c.id = p.campaign_id WHERE c.card IS NOT NULL";

/// Their lists, those that are open, too.
const LISTS: &str = "SELECT a.id, c.name AS campaign, p.name, p.fen, a.contributor_id, a.mode, a.state, a.issued_at, \
     a.finished_at, a.moves FROM assignment a JOIN position p ON p.id = a.position_id \
     JOIN campaign c ON c.id = p.campaign_id WHERE c.card IS NOT NULL ORDER BY a.id";

/// Tables with rows of a list, and those with rows of a position, in an order in which no row refers to one that is
/// gone.
const OF_LISTS: [&str; 3] = ["event", "flag", "award"];
const OF_POSITIONS: [&str; 6] = [
    "pair",
    "assignment",
    "estimate",
    "test_case",
    "moderation",
    "gold_answer",
];

#[async_trait::async_trait]
impl MigrationTrait for NoVariants {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let db = manager.get_connection();
        let lists = rows(db, LISTS).await?;
        let events = rows(db, &format!(
            "SELECT e.assignment_id, e.seq, e.op, e.mv AS move, e.at_ms FROM event e \
             JOIN assignment a ON a.id = e.assignment_id WHERE a.position_id IN ({POSITIONS}) ORDER BY e.assignment_id, e.seq"
        ))
        .await?;
        if !lists.is_empty() {
            let beside = beside(manager).await?;
            let path = write(&beside, &text(lists, events)).map_err(|error| {
                DbErr::Custom(format!(
                    "the lists of chess variants cannot be written to {}: {error}",
                    beside.display()
                ))
            })?;
            // People ask for it later, and the program never mentions it again.
            tracing::warn!(
                "chess variants are no part of crowd any more: their lists are now in {}",
                path.display()
            );
        }
        for table in OF_LISTS {
            let lists = format!("SELECT id FROM assignment WHERE position_id IN ({POSITIONS})");
            let sql = format!("DELETE FROM {table} WHERE assignment_id IN ({lists})");
            db.execute_unprepared(&sql).await?;
        }
        for table in OF_POSITIONS {
            let sql = format!("DELETE FROM {table} WHERE position_id IN ({POSITIONS})");
            db.execute_unprepared(&sql).await?;
        }
        for sql in [
            &format!("DELETE FROM position WHERE id IN ({POSITIONS})"),
            "DELETE FROM campaign WHERE card IS NOT NULL",
            "ALTER TABLE campaign DROP COLUMN card",
        ] {
            db.execute_unprepared(sql).await?;
        }
        Ok(())
    }
}

async fn rows(db: &SchemaManagerConnection<'_>, sql: &str) -> Result<Vec<Value>, DbErr> {
    let statement = Statement::from_string(db.get_database_backend(), sql);
    let found = db.query_all_raw(statement).await?;
    found
        .iter()
        .map(|row| Value::from_query_result(row, ""))
        .collect()
}

/// One line a list, with its events as the API takes them.
fn text(lists: Vec<Value>, events: Vec<Value>) -> String {
    let mut events = events.into_iter().peekable();
    let mut text = String::new();
    for mut list in lists {
        let mut own = Vec::new();
        while let Some(mut event) = events.next_if(|event| event["assignment_id"] == list["id"]) {
            if let Some(event) = event.as_object_mut() {
                event.remove("assignment_id");
            }
            own.push(event);
        }
        list["events"] = json!(own);
        text.push_str(&list.to_string());
        text.push('\n');
    }
    text
}

/// The folder of an `SQLite` file; the working folder for any other database.
async fn beside(manager: &SchemaManager<'_>) -> Result<PathBuf, DbErr> {
    let db = manager.get_connection();
    if db.get_database_backend() != DbBackend::Sqlite {
        return Ok(PathBuf::from("."));
    }
    let found = rows(
        db,
        "SELECT file FROM pragma_database_list WHERE name = 'main'",
    )
    .await?;
    let file = found.first().and_then(|row| row["file"].as_str());
    let folder = file.and_then(|file| Path::new(file).parent());
    Ok(folder.map_or_else(|| PathBuf::from("."), Path::to_path_buf))
}

/// Writes a file of a name that is free, and waits until it is on the disk: the rows go next.
fn write(folder: &Path, text: &str) -> std::io::Result<PathBuf> {
    for number in 1..1000 {
        let path = folder.join(format!("crowd-variants-{number}.jsonl"));
        let made = OpenOptions::new().write(true).create_new(true).open(&path);
        match made {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
            Ok(mut file) => {
                file.write_all(text.as_bytes())?;
                file.sync_all()?;
                return Ok(path);
            }
        }
    }
    Err(ErrorKind::AlreadyExists.into())
}
