//! `fleet account` and `fleet machine`: accounts and workers, directly on the database, for operators.

use clap::{Subcommand, ValueEnum};
use kit::{Exit, output, table};

use super::database_url;
use crate::model::Role;
use crate::people::cli as people;
use crate::store::Database;

/// The database of a command.
#[derive(Debug, clap::Args)]
pub(super) struct LabDatabaseArgs {
    /// Database of the lab
    ///
    /// `postgres://USER:PASSWORD@HOST:PORT/DATABASE`
    #[arg(
        long,
        global = true,
        value_name = "URL",
        env = "FLEET_DB",
        hide_env_values = true
    )]
    db: Option<String>,
    /// Address that people use, for links
    ///
    /// Address that people use, such as `https://lab.example`, for links.
    #[arg(
        long,
        global = true,
        value_name = "URL",
        env = "FLEET_PUBLIC_URL",
        default_value = "http://127.0.0.1:8080"
    )]
    public_url: String,
}

/// Manage accounts on the database of a lab, for operators without a browser
#[derive(Debug, clap::Args)]
pub(super) struct AccountArgs {
    #[command(flatten)]
    database: LabDatabaseArgs,
    #[command(subcommand)]
    command: AccountCommand,
}

#[derive(Debug, Subcommand)]
enum AccountCommand {
    /// Create an account and print the link by which its owner chooses a password. The link works once
    Add {
        /// Name of the account
        name: String,
        /// What it may do
        #[arg(long, value_enum, default_value_t = RoleName::Author)]
        role: RoleName,
    },
    /// Print a link by which the owner of an account chooses another password. It works once
    Reset {
        /// Name of the account
        name: String,
    },
    /// Change the role of an account
    Role {
        /// Name of the account
        name: String,
        /// What it may do from now on
        #[arg(value_enum)]
        role: RoleName,
    },
    /// Disable an account with its sessions, tokens and machines
    Disable {
        /// Name of the account
        name: String,
    },
    /// Enable a disabled account
    Enable {
        /// Name of the account
        name: String,
    },
    /// Create a token for a program of an account, such as CI, and print it
    Token {
        /// Name of the account
        account: String,
        /// What the token is for
        name: String,
    },
    /// List accounts
    List,
}

/// Manage machines on the database of a lab, for operators without a browser
#[derive(Debug, clap::Args)]
pub(super) struct MachineArgs {
    #[command(flatten)]
    database: LabDatabaseArgs,
    #[command(subcommand)]
    command: MachineCommand,
}

#[derive(Debug, Subcommand)]
enum MachineCommand {
    /// Add a machine of an account and print its token, for `FLEET_TOKEN`
    Add {
        /// Name of the owner's account
        owner: String,
        /// Name of the machine
        name: String,
    },
    /// Give a machine another token and print it
    Renew {
        /// Name of the machine
        name: String,
    },
    /// Revoke the token of a machine
    Revoke {
        /// Name of the machine
        name: String,
    },
    /// List machines
    List,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum RoleName {
    /// Submits tests, has machines
    Author,
    /// Also approves tests and repositories, and stops tests
    Maintainer,
    /// Also invites people
    Administrator,
}

impl From<RoleName> for Role {
    fn from(name: RoleName) -> Self {
        match name {
            RoleName::Author => Self::Author,
            RoleName::Maintainer => Self::Maintainer,
            RoleName::Administrator => Self::Administrator,
        }
    }
}

impl LabDatabaseArgs {
    async fn open(&self) -> anyhow::Result<Database> {
        let url = database_url(self.db.as_ref())?;
        Ok(Database::open(url, 2).await?)
    }
}

fn on_runtime(work: impl Future<Output = anyhow::Result<String>>) -> anyhow::Result<Exit> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    output::to_stdout(runtime.block_on(work)?)?;
    Ok(Exit::Agreed)
}

pub(super) fn account(args: &AccountArgs) -> anyhow::Result<Exit> {
    let database = &args.database;
    on_runtime(async {
        Ok(match &args.command {
            AccountCommand::Add { name, role } => {
                let store = database.open().await?;
                let url = &database.public_url;
                people::add_account(&store, url, name, (*role).into()).await? + "\n"
            }
            AccountCommand::Reset { name } => {
                let store = database.open().await?;
                people::reset_account(&store, &database.public_url, name).await? + "\n"
            }
            AccountCommand::Role { name, role } => {
                let role = Role::from(*role);
                people::set_role(&database.open().await?, name, role).await?;
                format!("{name} is {} now\n", role.name())
            }
            AccountCommand::Disable { name } => {
                people::disable_account(&database.open().await?, name).await?;
                format!("{name} is disabled\n")
            }
            AccountCommand::Enable { name } => {
                people::enable_account(&database.open().await?, name).await?;
                format!("{name} is enabled\n")
            }
            AccountCommand::Token { account, name } => {
                people::add_token(&database.open().await?, account, name).await? + "\n"
            }
            AccountCommand::List => {
                let accounts = people::accounts(&database.open().await?).await?;
                let rows = accounts.into_iter().map(|row| {
                    let state = match (row.is_disabled, row.is_invited) {
                        (true, _) => "disabled",
                        (false, true) => "invited",
                        (false, false) => "",
                    };
                    let seen = row.seen_at.unwrap_or_default();
                    vec![row.name, row.role, state.to_owned(), row.created_at, seen]
                });
                table::text(&["account", "role", "", "created", "seen"], 5..5, rows)
            }
        })
    })
}

pub(super) fn machine(args: &MachineArgs) -> anyhow::Result<Exit> {
    let database = &args.database;
    on_runtime(async {
        Ok(match &args.command {
            MachineCommand::Add { owner, name } => {
                people::add_worker(&database.open().await?, owner, name).await? + "\n"
            }
            MachineCommand::Renew { name } => {
                people::renew_worker(&database.open().await?, name).await? + "\n"
            }
            MachineCommand::Revoke { name } => {
                people::revoke_worker(&database.open().await?, name).await?;
                format!("the token of {name} is revoked\n")
            }
            MachineCommand::List => {
                let workers = people::workers(&database.open().await?).await?;
                let rows = workers.into_iter().map(|row| {
                    let state = match (row.is_revoked, row.quarantine_reason) {
                        (true, _) => "revoked".to_owned(),
                        (false, Some(reason)) => format!("quarantined: {reason}"),
                        (false, None) => String::new(),
                    };
                    let seen = row.seen_at.unwrap_or_default();
                    vec![row.name, row.owner, state, row.created_at, seen]
                });
                table::text(&["machine", "owner", "", "created", "seen"], 5..5, rows)
            }
        })
    })
}
