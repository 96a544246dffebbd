//! The database argument of commands, and opening it.

use std::path::Path;

use anyhow::Context as _;
use kit::BadInput;

use crate::service::{Service, Settings};
use crate::store::Store;

#[derive(Debug, clap::Args)]
pub(super) struct DatabaseArgs {
    /// The database: `sqlite://FILE` or `postgres://USER:PASSWORD@HOST/NAME`
    #[arg(
        long = "db",
        value_name = "URL",
        env = "CROWD_DB",
        hide_env_values = true,
        default_value = DEFAULT
    )]
    pub(super) url: String,
}

/// The default database.
pub(super) const DEFAULT: &str = "sqlite://crowd.sqlite";

impl DatabaseArgs {
    /// Opens it with the default settings; a missing `SQLite` file is created.
    pub(super) async fn open(&self) -> anyhow::Result<Service> {
        let store = open(&self.url).await?;
        Ok(Service::new(store, Settings::default()).await?)
    }

    /// Opens it with the default settings; it must exist.
    pub(super) async fn open_existing(&self) -> anyhow::Result<Service> {
        match file_of(&self.url) {
            Some(file) if !file.exists() && !self.url.contains('%') => {
                let message = format!("there is no database {}", file.display());
                Err(BadInput(message).into())
            }
            _ => self.open().await,
        }
    }
}

/// Opens a database and migrates its tables; a missing `SQLite` file is created, unless the address
/// has a mode that says otherwise.
pub(super) async fn open(url: &str) -> anyhow::Result<Store> {
    let opened = Store::open(&made_if_missing(url)).await;
    opened.with_context(|| format!("cannot open {}", without_password(url)))
}

fn made_if_missing(url: &str) -> String {
    if file_of(url).is_some() && !url.contains('?') {
        format!("{url}?mode=rwc")
    } else {
        url.to_owned()
    }
}

/// The path of an `SQLite` database, if it is a file.
fn file_of(url: &str) -> Option<&Path> {
    let place = url.strip_prefix("sqlite:")?;
    let place = place.strip_prefix("//").unwrap_or(place);
    let (place, options) = place.split_once('?').unwrap_or((place, ""));
    let is_file = !place.is_empty() && place != ":memory:" && !options.contains("mode=memory");
    is_file.then_some(Path::new(place))
}

fn without_password(url: &str) -> String {
    match (url.split_once("://"), url.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, place))) => format!("{scheme}://…@{place}"),
        _ => url.to_owned(),
    }
}

/// Runs a future that waits for the database.
pub(super) fn run<T>(work: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<T> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    runtime.context("cannot start")?.block_on(work)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_not_shown() {
        let check = |url, shown| assert_eq!(without_password(url), shown);
        check("sqlite://crowd.sqlite", "sqlite://crowd.sqlite");
        check(
            "postgres://me:secret@db:5432/crowd",
            "postgres://…@db:5432/crowd",
        );
        check("postgres://me:p@ss@db/crowd", "postgres://…@db/crowd");
    }

    #[test]
    fn a_file_is_made_unless_the_address_says_otherwise() {
        let check = |url, opened| assert_eq!(made_if_missing(url), opened);
        check("sqlite://a.db", "sqlite://a.db?mode=rwc");
        check("sqlite:a.db", "sqlite:a.db?mode=rwc");
        check("sqlite://a.db?mode=rw", "sqlite://a.db?mode=rw");
        check("sqlite::memory:", "sqlite::memory:");
        check("postgres://db/crowd", "postgres://db/crowd");
    }
}
