//! A game as a page shows it: each position with the move that led to it, its evaluation and clocks.
//! Pure.

use chess::notation::{fen, san, uci_move};
use chess::rules::{Color, File, Piece, PieceType, Rank, Square as At};
use selfplay::model::{GameRecord, MoveRecord};
use uci::grammar::{Score, ScoreValue};

/// Most plies that are shown; games of a lab have fewer.
const MOST_PLIES: usize = 2000;

/// A position of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ply {
    /// As a FEN.
    pub(crate) fen: String,
    /// The move that led here in SAN, with its number: `12. Nf3` or `12… Nf6`; empty at the start.
    pub(crate) san: String,
    /// In UCI notation.
    pub(crate) uci: String,
    /// The evaluation of the mover from White's point of view, such as `+0.31` or `#-3`.
    pub(crate) eval: String,
    /// Search depth.
    pub(crate) depth: String,
    /// Time used for the move, such as `0.25 s`.
    pub(crate) time: String,
    /// Time left on White's and Black's clock.
    pub(crate) clocks: [String; 2],
    /// Whether it comes from the book.
    pub(crate) is_book: bool,
}

/// The positions of a game from the start of its opening.
///
/// # Errors
/// The opening or a move is not legal; the positions before it are returned as well.
pub(crate) fn plies(record: &GameRecord) -> (Vec<Ply>, Option<String>) {
    let opening = &record.opening;
    let mut position = match fen::parse(&opening.fen) {
        Ok(position) => position,
        Err(error) => return (Vec::new(), Some(format!("opening: {error}"))),
    };
    let first = Ply {
        fen: opening.fen.clone(),
        is_book: true,
        ..Ply::default()
    };
    let mut plies = vec![first];
    let mut clocks = [String::new(), String::new()];
    let book = opening.moves.iter().map(|uci| (uci.as_str(), None));
    let played = record.moves.iter().map(|one| (one.uci.as_str(), Some(one)));
    for (uci, details) in book.chain(played).take(MOST_PLIES) {
        let m = match uci_move::parse(uci, &position, opening.castling_mode()) {
            Ok(m) => m,
            Err(error) => return (plies, Some(error.to_string())),
        };
        let is_black = position.side_to_move() == Color::Black;
        let number = position.fullmove_number();
        let dots = if is_black { "…" } else { "." };
        let san = format!("{number}{dots} {}", san::write(m, &position));
        position = match position.play(m) {
            Ok(position) => position,
            Err(error) => return (plies, Some(error.to_string())),
        };
        if let Some(left) = details.and_then(|one| one.clock_ms) {
            clocks[usize::from(is_black)] = clock(left);
        }
        plies.push(Ply {
            fen: fen::write(&position),
            san,
            uci: uci.to_owned(),
            eval: details.map_or_else(String::new, |one| eval(one, is_black)),
            depth: { details.and_then(|one| one.depth) }
                .map_or_else(String::new, |depth| depth.to_string()),
            time: details.map_or_else(String::new, |one| seconds(one.elapsed_us)),
            clocks: clocks.clone(),
            is_book: details.is_none(),
        });
    }
    (plies, None)
}

fn eval(one: &MoveRecord, is_black: bool) -> String {
    let score = one.score.as_deref().and_then(|text| text.parse().ok());
    let Some(Score { value, .. }) = score else {
        return String::new();
    };
    // An engine scores from its own point of view (UCI); pages show White's.
    let of_white = |number: i32| {
        if is_black {
            number.saturating_neg()
        } else {
            number
        }
    };
    match value {
        ScoreValue::Cp(cp) => format!("{:+.2}", f64::from(of_white(cp)) / 100.0),
        ScoreValue::Mate(moves) => format!("#{}", of_white(moves)),
    }
}

fn seconds(us: u64) -> String {
    format!("{}.{:02} s", us / 1_000_000, us / 10_000 % 100)
}

/// `1:02.5`, with a sign if the flag has fallen.
fn clock(ms: i64) -> String {
    let sign = if ms < 0 { "-" } else { "" };
    let tenths = ms.unsigned_abs() / 100;
    let (minutes, rest) = (tenths / 600, tenths % 600);
    format!("{sign}{minutes}:{:02}.{}", rest / 10, rest % 10)
}

/// A square of a drawn board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DrawnSquare {
    /// Column from the left, from 0.
    pub(crate) x: usize,
    /// Row from the top, from 0.
    pub(crate) y: usize,
    /// The piece, as a chess symbol of a filled piece; a space if there is none.
    pub(crate) sign: char,
    /// Whether the piece is White's.
    pub(crate) is_white: bool,
    /// Whether the last move began or ended here.
    pub(crate) is_moved: bool,
}

impl DrawnSquare {
    /// Whether the square is a light one.
    pub(crate) const fn is_light(&self) -> bool {
        (self.x + self.y).is_multiple_of(2)
    }
}

/// The squares of a position, from a8 to h1, and those of the move that led to it.
pub(crate) fn board(ply: &Ply) -> Vec<DrawnSquare> {
    let Ok(position) = fen::parse(&ply.fen) else {
        return Vec::new();
    };
    let ranks = Rank::ALL.into_iter().rev();
    let squares = ranks.flat_map(|rank| File::ALL.map(|file| At::new(file, rank)));
    let square = |at: At| {
        let name = at.to_string();
        let is_moved = [ply.uci.get(..2), ply.uci.get(2..4)].contains(&Some(name.as_str()));
        let piece = position.piece_at(at);
        DrawnSquare {
            x: at.file() as usize,
            y: 7 - at.rank() as usize,
            sign: piece.map_or(' ', symbol),
            is_white: piece.is_some_and(|piece| piece.color == Color::White),
            is_moved,
        }
    };
    squares.map(square).collect()
}

fn symbol(piece: Piece) -> char {
    match piece.piece_type {
        PieceType::King => '♚',
        PieceType::Queen => '♛',
        PieceType::Rook => '♜',
        PieceType::Bishop => '♝',
        PieceType::Knight => '♞',
        PieceType::Pawn => '♟',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(moves: &[(&str, Option<&str>, i64)]) -> GameRecord {
        let moves: Vec<_> = moves
            .iter()
            .map(|(uci, score, clock)| {
                serde_json::json!({ "uci": uci, "score": score, "elapsed_us": 250_000, "clock_ms": clock })
            })
            .collect();
        let game = serde_json::json!({
            "plan": { "game": 0, "white": 0, "black": 1,
                "pairing": { "number": 0, "round": 0, "first": 0, "second": 1, "opening": 0 } },
            "opening": { "label": "", "chess960": false, "moves": ["e2e4"],
                "fen": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1" },
            "result": "1/2-1/2", "termination": "threefold", "moves": moves,
            "started_ms": 0, "duration_ms": 0,
        });
        serde_json::from_value(game).expect("a game")
    }

    #[test]
    fn positions_have_moves_evaluations_and_clocks() {
        let game = record(&[
            ("c7c5", Some("cp 31"), 59_940),
            ("g1f3", Some("mate 3"), -50),
        ]);
        let (plies, error) = plies(&game);
        assert_eq!(error, None);
        let sans: Vec<&str> = plies.iter().map(|ply| ply.san.as_str()).collect();
        assert_eq!(sans, ["", "1. e4", "1… c5", "2. Nf3"]);
        assert_eq!(plies[2].eval, "-0.31");
        assert_eq!(plies[3].eval, "#3");
        assert_eq!(plies[3].time, "0.25 s");
        assert_eq!(plies[3].clocks, ["-0:00.0", "0:59.9"]);
        assert!(plies[1].is_book && !plies[2].is_book);
    }

    #[test]
    fn an_illegal_move_ends_the_replay() {
        let (plies, error) = plies(&record(&[("e2e4", None, 0)]));
        assert_eq!(plies.len(), 2);
        let error = error.expect("it is illegal");
        assert!(error.contains("e2e4"), "{error}");
    }

    #[test]
    fn a_board_has_its_pieces_and_the_last_move() {
        let (plies, _) = plies(&record(&[]));
        let squares = board(&plies[1]);
        assert_eq!(squares.len(), 64);
        let moved: Vec<_> = squares.iter().filter(|one| one.is_moved).collect();
        assert_eq!((moved[0].x, moved[0].y, moved[0].sign), (4, 4, '♟'));
        assert_eq!((moved[1].x, moved[1].y, moved[1].sign), (4, 6, ' '));
        assert_eq!(squares[0].sign, '♜');
        assert!(squares[63].is_white && !squares[0].is_white);
    }
}
