//! Workers, those who put jobs and the server itself are killed at random moments: every unit is
//! done, each result is kept once, and the sum is exact.

mod common;

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use common::{Server, example, pause, quick_server, safe_server};
use fleet::{Broker, BrokerError, connect, install};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

const CHUNKS: u64 = 150;
const SIZE: u64 = 8;
const PATIENCE: Duration = Duration::from_mins(2);

/// A program that is killed when it is not wanted any more.
struct Killed(Child);

impl Drop for Killed {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn spawn(arguments: &[&str]) -> Killed {
    let mut command: Command = example("squarer");
    command.args(arguments).stdout(Stdio::piped());
    Killed(command.spawn().expect("it can be started"))
}

/// Waits for its first line.
fn wait_until_ready(program: &mut Killed) {
    let stdout = program.0.stdout.as_mut().expect("piped");
    let mut line = String::new();
    let read = BufReader::new(stdout).read_line(&mut line);
    assert_eq!((read.ok(), &*line), (Some(6), "ready\n"));
}

fn put(url: &str, job: &str, again_every: &str) {
    let (chunks, size) = (CHUNKS.to_string(), SIZE.to_string());
    let mut command = example("squarer");
    command.args(["put", url, job, &chunks, &size, again_every]);
    let output = command.output().expect("it can be started");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        text == "ready\nNew\n" || text == "ready\nKnown\n",
        "{output:?}"
    );
}

#[expect(clippy::disallowed_methods, reason = "a test has a deadline")]
fn patiently<T>(call: impl Fn() -> Result<T, BrokerError>) -> T {
    let end = Instant::now() + PATIENCE;
    loop {
        match call() {
            Ok(answer) => return answer,
            Err(error) if error.is_passing() && Instant::now() < end => pause(20),
            Err(error) => panic!("{error}"),
        }
    }
}

/// Reads results as they come, and sees each of them once.
#[derive(Default)]
struct Reader {
    after: u64,
    seen: BTreeMap<u64, String>,
}

impl Reader {
    fn read_on(&mut self, broker: &dyn Broker, job: &str) {
        for result in patiently(|| broker.results(job, self.after, 100)) {
            assert!(result.number > self.after);
            self.after = result.number;
            let twice = self.seen.insert(result.key, result.value);
            assert_eq!(twice, None, "unit {}", result.key);
        }
    }

    fn check(&self) {
        let units = CHUNKS * SIZE;
        assert_eq!(self.seen.len() as u64, units, "every unit, once");
        let values = self.seen.values().map(|value| value.parse::<u64>());
        let sum: u64 = values.map(|value| value.expect("a number")).sum();
        // Of the squares of all numbers below n.
        assert_eq!(sum, (units - 1) * units * (2 * units - 1) / 6);
    }
}

/// Workers that are killed, and in between the server.
struct Storm {
    url: String,
    random: ChaCha8Rng,
    workers: Vec<Killed>,
    born: u32,
}

impl Storm {
    /// Some workers are late with everything: their time is over when it begins.
    fn begin_worker(&mut self) -> Killed {
        self.born += 1;
        let visibility = if self.born.is_multiple_of(4) {
            "0"
        } else {
            "700"
        };
        let name = format!("worker-{}", self.born);
        spawn(&["work", &self.url, &name, visibility])
    }

    fn strike(&mut self) {
        let struck = self.random.random_range(0..self.workers.len());
        let next = self.begin_worker();
        self.workers[struck] = next;
    }
}

#[expect(clippy::print_stdout, reason = "a test that fails shows its seed")]
fn storm(server: &mut Server, seed: u64, mut disaster: impl FnMut(&mut Server, u32)) {
    println!("seed {seed}");
    let url = server.url();
    let job = format!("storm-{seed}");
    put(&url, &job, "9");
    let broker = connect(&url).expect("connected");
    let mut storm = Storm {
        url,
        random: ChaCha8Rng::seed_from_u64(seed),
        workers: Vec::new(),
        born: 0,
    };
    storm.workers = (0..3).map(|_| storm.begin_worker()).collect();
    let mut reader = Reader::default();
    let mut strikes = 0;
    loop {
        let progress = patiently(|| broker.progress(&job));
        reader.read_on(&*broker, &job);
        if progress.is_complete() && reader.seen.len() as u64 == progress.units {
            break;
        }
        pause(storm.random.random_range(50..250));
        storm.strike();
        strikes += 1;
        disaster(server, strikes);
    }
    reader.check();
    println!("{strikes} workers were killed");
    assert!(strikes >= 8, "it was over before it began");
    // The second time of what is done twice comes too.
    while patiently(|| broker.progress(&job)).compared < CHUNKS.div_ceil(9) * SIZE {
        pause(20);
    }
    assert!(patiently(|| broker.alarms(&job)).is_empty());
    let kept = patiently(|| broker.results(&job, 0, u32::MAX));
    assert_eq!(
        kept.len(),
        reader.seen.len(),
        "nothing that was read is gone"
    );
    assert!(
        kept.iter()
            .all(|kept| reader.seen.get(&kept.key) == Some(&kept.value))
    );
}

#[test]
fn sums_are_exact_whoever_is_killed() {
    let mut server = safe_server();
    install(&server.url(), None).expect("installed");
    storm(&mut server, 1, |_, _| ());
    storm(&mut server, 2, |server, strikes| match strikes % 12 {
        3 => server.crash_and_restart(),
        8 => server.end_at_once_and_restart(),
        _ => (),
    });
}

#[test]
fn a_job_is_there_with_all_its_chunks_or_not_at_all() {
    let server = quick_server();
    install(&server.url(), None).expect("installed");
    let url = server.url();
    let broker = connect(&url).expect("connected");
    let mut random = ChaCha8Rng::seed_from_u64(3);
    for round in 0..6 {
        let job = format!("put-{round}");
        let mut program = spawn(&["put", &url, &job, "20000", "1", "0"]);
        wait_until_ready(&mut program);
        pause(random.random_range(0..400));
        drop(program);
        let there = match broker.progress(&job) {
            Ok(progress) => Some(progress.units),
            Err(BrokerError::NoJob(_)) => None,
            Err(error) => panic!("{error}"),
        };
        assert!(there.is_none_or(|units| units == 20_000));
        let mut command = example("squarer");
        command.args(["put", &url, &job, "20000", "1", "0"]);
        let output = command.output().expect("it can be started");
        assert!(output.status.success(), "put again: {output:?}");
        let chunks = "select count(*) from touchstone.chunks c join touchstone.jobs j \
            on c.job = j.number where j.id = ";
        let count = server.sql(&format!("{chunks}'{job}'")).expect("counted");
        assert_eq!(count.trim(), "20000");
    }
}

#[test]
fn a_server_that_does_not_answer_is_given_up() {
    // It takes connections, and never says a word.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = silent.local_addr().expect("its number").port();
    #[expect(clippy::disallowed_methods, reason = "a wait is tested")]
    let began = Instant::now();
    let Err(error) = connect(&format!("postgres://u:p@127.0.0.1:{port}/db")) else {
        panic!("connected with nobody");
    };
    assert!(error.is_passing(), "{error}");
    let waited = began.elapsed();
    assert!(waited < Duration::from_secs(30), "{waited:?}");
}

#[test]
fn a_call_after_the_server_has_come_back_is_answered() {
    let mut server = safe_server();
    install(&server.url(), None).expect("installed");
    let broker = connect(&server.url()).expect("connected");
    server.crash_and_restart();
    let error = broker.jobs().expect_err("the connection is lost");
    assert!(error.is_passing(), "{error}");
    assert!(broker.jobs().expect("the next call connects").is_empty());
}
