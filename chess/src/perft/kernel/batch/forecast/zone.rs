//! The squares that the king of `us` could use, and by how many pieces of `them` they are attacked.

use crate::perft::kernel::batch::attacks::off;
use crate::perft::kernel::batch::node::{BoardsAfter, Node};
use crate::perft::kernel::lanes::Lanes;
use crate::perft::kernel::rays::{
    self, EAST, NORTH, NORTH_EAST, NORTH_WEST, SOUTH, SOUTH_EAST, SOUTH_WEST, WEST,
};
use crate::rules::{CastlingSide, Color, File, Square, attacks};

/// The king's neighbours that are not occupied by `us`, and the squares that it crosses to castle.
pub(super) struct Zone<V> {
    /// The squares that are empty, were the king lifted.
    pub(super) lifted: V,
    /// What the sliders of `them` attack in each direction, through the king.
    pub(super) attacked: [V; 8],
    /// Squares that no piece attacks, with the king's own; that one attacks; that two attack.
    pub(super) free: V,
    pub(super) once: V,
    pub(super) twice: V,
    /// Of all these, those needed to castle.
    pub(super) to_castle: V,
    /// Tally of the king's steps.
    pub(super) steps: V,
    /// The number of castlings.
    pub(super) castlings: V,
    /// Moves from and to these squares change more than can be foreseen.
    pub(super) from: V,
    pub(super) to: V,
}

impl<V: Lanes> Zone<V> {
    #[inline(always)]
    pub(super) fn new(node: &Node<V>, after: &BoardsAfter<V>) -> Self {
        let none = V::splat(0);
        let lifted = after.empty | after.us_king;
        let attacked = slider_attacks(node, after, lifted);
        let attacks = Attacks::new(node, after, &attacked);
        let near = neighbours(after.us_king);
        let near_free = near & !after.enemies;
        let mut zone = Self {
            lifted,
            attacked,
            free: none,
            once: none,
            twice: none,
            to_castle: none,
            steps: V::tally([near_free & !attacks.one]),
            castlings: none,
            from: near & after.own,
            to: near,
        };
        let king = Square::from_low_bits(node.board.us.king.0.trailing_zeros());
        for rook in node.board.castling & node.board.us.straight {
            zone.castle(king, rook, after, attacks.one);
        }
        let squares = near_free | zone.to_castle;
        zone.free = squares & !attacks.one | after.us_king;
        zone.once = squares & attacks.one & !attacks.two;
        zone.twice = squares & attacks.two & !attacks.three;
        zone
    }

    /// Adds what castling with a rook on the edge needs, in the lanes where the right is left and
    /// no piece of `us` is in the way: none could make room by one move of `them`.
    #[inline(always)]
    fn castle(&mut self, king: Square, rook: Square, after: &BoardsAfter<V>, attacked: V) {
        let [king_path, rook_path] = CastlingSide::paths(king, rook, Color::White);
        let others = !(king.bitboard() | rook.bitboard());
        let path = V::splat(((king_path | rook_path) & others).0);
        let king_path = V::splat((king_path & others).0);
        let rook = V::splat(rook.bitboard().0);
        let unmoved = after.us_king & V::splat(king.bitboard().0);
        let right = V::when(unmoved, V::when(after.us.straight & rook, V::splat(!0)));
        let open = V::unless(path & after.enemies, right);
        self.to = self.to | right & rook | open & path;
        self.from = self.from | open & path & after.own;
        self.to_castle = self.to_castle | open & king_path;
        let hindered = path & after.own | king_path & attacked;
        self.castlings = self.castlings.add(V::unless(hindered, open & V::splat(1)));
    }
}

#[inline(always)]
fn slider_attacks<V: Lanes>(node: &Node<V>, after: &BoardsAfter<V>, empty: V) -> [V; 8] {
    let mut attacked = [V::splat(0); 8];
    if !node.board.them.straight.is_empty() {
        let sliders = after.them.straight;
        attacked[EAST] = rays::attacks::<V, EAST>(sliders, empty);
        attacked[WEST] = rays::attacks::<V, WEST>(sliders, empty);
        attacked[NORTH] = rays::attacks::<V, NORTH>(sliders, empty);
        attacked[SOUTH] = rays::attacks::<V, SOUTH>(sliders, empty);
    }
    if !node.board.them.diagonal.is_empty() {
        let sliders = after.them.diagonal;
        attacked[NORTH_EAST] = rays::attacks::<V, NORTH_EAST>(sliders, empty);
        attacked[SOUTH_WEST] = rays::attacks::<V, SOUTH_WEST>(sliders, empty);
        attacked[NORTH_WEST] = rays::attacks::<V, NORTH_WEST>(sliders, empty);
        attacked[SOUTH_EAST] = rays::attacks::<V, SOUTH_EAST>(sliders, empty);
    }
    attacked
}

/// The squares that at least one, two and three pieces of `them` attack.
struct Attacks<V> {
    one: V,
    two: V,
    three: V,
}

impl<V: Lanes> Attacks<V> {
    #[expect(
        clippy::needless_range_loop,
        reason = "iterators need not be inlined, see `Lanes`"
    )]
    #[inline(always)]
    fn new(node: &Node<V>, after: &BoardsAfter<V>, by_sliders: &[V; 8]) -> Self {
        let none = V::splat(0);
        let mut attacks = Self {
            one: none,
            two: none,
            three: none,
        };
        for way in 0..8 {
            attacks.add(by_sliders[way]);
        }
        let [west, east] = down_from(after.them.pawns);
        attacks.add(west);
        attacks.add(east);
        let king = Square::from_low_bits(node.board.them.king.0.trailing_zeros());
        attacks.add(V::splat(attacks::king(king).0));
        if !node.board.them.knights.is_empty() {
            let moves = knight_moves(after.them.knights);
            for way in 0..8 {
                attacks.add(moves[way]);
            }
        }
        attacks
    }

    #[inline(always)]
    fn add(&mut self, set: V) {
        self.three = self.three | self.two & set;
        self.two = self.two | self.one & set;
        self.one = self.one | set;
    }
}

/// What pawns of `them` on these squares attack.
#[inline(always)]
fn down_from<V: Lanes>(set: V) -> [V; 2] {
    let (a, h) = (File::A.bitboard(), File::H.bitboard());
    [(set & off(a)).shr(9), (set & off(h)).shr(7)]
}

/// Where a pawn of `them` attacks these squares.
#[inline(always)]
pub(super) fn up_from<V: Lanes>(set: V) -> V {
    let (a, h) = (File::A.bitboard(), File::H.bitboard());
    (set & off(a)).shl(7) | (set & off(h)).shl(9)
}

/// The squares next to these.
#[inline(always)]
pub(super) fn neighbours<V: Lanes>(set: V) -> V {
    let (a, h) = (File::A.bitboard(), File::H.bitboard());
    let row = set | (set & off(h)).shl(1) | (set & off(a)).shr(1);
    (row | row.shl(8) | row.shr(8)) & !set
}

/// The squares a knight's move away from these.
#[inline(always)]
pub(super) fn knights_around<V: Lanes>(set: V) -> V {
    let moves = knight_moves(set);
    let mut all = moves[0];
    #[expect(
        clippy::needless_range_loop,
        reason = "iterators need not be inlined, see `Lanes`"
    )]
    for way in 1..8 {
        all = all | moves[way];
    }
    all
}

/// The same, one set for each kind of move. Those of the second four are the reverse of the first
/// four.
#[inline(always)]
pub(super) fn knight_moves<V: Lanes>(set: V) -> [V; 8] {
    let (a, h) = (File::A.bitboard(), File::H.bitboard());
    let (ab, gh) = (a | File::B.bitboard(), h | File::G.bitboard());
    [
        (set & off(h)).shl(17),
        (set & off(a)).shl(15),
        (set & off(gh)).shl(10),
        (set & off(ab)).shl(6),
        (set & off(a)).shr(17),
        (set & off(h)).shr(15),
        (set & off(ab)).shr(10),
        (set & off(gh)).shr(6),
    ]
}
