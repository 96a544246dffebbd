//! Why a move is legal or not, in any language: the sentences of [`explain`] and [`why`], put together from texts.
//!
//! In English the texts give those sentences word for word, which a test makes sure of.

use chess::notation::fen;
use chess::rules::attacks::between;
use chess::rules::explain::{Rule, Sight, explain};
use chess::rules::{Bitboard, CastlingSide, Color, Move, PieceType, Position, Square};
use fluent_bundle::FluentValue;

use super::Language;
use crate::candidates::{plain_move, why};
use crate::model::{MoveText, Side};
use crate::score::Shown;

impl Language {
    /// Puts the explanations of moves into this language.
    pub(crate) fn explain<'a>(
        &self,
        position: &Position,
        moves: impl IntoIterator<Item = &'a mut Shown>,
    ) {
        // The rules' own sentences are English.
        if self.is_english() {
            return;
        }
        for shown in moves {
            if shown.why.is_some() {
                shown.why = Some(self.reason(position, &shown.mv));
            }
        }
    }

    /// Puts the explanations of moves in a position of chess, given as a FEN, into this language.
    pub(crate) fn explain_in<'a>(&self, fen: &str, moves: impl IntoIterator<Item = &'a mut Shown>) {
        if let Ok(position) = fen::parse(fen) {
            self.explain(&position, moves);
        }
    }

    /// Why a move is legal or not, without a full stop. English has the move and the verdict at the head, other
    /// languages have neither.
    pub(crate) fn reason(&self, position: &Position, text: &MoveText) -> String {
        if self.is_english() {
            why(position, text)
        } else {
            self.reason_from_texts(position, text)
        }
    }

    pub(super) fn reason_from_texts(&self, position: &Position, text: &MoveText) -> String {
        let m = plain_move(text);
        let explanation = explain(position, m);
        let us = position.side_to_move();
        let case = ReasonCase {
            language: self,
            position,
            us,
            king: position.king(us),
            m,
            rule: explanation.rule(),
            rook: explanation.meant().to(),
            squares: explanation.squares(),
            enemies: explanation.squares() & position.by_color(!us),
            sight: Sight::from_position(position),
        };
        let values = case.values();
        let parts = case.keys().into_iter().map(|key| self.text(key, &values));
        parts.collect::<Vec<_>>().join("; ")
    }
}

struct ReasonCase<'a> {
    language: &'a Language,
    position: &'a Position,
    us: Color,
    king: Square,
    m: Move,
    rule: Rule,
    /// The rook, of castling.
    rook: Square,
    /// The squares to which the explanation refers, and those of enemy pieces among them.
    squares: Bitboard,
    enemies: Bitboard,
    sight: Sight,
}

/// Keys of the texts that name a piece: as subject, object and indirect object.
const SUBJECT: &str = "the-piece";
const OBJECT: &str = "the-piece-object";
const INDIRECT: &str = "the-piece-indirect";

type Value = FluentValue<'static>;

fn side(color: Color) -> Value {
    Side::from(color).as_str().into()
}

fn kind(piece: PieceType) -> Value {
    piece.to_char().to_ascii_lowercase().to_string().into()
}

impl ReasonCase<'_> {
    /// "the rook on h5"; empty for an empty square.
    fn piece(&self, form: &str, on: Option<Square>) -> String {
        let there = on.and_then(|on| Some((on, self.position.piece_type_at(on)?)));
        there.map_or_else(String::new, |(on, piece)| {
            let values = [("kind", kind(piece)), ("square", on.to_string().into())];
            self.language.text(form, &values)
        })
    }

    /// "the rook on h5 and the queen on a6".
    fn pieces(&self, form: &str, set: Bitboard) -> Value {
        let names = set.into_iter().map(|on| self.piece(form, Some(on)));
        self.join("list-and", names.collect())
    }

    fn join(&self, key: &str, mut names: Vec<String>) -> Value {
        // The last name has a word before it, which depends on the language.
        let last = names.pop().unwrap_or_default();
        if names.is_empty() {
            return last.into();
        }
        let values = [("first", names.join(", ").into()), ("last", last.into())];
        self.language.text(key, &values).into()
    }

    /// What all texts of reasons may name, each with one meaning.
    fn values(&self) -> Vec<(&'static str, Value)> {
        let (from, to) = (self.m.from(), self.m.to());
        let mover = self.position.piece_at(from);
        let kind_of_mover = mover.map_or(PieceType::Pawn, |piece| piece.piece_type);
        let victim = self.victim();
        let attackers = match self.rule {
            // The taken pawn alone shields nothing: where it stands was empty a move ago.
            Rule::EnPassantDiscoversCheck => {
                self.enemies & !victim.map_or(Bitboard::EMPTY, Square::bitboard)
            }
            Rule::KingAlongCheckingRay | Rule::KingTakesProtected => self.enemies & !to.bitboard(),
            _ => self.enemies,
        };
        let all = match self.rule {
            rule if rule.is_legal() => self.sight.checkers,
            _ => self.enemies,
        };
        let checker = self.sight.checkers.first();
        let pin = self.sight.pins.iter().find(|pin| pin.piece == from);
        let rank = match self.rule {
            Rule::DoubleStepNotFromStart => 2,
            // Both pawns stand on one rank before the capture (FIDE 3.7.3.1).
            Rule::EnPassantDiscoversCheck => 5,
            _ => 8,
        };
        let rook = match self.rule {
            Rule::NoCastlingRight => self.unentitled_rook(),
            _ => Some(self.rook),
        };
        let squares = match self.rule {
            Rule::Castling => ("list-and", self.way()),
            _ => ("list-or", self.blocks()),
        };
        let squares = (squares.0, squares.1.into_iter().map(|one| one.to_string()));
        let blocked = match self.rule {
            Rule::CastlingPathBlocked => self.castling_blocked(),
            _ => None,
        };
        let (blocker, blocked, goal) = blocked.unwrap_or((self.king, self.king, self.castled()));
        let path = (self.squares & !self.enemies).first();
        let square =
            |square: Option<Square>| square.map_or_else(String::new, |one| one.to_string());
        let piece = |form, on| Value::from(self.piece(form, on));
        vec![
            ("side", side(self.us)),
            ("owner", side(mover.map_or(self.us, |piece| piece.color))),
            ("kind", kind(kind_of_mover)),
            (
                "promotion",
                kind(self.m.promotion().unwrap_or(kind_of_mover)),
            ),
            ("from", from.to_string().into()),
            ("to", to.to_string().into()),
            ("king", self.king.to_string().into()),
            ("path", square(path).into()),
            ("goal", goal.to_string().into()),
            ("corner", self.rook.to_string().into()),
            (
                "rank",
                match self.us {
                    Color::White => rank,
                    Color::Black => 9 - rank,
                }
                .into(),
            ),
            ("squares", self.join(squares.0, squares.1.collect())),
            ("piece", piece(SUBJECT, Some(from))),
            ("mover", piece(INDIRECT, Some(from))),
            ("taken", piece(OBJECT, Some(to))),
            ("other", piece(SUBJECT, self.squares.first().or(Some(to)))),
            ("pawn", piece(OBJECT, victim)),
            ("checker", piece(OBJECT, checker)),
            ("giver", piece(SUBJECT, checker)),
            ("pinner", piece(OBJECT, pin.map(|pin| pin.pinner))),
            ("rook", piece(INDIRECT, rook)),
            ("blocker", piece(SUBJECT, Some(blocker))),
            ("blocked", piece(INDIRECT, Some(blocked))),
            ("neighbour", self.pieces(INDIRECT, self.enemies)),
            ("objects", self.pieces(OBJECT, all)),
            ("pieces", self.pieces(SUBJECT, attackers)),
            ("n", attackers.count().into()),
        ]
    }

    /// The names of the texts, of which several may apply to a legal move with special rules.
    fn keys(&self) -> Vec<&'static str> {
        let is_pawn = self.position.piece_type_at(self.m.from()) == Some(PieceType::Pawn);
        vec![match self.rule {
            Rule::Legal => self.how(),
            // In Chess960 the king's target may be the square where it stands.
            Rule::Castling if self.way().has_several() => "reason-castles",
            Rule::Castling => "reason-castles-in-place",
            rule if rule.is_legal() => return self.allowed(),
            Rule::KingIntoAttack => "reason-king-steps-into",
            Rule::KingAlongCheckingRay => "reason-through-king",
            Rule::KingTakesProtected => "reason-protected",
            Rule::KingsAdjacent => "reason-kings",
            Rule::DoubleCheckKingMustMove => "reason-double-check",
            Rule::DoesNotAnswerCheck if self.blocks().is_empty() => "reason-not-captured",
            Rule::DoesNotAnswerCheck => "reason-not-answered",
            Rule::EnPassantDiscoversCheck => "reason-both-pawns",
            Rule::Pinned => "reason-pinned",
            Rule::NoCastlingRight if self.unentitled_rook().is_some() => "reason-no-right",
            Rule::NoCastlingRight => match CastlingSide::new(self.king, self.m.to()) {
                CastlingSide::King => "reason-no-right-short",
                CastlingSide::Queen => "reason-no-right-long",
            },
            Rule::CastlingPathBlocked => "reason-castling-blocked",
            Rule::CastlingOutOfCheck => "reason-out-of-check",
            Rule::CastlingThroughCheck => "reason-passes-over",
            Rule::CastlingIntoCheck => "reason-lands-on",
            Rule::CastlingUncoversCheck => "reason-rook-leaves",
            Rule::NoPiece => "reason-empty",
            Rule::NotYourPiece => "reason-not-yours",
            Rule::OwnPieceOnTarget => "reason-own-piece",
            Rule::PathBlocked => "reason-path-blocked",
            Rule::PawnCannotCaptureForward => "reason-pawn-ahead",
            Rule::PawnCapturesNeedAVictim => "reason-pawn-diagonally",
            Rule::DoubleStepNotFromStart => "reason-double-step",
            Rule::EnPassantTooLate => "reason-too-late",
            // What a pawn cannot become cannot be written as a move.
            Rule::MustPromote | Rule::PromotionPiece => "reason-must-promote",
            Rule::CannotPromoteHere if is_pawn => "reason-promoted-there",
            Rule::CannotPromoteHere => "reason-only-pawns",
            _ if is_pawn => "reason-pawn-moves",
            _ => "reason-moves",
        }]
    }

    fn how(&self) -> &'static str {
        let (from, to) = (self.m.from(), self.m.to());
        let takes = self.position.piece_at(to).is_some();
        match self.position.piece_type_at(from) {
            Some(PieceType::King) if takes => "reason-king-takes",
            _ if takes => "reason-takes",
            Some(PieceType::King) => "reason-king-steps",
            Some(PieceType::Knight) => "reason-jumps",
            Some(PieceType::Pawn) if from.rank().index().abs_diff(to.rank().index()) == 2 => {
                "reason-two-squares"
            }
            Some(PieceType::Pawn) => "reason-one-square",
            _ if from.file() == to.file() => "reason-along-file",
            _ if from.rank() == to.rank() => "reason-along-rank",
            _ => "reason-along-diagonal",
        }
    }

    fn allowed(&self) -> Vec<&'static str> {
        let (from, to) = (self.m.from(), self.m.to());
        let (checkers, victim) = (self.sight.checkers, self.victim());
        let taken = victim.unwrap_or(to);
        let of_check = match checkers.only() == Some(taken) {
            _ if checkers.is_empty() => None,
            true if taken == to => Some("reason-takes-checker"),
            true => Some("reason-gives-check"),
            false if from == self.king => Some("reason-leaves-check"),
            false => Some("reason-blocks-check"),
        };
        let pin = self.sight.pins.iter().find(|pin| pin.piece == from);
        let of_pin = pin.map(|pin| {
            let takes = to == pin.pinner;
            if takes {
                "reason-takes-pinner"
            } else {
                "reason-along-pin"
            }
        });
        let of_victim = victim.map(|_| "reason-en-passant");
        let of_promotion = self.m.promotion().map(|_| "reason-becomes");
        let parts = [of_victim, of_check, of_pin, of_promotion];
        parts.into_iter().flatten().collect()
    }

    /// The pawn that the move takes en passant.
    fn victim(&self) -> Option<Square> {
        let (from, to) = (self.m.from(), self.m.to());
        let is_pawn = self.position.piece_type_at(from) == Some(PieceType::Pawn);
        let takes = is_pawn && from.file() != to.file() && self.position.ep_square() == Some(to);
        takes.then(|| Square::new(to.file(), from.rank()))
    }

    /// Where a check can be blocked.
    fn blocks(&self) -> Bitboard {
        let checker = self.sight.checkers.first();
        checker.map_or(Bitboard::EMPTY, |checker| between(self.king, checker))
    }

    fn unentitled_rook(&self) -> Option<Square> {
        (self.squares & !self.king.bitboard()).first()
    }

    fn castled(&self) -> Square {
        CastlingSide::new(self.king, self.rook).king_target(self.us)
    }

    /// The way of the king when it castles.
    fn way(&self) -> Bitboard {
        let target = self.castled();
        self.king.bitboard() | between(self.king, target) | target.bitboard()
    }

    /// The first piece on the way of the king, else of the rook; whose way it is, and where that leads.
    fn castling_blocked(&self) -> Option<(Square, Square, Square)> {
        let wing = CastlingSide::new(self.king, self.rook);
        let others = self.position.occupied() & !self.king.bitboard() & !self.rook.bitboard();
        let ways = [
            (self.king, wing.king_target(self.us)),
            (self.rook, wing.rook_target(self.us)),
        ];
        ways.into_iter().find_map(|(from, to)| {
            let on_the_way = between(from, to) & others;
            let nearest = on_the_way
                .into_iter()
                .min_by_key(|one| one.index().abs_diff(from.index()));
            let blocker = nearest.or(Some(to).filter(|&to| others.contains(to)))?;
            Some((blocker, from, to))
        })
    }
}
