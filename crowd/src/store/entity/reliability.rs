use sea_orm::entity::prelude::*;

/// The reliability of each contributor in each class of moves.
#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "reliability")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub contributor_id: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub class: String,
    pub reliability: f64,
    pub labels: i32,
}

/// None are declared: queries name their joins.
#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
