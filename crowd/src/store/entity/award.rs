use sea_orm::entity::prelude::*;

/// Points, each given once.
#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "award")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub assignment_id: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub kind: String,
    pub contributor_id: i64,
    pub mode: String,
    pub points: i64,
    /// Answers that were right.
    pub correct: i64,
    /// Answers in all.
    pub total: i64,
    pub given_at: i64,
}

/// None are declared: queries say what they join.
#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
