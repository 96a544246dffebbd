use sea_orm::entity::prelude::*;

/// The edits of lists.
#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "event")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub assignment_id: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub seq: i32,
    pub op: String,
    pub mv: String,
    /// Time by the contributor's clock.
    pub at_ms: i64,
    /// Time by the server's clock.
    pub received_at: i64,
}

/// None are declared: queries name their joins.
#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
