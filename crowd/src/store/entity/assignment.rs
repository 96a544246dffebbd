use sea_orm::entity::prelude::*;

/// Assignments of positions to contributors.
#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "assignment")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub token: String,
    pub contributor_id: i64,
    pub position_id: i64,
    pub mode: String,
    /// A `Progress`.
    pub state: String,
    pub issued_at: i64,
    pub expires_at: i64,
    pub finished_at: Option<i64>,
    /// Number of acknowledged events.
    pub event_count: i32,
    /// The moves of a second look, or those that were unsettled when `missing` was given; separated
    /// by blanks.
    pub asked: Option<String>,
    /// When finished: the moves on the list or answered yes, separated by blanks.
    pub moves: Option<String>,
    /// When finished: the moves answered no, separated by blanks.
    pub refused: Option<String>,
    /// Whether the contributor closed it, and not the timeout.
    pub complete: bool,
    /// Whether upkeep has checked it for flags.
    pub checked: bool,
    /// Whether it was scored against a known answer.
    pub scored: bool,
}

/// None are declared: queries name their joins.
#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
