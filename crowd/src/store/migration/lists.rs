//! One table of lists: what `m0011.sql` cannot do.

use sea_orm::{ConnectionTrait as _, DbBackend, QueryResult, Statement};
use sea_orm_migration::prelude::*;

use crate::model::Purpose;

pub(super) struct OneList;

impl MigrationName for OneList {
    fn name(&self) -> &'static str {
        "m0011_one_list"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for OneList {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let db = manager.get_connection();
        let find = match db.get_database_backend() {
            DbBackend::Sqlite => "instr(rest, '\n')",
            _ => "strpos(rest, '\n')",
        };
        let sql = include_str!("m0011.sql").replace("{find}", find);
        db.execute_unprepared(&sql).await?;
        missing_moves_become_answers(db).await?;
        count_legal_moves(db).await?;
        make_tokens(db).await
    }
}

async fn rows(db: &SchemaManagerConnection<'_>, sql: &str) -> Result<Vec<QueryResult>, DbErr> {
    let statement = Statement::from_string(db.get_database_backend(), sql);
    db.query_all_raw(statement).await
}

async fn change_list<T: Into<sea_orm::Value>>(
    db: &SchemaManagerConnection<'_>,
    id: i64,
    values: impl IntoIterator<Item = (&'static str, T)>,
) -> Result<(), DbErr> {
    let mut change = Query::update();
    change.table("list").and_where(Expr::col("id").eq(id));
    for (column, value) in values {
        change.value(column, value.into());
    }
    db.execute(&change).await.map(drop)
}

async fn missing_moves_become_answers(db: &SchemaManagerConnection<'_>) -> Result<(), DbErr> {
    let lists = "SELECT id, asked, moves FROM list WHERE purpose = 'missing'";
    for row in rows(db, lists).await? {
        let id = row.try_get("", "id")?;
        let text = |name| row.try_get::<Option<String>>("", name);
        let (asked, moves) = (text("asked")?.unwrap_or_default(), text("moves")?);
        change_list(db, id, [("purpose", Purpose::Review.as_str())]).await?;
        if let Some(moves) = moves {
            let listed: Vec<&str> = moves.split_ascii_whitespace().collect();
            let (yes, no): (Vec<&str>, Vec<&str>) = asked
                .split_ascii_whitespace()
                .partition(|mv| listed.contains(mv));
            let answers = [("moves", yes.join(" ")), ("refused", no.join(" "))];
            change_list(db, id, answers).await?;
        }
    }
    Ok(())
}

/// How many moves there were to find on a board of the day.
async fn count_legal_moves(db: &SchemaManagerConnection<'_>) -> Result<(), DbErr> {
    let boards = "SELECT p.id, p.fen FROM position p JOIN campaign c ON c.id = p.campaign_id \
        WHERE c.kind = 'daily'";
    for row in rows(db, boards).await? {
        let (id, fen): (i64, String) = (row.try_get("", "id")?, row.try_get("", "fen")?);
        let legal = chess::notation::fen::parse(&fen);
        let legal = legal.map_or(0, |position| position.legal_moves().len());
        let sql = format!(
            "UPDATE award SET total = {legal} \
             WHERE list_id IN (SELECT id FROM list WHERE position_id = {id})"
        );
        db.execute_unprepared(&sql).await?;
    }
    Ok(())
}

/// By these a list is known to those who made it, so nobody may guess them.
async fn make_tokens(db: &SchemaManagerConnection<'_>) -> Result<(), DbErr> {
    for row in rows(db, "SELECT id FROM list WHERE token LIKE 'moved %'").await? {
        let token = web::secret::random().map_err(|error| DbErr::Custom(error.to_string()))?;
        change_list(db, row.try_get("", "id")?, [("token", token)]).await?;
    }
    Ok(())
}
