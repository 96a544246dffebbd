//! A node of the tree and its children, one lane per child.

use super::view::{Checked, KingView, off};
use crate::perft::kernel::board::{Army, Board};
use crate::perft::kernel::lanes::Lanes;
use crate::perft::kernel::listing::Bytes;
use crate::perft::kernel::movegen::Analysis;
use crate::perft::kernel::rays::{self, KING_RAYS, Rows};
use crate::perft::kernel::step::{DIAGONAL, KING, KNIGHT, PAWN, STRAIGHT};
use crate::perft::kernel::threats::Threats;
use crate::rules::attacks;
use crate::rules::{Bitboard, CastlingSide, Color, File, Rank, Square};

/// Data shared by all lanes of a node. `us` have just moved up the board; the replies are those of
/// `them`, who move down.
pub(super) struct Node<V> {
    us: ArmyLanes<V>,
    them: ArmyLanes<V>,
    /// All pieces of `us`, and of `them`.
    all: [V; 2],
    board: Board,
    king: Square,
}

/// Limits on the replies to eight steps, seen from below (board not turned).
#[derive(Default)]
pub(super) struct Analyses {
    king_steps: [u64; 8],
    checkers: [u64; 8],
    pinned: [u64; 8],
    answers: [u64; 8],
}

impl Analyses {
    /// The analysis of the turned board after a step.
    #[inline(always)]
    pub(super) fn of(&self, lane: usize, board: &Board) -> Analysis {
        let turned = |part: &[u64; 8]| Bitboard(part[lane].swap_bytes());
        Analysis {
            threats: Threats {
                king: Square::from_low_bits(board.us.king.0.trailing_zeros()),
                occupied: board.us.all() | board.them.all(),
                checkers: turned(&self.checkers),
                pinned: turned(&self.pinned),
                answers: turned(&self.answers),
            },
            king_steps: turned(&self.king_steps),
        }
    }
}

/// One side's pieces in lanes, without its king.
#[derive(Clone, Copy)]
struct ArmyLanes<V> {
    pawns: V,
    knights: V,
    diagonal: V,
    straight: V,
}

impl<V: Lanes> ArmyLanes<V> {
    #[inline(always)]
    fn splat(army: &Army) -> Self {
        Self {
            pawns: V::splat(army.pawns.0),
            knights: V::splat(army.knights.0),
            diagonal: V::splat(army.diagonal.0),
            straight: V::splat(army.straight.0),
        }
    }

    #[inline(always)]
    fn without(self, squares: V) -> Self {
        let keep = !squares;
        Self {
            pawns: self.pawns & keep,
            knights: self.knights & keep,
            diagonal: self.diagonal & keep,
            straight: self.straight & keep,
        }
    }
}

/// The boards of all lanes after their steps.
#[derive(Clone, Copy)]
struct After<V> {
    us: ArmyLanes<V>,
    us_king: V,
    them: ArmyLanes<V>,
    enemies: V,
    own: V,
    empty: V,
}

/// Limits on the replies.
#[derive(Clone, Copy)]
struct Limits<V> {
    checkers: V,
    /// The squares next to the king that it hides from checking sliders.
    behind: V,
    /// The squares allowed for replies other than the king's.
    targets: V,
    /// The pieces pinned on no line, or on one: rank, file, the two diagonals.
    free: V,
    on_rank: V,
    on_file: V,
    on_diagonal: V,
    on_anti_diagonal: V,
}

#[inline(always)]
fn moved_if<V: Lanes>(kinds: V, wanted: u8, moving: V) -> V {
    V::when(kinds & V::splat(u64::from(wanted)), moving)
}

impl<V: Lanes> Node<V> {
    #[inline(always)]
    pub(super) fn new(board: &Board) -> Self {
        Self {
            us: ArmyLanes::splat(&board.us),
            them: ArmyLanes::splat(&board.them),
            all: [V::splat(board.us.all().0), V::splat(board.them.all().0)],
            board: *board,
            king: Square::from_low_bits(board.them.king.0.trailing_zeros()),
        }
    }

    /// The boards after the steps from `start` on; undefined beyond the last step.
    #[inline(always)]
    fn play<const PROMOTE: bool>(&self, steps: &Bytes, start: usize) -> After<V> {
        let [from, to, kinds] = steps.eight(start);
        let (from, to) = (V::bit(V::from_bytes(from)), V::bit(V::from_bytes(to)));
        let kinds = V::from_bytes(kinds);
        let moved = from | to;
        // A promoting pawn leaves as a pawn and arrives as the promotion piece.
        let moving = if PROMOTE { to } else { moved };
        let pawns = if PROMOTE {
            from
        } else {
            moved_if(kinds, PAWN, moving)
        };
        let [us_all, them_all] = self.all;
        let enemies = us_all ^ moved;
        let own = them_all & !to;
        let us_king = V::splat(self.board.us.king.0);
        After {
            us: ArmyLanes {
                pawns: self.us.pawns ^ pawns,
                knights: self.us.knights ^ moved_if(kinds, KNIGHT, moving),
                diagonal: self.us.diagonal ^ moved_if(kinds, DIAGONAL, moving),
                straight: self.us.straight ^ moved_if(kinds, STRAIGHT, moving),
            },
            us_king: if PROMOTE {
                us_king
            } else {
                us_king ^ moved_if(kinds, KING, moving)
            },
            them: self.them.without(to),
            enemies,
            own,
            empty: !(own | enemies),
        }
    }

    /// The number of replies to each of the steps from `start` on; undefined beyond the last step.
    #[inline(always)]
    pub(super) fn count_replies<const PROMOTE: bool>(&self, steps: &Bytes, start: usize) -> V {
        let after = self.play::<PROMOTE>(steps, start);
        let limits = self.limits::<PROMOTE>(&after);
        let (danger, reached) = self.slide::<PROMOTE>(&after, &limits);
        let danger = danger | limits.behind | self.leaper_attacks::<PROMOTE>(&after);
        let king_steps = V::splat(attacks::king(self.king).0) & !after.own & !danger;
        let [step, double_step, west, east] = Self::pawn_moves(&after, &limits);
        let mut tally = V::tally(reached);
        tally = tally.add(V::tally([king_steps, step, double_step, west, east]));
        if self.board.them.pawns.intersects(Rank::R2.bitboard()) {
            let last = V::splat(Rank::R1.bitboard().0);
            let promoting = V::tally([step & last, west & last, east & last]);
            tally = tally.add(promoting).add(promoting).add(promoting);
        }
        for knight in self.board.them.knights {
            let there = after.them.knights & limits.free & V::splat(knight.bitboard().0);
            let targets = V::splat(attacks::knight(knight).0) & limits.targets;
            tally = tally.add(V::tally([V::when(there, targets)]));
        }
        for rook in self.board.castling & self.board.them.straight {
            tally = tally.add(self.castling(rook, &after, danger | limits.checkers));
        }
        V::total(tally)
    }

    /// Limits on the replies to each of the steps from `start` on.
    #[inline(always)]
    pub(super) fn analyse<const PROMOTE: bool>(&self, steps: &Bytes, start: usize) -> Analyses {
        let after = self.play::<PROMOTE>(steps, start);
        let limits = self.limits::<PROMOTE>(&after);
        let (danger, _) = self.slide::<PROMOTE>(&after, &limits);
        let danger = danger | limits.behind | self.leaper_attacks::<PROMOTE>(&after);
        let king_steps = V::splat(attacks::king(self.king).0) & !after.own & !danger;
        Analyses {
            king_steps: king_steps.to_array(),
            checkers: limits.checkers.to_array(),
            pinned: (!limits.free).to_array(),
            answers: limits.targets.to_array(),
        }
    }

    /// Checks and pins, from the eight rays of the king: the first piece on a ray may give check,
    /// or be pinned by the next one. Rays towards lower squares are evaluated on the board rotated
    /// by 180 degrees.
    #[inline(always)]
    fn limits<const PROMOTE: bool>(&self, after: &After<V>) -> Limits<V> {
        let rays = &KING_RAYS[self.king.index()];
        let leapers = V::splat(attacks::knight(self.king).0) & after.us.knights
            | V::splat(attacks::pawn(Color::Black, self.king).0) & after.us.pawns;
        let up = KingView {
            own: after.own,
            empty: after.empty,
        };
        let down = KingView {
            own: after.own.reversed(),
            empty: after.empty.reversed(),
        };
        let (mut above, mut below) = (V::splat(0), V::splat(0));
        let [mut rank, mut file, mut diagonal, mut anti_diagonal] = [V::splat(0); 4];
        if PROMOTE || !self.board.us.straight.is_empty() {
            let (sliders, turned) = (after.us.straight, after.us.straight.reversed());
            rank = up.look_along(rays.up[0], sliders, &mut above)
                | down.look_along(rays.down[0], turned, &mut below).reversed();
            file = up.look_along(rays.up[1], sliders, &mut above)
                | down.look_along(rays.down[1], turned, &mut below).reversed();
        }
        if PROMOTE || !self.board.us.diagonal.is_empty() {
            let (sliders, turned) = (after.us.diagonal, after.us.diagonal.reversed());
            diagonal = up.look_along(rays.up[2], sliders, &mut above)
                | down.look_along(rays.down[2], turned, &mut below).reversed();
            anti_diagonal = up.look_along(rays.up[3], sliders, &mut above)
                | down.look_along(rays.down[3], turned, &mut below).reversed();
        }
        let checkers = above | below.reversed() | leapers;
        let free = !(rank | file | diagonal | anti_diagonal);
        let (mut answers, mut behind) = (V::splat(!0), V::splat(0));
        // Checks are rare: the branch saves more than it costs when it is mispredicted.
        if checkers.any() {
            let up = Checked::along(&rays.up, &rays.behind_up, above);
            let down = Checked::along(&rays.down, &rays.behind_down, below);
            let several = checkers & super::view::less_one(checkers);
            answers = up.answers | down.answers.reversed() | leapers;
            answers = V::unless(several, answers | V::unless(checkers, V::splat(!0)));
            behind = up.behind | down.behind;
        }
        Limits {
            checkers,
            behind,
            targets: answers & !after.own,
            free,
            on_rank: rank,
            on_file: file,
            on_diagonal: diagonal,
            on_anti_diagonal: anti_diagonal,
        }
    }

    /// The squares that the sliders of `us` attack and the targets
    /// of the sliders of `them` in each of the eight directions. The bits of the targets are in no
    /// particular order: they are only counted. A slider moves along a line if it is pinned on none
    /// or on that one.
    #[inline(always)]
    fn slide<const PROMOTE: bool>(&self, after: &After<V>, limits: &Limits<V>) -> (V, [V; 8]) {
        let none = V::splat(0);
        let (us, them) = (&self.board.us, &self.board.them);
        let theirs = PROMOTE || !us.straight.is_empty();
        let (by_straight, straight) = match (theirs, !them.straight.is_empty()) {
            (true, true) => Self::slide_straight::<true, true>(after, limits),
            (true, false) => Self::slide_straight::<true, false>(after, limits),
            (false, true) => Self::slide_straight::<false, true>(after, limits),
            (false, false) => (none, [none; 4]),
        };
        let theirs = PROMOTE || !us.diagonal.is_empty();
        let (by_diagonal, diagonal) = match (theirs, !them.diagonal.is_empty()) {
            (true, true) => Self::slide_diagonal::<true, true>(after, limits),
            (true, false) => Self::slide_diagonal::<true, false>(after, limits),
            (false, true) => Self::slide_diagonal::<false, true>(after, limits),
            (false, false) => (none, [none; 4]),
        };
        let [east, west, north, south] = straight;
        let [ne, sw, nw, se] = diagonal;
        (
            by_straight | by_diagonal,
            [east, west, north, south, ne, sw, nw, se],
        )
    }

    /// Along ranks by rows, along files by rows of the mirrored board; by fills where turning bytes
    /// or mirroring is expensive.
    #[inline(always)]
    fn slide_straight<const THEIRS: bool, const OWN: bool>(
        after: &After<V>,
        limits: &Limits<V>,
    ) -> (V, [V; 4]) {
        let (theirs, them) = (after.us.straight, after.them.straight);
        let rank = them & (limits.free | limits.on_rank);
        let file = them & (limits.free | limits.on_file);
        let targets = limits.targets;
        let occupied = !after.empty;
        let [along_ranks, east, west] = if V::ROWS {
            let ranks = Rows {
                occupied,
                theirs,
                own: rank,
            };
            ranks.slide::<THEIRS, OWN>(targets)
        } else {
            rays::gather(
                rays::fill::<V, { rays::EAST }, THEIRS, OWN>(after.empty, theirs, rank),
                rays::fill::<V, { rays::WEST }, THEIRS, OWN>(after.empty, theirs, rank),
                targets,
            )
        };
        let [along_files, north, south] = if V::MIRRORS {
            let files = Rows {
                occupied: occupied.mirrored(),
                theirs: theirs.mirrored(),
                own: file.mirrored(),
            };
            let [danger, south, north] = files.slide::<THEIRS, OWN>(targets.mirrored());
            [danger.mirrored(), north, south]
        } else {
            rays::gather(
                rays::fill::<V, { rays::NORTH }, THEIRS, OWN>(after.empty, theirs, file),
                rays::fill::<V, { rays::SOUTH }, THEIRS, OWN>(after.empty, theirs, file),
                targets,
            )
        };
        (along_ranks | along_files, [east, west, north, south])
    }

    /// Along the diagonals, by fills.
    #[inline(always)]
    fn slide_diagonal<const THEIRS: bool, const OWN: bool>(
        after: &After<V>,
        limits: &Limits<V>,
    ) -> (V, [V; 4]) {
        let (theirs, them) = (after.us.diagonal, after.them.diagonal);
        let up = them & (limits.free | limits.on_diagonal);
        let down = them & (limits.free | limits.on_anti_diagonal);
        let [by_up, ne, sw] = rays::gather(
            rays::fill::<V, { rays::NORTH_EAST }, THEIRS, OWN>(after.empty, theirs, up),
            rays::fill::<V, { rays::SOUTH_WEST }, THEIRS, OWN>(after.empty, theirs, up),
            limits.targets,
        );
        let [by_down, nw, se] = rays::gather(
            rays::fill::<V, { rays::NORTH_WEST }, THEIRS, OWN>(after.empty, theirs, down),
            rays::fill::<V, { rays::SOUTH_EAST }, THEIRS, OWN>(after.empty, theirs, down),
            limits.targets,
        );
        (by_up | by_down, [ne, sw, nw, se])
    }

    /// The squares that pawns, knights and king of `us` attack.
    #[inline(always)]
    fn leaper_attacks<const PROMOTE: bool>(&self, after: &After<V>) -> V {
        let (a, h) = (File::A.bitboard(), File::H.bitboard());
        let (ab, gh) = (a | File::B.bitboard(), h | File::G.bitboard());
        let pawns = after.us.pawns;
        let by_pawns = (pawns & off(a)).shl(7) | (pawns & off(h)).shl(9);
        let king = after.us_king;
        let row = king | (king & off(a)).shr(1) | (king & off(h)).shl(1);
        let attacked = by_pawns | row | row.shl(8) | row.shr(8);
        if !PROMOTE && self.board.us.knights.is_empty() {
            return attacked;
        }
        let knights = after.us.knights;
        let near = (knights & off(a)).shr(1) | (knights & off(h)).shl(1);
        let far = (knights & off(ab)).shr(2) | (knights & off(gh)).shl(2);
        attacked | near.shl(16) | near.shr(16) | far.shl(8) | far.shr(8)
    }

    /// Single steps, double steps, captures towards the a-file and towards the h-file.
    #[inline(always)]
    fn pawn_moves(after: &After<V>, limits: &Limits<V>) -> [V; 4] {
        let pawns = after.them.pawns;
        let pushers = pawns & (limits.free | limits.on_file);
        let step = pushers.shr(8) & after.empty;
        let sixth = V::splat(Rank::R6.bitboard().0);
        let double_step = (step & sixth).shr(8) & after.empty;
        // Down towards the a-file is along the diagonal a1-h8, down towards the h-file along a8-h1.
        let west = pawns & (limits.free | limits.on_diagonal) & off(File::A.bitboard());
        let east = pawns & (limits.free | limits.on_anti_diagonal) & off(File::H.bitboard());
        let takes = after.enemies & limits.targets;
        [
            step & limits.targets,
            double_step & limits.targets,
            west.shr(9) & takes,
            east.shr(7) & takes,
        ]
    }

    /// 1 in the lanes where `them` may castle with this rook on the edge.
    #[inline(always)]
    fn castling(&self, rook: Square, after: &After<V>, forbidden: V) -> V {
        let side = CastlingSide::of(self.king, rook);
        let (king_target, rook_target) = (
            side.king_target(Color::Black),
            side.rook_target(Color::Black),
        );
        let king_path = attacks::between(self.king, king_target) | king_target.bitboard();
        let rook_path = attacks::between(rook, rook_target) | rook_target.bitboard();
        let own = self.king.bitboard() | rook.bitboard();
        let in_the_way = !after.empty & V::splat(((king_path | rook_path) & !own).0);
        let watched = forbidden & V::splat((king_path | self.king.bitboard()).0);
        let taken = V::splat(rook.bitboard().0) & !after.them.straight;
        V::unless(in_the_way | watched | taken, V::splat(1))
    }
}
