//! Why a move is legal or not, in any language: the sentences of [`explain`] and [`why`], put together from texts.
//!
//! In English the texts give those sentences word for word, which a test makes sure of.

use chess::notation::fen;
use chess::rules::attacks::between;
use chess::rules::explain::{Explanation, Rule, Sight, explain};
use chess::rules::{Bitboard, CastlingSide, Color, Move, PieceType, Position, Square};
use fluent_bundle::FluentValue;

use super::Language;
use crate::candidates::{plain_move, why};
use crate::model::MoveText;
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
            squares: explanation.squares(),
            theirs: position.by_color(!us),
        };
        match explanation.rule() {
            Rule::Legal => case.how(),
            Rule::Castling => case.castles(&explanation),
            rule if rule.is_legal() => case.allowed(),
            rule => case
                .about_king(rule)
                .or_else(|| case.about_castling(rule, &explanation))
                .unwrap_or_else(|| case.about_movement(rule)),
        }
    }
}

/// A move to be explained.
struct ReasonCase<'a> {
    language: &'a Language,
    position: &'a Position,
    us: Color,
    king: Square,
    m: Move,
    /// The squares to which the explanation refers.
    squares: Bitboard,
    theirs: Bitboard,
}

/// Keys of the texts that name a piece: as subject, object and indirect object.
const SUBJECT: &str = "the-piece";
const OBJECT: &str = "the-piece-object";
const INDIRECT: &str = "the-piece-indirect";

fn side(color: Color) -> FluentValue<'static> {
    match color {
        Color::White => "white".into(),
        Color::Black => "black".into(),
    }
}

fn kind(piece: PieceType) -> FluentValue<'static> {
    piece.to_char().to_ascii_lowercase().to_string().into()
}

fn square(square: Square) -> FluentValue<'static> {
    square.to_string().into()
}

impl ReasonCase<'_> {
    fn text(&self, key: &str, values: &[(&str, FluentValue<'_>)]) -> String {
        self.language.text(key, values)
    }

    /// "the rook on h5".
    fn piece(&self, form: &str, on: Square) -> FluentValue<'static> {
        let piece = self.position.piece_type_at(on).unwrap_or(PieceType::Pawn);
        let values = [("kind", kind(piece)), ("square", square(on))];
        self.text(form, &values).into()
    }

    /// "the rook on h5 and the queen on a6".
    fn pieces(&self, form: &str, set: Bitboard) -> FluentValue<'static> {
        let names = set.into_iter().map(|on| match self.piece(form, on) {
            FluentValue::String(name) => name.into_owned(),
            _ => String::new(),
        });
        self.join("list-and", names.collect())
    }

    fn join(&self, key: &str, mut names: Vec<String>) -> FluentValue<'static> {
        // The last name has a word before it, which depends on the language.
        let last = names.pop().unwrap_or_default();
        if names.is_empty() {
            return last.into();
        }
        let values = [("first", names.join(", ").into()), ("last", last.into())];
        self.text(key, &values).into()
    }

    fn squares(&self, key: &str, set: Bitboard) -> FluentValue<'static> {
        self.join(key, set.into_iter().map(|one| one.to_string()).collect())
    }

    /// A text about enemy pieces that attack a square.
    fn attacked(&self, key: &str, attackers: Bitboard, on: Square) -> String {
        let values = [
            ("pieces", self.pieces(SUBJECT, attackers)),
            ("n", attackers.count().into()),
            ("to", square(on)),
            ("king", square(self.king)),
        ];
        self.text(key, &values)
    }

    /// A legal move without a special rule.
    fn how(&self) -> String {
        let (from, to) = (self.m.from(), self.m.to());
        let mover = self.position.piece_type_at(from);
        let values = [
            ("piece", self.piece(SUBJECT, from)),
            ("taken", self.piece(OBJECT, to)),
            ("to", square(to)),
        ];
        let key = match mover {
            Some(PieceType::King) if self.theirs.contains(to) => "reason-king-takes",
            _ if self.theirs.contains(to) => "reason-takes",
            Some(PieceType::King) => "reason-king-steps",
            Some(PieceType::Knight) => "reason-jumps",
            Some(PieceType::Pawn) if from.rank().index().abs_diff(to.rank().index()) == 2 => {
                "reason-two-squares"
            }
            Some(PieceType::Pawn) => "reason-one-square",
            _ if from.file() == to.file() => "reason-along-file",
            _ if from.rank() == to.rank() => "reason-along-rank",
            _ => "reason-along-diagonal",
        };
        self.text(key, &values)
    }

    fn castles(&self, explanation: &Explanation) -> String {
        let rook = explanation.meant().to();
        let target = CastlingSide::new(self.king, rook).king_target(self.us);
        let way = self.king.bitboard() | between(self.king, target) | target.bitboard();
        // In Chess960 the king's target may be the square where it stands.
        let key = if way.has_several() {
            "reason-castles"
        } else {
            "reason-castles-in-place"
        };
        let values = [
            ("side", side(self.us)),
            ("rook", self.piece(INDIRECT, rook)),
            ("squares", self.squares("list-and", way)),
        ];
        self.text(key, &values)
    }

    /// The pawn that the move takes en passant.
    fn victim(&self) -> Option<Square> {
        let (from, to) = (self.m.from(), self.m.to());
        let is_pawn = self.position.piece_type_at(from) == Some(PieceType::Pawn);
        let takes = is_pawn && from.file() != to.file() && self.position.ep_square() == Some(to);
        takes.then(|| Square::new(to.file(), from.rank()))
    }

    /// A legal move with special rules, of which several may apply.
    fn allowed(&self) -> String {
        let (from, to) = (self.m.from(), self.m.to());
        let sight = Sight::from_position(self.position);
        let mut parts = Vec::new();
        if let Some(victim) = self.victim() {
            let values = [("pawn", self.piece(OBJECT, victim))];
            parts.push(self.text("reason-en-passant", &values));
        }
        if let Some(checker) = sight.checkers.first() {
            let taken = self.victim().unwrap_or(to);
            let is_taken = sight.checkers.only() == Some(taken);
            let key = match () {
                () if is_taken && taken == to => "reason-takes-checker",
                () if is_taken => "reason-gives-check",
                () if from == self.king => "reason-leaves-check",
                () => "reason-blocks-check",
            };
            let values = [
                ("piece", self.piece(SUBJECT, checker)),
                ("taken", self.piece(OBJECT, checker)),
                ("pieces", self.pieces(OBJECT, sight.checkers)),
                ("to", square(to)),
            ];
            parts.push(self.text(key, &values));
        }
        if let Some(pin) = sight.pins.iter().find(|pin| pin.piece == from) {
            let key = if to == pin.pinner {
                "reason-takes-pinner"
            } else {
                "reason-along-pin"
            };
            let values = [
                ("piece", self.piece(SUBJECT, from)),
                ("pinner", self.piece(OBJECT, pin.pinner)),
            ];
            parts.push(self.text(key, &values));
        }
        if let Some(promotion) = self.m.promotion() {
            let values = [("kind", kind(promotion)), ("to", square(to))];
            parts.push(self.text("reason-becomes", &values));
        }
        parts.join("; ")
    }

    /// What forbids a move, wherever the kings are.
    fn about_movement(&self, rule: Rule) -> String {
        let (from, to) = (self.m.from(), self.m.to());
        let other = self.squares.first().unwrap_or(to);
        let mover = self.position.piece_at(from);
        let kind_of_mover = mover.map_or(PieceType::Pawn, |piece| piece.piece_type);
        let is_pawn = kind_of_mover == PieceType::Pawn;
        let owner = mover.map_or(self.us, |piece| piece.color);
        let rank = |white: i64| match self.us {
            Color::White => white,
            Color::Black => 9 - white,
        };
        let key = match rule {
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
        };
        let last = if rule == Rule::DoubleStepNotFromStart {
            rank(2)
        } else {
            rank(8)
        };
        let values = [
            ("from", square(from)),
            ("to", square(to)),
            ("piece", self.piece(SUBJECT, from)),
            ("mover", self.piece(INDIRECT, from)),
            ("other", self.piece(SUBJECT, other)),
            (
                "kind",
                kind(
                    self.m
                        .promotion()
                        .filter(|_| key == "reason-only-pawns")
                        .unwrap_or(kind_of_mover),
                ),
            ),
            ("side", side(self.us)),
            ("owner", side(owner)),
            ("rank", last.into()),
        ];
        self.text(key, &values)
    }

    /// What forbids a move because of the king, castling aside.
    fn about_king(&self, rule: Rule) -> Option<String> {
        let to = self.m.to();
        let enemies = self.squares & self.theirs;
        let others = enemies & !to.bitboard();
        Some(match rule {
            Rule::KingIntoAttack => self.attacked("reason-king-steps-into", enemies, to),
            Rule::KingAlongCheckingRay => self.attacked("reason-through-king", others, to),
            Rule::KingTakesProtected => {
                let values = [
                    ("taken", self.piece(OBJECT, to)),
                    ("pieces", self.pieces(SUBJECT, others)),
                    ("n", others.count().into()),
                ];
                self.text("reason-protected", &values)
            }
            Rule::KingsAdjacent => {
                let values = [("to", square(to)), ("king", self.pieces(INDIRECT, enemies))];
                self.text("reason-kings", &values)
            }
            Rule::DoubleCheckKingMustMove => self.attacked("reason-double-check", enemies, to),
            Rule::DoesNotAnswerCheck => {
                let checker = enemies.first()?;
                let blocks = between(self.king, checker);
                let key = if blocks.is_empty() {
                    "reason-not-captured"
                } else {
                    "reason-not-answered"
                };
                let values = [
                    ("king", square(self.king)),
                    ("checker", self.piece(OBJECT, checker)),
                    ("squares", self.squares("list-or", blocks)),
                ];
                self.text(key, &values)
            }
            Rule::EnPassantDiscoversCheck => {
                // The taken pawn alone shields nothing: where it stands was empty a move ago.
                let attackers = enemies & !self.victim()?.bitboard();
                // Both pawns stand on one rank before the capture (FIDE 3.7.3.1).
                let rank = if self.us == Color::White { 5 } else { 4 };
                let values = [
                    ("rank", rank.into()),
                    ("pieces", self.pieces(SUBJECT, attackers)),
                    ("n", attackers.count().into()),
                    ("king", square(self.king)),
                ];
                self.text("reason-both-pawns", &values)
            }
            Rule::Pinned => {
                let values = [
                    ("piece", self.piece(SUBJECT, self.m.from())),
                    ("king", square(self.king)),
                    ("pieces", self.pieces(OBJECT, enemies)),
                ];
                self.text("reason-pinned", &values)
            }
            _ => return None,
        })
    }

    fn about_castling(&self, rule: Rule, explanation: &Explanation) -> Option<String> {
        let enemies = self.squares & self.theirs;
        let path = (self.squares & !self.theirs).first();
        Some(match rule {
            Rule::NoCastlingRight => {
                let rook = (self.squares & !self.king.bitboard()).first();
                let key = match (rook, CastlingSide::new(self.king, self.m.to())) {
                    (Some(_), _) => "reason-no-right",
                    (None, CastlingSide::King) => "reason-no-right-short",
                    (None, CastlingSide::Queen) => "reason-no-right-long",
                };
                let values = [
                    ("side", side(self.us)),
                    ("rook", self.piece(INDIRECT, rook.unwrap_or(self.king))),
                ];
                self.text(key, &values)
            }
            Rule::CastlingPathBlocked => self.castling_blocked(explanation.meant().to())?,
            Rule::CastlingOutOfCheck => {
                let values = [
                    ("king", square(self.king)),
                    ("pieces", self.pieces(OBJECT, enemies)),
                ];
                self.text("reason-out-of-check", &values)
            }
            Rule::CastlingThroughCheck => self.attacked("reason-passes-over", enemies, path?),
            Rule::CastlingIntoCheck => self.attacked("reason-lands-on", enemies, path?),
            Rule::CastlingUncoversCheck => {
                let rook = explanation.meant().to();
                let target = CastlingSide::new(self.king, rook).king_target(self.us);
                let values = [
                    ("rook", square(rook)),
                    ("pieces", self.pieces(SUBJECT, enemies)),
                    ("n", enemies.count().into()),
                    ("king", square(target)),
                ];
                self.text("reason-rook-leaves", &values)
            }
            _ => return None,
        })
    }

    /// Names the first piece on the way of the king, else of the rook.
    fn castling_blocked(&self, rook: Square) -> Option<String> {
        let wing = CastlingSide::new(self.king, rook);
        let others = self.position.occupied() & !self.king.bitboard() & !rook.bitboard();
        let ways = [
            (self.king, wing.king_target(self.us)),
            (rook, wing.rook_target(self.us)),
        ];
        ways.into_iter().find_map(|(from, to)| {
            let on_the_way = between(from, to) & others;
            let nearest = on_the_way
                .into_iter()
                .min_by_key(|one| one.index().abs_diff(from.index()));
            let blocker = nearest.or(Some(to).filter(|&to| others.contains(to)))?;
            let values = [
                ("other", self.piece(SUBJECT, blocker)),
                ("piece", self.piece(INDIRECT, from)),
                ("to", square(to)),
            ];
            Some(self.text("reason-castling-blocked", &values))
        })
    }
}
