use sea_orm::entity::prelude::*;

/// Positions that are given to people.
#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "position")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub campaign_id: i64,
    pub name: String,
    pub fen: String,
    pub chess960: bool,
    /// The first four fields of its EPD and the way of castling: equal for equal positions.
    pub same_as: String,
    /// A `PositionState`.
    pub state: String,
    pub created_at: i64,
}

/// None are declared: queries say what they join.
#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
