use sea_orm_migration::prelude::*;

/// Indexes for the queries of every upkeep round.
#[derive(DeriveMigrationName)]
pub(super) struct Migration;

/// Full rather than partial: `SQLite` uses a partial index only if the values are literals in the
/// statement.
const INDEXES: [(&str, &str); 2] = [
    ("assignments_to_check", "checked"),
    ("assignments_to_score", "scored"),
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for (name, column) in INDEXES {
            let mut index = Index::create().name(name).table("assignment").to_owned();
            let index = index.col("state").col(column).col("id").to_owned();
            manager.create_index(index).await?;
        }
        Ok(())
    }
}
