use sea_orm::entity::prelude::*;

/// Positions on whose legal moves the crowd and the generators agree.
#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "test_case")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub position_id: i64,
    /// JSON: a list of moves with their votes.
    pub moves: String,
    pub lists: i64,
    pub first_list_at: i64,
    pub last_list_at: i64,
    pub certified_at: i64,
    pub method: String,
    pub version: String,
}

/// None are declared: queries name their joins.
#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
