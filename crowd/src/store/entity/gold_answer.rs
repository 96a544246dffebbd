use sea_orm::entity::prelude::*;

/// The legal moves of gold positions.
#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "gold_answer")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub position_id: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub mv: String,
}

/// None are declared: queries name their joins.
#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
