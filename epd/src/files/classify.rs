//! Game phase and quietness of positions.

use std::fmt;

use chess::rules::{Color, Move, PieceType, Position, Rank};
use clap::ValueEnum;
use serde::Serialize;

/// Game phase, derived from the board alone, since EPD records have no move numbers.
///
/// Material counts knights and bishops 1, rooks 2, queens 4: 24 at the start of a game.
///
/// - [`PhaseClass::Endgame`]: at most 8, such as a queen or two rooks per side.
/// - [`PhaseClass::Opening`]: at least 20, and at least five knights, bishops and queens of both sides
///   together on their own back rank.
/// - [`PhaseClass::Middlegame`]: everything else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum PhaseClass {
    /// Most pieces are still on the board, and many are undeveloped.
    Opening,
    /// Neither opening nor endgame.
    Middlegame,
    /// Few pieces are left.
    Endgame,
}

impl fmt::Display for PhaseClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.to_possible_value().expect("no phase is hidden");
        f.pad(value.get_name())
    }
}

/// The phase of a position; [`PhaseClass`] has the definition.
pub(crate) fn phase(position: &Position) -> PhaseClass {
    let count = |piece_type| position.by_type(piece_type).count();
    let minors = count(PieceType::Knight) + count(PieceType::Bishop);
    let material = minors + 2 * count(PieceType::Rook) + 4 * count(PieceType::Queen);
    if material <= 8 {
        PhaseClass::Endgame
    } else if material >= 20 && undeveloped(position) >= 5 {
        PhaseClass::Opening
    } else {
        PhaseClass::Middlegame
    }
}

fn undeveloped(position: &Position) -> u32 {
    let at_home = |color: Color| {
        let rank = Rank::R1.relative_to(color).bitboard();
        let kinds = [PieceType::Knight, PieceType::Bishop, PieceType::Queen];
        let count = |kind| (position.pieces(color, kind) & rank).count();
        kinds.into_iter().map(count).sum::<u32>()
    };
    at_home(Color::White) + at_home(Color::Black)
}

/// Whether a position is quiet: the side to move is not in check, and has neither a promotion nor a
/// capture that wins material by static exchange on the target square. In the exchange both sides
/// capture with the least valuable piece that legally can, and stop when it does not pay; pawn 1,
/// knight and bishop 3, rook 5, queen 9. Threats of the other side, forks and mates are ignored.
pub(crate) fn is_quiet(position: &Position) -> bool {
    if position.is_check() {
        return false;
    }
    let moves = position.legal_moves();
    let wins = |&m: &Move| {
        m.promotion().is_some()
            || victim(position, m).is_some_and(|victim| {
                let after = position.play_unchecked(m);
                value(victim) > best_exchange(&after, m)
            })
    };
    !moves.iter().any(wins)
}

/// Whether a position of a game is quiet: also the last move, which led to it from the position before,
/// was neither a capture nor a promotion.
pub(crate) fn is_quiet_after(last: Option<(&Position, Move)>, position: &Position) -> bool {
    last.is_none_or(|(before, m)| !is_noisy(before, m)) && is_quiet(position)
}

/// Whether a move is a capture or a promotion.
pub(crate) fn is_noisy(position: &Position, m: Move) -> bool {
    m.promotion().is_some() || is_capture(position, m)
}

fn is_capture(position: &Position, m: Move) -> bool {
    victim(position, m).is_some()
}

fn victim(position: &Position, m: Move) -> Option<PieceType> {
    let moved = position.piece_type_at(m.from());
    match position.piece_at(m.to()) {
        // Castling is encoded as the king capturing its own rook.
        Some(piece) => (piece.color != position.side_to_move()).then_some(piece.piece_type),
        // En passant: a pawn leaves its file for an empty square.
        None if moved == Some(PieceType::Pawn) && m.from().file() != m.to().file() => {
            Some(PieceType::Pawn)
        }
        None => None,
    }
}

/// The most that the side to move wins by recapturing on the target of the last move, at least 0.
fn best_exchange(position: &Position, last: Move) -> i32 {
    let square = last.to();
    let attackers = position.legal_moves();
    let recaptures = attackers.iter().copied();
    let recaptures = recaptures.filter(|m| m.to() == square && is_capture(position, *m));
    let least = recaptures.min_by_key(|m| position.piece_type_at(m.from()).map(value));
    let Some(m) = least else {
        return 0;
    };
    let taken = position.piece_type_at(square).map_or(0, value);
    let after = position.play_unchecked(m);
    (taken - best_exchange(&after, m)).max(0)
}

/// The sum of the pieces of a side in pawns: 1, 3, 3, 5, 9. Kings are not counted.
pub(crate) fn material(position: &Position, color: Color) -> i32 {
    let kinds = PieceType::ALL.into_iter();
    let pieces = kinds.filter(|&kind| kind != PieceType::King);
    let sum = pieces.map(|kind| {
        let count = i32::try_from(position.pieces(color, kind).count());
        value(kind) * count.expect("a board has 64 squares")
    });
    sum.sum()
}

/// What a piece is worth in pawns.
const fn value(piece_type: PieceType) -> i32 {
    match piece_type {
        PieceType::Pawn => 1,
        PieceType::Knight | PieceType::Bishop => 3,
        PieceType::Rook => 5,
        PieceType::Queen => 9,
        // So the king recaptures last; it is never captured.
        PieceType::King => 100,
    }
}

#[cfg(test)]
mod tests {
    use chess::notation::fen;

    use super::*;

    fn position(fen: &str) -> Position {
        fen::parse(fen).unwrap()
    }

    #[test]
    fn phases() {
        let opening = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
        let spanish = "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq -";
        let middlegame = "r4rk1/pppqbppp/2npbn2/4p3/4P3/2NPBN2/PPPQBPPP/R4RK1 w - -";
        for (fen, expected) in [
            (opening, PhaseClass::Opening),
            (spanish, PhaseClass::Opening),
            (middlegame, PhaseClass::Middlegame),
            ("r2qk3/8/8/8/8/8/8/3QK2R w - -", PhaseClass::Middlegame),
            ("3qk3/8/8/8/8/8/8/3QK3 w - -", PhaseClass::Endgame),
            ("4k3/8/8/8/8/8/4P3/4K3 w - -", PhaseClass::Endgame),
        ] {
            assert_eq!(phase(&position(fen)), expected, "{fen}");
        }
    }

    #[test]
    fn quiet_or_not() {
        for (fen, expected) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", true),
            ("4k3/8/8/3p4/4P3/8/8/4K3 w - -", false), // hangs
            ("4k3/8/2p5/3p4/4P3/8/8/4K3 w - -", true), // an even exchange
            ("4k3/8/2p5/3p4/8/8/3R4/4K3 w - -", true), // defended
            ("4k3/8/2p5/3p4/2B5/8/3R4/4K3 w - -", true), // two for two
            ("4k3/8/8/3p4/8/8/3R4/4K3 w - -", false), // undefended
            ("4k3/4p3/3r4/8/8/8/3Q4/4K3 w - -", true), // a rook for a queen
            ("4k3/4p3/3q4/8/8/8/3R4/4K3 w - -", false), // a queen for a rook
            ("4k3/8/8/3r4/8/3R4/3R4/4K3 w - -", false), // two rooks against one
            ("4k3/8/8/8/8/8/8/4K2r w - -", false),    // check
            ("4k3/P7/8/8/8/8/8/4K3 w - -", false),    // a promotion
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6", false), // en passant
            ("4k3/8/8/8/8/8/8/R3K2R w KQ -", true),   // castling takes nothing
            ("4k3/8/8/2bp4/8/3R4/8/4K1b1 w - -", false), // the pawn is not defended
            ("3rk3/8/8/3p4/8/8/3R4/3K4 w - -", true), // defended by a rook
            ("4k3/4n3/8/3p4/8/8/3R4/4R2K w - -", false), // its defender is pinned
        ] {
            assert_eq!(is_quiet(&position(fen)), expected, "{fen}");
        }
    }
}
