//! Migration steps; each runs once per database and never changes after a release.

mod m0001_tables;
mod m0002_indexes;
mod m0003_rounds;

use sea_orm_migration::prelude::*;

/// All steps in order.
pub(crate) struct Migrator;

#[async_trait::async_trait]
impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![
            Box::new(m0001_tables::Migration),
            Box::new(m0002_indexes::Migration),
            Box::new(m0003_rounds::Migration),
        ]
    }
}
