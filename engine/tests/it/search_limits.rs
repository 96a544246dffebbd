//! What ends a search, and that it always ends with a move: limits, signals, clocks, mates, draws.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use chess::notation::{fen, uci_move};
use chess::rules::{CastlingMode, Game, Move, Outcome, Position};
use engine::eval::{ChessBin, EvalTrace, Evaluation};
use engine::search::chessbin::ChessBinFeatures;
use engine::search::{
    MATE, MAX_PLY, PlayerClock, Profile, PvLine, RunningClock, STACK_BYTES, ScoreBound,
    SearchLimits, SearchRequest, SearchResult, SearchSignals, SearchUpdate, Searcher, Strength,
    mate_distance,
};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// A kind of search.
#[derive(Clone, Copy, Debug)]
struct Kind {
    profile: Profile,
    threads: usize,
}

const CHESSBIN: Kind = Kind {
    profile: Profile::ChessBin,
    threads: 1,
};
const TOUCHSTONE: Kind = Kind {
    profile: Profile::Touchstone,
    threads: 1,
};
const TOGETHER: Kind = Kind {
    threads: 3,
    ..TOUCHSTONE
};

/// What holds for every search is tested for all of these.
const KINDS: [Kind; 3] = [CHESSBIN, TOUCHSTONE, TOGETHER];

/// A clock that goes on by a step whenever it is looked at, and may give a signal at some time.
struct Ticking<'a> {
    now: Cell<Duration>,
    step: Duration,
    signal: Option<(Duration, &'a dyn Fn())>,
}

impl<'a> Ticking<'a> {
    fn new(step_ms: u64) -> Self {
        Self {
            now: Cell::new(Duration::ZERO),
            step: Duration::from_millis(step_ms),
            signal: None,
        }
    }

    fn with_signal(step_ms: u64, at_ms: u64, signal: &'a dyn Fn()) -> Self {
        Self {
            signal: Some((Duration::from_millis(at_ms), signal)),
            ..Self::new(step_ms)
        }
    }

    fn now_ms(&self) -> u128 {
        self.now.get().as_millis()
    }
}

impl RunningClock for Ticking<'_> {
    fn elapsed(&self) -> Duration {
        let now = self.now.get() + self.step;
        self.now.set(now);
        if let Some((at, signal)) = self.signal
            && now >= at
        {
            signal();
        }
        now
    }
}

fn game(text: &str, moves: &str) -> Game {
    let mut game = Game::new(fen::parse(text).expect("legal"));
    for text in moves.split_whitespace() {
        let m = uci_move::parse(text, game.position(), CastlingMode::Standard).expect("legal");
        game.play(m).expect("legal");
    }
    game
}

fn move_of(position: &Position, text: &str) -> Move {
    uci_move::parse(text, position, CastlingMode::Standard).expect("legal")
}

/// Searches with a table of its own and gives what was found and reported.
fn run(
    kind: Kind,
    game: &Game,
    limits: &SearchLimits,
    signals: &SearchSignals,
    clock: &dyn RunningClock,
) -> (SearchResult, Vec<SearchUpdate>) {
    let mut searcher = Searcher::new(1).expect("a MiB is there");
    run_with((&mut searcher, kind), game, limits, signals, clock)
}

fn run_with(
    (searcher, kind): (&mut Searcher, Kind),
    game: &Game,
    limits: &SearchLimits,
    signals: &SearchSignals,
    clock: &dyn RunningClock,
) -> (SearchResult, Vec<SearchUpdate>) {
    let limits = SearchLimits {
        threads: kind.threads,
        ..limits.clone()
    };
    let request = SearchRequest {
        game,
        limits: &limits,
        signals,
        clock,
    };
    let mut reports = Vec::new();
    let found = searcher.search(kind.profile, request, &mut |report| {
        reports.push(report.clone());
    });
    (found, reports)
}

/// A search without signals.
fn timed(
    kind: Kind,
    game: &Game,
    limits: &SearchLimits,
    clock: &Ticking<'_>,
) -> (SearchResult, Vec<SearchUpdate>) {
    run(kind, game, limits, &SearchSignals::new(false), clock)
}

/// A search whose clock stands still.
fn search(kind: Kind, game: &Game, limits: &SearchLimits) -> (SearchResult, Vec<SearchUpdate>) {
    timed(kind, game, limits, &Ticking::new(0))
}

fn found(kind: Kind, game: &Game, limits: &SearchLimits) -> SearchResult {
    search(kind, game, limits).0
}

fn lines(reports: &[SearchUpdate]) -> Vec<&PvLine> {
    let all = reports.iter().filter_map(|report| match report {
        SearchUpdate::Line(line) => Some(line),
        SearchUpdate::CurrentMove { .. } => None,
    });
    all.collect()
}

#[test]
fn a_node_limit_is_never_exceeded_and_always_gives_a_move() {
    for kind in KINDS {
        for text in [START, KIWIPETE, "8/8/8/8/8/4k3/4p3/4K3 w - - 0 1"] {
            let game = game(text, "");
            for nodes in (0..100).chain([255, 256, 257, 1000, 4096, 20_000]) {
                let limits = SearchLimits {
                    depth: Some(30),
                    ..SearchLimits::to_nodes(nodes)
                };
                let (found, reports) = search(kind, &game, &limits);
                assert!(found.nodes <= nodes, "{} of {nodes}", found.nodes);
                let is_legal = found.best.is_some_and(|m| game.position().is_legal(m));
                assert_eq!(is_legal, game.position().legal_move_count() > 0);
                // Nobody is given a move without having heard a score for it.
                let last = lines(&reports).last().map(|line| line.pv[0]);
                assert_eq!(last, found.best, "{nodes} nodes");
            }
        }
    }
}

#[test]
fn the_same_nodes_give_the_same_search() {
    for kind in [CHESSBIN, TOUCHSTONE] {
        let limits = SearchLimits {
            multipv: 2,
            ..SearchLimits::to_nodes(30_000)
        };
        let mut searcher = Searcher::new(1).expect("a MiB is there");
        let game = game(KIWIPETE, "");
        let mut search = || {
            searcher.clear();
            run_with(
                (&mut searcher, kind),
                &game,
                &limits,
                &SearchSignals::new(false),
                &Ticking::new(0),
            )
        };
        let first = search();
        assert_eq!(first.0.nodes, 30_000);
        assert!(lines(&first.1).len() >= 4);
        assert_eq!(search(), first);
        // What several threads leave behind is forgotten by `clear`.
        let together = SearchLimits {
            threads: 3,
            ..limits.clone()
        };
        searcher.search(
            kind.profile,
            SearchRequest::new(&game, &together),
            &mut |_| {},
        );
        searcher.clear();
        let again = run_with(
            (&mut searcher, kind),
            &game,
            &limits,
            &SearchSignals::new(false),
            &Ticking::new(0),
        );
        assert_eq!(again, first);
    }
}

/// A fault of the first thread is seen, not waited for: the helpers know no end of their own.
#[test]
fn a_panic_ends_the_search() {
    let mut searcher = Searcher::new(1).expect("a MiB is there");
    let game = game(KIWIPETE, "");
    let limits = SearchLimits {
        threads: 3,
        ..SearchLimits::default()
    };
    let request = SearchRequest::new(&game, &limits);
    let result = catch_unwind(AssertUnwindSafe(|| {
        searcher.search(Profile::Touchstone, request, &mut |report| {
            assert!(!matches!(report, SearchUpdate::Line(line) if line.depth > 2));
        })
    }));
    assert!(result.is_err());
}

/// What a search of one kind has found is not what another kind calls a value.
#[test]
fn another_kind_of_search_begins_with_an_empty_table() {
    let game = game(KIWIPETE, "");
    let limits = SearchLimits::to_depth(4);
    let request = SearchRequest::new(&game, &limits);
    let mut searcher = Searcher::new(1).expect("a MiB is there");
    let alone = searcher.search(Profile::ChessBin, request, &mut |_| {});
    searcher.clear();
    searcher.search(Profile::Touchstone, request, &mut |_| {});
    let after = searcher.search(Profile::ChessBin, request, &mut |_| {});
    assert_eq!(after, alone);
}

#[test]
fn a_search_that_is_stopped_before_it_begins_gives_a_move() {
    for kind in KINDS {
        let signals = SearchSignals::new(false);
        signals.stop();
        for text in [START, KIWIPETE] {
            let game = game(text, "");
            let (found, _) = run(
                kind,
                &game,
                &SearchLimits::default(),
                &signals,
                &Ticking::new(0),
            );
            assert!(found.best.is_some_and(|m| game.position().is_legal(m)));
            // How far helpers come meanwhile is a matter of time.
            assert!(found.nodes < 1000 || kind.threads > 1, "{}", found.nodes);
        }
    }
}

#[test]
fn where_no_move_is_legal_none_is_found() {
    for kind in KINDS {
        let mated = game(
            "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
            "",
        );
        let stalemate = game("4k3/4P3/4K3/8/8/8/8/8 b - - 0 1", "");
        for (game, value) in [(mated, -MATE), (stalemate, 0)] {
            let found = found(kind, &game, &SearchLimits::to_depth(3));
            assert_eq!((found.best, found.value, found.depth), (None, value, 0));
        }
    }
}

#[test]
fn a_draw_on_the_board_is_played_on() {
    for kind in KINDS {
        let repeated = game(START, &"g1f3 g8f6 f3g1 f6g8 ".repeat(3));
        let fifty = game("8/8/4k3/8/8/R2K4/8/8 w - - 120 90", "");
        let bare = game("8/8/4k3/8/8/3K4/8/8 w - - 0 1", "");
        for game in [repeated, fifty, bare] {
            let found = found(kind, &game, &SearchLimits::to_depth(4));
            assert!(found.best.is_some_and(|m| game.position().is_legal(m)));
            assert_eq!(found.depth, 4);
        }
    }
}

#[test]
fn every_finished_iteration_is_reported() {
    for kind in KINDS {
        let game = game(KIWIPETE, "");
        let (found, reports) = search(kind, &game, &SearchLimits::to_depth(4));
        let reported: Vec<u32> = lines(&reports).iter().map(|line| line.depth).collect();
        assert_eq!(reported, [1, 2, 3, 4]);
        let last = lines(&reports)[3];
        assert_eq!((found.best, found.value), (Some(last.pv[0]), last.value));
        assert_eq!(found.ponder, Some(last.pv[1]));
        assert!(last.seldepth > 4 && last.nodes == found.nodes);
    }
}

/// A search ends with as many lines as are wanted, also after a limit or a stop.
#[test]
fn an_unfinished_iteration_gives_all_lines() {
    for kind in KINDS {
        let game = game(KIWIPETE, "");
        for (multipv, nodes) in (1..9).zip([1, 2, 20, 60, 500, 3_000, 9_000, 20_000]) {
            for multipv in [multipv, 4, 48, 60] {
                let limits = SearchLimits {
                    multipv,
                    ..SearchLimits::to_nodes(nodes)
                };
                let (found, reports) = search(kind, &game, &limits);
                let all = lines(&reports);
                let count = multipv.min(48);
                assert_eq!(all.len() % count, 0, "{kind:?} {multipv} {nodes}");
                let last = &all[all.len() - count..];
                assert_eq!(found.best, Some(last[0].pv[0]));
                assert_eq!((found.value, found.depth), (last[0].value, last[0].depth));
                let mut firsts: Vec<Move> = last.iter().map(|line| line.pv[0]).collect();
                firsts.sort_unstable();
                firsts.dedup();
                assert_eq!(firsts.len(), count, "{kind:?} {multipv} {nodes}: {last:?}");
                assert!(last.is_sorted_by_key(|line| -line.value), "{last:?}");
                assert!(last.iter().map(|line| line.multipv).eq(1..=count));
                if nodes == 1 {
                    // Nothing is known of moves that have not been searched.
                    let mut others = last[1..].iter();
                    assert!(others.all(|line| (line.depth, line.bound) == (0, None)));
                }
            }
        }
    }
}

#[test]
fn long_iterations_report_better_lines_and_bounds() {
    let mut bounds = [0, 0];
    for text in [START, KIWIPETE, "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"] {
        let game = game(text, "");
        let limits = SearchLimits::to_depth(11);
        let search = |step_ms| timed(TOUCHSTONE, &game, &limits, &Ticking::new(step_ms));
        let (found, quick) = search(0);
        let depths: Vec<u32> = lines(&quick).iter().map(|line| line.depth).collect();
        assert!(depths.iter().copied().eq(1..=11), "{depths:?}");
        assert!(lines(&quick).iter().all(|line| line.bound.is_none()));
        let (slow_found, slow) = search(10);
        assert_eq!(slow_found, found, "reporting changes nothing");
        let slow = lines(&slow);
        assert!(slow.len() > 11, "{slow:?}");
        assert!(slow.is_sorted_by_key(|line| line.depth));
        for pair in slow.windows(2) {
            let is_within = pair[0].depth == pair[1].depth;
            assert!(!is_within || pair[0].elapsed >= Duration::from_secs(1));
        }
        for line in slow {
            match line.bound {
                None => {}
                Some(ScoreBound::Lower) => bounds[0] += 1,
                Some(ScoreBound::Upper) => bounds[1] += 1,
            }
            assert!(line.elapsed >= Duration::from_secs(1) || line.bound.is_none());
            assert!(game.position().is_legal(line.pv[0]));
        }
    }
    assert!(bounds.iter().all(|&count| count > 0), "{bounds:?}");
}

/// All together, and not after every pass: there may be 218 of them.
#[test]
fn long_iterations_report_several_lines_once_a_second() {
    let limits = SearchLimits {
        multipv: 48,
        ..SearchLimits::to_depth(4)
    };
    for kind in [CHESSBIN, TOUCHSTONE] {
        let clock = Ticking::new(5);
        let game = game(KIWIPETE, "");
        let (_, reports) = timed(kind, &game, &limits, &clock);
        let all = lines(&reports);
        assert_eq!(all.len() % 48, 0);
        let groups = all.len() / 48;
        // Each of the four iterations, and at most one a second besides.
        let seconds = usize::try_from(clock.now_ms() / 1_000).expect("short");
        assert!(
            (5..=seconds + 4).contains(&groups),
            "{groups} in {seconds} s"
        );
    }
}

#[test]
fn the_move_being_searched_is_reported_after_some_seconds() {
    let game = game(KIWIPETE, "");
    let (limits, clock) = (SearchLimits::to_depth(3), Ticking::new(50));
    let (_, reports) = timed(CHESSBIN, &game, &limits, &clock);
    let is_early = |report: &SearchUpdate| match report {
        SearchUpdate::CurrentMove { elapsed, .. } => *elapsed < Duration::from_secs(3),
        SearchUpdate::Line(_) => false,
    };
    assert!(!reports.iter().any(is_early));
    let moves = reports.len() - lines(&reports).len();
    assert!(moves > 0 && moves < 3 * 48, "{moves}");
}

/// Each move of several lines has the value that it has alone.
#[test]
fn several_lines_are_those_of_the_best_moves() {
    let game = game(KIWIPETE, "");
    let limits = SearchLimits {
        multipv: 48,
        ..SearchLimits::to_depth(2)
    };
    let (_, reports) = search(CHESSBIN, &game, &limits);
    let all = lines(&reports);
    for line in &all[all.len() - 48..] {
        let alone = SearchLimits {
            searchmoves: vec![line.pv[0]],
            ..SearchLimits::to_depth(2)
        };
        let value = found(CHESSBIN, &game, &alone).value;
        assert_eq!(value, line.value, "{:?}", line.pv);
    }
}

#[test]
fn a_clock_ends_the_search() {
    for kind in KINDS {
        let game = game(START, "");
        for (remaining_ms, at_most) in
            [(60_000, 7_500), (1_000, 100), (10, 60), (0, 60), (-500, 60)]
        {
            let limits = with_clock(remaining_ms);
            let clock = Ticking::new(1);
            let (found, _) = timed(kind, &game, &limits, &clock);
            assert!(found.best.is_some());
            assert!(
                clock.now_ms() <= at_most,
                "{remaining_ms}: {}",
                clock.now_ms()
            );
        }
    }
}

#[test]
fn time_for_the_move_is_used_and_kept_to() {
    for kind in [CHESSBIN, TOUCHSTONE] {
        let limits = SearchLimits {
            movetime: Some(Duration::from_millis(300)),
            overhead: Duration::from_millis(20),
            ..SearchLimits::default()
        };
        let clock = Ticking::new(1);
        let (found, _) = timed(kind, &game(START, ""), &limits, &clock);
        assert!(found.best.is_some());
        assert!((280..290).contains(&clock.now_ms()), "{}", clock.now_ms());
    }
}

/// The time at which a search ended that was pondering up to `hit_ms`, in milliseconds.
fn end_of_pondering(kind: Kind, game: &Game, limits: &SearchLimits, hit_ms: u64) -> u128 {
    let signals = SearchSignals::new(true);
    let hit = || signals.ponderhit();
    let clock = Ticking::with_signal(1, hit_ms, &hit);
    let (found, _) = run(kind, game, limits, &signals, &clock);
    assert!(found.best.is_some());
    clock.now_ms()
}

fn with_clock(remaining_ms: i64) -> SearchLimits {
    SearchLimits {
        clock: Some(PlayerClock {
            remaining_ms,
            ..PlayerClock::default()
        }),
        ..SearchLimits::default()
    }
}

#[test]
fn after_a_long_ponder_the_hit_is_answered_at_once() {
    // No iteration begins after 17 ms, and none goes on after 85 ms.
    let limits = with_clock(1_000);
    for kind in KINDS {
        for hit_ms in [500, 2_000] {
            let end = end_of_pondering(kind, &game(START, ""), &limits, hit_ms);
            let hit = u128::from(hit_ms);
            // The clock is looked at for each of the 20 root moves, and what other threads have left
            // in the table may answer all of them before the next poll.
            let looks = if kind.threads > 1 { 5 + 20 } else { 5 };
            assert!((hit..hit + looks).contains(&end), "{kind:?}: {end}");
        }
    }
}

#[test]
fn a_hit_before_the_time_is_up_leaves_the_rest_of_it() {
    let limits = with_clock(20_000);
    for kind in [CHESSBIN, TOUCHSTONE] {
        let game = game(KIWIPETE, "");
        let clock = Ticking::new(1);
        timed(kind, &game, &limits, &clock);
        let without = clock.now_ms();
        assert!(without > 200, "{without}");
        for hit_ms in [1, 50, 200] {
            let end = end_of_pondering(kind, &game, &limits, hit_ms);
            assert!(end.abs_diff(without) < 5, "{kind:?}: {end}, {without}");
        }
    }
}

/// An iteration of a search with nothing to find may be long.
#[test]
fn a_settled_search_is_answered_at_the_ponderhit() {
    let limits = with_clock(600_000);
    for kind in KINDS {
        let only = game("7k/8/8/8/8/8/r7/K6r w - - 0 1", "");
        let end = end_of_pondering(kind, &only, &limits, 900);
        assert!((900..905).contains(&end), "{kind:?}: {end}");
    }
}

#[test]
fn time_for_the_move_runs_from_the_hit() {
    let limits = SearchLimits {
        movetime: Some(Duration::from_millis(300)),
        ..SearchLimits::default()
    };
    for kind in [CHESSBIN, TOUCHSTONE] {
        let end = end_of_pondering(kind, &game(START, ""), &limits, 2_000);
        assert!((2_290..2_310).contains(&end), "{end}");
    }
}

#[test]
fn a_stop_ends_pondering() {
    for kind in KINDS {
        let signals = SearchSignals::new(true);
        let stop = || signals.stop();
        let clock = Ticking::with_signal(1, 500, &stop);
        let (found, _) = run(
            kind,
            &game(START, ""),
            &SearchLimits::default(),
            &signals,
            &clock,
        );
        assert!(found.best.is_some());
        assert!(clock.now_ms() < 560, "{}", clock.now_ms());
    }
}

#[test]
fn with_a_clock_the_only_move_is_played_at_once() {
    for kind in KINDS {
        let game = game("7k/8/8/8/8/8/r7/K6r w - - 0 1", "");
        let one = game.position().legal_move_count() == 1;
        assert!(one);
        let limits = with_clock(600_000);
        assert_eq!(found(kind, &game, &limits).depth, 1);
        assert_eq!(found(kind, &game, &SearchLimits::to_depth(5)).depth, 5);
    }
}

/// The suites of forced mates: FEN and the number of moves.
fn mates() -> Vec<(&'static str, u32)> {
    let suites = [
        include_str!("../../../epd/suites/tactics/mate-in-1.epd"),
        include_str!("../../../epd/suites/tactics/mate-in-2.epd"),
        include_str!("../../../epd/suites/tactics/mate-in-3.epd"),
        include_str!("../../../epd/suites/tactics/mate-in-4.epd"),
    ];
    let lines = suites.iter().flat_map(|suite| suite.lines());
    lines.filter_map(read_mate).collect()
}

fn read_mate(line: &str) -> Option<(&str, u32)> {
    let (_, after) = line.split_once("dm ")?;
    let moves = after.split_once(';')?.0.parse().ok()?;
    // An EPD record begins with four fields; `fen` wants them with or without the clocks.
    let end = line.match_indices(' ').nth(3)?.0;
    Some((&line[..end], moves))
}

/// The kinds of search side by side.
#[test]
fn forced_mates_are_found_and_given() {
    std::thread::scope(|scope| {
        for kind in KINDS {
            scope.spawn(move || check_forced_mates(kind));
        }
    });
}

fn check_forced_mates(kind: Kind) {
    let all = mates();
    assert!(all.len() > 200, "{}", all.len());
    let mut searcher = Searcher::new(16).expect("16 MiB are there");
    for (text, moves) in testkit::some(all, 30) {
        let mut game = game(&format!("{text} 0 1"), "");
        let plies = i32::try_from(2 * moves).expect("short") - 1;
        let limits = SearchLimits {
            mate: Some(moves),
            ..SearchLimits::default()
        };
        let (signals, clock) = (SearchSignals::new(false), Ticking::new(0));
        let (found, reports) = run_with((&mut searcher, kind), &game, &limits, &signals, &clock);
        assert_eq!(found.value, MATE - plies, "{kind:?} {text}");
        let line = lines(&reports)[lines(&reports).len() - 1].clone();
        assert_eq!(line.pv.len(), usize::try_from(plies).expect("short"));
        let winner = game.position().side_to_move();
        for m in line.pv {
            game.play(m).expect("a line is legal");
        }
        let mated = Some(Outcome::Checkmate { winner });
        assert_eq!(game.outcome(), mated, "{kind:?} {text}");
    }
}

#[test]
fn a_mate_that_is_not_there_ends_at_its_depth() {
    for kind in KINDS {
        let limits = SearchLimits {
            mate: Some(2),
            ..SearchLimits::default()
        };
        let found = found(kind, &game(START, ""), &limits);
        assert_eq!(found.depth, 3);
        assert_eq!(mate_distance(found.value), None);
        assert!(found.best.is_some());
    }
}

#[test]
fn the_worse_side_repeats_the_position() {
    for kind in KINDS {
        // A rook down, White checks for ever from e8 and h5.
        let worse = "6k1/6p1/8/7Q/8/8/qr6/7K w - - 0 1";
        // Profile Touchstone sees the draw before the first repetition.
        let before = found(kind, &game(worse, ""), &SearchLimits::to_depth(3)).value;
        let is_seen = kind.profile == Profile::Touchstone && before == 0;
        assert!(before < -300 || is_seen, "{before}");
        let twice = game(worse, "h5e8 g8h7 e8h5 h7g8");
        let found = found(kind, &twice, &SearchLimits::to_depth(4));
        assert_eq!(found.value, 0);
        assert_eq!(found.best, Some(move_of(twice.position(), "h5e8")));
    }
}

#[test]
fn the_better_side_avoids_repetition() {
    for kind in KINDS {
        let start = "6k1/5ppp/8/8/8/8/R4PPP/6K1 w - - 0 40";
        let game = game(start, &"a2a3 g8f8 a3a2 f8g8 ".repeat(2));
        let drawn = move_of(game.position(), "a2a3");
        let limits = SearchLimits {
            searchmoves: vec![drawn],
            ..SearchLimits::to_depth(3)
        };
        assert_eq!(found(kind, &game, &limits).value, 0);
        let found = found(kind, &game, &SearchLimits::to_depth(3));
        assert!(found.value > 300, "{}", found.value);
        assert_ne!(found.best, Some(drawn));
    }
}

#[test]
fn the_fifty_move_rule_counts() {
    for kind in KINDS {
        // Only a pawn move wins on.
        let better = game("8/8/8/8/4k3/7P/8/R3K3 w - - 99 90", "");
        let pawn_move = found(kind, &better, &SearchLimits::to_depth(2));
        assert!(pawn_move.value > 300, "{}", pawn_move.value);
        assert_eq!(pawn_move.best, Some(move_of(better.position(), "h3h4")));
        let worse = game("8/8/8/8/4k3/7P/8/R3K3 b - - 99 90", "");
        assert_eq!(found(kind, &worse, &SearchLimits::to_depth(3)).value, 0);
        let mate = game("7k/8/6K1/8/8/8/8/R7 w - - 99 90", "");
        assert_eq!(
            found(kind, &mate, &SearchLimits::to_depth(3)).value,
            MATE - 1
        );
    }
}

#[test]
fn a_weaker_search_is_the_same_each_time_and_smaller() {
    let game = game(KIWIPETE, "");
    let mut before = 0;
    for elo in [500, 1000, 1500] {
        let limits = SearchLimits {
            strength: Strength::from_elo(elo),
            ..SearchLimits::default()
        };
        let weak = found(CHESSBIN, &game, &limits);
        assert_eq!(found(CHESSBIN, &game, &limits), weak);
        assert!(weak.best.is_some() && weak.nodes > before);
        before = weak.nodes;
    }
}

/// An evaluation that notes how deep in the stack it is called.
struct StackMeter {
    lowest: Cell<usize>,
    highest: Cell<usize>,
}

impl Evaluation for StackMeter {
    fn evaluate(&self, position: &Position) -> i32 {
        let here = 0_u8;
        let address = (&raw const here).addr();
        self.lowest.set(self.lowest.get().min(address));
        self.highest.set(self.highest.get().max(address));
        ChessBin.evaluate(position)
    }

    fn trace(&self, position: &Position) -> EvalTrace {
        ChessBin.trace(position)
    }
}

#[test]
fn the_stack_suffices_for_the_longest_line() {
    let meter = StackMeter {
        lowest: Cell::new(usize::MAX),
        highest: Cell::new(0),
    };
    let game = game(KIWIPETE, "");
    let limits = SearchLimits::to_depth(4);
    let request = SearchRequest::new(&game, &limits);
    let mut deepest = 0;
    let mut searcher = Searcher::new(1).expect("a MiB is there");
    searcher.search_with(&meter, ChessBinFeatures::CHESSBIN, request, &mut |report| {
        if let SearchUpdate::Line(line) = report {
            deepest = deepest.max(line.seldepth as usize);
        }
    });
    assert!(deepest >= 10);
    // Evaluations were made at plies from 1 to the deepest.
    let bytes = (meter.highest.get() - meter.lowest.get()) / (deepest - 1);
    assert!(bytes > 100, "{bytes}");
    assert!(bytes * MAX_PLY * 2 < STACK_BYTES, "{bytes} bytes a ply");
}
