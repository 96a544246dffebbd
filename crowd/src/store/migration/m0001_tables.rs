use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{
    big_integer, big_integer_null, big_pk_auto, boolean, double, integer, text, text_null,
};

/// The tables.
#[derive(DeriveMigrationName)]
pub(super) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let tables = [positions(), people(), work(), findings(), moderation()];
        for table in tables.into_iter().flatten() {
            manager.create_table(table).await?;
        }
        Ok(())
    }
}

/// Creates a table; `keys` are its primary key if no column is; each of `references` is a column
/// and the table whose `id` it holds.
fn table(
    name: &'static str,
    columns: Vec<ColumnDef>,
    keys: &[&'static str],
    references: &[(&'static str, &'static str)],
) -> TableCreateStatement {
    let mut table = Table::create().table(name).to_owned();
    for column in columns {
        table.col(column);
    }
    if !keys.is_empty() {
        let mut key = Index::create();
        for &column in keys {
            key.col(column);
        }
        table.primary_key(&mut key);
    }
    for &(column, other) in references {
        let mut foreign = ForeignKey::create();
        foreign.name(format!("fk_{name}_{column}"));
        table.foreign_key(foreign.from(name, column).to(other, "id"));
    }
    table
}

fn positions() -> Vec<TableCreateStatement> {
    let campaign = vec![
        big_pk_auto("id"),
        text("name"),
        text_null("title"),
        big_integer("created_at"),
    ];
    let position = vec![
        big_pk_auto("id"),
        big_integer("campaign_id"),
        text("name"),
        text("fen"),
        boolean("chess960"),
        text("same_as"),
        text("state"),
        big_integer("created_at"),
    ];
    let gold = vec![big_integer("position_id"), text("mv")];
    vec![
        table("campaign", campaign, &[], &[]),
        table("position", position, &[], &[("campaign_id", "campaign")]),
        table(
            "gold_answer",
            gold,
            &["position_id", "mv"],
            &[("position_id", "position")],
        ),
    ]
}

fn people() -> Vec<TableCreateStatement> {
    let contributor = vec![
        big_pk_auto("id"),
        text_null("name"),
        big_integer("created_at"),
        boolean("set_aside"),
    ];
    let session = vec![
        text("token_hash"),
        big_integer("contributor_id"),
        big_integer("created_at"),
    ];
    vec![
        table("contributor", contributor, &[], &[]),
        table(
            "session",
            session,
            &["token_hash"],
            &[("contributor_id", "contributor")],
        ),
    ]
}

fn work() -> Vec<TableCreateStatement> {
    let event = vec![
        big_integer("assignment_id"),
        integer("seq"),
        text("op"),
        text("mv"),
        big_integer("at_ms"),
        big_integer("received_at"),
    ];
    let pair = vec![
        big_pk_auto("id"),
        big_integer("position_id"),
        big_integer("first_assignment"),
        big_integer_null("second_assignment"),
        big_integer("created_at"),
    ];
    let of_pair = [
        ("position_id", "position"),
        ("first_assignment", "assignment"),
        ("second_assignment", "assignment"),
    ];
    vec![
        assignment(),
        table(
            "event",
            event,
            &["assignment_id", "seq"],
            &[("assignment_id", "assignment")],
        ),
        table("pair", pair, &[], &of_pair),
    ]
}

fn assignment() -> TableCreateStatement {
    let columns = vec![
        big_pk_auto("id"),
        text("token"),
        big_integer("contributor_id"),
        big_integer("position_id"),
        text("mode"),
        text("state"),
        big_integer("issued_at"),
        big_integer("expires_at"),
        big_integer_null("finished_at"),
        integer("event_count"),
        text_null("asked"),
        text_null("moves"),
        text_null("refused"),
        boolean("complete"),
        boolean("checked"),
        boolean("scored"),
    ];
    let references = [
        ("contributor_id", "contributor"),
        ("position_id", "position"),
    ];
    table("assignment", columns, &[], &references)
}

fn findings() -> Vec<TableCreateStatement> {
    let estimate = vec![
        big_integer("position_id"),
        text("mv"),
        text("class"),
        integer("yes"),
        integer("no"),
        double("majority"),
        double("one_coin"),
        double("dawid_skene"),
    ];
    let reliability = vec![
        big_integer("contributor_id"),
        text("class"),
        double("reliability"),
        integer("labels"),
    ];
    let test_case = vec![
        big_integer("position_id"),
        text("moves"),
        big_integer("lists"),
        big_integer("first_list_at"),
        big_integer("last_list_at"),
        big_integer("certified_at"),
        text("method"),
        text("version"),
    ];
    let of_position = [("position_id", "position")];
    let of_contributor = [("contributor_id", "contributor")];
    vec![
        table("estimate", estimate, &["position_id", "mv"], &of_position),
        table(
            "reliability",
            reliability,
            &["contributor_id", "class"],
            &of_contributor,
        ),
        table("test_case", test_case, &["position_id"], &of_position),
    ]
}

fn moderation() -> Vec<TableCreateStatement> {
    let moderation = vec![
        big_pk_auto("id"),
        big_integer("position_id"),
        text("moves"),
        text("state"),
        text_null("resolution"),
        text_null("note"),
        big_integer("created_at"),
        big_integer_null("resolved_at"),
    ];
    let flag = vec![
        big_pk_auto("id"),
        big_integer("assignment_id"),
        big_integer("contributor_id"),
        big_integer("position_id"),
        text("kind"),
        big_integer("other"),
        text("detail"),
        double("score"),
        big_integer("created_at"),
    ];
    let award = vec![
        big_integer("assignment_id"),
        text("kind"),
        big_integer("contributor_id"),
        text("mode"),
        big_integer("points"),
        big_integer("correct"),
        big_integer("total"),
        big_integer("given_at"),
    ];
    let of_assignment = [("assignment_id", "assignment")];
    vec![
        table(
            "moderation",
            moderation,
            &[],
            &[("position_id", "position")],
        ),
        table("flag", flag, &[], &of_assignment),
        table("award", award, &["assignment_id", "kind"], &of_assignment),
    ]
}
