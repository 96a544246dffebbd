use sea_orm::entity::prelude::*;

/// Pairs of contributors working on the same position.
#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "pair")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub position_id: i64,
    pub first_assignment: i64,
    pub second_assignment: Option<i64>,
    pub created_at: i64,
}

/// None are declared: queries name their joins.
#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
