//! Threats to pieces that are undefended or attacked by something cheaper; and space.

use super::layout::Term;
use super::sink::Sink;
use super::view::View;
use chess::rules::{Bitboard, Color, PieceType, Rank};

/// All kinds but the king.
const MEN: [PieceType; 5] = [
    PieceType::Pawn,
    PieceType::Knight,
    PieceType::Bishop,
    PieceType::Rook,
    PieceType::Queen,
];

/// Adds the threats of one side.
#[inline(always)]
pub(super) fn value(view: &View, color: Color, sink: &mut impl Sink) {
    let (own, enemy) = (&view.sides[color], &view.sides[!color]);
    let loose = !enemy.pawn_attacks();
    let minors = own.attacks[PieceType::Knight] | own.attacks[PieceType::Bishop];
    let rooks = own.attacks[PieceType::Rook];
    let hanging = own.all_attacks & !enemy.all_attacks;
    for kind in MEN {
        let victims = view.pieces(!color, kind);
        let index = kind.index();
        if kind != PieceType::Pawn {
            let count = (victims & own.pawn_attacks()).count();
            sink.add(Term::PawnThreats, index - 1, color, count);
        }
        let worth_a_minor = if kind < PieceType::Rook {
            loose
        } else {
            Bitboard::ALL
        };
        let worth_a_rook = if kind < PieceType::Queen {
            loose
        } else {
            Bitboard::ALL
        };
        for (term, attacked) in [
            (Term::MinorThreats, minors & worth_a_minor),
            (Term::RookThreats, rooks & worth_a_rook),
            (Term::Hanging, hanging),
        ] {
            sink.add(term, index, color, (victims & attacked).count());
        }
    }
    let enemies = view.position.by_color(!color);
    let by_king = enemies & own.attacks[PieceType::King] & !enemy.all_attacks;
    sink.add(Term::KingThreats, 0, color, by_king.count());
    value_pushes(view, color, sink);
    value_space(view, color, sink);
}

/// Adds pieces that a safe pawn push would attack.
#[inline(always)]
fn value_pushes(view: &View, color: Color, sink: &mut impl Sink) {
    let (own, enemy) = (&view.sides[color], &view.sides[!color]);
    let empty = !view.occupied;
    let third = Rank::R3.relative_to(color).bitboard();
    let once = own.pawns.forward(color) & empty;
    let twice = (once & third).forward(color) & empty;
    let safe = !enemy.pawn_attacks() & (own.all_attacks | !enemy.all_attacks);
    let attacked = ((once | twice) & safe).pawn_attacks(color);
    let pieces = view.position.by_color(!color) & !(enemy.pawns | enemy.king.bitboard());
    let victims = pieces & !own.pawn_attacks();
    sink.add(Term::PushThreats, 0, color, (attacked & victims).count());
}

/// Adds space: squares of the files c to f on the second to fourth rank.
#[inline(always)]
fn value_space(view: &View, color: Color, sink: &mut impl Sink) {
    let home = match color {
        Color::White => Bitboard(0x0000_0000_3c3c_3c00),
        Color::Black => Bitboard(0x003c_3c3c_0000_0000),
    };
    let taken = view.sides[color].pawns | view.sides[!color].pawn_attacks();
    sink.add(Term::Space, 0, color, (home & !taken).count());
}
