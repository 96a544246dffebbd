//! `fleet account` and `fleet machine`: accounts and workers, directly on the database, for operators.

use clap::{Subcommand, ValueEnum};
use kit::{Exit, output, table};

use super::database::LabStoreArgs;
use crate::model::Role;
use crate::people::cli as people;
use crate::store::Database;

/// The database of a command.
#[derive(Debug, clap::Args)]
pub(super) struct LabDatabaseArgs {
    #[command(flatten)]
    database: LabStoreArgs,
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

fn on_runtime(work: impl Future<Output = anyhow::Result<String>>) -> anyhow::Result<Exit> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    output::to_stdout(runtime.block_on(work)?)?;
    Ok(Exit::Agreed)
}

pub(super) fn account(args: &AccountArgs) -> anyhow::Result<Exit> {
    let database = &args.database;
    let opened = database.database.join()?;
    let url = opened.url.as_str();
    on_runtime(async {
        Ok(match &args.command {
            AccountCommand::Add { name, role } => {
                let store = Database::open(url, 2).await?;
                let url = &database.public_url;
                people::add_account(&store, url, name, (*role).into()).await? + "\n"
            }
            AccountCommand::Reset { name } => {
                let store = Database::open(url, 2).await?;
                people::reset_account(&store, &database.public_url, name).await? + "\n"
            }
            AccountCommand::Role { name, role } => {
                let role = Role::from(*role);
                people::set_role(&Database::open(url, 2).await?, name, role).await?;
                format!("{name} is {} now\n", role.name())
            }
            AccountCommand::Disable { name } => {
                people::disable_account(&Database::open(url, 2).await?, name).await?;
                format!("{name} is disabled\n")
            }
            AccountCommand::Enable { name } => {
                people::enable_account(&Database::open(url, 2).await?, name).await?;
                format!("{name} is enabled\n")
            }
            AccountCommand::Token { account, name } => {
                people::add_token(&Database::open(url, 2).await?, account, name).await? + "\n"
            }
            AccountCommand::List => {
                let accounts = people::accounts(&Database::open(url, 2).await?).await?;
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
    let opened = database.database.join()?;
    let url = opened.url.as_str();
    on_runtime(async {
        Ok(match &args.command {
            MachineCommand::Add { owner, name } => {
                people::add_worker(&Database::open(url, 2).await?, owner, name).await? + "\n"
            }
            MachineCommand::Renew { name } => {
                people::renew_worker(&Database::open(url, 2).await?, name).await? + "\n"
            }
            MachineCommand::Revoke { name } => {
                people::revoke_worker(&Database::open(url, 2).await?, name).await?;
                format!("the token of {name} is revoked\n")
            }
            MachineCommand::List => {
                let workers = people::workers(&Database::open(url, 2).await?).await?;
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
