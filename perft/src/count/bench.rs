//! `perft bench`: nodes per second on the classic positions, every count checked.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use chess::notation::fen;
use chess::perft::Counter;
use chess::rules::Position;
use epd::suites;
use kit::output::grouped;

/// A depth and the published count there.
type Published = (u32, u64);

/// The start position, Kiwipete and positions 3 to 6 of
/// <https://www.chessprogramming.org/Perft_Results>: name, id in the suite `standard`, the count that is
/// made in bulk, and the one of which every move is made.
const CLASSICS: [(&str, &str, Published, Published); 6] = [
    (
        "start position",
        "standard.startpos",
        (6, 119_060_324),
        (5, 4_865_609),
    ),
    (
        "Kiwipete",
        "standard.kiwipete",
        (5, 193_690_690),
        (4, 4_085_603),
    ),
    (
        "position 3",
        "standard.position-3",
        (7, 178_633_661),
        (6, 11_030_083),
    ),
    (
        "position 4",
        "standard.position-4",
        (6, 706_045_033),
        (5, 15_833_292),
    ),
    (
        "position 5",
        "standard.position-5",
        (5, 89_941_194),
        (4, 2_103_487),
    ),
    (
        "position 6",
        "standard.position-6",
        (5, 164_075_551),
        (4, 3_894_594),
    ),
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
    let standard = suites::find("standard").expect("it is built in").parse();
    for (name, id, in_bulk, every_move) in CLASSICS {
        let mut records = standard.entries.iter().map(|entry| &entry.record);
        let record = records.find(|record| record.id() == Some(id));
        let position = *record.expect("the suite has the classics").position();
        let plain = counter.bulk(false);
        let cells = [
            (counter, in_bulk, false),
            (counter, in_bulk, true),
            (plain, every_move, false),
            (plain, every_move, true),
        ];
        let rates = cells.map(|(counter, count, parallel)| {
            let pool = parallel.then_some(pool);
            // The row of an interrupted count is not printed: its speed does not matter.
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
            "{name:<16}{bulk:>8}{bulk_all:>12}{plain:>18}{plain_all:>12}"
        )
        .expect("a string can be written to");
    }
    text
}

/// Millions of nodes per second, as the median of several rounds.
#[expect(clippy::disallowed_methods, reason = "a benchmark reads the clock")]
fn rate(
    position: &Position,
    (depth, expected): Published,
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
            // Only a cancel fails: these counts fit into 64 bits.
            Err(_) => return 0,
        }
    }
    // One disturbed round moves the mean, but not the median.
    times.sort_unstable();
    let nanoseconds = times[ROUNDS / 2].as_nanos().max(1);
    // One node a nanosecond is 1000 million nodes a second.
    u64::try_from(u128::from(expected) * 1000 / nanoseconds).unwrap_or(u64::MAX)
}
