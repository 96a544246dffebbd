//! What ends a search, and that it always ends with a move: limits, signals, clocks, mates.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use chess::notation::{fen, uci_move};
use chess::rules::{CastlingMode, Game, Outcome, Position};
use engine::eval::{ChessBin, EvalTrace, Evaluation};
use engine::search::chessbin::ChessBinFeatures;
use engine::search::{
    MATE, MAX_PLY, PlayerClock, Profile, PvLine, RunningClock, STACK_BYTES, ScoreBound,
    SearchLimits, SearchRequest, SearchResult, SearchSignals, SearchUpdate, Searcher, Strength,
    mate_distance,
};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const ONE_MOVE: &str = "7k/8/8/8/8/8/r7/K6r w - - 0 1";

/// A profile and how many threads search.
type Kind = (Profile, usize);

const CHESSBIN: Kind = (Profile::ChessBin, 1);
const TOUCHSTONE: Kind = (Profile::Touchstone, 1);

/// What holds for every search is tested for all of these.
const KINDS: [Kind; 3] = [CHESSBIN, TOUCHSTONE, (Profile::Touchstone, 3)];

/// A clock that goes on by a step whenever it is looked at, and gives a signal from some time on.
struct Ticking<'a> {
    now_ms: Cell<u64>,
    step_ms: u64,
    signal: (u64, &'a dyn Fn()),
}

impl<'a> Ticking<'a> {
    fn new(step_ms: u64) -> Self {
        Self::with_signal(step_ms, u64::MAX, &|| ())
    }

    fn with_signal(step_ms: u64, at_ms: u64, signal: &'a dyn Fn()) -> Self {
        Self {
            now_ms: Cell::new(0),
            step_ms,
            signal: (at_ms, signal),
        }
    }
}

impl RunningClock for Ticking<'_> {
    fn elapsed(&self) -> Duration {
        let now_ms = self.now_ms.get() + self.step_ms;
        self.now_ms.set(now_ms);
        if now_ms >= self.signal.0 {
            self.signal.1();
        }
        Duration::from_millis(now_ms)
    }
}

/// A game from a FEN on.
pub(crate) fn game(text: &str, moves: &str) -> Game {
    let mut game = Game::new(fen::parse(text).expect("legal"));
    for text in moves.split_whitespace() {
        let m = uci_move::parse(text, game.position(), CastlingMode::Standard).expect("legal");
        game.play(m).expect("legal");
    }
    game
}

/// What a search finds, and the lines that it reports.
pub(crate) fn run(
    searcher: &mut Searcher,
    (profile, threads): Kind,
    request: SearchRequest<'_>,
) -> (SearchResult, Vec<PvLine>) {
    let limits = SearchLimits {
        threads,
        ..request.limits.clone()
    };
    let limits = &limits;
    let mut lines = Vec::new();
    let found = searcher.search(
        profile,
        SearchRequest { limits, ..request },
        &mut |update| {
            if let SearchUpdate::Line(line) = update {
                lines.push(line.clone());
            }
        },
    );
    (found, lines)
}

fn small() -> Searcher {
    Searcher::new(1).expect("a MiB is there")
}

/// A search with a table of its own, whose clock stands still.
fn search(kind: Kind, game: &Game, limits: &SearchLimits) -> (SearchResult, Vec<PvLine>) {
    run(&mut small(), kind, SearchRequest::new(game, limits))
}

/// As [`search`], with a clock that goes.
fn timed(
    kind: Kind,
    game: &Game,
    limits: &SearchLimits,
    clock: &Ticking<'_>,
) -> (SearchResult, Vec<PvLine>) {
    let request = SearchRequest::new(game, limits);
    run(&mut small(), kind, SearchRequest { clock, ..request })
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

fn with_movetime(movetime_ms: u64, overhead_ms: u64) -> SearchLimits {
    SearchLimits {
        movetime: Some(Duration::from_millis(movetime_ms)),
        overhead: Duration::from_millis(overhead_ms),
        ..SearchLimits::default()
    }
}

fn with_lines(multipv: usize, limits: SearchLimits) -> SearchLimits {
    SearchLimits { multipv, ..limits }
}

#[test]
fn the_same_nodes_give_the_same_search() {
    let limits = with_lines(2, SearchLimits::to_nodes(30_000));
    let game = game(KIWIPETE, "");
    for (profile, _) in [CHESSBIN, TOUCHSTONE] {
        let mut searcher = small();
        let mut search = |threads| {
            searcher.clear();
            let request = SearchRequest::new(&game, &limits);
            run(&mut searcher, (profile, threads), request)
        };
        let first = search(1);
        assert_eq!(first.0.nodes, 30_000);
        assert!(first.1.len() >= 4);
        assert_eq!(search(1), first);
        // What several threads leave behind is forgotten by `clear`.
        search(3);
        assert_eq!(search(1), first);
    }
}

/// A fault of the first thread is seen, not waited for: the helpers know no end of their own.
#[test]
fn a_panic_ends_the_search() {
    let limits = SearchLimits {
        threads: 3,
        ..SearchLimits::default()
    };
    let result = catch_unwind(AssertUnwindSafe(|| {
        let game = game(KIWIPETE, "");
        let request = SearchRequest::new(&game, &limits);
        small().search(Profile::Touchstone, request, &mut |report| {
            assert!(!matches!(report, SearchUpdate::Line(line) if line.depth > 2));
        })
    }));
    assert!(result.is_err());
}

/// What a search of one kind has found is not what another kind calls a value.
#[test]
fn another_kind_of_search_begins_with_an_empty_table() {
    let (game, limits) = (game(KIWIPETE, ""), SearchLimits::to_depth(4));
    let request = SearchRequest::new(&game, &limits);
    let mut searcher = small();
    run(&mut searcher, TOUCHSTONE, request);
    let after = run(&mut searcher, CHESSBIN, request);
    assert_eq!(after, search(CHESSBIN, &game, &limits));
}

#[test]
fn a_search_that_is_stopped_before_it_begins_gives_a_move() {
    let signals = &SearchSignals::new(false);
    signals.stop();
    let (game, limits) = (game(KIWIPETE, ""), SearchLimits::default());
    for kind in KINDS {
        let request = SearchRequest::new(&game, &limits);
        let (found, _) = run(&mut small(), kind, SearchRequest { signals, ..request });
        assert!(found.best.is_some_and(|m| game.position().is_legal(m)));
        // How far helpers come meanwhile is a matter of time.
        assert!(found.nodes < 1000 || kind.1 > 1, "{}", found.nodes);
    }
}

#[test]
fn every_finished_iteration_is_reported_even_if_the_game_is_drawn() {
    for kind in KINDS {
        for game in [
            game(KIWIPETE, ""),
            game(START, &"g1f3 g8f6 f3g1 f6g8 ".repeat(3)),
            game("8/8/4k3/8/8/R2K4/8/8 w - - 120 90", ""),
            game("8/8/4k3/8/8/3K4/8/8 w - - 0 1", ""),
        ] {
            let (found, lines) = search(kind, &game, &SearchLimits::to_depth(4));
            assert!(lines.iter().map(|line| line.depth).eq(1..=4), "{lines:?}");
            let last = &lines[3];
            assert_eq!((found.best, found.value), (Some(last.pv[0]), last.value));
            assert_eq!(found.ponder, last.pv.get(1).copied());
            // Helpers search on until they are stopped.
            let is_alone = kind.1 == 1;
            assert!(last.nodes == found.nodes || !is_alone && last.nodes < found.nodes);
        }
    }
}

#[test]
fn long_iterations_report_better_lines_and_bounds() {
    let mut bounds = [0, 0];
    for text in [START, KIWIPETE, "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"] {
        let (game, limits) = (game(text, ""), SearchLimits::to_depth(11));
        let search = |step_ms| timed(TOUCHSTONE, &game, &limits, &Ticking::new(step_ms));
        let (found, quick) = search(0);
        assert!(quick.iter().map(|line| line.depth).eq(1..=11), "{quick:?}");
        assert!(quick.iter().all(|line| line.bound.is_none()));
        let (slow_found, slow) = search(10);
        assert_eq!(slow_found, found, "reporting changes nothing");
        assert!(slow.len() > 11, "{slow:?}");
        assert!(slow.is_sorted_by_key(|line| line.depth));
        for pair in slow.windows(2) {
            let is_within = pair[0].depth == pair[1].depth;
            assert!(!is_within || pair[0].elapsed >= Duration::from_secs(1));
        }
        for line in slow {
            bounds[0] += usize::from(line.bound == Some(ScoreBound::Lower));
            bounds[1] += usize::from(line.bound == Some(ScoreBound::Upper));
            assert!(line.elapsed >= Duration::from_secs(1) || line.bound.is_none());
            assert!(game.position().is_legal(line.pv[0]));
        }
    }
    assert!(bounds.iter().all(|&count| count > 0), "{bounds:?}");
}

/// All together, and not after every pass: there may be 218 of them.
#[test]
fn long_iterations_report_several_lines_once_a_second() {
    for kind in [CHESSBIN, TOUCHSTONE] {
        let (clock, limits) = (Ticking::new(5), with_lines(48, SearchLimits::to_depth(4)));
        let (_, lines) = timed(kind, &game(KIWIPETE, ""), &limits, &clock);
        assert_eq!(lines.len() % 48, 0);
        // Each of the four iterations, and at most one a second besides.
        let seconds = usize::try_from(clock.now_ms.get() / 1_000).expect("short");
        let groups = lines.len() / 48;
        assert!(
            (5..=seconds + 4).contains(&groups),
            "{groups} in {seconds} s"
        );
    }
}

#[test]
fn the_move_being_searched_is_reported_after_some_seconds() {
    let (game, limits) = (game(KIWIPETE, ""), SearchLimits::to_depth(3));
    let request = SearchRequest {
        clock: &Ticking::new(50),
        ..SearchRequest::new(&game, &limits)
    };
    let mut moves = 0;
    small().search(Profile::ChessBin, request, &mut |report| {
        if let SearchUpdate::CurrentMove { elapsed, .. } = report {
            assert!(*elapsed >= Duration::from_secs(3));
            moves += 1;
        }
    });
    assert!(moves > 0 && moves < 3 * 48, "{moves}");
}

/// Each move of several lines has the value that it has alone.
#[test]
fn several_lines_are_those_of_the_best_moves() {
    let game = game(KIWIPETE, "");
    let limits = with_lines(48, SearchLimits::to_depth(2));
    let (_, lines) = search(CHESSBIN, &game, &limits);
    for line in &lines[lines.len() - 48..] {
        let alone = SearchLimits {
            searchmoves: vec![line.pv[0]],
            ..SearchLimits::to_depth(2)
        };
        let (found, _) = search(CHESSBIN, &game, &alone);
        assert_eq!(found.value, line.value, "{:?}", line.pv);
    }
}

#[test]
fn time_ends_the_search() {
    for (kinds, limits, end_ms) in [
        (&KINDS[..], with_clock(60_000), 0..=7_500),
        (&KINDS, with_clock(1_000), 0..=100),
        (&KINDS, with_clock(10), 0..=60),
        (&KINDS, with_clock(0), 0..=60),
        (&KINDS, with_clock(-500), 0..=60),
        (&KINDS[..2], with_movetime(300, 20), 280..=289),
    ] {
        for &kind in kinds {
            let clock = Ticking::new(1);
            let (found, _) = timed(kind, &game(START, ""), &limits, &clock);
            let end = clock.now_ms.get();
            assert!(found.best.is_some());
            assert!(end_ms.contains(&end), "{kind:?} {limits:?}: {end}");
        }
    }
}

/// The milliseconds after which a search ended that was pondering up to a signal.
fn end_of_pondering(
    kind: Kind,
    game: &Game,
    limits: &SearchLimits,
    signal_ms: u64,
    signal: fn(&SearchSignals),
) -> u64 {
    let signals = &SearchSignals::new(true);
    let signal = || signal(signals);
    let clock = &Ticking::with_signal(1, signal_ms, &signal);
    let request = SearchRequest {
        game,
        limits,
        signals,
        clock,
    };
    let (found, _) = run(&mut small(), kind, request);
    assert!(found.best.is_some());
    clock.now_ms.get()
}

#[test]
fn pondering_ends_with_a_hit_or_a_stop() {
    let hit: fn(&SearchSignals) = SearchSignals::ponderhit;
    for (kinds, text, limits, signal_ms, signal, end) in [
        // No iteration begins after 17 ms, and none goes on after 85 ms: a hit is answered at once.
        (&KINDS[..], START, with_clock(1_000), 500, hit, 500..=504),
        (&KINDS, START, with_clock(1_000), 2_000, hit, 2_000..=2_004),
        // So it is when there is nothing to find, in an iteration that may be long.
        (&KINDS, ONE_MOVE, with_clock(600_000), 900, hit, 900..=904),
        // Time for the move runs from the hit.
        (
            &KINDS[..2],
            START,
            with_movetime(300, 0),
            2_000,
            hit,
            2_290..=2_309,
        ),
        (
            &KINDS,
            START,
            SearchLimits::default(),
            500,
            SearchSignals::stop,
            500..=559,
        ),
    ] {
        for &kind in kinds {
            let found = end_of_pondering(kind, &game(text, ""), &limits, signal_ms, signal);
            // The clock is looked at for each of the 20 root moves, and what other threads have left
            // in the table may answer all of them before the next poll.
            let looks = if kind.1 > 1 { 20 } else { 0 };
            let end = *end.start()..=end.end() + looks;
            assert!(end.contains(&found), "{kind:?} {limits:?}: {found}");
        }
    }
    // A hit before the time is up leaves the rest of it.
    for kind in [CHESSBIN, TOUCHSTONE] {
        let (game, limits, clock) = (game(KIWIPETE, ""), with_clock(20_000), Ticking::new(1));
        timed(kind, &game, &limits, &clock);
        let without = clock.now_ms.get();
        assert!(without > 200, "{without}");
        for hit_ms in [1, 50, 200] {
            let end = end_of_pondering(kind, &game, &limits, hit_ms, hit);
            assert!(end.abs_diff(without) < 5, "{kind:?}: {end}, {without}");
        }
    }
}

/// With a clock the only move is played at once, and a mate that is not there is given up at its depth.
#[test]
fn limits_end_at_their_depth() {
    let to_mate = SearchLimits {
        mate: Some(2),
        ..SearchLimits::default()
    };
    for (text, limits, depth) in [
        (ONE_MOVE, with_clock(600_000), 1),
        (ONE_MOVE, SearchLimits::to_depth(5), 5),
        (START, to_mate, 3),
    ] {
        for kind in KINDS {
            let (found, _) = search(kind, &game(text, ""), &limits);
            assert_eq!((found.depth, mate_distance(found.value)), (depth, None));
            assert!(found.best.is_some());
        }
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
    let read = |line: &'static str| {
        let (_, after) = line.split_once("dm ")?;
        let moves = after.split_once(';')?.0.parse().ok()?;
        // An EPD record begins with four fields; `fen` wants them with or without the clocks.
        let end = line.match_indices(' ').nth(3)?.0;
        Some((&line[..end], moves))
    };
    let lines = suites.iter().flat_map(|suite| suite.lines());
    lines.filter_map(read).collect()
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
        let limits = SearchLimits {
            mate: Some(moves),
            ..SearchLimits::default()
        };
        let (found, lines) = run(&mut searcher, kind, SearchRequest::new(&game, &limits));
        let plies = i32::try_from(2 * moves).expect("short") - 1;
        assert_eq!(found.value, MATE - plies, "{kind:?} {text}");
        let pv = &lines[lines.len() - 1].pv;
        assert_eq!(pv.len(), usize::try_from(plies).expect("short"));
        let winner = game.position().side_to_move();
        for &m in pv {
            game.play(m).expect("a line is legal");
        }
        let mated = Some(Outcome::Checkmate { winner });
        assert_eq!(game.outcome(), mated, "{kind:?} {text}");
    }
}

#[test]
fn a_weaker_search_is_the_same_each_time_and_smaller() {
    let game = game(KIWIPETE, "");
    let nodes = [500, 1000, 1500].map(|elo| {
        let limits = SearchLimits {
            strength: Strength::from_elo(elo),
            ..SearchLimits::default()
        };
        let (weak, _) = search(CHESSBIN, &game, &limits);
        assert_eq!(search(CHESSBIN, &game, &limits).0, weak);
        assert!(weak.best.is_some());
        weak.nodes
    });
    assert!(nodes.is_sorted_by(|weaker, stronger| weaker < stronger));
}

/// An evaluation that notes the lowest and the highest place in the stack where it is called.
struct StackMeter(Cell<[usize; 2]>);

impl Evaluation for StackMeter {
    fn evaluate(&self, position: &Position) -> i32 {
        let here = (&raw const position).addr();
        let [lowest, highest] = self.0.get();
        self.0.set([lowest.min(here), highest.max(here)]);
        ChessBin.evaluate(position)
    }

    fn trace(&self, position: &Position) -> EvalTrace {
        ChessBin.trace(position)
    }
}

#[test]
fn the_stack_suffices_for_the_longest_line() {
    let meter = StackMeter(Cell::new([usize::MAX, 0]));
    let (game, limits) = (game(KIWIPETE, ""), SearchLimits::to_depth(4));
    let request = SearchRequest::new(&game, &limits);
    let mut deepest = 0;
    small().search_with(&meter, ChessBinFeatures::CHESSBIN, request, &mut |report| {
        if let SearchUpdate::Line(line) = report {
            deepest = deepest.max(line.seldepth as usize);
        }
    });
    assert!(deepest >= 10);
    // Evaluations were made at plies from 1 to the deepest.
    let [lowest, highest] = meter.0.get();
    let bytes = (highest - lowest) / (deepest - 1);
    assert!(bytes > 100, "{bytes}");
    assert!(bytes * MAX_PLY * 2 < STACK_BYTES, "{bytes} bytes a ply");
}
