use sea_orm::entity::prelude::*;

/// Who has been given which position.
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
    /// How many events were acknowledged.
    pub event_count: i32,
    /// The moves of a second look, or those that were unsettled when `missing` was given; parted by blanks.
    pub asked: Option<String>,
    /// When finished: the moves on the list or answered yes, parted by blanks.
    pub moves: Option<String>,
    /// When finished: the moves answered no, parted by blanks.
    pub refused: Option<String>,
    /// Whether the person closed it, and not the clock.
    pub complete: bool,
    /// Whether upkeep has looked for flags.
    pub checked: bool,
    /// Whether points were given against a known answer.
    pub scored: bool,
}

/// None are declared: queries say what they join.
#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
