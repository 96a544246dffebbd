//! Knights, kings and sliders.

use chess::rules::{Piece, PieceType, Square};

use super::super::Mutation;
use super::super::attacks::{Direction, JUMPS, wrapped};
use super::super::board::{Kind, Mutant};

impl Mutant {
    pub(super) fn knight_moves(&mut self, from: Square) {
        let file = from as i32 & 7;
        for (files, ranks) in JUMPS {
            let wraps = match self.broken() {
                Some(Mutation::KnightJumpMissing) if (files, ranks) == (-2, -1) => continue,
                Some(Mutation::KnightWrapsAFile) => file + files < 0,
                Some(Mutation::KnightWrapsHFile) => file + files > 7,
                Some(Mutation::KnightWrapsFromBFile) => file == 1 && files == -2,
                Some(Mutation::KnightWrapsFromGFile) => file == 6 && files == 2,
                _ => false,
            };
            let to = match from.offset(files, ranks) {
                None if wraps => wrapped(from, files, ranks),
                to => to,
            };
            if let Some(to) = to
                && (!self.is_of(to, self.us()) || self.has(Mutation::KnightCapturesOwn))
            {
                self.add_twice_if(Mutation::KnightCaptureTwice, from, to);
            }
        }
    }

    pub(super) fn king_moves(&mut self, from: Square) {
        for Direction { files, ranks } in Direction::ALL {
            let file = from as i32 & 7;
            let to = match (from.offset(files, ranks), self.broken()) {
                (None, Some(Mutation::KingWrapsAFile)) if file + files < 0 => {
                    wrapped(from, files, ranks)
                }
                (None, Some(Mutation::KingWrapsHFile)) if file + files > 7 => {
                    wrapped(from, files, ranks)
                }
                (None, Some(Mutation::KingWrapsRanks)) => from.offset(files, -7 * ranks),
                (to, _) => to,
            };
            if let Some(to) = to
                && !self.is_of(to, self.us())
            {
                self.add_twice_if(Mutation::KingCaptureTwice, from, to);
            }
        }
    }

    pub(super) fn slider_moves(&mut self, from: Square, slider: PieceType) {
        for direction in Direction::ALL {
            let is_straight = direction.is_straight();
            let moves_along = match (slider, self.broken()) {
                (PieceType::Rook, _)
                | (PieceType::Queen, Some(Mutation::QueenMovesStraightOnly)) => is_straight,
                (PieceType::Queen, Some(Mutation::QueenMovesDiagonallyOnly)) => !is_straight,
                (PieceType::Queen, _) => true,
                _ => !is_straight,
            };
            if moves_along {
                self.walk(from, slider, direction);
            }
        }
    }

    /// Adds the moves of a slider in one direction, up to the first piece or the edge.
    fn walk(&mut self, from: Square, slider: PieceType, direction: Direction) {
        let Direction { files, ranks } = direction;
        let us = self.us();
        let mut square = from;
        let mut jumped = false;
        // A line has at most seven steps; one that wraps around could be endless.
        for step in 1..=7 {
            let file = square as i32 & 7;
            let wraps = match self.broken() {
                Some(Mutation::BishopWraps) => slider == PieceType::Bishop,
                Some(Mutation::RookWrapsAFile) => slider == PieceType::Rook && file + files < 0,
                Some(Mutation::RookWrapsHFile) => slider == PieceType::Rook && file + files > 7,
                Some(Mutation::QueenWraps) => slider == PieceType::Queen,
                _ => false,
            };
            let next = square.offset(files, ranks);
            let Some(to) = next.or_else(|| wrapped(square, files, ranks).filter(|_| wraps)) else {
                return;
            };
            square = to;
            let is_on_edge = to.offset(files, ranks).is_none();
            let Some(piece) = self.at(to) else {
                let stops_short = match self.broken() {
                    Some(Mutation::SliderStopsBeforeEdge) => is_on_edge,
                    Some(Mutation::SliderLacksSeventhStep) => step == 7,
                    _ => false,
                };
                if !stops_short {
                    self.add(from, to, Kind::Plain);
                }
                continue;
            };
            let takes = match self.broken() {
                Some(Mutation::SliderCapturesOwn) => true,
                _ if piece.color == us => false,
                Some(Mutation::SliderCaptureOnEdgeMissing) => !is_on_edge,
                Some(Mutation::SliderCaptureOfNeighborMissing) => step != 1,
                Some(Mutation::SliderLacksSeventhStep) => step != 7,
                _ => true,
            };
            if takes {
                self.add_twice_if(Mutation::SliderCaptureTwice, from, to);
            }
            let goes_through = match self.broken() {
                Some(Mutation::SliderJumpsOwn) => piece.color == us,
                Some(Mutation::SliderJumpsTheirs) => piece.color != us,
                Some(Mutation::SliderLooksThroughKing) => piece == Piece::new(us, PieceType::King),
                _ => false,
            };
            if jumped || !goes_through {
                return;
            }
            jumped = true;
        }
    }

    /// Adds a move, and a second time if it is a capture and this mutation is active.
    fn add_twice_if(&mut self, mutation: Mutation, from: Square, to: Square) {
        self.add(from, to, Kind::Plain);
        if self.has(mutation) && self.is_of(to, self.them()) {
            self.add(from, to, Kind::Plain);
        }
    }
}
