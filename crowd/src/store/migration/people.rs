//! Columns for what people come back to: unique names, recovery phrases, news of results, campaigns
//! of open lists, and lists that wait for a moderator.

use std::collections::HashSet;

use sea_orm_migration::prelude::*;

use crate::model::PlayerName;

pub(super) struct People;

impl MigrationName for People {
    fn name(&self) -> &'static str {
        "m0004_people"
    }
}

/// Both databases accept these.
const BEFORE: [&str; 8] = [
    "ALTER TABLE contributor ADD COLUMN name_key text",
    "ALTER TABLE contributor ADD COLUMN phrase_hash text",
    "ALTER TABLE contributor ADD COLUMN results_seen_at bigint NOT NULL DEFAULT 0",
    "ALTER TABLE assignment ADD COLUMN wanted text NOT NULL DEFAULT ''",
    "ALTER TABLE assignment ADD COLUMN held boolean NOT NULL DEFAULT FALSE",
    // Each campaign's link has an open list of its own in a mode, so the index includes the
    // campaign.
    "DROP INDEX one_open_assignment_a_mode",
    "CREATE UNIQUE INDEX one_open_assignment_a_wish ON assignment (contributor_id, mode, wanted) \
     WHERE state = 'open'",
    "CREATE UNIQUE INDEX one_person_a_phrase ON contributor (phrase_hash)",
];

#[async_trait::async_trait]
impl MigrationTrait for People {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let db = manager.get_connection();
        for sql in BEFORE {
            db.execute_unprepared(sql).await?;
        }
        let mut named = Query::select();
        named.columns(["id", "name"]).from("contributor");
        named.and_where(Expr::col("name").is_not_null());
        named.order_by("id", Order::Asc);
        let mut taken = HashSet::new();
        for row in db.query_all(&named).await? {
            let (id, name): (i64, String) = (row.try_get("", "id")?, row.try_get("", "name")?);
            let Ok(name) = name.parse::<PlayerName>() else {
                continue;
            };
            // Of several people with one name the first keeps it for good; the others keep theirs
            // until they choose another.
            if taken.insert(name.key()) {
                let mut keep = Query::update();
                keep.table("contributor").value("name_key", name.key());
                keep.and_where(Expr::col("id").eq(id));
                db.execute(&keep).await?;
            }
        }
        let sql = "CREATE UNIQUE INDEX one_person_a_name ON contributor (name_key)";
        db.execute_unprepared(sql).await?;
        Ok(())
    }
}
