use sea_orm::entity::prelude::*;

/// Awarded points.
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
    /// Number of correct decisions.
    pub correct: i64,
    /// Number of all decisions.
    pub total: i64,
    pub given_at: i64,
}

/// None are declared: queries name their joins.
#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
