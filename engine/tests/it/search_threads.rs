//! Several threads on one search: whatever they do to each other, the limits hold, the move is
//! legal and nothing found is lost.

use std::panic::{AssertUnwindSafe, catch_unwind};

use chess::notation::fen;
use chess::rules::{Game, Position};
use engine::search::{
    NoClock, Profile, PvLine, SearchLimits, SearchRequest, SearchResult, SearchSignals,
    SearchUpdate, Searcher,
};

/// From the opening, the middle game, the end game; a move that is forced; a mate at hand.
const POSITIONS: [&str; 5] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "7k/8/8/8/8/8/r7/K6r w - - 0 1",
    "7k/8/6K1/8/8/8/8/R7 w - - 0 1",
];

const THREADS: [usize; 3] = [2, 3, 8];

fn game(text: &str) -> Game {
    Game::new(fen::parse(text).expect("legal"))
}

fn on(threads: usize, limits: SearchLimits) -> SearchLimits {
    SearchLimits { threads, ..limits }
}

fn search(
    searcher: &mut Searcher,
    game: &Game,
    limits: &SearchLimits,
    signals: &SearchSignals,
) -> (SearchResult, Vec<PvLine>) {
    let mut lines = Vec::new();
    let found = search_reporting(searcher, game, limits, signals, &mut |line| {
        lines.push(line.clone());
    });
    (found, lines)
}

fn search_reporting(
    searcher: &mut Searcher,
    game: &Game,
    limits: &SearchLimits,
    signals: &SearchSignals,
    report_line: &mut dyn FnMut(&PvLine),
) -> SearchResult {
    let request = SearchRequest {
        game,
        limits,
        signals,
        clock: &NoClock,
    };
    searcher.search(Profile::Touchstone, request, &mut |report| {
        if let SearchUpdate::Line(line) = report {
            report_line(line);
        }
    })
}

/// The move is legal, and the one of the line that was reported last, with its value.
fn check(position: &Position, found: &SearchResult, lines: &[PvLine]) {
    let best = found.best.expect("some move is legal");
    assert!(position.is_legal(best), "{found:?}");
    let last = lines.last().expect("a move is reported with a PV");
    assert_eq!(best, last.pv[0], "{found:?}");
    assert_eq!((found.value, found.depth), (last.value, last.depth));
    let mut position = *position;
    for &m in &last.pv {
        assert!(position.is_legal(m), "{last:?}");
        position = position.play_unchecked(m);
    }
}

#[test]
fn all_together_never_exceed_the_nodes() {
    let mut searcher = Searcher::new(1).expect("a MiB is there");
    for text in POSITIONS {
        let game = game(text);
        for threads in THREADS {
            for nodes in [1, 2, 7, 8, 9, 100, 2_047, 2_048, 20_000] {
                let limits = on(threads, SearchLimits::to_nodes(nodes));
                let signals = SearchSignals::new(false);
                let (found, lines) = search(&mut searcher, &game, &limits, &signals);
                assert!(found.nodes <= nodes, "{} of {nodes}", found.nodes);
                check(game.position(), &found, &lines);
            }
        }
    }
}

#[test]
fn the_depth_limit_holds_and_the_result_is_the_last_report() {
    let mut searcher = Searcher::new(1).expect("a MiB is there");
    for text in POSITIONS {
        let game = game(text);
        for threads in THREADS {
            let limits = SearchLimits {
                threads,
                multipv: 1 + threads % 2,
                ..SearchLimits::to_depth(7)
            };
            let signals = SearchSignals::new(false);
            let (found, lines) = search(&mut searcher, &game, &limits, &signals);
            let firsts = lines.into_iter().filter(|line| line.multipv == 1);
            let firsts: Vec<PvLine> = firsts.collect();
            let depths: Vec<u32> = firsts.iter().map(|line| line.depth).collect();
            assert_eq!(depths, (1..=7).collect::<Vec<_>>(), "{text}");
            assert_eq!(found.depth, 7, "{text}");
            check(game.position(), &found, &firsts);
        }
    }
}

#[test]
fn a_stop_is_obeyed_by_all_at_once() {
    let mut searcher = Searcher::new(1).expect("a MiB is there");
    for text in &POSITIONS[..3] {
        let game = game(text);
        for threads in THREADS {
            let limits = on(threads, SearchLimits::default());
            let signals = SearchSignals::new(false);
            let mut lines = Vec::new();
            let found = search_reporting(&mut searcher, &game, &limits, &signals, &mut |line| {
                lines.push(line.clone());
                if line.depth == 4 {
                    signals.stop();
                }
            });
            check(game.position(), &found, &lines);
            // No iteration ends after the one that was reported as the signal came.
            assert_eq!(found.depth, 4, "{text}");
        }
    }
}

#[test]
fn stopped_before_it_begins_it_gives_a_move() {
    let mut searcher = Searcher::new(1).expect("a MiB is there");
    let signals = SearchSignals::new(false);
    signals.stop();
    for text in POSITIONS {
        for threads in THREADS {
            let limits = on(threads, SearchLimits::default());
            let game = game(text);
            let (found, lines) = search(&mut searcher, &game, &limits, &signals);
            check(game.position(), &found, &lines);
        }
    }
}

#[test]
fn one_thread_does_the_same_every_time() {
    let game = game(POSITIONS[1]);
    let limits = SearchLimits {
        multipv: 2,
        threads: 1,
        ..SearchLimits::to_depth(9)
    };
    let mut searcher = Searcher::new(1).expect("a MiB is there");
    let mut run = || {
        searcher.clear();
        search(&mut searcher, &game, &limits, &SearchSignals::new(false))
    };
    let first = run();
    assert_eq!(run(), first);
    // What several threads leave behind is forgotten by `clear`.
    let together = SearchLimits {
        threads: 3,
        ..limits.clone()
    };
    search(&mut searcher, &game, &together, &SearchSignals::new(false));
    searcher.clear();
    let again = search(&mut searcher, &game, &limits, &SearchSignals::new(false));
    assert_eq!(again, first);
}

#[test]
fn where_no_move_is_legal_nobody_searches() {
    let game = game("4k3/4P3/4K3/8/8/8/8/8 b - - 0 1");
    let mut searcher = Searcher::new(1).expect("a MiB is there");
    for threads in THREADS {
        let limits = on(threads, SearchLimits::default());
        let (found, lines) = search(&mut searcher, &game, &limits, &SearchSignals::new(false));
        assert_eq!((found.best, found.value, found.nodes), (None, 0, 0));
        assert!(lines.is_empty());
    }
}

/// A fault of the first thread is seen, not waited for: the helpers know no end of their own.
#[test]
fn a_panic_ends_the_search() {
    let mut searcher = Searcher::new(1).expect("a MiB is there");
    let game = game(POSITIONS[1]);
    let limits = on(3, SearchLimits::default());
    let signals = SearchSignals::new(false);
    let result = catch_unwind(AssertUnwindSafe(|| {
        search_reporting(&mut searcher, &game, &limits, &signals, &mut |line| {
            assert!(line.depth < 3, "on purpose");
        })
    }));
    assert!(result.is_err());
}

/// What a search of one kind has found is not what another kind calls a value.
#[test]
fn another_kind_of_search_begins_with_an_empty_table() {
    let game = game(POSITIONS[1]);
    let limits = SearchLimits::to_depth(4);
    let request = SearchRequest::new(&game, &limits);
    let mut searcher = Searcher::new(1).expect("a MiB is there");
    let alone = searcher.search(Profile::ChessBin, request, &mut |_| {});
    searcher.clear();
    searcher.search(Profile::Touchstone, request, &mut |_| {});
    let after = searcher.search(Profile::ChessBin, request, &mut |_| {});
    assert_eq!(after, alone);
}
