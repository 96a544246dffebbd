//! Quiet positions: those whose static evaluation is meaningful without a search.

use chess::rules::{Move, PieceType, Position};

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

/// Whether a move captures.
pub(crate) fn is_capture(position: &Position, m: Move) -> bool {
    victim(position, m).is_some()
}

/// The type of the captured piece.
fn victim(position: &Position, m: Move) -> Option<PieceType> {
    let moved = position.piece_type_at(m.from());
    match position.piece_at(m.to()) {
        // Castling is encoded as the king capturing its own rook.
        Some(piece) => (piece.color != position.side_to_move()).then_some(piece.piece_type),
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
    let least = attackers
        .iter()
        .copied()
        .filter(|m| m.to() == square && is_capture(position, *m))
        .min_by_key(|m| position.piece_type_at(m.from()).map(value));
    let Some(m) = least else {
        return 0;
    };
    let taken = position.piece_type_at(square).map_or(0, value);
    let after = position.play_unchecked(m);
    (taken - best_exchange(&after, m)).max(0)
}

const fn value(piece_type: PieceType) -> i32 {
    match piece_type {
        PieceType::Pawn => 1,
        PieceType::Knight | PieceType::Bishop => 3,
        PieceType::Rook => 5,
        PieceType::Queen => 9,
        PieceType::King => 100,
    }
}

#[cfg(test)]
mod tests {
    use chess::notation::fen;

    use super::*;

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
            assert_eq!(is_quiet(&fen::parse(fen).unwrap()), expected, "{fen}");
        }
    }
}
