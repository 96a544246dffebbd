use sea_orm::entity::prelude::*;

/// How probable each move is by the crowd's labels.
#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "estimate")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub position_id: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub mv: String,
    pub class: String,
    pub yes: i32,
    pub no: i32,
    pub majority: f64,
    pub one_coin: f64,
    pub dawid_skene: f64,
}

/// None are declared: queries name their joins.
#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
