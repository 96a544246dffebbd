//! The search against a plain recursion on a mailbox board, and on known mates.

use chacha20::ChaCha8Rng;
use chess::notation::{fen, san};
use chess::rules::{Color, Piece, PieceType, Setup, Square, mailbox};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use crate::mate::*;
use crate::rows::rows;

use chess::rules::PieceType::{King, Knight, Pawn, Queen, Rook};

const SEED: u64 = 20_261_121;

/// Visits the positions of random games.
pub(super) fn visit(count: usize, mut check: impl FnMut(&Position)) {
    let mut rng = ChaCha8Rng::seed_from_u64(SEED);
    let mut position = Position::startpos();
    for _ in 0..count {
        check(&position);
        position = match position.legal_moves().choose(&mut rng) {
            Some(&m) if position.halfmove_clock() < 60 => position.play_unchecked(m),
            _ => Position::startpos(),
        };
    }
}

/// A few random pieces, Black's king in the corner: White moves and is much stronger, so that mates
/// are likely.
fn random_ending(rng: &mut ChaCha8Rng) -> Option<Position> {
    let mut setup = Setup::empty();
    setup.board[Square::H8.index()] = Some(Piece::new(Color::Black, PieceType::King));
    let mut put = |color, kind| {
        let free = |square: &Square| setup.board[square.index()].is_none();
        let squares: Vec<Square> = Square::ALL.into_iter().filter(free).collect();
        let square = squares.choose(rng).expect("most squares are free");
        setup.board[square.index()] = Some(Piece::new(color, kind));
    };
    for kind in [King, Queen, Rook, Knight, Pawn] {
        put(Color::White, kind);
    }
    put(Color::Black, Pawn);
    put(Color::Black, Rook);
    Position::from_setup(setup).ok()
}

/// The reference: whether the side to move mates in at most `moves`, by definition.
fn plainly_mates(board: &Setup, moves: u8) -> bool {
    let firsts = mailbox::legal_moves(board).into_iter();
    firsts
        .map(|m| mailbox::play(board, m))
        .any(|next| plainly_mated(&next, moves - 1))
}

/// The reference: whether the side to move is mated in at most `moves`, by definition.
fn plainly_mated(board: &Setup, moves: u8) -> bool {
    let replies = mailbox::legal_moves(board);
    if replies.is_empty() {
        return mailbox::in_check(board, board.side_to_move);
    }
    let mut nexts = replies.into_iter().map(|m| mailbox::play(board, m));
    moves > 0 && nexts.all(|next| plainly_mates(&next, moves))
}

/// The reference of [`MateSearch::first_moves`].
fn plain_first_moves(position: &Position, max_moves: u8) -> Vec<ForcedMate> {
    let board = position.to_setup();
    let mut found = Vec::new();
    for first in mailbox::legal_moves(&board) {
        let next = mailbox::play(&board, first);
        let fewest = (1..=max_moves).find(|&moves| plainly_mated(&next, moves - 1));
        found.extend(fewest.map(|moves| ForcedMate { first, moves }));
    }
    found
}

/// Compares the first moves with the reference's; returns the number of mates of each length.
fn agree(search: &mut MateSearch, position: &Position, max_moves: u8) -> [usize; 5] {
    let by_length = |mate: &ForcedMate| (mate.moves, mate.first);
    let mut found = search
        .first_moves(position, max_moves)
        .expect("there are nodes enough");
    assert!(found.is_sorted_by_key(|mate| mate.moves));
    let mut expected = plain_first_moves(position, max_moves);
    found.sort_unstable_by_key(by_length);
    expected.sort_unstable_by_key(by_length);
    let text = fen::write(position);
    assert_eq!(found, expected, "{text}");
    let fewest = expected.first().map(|mate| mate.moves);
    let shortest = MateSearch::new(u64::MAX).shortest(position, max_moves);
    assert_eq!(shortest, Ok(fewest), "{text}");
    let mut lengths = [0; 5];
    for mate in expected {
        lengths[usize::from(mate.moves)] += 1;
    }
    lengths
}

fn agree_on_all(positions: impl IntoIterator<Item = Position>, max_moves: u8) -> [usize; 5] {
    let mut search = MateSearch::new(u64::MAX);
    let mut lengths = [0; 5];
    for position in positions {
        let found = agree(&mut search, &position, max_moves);
        lengths = std::array::from_fn(|index| lengths[index] + found[index]);
    }
    lengths
}

fn random_endings(seed: u64, count: usize) -> impl Iterator<Item = Position> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    std::iter::repeat_with(move || random_ending(&mut rng))
        .flatten()
        .take(count)
}

#[test]
fn random_games_agree_with_the_reference() {
    let mut positions = Vec::new();
    let mut rng = ChaCha8Rng::seed_from_u64(SEED);
    visit(40_000, |position| {
        if rng.random_ratio(1, 100) {
            positions.push(*position);
        }
    });
    let lengths = agree_on_all(positions, 2);
    assert!(lengths[1] > 0 && lengths[2] > 0, "{lengths:?}");
}

#[test]
fn random_endings_agree_with_the_reference() {
    let lengths = agree_on_all(random_endings(SEED, 300), 2);
    assert!(lengths[1] > 20 && lengths[2] > 20, "{lengths:?}");
    let lengths = agree_on_all(random_endings(SEED + 1, 12), 3);
    assert!(lengths[3] > 5, "{lengths:?}");
}

#[test]
fn known_mates_are_found_and_no_others() {
    // The longest mate looked for, and the first moves with the lengths of their mates.
    let table = "
rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2 | 3 | Qh4# 1 | fool's mate
r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4 | 2 | Qxf7# 1 | scholar's mate
5r1k/6pp/7N/8/2Q5/8/6PP/6K1 w - - 0 1 | 2 | Qg8+ 2 | smothered, with a queen sacrifice
8/k1P5/8/K7/8/5B2/8/1R6 w - - 0 1 | 1 | c8=N# 1 | a queen would not give check
2R1R3/8/8/8/8/3k4/8/R3K3 w Q - 0 1 | 1 | O-O-O# 1, Rd1# 1 | castling
k7/2K5/8/8/8/8/8/1Q6 w - - 0 1 | 1 | Qa1# 1, Qa2# 1, Qb7# 1, Qb8# 1 | several
7k/5Q2/8/8/8/8/8/K7 w - - 0 1 | 1 |  | stalemate is not mate
7k/6Q1/6K1/8/8/8/8/8 b - - 0 1 | 4 |  | already mated";
    for [fen, longest, expected, what] in rows(table) {
        let position = fen::parse(fen).expect("legal");
        let max_moves = longest.parse().expect("a number");
        let found = MateSearch::new(1_000_000).first_moves(&position, max_moves);
        let found = found.expect("there are nodes enough").into_iter();
        let name =
            |mate: ForcedMate| format!("{} {}", san::write(mate.first, &position), mate.moves);
        let mut found: Vec<String> = found.map(name).collect();
        found.sort_unstable();
        assert_eq!(found.join(", "), expected, "{what}");
    }
}

#[test]
fn mate_differs_from_stalemate() {
    let rows = [
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", 0, true),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 0, false),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 4, false),
        ("7k/8/6K1/8/8/8/8/Q7 b - - 0 1", 0, false),
        ("7k/8/6K1/8/8/8/8/R7 b - - 0 1", 0, false),
        ("7k/8/6K1/8/8/8/8/R7 b - - 0 1", 1, true),
    ];
    for (text, moves, expected) in rows {
        let position = fen::parse(text).expect("legal");
        let found = MateSearch::new(10_000).is_mated_within(&position, moves);
        assert_eq!(found, Ok(expected), "{text}");
    }
}

#[test]
fn the_budget_ends_a_search_and_a_new_question_has_a_new_one() {
    let position = Position::startpos();
    let mut search = MateSearch::new(1000);
    let out = OutOfNodes { budget: 1000 };
    assert_eq!(search.first_moves(&position, 4), Err(out));
    assert_eq!(search.nodes(), 1000);
    assert_eq!(out.to_string(), "not known within 1000 nodes");
    assert_eq!(search.first_moves(&position, 1), Ok(Vec::new()));
    assert_eq!(search.nodes(), 20);
    assert_eq!(search.shortest(&position, 0), Ok(None));
}

#[test]
fn the_longest_limit_does_not_overflow() {
    // Only the white king can move, Black's king is next to it, and no line ends.
    let position = fen::parse("8/8/8/8/p1p5/P1Pk4/8/K7 w - - 0 1").expect("legal");
    let mut search = MateSearch::new(1_000_000);
    let out = Err(OutOfNodes { budget: 1_000_000 });
    assert_eq!(search.shortest(&position, u8::MAX), out);
}
