//! Where random positions come from: games, constructions around a rule, and examples of known faults.
//!
//! A position depends on the seed and on its number alone, so that a stream can be entered anywhere.

use std::sync::LazyLock;

use chacha20::ChaCha8Rng;
use chess::notation::{fen, uci_move};
use chess::rules::{
    Bitboard, CHESS960_POSITIONS, Color, File, Move, Piece, PieceType, Position, Rank, Setup,
    Square,
};
use rand::seq::{IndexedRandom as _, SliceRandom as _};
use rand::{RngExt as _, SeedableRng as _};

use crate::count::subject::Route;
use crate::engine_check::case;
use crate::suite::faults::{self, FaultExample, Scope};

/// A way to make positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum RandomSource {
    /// Positions of random games, with the last moves that lead there.
    Games,
    /// Examples of faults in making the moves of a game, as they are and gone on with.
    Moves,
    /// Examples of the faults that a generator can have, as they are and changed a little.
    Faults,
    /// Kings and rooks at home, and pieces in their way.
    Castling,
    Promotion,
    /// Pawns that can capture en passant, some of them pinned in one way or another.
    EnPassant,
    /// Checks and double checks.
    Checks,
    /// Many queens: long lists of moves.
    Queens,
    /// Few pieces: deep trees.
    FewPieces,
    /// Games of Chess960, and examples of faults that only Chess960 shows.
    Chess960,
}

impl RandomSource {
    pub(crate) const ALL: [Self; 10] = [
        Self::Games,
        Self::Moves,
        Self::Faults,
        Self::Castling,
        Self::Promotion,
        Self::EnPassant,
        Self::Checks,
        Self::Queens,
        Self::FewPieces,
        Self::Chess960,
    ];

    /// The name of the suite of its positions.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Games => "random-games",
            Self::Moves => "random-moves",
            Self::Faults => "random-faults",
            Self::Castling => "random-castling",
            Self::Promotion => "random-promotion",
            Self::EnPassant => "random-en-passant",
            Self::Checks => "random-checks",
            Self::Queens => "random-queens",
            Self::FewPieces => "random-few-pieces",
            Self::Chess960 => "random-chess960",
        }
    }
}

/// The sources take turns. Examples of faults come more often: most of them are small, and each
/// shows what no other does.
const TURNS: [RandomSource; 18] = [
    RandomSource::Moves,
    RandomSource::Faults,
    RandomSource::Games,
    RandomSource::Faults,
    RandomSource::Castling,
    RandomSource::Faults,
    RandomSource::EnPassant,
    RandomSource::Faults,
    RandomSource::Chess960,
    RandomSource::Faults,
    RandomSource::Promotion,
    RandomSource::Moves,
    RandomSource::Faults,
    RandomSource::Checks,
    RandomSource::Faults,
    RandomSource::FewPieces,
    RandomSource::Faults,
    RandomSource::Queens,
];

/// Attempts to construct one position; about one in ten is legal.
const ATTEMPTS: u32 = 10_000;
/// Clocks shortly before a game may end by claim; a tree of moves does not. Some libraries accept no
/// clock beyond 100.
const CLOCKS: [u32; 3] = [97, 98, 99];
/// Least number of moves with many queens.
const LONG_LIST: u32 = 50;
/// The longest random game, in plies.
const LONGEST_GAME: u32 = 120;
/// At most so many moves are sent after the position of a game.
const LAST_MOVES: u32 = 6;

/// Random positions, by their numbers from 0.
pub(crate) struct RandomPositions {
    seed: u64,
    /// The examples of standard chess and those of Chess960, shuffled.
    examples: [Vec<&'static FaultExample>; 2],
    /// Examples of faults in making the moves of a game, shuffled.
    routes: Vec<Route>,
}

impl RandomPositions {
    pub(crate) fn new(seed: u64) -> Self {
        static EXAMPLES: LazyLock<[Vec<&FaultExample>; 2]> = LazyLock::new(|| {
            let standard: Vec<_> = faults::examples(Scope::Standard).collect();
            let others = faults::examples(Scope::Chess960).skip(standard.len());
            [standard, others.collect()]
        });
        let mut examples = EXAMPLES.clone();
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        // Streams of this generator are numbers of positions, which stay far below.
        rng.set_stream(u64::MAX);
        for list in &mut examples {
            list.shuffle(&mut rng);
        }
        let routes = case::routes().into_iter();
        let mut routes: Vec<Route> = routes.map(|(text, _)| read_route(&text)).collect();
        routes.shuffle(&mut rng);
        Self {
            seed,
            examples,
            routes,
        }
    }

    /// The source of a position.
    pub(crate) fn source(number: u64) -> RandomSource {
        TURNS[usize::try_from(number % TURNS.len() as u64).expect("below the number of turns")]
    }

    /// The position of this number, with the last moves that lead there.
    pub(crate) fn route(&self, number: u64) -> Route {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        rng.set_stream(number);
        let source = Self::source(number);
        let turns = TURNS.iter().filter(|&&one| one == source).count() as u64;
        let before =
            TURNS[..usize::try_from(number % TURNS.len() as u64).expect("an index")].iter();
        let before = before.filter(|&&one| one == source).count() as u64;
        let turn = number / TURNS.len() as u64 * turns + before;
        match source {
            // From the second round on, the examples go on by some moves.
            RandomSource::Moves => {
                let (round, index) = in_turn(turn, self.routes.len());
                let route = self.routes[index].clone();
                if round == 0 {
                    route
                } else {
                    extended(route, &mut rng)
                }
            }
            RandomSource::Games => game(Position::startpos(), &mut rng),
            RandomSource::Faults => Route::by_fen(example(&self.examples[0], turn, &mut rng)),
            RandomSource::Chess960 if turn.is_multiple_of(2) => {
                let white = rng.random_range(0..CHESS960_POSITIONS);
                // Each side has an arrangement of its own now and then.
                let other = rng.random_range(0..CHESS960_POSITIONS);
                let black = if rng.random_range(0..2) == 0 {
                    white
                } else {
                    other
                };
                let start = Position::chess960_start(white, black);
                game(start.expect("both are numbers of Chess960"), &mut rng)
            }
            RandomSource::Chess960 => Route::by_fen(example(&self.examples[1], turn / 2, &mut rng)),
            RandomSource::Castling => {
                let route = constructed(&mut rng, castling, |_| true);
                extended(route, &mut rng)
            }
            RandomSource::Promotion => {
                let route = constructed(&mut rng, promotion, |_| true);
                extended(route, &mut rng)
            }
            RandomSource::EnPassant => constructed(&mut rng, en_passant, |position| {
                position.ep_square().is_some()
            }),
            RandomSource::Checks => {
                let least = rng.random_range(1..=2);
                constructed(&mut rng, checks, move |position| {
                    position.checkers().count() >= least
                })
            }
            RandomSource::Queens => {
                let is_long = |position: &Position| position.legal_move_count() >= LONG_LIST;
                constructed(&mut rng, queens, is_long)
            }
            RandomSource::FewPieces => {
                let route = constructed(&mut rng, few_pieces, |_| true);
                extended(route, &mut rng)
            }
        }
    }
}

fn read_route(text: &str) -> Route {
    let (root, moves) = text.split_once(" moves ").unwrap_or((text, ""));
    let root = match root {
        "startpos" => Position::startpos(),
        root => fen::parse(root).expect("the routes are in order"),
    };
    let moves = moves.split_whitespace();
    moves.fold(Route::by_fen(root), |route, word| {
        let m = uci_move::parse(word, route.position(), root.castling_mode());
        route.then(m.expect("the routes are in order"))
    })
}

/// A position of a game of random moves: half of them are rare ones, where there are any.
fn game(start: Position, rng: &mut ChaCha8Rng) -> Route {
    let plies = rng.random_range(0..=LONGEST_GAME);
    let mut played = vec![(start, None::<Move>)];
    let mut position = start;
    for _ in 0..plies {
        let Some(m) = next_move(&position, rng) else {
            break;
        };
        position = position.play_unchecked(m);
        played.push((position, Some(m)));
    }
    let last = rng.random_range(0..=LAST_MOVES) as usize;
    let (root, moves) = {
        let first = played.len() - 1 - last.min(played.len() - 1);
        (played[first].0, &played[first + 1..])
    };
    let moves = moves.iter().filter_map(|(_, m)| *m);
    moves.fold(Route::by_fen(root), |route, m| route.then(m))
}

/// Half of the time, the same with some moves after it: making moves may be wrong, too.
fn extended(mut route: Route, rng: &mut ChaCha8Rng) -> Route {
    if rng.random_range(0..2) == 0 {
        for _ in 0..rng.random_range(1..=LAST_MOVES) {
            let Some(m) = next_move(route.position(), rng) else {
                break;
            };
            route = route.then(m);
        }
    }
    route
}

fn next_move(position: &Position, rng: &mut ChaCha8Rng) -> Option<Move> {
    let moves = position.legal_moves();
    let is_rare = |m: &&Move| {
        let m = **m;
        let after = position.play_unchecked(m);
        position.is_en_passant(m)
            || m.promotion().is_some()
            || after.castling_rooks() != position.castling_rooks()
            || after.is_check()
            || after.legal_moves().iter().any(|&m| after.is_en_passant(m))
    };
    if rng.random_range(0..2) == 0 {
        let rare: Vec<&Move> = moves.iter().filter(is_rare).collect();
        if let Some(&&m) = rare.choose(rng) {
            return Some(m);
        }
    }
    moves.choose(rng).copied()
}

/// The round of a turn, and the index of the example whose turn it is.
fn in_turn(turn: u64, examples: usize) -> (u64, usize) {
    let examples = examples as u64;
    let index = usize::try_from(turn % examples).expect("an index");
    (turn / examples, index)
}

/// The examples in turn; from the second round on, each is changed.
fn example(examples: &[&FaultExample], turn: u64, rng: &mut ChaCha8Rng) -> Position {
    let (round, index) = in_turn(turn, examples.len());
    let original = examples[index].position;
    if round == 0 {
        return original;
    }
    for _ in 0..ATTEMPTS {
        let mut setup = original.to_setup();
        if rng.random_range(0..2) == 0 {
            setup = setup.mirrored();
        }
        for _ in 0..rng.random_range(0..3) {
            change(&mut setup, rng);
        }
        if let Ok(mut position) = Position::from_setup(setup) {
            for _ in 0..rng.random_range(0..3) {
                position =
                    next_move(&position, rng).map_or(position, |m| position.play_unchecked(m));
            }
            return position;
        }
    }
    original
}

/// Takes a piece away, moves it elsewhere, or adds one. Kings stay, and rooks with a right to castle.
fn change(setup: &mut Setup, rng: &mut ChaCha8Rng) {
    let square = *Square::ALL.choose(rng).expect("there are some");
    let is_king = |piece: Piece| piece.piece_type == PieceType::King;
    match setup.piece_at(square) {
        Some(piece) if !is_king(piece) && !setup.castling_rooks.contains(square) => {
            setup.board[square.index()] = None;
            if rng.random_range(0..2) == 0 {
                throw(piece, setup, rng);
            }
        }
        Some(_) => {}
        None => throw_any(setup, rng),
    }
    // A double push that the change contradicts is forgotten.
    if Position::from_setup(setup.clone()).is_err() {
        setup.ep_square = None;
    }
}

/// The first legal position of these that is wanted, of either side.
fn constructed(
    rng: &mut ChaCha8Rng,
    construct: impl Fn(&mut Setup, &mut ChaCha8Rng),
    is_wanted: impl Fn(&Position) -> bool,
) -> Route {
    for _ in 0..ATTEMPTS {
        let mut setup = Setup::empty();
        construct(&mut setup, rng);
        if rng.random_range(0..2) == 0 {
            setup = setup.mirrored();
        }
        if setup.ep_square.is_none() && rng.random_range(0..8) == 0 {
            setup.halfmove_clock = *CLOCKS.choose(rng).expect("there are some");
            setup.fullmove_number = LONGEST_GAME;
        }
        if let Ok(position) = Position::from_setup(setup)
            && is_wanted(&position)
        {
            return Route::by_fen(position);
        }
    }
    // Not seen; a stream goes on all the same.
    Route::by_fen(Position::startpos())
}

/// White's king and rooks stand at home, and often Black's too.
fn castling(setup: &mut Setup, rng: &mut ChaCha8Rng) {
    let mut at_home = |color: Color, rank: Rank, setup: &mut Setup| {
        put(setup, Square::new(File::E, rank), color, PieceType::King);
        let sides = rng.random_range(1..=3);
        for (side, file) in [(1, File::A), (2, File::H)] {
            if sides & side != 0 {
                let square = Square::new(file, rank);
                put(setup, square, color, PieceType::Rook);
                setup.castling_rooks |= square.bitboard();
            }
        }
    };
    at_home(Color::White, Rank::R1, setup);
    at_home(Color::Black, Rank::R8, setup);
    if rng.random_range(0..2) == 0 {
        for square in Square::ALL
            .into_iter()
            .filter(|square| square.rank() == Rank::R8)
        {
            setup.board[square.index()] = None;
        }
        setup.castling_rooks = Bitboard(setup.castling_rooks.0 & 0xff);
        throw(Piece::new(Color::Black, PieceType::King), setup, rng);
    }
    for _ in 0..rng.random_range(1..=8) {
        throw_any(setup, rng);
    }
    setup.side_to_move = *Color::ALL.choose(rng).expect("there are two");
}

/// Pawns before the last rank, and pieces on it.
fn promotion(setup: &mut Setup, rng: &mut ChaCha8Rng) {
    kings(setup, rng);
    for (color, from, last) in [
        (Color::White, Rank::R7, Rank::R8),
        (Color::Black, Rank::R2, Rank::R1),
    ] {
        for _ in 0..rng.random_range(1..=3) {
            throw_on(Piece::new(color, PieceType::Pawn), from, setup, rng);
        }
        for _ in 0..rng.random_range(0..=3) {
            throw_on(Piece::new(!color, piece(rng)), last, setup, rng);
        }
    }
    for _ in 0..rng.random_range(0..=4) {
        throw_any(setup, rng);
    }
}

/// Black has just pushed a pawn two steps, past one or two white ones. Often the white king and a
/// black slider are where the capture can open a line.
fn en_passant(setup: &mut Setup, rng: &mut ChaCha8Rng) {
    let file = *File::ALL.choose(rng).expect("there are eight");
    let pushed = Square::new(file, Rank::R5);
    put(setup, pushed, Color::Black, PieceType::Pawn);
    setup.ep_square = Some(Square::new(file, Rank::R6));
    let beside = [-1, 1].map(|files| pushed.offset(files, 0));
    let mut beside: Vec<Square> = beside.into_iter().flatten().collect();
    beside.shuffle(rng);
    for &square in &beside[..rng.random_range(1..=beside.len())] {
        put(setup, square, Color::White, PieceType::Pawn);
    }
    // A line through the pawn that captures or is captured, or anywhere.
    let through = if rng.random_range(0..2) == 0 {
        pushed
    } else {
        beside[0]
    };
    let (files, ranks) = *[(1, 0), (1, 1), (1, -1), (0, 1)].choose(rng).expect("four");
    let sign = if rng.random_range(0..2) == 0 { 1 } else { -1 };
    let king = Piece::new(Color::White, PieceType::King);
    let on_line = rng.random_range(0..3) > 0;
    let mut along = |piece: Piece, sign: i32, setup: &mut Setup| {
        let steps = rng.random_range(1..=6);
        let square = through.offset(sign * steps * files, sign * steps * ranks);
        match square.filter(|square| on_line && setup.piece_at(*square).is_none()) {
            Some(square) => setup.board[square.index()] = Some(piece),
            None => throw(piece, setup, rng),
        }
    };
    along(king, sign, setup);
    let slider = match (files, ranks) {
        (0, _) | (_, 0) => PieceType::Rook,
        _ => PieceType::Bishop,
    };
    along(Piece::new(Color::Black, slider), -sign, setup);
    if rng.random_range(0..3) == 0 {
        let queen = Piece::new(Color::Black, PieceType::Queen);
        throw(queen, setup, rng);
    }
    throw(Piece::new(Color::Black, PieceType::King), setup, rng);
    for _ in 0..rng.random_range(0..=4) {
        throw_any(setup, rng);
    }
}

/// Pieces around a king; which positions are checks is found by trying.
fn checks(setup: &mut Setup, rng: &mut ChaCha8Rng) {
    kings(setup, rng);
    for _ in 0..rng.random_range(2..=5) {
        throw(Piece::new(Color::Black, piece(rng)), setup, rng);
    }
    for _ in 0..rng.random_range(0..=8) {
        throw_any(setup, rng);
    }
}

fn queens(setup: &mut Setup, rng: &mut ChaCha8Rng) {
    kings(setup, rng);
    for color in Color::ALL {
        for _ in 0..rng.random_range(1..=5) {
            throw(Piece::new(color, PieceType::Queen), setup, rng);
        }
    }
    // Without something in between, some queen always gives check.
    for _ in 0..rng.random_range(4..=16) {
        throw_any(setup, rng);
    }
}

fn few_pieces(setup: &mut Setup, rng: &mut ChaCha8Rng) {
    kings(setup, rng);
    for _ in 0..rng.random_range(1..=4) {
        throw_any(setup, rng);
    }
}

/// Both kings, anywhere.
fn kings(setup: &mut Setup, rng: &mut ChaCha8Rng) {
    for color in Color::ALL {
        throw(Piece::new(color, PieceType::King), setup, rng);
    }
}

fn put(setup: &mut Setup, square: Square, color: Color, kind: PieceType) {
    setup.board[square.index()] = Some(Piece::new(color, kind));
}

/// Any piece but pawns and kings.
fn piece(rng: &mut ChaCha8Rng) -> PieceType {
    const PIECES: [PieceType; 4] = [
        PieceType::Knight,
        PieceType::Bishop,
        PieceType::Rook,
        PieceType::Queen,
    ];
    *PIECES.choose(rng).expect("there are some")
}

/// A piece of either side, every other one a pawn.
fn throw_any(setup: &mut Setup, rng: &mut ChaCha8Rng) {
    let color = *Color::ALL.choose(rng).expect("there are two");
    let kind = match rng.random_range(0..2) {
        0 => PieceType::Pawn,
        _ => piece(rng),
    };
    throw(Piece::new(color, kind), setup, rng);
}

/// Puts a piece on some square; a piece that is there stays instead.
fn throw(piece: Piece, setup: &mut Setup, rng: &mut ChaCha8Rng) {
    let squares = match piece.piece_type {
        PieceType::Pawn => 8..56,
        _ => 0..64,
    };
    let square: usize = rng.random_range(squares);
    // A king is never missing.
    if piece.piece_type == PieceType::King {
        setup.board[square] = Some(piece);
    } else {
        setup.board[square].get_or_insert(piece);
    }
}

fn throw_on(piece: Piece, rank: Rank, setup: &mut Setup, rng: &mut ChaCha8Rng) {
    let file = *File::ALL.choose(rng).expect("there are eight");
    let square = Square::new(file, rank);
    setup.board[square.index()].get_or_insert(piece);
}

#[cfg(test)]
mod tests {
    use chess::rules::CastlingMode;

    use super::*;

    fn first(seed: u64, most: u64) -> Vec<Route> {
        let positions = RandomPositions::new(seed);
        (0..most).map(|number| positions.route(number)).collect()
    }

    /// A position depends on seed and number alone. The texts are those of every machine.
    #[test]
    fn positions_are_reproducible() {
        let routes = first(1, 200);
        let positions = RandomPositions::new(1);
        for number in (0..200).rev().step_by(7) {
            assert_eq!(positions.route(number as u64), routes[number], "{number}");
        }
        let others = first(2, 200);
        let same = routes
            .iter()
            .zip(&others)
            .filter(|(one, other)| one == other);
        assert!(same.count() < 5);
        let texts = routes.iter().take(16).map(|route| {
            let moves = uci::perft::uci_moves(route).join(" ");
            format!("{} {moves}", fen::write(route.root()))
        });
        let texts: Vec<String> = texts.collect();
        insta::assert_snapshot!("first_positions", texts.join("\n"));
    }

    /// Of so many positions of a source hardly any is there twice.
    const FEW: usize = 120;

    /// Each source makes what it is for, and hardly anything twice.
    #[test]
    fn sources_make_what_they_are_for() {
        let positions = RandomPositions::new(5);
        let rounds = testkit::scale(40, 2_000);
        for source in RandomSource::ALL {
            let numbers = (0..rounds * TURNS.len() as u64)
                .filter(|&number| RandomPositions::source(number) == source);
            let routes: Vec<Route> = numbers.map(|number| positions.route(number)).collect();
            let all: Vec<Position> = routes.iter().map(|route| *route.position()).collect();
            let is = |fits: &dyn Fn(&Position) -> bool| {
                all.iter().filter(|&position| fits(position)).count()
            };
            let has_move = |fits: &dyn Fn(&Position, Move) -> bool| {
                is(&|position| position.legal_moves().iter().any(|&m| fits(position, m)))
            };
            let enough = match source {
                RandomSource::Moves | RandomSource::Games => routes
                    .iter()
                    .filter(|route| !route.moves().is_empty())
                    .count(),
                RandomSource::Castling => has_move(&Position::is_castling) * 2,
                RandomSource::EnPassant => has_move(&Position::is_en_passant),
                RandomSource::Promotion => has_move(&|_, m| m.promotion().is_some()),
                RandomSource::Checks => is(&|position| position.checkers().has_several()) * 2,
                RandomSource::Queens => is(&|position| position.legal_move_count() >= LONG_LIST),
                RandomSource::FewPieces => is(&|position| position.occupied().count() <= 6),
                // Half of them have lost their rights since, and are standard chess.
                RandomSource::Chess960 => {
                    is(&|position| position.castling_mode() == CastlingMode::Chess960) * 2
                }
                RandomSource::Faults => all.len(),
            };
            assert!(
                enough * 2 > all.len(),
                "{source:?}: {enough} of {}",
                all.len()
            );
            assert!(
                is(&|position| *position == Position::startpos()) * 20 <= all.len(),
                "{source:?}"
            );
            // Of thousands, those after a few moves must repeat.
            let first = &all[..all.len().min(FEW)];
            let mut texts: Vec<String> = first.iter().map(fen::write).collect();
            texts.sort_unstable();
            texts.dedup();
            assert!(
                texts.len() * 10 > first.len() * 8,
                "{source:?}: {} of {}",
                texts.len(),
                first.len()
            );
        }
    }
}
