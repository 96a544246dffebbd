//! CPU time of processes, so that what the work takes can be distinguished from what else the machine did. On
//! Linux, with the database on the same machine; elsewhere nothing is known.

use std::time::Duration;

use fleet::store::Database;

/// Of a second: what Linux counts times of processes in, on all processors.
const TICK: Duration = Duration::from_millis(10);

/// CPU time since the start of each.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cpu {
    /// `PostgreSQL`, with all its processes, also those that ended.
    pub(crate) database: Option<Duration>,
    /// The servers.
    pub(crate) servers: Option<Duration>,
    /// This process.
    pub(crate) own: Option<Duration>,
}

impl Cpu {
    pub(crate) async fn now(database: &Database, servers: &[u32]) -> Self {
        let backend: Result<i32, _> = sqlx::query_scalar("select pg_backend_pid()")
            .fetch_one(&database.pool)
            .await;
        let backend = backend.ok().and_then(|pid| u32::try_from(pid).ok());
        let servers = servers.iter().map(|pid| Some(Times::of(*pid)?.own));
        Self {
            database: backend.and_then(of_database),
            servers: servers.sum(),
            own: Times::of(std::process::id()).map(|times| times.own),
        }
    }

    /// What was used since.
    pub(crate) fn since(self, before: Self) -> Self {
        let less = |now: Option<Duration>, before| Some(now?.saturating_sub(before?));
        Self {
            database: less(self.database, before.database),
            servers: less(self.servers, before.servers),
            own: less(self.own, before.own),
        }
    }
}

struct Times {
    name: String,
    parent: u32,
    own: Duration,
    /// Of children that ended.
    children: Duration,
}

impl Times {
    /// As in proc(5): `PID (NAME) STATE PPID …`, with the times as fields 14 to 17.
    fn of(pid: u32) -> Option<Self> {
        #[expect(clippy::disallowed_methods, reason = "a short file of the kernel")]
        let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        let (begin, rest) = text.rsplit_once(") ")?;
        let fields: Vec<&str> = rest.split_ascii_whitespace().collect();
        let ticks = |field: usize| Some(TICK * fields.get(field - 3)?.parse::<u32>().ok()?);
        Some(Self {
            name: begin.split_once('(')?.1.to_owned(),
            parent: fields.get(1)?.parse().ok()?,
            own: ticks(14)? + ticks(15)?,
            children: ticks(16)? + ticks(17)?,
        })
    }
}

/// All processes of the database that this one is of.
fn of_database(backend: u32) -> Option<Duration> {
    let backend = Times::of(backend).filter(|times| times.name.starts_with("postgres"))?;
    let main = backend.parent;
    let times = Times::of(main)?;
    let mut sum = times.own + times.children;
    for entry in std::fs::read_dir("/proc").ok()?.flatten() {
        let pid = entry
            .file_name()
            .to_str()
            .and_then(|name| name.parse().ok());
        if let Some(times) = pid.and_then(Times::of).filter(|times| times.parent == main) {
            sum += times.own;
        }
    }
    Some(sum)
}
