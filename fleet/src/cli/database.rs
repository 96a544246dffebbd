//! Where a lab keeps everything: on a server, or in a folder with a private cluster; and that folder saved and restored.

use std::path::{Path, PathBuf};

use kit::{BadInput, Exit, output};

#[cfg(unix)]
use crate::cluster::PrivateCluster;

/// The end of the message when there is no database.
const NO_DATABASE: &str = "--data or --db is missing: a lab keeps everything in PostgreSQL. 'fleet serve --data lab' makes a \
    private one in the folder 'lab', of the installed programs; --db is the address of a server, 15 or newer";

/// Which database a command uses.
#[derive(Debug, clap::Args)]
pub(super) struct LabStoreArgs {
    /// Folder with a private database
    ///
    /// Folder of the lab, with a private database of the installed `PostgreSQL`, in place of --db. `serve` makes it. Started as
    /// root, the database runs as the folder's owner, or as the user `postgres`.
    #[arg(long, global = true, value_name = "DIR", env = "FLEET_DATA")]
    data: Option<PathBuf>,
    /// Database of the lab on a server
    ///
    /// `postgres://USER:PASSWORD@HOST:PORT/DATABASE?sslmode=MODE`. Prefer the environment: arguments can be seen by all users
    /// of a machine.
    #[arg(
        long,
        global = true,
        value_name = "URL",
        env = "FLEET_DB",
        hide_env_values = true
    )]
    db: Option<String>,
}

/// An address, and the cluster that has it, if that is private.
pub(super) struct OpenedDatabase {
    pub(super) url: String,
    #[cfg(unix)]
    _cluster: Option<PrivateCluster>,
}

impl LabStoreArgs {
    /// The database for a server; a private cluster has one server at a time.
    pub(super) fn serve(&self) -> anyhow::Result<OpenedDatabase> {
        self.open(true)
    }

    /// The database for a command, beside a server or without one.
    pub(super) fn join(&self) -> anyhow::Result<OpenedDatabase> {
        self.open(false)
    }

    #[cfg(unix)]
    fn open(&self, is_server: bool) -> anyhow::Result<OpenedDatabase> {
        let Some(folder) = &self.data else {
            let url = self.url()?;
            return Ok(OpenedDatabase {
                url,
                _cluster: None,
            });
        };
        let cluster = if is_server {
            PrivateCluster::start(folder)?
        } else {
            PrivateCluster::join(folder)?
        };
        Ok(OpenedDatabase {
            url: cluster.url(),
            _cluster: Some(cluster),
        })
    }

    #[cfg(not(unix))]
    fn open(&self, _: bool) -> anyhow::Result<OpenedDatabase> {
        if self.data.is_some() {
            let message = "--data: a private database is possible on Unix only; expected --db";
            return Err(BadInput(message.to_owned()).into());
        }
        let url = self.url()?;
        Ok(OpenedDatabase { url })
    }

    fn url(&self) -> Result<String, BadInput> {
        let url = self.db.clone().filter(|url| !url.is_empty());
        url.ok_or_else(|| BadInput(NO_DATABASE.to_owned()))
    }
}

/// Save a lab of `serve --data` to a file, beside its server or without it
///
/// Example: `fleet save lab.dump --data lab`.
#[derive(Debug, clap::Args)]
pub(super) struct SaveArgs {
    /// File to write
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    folder: FolderArgs,
}

/// Restore a lab that was saved, into a new folder
///
/// The versions of `PostgreSQL` may differ. Example: `fleet restore lab.dump --data new`.
#[derive(Debug, clap::Args)]
pub(super) struct RestoreArgs {
    /// File that `save` wrote
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    folder: FolderArgs,
}

#[derive(Debug, clap::Args)]
struct FolderArgs {
    /// Folder with a private database
    #[arg(long, value_name = "DIR", env = "FLEET_DATA")]
    data: PathBuf,
}

#[cfg(unix)]
pub(super) fn save(args: &SaveArgs) -> anyhow::Result<Exit> {
    let SaveArgs { file, folder } = args;
    let cluster = PrivateCluster::join(&folder.data)?;
    // A file that was saved before stays until this one is whole.
    let new = beside(file);
    let saved = cluster.save(&new);
    let saved = saved.map_err(anyhow::Error::from);
    let saved = saved.and_then(|()| Ok(std::fs::rename(&new, file)?));
    if saved.is_err() {
        let _ = std::fs::remove_file(&new);
    }
    saved?;
    output::to_stdout(format!("saved to {}\n", file.display()))?;
    Ok(Exit::Agreed)
}

#[cfg(unix)]
pub(super) fn restore(args: &RestoreArgs) -> anyhow::Result<Exit> {
    let RestoreArgs { file, folder } = args;
    let data = &folder.data;
    if crate::cluster::is_there(data) {
        let message = format!("{} has a lab: expected a new folder", data.display());
        return Err(BadInput(message).into());
    }
    if !file.is_file() {
        let message = format!("{} is no file that 'fleet save' wrote", file.display());
        return Err(BadInput(message).into());
    }
    let cluster = PrivateCluster::start(data)?;
    if let Err(error) = cluster.restore(file) {
        // An empty lab would be in the way of the next attempt.
        cluster.delete();
        return Err(error.into());
    }
    output::to_stdout(format!("restored into {}\n", data.display()))?;
    Ok(Exit::Agreed)
}

fn beside(file: &Path) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".new");
    PathBuf::from(name)
}

#[cfg(not(unix))]
pub(super) fn save(_: &SaveArgs) -> anyhow::Result<Exit> {
    Err(BadInput("a private database is possible on Unix only".to_owned()).into())
}

#[cfg(not(unix))]
pub(super) fn restore(_: &RestoreArgs) -> anyhow::Result<Exit> {
    Err(BadInput("a private database is possible on Unix only".to_owned()).into())
}
