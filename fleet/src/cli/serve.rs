//! `fleet serve`: opens the database, serves until a signal arrives, and shuts down cleanly.

use std::io::Write as _;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context as _;
use kit::{BadInput, Exit, output};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::time::timeout;
use tracing_subscriber::EnvFilter;
use web::serve::{ConnectionLimits, Connections};
use web::signals::{Signal, Signals};
use web::tls::Tls;

use super::database::LabStoreArgs;
use crate::app::{LabState, ServerSettings};
use crate::pages::throughput;
use crate::people::cli::first_link;
use crate::policy::confirm::DecisionPatience;
use crate::serve::router;
use crate::store::Database;
use crate::store::work::{Retention, Work, WorkTuning};
use crate::{conduct, kinds, service};

/// How long to wait for the database to close.
const TO_CLOSE: Duration = Duration::from_secs(10);
/// Maximum number of database connections: ten carry a thousand workers.
const DATABASE_CONNECTIONS: u32 = 10;
/// Maximum number of open connections: workers keep theirs.
const CONNECTIONS: usize = 8192;

/// Serve a lab: pages, API, scheduling and statistics
///
/// Any number of servers may share a database. The schema is created or updated at the start. Ends on
/// SIGINT (exit code 130) or SIGTERM (0): accepts no more connections and completes running
/// requests. A second signal ends it at once; nothing that was acknowledged is lost.
///
/// Examples: `fleet serve --data lab`,
/// `fleet serve --db postgres://lab:secret@127.0.0.1/lab --addr 0.0.0.0:443 --tls-cert cert.pem --tls-key key.pem`.
#[derive(Debug, clap::Args)]
pub(super) struct ServeArgs {
    #[command(flatten)]
    database: LabStoreArgs,
    /// Address to listen on; port 0: any, printed
    ///
    /// Address to listen on; port 0 picks a free port, which is printed.
    #[arg(
        long,
        value_name = "ADDRESS:PORT",
        default_value = "127.0.0.1:8080",
        env = "FLEET_ADDR"
    )]
    addr: SocketAddr,
    /// Certificate chain in PEM, for HTTPS
    ///
    /// It is read again when the file changes.
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// Private key of the certificate in PEM
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
    /// Address that people use, for links
    ///
    /// Address that people use, such as `https://lab.example`, for links and commands on pages
    /// [default: that of --addr].
    #[arg(long, value_name = "URL", env = "FLEET_PUBLIC_URL")]
    public_url: Option<String>,
    /// Trust X-Forwarded-For: only behind a proxy
    ///
    /// Take the last address in X-Forwarded-For as the client's. Only behind a proxy that sets it.
    #[arg(long, env = "FLEET_TRUST_PROXY")]
    trust_proxy: bool,
    /// Days to keep the audit log; 0: for good
    ///
    /// Delete entries of the audit log after so many days; 0 keeps all.
    #[arg(hide_short_help = true, long, value_name = "DAYS", default_value_t = Retention::default().audit_days, env = "FLEET_AUDIT_DAYS")]
    audit_days: u32,
    /// Days until results are archived; 0: never
    ///
    /// Move the results of jobs that ended so many days ago to an archive, where they take less room
    /// and can still be downloaded, but not be discarded or verified any more; 0 leaves them where
    /// they are.
    #[arg(hide_short_help = true, long, value_name = "DAYS", default_value_t = Retention::default().archive_after_days, env = "FLEET_ARCHIVE_AFTER_DAYS")]
    archive_after_days: u32,
}

#[expect(clippy::disallowed_methods, reason = "configuration is read here")]
pub(super) fn run(args: &ServeArgs, quiet: bool) -> anyhow::Result<Exit> {
    let filter = std::env::var("FLEET_LOG").unwrap_or_else(|_| "warn,fleet=info".to_owned());
    let filter = EnvFilter::try_new(&filter)
        .map_err(|error| BadInput(format!("FLEET_LOG: '{filter}' is not a filter: {error}")))?;
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(anstream::stderr)
        .init();
    // The private cluster ends last, when this function returns. It is started by the main thread, with which
    // the database dies (PR_SET_PDEATHSIG of `prctl(2)`).
    let database = args.database.serve()?;
    let runtime = tokio::runtime::Runtime::new().context("cannot start the runtime")?;
    let ended = runtime.block_on(serve(args, &database.url, quiet));
    // After a second signal, nothing is waited for.
    runtime.shutdown_background();
    ended
}

async fn serve(args: &ServeArgs, db: &str, quiet: bool) -> anyhow::Result<Exit> {
    let signals = Signals::listen().context("cannot listen to signals")?;
    let tls = match (&args.tls_cert, &args.tls_key) {
        (Some(certificate), Some(key)) => {
            let tls = Tls::open(certificate, key);
            Some(tls.map_err(|error| BadInput(error.to_string()))?)
        }
        _ => None,
    };
    // An address in use is reported before the schema is touched; early connections wait in the backlog.
    let listener = TcpListener::bind(args.addr).await;
    let listener = listener.with_context(|| format!("cannot listen on {}", args.addr))?;
    let address = listener.local_addr()?;
    let database = Database::open(db, DATABASE_CONNECTIONS).await?;
    let tuning = WorkTuning {
        check: kinds::check,
        retention: Retention {
            audit_days: args.audit_days,
            archive_after_days: args.archive_after_days,
        },
        ..WorkTuning::default()
    };
    let work = Work::with(database.clone(), tuning).await?;
    let app = LabState::new(database, work, settings(args, address));
    let first_link = first_link(&app.database, &app.settings.public_url).await?;
    if let Some(link) = first_link {
        say(&format!(
            "nobody has an account yet; the first administrator opens {link}"
        ));
    }
    // The conductor has a signal of its own: it works until the last request is answered.
    let (stop, stopped) = watch::channel(false);
    let conducting = conduct::run(
        app.database.clone(),
        app.work.clone(),
        DecisionPatience::default(),
        stopped,
    );
    let conducting = tokio::spawn(conducting);
    tokio::spawn(throughput::keep(app.database.clone()));
    tokio::spawn(app.quotas.clone().keep());
    if let Some(tls) = tls.clone() {
        tokio::spawn(tls.follow());
    }
    if !quiet && tls.is_none() && !address.ip().is_loopback() && !app.settings.https {
        say(
            "this address can be reached from elsewhere without HTTPS: passwords and tokens can be read on the way",
        );
    }
    let scheme = if tls.is_some() { "https" } else { "http" };
    output::to_stdout(format!("listening on {scheme}://{address}\n"))?;
    service::ready();
    tokio::spawn(service::show_life());
    let connections = Connections::new(
        ConnectionLimits::from_total(web::files::room_for(CONNECTIONS)),
        args.trust_proxy,
    );
    let whole = async {
        let asked = signals.clone();
        let first = async move {
            asked.until(1).await;
            service::stopping();
        };
        if !connections.serve(listener, tls, router(&app), first).await {
            say("requests were cut off: they took too long");
        }
        // The conductor releases its tests, so that other servers need not wait until its claims expire.
        let _ = stop.send(true);
        let _ = timeout(TO_CLOSE, conducting).await;
        let closed = timeout(TO_CLOSE, app.database.pool.close()).await;
        closed.context("the database took too long to close")
    };
    tokio::select! {
        done = whole => done?,
        () = signals.clone().until(2) => say("ended at once"),
    }
    Ok(match signals.first() {
        Some(Signal::Interrupt) => Exit::Interrupted,
        _ => Exit::Agreed,
    })
}

fn settings(args: &ServeArgs, address: SocketAddr) -> ServerSettings {
    let scheme = if args.tls_cert.is_some() {
        "https"
    } else {
        "http"
    };
    let own = format!("{scheme}://{address}");
    let public_url = args.public_url.clone().unwrap_or(own);
    let public_url = public_url.trim_end_matches('/').to_owned();
    ServerSettings {
        // Behind a proxy, the server itself speaks HTTP: what browsers see decides about cookies.
        https: public_url.starts_with("https://"),
        trust_proxy: args.trust_proxy,
        public_url,
        ..ServerSettings::default()
    }
}

/// If standard error is closed, the message is lost; there is no other place for it.
fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "fleet: {text}");
}
