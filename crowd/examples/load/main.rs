//! Many people at once: each gets positions, lists moves one by one, finishes, and looks at the result.
//!
//! `cargo run --release -p touchstone-crowd --example load -- 127.0.0.1:8080 --contributors 200 --think-ms 250`. The server's
//! `--rate` and `--new-sessions` must allow as much from one address.

mod client;
mod person;
mod tally;

use std::net::SocketAddr;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Parser;
use tokio::task::JoinSet;

use person::{Person, Plan};
use tally::Tally;

/// Sends requests as many people would, and reports how the server did
#[derive(Parser)]
struct Args {
    /// Address of the server
    addr: SocketAddr,
    /// Number of people
    #[arg(long, default_value = "200")]
    contributors: u64,
    /// Lists per person
    #[arg(long, default_value = "2")]
    lists: u32,
    /// Time per move, in milliseconds; it varies by half
    #[arg(long, default_value = "250")]
    think_ms: u64,
    /// Time over which they arrive, evenly, in milliseconds [default: the time per move]
    #[arg(long)]
    arrive_ms: Option<u64>,
    /// Random seed
    #[arg(long, default_value = "1")]
    seed: u64,
}

#[tokio::main]
#[expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "it measures time and prints what it measured"
)]
async fn main() -> ExitCode {
    let args = Args::parse();
    let began = Instant::now();
    let tally = run(&args).await;
    println!("{}", tally.report(began.elapsed()));
    if tally.errors.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

async fn run(args: &Args) -> Tally {
    let mut people = JoinSet::new();
    let arrive_us = args.arrive_ms.unwrap_or(args.think_ms) * 1000;
    for number in 0..args.contributors {
        let plan = Plan {
            arrive: Duration::from_micros(arrive_us * number / args.contributors),
            lists: args.lists,
            think_ms: args.think_ms,
            seed: args.seed.wrapping_mul(1_000_003).wrapping_add(number),
        };
        people.spawn(Person::new(args.addr, plan).work());
    }
    let mut all = Tally::default();
    while let Some(ended) = people.join_next().await {
        match ended {
            Ok(tally) => all.add(tally),
            Err(error) => all.errors.push(error.to_string()),
        }
    }
    all
}
