use sea_orm_migration::prelude::*;

/// Unique constraints, and indexes on columns other than keys.
#[derive(DeriveMigrationName)]
pub(super) struct Migration;

/// Name, table, columns; the same in both databases.
const UNIQUE: [(&str, &str, &[&str]); 6] = [
    ("one_campaign_a_name", "campaign", &["name"]),
    ("one_position_a_diagram", "position", &["same_as"]),
    ("one_assignment_a_token", "assignment", &["token"]),
    (
        "one_assignment_a_person_and_position",
        "assignment",
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

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for (name, table, columns) in UNIQUE {
            manager
                .create_index(index(name, table, columns).unique().to_owned())
                .await?;
        }
        for (name, table, columns) in ORDINARY {
            manager.create_index(index(name, table, columns)).await?;
        }
        for sql in PARTIAL {
            manager.get_connection().execute_unprepared(sql).await?;
        }
        Ok(())
    }
}

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
