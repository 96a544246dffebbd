//! Server-sent events as a program sees them.

use std::time::Duration;

use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, Lines};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::lab::Lab;

/// How long an event may take; only a failing test waits so long.
const PATIENCE: Duration = Duration::from_mins(5);

struct Events(Lines<BufReader<TcpStream>>);

impl Events {
    async fn open(lab: &Lab, query: &str, headers: &str) -> Self {
        let mut stream = TcpStream::connect(lab.addr).await.expect("a connection");
        let request = format!(
            "GET /api/1/events?{query} HTTP/1.1\r\nHost: lab\r\nAccept-Encoding: gzip\r\n{headers}\r\n"
        );
        stream.write_all(request.as_bytes()).await.expect("sent");
        let mut events = Self(BufReader::new(stream).lines());
        assert_eq!(events.until("HTTP/1.1").await, "HTTP/1.1 200 OK");
        let kind = events.until("content-type:").await;
        assert_eq!(kind, "content-type: text/event-stream");
        events
    }

    /// The next line that begins so.
    async fn until(&mut self, start: &str) -> String {
        let lines = &mut self.0;
        let found = async {
            loop {
                let line = lines.next_line().await.expect("the connection lasts");
                let line = line.unwrap_or_else(|| panic!("the end came before '{start}'"));
                if line.starts_with(start) {
                    return line;
                }
            }
        };
        let found = timeout(PATIENCE, found).await;
        found.unwrap_or_else(|_| panic!("no line begins with '{start}'"))
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn changes_come_to_those_who_watch_and_missed_ones_later() {
    let lab = Lab::start().await;
    let mut all = Events::open(&lab, "", "").await;
    let mut other = Events::open(&lab, "test=simplify-3", "").await;
    all.until("retry:").await;
    lab.sql("update lab.jobs set state = 'stopped', finished_at = now() where id = 'stc-7'")
        .await;
    let id = all.until("id:").await;
    all.until("event: test").await;
    assert_eq!(
        all.until("data:").await,
        r#"data: {"test":"stc-7","state":"stopped","point":40}"#
    );
    lab.sql("update lab.jobs set reason = 'x', finished_at = now() where id = 'simplify-3'")
        .await;
    let data = other.until("data:").await;
    assert!(data.contains(r#""test":"simplify-3""#), "{data}");
    drop(all);
    // Another server would know as much: everything is in the database.
    let headers = format!("Last-Event-ID:{}\r\n", id.trim_start_matches("id:"));
    let mut again = Events::open(&lab, "test=simplify-3", &headers).await;
    let data = again.until("data:").await;
    assert!(data.contains(r#""state":"done""#), "{data}");
    // A flagged test has not finished.
    lab.sql("update lab.jobs set state = 'flagged', finished_at = null where id = 'simplify-3'")
        .await;
    let data = again.until("data:").await;
    assert!(data.contains(r#""state":"flagged""#), "{data}");
}

#[tokio::test(flavor = "multi_thread")]
async fn throughput_is_noted_once() {
    let lab = Lab::start().await;
    let noted = async || -> (i64, i64) {
        fleet::pages::throughput::note(&lab.database)
            .await
            .expect("noted");
        sqlx::query_as(
            "select sum(units)::bigint, sum(games)::bigint from lab.hours
                where at = date_trunc('hour', now()) and worker = 1",
        )
        .fetch_one(&lab.database.pool)
        .await
        .expect("the present hour")
    };
    let first = noted().await;
    assert_eq!(noted().await, first, "nothing was done since");
    lab.sql("update lab.shares set units = units + 7").await;
    assert_eq!(noted().await, (first.0 + 7, first.1 + 14));
    lab.sql("update lab.shares set units = units - 2").await;
    assert_eq!(
        noted().await,
        (first.0 + 5, first.1 + 10),
        "results were discarded"
    );
    // A test that ended long ago runs again, as results were discarded: what was counted is not counted once more.
    let before = noted().await;
    for sql in [
        "update lab.jobs set state = 'done', finished_at = now() - interval '3 hours'",
        "update lab.jobs set state = 'running', finished_at = null",
    ] {
        lab.sql(sql).await;
        assert_eq!(noted().await, before, "{sql}");
    }
    // The time at work comes once, in the hour and in the month.
    lab.sql("update lab.records set core_ms = 90000 where worker = 1")
        .await;
    for table in [
        "hours where at = date_trunc('hour', now()) and",
        "months where month = date_trunc('month', now() at time zone 'UTC') and",
    ] {
        noted().await;
        let sql = format!("select sum(core_ms)::bigint from lab.{table} worker = 1");
        let core_ms: i64 = sqlx::query_scalar(sqlx::AssertSqlSafe(sql))
            .fetch_one(&lab.database.pool)
            .await
            .expect("noted");
        assert_eq!(core_ms % 3_600_000, 90_000, "{table}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn lists_read_few_rows_of_many() {
    let lab = Lab::start().await;
    lab.sql(
        "set local statement_timeout = 0;
        insert into lab.jobs (id, kind, owner, state, finished_at, repository)
            select 'old-' || n, 'selfplay-pairs/1', 1 + n % 2, 'done', now() - interval '9 days', 1
            from generate_series(1, 50000) n",
    )
    .await;
    // As `moved` and the list of finished tests have it; statistics are those of an empty table.
    for (query, most) in [
        (
            "select * from unnest(array['done', 'stopped']) s (state) cross join lateral (
                select number from lab.jobs where state = s.state and owner = 2
                order by number desc limit 51) j",
            300,
        ),
        (
            "select number from lab.jobs where finished_at > now() - interval '1 hour'
                order by finished_at desc limit 500",
            300,
        ),
        (
            "select number from lab.jobs where kind like 'perft%' and state = 'done'
                order by number desc limit 500",
            300,
        ),
    ] {
        let read = rows_read(&lab, query).await;
        assert!(
            read <= most,
            "{read} rows were read, at most {most}: {query}"
        );
    }
}

/// Rows that a query takes from tables and indexes, whether it keeps them or not.
async fn rows_read(lab: &Lab, query: &'static str) -> i64 {
    let explain = format!("explain (analyze, timing off, format json) {query}");
    let plan: serde_json::Value = sqlx::query_scalar(sqlx::AssertSqlSafe(explain))
        .fetch_one(&lab.database.pool)
        .await
        .expect("a plan");
    of_node(&plan[0]["Plan"])
}

fn of_node(node: &serde_json::Value) -> i64 {
    let number = |name: &str| node[name].as_f64().unwrap_or(0.0);
    let is_scan = node["Node Type"]
        .as_str()
        .is_some_and(|kind| kind.ends_with("Scan"));
    let kept = number("Actual Rows") + number("Rows Removed by Filter");
    #[expect(clippy::cast_possible_truncation, reason = "counts of few rows")]
    let own = (kept * number("Actual Loops")) as i64;
    let below = node["Plans"].as_array().into_iter().flatten();
    below.map(of_node).sum::<i64>() + if is_scan { own } else { 0 }
}
