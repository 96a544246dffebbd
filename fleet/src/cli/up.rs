//! `fleet up`: installs the queue and the schema.

use clap::Args;
use kit::{Exit, output};

use crate::{Installed, install};

/// Install or update the queue and the schema. Can be repeated at any time.
#[derive(Debug, Args)]
pub(super) struct UpArgs {
    /// URL of the server, with a user who may create schemas (and roles, with --worker-role).
    #[arg(value_name = "URL", env = "FLEET_URL", hide_env_values = true)]
    url: String,
    /// Create a role that has only the rights of a worker, or grant them to an existing role. It
    /// gets no password: set one with `\password NAME` in psql. Example: --worker-role worker
    #[arg(long, value_name = "NAME")]
    worker_role: Option<String>,
}

pub(super) fn run(args: &UpArgs) -> anyhow::Result<Exit> {
    let installed = install(&args.url, args.worker_role.as_deref())?;
    output::to_stdout(text(&installed, args.worker_role.as_deref()))?;
    Ok(Exit::Agreed)
}

fn text(installed: &Installed, role: Option<&str>) -> String {
    let Installed {
        server,
        queue,
        schema,
        new_role,
    } = installed;
    let there = format!("{server}: queue PGMQ {queue} and schema touchstone {schema} are there\n");
    let Some((role, is_new)) = role.zip(*new_role) else {
        return there;
    };
    if is_new {
        format!("{there}role {role} was made; set its password with \\password {role} in psql\n")
    } else {
        format!("{there}role {role} may work\n")
    }
}
