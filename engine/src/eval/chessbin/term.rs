//! The terms of the evaluation, and their destinations: a sum, or a ledger with a row for each.

use chess::rules::{ByColor, Color};

use crate::eval::{Phased, TraceRow};

/// One term of the evaluation.
#[derive(Clone, Copy, Debug)]
pub(super) enum Term {
    Material,
    Tables,
    Mobility,
    Defended,
    Attacked,
    Hanging,
    RookPawns,
    DoubledPawns,
    IsolatedPawns,
    PassedPawns,
    Knights,
    Bishops,
    BishopPair,
    Rooks,
    Queens,
    KingMoves,
    KingMoved,
    Castled,
    Check,
    Tempo,
}

impl Term {
    /// Every term, in the order of a trace.
    pub(super) const ALL: [Self; 20] = [
        Self::Material,
        Self::Tables,
        Self::Mobility,
        Self::Defended,
        Self::Attacked,
        Self::Hanging,
        Self::RookPawns,
        Self::DoubledPawns,
        Self::IsolatedPawns,
        Self::PassedPawns,
        Self::Knights,
        Self::Bishops,
        Self::BishopPair,
        Self::Rooks,
        Self::Queens,
        Self::KingMoves,
        Self::KingMoved,
        Self::Castled,
        Self::Check,
        Self::Tempo,
    ];

    /// The term's name in a trace.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Material => "material",
            Self::Tables => "piece-square tables",
            Self::Mobility => "mobility",
            Self::Defended => "defended pieces",
            Self::Attacked => "attacked pieces",
            Self::Hanging => "hanging pieces",
            Self::RookPawns => "pawns on a and h",
            Self::DoubledPawns => "doubled pawns",
            Self::IsolatedPawns => "isolated pawns",
            Self::PassedPawns => "passed pawns",
            Self::Knights => "knights in the end game",
            Self::Bishops => "bishops in the end game",
            Self::BishopPair => "bishop pair",
            Self::Rooks => "rooks moved before castling",
            Self::Queens => "queens moved",
            Self::KingMoves => "king with 0 or 1 moves",
            Self::KingMoved => "king moved, not castled",
            Self::Castled => "castled",
            Self::Check => "in check",
            Self::Tempo => "tempo",
        }
    }
}

/// Receives the terms of an evaluation.
pub(super) trait TermSink {
    /// Adds a term's contribution for one side; a term may occur several times.
    fn add(&mut self, term: Term, color: Color, value: Phased);
}

/// The sum from White's point of view, which is all that a search needs.
#[derive(Default)]
pub(super) struct Sum(pub(super) Phased);

impl TermSink for Sum {
    #[inline(always)]
    fn add(&mut self, _term: Term, color: Color, value: Phased) {
        match color {
            Color::White => self.0 += value,
            Color::Black => self.0 -= value,
        }
    }
}

#[derive(Default)]
pub(super) struct TermLedger([ByColor<Phased>; Term::ALL.len()]);

impl TermLedger {
    /// One row for each term.
    pub(super) fn into_rows(self) -> Vec<TraceRow> {
        let row = |term: Term| TraceRow {
            name: term.name(),
            sides: self.0[term as usize],
        };
        Term::ALL.map(row).into()
    }
}

impl TermSink for TermLedger {
    fn add(&mut self, term: Term, color: Color, value: Phased) {
        self.0[term as usize][color] += value;
    }
}
