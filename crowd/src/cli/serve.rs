//! `crowd serve`: opens the database, serves until a signal arrives, and shuts down cleanly.

use std::io::IsTerminal as _;
use std::net::SocketAddr;
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use ::web::files::room_for;
use ::web::serve::ConnectionLimits;
use ::web::signals::{Signal, Signals};
use anyhow::Context as _;
use kit::{BadInput, Exit};
use rand::TryRng as _;
use rand::rngs::SysRng;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::time::timeout;
use tracing_subscriber::EnvFilter;

use super::database::{self, DatabaseArgs};
use crate::play::{Opponent, OpponentSettings};
use crate::service::{Service, Settings};
use crate::store::{InstanceLock, LockError, Store};
use crate::trust::Caps;
use crate::web::now;
use crate::web::{self, App, Moderators, RateLimits, SecurityContact, WebSettings};

/// Maximum number of open connections, half of them from one address; beyond, idle ones are closed for
/// new ones. A browser has up to six.
const OPEN_CONNECTIONS: usize = 8192;
/// Time limit of the last upkeep and of closing the database.
const LAST_WORK: Duration = Duration::from_secs(30);

/// Serve the pages and the API
///
/// Ends on SIGINT (exit code 130) or SIGTERM (0): accepts no more connections, completes running
/// requests, does a last upkeep and closes the database. A second signal at least half a second
/// later ends it at once; acknowledged data is never lost.
#[derive(Debug, clap::Args)]
pub(super) struct ServerArgs {
    /// Address to listen on; port 0: any, printed
    ///
    /// Address to listen on; port 0 picks a free port, which is printed.
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8080")]
    addr: SocketAddr,
    #[command(flatten)]
    database: DatabaseArgs,
    /// File with the tokens of moderators
    ///
    /// File with a line `NAME: TOKEN` for each moderator, or one token alone, of at least 16
    /// characters; or set `CROWD_ADMIN_TOKEN`
    #[arg(long, value_name = "FILE")]
    admin_token_file: Option<PathBuf>,
    /// The site is served over HTTPS by a proxy
    ///
    /// Restrict cookies to HTTPS.
    #[arg(long)]
    https: bool,
    /// Trust X-Forwarded-For: only behind a proxy
    ///
    /// Take the last address in X-Forwarded-For as the client's. Only behind a proxy that sets it.
    #[arg(long)]
    trust_proxy: bool,
    /// Address for reports of a weakness
    ///
    /// Where to report a weakness, as mailto: or https: address, for `/.well-known/security.txt`; may
    /// be repeated, the preferred one first.
    #[arg(hide_short_help = true, long, value_name = "ADDRESS")]
    security_contact: Vec<SecurityContact>,
    /// Random seed; keep it secret [default: random]
    ///
    /// Random seed, which decides who gets which position; keep it secret [default: random].
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,
    /// Requests per second of one session
    ///
    /// Sustained requests per second of one session, or of an address without one; bursts may be ten
    /// times as large.
    #[arg(
        hide_short_help = true,
        long,
        value_name = "NUMBER",
        default_value = "50"
    )]
    rate: NonZeroU32,
    /// New sessions per address at once
    ///
    /// Then one every half minute.
    #[arg(
        hide_short_help = true,
        long,
        value_name = "NUMBER",
        default_value = "20"
    )]
    new_sessions: NonZeroU32,
    /// Share of people assumed to be wrong alike
    ///
    /// Assumed maximum share of people who are wrong about the same move, because they collude or
    /// because it is hard; a smaller share needs fewer lists.
    #[arg(hide_short_help = true, long, value_name = "SHARE", default_value = "0.5", value_parser = wrong_share)]
    wrong_share: f64,
    /// People who count at a position in 24 hours; 0: all
    ///
    /// Maximum number of people who count at one position in any 24 hours, so that nobody certifies
    /// it while others sleep; 0 is no limit, for a class.
    #[arg(
        hide_short_help = true,
        long,
        value_name = "PEOPLE",
        default_value = "8"
    )]
    per_day: u32,
    /// People of one network who count; 0: all
    ///
    /// Maximum number of people of one network (IPv4 /24, IPv6 /48) who count at one position; 0 is
    /// no limit, for a school.
    #[arg(
        hide_short_help = true,
        long,
        value_name = "PEOPLE",
        default_value = "3"
    )]
    per_network: u32,
    /// Format of the log on standard error
    ///
    /// The environment variable `CROWD_LOG` filters it, such as `crowd=debug` [default:
    /// `warn,crowd=info`; of `json` also `web::request=info`, a line for each request].
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = LogFormat::Text)]
    log_format: LogFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum LogFormat {
    /// For people
    Text,
    /// A JSON object a line, for programs that collect logs
    Json,
}

#[expect(clippy::disallowed_methods, reason = "configuration is read here")]
fn log_filter(format: LogFormat) -> Result<EnvFilter, BadInput> {
    let usual = match format {
        LogFormat::Text => "warn,crowd=info",
        LogFormat::Json => "warn,crowd=info,web::request=info",
    };
    let filter = std::env::var("CROWD_LOG").unwrap_or_else(|_| usual.to_owned());
    EnvFilter::try_new(&filter)
        .map_err(|error| BadInput(format!("CROWD_LOG: '{filter}' is not a filter: {error}")))
}

pub(super) fn run(args: &ServerArgs, quiet: bool) -> anyhow::Result<Exit> {
    let log = tracing_subscriber::fmt()
        .with_env_filter(log_filter(args.log_format)?)
        .with_writer(anstream::stderr);
    let started = match args.log_format {
        // A file or journal gets no colour codes.
        LogFormat::Text => log.with_ansi(std::io::stderr().is_terminal()).try_init(),
        LogFormat::Json => log
            .json()
            .flatten_event(true)
            .with_span_list(false)
            .try_init(),
    };
    started.map_err(|error| anyhow::anyhow!("cannot start the log: {error}"))?;
    let runtime = tokio::runtime::Runtime::new().context("cannot start the runtime")?;
    let ended = runtime.block_on(serve(args, quiet));
    // After a second signal, do not wait for anything.
    runtime.shutdown_background();
    ended
}

async fn serve(args: &ServerArgs, quiet: bool) -> anyhow::Result<Exit> {
    let signals = Signals::listen().context("cannot listen to signals")?;
    let moderators = moderators(args)?;
    let listener = TcpListener::bind(args.addr).await;
    let listener = listener.with_context(|| format!("cannot listen on {}", args.addr))?;
    let store = database::open(&args.database.url).await?;
    let mut lock = store.lock_instance().await?;
    let service = service_on(&store, args).await?;
    let opponent = Arc::new(Opponent::new(opponent_settings()));
    let app = App::new(service, opponent, web_settings(args, moderators));
    if !quiet {
        remark(&app, listener.local_addr()?, args);
    }
    let address = listener.local_addr()?;
    kit::output::to_stdout(format!("listening on http://{address}\n"))?;
    let database = database::without_password(&args.database.url);
    tracing::info!(version = env!("CARGO_PKG_VERSION"), %address, database, "started");
    let (end, ended) = watch::channel(false);
    let upkeep = tokio::spawn(web::upkeep(app.clone(), ended));
    let router = web::router(&app);
    let first = signals.clone();
    let whole = async move {
        let in_time = web::serve(listener, router, &app, first.until(1)).await;
        if !in_time {
            tracing::warn!("requests were cut off: they took too long");
        }
        // The last upkeep comes after the last request, so that it sees all that was acknowledged.
        end.send_replace(true);
        let done = timeout(LAST_WORK, upkeep).await;
        done.context("the last upkeep took too long")??;
        anyhow::Ok(())
    };
    tokio::select! {
        done = whole => {
            done?;
            // The lock has a connection of its own, for which the closing would wait.
            drop(lock);
            let closed = timeout(LAST_WORK, store.close()).await;
            closed.context("the database took too long to close")??;
            tracing::info!("stopped");
        }
        taken = lost(&mut lock) => return Err(taken.into()),
        () = signals.clone().until(2) => tracing::warn!("ended at once"),
    }
    Ok(exit_of(&signals))
}

/// How often the lock on the database is checked.
const LOCK_CHECK: Duration = Duration::from_secs(5);

/// Completes when another server has taken the database, for example while `PostgreSQL` was
/// restarted.
async fn lost(lock: &mut InstanceLock) -> LockError {
    loop {
        tokio::time::sleep(LOCK_CHECK).await;
        if let Err(error) = lock.check().await {
            return error;
        }
    }
}

fn wrong_share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok();
    // People are credited with 0.95 at most, so above 0.9 they would hardly weigh anything.
    let share = share.filter(|share| (0.001..=0.9).contains(share));
    share.ok_or_else(|| "expected a number from 0.001 to 0.9".to_owned())
}

async fn service_on(store: &Store, args: &ServerArgs) -> anyhow::Result<Service> {
    // Who can guess the seed can choose positions.
    let random = SysRng.try_next_u64();
    let random = random.context("the system has no random numbers")?;
    let settings = Settings {
        seed: args.seed.unwrap_or(random),
        caps: Caps {
            per_day: args.per_day,
            per_network: args.per_network,
        },
        wrong_share: args.wrong_share,
        ..Settings::default()
    };
    let service = Service::new(store.clone(), settings).await?;
    service.ensure_first_campaign(now()).await?;
    Ok(service)
}

fn web_settings(args: &ServerArgs, moderators: Option<Moderators>) -> WebSettings {
    let rate = args.rate.get();
    WebSettings {
        https: args.https,
        trust_proxy: args.trust_proxy,
        moderators,
        security_contacts: args.security_contact.clone(),
        limits: RateLimits {
            per_second: rate,
            burst: rate.saturating_mul(10),
            new_sessions: args.new_sessions.get(),
            connections: ConnectionLimits::from_total(room_for(OPEN_CONNECTIONS)),
            ..RateLimits::default()
        },
    }
}

/// One CPU is left for the contributors.
fn opponent_settings() -> OpponentSettings {
    let settings = OpponentSettings::default();
    let but_one = NonZeroUsize::new(settings.searches.get() - 1);
    let searches = but_one.unwrap_or(NonZeroUsize::MIN);
    OpponentSettings {
        searches,
        waiting: searches.get().saturating_mul(4),
        ..settings
    }
}

#[expect(clippy::disallowed_methods, reason = "configuration is read here")]
fn moderators(args: &ServerArgs) -> anyhow::Result<Option<Moderators>> {
    let (name, text) = if let Some(file) = &args.admin_token_file {
        let text = kit::read::text(file, kit::read::SETTINGS);
        let name = file.display().to_string();
        let text = text.map_err(|error| BadInput(format!("cannot read {name}: {error}")))?;
        (name, Some(text))
    } else {
        // From the environment, since any user of the machine can see command lines.
        let text = std::env::var("CROWD_ADMIN_TOKEN").ok();
        let text = text.filter(|text| !text.is_empty());
        ("CROWD_ADMIN_TOKEN".to_owned(), text)
    };
    let moderators = text.map(|text| Moderators::read(&text)).transpose();
    moderators.map_err(|error| BadInput(format!("{name}: {error}")).into())
}

fn remark(app: &App, addr: SocketAddr, args: &ServerArgs) {
    if app.settings.moderators.is_none() {
        tracing::warn!(
            "there is no token for moderators, so /admin is off; --admin-token-file gives one"
        );
    }
    let connections = app.settings.limits.connections.total;
    if connections < OPEN_CONNECTIONS {
        tracing::warn!(
            "the limit of open files has room for {connections} connections only; see `ulimit -n`"
        );
    }
    if !addr.ip().is_loopback() && !args.https {
        tracing::warn!(
            "this address can be reached from elsewhere, without HTTPS; see docs/crowd-server.md"
        );
    }
}

/// The exit code of a server that was stopped.
fn exit_of(signals: &Signals) -> Exit {
    match signals.first() {
        // systemd stops services by SIGTERM, which is no failure.
        Some(Signal::Interrupt) => Exit::Interrupted,
        Some(Signal::Terminate) | None => Exit::Agreed,
    }
}
