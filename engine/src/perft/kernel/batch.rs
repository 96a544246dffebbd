//! Many boards at once: the replies to several steps are counted by one stream of lane operations.
//!
//! At a node of depth 2 the steps of `us` are listed as bytes. A lane's board is the node's own,
//! changed by exclusive or with what one step moves; the replies of `them` are then counted in all
//! lanes together, without a branch. Castling and en passant of `us`, and replies en passant, are
//! rare and counted one by one by [`super::scalar`].
//!
//! The idea and what made it fast are told in `docs/perft-speed.md`.

use std::marker::PhantomData;

use super::board::{Army, Board};
use super::lanes::Lanes;
use super::rays::{self, KING_RAYS};
use super::scalar;
use super::steps::{self, Kind, Sink, Step, behind};
use crate::rules::attacks::{self, Sliders};
use crate::rules::{Bitboard, CastlingSide, Color, File, MAX_MOVES, Rank, Square};

/// What moves, as bits: a queen is both sliders.
const PAWN: u8 = 1;
const KNIGHT: u8 = 2;
const DIAGONAL: u8 = 4;
const STRAIGHT: u8 = 8;
const KING: u8 = 16;

/// Room for every step and for a whole register beyond the last.
const ROOM: usize = MAX_MOVES + 64;

/// Steps as bytes, each part for itself, so that a load fills the lanes. What lies beyond `count`
/// means nothing.
struct Bytes {
    from: [u8; ROOM],
    to: [u8; ROOM],
    kind: [u8; ROOM],
    count: usize,
}

/// The steps of one node, kept between nodes for their memory.
pub(super) struct Scratch {
    plain: Bytes,
    promotions: Bytes,
}

impl Scratch {
    pub(super) const fn new() -> Self {
        Self {
            plain: Bytes::new(),
            promotions: Bytes::new(),
        }
    }
}

impl Bytes {
    const fn new() -> Self {
        Self {
            from: [0; ROOM],
            to: [0; ROOM],
            kind: [0; ROOM],
            count: 0,
        }
    }

    #[inline(always)]
    fn push(&mut self, from: Square, to: Square, kind: u8) {
        self.from[self.count] = from as u8;
        self.to[self.count] = to as u8;
        self.kind[self.count] = kind;
        self.count += 1;
    }

    /// Adds steps to each of the targets (fewer than 64), all from one square or each from the one `back` before.
    #[inline(always)]
    fn extend<V: Lanes>(&mut self, kind: u8, targets: Bitboard, from: Origin) {
        let room = self.count..self.count + 64;
        let to: &mut [u8; 64] = Self::part(&mut self.to, room.clone());
        V::indices(targets.0, to);
        let origins = Self::part(&mut self.from, room.clone());
        match from {
            Origin::Square(square) => origins.fill(square as u8),
            Origin::Back(back) => {
                for index in 0..64 {
                    origins[index] = to[index].wrapping_sub(back);
                }
            }
        }
        Self::part(&mut self.kind, room).fill(kind);
        self.count += targets.count() as usize;
    }

    #[inline(always)]
    fn part(bytes: &mut [u8; ROOM], room: std::ops::Range<usize>) -> &mut [u8; 64] {
        (&mut bytes[room]).try_into().expect("64 bytes of room")
    }

    /// The eight bytes of a part from `start` on.
    #[inline(always)]
    fn eight(part: &[u8; ROOM], start: usize) -> [u8; 8] {
        *part[start..]
            .first_chunk()
            .expect("there is room beyond the last step")
    }
}

/// Where steps listed together come from.
#[derive(Clone, Copy)]
enum Origin {
    Square(Square),
    /// From the square whose index is less by so much.
    Back(u8),
}

/// Lists the steps that lanes can make, and counts the replies to the others at once.
struct Listing<'a, V, S> {
    board: &'a Board,
    sliders: S,
    scratch: &'a mut Scratch,
    sum: u64,
    lanes: PhantomData<V>,
}

impl<V: Lanes, S: Sliders> Sink for Listing<'_, V, S> {
    #[inline(always)]
    fn piece(&mut self, kind: Kind, from: Square, targets: Bitboard) {
        let kind = match kind {
            Kind::Knight => KNIGHT,
            Kind::Bishop => DIAGONAL,
            Kind::Rook => STRAIGHT,
            Kind::Queen => DIAGONAL | STRAIGHT,
            Kind::King => KING,
            _ => {
                for to in targets {
                    let next = self.board.after(Step { from, to, kind });
                    self.sum += scalar::count_moves::<false, S>(&next, self.sliders);
                }
                return;
            }
        };
        self.scratch
            .plain
            .extend::<V>(kind, targets, Origin::Square(from));
    }

    #[inline(always)]
    fn pawns(&mut self, kind: Kind, targets: Bitboard, back: u8) {
        if targets.is_empty() {
            return;
        }
        self.scratch
            .plain
            .extend::<V>(PAWN, targets, Origin::Back(back));
        if kind == Kind::DoubleStep {
            let enemies = self.board.them.pawns;
            for to in targets & (enemies.east() | enemies.west()) {
                let next = self.board.after(Step {
                    from: behind(to, back),
                    to,
                    kind,
                });
                self.sum += scalar::count_replies_en_passant(&next, self.sliders);
            }
        }
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, back: u8) {
        for to in targets {
            for kind in [KNIGHT, DIAGONAL, STRAIGHT, DIAGONAL | STRAIGHT] {
                self.scratch.promotions.push(behind(to, back), to, kind);
            }
        }
    }
}

/// Counts the leaf nodes two plies below `board`.
#[inline(always)]
pub(super) fn count_two_plies<V: Lanes, S: Sliders>(
    board: &Board,
    sliders: S,
    scratch: &mut Scratch,
) -> u64 {
    if castling_can_uncover(board) {
        return scalar::count_two_plies(board, sliders);
    }
    scratch.plain.count = 0;
    scratch.promotions.count = 0;
    let mut listing = Listing::<V, S> {
        board,
        sliders,
        scratch,
        sum: 0,
        lanes: PhantomData,
    };
    steps::generate(board, sliders, &mut listing);
    let Listing {
        mut sum,
        scratch: Scratch { plain, promotions },
        ..
    } = listing;
    let node = Node::<V>::new(board);
    for start in (0..plain.count).step_by(V::WIDTH) {
        sum += node.count_replies::<false>(plain, start);
    }
    for start in (0..promotions.count).step_by(V::WIDTH) {
        sum += node.count_replies::<true>(promotions, start);
    }
    sum
}

/// Whether `them` may castle with a rook that is not on the edge of the board: only such a rook,
/// leaving, can uncover an attack on its king along the rank.
#[inline(always)]
fn castling_can_uncover(board: &Board) -> bool {
    let edges = File::A.bitboard() | File::H.bitboard();
    (board.castling & board.them.straight & !edges) != Bitboard::EMPTY
}

/// What all lanes of a node share. `us` have just moved up the board; the replies are those of
/// `them`, who play down it.
struct Node<V> {
    us: ArmyLanes<V>,
    them: ArmyLanes<V>,
    /// All pieces of `us`, and of `them`.
    all: [V; 2],
    board: Board,
    king: Square,
}

/// One side's pieces, in lanes; but not its king.
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

/// What limits the replies.
#[derive(Clone, Copy)]
struct Limits<V> {
    checkers: V,
    /// The squares a reply other than the king's may go to.
    targets: V,
    /// What is pinned on no line, or on one: rank, file, the two diagonals.
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

#[inline(always)]
fn less_one<V: Lanes>(set: V) -> V {
    set.add(V::splat(!0))
}

#[inline(always)]
fn off<V: Lanes>(files: Bitboard) -> V {
    V::splat(!files.0)
}

impl<V: Lanes> Node<V> {
    #[inline(always)]
    fn new(board: &Board) -> Self {
        Self {
            us: ArmyLanes::splat(&board.us),
            them: ArmyLanes::splat(&board.them),
            all: [V::splat(board.us.all().0), V::splat(board.them.all().0)],
            board: *board,
            king: Square::from_low_bits(board.them.king.0.trailing_zeros()),
        }
    }

    /// The boards after the steps from `start` on; beyond the last step they mean nothing.
    #[inline(always)]
    fn play<const PROMOTE: bool>(&self, steps: &Bytes, start: usize) -> After<V> {
        let from = V::bit(V::from_bytes(Bytes::eight(&steps.from, start)));
        let to = V::bit(V::from_bytes(Bytes::eight(&steps.to, start)));
        let kinds = V::from_bytes(Bytes::eight(&steps.kind, start));
        let moved = from | to;
        // A promoting pawn leaves as a pawn and arrives as what it becomes.
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

    /// Counts the replies to the steps from `start` on, as many as there are lanes.
    #[inline(always)]
    fn count_replies<const PROMOTE: bool>(&self, steps: &Bytes, start: usize) -> u64 {
        let after = self.play::<PROMOTE>(steps, start);
        let limits = self.limits(&after);
        let (danger, reached) = self.slide(&after, &limits);
        let danger = danger | Self::leaper_attacks(&after);
        let king_steps = V::splat(attacks::king(self.king).0) & !after.own & !danger;
        let [step, double_step, west, east] = Self::pawn_moves(&after, &limits);
        let mut count = V::count(reached);
        count = count.add(V::count([king_steps, step, double_step, west, east]));
        if self.board.them.pawns.intersects(Rank::R2.bitboard()) {
            let last = V::splat(Rank::R1.bitboard().0);
            let promoting = V::count([step & last, west & last, east & last]);
            count = count.add(promoting).add(promoting).add(promoting);
        }
        for knight in self.board.them.knights {
            let there = after.them.knights & limits.free & V::splat(knight.bitboard().0);
            let targets = V::splat(attacks::knight(knight).0) & limits.targets;
            count = count.add(V::count([V::when(there, targets)]));
        }
        for rook in self.board.castling & self.board.them.straight {
            count = count.add(self.castling(rook, &after, danger | limits.checkers));
        }
        count.sum((steps.count - start).min(V::WIDTH))
    }

    /// Checks and pins, from the eight rays of the king: what a ray meets first may give check, or
    /// be pinned by what it meets next. Rays towards lower squares are found on the board turned by
    /// half a circle.
    #[inline(always)]
    fn limits(&self, after: &After<V>) -> Limits<V> {
        let rays = &KING_RAYS[self.king.index()];
        let leapers = V::splat(attacks::knight(self.king).0) & after.us.knights
            | V::splat(attacks::pawn(Color::Black, self.king).0) & after.us.pawns;
        let up = King {
            own: after.own,
            empty: after.empty,
            us: after.us,
        };
        let turned = King {
            own: after.own.reversed(),
            empty: after.empty.reversed(),
            us: ArmyLanes {
                pawns: after.us.pawns,
                knights: after.us.knights,
                diagonal: after.us.diagonal.reversed(),
                straight: after.us.straight.reversed(),
            },
        };
        let up = up.look(rays.up);
        let down = turned.look(rays.down);
        let checkers = up.checkers | down.checkers.reversed() | leapers;
        let answers = up.answers | down.answers.reversed() | leapers;
        let rank = up.pinned[0] | down.pinned[0].reversed();
        let file = up.pinned[1] | down.pinned[1].reversed();
        let diagonal = up.pinned[2] | down.pinned[2].reversed();
        let anti_diagonal = up.pinned[3] | down.pinned[3].reversed();
        let free = !(rank | file | diagonal | anti_diagonal);
        let several = checkers & less_one(checkers);
        let answers = V::unless(several, answers | V::unless(checkers, V::splat(!0)));
        Limits {
            checkers,
            targets: answers & !after.own,
            free,
            on_rank: rank,
            on_file: file,
            on_diagonal: diagonal,
            on_anti_diagonal: anti_diagonal,
        }
    }

    /// The squares that the sliders of `us` attack, the king of `them` lifted off the board; and
    /// the targets of the sliders of `them` in each of the eight directions. A slider moves along
    /// a line when it is pinned on none or on that one.
    #[inline(always)]
    fn slide(&self, after: &After<V>, limits: &Limits<V>) -> (V, [V; 8]) {
        let (them, free) = (&after.them, limits.free);
        let rank = them.straight & (free | limits.on_rank);
        let file = them.straight & (free | limits.on_file);
        let diagonal = them.diagonal & (free | limits.on_diagonal);
        let anti_diagonal = them.diagonal & (free | limits.on_anti_diagonal);
        let (straight, slanted) = (after.us.straight, after.us.diagonal);
        let king = V::splat(self.king.bitboard().0);
        let empty = after.empty;
        let ways = [
            rays::fill::<V, { rays::EAST }>(empty, king, straight, rank),
            rays::fill::<V, { rays::WEST }>(empty, king, straight, rank),
            rays::fill::<V, { rays::NORTH }>(empty, king, straight, file),
            rays::fill::<V, { rays::SOUTH }>(empty, king, straight, file),
            rays::fill::<V, { rays::NORTH_EAST }>(empty, king, slanted, diagonal),
            rays::fill::<V, { rays::SOUTH_WEST }>(empty, king, slanted, diagonal),
            rays::fill::<V, { rays::NORTH_WEST }>(empty, king, slanted, anti_diagonal),
            rays::fill::<V, { rays::SOUTH_EAST }>(empty, king, slanted, anti_diagonal),
        ];
        let mut danger = V::splat(0);
        let mut reached = [danger; 8];
        for way in 0..8 {
            let [attacked, beyond, own] = ways[way];
            danger = danger | attacked | beyond;
            reached[way] = own & limits.targets;
        }
        (danger, reached)
    }

    /// The squares that pawns, knights and king of `us` attack.
    #[inline(always)]
    fn leaper_attacks(after: &After<V>) -> V {
        let (a, h) = (File::A.bitboard(), File::H.bitboard());
        let (ab, gh) = (a | File::B.bitboard(), h | File::G.bitboard());
        let pawns = after.us.pawns;
        let by_pawns = (pawns & off(a)).shl(7) | (pawns & off(h)).shl(9);
        let knights = after.us.knights;
        let near = (knights & off(a)).shr(1) | (knights & off(h)).shl(1);
        let far = (knights & off(ab)).shr(2) | (knights & off(gh)).shl(2);
        let by_knights = near.shl(16) | near.shr(16) | far.shl(8) | far.shr(8);
        let king = after.us_king;
        let row = king | (king & off(a)).shr(1) | (king & off(h)).shl(1);
        let by_king = row | row.shl(8) | row.shr(8);
        by_pawns | by_knights | by_king
    }

    /// Steps, double steps, captures towards the a-file and towards the h-file.
    #[inline(always)]
    fn pawn_moves(after: &After<V>, limits: &Limits<V>) -> [V; 4] {
        let pawns = after.them.pawns;
        let pushers = pawns & (limits.free | limits.on_file);
        let step = pushers.shr(8) & after.empty;
        let sixth = V::splat(Rank::R6.bitboard().0);
        let double_step = (step & sixth).shr(8) & after.empty;
        // Down and towards the a-file is along the diagonal a1-h8, towards the h-file along a8-h1.
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

    /// 1 in the lanes where `them` may castle with this rook, which stands on the edge.
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

/// One half of the view from the king of `them`: four rays towards higher squares.
struct King<V> {
    own: V,
    empty: V,
    us: ArmyLanes<V>,
}

/// What the king sees on four rays: in the order rank, file, diagonal, anti-diagonal.
struct View<V> {
    checkers: V,
    answers: V,
    pinned: [V; 4],
}

impl<V: Lanes> King<V> {
    #[expect(
        clippy::needless_range_loop,
        reason = "iterators need not be inlined, see `Lanes`"
    )]
    #[inline(always)]
    fn look(&self, rays: [u64; 4]) -> View<V> {
        let none = V::splat(0);
        let mut view = View {
            checkers: none,
            answers: none,
            pinned: [none; 4],
        };
        for line in 0..4 {
            let ray = V::splat(rays[line]);
            let sliders = if line < 2 {
                self.us.straight
            } else {
                self.us.diagonal
            };
            // Subtracting 1 turns over all bits up to the lowest one set, which is the first met.
            let met = ray & !self.empty;
            let beyond = met & less_one(met);
            let to_first = (met ^ less_one(met)) & ray;
            let to_second = (beyond ^ less_one(beyond)) & ray;
            let checker = to_first & sliders;
            view.checkers = view.checkers | checker;
            view.answers = view.answers | V::when(checker, to_first);
            view.pinned[line] = V::when(to_second & sliders, to_first & self.own);
        }
        view
    }
}
