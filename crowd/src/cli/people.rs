//! `crowd people`: what is stored about a person, for those who ask the operator for it.

use clap::Subcommand;
use kit::Exit;

use super::database::DatabaseArgs;
use crate::service::{ContributorId, Service};

/// Export or delete everything that is stored about a person
///
/// People can do both by themselves, on /account. The number of a person is shown there, in
/// moderation, and on the leaderboard if they have no name.
///
/// Examples: `crowd people export 12 > person.json`, `crowd people delete 12`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit codes: 0 exported or deleted, 2 there is no such database, 4 there is no such person."
)]
pub(super) struct PeopleArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Export everything that is stored about a person, as JSON
    Export {
        /// Number of the person
        person: i64,

        #[command(flatten)]
        database: DatabaseArgs,
    },
    /// Delete a person with all their lists and points, for good
    ///
    /// Published test cases stay: they consist of sums. A running server notices within a minute.
    Delete {
        /// Number of the person
        person: i64,

        #[command(flatten)]
        database: DatabaseArgs,
    },
}

pub(super) fn run(args: &PeopleArgs) -> anyhow::Result<Exit> {
    let (person, is_known) = match &args.what {
        What::Export { person, database } => {
            let id = ContributorId(*person);
            let export = async |service: &Service| service.export_person(id).await;
            let export = database.with(export)?;
            if let Some(export) = &export {
                kit::output::to_stdout(export.text())?;
            }
            (person, export.is_some())
        }
        What::Delete { person, database } => {
            let id = ContributorId(*person);
            let delete = async |service: &Service| service.delete_person(id).await;
            let is_deleted = database.with(delete)?;
            if is_deleted {
                kit::output::to_stderr(&format!("person {person} is deleted"));
            }
            (person, is_deleted)
        }
    };
    if is_known {
        return Ok(Exit::Agreed);
    }
    kit::output::to_stderr(&format!("there is no person {person}"));
    Ok(Exit::Nothing)
}
