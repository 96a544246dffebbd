//! python-chess as a judge of what is read in endgame tables, on positions of at most four pieces.
//!
//! `scripts/test` installs it into `.venv`, with the tables that its source package carries, and
//! switches on the feature `oracles`.

use std::fmt::Write as _;
use std::sync::{Arc, LazyLock};

use chess::notation::fen;
use chess::rules::{Color, Game, Move, Outcome, Piece, PieceType, Position, Setup};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tablebase::{Probing, RootRank, Tablebase, Wdl};
use testkit::python::ask;

/// How many positions are asked about, unless `TOUCHSTONE_POSITIONS` says otherwise.
const POSITIONS: u64 = 2_000;

const TABLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../.venv/syzygy");

/// The tables of this process, of which there can be one only.
static TABLEBASE: LazyLock<Arc<Tablebase>> = LazyLock::new(|| {
    let tables = Tablebase::open(TABLES);
    Arc::new(tables.expect("scripts/test puts the tables into .venv"))
});

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

fn wanted_positions() -> u64 {
    testkit::setting("TOUCHSTONE_POSITIONS", POSITIONS)
}

fn number(wdl: Wdl) -> i32 {
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
    match rank.dtz() {
        Some(dtz) => format!("{m}={},{dtz}", number(rank.wdl())),
        None => format!("{m}={}", number(rank.wdl())),
    }
}

/// A legal position of two kings and at most two pieces.
fn random_position(rng: &mut ChaCha8Rng) -> Position {
    loop {
        let mut setup = Setup::empty();
        let pieces = if rng.random_range(0..8) == 0 {
            passing_pawns(rng)
        } else {
            random_pieces(rng)
        };
        for (piece, square) in pieces {
            setup.board[square] = Some(piece);
        }
        for color in Color::ALL {
            setup.board[rng.random_range(0..64)] = Some(Piece::new(color, PieceType::King));
        }
        setup.side_to_move = Color::ALL[rng.random_range(0..2)];
        setup.halfmove_clock = [0, 0, rng.random_range(0..=100)][rng.random_range(0..3)];
        if let Ok(position) = Position::from_setup(setup) {
            return position;
        }
    }
}

fn random_pieces(rng: &mut ChaCha8Rng) -> Vec<(Piece, usize)> {
    let count = rng.random_range(1..=2);
    let piece = |_| {
        let color = Color::ALL[rng.random_range(0..2)];
        let kind = PieceType::ALL[rng.random_range(0..5)];
        (Piece::new(color, kind), rng.random_range(0..64))
    };
    (0..count).map(piece).collect()
}

/// Two pawns on neighbouring files, of which one can pass the other by a double step.
fn passing_pawns(rng: &mut ChaCha8Rng) -> Vec<(Piece, usize)> {
    let pawn = |color| Piece::new(color, PieceType::Pawn);
    let (white, black) = [(8, 24), (32, 48)][rng.random_range(0..2)];
    let file = rng.random_range(0..7);
    let (left, right) = [(0, 1), (1, 0)][rng.random_range(0..2)];
    vec![
        (pawn(Color::White), white + file + left),
        (pawn(Color::Black), black + file + right),
    ]
}

/// A move for a random game; a pawn's double step often, for what is taken en passant.
fn random_move(position: &Position, rng: &mut ChaCha8Rng) -> Option<Move> {
    let moves = position.legal_moves();
    let is_double = |m: &&Move| position.play_unchecked(**m).legal_ep_square().is_some();
    let double = moves.iter().find(is_double).copied();
    double.or_else(|| moves.choose(rng).copied())
}

fn random_positions(rng: &mut ChaCha8Rng, count: u64) -> Vec<Position> {
    let mut positions = Vec::new();
    while (positions.len() as u64) < count {
        let mut position = random_position(rng);
        for _ in 0..4 {
            positions.push(position);
            let Some(m) = random_move(&position, rng) else {
                break;
            };
            position = position.play_unchecked(m);
        }
    }
    positions
}

/// What is judged without its distances. A win is one at a clock of 0 up to 100 plies.
fn by_result(judged: &str) -> String {
    let field = |field: &str| match field.split_once('=') {
        Some((m, rest)) => {
            let (_, dtz) = rest.split_once(',').expect("a result and a distance");
            let dtz: i32 = dtz.parse().expect("a number");
            let wdl = if dtz.abs() <= 100 { 2 } else { 1 };
            format!("{m}={}", wdl * dtz.signum())
        }
        None => field.to_owned(),
    };
    judged.split('|').map(field).collect::<Vec<_>>().join("|")
}

/// Four threads ask at once, the first of them while the tables are still being opened.
#[test]
fn python_chess_agrees() {
    const SEED: u64 = 1;
    let count = wanted_positions();
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
        // Without distances the result of every move is compared as it is at a clock of 0.
        let is_by_result = !described.contains(',') && judged.contains(',');
        let expected = if is_by_result {
            by_result(judged)
        } else {
            judged.to_owned()
        };
        assert_eq!(described, expected, "{}", fen::write(position));
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
    let count = wanted_positions() / 5;
    println!("seed {SEED}, {count} games");
    let mut rng = ChaCha8Rng::seed_from_u64(SEED);
    let mut wins = 0;
    for _ in 0..count {
        let start = random_position(&mut rng);
        if Color::ALL
            .iter()
            .all(|&color| !start.pieces(color, PieceType::Pawn).is_empty())
        {
            // A pawn may pass another, and then distances are not known.
            continue;
        }
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
            Wdl::Win => Some(start.side_to_move()),
            Wdl::Loss => Some(!start.side_to_move()),
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
    for position in random_positions(&mut rng, wanted_positions()) {
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
