//! Compares a printed FEN with a position, field by field.
//!
//! A field is wrong only if no convention explains it. Castling rights may be written as `KQkq` or by
//! the rooks' files, in any order. The en passant square may be written after every double step, only
//! if a pawn stands beside, or only if the capture is legal. The clocks may be missing.

use chess::notation::fen::{self, CastlingText, EnPassantMode, FenStyle};
use chess::rules::{Bitboard, CastlingSide, Color, Position, Square};

/// A field of a FEN; the two clocks are one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum FenPart {
    Board,
    Side,
    Castling,
    EpSquare,
    Clocks,
}

/// The fields that do not denote the position.
pub(crate) fn wrong_parts(text: &str, position: &Position) -> Vec<FenPart> {
    let ours = fen::write(position);
    let ours: Vec<&str> = ours.split(' ').collect();
    let theirs: Vec<&str> = text.split_whitespace().collect();
    let field = |index: usize| theirs.get(index).copied();
    let mut wrong = Vec::new();
    let mut check = |part, is_right: bool| {
        if !is_right {
            wrong.push(part);
        }
    };
    check(
        FenPart::Board,
        field(0).map(squares) == Some(squares(ours[0])),
    );
    // A FEN without pieces denotes nothing; other fields may be missing.
    check(FenPart::Side, field(1).is_none_or(|side| side == ours[1]));
    check(
        FenPart::Castling,
        field(2).is_none_or(|text| has_rights(text, position)),
    );
    check(
        FenPart::EpSquare,
        field(3).is_none_or(|text| ep_squares(position).contains(&text.to_owned())),
    );
    check(
        FenPart::Clocks,
        (4..6).all(|index| field(index).is_none_or(|clock| clock == ours[index])),
    );
    wrong
}

/// The board field with each empty square as a dot: `11` is the same as `2`.
fn squares(field: &str) -> String {
    let square = |letter: char| match letter.to_digit(10) {
        Some(empty) => ".".repeat(empty as usize),
        None => letter.to_string(),
    };
    field.chars().map(square).collect()
}

fn has_rights(text: &str, position: &Position) -> bool {
    if text == "-" {
        return position.castling_rooks().is_empty();
    }
    let mut named = Bitboard::EMPTY;
    for letter in text.chars() {
        let color = if letter.is_ascii_uppercase() {
            Color::White
        } else {
            Color::Black
        };
        let king = position.king(color);
        let is_meant = |rook: &Square| match letter.to_ascii_lowercase() {
            // X-FEN means the outermost rook. Here the right decides, of which a side has only one.
            'k' => CastlingSide::new(king, *rook) == CastlingSide::King,
            'q' => CastlingSide::new(king, *rook) == CastlingSide::Queen,
            file => rook.file().to_char() == file,
        };
        let rights = position.castling_rooks() & position.by_color(color);
        match rights.into_iter().find(is_meant) {
            Some(rook) => named |= rook.bitboard(),
            None => return false,
        }
    }
    named == position.castling_rooks()
}

/// Every way to write the en passant field, the shortest convention first.
fn ep_squares(position: &Position) -> Vec<String> {
    let modes = [
        EnPassantMode::Legal,
        EnPassantMode::PseudoLegal,
        EnPassantMode::Always,
    ];
    let field = |ep| {
        let text = fen::write_epd(
            position,
            FenStyle {
                ep,
                castling: CastlingText::XFen,
            },
        );
        text.rsplit(' ').next().unwrap_or_default().to_owned()
    };
    modes.map(field).to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conventions_are_accepted_and_faults_are_found() {
        use FenPart::{Board, Castling, Clocks, EpSquare, Side};
        let start = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
        let legal = "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3";
        // A capture on e3 would uncover the rook on h4.
        let pinned = "8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1";
        let inner = "rrk5/8/8/8/8/8/8/4K3 b b - 7 30";
        for (position, printed, expected) in [
            (start, start, &[][..]),
            (
                start,
                "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b qkQK -",
                &[],
            ),
            (
                start,
                "rnbqkbnr/pppppppp/44/8/4P3/8/PPPP1PPP/RNBQKBNR b HAha - 0 1",
                &[],
            ),
            (
                start,
                "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQk e4 0 2",
                &[Side, Castling, EpSquare, Clocks],
            ),
            (
                start,
                "rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR b - - 1",
                &[Board, Castling, Clocks],
            ),
            (start, "", &[Board]),
            (
                legal,
                "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 3",
                &[EpSquare],
            ),
            (pinned, "8/8/8/8/k2pP2R/8/8/4K3 b - - 0 1", &[]),
            (pinned, pinned, &[]),
            (inner, inner, &[]),
            (inner, "rrk5/8/8/8/8/8/8/4K3 b q - 7 30", &[]),
            (inner, "rrk5/8/8/8/8/8/8/4K3 b a - 7 30", &[Castling]),
            (inner, "rrk5/8/8/8/8/8/8/4K3 b qk - 7 30", &[Castling]),
        ] {
            let parsed = fen::parse(position).expect("legal");
            assert_eq!(wrong_parts(printed, &parsed), expected, "{printed}");
        }
    }
}
