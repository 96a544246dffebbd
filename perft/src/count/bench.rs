//! `perft bench`: nodes per second on the classic positions, every count checked.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use chess::notation::fen;
use chess::perft::Counter;
use chess::rules::Position;
use kit::output::grouped;

/// A position with a published count.
struct Classic {
    name: &'static str,
    fen: &'static str,
    /// Depth for the bulk-counting run, and the published count at that depth.
    bulk: (u32, u64),
    /// The same for the run that makes every move.
    no_bulk: (u32, u64),
}

/// The start position, Kiwipete and positions 3 to 6 of
/// <https://www.chessprogramming.org/Perft_Results>.
const CLASSICS: [Classic; 6] = [
    Classic {
        name: "start position",
        fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        bulk: (6, 119_060_324),
        no_bulk: (5, 4_865_609),
    },
    Classic {
        name: "Kiwipete",
        fen: "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        bulk: (5, 193_690_690),
        no_bulk: (4, 4_085_603),
    },
    Classic {
        name: "position 3",
        fen: "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        bulk: (7, 178_633_661),
        no_bulk: (6, 11_030_083),
    },
    Classic {
        name: "position 4",
        fen: "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        bulk: (6, 706_045_033),
        no_bulk: (5, 15_833_292),
    },
    Classic {
        name: "position 5",
        fen: "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        bulk: (5, 89_941_194),
        no_bulk: (4, 2_103_487),
    },
    Classic {
        name: "position 6",
        fen: "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        bulk: (5, 164_075_551),
        no_bulk: (4, 3_894_594),
    },
];

/// How often each count is repeated; the median speed is reported.
const ROUNDS: usize = 3;

/// Times all classics and writes a table; stops early once `ended` returns true.
///
/// # Panics
///
/// When a count differs from the published one: then no other output of this program can be
/// trusted.
pub(crate) fn run(
    counter: Counter<'_>,
    pool: &rayon::ThreadPool,
    ended: impl Fn() -> bool,
) -> String {
    let threads = pool.current_num_threads();
    let all = format!("{threads} threads");
    let mut text = String::from("million nodes a second, median of 3\n");
    let head = ["bulk", &all, "every move made", &all];
    writeln!(
        text,
        "{:<16}{:>8}{:>12}{:>18}{:>12}",
        "", head[0], head[1], head[2], head[3]
    )
    .expect("a string can be written to");
    for classic in &CLASSICS {
        let position = fen::parse(classic.fen).expect("the classics are legal");
        let plain = counter.bulk(false);
        let cells = [
            (counter, classic.bulk, false),
            (counter, classic.bulk, true),
            (plain, classic.no_bulk, false),
            (plain, classic.no_bulk, true),
        ];
        let rates = cells.map(|(counter, count, parallel)| {
            let pool = parallel.then_some(pool);
            if ended() {
                0
            } else {
                rate(&position, count, &counter, pool)
            }
        });
        if ended() {
            text.push_str("INTERRUPTED\n");
            break;
        }
        let [bulk, bulk_all, plain, plain_all] = rates.map(grouped);
        writeln!(
            text,
            "{:<16}{bulk:>8}{bulk_all:>12}{plain:>18}{plain_all:>12}",
            classic.name
        )
        .expect("a string can be written to");
    }
    text
}

/// Millions of nodes per second, as the median of several rounds.
#[expect(clippy::disallowed_methods, reason = "a benchmark reads the clock")]
fn rate(
    position: &Position,
    (depth, expected): (u32, u64),
    counter: &Counter<'_>,
    pool: Option<&rayon::ThreadPool>,
) -> u64 {
    let mut times = [Duration::ZERO; ROUNDS];
    for time in &mut times {
        let start = Instant::now();
        let counted = match pool {
            Some(pool) => pool.install(|| counter.count_parallel(position, depth)),
            None => counter.count(position, depth),
        };
        *time = start.elapsed();
        match counted {
            Ok(nodes) => assert_eq!(nodes, expected, "{}", fen::write(position)),
            Err(_) => return 0,
        }
    }
    times.sort_unstable();
    let nanoseconds = times[ROUNDS / 2].as_nanos().max(1);
    u64::try_from(u128::from(expected) * 1000 / nanoseconds).unwrap_or(u64::MAX)
}
