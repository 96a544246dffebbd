use sea_orm::entity::prelude::*;

/// The moderators' queue, open and resolved items.
#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "moderation")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub position_id: i64,
    /// JSON: the moves in question.
    pub moves: String,
    /// A `QueueState`.
    pub state: String,
    pub resolution: Option<String>,
    pub note: Option<String>,
    pub created_at: i64,
    pub resolved_at: Option<i64>,
}

/// None are declared: queries name their joins.
#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
