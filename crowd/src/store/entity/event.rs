use sea_orm::entity::prelude::*;

/// What people did to their lists.
#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "event")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub assignment_id: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub seq: i32,
    pub op: String,
    pub mv: String,
    /// By the person's clock.
    pub at_ms: i64,
    /// By ours.
    pub received_at: i64,
}

/// None are declared: queries say what they join.
#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
