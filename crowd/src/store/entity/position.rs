use sea_orm::entity::prelude::*;

/// Positions that are assigned to contributors.
#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "position")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub campaign_id: i64,
    pub name: String,
    pub fen: String,
    pub chess960: bool,
    /// The first four fields of its EPD and the castling mode: equal for equal positions.
    pub same_as: String,
    /// A `PositionState`.
    pub state: String,
    pub created_at: i64,
}

/// None are declared: queries name their joins.
#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
