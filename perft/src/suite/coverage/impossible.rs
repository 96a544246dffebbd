//! Why most signatures are impossible in standard chess, class by class.
//!
//! Search shows which signatures are possible; it cannot show that those it did not find are not. The rules
//! here do. The tests hold that each signature is either shown by a position or excluded by a rule, and
//! none is both: the list of possible signatures is complete.

use chess::rules::PieceType;

use super::Signature;
use super::signature::{
    CASTLING, EFFECT, LEGALITY, OWN_RIGHTS, PIECES, PLACE, THEIR_RIGHTS, check, effect, kind,
    verdict,
};

/// A kind of move, taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Kind {
    number: usize,
    /// The king if it castles.
    piece: PieceType,
    victim: Option<PieceType>,
}

impl Kind {
    fn new(number: usize) -> Self {
        let of = |index: usize| PieceType::ALL[index];
        let (piece, victim) = match number {
            kind::DOUBLE_PUSH | kind::EN_PASSANT => (PieceType::Pawn, None),
            0..kind::DOUBLE_PUSH => (of(number), None),
            kind::CAPTURE..kind::EN_PASSANT => {
                let number = number - kind::CAPTURE;
                (of(number / 5), Some(of(number % 5)))
            }
            kind::PROMOTION..kind::CASTLING => {
                let victim = (number - kind::PROMOTION) % 5;
                (PieceType::Pawn, (victim > 0).then(|| of(victim)))
            }
            _ => (PieceType::King, None),
        };
        Self {
            number,
            piece,
            victim,
        }
    }

    fn is_castling(self) -> bool {
        self.number >= kind::CASTLING
    }

    fn is_en_passant(self) -> bool {
        self.number == kind::EN_PASSANT
    }

    fn is_promotion(self) -> bool {
        (kind::PROMOTION..kind::CASTLING).contains(&self.number)
    }

    fn is_push(self) -> bool {
        self.piece == PieceType::Pawn && self.victim.is_none() && !self.is_en_passant()
    }

    fn promotes_to(self, piece: PieceType) -> bool {
        self.is_promotion() && PieceType::PROMOTIONS[(self.number - kind::PROMOTION) / 5] == piece
    }

    /// Pawns capture on diagonals only.
    fn is_pawn_capture(self) -> bool {
        self.piece == PieceType::Pawn && !self.is_push()
    }
}

/// A signature of the view of legality, taken apart.
#[derive(Clone, Copy, Debug)]
struct Legality {
    kind: Kind,
    check: usize,
    /// The axis of a pin that the move keeps to.
    along: Option<usize>,
    /// The axis of a pin that the move leaves.
    off: Option<usize>,
    verdict: usize,
}

const FILE: usize = 0;
const RANK: usize = 1;

impl Legality {
    fn new(signature: Signature) -> Self {
        let pin = signature.value(3);
        Self {
            kind: Kind::new(signature.value(1)),
            check: signature.value(2),
            along: (1..=4).contains(&pin).then(|| pin - 1),
            off: (5..=8).contains(&pin).then(|| pin - 5),
            verdict: signature.value(4),
        }
    }

    fn is_legal(&self) -> bool {
        self.verdict == verdict::LEGAL
    }

    fn is_pinned(&self) -> bool {
        self.along.is_some() || self.off.is_some()
    }

    fn is_by_king(&self) -> bool {
        self.kind.piece == PieceType::King
    }

    /// A piece that the king can take beyond itself on the line of a check would be a second checker there.
    fn takes_second_checker(&self) -> bool {
        use PieceType::{Bishop, Queen, Rook};
        let is_diagonal = (check::BISHOP..check::ROOK).contains(&self.check)
            || (check::QUEEN_DIAGONAL..check::QUEEN_STRAIGHT).contains(&self.check);
        match self.kind.victim {
            Some(Queen) => true,
            Some(Bishop) => !self.is_double_check() && is_diagonal,
            Some(Rook) => !self.is_double_check() && !is_diagonal,
            _ => false,
        }
    }

    fn is_double_check(&self) -> bool {
        self.check >= check::DOUBLE_PAWN
    }

    /// The piece that gives a single check, and whether from afar.
    fn checker(&self) -> Option<(PieceType, bool)> {
        let from_afar = |first| self.check > first;
        match self.check {
            check::PAWN => Some((PieceType::Pawn, false)),
            check::KNIGHT => Some((PieceType::Knight, false)),
            check::BISHOP..check::ROOK => Some((PieceType::Bishop, from_afar(check::BISHOP))),
            check::ROOK..check::QUEEN_DIAGONAL => Some((PieceType::Rook, from_afar(check::ROOK))),
            check::QUEEN_DIAGONAL..check::QUEEN_STRAIGHT => {
                Some((PieceType::Queen, from_afar(check::QUEEN_DIAGONAL)))
            }
            check::QUEEN_STRAIGHT..check::DOUBLE_PAWN => {
                Some((PieceType::Queen, from_afar(check::QUEEN_STRAIGHT)))
            }
            _ => None,
        }
    }
}

/// What is impossible, and why.
type Rule<T> = (&'static str, fn(&T) -> bool);

const LEGALITY_RULES: [Rule<Legality>; 25] = [
    ("a king is not pinned", |one| {
        one.is_by_king() && one.is_pinned()
    }),
    ("each verdict is about some kinds of moves only", |one| {
        let kind = one.kind;
        !match one.verdict {
            verdict::LEGAL => true,
            verdict::EXPOSES_KING => !one.is_by_king(),
            verdict::EN_PASSANT_OPENS => kind.is_en_passant(),
            verdict::KING_INTO..=verdict::KING_STAYS_ON_LINE => {
                one.is_by_king() && !kind.is_castling()
            }
            verdict::BLOCKED => kind.is_castling() || kind.number == kind::DOUBLE_PUSH,
            verdict::NO_RIGHT => kind.is_castling() || kind.is_en_passant(),
            _ => kind.is_castling(),
        }
    }),
    ("a knight leaves every line that it stands on", |one| {
        one.kind.piece == PieceType::Knight && one.along.is_some()
    }),
    (
        "bishops keep to diagonals, rooks to files and ranks",
        |one| {
            let is_straight = one.along.map(|axis| axis <= RANK);
            match one.kind.piece {
                PieceType::Bishop => is_straight == Some(true),
                PieceType::Rook => is_straight == Some(false),
                _ => false,
            }
        },
    ),
    (
        "a pawn moves along its file, and takes along diagonals",
        |one| {
            let axis = one.along;
            one.kind.is_push() && (axis.is_some_and(|axis| axis != FILE) || one.off == Some(FILE))
                || one.kind.is_pawn_capture() && axis.is_some_and(|axis| axis <= RANK)
        },
    ),
    (
        "a pawn pinned on its file cannot promote without taking: king or pinner is in its way",
        |one| one.kind.is_promotion() && one.kind.is_push() && one.along == Some(FILE),
    ),
    ("along a pin, only the pinner can be taken", |one| {
        match (one.along, one.kind.victim) {
            (Some(axis), Some(victim)) => {
                let of_line = if axis <= RANK {
                    PieceType::Rook
                } else {
                    PieceType::Bishop
                };
                victim != of_line && victim != PieceType::Queen
            }
            _ => false,
        }
    }),
    ("leaving a pin is illegal", |one| {
        one.off.is_some() && one.is_legal()
    }),
    ("a pinned piece cannot answer a check by another", |one| {
        one.is_pinned() && one.check != check::NONE && one.is_legal()
    }),
    ("only the king answers a double check", |one| {
        one.is_double_check() && !one.is_by_king() && one.is_legal()
    }),
    ("castling is no answer to a check", |one| {
        let needs_check = one.verdict == verdict::CASTLES_OUT_OF_CHECK;
        let needs_none = [
            verdict::LEGAL,
            verdict::CASTLES_THROUGH_CHECK,
            verdict::CASTLES_INTO_CHECK,
            verdict::CASTLING_UNCOVERS,
        ];
        let is_in_check = one.check != check::NONE;
        one.kind.is_castling()
            && (needs_check && !is_in_check || needs_none.contains(&one.verdict) && is_in_check)
    }),
    ("in check, only the checker can be taken", |one| {
        let is_checker = |victim| one.checker().is_some_and(|(checker, _)| checker == victim);
        let victim = one.kind.victim;
        one.is_legal()
            && !one.is_by_king()
            && one.check != check::NONE
            && victim.is_some_and(|victim| !is_checker(victim))
    }),
    (
        "a check from contact, by a knight or by a pawn cannot be blocked",
        |one| {
            one.is_legal()
                && !one.is_by_king()
                && !one.kind.is_en_passant()
                && one.kind.victim.is_none()
                && one.checker().is_some_and(|(_, from_afar)| !from_afar)
        },
    ),
    (
        "a promotion blocks no diagonal: its square is the end of one",
        |one| {
            one.is_legal()
                && one.kind.is_promotion()
                && one.kind.victim.is_none()
                && [check::BISHOP + 1, check::QUEEN_DIAGONAL + 1].contains(&one.check)
        },
    ),
    (
        "a piece exposes its king only in check or by leaving a pin",
        |one| one.verdict == verdict::EXPOSES_KING && one.check == check::NONE && one.off.is_none(),
    ),
    ("a king stays on the line of a slider's check only", |one| {
        one.verdict == verdict::KING_STAYS_ON_LINE
            && [check::NONE, check::PAWN, check::KNIGHT].contains(&one.check)
    }),
    ("a queen that the king can take gives check", |one| {
        let in_contact = [check::QUEEN_DIAGONAL, check::QUEEN_STRAIGHT].contains(&one.check);
        one.is_by_king()
            && one.kind.victim == Some(PieceType::Queen)
            && !in_contact
            && !one.is_double_check()
    }),
    (
        "a bishop beside a king that gives no check is attacked by a queen in straight contact",
        |one| {
            one.is_by_king()
                && one.kind.victim == Some(PieceType::Bishop)
                && one.check == check::QUEEN_STRAIGHT
                && one.is_legal()
        },
    ),
    (
        "of two pawns side by side on the king's rank, none is pinned on it",
        |one| one.kind.is_en_passant() && (one.along == Some(RANK) || one.off == Some(RANK)),
    ),
    (
        "a double push gives check itself or opens a line through its start; taking it ends only its own check",
        |one| {
            let opened = [
                check::BISHOP + 1,
                check::ROOK + 1,
                check::QUEEN_DIAGONAL + 1,
                check::QUEEN_STRAIGHT + 1,
            ];
            let is_possible = match one.verdict {
                verdict::NO_RIGHT => true,
                verdict::LEGAL => [check::NONE, check::PAWN].contains(&one.check),
                verdict::EN_PASSANT_OPENS => one.check == check::NONE && !one.is_pinned(),
                _ => [check::NONE, check::PAWN].contains(&one.check) || opened.contains(&one.check),
            };
            one.kind.is_en_passant() && !is_possible
        },
    ),
    (
        "on its seventh rank, a pawn that the king is on one rank with leaves no room for a pawn that gives check",
        |one| {
            one.kind.is_promotion()
                && one.off == Some(RANK)
                && [check::PAWN, check::DOUBLE_PAWN].contains(&one.check)
        },
    ),
    (
        "a king that a pawn checks after its double push shares a line only with a pawn on its own file",
        |one| {
            one.kind.is_en_passant()
                && one.verdict == verdict::EXPOSES_KING
                && one.check == check::PAWN
                && one.off != Some(FILE)
        },
    ),
    (
        "a king checked on a diagonal through the start of a double push shares only rank or file with the pawn that may take",
        |one| {
            one.kind.is_en_passant()
                && one.verdict == verdict::EXPOSES_KING
                && [check::BISHOP + 1, check::QUEEN_DIAGONAL + 1].contains(&one.check)
                && one.is_pinned()
                && one.off != Some(FILE)
        },
    ),
    ("two checkers cannot stand on one line", |one| {
        one.verdict == verdict::KING_STAYS_ON_LINE && one.takes_second_checker()
    }),
    (
        "the rook of standard chess castles from the corner, with nothing behind it",
        |one| one.verdict == verdict::CASTLING_UNCOVERS,
    ),
];

/// A signature of the view of effects, taken apart.
struct Effect {
    kind: Kind,
    gives: usize,
    was_in_check: bool,
}

impl Effect {
    fn new(signature: Signature) -> Self {
        Self {
            kind: Kind::new(signature.value(1)),
            gives: signature.value(2),
            was_in_check: signature.value(3) == 1,
        }
    }

    fn has(&self, effects: &[usize]) -> bool {
        effects.contains(&self.gives)
    }
}

const EFFECT_RULES: [Rule<Effect>; 8] = [
    ("a king gives no check itself", |one| {
        let is_king = one.kind.piece == PieceType::King && !one.kind.is_castling();
        is_king && one.has(&[effect::DIRECT, effect::DOUBLE])
    }),
    (
        "a queen on the line of a check that it discovers would have given that check",
        |one| one.kind.piece == PieceType::Queen && one.has(&[effect::DISCOVERED, effect::DOUBLE]),
    ),
    (
        "a pawn push that gives check opens no line to the same king",
        |one| one.kind.is_push() && !one.kind.is_promotion() && one.has(&[effect::DOUBLE]),
    ),
    (
        "before a promoted rook gives check on the last rank, its pawn did; on its file, it opens no line",
        |one| {
            one.kind.promotes_to(PieceType::Rook)
                && one.kind.is_push()
                && one.has(&[effect::DOUBLE])
        },
    ),
    (
        "castling is no answer to a check, and opens no line but the rook's",
        |one| {
            one.kind.is_castling()
                && (one.was_in_check || one.has(&[effect::DISCOVERED, effect::DOUBLE]))
        },
    ),
    ("a queen that the king can take gives check", |one| {
        let takes_queen =
            one.kind.piece == PieceType::King && one.kind.victim == Some(PieceType::Queen);
        takes_queen && !one.was_in_check
    }),
    (
        "a bishop where a bishop gives double check gave none: one diagonal has their king, the other our pawn",
        |one| {
            let kind = one.kind;
            kind.promotes_to(PieceType::Bishop)
                && kind.victim == Some(PieceType::Bishop)
                && one.was_in_check
                && one.has(&[effect::DOUBLE])
        },
    ),
    (
        "the checker that a promotion blocks on the last rank is not pinned, and can move",
        |one| {
            let blocks = one.was_in_check && one.kind.is_push() && one.kind.is_promotion();
            blocks && one.has(&[effect::STALEMATE])
        },
    ),
];

/// The rules of the other views.
const RULES: [(usize, Rule<Signature>); 10] = [
    (
        PLACE,
        (
            "promotions and castling are all at the edge ranks, other moves of pawns none",
            |one| {
                let kind = kind_of(*one);
                let is_at_edge = kind.is_promotion() || kind.is_castling();
                let is_about = kind.piece == PieceType::Pawn || kind.is_castling();
                is_about && is_at_edge != (one.value(3) == 1)
            },
        ),
    ),
    (
        PLACE,
        (
            "a push stays on its file; castling goes from the e-file to that of the rook",
            |one| {
                let (kind, files) = (kind_of(*one), one.value(2));
                match kind.number {
                    kind::CASTLING => files != TO_H,
                    number if number > kind::CASTLING => files != TO_A,
                    _ => kind.is_push() && [TO_A, TO_H].contains(&files),
                }
            },
        ),
    ),
    (
        PLACE,
        (
            "no pawn stands on an edge rank, so that a rook takes none along it",
            |one| {
                let kind = kind_of(*one);
                let is_to_edge_file = [TO_A, TO_H].contains(&one.value(2));
                let takes_pawn =
                    kind.piece == PieceType::Rook && kind.victim == Some(PieceType::Pawn);
                takes_pawn && is_to_edge_file && one.value(3) == 1
            },
        ),
    ),
    (
        THEIR_RIGHTS,
        (
            "a right of the other side is taken with its rook, which pawns reach by promotion",
            |one| {
                let kind = kind_of(*one);
                let takes_rook = kind.victim == Some(PieceType::Rook);
                let may = takes_rook && (kind.piece != PieceType::Pawn || kind.is_promotion());
                one.value(2) != 0 && !may
            },
        ),
    ),
    (
        OWN_RIGHTS,
        (
            "only kings lose both rights at once, and only kings and rooks lose one",
            |one| {
                let may = match one.value(2) {
                    LOSES_KINGSIDE | LOSES_QUEENSIDE => {
                        [PieceType::King, PieceType::Rook].contains(&kind_of(*one).piece)
                    }
                    LOSES_BOTH => kind_of(*one).piece == PieceType::King,
                    _ => true,
                };
                !may
            },
        ),
    ),
    (
        OWN_RIGHTS,
        ("a king that moves keeps no right", |one| {
            one.value(2) == KEEPS && kind_of(*one).piece == PieceType::King
        }),
    ),
    (
        OWN_RIGHTS,
        (
            "castling needs a right, and is not the loss of the other alone",
            |one| {
                let number = kind_of(*one).number;
                match one.value(2) {
                    HAS_NONE => number >= kind::CASTLING,
                    LOSES_QUEENSIDE => number == kind::CASTLING,
                    LOSES_KINGSIDE => number == kind::CASTLING + 1,
                    _ => false,
                }
            },
        ),
    ),
    (
        CASTLING,
        (
            "in standard chess, kings castle from the e-file with rooks of the corners",
            |one| one.value(1) != 4 || ![0, 7].contains(&one.value(2)),
        ),
    ),
    (
        CASTLING,
        (
            "each verdict is about some kinds of moves only; no rook uncovers a check from the corner",
            |one| {
                let verdict = one.value(3);
                let is_of_castling =
                    verdict == verdict::LEGAL || verdict > verdict::KING_STAYS_ON_LINE;
                !is_of_castling || verdict == verdict::CASTLING_UNCOVERS
            },
        ),
    ),
    (
        PIECES,
        (
            "a side has at most eight pawns, and nine queens with those that it promotes",
            |one| {
                const PAWNS: usize = 0;
                const QUEENS: usize = 4;
                match one.value(2) {
                    PAWNS => one.value(3) > 8,
                    QUEENS => one.value(3) > 9,
                    _ => false,
                }
            },
        ),
    ),
];

/// Indices of the files that a move touches.
const TO_A: usize = 2;
const TO_H: usize = 3;

/// Indices of what moves do to own rights.
const HAS_NONE: usize = 0;
const KEEPS: usize = 1;
const LOSES_KINGSIDE: usize = 2;
const LOSES_QUEENSIDE: usize = 3;
const LOSES_BOTH: usize = 4;

fn kind_of(signature: Signature) -> Kind {
    Kind::new(signature.value(1))
}

/// Why a signature is impossible in standard chess, if a rule excludes it.
pub(super) fn why_impossible(signature: Signature) -> Option<&'static str> {
    fn first<T>(rules: &[Rule<T>], one: &T) -> Option<&'static str> {
        rules
            .iter()
            .find(|(_, excludes)| excludes(one))
            .map(|&(why, _)| why)
    }
    match signature.view() {
        LEGALITY => first(&LEGALITY_RULES, &Legality::new(signature)),
        EFFECT => first(&EFFECT_RULES, &Effect::new(signature)),
        view => {
            let rules = RULES.iter().filter(|(of, _)| *of == view);
            let mut rules = rules.map(|(_, rule)| rule);
            rules
                .find(|(_, excludes)| excludes(&signature))
                .map(|&(why, _)| why)
        }
    }
}
