//! Whether strict libraries accept a position: they refuse what no game can come to, if that is easy to see.

use chess::rules::{Bitboard, CastlingMode, Color, File, PieceType, Position, Square, attacks};

/// Halfmoves after which a game is over by claim; some libraries accept no greater clock.
const MAX_CLOCK: u32 = 100;

/// Whether a strict library accepts a position: no side has more than 16 men, or more promoted pieces than
/// it lacks pawns; no more checks than one move can give; castling rights of Chess960 only where a
/// game can start; a halfmove clock of 100 at most, and 0 after a double push.
pub(crate) fn is_strict(position: &Position) -> bool {
    let men_are_possible = Color::ALL
        .into_iter()
        .all(|color| has_possible_men(position, color));
    let clock = position.halfmove_clock();
    let clock_fits = clock <= MAX_CLOCK && (position.ep_square().is_none() || clock == 0);
    men_are_possible && clock_fits && rights_are_possible(position) && check_is_possible(position)
}

fn has_possible_men(position: &Position, color: Color) -> bool {
    let number = |set: Bitboard| set.count();
    let of = |kind| position.pieces(color, kind);
    let bishops = of(PieceType::Bishop);
    let promoted = number(of(PieceType::Queen)).saturating_sub(1)
        + number(of(PieceType::Rook)).saturating_sub(2)
        + number(of(PieceType::Knight)).saturating_sub(2)
        + number(bishops & Bitboard::DARK).saturating_sub(1)
        + number(bishops & !Bitboard::DARK).saturating_sub(1);
    let pawns = number(of(PieceType::Pawn));
    number(position.by_color(color)) <= 16 && pawns + promoted <= 8
}

/// In Chess960, the king stands between its rooks, not in a corner.
fn rights_are_possible(position: &Position) -> bool {
    let mut rooks = position.castling_rooks().into_iter();
    position.castling_mode() == CastlingMode::Standard
        || rooks.all(|rook| {
            let color = position
                .piece_at(rook)
                .map_or(Color::White, |piece| piece.color);
            ![File::A, File::H].contains(&position.king(color).file())
        })
}

/// At most two checkers, not on one line, and after a double push only those that it can give.
fn check_is_possible(position: &Position) -> bool {
    let us = position.side_to_move();
    let king = position.king(us);
    let checkers: Vec<Square> = position.checkers().into_iter().collect();
    let is_leaper = |square: Square| {
        let kind = position.piece_type_at(square);
        matches!(kind, Some(PieceType::Pawn | PieceType::Knight))
    };
    match checkers[..] {
        [] | [_] => {}
        [first, second] => {
            let is_on_a_line = attacks::line(first, second).contains(king);
            if is_on_a_line || is_leaper(first) && is_leaper(second) {
                return false;
            }
        }
        _ => return false,
    }
    let Some(ep_square) = position.ep_square() else {
        return true;
    };
    let pushed = ep_square.offset(0, -us.forward());
    let start = ep_square.offset(0, us.forward());
    let (Some(pushed), Some(start)) = (pushed, start) else {
        return false;
    };
    match checkers[..] {
        [] => true,
        [checker] => {
            checker == pushed || {
                // The line was closed before the push.
                let before = position.occupied() & !pushed.bitboard() | start.bitboard();
                let between = attacks::between(king, checker);
                !between.is_empty() && between.intersects(before)
            }
        }
        _ => false,
    }
}
