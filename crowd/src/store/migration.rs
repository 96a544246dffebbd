//! Migration steps; each runs once per database and never changes after a release.

mod lists;
mod people;
mod variants;

use sea_orm_migration::prelude::*;

pub(crate) struct Migrator;

#[async_trait::async_trait]
impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![
            Box::new(MigrationStep::Tables),
            Box::new(MigrationStep::Indexes),
            Box::new(MigrationStep::RoundIndexes),
            Box::new(people::People),
            Box::new(MigrationStep::Moderators),
            Box::new(MigrationStep::RulesCards),
            Box::new(MigrationStep::Daily),
            Box::new(MigrationStep::Class),
            Box::new(MigrationStep::Networks),
            Box::new(MigrationStep::HiddenGold),
            Box::new(variants::NoVariants),
            Box::new(lists::OneList),
        ]
    }
}

enum MigrationStep {
    Tables,
    /// Unique constraints, and indexes on columns other than keys.
    Indexes,
    /// Indexes for the queries of every upkeep round.
    RoundIndexes,
    /// Who decided what, reversals, and the sessions of moderators.
    Moderators,
    /// The rules card of a campaign.
    RulesCards,
    /// The boards of the day and their lists.
    Daily,
    /// Sets of positions for classes, their students and lists.
    Class,
    /// Where open lists come from.
    Networks,
    /// Which open positions measure people.
    HiddenGold,
}

impl MigrationName for MigrationStep {
    /// Databases contain these names, so they never change.
    fn name(&self) -> &'static str {
        match self {
            Self::Tables => "m0001_tables",
            Self::Indexes => "m0002_indexes",
            Self::RoundIndexes => "m0003_rounds",
            // Two steps are numbered 4. Only the whole names must differ, and databases have them.
            Self::Moderators => "m0004_moderators",
            Self::RulesCards => "m0005_rules_cards",
            Self::Daily => "m0006_daily",
            Self::Class => "m0007_class",
            Self::Networks => "m0008_networks",
            Self::HiddenGold => "m0009_hidden_gold",
        }
    }
}

#[async_trait::async_trait]
impl MigrationTrait for MigrationStep {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        match self {
            Self::Tables => {
                for (name, key, columns) in TABLES {
                    manager.create_table(table(name, key, columns)).await?;
                }
            }
            Self::Indexes => {
                for (name, table, columns) in UNIQUE {
                    let unique = index(name, table, columns).unique().to_owned();
                    manager.create_index(unique).await?;
                }
                for (name, table, columns) in ORDINARY {
                    manager.create_index(index(name, table, columns)).await?;
                }
                for sql in PARTIAL {
                    manager.get_connection().execute_unprepared(sql).await?;
                }
            }
            Self::RoundIndexes => {
                for (name, column) in OF_ROUNDS {
                    let index = index(name, "assignment", &["state", column, "id"]);
                    manager.create_index(index).await?;
                }
            }
            Self::Moderators => {
                for (name, key, columns) in OF_MODERATORS {
                    manager.create_table(table(name, key, columns)).await?;
                }
                for sql in REVERSALS {
                    manager.get_connection().execute_unprepared(sql).await?;
                }
            }
            Self::RulesCards => {
                let card = ColumnDef::new("card").text().null().to_owned();
                let campaign = Table::alter().table("campaign").add_column(card).to_owned();
                manager.alter_table(campaign).await?;
            }
            Self::Daily => {
                for (name, key, columns) in OF_DAYS {
                    manager.create_table(table(name, key, columns)).await?;
                }
                let columns = ["day", "finished_at"];
                let index = index("daily_lists_of_a_day", "daily_list", &columns);
                manager.create_index(index).await?;
            }
            Self::Class => {
                for (name, key, columns) in OF_CLASSES {
                    manager.create_table(table(name, key, columns)).await?;
                }
                for (name, table, columns) in UNIQUE_IN_CLASSES {
                    let unique = index(name, table, columns).unique().to_owned();
                    manager.create_index(unique).await?;
                }
                let by_age = index("classes_by_age", "class_set", &["created_at"]);
                manager.create_index(by_age).await?;
            }
            Self::Networks => {
                for sql in NETWORKS {
                    manager.get_connection().execute_unprepared(sql).await?;
                }
            }
            Self::HiddenGold => {
                let hidden = ColumnDef::new("hidden").boolean().null().to_owned();
                let position = Table::alter()
                    .table("position")
                    .add_column(hidden)
                    .to_owned();
                manager.alter_table(position).await?;
            }
        }
        Ok(())
    }
}

/// Name, columns of the primary key if it is not `id`, and columns, each with its type and the table whose `id` it
/// holds.
const TABLES: [(&str, &[&str], &str); 14] = [
    (
        "campaign",
        &[],
        "id, name text, title text null, created_at bigint",
    ),
    (
        "position",
        &[],
        "id, campaign_id bigint -> campaign, name text, fen text, chess960 boolean, same_as text, \
         state text, created_at bigint",
    ),
    (
        "gold_answer",
        &["position_id", "mv"],
        "position_id bigint -> position, mv text",
    ),
    (
        "contributor",
        &[],
        "id, name text null, created_at bigint, set_aside boolean",
    ),
    (
        "session",
        &["token_hash"],
        "token_hash text, contributor_id bigint -> contributor, created_at bigint",
    ),
    (
        "assignment",
        &[],
        "id, token text, contributor_id bigint -> contributor, position_id bigint -> position, mode text, \
         state text, issued_at bigint, expires_at bigint, finished_at bigint null, event_count integer, \
         asked text null, moves text null, refused text null, complete boolean, checked boolean, \
         scored boolean",
    ),
    (
        "event",
        &["assignment_id", "seq"],
        "assignment_id bigint -> assignment, seq integer, op text, mv text, at_ms bigint, \
         received_at bigint",
    ),
    (
        "pair",
        &[],
        "id, position_id bigint -> position, first_assignment bigint -> assignment, \
         second_assignment bigint null -> assignment, created_at bigint",
    ),
    (
        "estimate",
        &["position_id", "mv"],
        "position_id bigint -> position, mv text, class text, yes integer, no integer, majority double, \
         one_coin double, dawid_skene double",
    ),
    (
        "reliability",
        &["contributor_id", "class"],
        "contributor_id bigint -> contributor, class text, reliability double, labels integer",
    ),
    (
        "test_case",
        &["position_id"],
        "position_id bigint -> position, moves text, lists bigint, first_list_at bigint, \
         last_list_at bigint, certified_at bigint, method text, version text",
    ),
    (
        "moderation",
        &[],
        "id, position_id bigint -> position, moves text, state text, resolution text null, note text null, \
         created_at bigint, resolved_at bigint null",
    ),
    (
        "flag",
        &[],
        "id, assignment_id bigint -> assignment, contributor_id bigint, position_id bigint, kind text, \
         other bigint, detail text, score double, created_at bigint",
    ),
    (
        "award",
        &["assignment_id", "kind"],
        "assignment_id bigint -> assignment, kind text, contributor_id bigint, mode text, points bigint, \
         correct bigint, total bigint, given_at bigint",
    ),
];

fn table(name: &'static str, key: &[&'static str], columns: &'static str) -> TableCreateStatement {
    let mut table = Table::create().table(name).to_owned();
    for column in columns.split(", ") {
        let mut words = column.split(' ');
        let name_of_column = words.next().unwrap_or_default();
        let mut definition = ColumnDef::new(name_of_column);
        let mut is_null = false;
        match words.next() {
            None => definition.big_integer().auto_increment().primary_key(),
            Some("bigint") => definition.big_integer(),
            Some("integer") => definition.integer(),
            Some("double") => definition.double(),
            Some("boolean") => definition.boolean(),
            _ => definition.text(),
        };
        while let Some(word) = words.next() {
            if word == "null" {
                is_null = true;
            } else if let Some(other) = words.next() {
                let mut foreign = ForeignKey::create();
                foreign.name(format!("fk_{name}_{name_of_column}"));
                table.foreign_key(foreign.from(name, name_of_column).to(other, "id"));
            }
        }
        if is_null {
            definition.null();
        } else {
            definition.not_null();
        }
        table.col(&mut definition);
    }
    if !key.is_empty() {
        let mut primary = Index::create();
        for &column in key {
            primary.col(column);
        }
        table.primary_key(&mut primary);
    }
    table
}

/// Name, table, columns; the same in both databases.
const UNIQUE: [(&str, &str, &[&str]); 6] = [
    ("one_campaign_a_name", "campaign", &["name"]),
    ("one_position_a_diagram", "position", &["same_as"]),
    ("one_assignment_a_token", "assignment", &["token"]),
    (
        "one_assignment_a_person_and_position",
        "assignment",
        // Nobody gets a position twice, whatever the mode, and even after a skip.
        &["contributor_id", "position_id"],
    ),
    (
        "one_flag_a_kind",
        "flag",
        &["assignment_id", "kind", "other"],
    ),
    ("one_pair_a_first", "pair", &["first_assignment"]),
];

const ORDINARY: [(&str, &str, &[&str]); 6] = [
    (
        "assignments_of_a_position",
        "assignment",
        &["position_id", "state"],
    ),
    (
        "assignments_by_state",
        "assignment",
        &["state", "issued_at"],
    ),
    (
        "awards_of_a_person",
        "award",
        &["contributor_id", "given_at"],
    ),
    ("awards_by_time", "award", &["given_at"]),
    ("pairs_by_second", "pair", &["second_assignment"]),
    ("sessions_of_a_person", "session", &["contributor_id"]),
];

/// Partial unique indexes, in syntax that both databases accept.
const PARTIAL: [&str; 2] = [
    "CREATE UNIQUE INDEX one_open_assignment_a_mode ON assignment (contributor_id, mode) WHERE state = 'open'",
    "CREATE UNIQUE INDEX one_open_item_a_position ON moderation (position_id) WHERE state = 'open'",
];

fn index(
    name: &'static str,
    table: &'static str,
    columns: &[&'static str],
) -> IndexCreateStatement {
    let mut index = Index::create().name(name).table(table).to_owned();
    for &column in columns {
        index.col(column);
    }
    index
}

/// Full rather than partial: `SQLite` uses a partial index only if the values are literals in the
/// statement.
const OF_ROUNDS: [(&str, &str); 2] = [
    ("assignments_to_check", "checked"),
    ("assignments_to_score", "scored"),
];

/// Tables, in the form of [`TABLES`].
const OF_MODERATORS: [(&str, &[&str], &str); 2] = [
    (
        "moderator_session",
        &["token_hash"],
        "token_hash text, moderator text, key text, created_at bigint, expires_at bigint",
    ),
    (
        "deed",
        &[],
        "id, at bigint, moderator text, act text, subject bigint null, detail text",
    ),
];

const REVERSALS: [&str; 4] = [
    "ALTER TABLE moderation ADD COLUMN decided_by text",
    "ALTER TABLE moderation ADD COLUMN shown_at bigint",
    "ALTER TABLE moderation ADD COLUMN reversed_at bigint",
    "ALTER TABLE moderation ADD COLUMN reversed_by text",
];

const OF_DAYS: [(&str, &[&str], &str); 2] = [
    ("daily_board", &["day"], "day bigint, name text, fen text"),
    (
        "daily_list",
        &["contributor_id", "day"],
        "contributor_id bigint -> contributor, day bigint, started_at bigint, finished_at bigint null, \
         moves text null, points bigint, found bigint, took_ms bigint",
    ),
];

const OF_CLASSES: [(&str, &[&str], &str); 3] = [
    (
        "class_set",
        &[],
        "id, code text, teacher_hash text, title text, positions text, time_limit_s integer null, at_end boolean, \
         created_at bigint, students integer",
    ),
    (
        "class_student",
        &[],
        "id, class_id bigint -> class_set, name text, same_as text, token_hash text, joined_at bigint",
    ),
    (
        "class_answer",
        &["student_id", "number"],
        "student_id bigint -> class_student, number integer, started_at bigint, finished_at bigint null, \
         moves text null",
    ),
];

const UNIQUE_IN_CLASSES: [(&str, &str, &[&str]); 4] = [
    ("one_class_a_code", "class_set", &["code"]),
    ("one_class_a_teacher", "class_set", &["teacher_hash"]),
    (
        "one_student_a_name",
        "class_student",
        &["class_id", "same_as"],
    ),
    ("one_student_a_token", "class_student", &["token_hash"]),
];

/// The index is partial: few lists have a network, and upkeep erases those.
const NETWORKS: [&str; 2] = [
    "ALTER TABLE assignment ADD COLUMN network bigint",
    "CREATE INDEX assignments_with_network ON assignment (position_id) WHERE network IS NOT NULL",
];

/// What makes the board of a day the only one: the key of equal positions, which for boards and sets is none of chess.
pub(crate) fn key_of_day(day: i64) -> String {
    format!("day {day}")
}

/// The name of a class among the campaigns; theirs have no capital letters.
pub(crate) fn name_of_class(code: &str) -> String {
    format!("Class {code}")
}

/// What makes a position of a class the only one of its number.
pub(crate) fn key_in_class(code: &str, number: usize) -> String {
    format!("class {code} {number}")
}
