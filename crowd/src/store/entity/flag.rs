use sea_orm::entity::prelude::*;

/// Indications that a list is not a person's own work.
#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "flag")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub assignment_id: i64,
    pub contributor_id: i64,
    pub position_id: i64,
    pub kind: String,
    /// The contributor whose list it resembles; 0 if none.
    pub other: i64,
    pub detail: String,
    pub score: f64,
    pub created_at: i64,
}

/// None are declared: queries name their joins.
#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
