//! python-chess as a judge.

use std::fmt::Write as _;
use std::sync::Arc;

use chacha20::ChaCha8Rng;
use chess::notation::fen;
use chess::rules::{Game, Move, Outcome, Position};
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use tablebase::{Probing, RootRank, TablebaseWdl};
use testkit::python::ask;
use testkit::scale;

use super::{TABLEBASE, TABLES, random_position, random_positions};

/// Reads FENs, prints for each: the result at a halfmove clock of 0, from -2 to 2, and every legal
/// move with result and distance, the clock regarded.
const JUDGE: &str = r#"
import sys, chess, chess.syzygy
tables = chess.syzygy.open_tablebase(sys.stdin.readline().strip())

def sign(value):
    return (value > 0) - (value < 0)

def distance(board):
    """Of the move made last, for the side that made it."""
    if board.is_checkmate():
        return 1
    if board.halfmove_clock == 0:
        return [-1, -101, 0, 101, 1][2 - tables.probe_wdl(board)]
    after = -tables.probe_dtz(board)
    return after + sign(after)

for line in sys.stdin:
    board = chess.Board(line.strip())
    clock = board.halfmove_clock
    fields = [str(tables.probe_wdl(board))]
    for move in sorted(board.legal_moves, key=lambda move: move.uci()):
        board.push(move)
        dtz = distance(board)
        board.pop()
        wdl = sign(dtz) * (2 if abs(dtz) + clock <= 100 else 1)
        fields.append(f"{move.uci()}={wdl},{dtz}")
    print(*fields, sep="|")
"#;

fn number(wdl: TablebaseWdl) -> i32 {
    wdl as i32 - 2
}

fn describe(position: &Position) -> String {
    let wdl = TABLEBASE.probe_wdl_at_zero(position).expect("a table");
    let ranks = TABLEBASE.probe_root(position).expect("tables");
    let mut moves: Vec<String> = ranks.into_iter().map(describe_move).collect();
    moves.sort();
    let mut text = number(wdl).to_string();
    for m in moves {
        write!(text, "|{m}").expect("a string takes all");
    }
    text
}

fn describe_move((m, rank): (Move, RootRank)) -> String {
    let dtz = rank.dtz().expect("there are all DTZ tables");
    format!("{m}={},{dtz}", number(rank.wdl()))
}

/// Four threads ask at once, the first of them while the tables are still being opened.
#[test]
fn python_chess_agrees() {
    const SEED: u64 = 1;
    let count = scale(200, 2_000);
    println!("seed {SEED}, {count} positions");
    let positions = random_positions(&mut ChaCha8Rng::seed_from_u64(SEED), count);
    let with_ep = positions.iter().filter(|it| it.legal_ep_square().is_some());
    assert!(with_ep.count() > 0, "something can be taken en passant");
    let mut input = format!("{TABLES}\n");
    for position in &positions {
        writeln!(input, "{}", fen::write(position)).expect("a string takes all");
    }
    let described: Vec<String> = std::thread::scope(|scope| {
        let part = positions.len().div_ceil(4);
        let parts = positions
            .chunks(part)
            .map(|part| scope.spawn(move || part.iter().map(describe).collect::<Vec<_>>()));
        let threads: Vec<_> = parts.collect();
        let parts = threads
            .into_iter()
            .map(|thread| thread.join().expect("no panic"));
        parts.flatten().collect()
    });
    let judged = ask(JUDGE, input);
    assert_eq!(judged.lines().count(), positions.len());
    for ((position, described), judged) in positions.iter().zip(described).zip(judged.lines()) {
        assert_eq!(described, judged, "{}", fen::write(position));
    }
}

fn probing() -> Probing {
    Probing {
        tables: Arc::clone(&TABLEBASE),
        min_depth: 1,
        max_pieces: 7,
        fifty_moves: true,
    }
}

/// Whichever of the moves that give nothing away is played, and whatever the other side does, the
/// game ends as the tables said at its start.
#[test]
fn results_are_brought_home() {
    const SEED: u64 = 2;
    let count = scale(40, 400);
    println!("seed {SEED}, {count} games");
    let mut rng = ChaCha8Rng::seed_from_u64(SEED);
    let mut wins = 0;
    for _ in 0..count {
        let start = random_position(&mut rng);
        let mut game = Game::new(start);
        let Some((_, promised)) = probing().root_moves(&game) else {
            assert!(start.legal_moves().is_empty(), "{}", fen::write(&start));
            continue;
        };
        while game.outcome().is_none() && game.claimable_draw().is_none() {
            let (moves, _) = probing().root_moves(&game).expect("a table");
            let m = *moves.choose(&mut rng).expect("a move");
            game.play(m).expect("legal");
        }
        let winner = game.outcome().and_then(Outcome::winner);
        let expected = match promised {
            TablebaseWdl::Win => Some(start.side_to_move()),
            TablebaseWdl::Loss => Some(!start.side_to_move()),
            _ => None,
        };
        wins += u32::from(winner.is_some());
        assert_eq!(winner, expected, "{}", fen::write(&start));
    }
    assert!(wins > 0);
}

/// What the tables say without distances is what they say with them, at a halfmove clock of 0.
#[test]
fn values_for_a_search_obey_the_rule() {
    const SEED: u64 = 3;
    let mut rng = ChaCha8Rng::seed_from_u64(SEED);
    for position in random_positions(&mut rng, scale(200, 2_000)) {
        let at_zero = TABLEBASE.probe_wdl_at_zero(&position).expect("a table");
        let is_certain = position.halfmove_clock() == 0 || !at_zero.depends_on_clock();
        let strict = is_certain.then_some(at_zero);
        assert_eq!(TABLEBASE.probe_wdl(&position), strict);
        let expected = strict.map(|value| value.under_rule(true));
        assert_eq!(probing().value(&position, 1), expected);
        let few = Probing {
            max_pieces: 2,
            ..probing()
        };
        let deep = Probing {
            min_depth: 5,
            ..probing()
        };
        let pieces = position.occupied().count();
        assert_eq!(few.value(&position, 9).is_some(), pieces == 2 && is_certain);
        assert_eq!(deep.value(&position, 4), expected.filter(|_| pieces < 4));
        assert_eq!(deep.value(&position, 5), expected);
    }
}
