//! The counts of profile `Touchstone` once more: every term from its description, by loops over 64
//! squares and single steps, for mobility, threats and pawns.
//!
//! Everything is seen as White does: Black's terms are White's of the mirrored board.

use std::collections::BTreeMap;

use chess::rules::{Color, PieceType, Setup, Square};

/// The fields that this reference counts.
pub(crate) const FIELDS: [&str; 20] = [
    "knight_mobility",
    "bishop_mobility",
    "rook_mobility",
    "queen_mobility",
    "pawn_threats",
    "minor_threats",
    "rook_threats",
    "hanging",
    "push_threats",
    "isolated",
    "doubled",
    "backward",
    "supported",
    "phalanx",
    "candidates",
    "passed",
    "passed_supported",
    "passed_blocked",
    "passed_safe_step",
    "passed_free",
];

type Counts = BTreeMap<(&'static str, usize), i32>;

/// White's counts less Black's, those of zero left out.
pub(crate) fn counts(setup: &Setup) -> Counts {
    let mut counts = Counts::new();
    for (setup, sign) in [(setup.clone(), 1), (setup.mirrored(), -1)] {
        let board = Board::new(&setup);
        let mut add = |name, index| *counts.entry((name, index)).or_insert(0) += sign;
        for at in Board::squares() {
            match board.man(at) {
                Some((true, PieceType::Pawn)) => {
                    board.count_structure(at, &mut add);
                    board.count_passed(at, &mut add);
                }
                Some((true, kind)) => board.count_mobility(at, kind, &mut add),
                Some((false, kind)) => board.count_threats(at, kind, &mut add),
                None => {}
            }
        }
    }
    counts.retain(|_, count| *count != 0);
    counts
}

/// A file and a rank, from 0.
type At = (i32, i32);

const STRAIGHT: [At; 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const DIAGONAL: [At; 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
const JUMPS: [At; 8] = [
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
];

/// What stands for a square; nothing beside the board.
fn at<T>(board: &[[T; 8]; 8], file: i32, rank: i32) -> Option<&T> {
    let rank = board.get(usize::try_from(rank).ok()?)?;
    rank.get(usize::try_from(file).ok()?)
}

/// Whether a man is White's, and what it is.
type Man = (bool, PieceType);

/// By rank, then by file.
struct Board {
    men: [[Option<Man>; 8]; 8],
    /// The men that attack each square.
    attackers: [[Vec<Man>; 8]; 8],
}

impl Board {
    fn new(setup: &Setup) -> Self {
        let mut board = Self {
            men: [[None; 8]; 8],
            attackers: Default::default(),
        };
        for square in Square::ALL {
            board.men[square.rank().index()][square.file().index()] = setup
                .piece_at(square)
                .map(|piece| (piece.color == Color::White, piece.piece_type));
        }
        for from in Self::squares() {
            for (file, rank) in board.targets(from) {
                let [file, rank] =
                    [file, rank].map(|one| usize::try_from(one).expect("on the board"));
                board.attackers[rank][file].extend(board.man(from));
            }
        }
        board
    }

    fn squares() -> impl Iterator<Item = At> {
        (0..8).flat_map(|rank| (0..8).map(move |file| (file, rank)))
    }

    fn man(&self, (file, rank): At) -> Option<Man> {
        *at(&self.men, file, rank)?
    }

    fn is_pawn(&self, at: At, white: bool) -> bool {
        self.man(at) == Some((white, PieceType::Pawn))
    }

    /// The squares that the man on a square attacks.
    fn targets(&self, at: At) -> Vec<At> {
        let Some((white, kind)) = self.man(at) else {
            return Vec::new();
        };
        let up = if white { 1 } else { -1 };
        let both = [STRAIGHT, DIAGONAL].concat();
        let (ways, far): (Vec<At>, bool) = match kind {
            PieceType::Pawn => (vec![(-1, up), (1, up)], false),
            PieceType::Knight => (JUMPS.to_vec(), false),
            PieceType::Bishop => (DIAGONAL.to_vec(), true),
            PieceType::Rook => (STRAIGHT.to_vec(), true),
            PieceType::Queen => (both, true),
            PieceType::King => (both, false),
        };
        let mut targets = Vec::new();
        for (files, ranks) in ways {
            let mut next = (at.0 + files, at.1 + ranks);
            while (0..8).contains(&next.0) && (0..8).contains(&next.1) {
                targets.push(next);
                if !far || self.man(next).is_some() {
                    break;
                }
                next = (next.0 + files, next.1 + ranks);
            }
        }
        targets
    }

    /// Whether a man of one side and one of these kinds attacks a square.
    fn attacked(&self, (file, rank): At, white: bool, kinds: &[PieceType]) -> bool {
        let attackers = at(&self.attackers, file, rank).into_iter().flatten();
        let mut kinds_of_side = attackers.filter(|(color, _)| *color == white);
        kinds_of_side.any(|(_, kind)| kinds.contains(kind))
    }

    fn by_any(&self, target: At, white: bool) -> bool {
        self.attacked(target, white, &PieceType::ALL)
    }

    fn by_pawn(&self, target: At, white: bool) -> bool {
        self.attacked(target, white, &[PieceType::Pawn])
    }

    fn count_mobility(&self, at: At, kind: PieceType, add: &mut impl FnMut(&'static str, usize)) {
        let name = match kind {
            PieceType::Knight => "knight_mobility",
            PieceType::Bishop => "bishop_mobility",
            PieceType::Rook => "rook_mobility",
            PieceType::Queen => "queen_mobility",
            _ => return,
        };
        let own = |target| self.man(target).is_some_and(|(white, _)| white);
        let targets = self.targets(at).into_iter();
        let safe = targets.filter(|&target| !own(target) && !self.by_pawn(target, false));
        add(name, safe.count());
    }

    /// What threatens the black man on a square.
    fn count_threats(&self, at: At, kind: PieceType, add: &mut impl FnMut(&'static str, usize)) {
        use PieceType::{Bishop, King, Knight, Pawn, Rook};
        if kind == King {
            return;
        }
        let value = |kind| match kind {
            Pawn => 1,
            Knight | Bishop => 3,
            Rook => 5,
            _ => 9,
        };
        let guarded = self.by_pawn(at, false);
        let pays = |attacker| value(kind) > value(attacker) || !guarded;
        if kind != Pawn && self.by_pawn(at, true) {
            add("pawn_threats", kind as usize - 1);
        }
        if self.attacked(at, true, &[Knight, Bishop]) && pays(Bishop) {
            add("minor_threats", kind as usize);
        }
        if self.attacked(at, true, &[Rook]) && pays(Rook) {
            add("rook_threats", kind as usize);
        }
        if self.by_any(at, true) && !self.by_any(at, false) {
            add("hanging", kind as usize);
        }
        let steps = [(at.0 - 1, at.1 - 1), (at.0 + 1, at.1 - 1)];
        let new = kind != Pawn && !self.by_pawn(at, true);
        if new && steps.into_iter().any(|step| self.safe_step_to(step)) {
            add("push_threats", 0);
        }
    }

    /// Whether a white pawn can step to a square and is not simply lost there.
    fn safe_step_to(&self, at: At) -> bool {
        let (file, rank) = at;
        let on_board = (0..8).contains(&file) && (0..8).contains(&rank);
        let free = |rank| self.man((file, rank)).is_none();
        let comes = self.is_pawn((file, rank - 1), true)
            || rank == 3 && free(2) && self.is_pawn((file, 1), true);
        let lost = self.by_pawn(at, false) || self.by_any(at, false) && !self.by_any(at, true);
        on_board && free(rank) && comes && !lost
    }

    /// How many pawns one side has on the files given, from the first rank given to the last.
    fn pawns(&self, white: bool, files: &[i32], (first, last): (i32, i32)) -> usize {
        let squares = files
            .iter()
            .flat_map(|&file| (first..=last).map(move |rank| (file, rank)));
        squares.filter(|&at| self.is_pawn(at, white)).count()
    }

    fn count_structure(&self, at: At, add: &mut impl FnMut(&'static str, usize)) {
        let (file, rank) = at;
        let beside = [file - 1, file + 1];
        let by_rank = usize::try_from(rank - 1).expect("not on the first rank");
        let free_file = self.pawns(false, &[file], (rank + 1, 7)) == 0;
        let doubled = self.pawns(true, &[file], (rank + 1, 7)) > 0;
        let isolated = self.pawns(true, &beside, (0, 7)) == 0;
        let left_behind = self.pawns(true, &beside, (0, rank)) == 0;
        if isolated {
            add("isolated", usize::from(free_file));
        } else if left_behind && self.by_pawn((file, rank + 1), false) {
            add("backward", usize::from(free_file));
        }
        if doubled {
            add("doubled", 0);
        }
        if self.by_pawn(at, true) {
            add("supported", by_rank);
        }
        if self.pawns(true, &beside, (rank, rank)) > 0 {
            add("phalanx", by_rank);
        }
        let guards = self.pawns(false, &beside, (rank + 1, 7));
        let helpers = self.pawns(true, &beside, (0, rank));
        if free_file && !doubled && guards > 0 && helpers >= guards {
            add("candidates", by_rank);
        }
    }

    fn count_passed(&self, at: At, add: &mut impl FnMut(&'static str, usize)) {
        let (file, rank) = at;
        let near = [file - 1, file, file + 1];
        let stopped = self.pawns(false, &near, (rank + 1, 7)) > 0;
        if stopped || self.pawns(true, &[file], (rank + 1, 7)) > 0 {
            return;
        }
        let by_rank = usize::try_from(rank - 1).expect("not on the first rank");
        add("passed", by_rank);
        let helped = self.pawns(true, &[file - 1, file + 1], (rank - 1, rank)) > 0;
        if helped {
            add("passed_supported", by_rank);
        }
        let enemy = |at| self.man(at).is_some_and(|(white, _)| !white);
        let hostile = |rank| enemy((file, rank)) || self.by_any((file, rank), false);
        if enemy((file, rank + 1)) {
            add("passed_blocked", by_rank);
        }
        if !hostile(rank + 1) {
            add("passed_safe_step", by_rank);
        }
        if !(rank + 1..8).any(hostile) {
            add("passed_free", by_rank);
        }
    }
}
