//! Knights, kings and sliders.

use chess::rules::{Color, Piece, PieceType, Square};

use super::super::Mutation;
use super::super::attacks::{Direction, JUMPS, wrapped};
use super::super::board::{Kind, Mutant};

impl Mutant {
    pub(super) fn knight_moves(&mut self, from: Square) {
        for (files, ranks) in JUMPS {
            if self.has(Mutation::KnightJumpMissing) && (files, ranks) == (-2, -1) {
                continue;
            }
            let to = match from.offset(files, ranks) {
                None if self.knight_wraps(from, files) => wrapped(from, files, ranks),
                to => to,
            };
            if let Some(to) = to
                && (!self.is_of(to, self.us()) || self.has(Mutation::KnightCapturesOwn))
            {
                self.add_twice_if(Mutation::KnightCaptureTwice, from, to);
            }
        }
    }

    fn knight_wraps(&self, from: Square, files: i32) -> bool {
        let file = from as i32 & 7;
        match self.broken() {
            Some(Mutation::KnightWrapsAFile) => file + files < 0,
            Some(Mutation::KnightWrapsHFile) => file + files > 7,
            Some(Mutation::KnightWrapsFromBFile) => file == 1 && files == -2,
            Some(Mutation::KnightWrapsFromGFile) => file == 6 && files == 2,
            _ => false,
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
        let piece = Piece::new(self.us(), slider);
        for direction in Direction::ALL {
            if self.moves_along(piece, direction) {
                self.walk(from, slider, direction);
            }
        }
    }

    fn moves_along(&self, slider: Piece, direction: Direction) -> bool {
        match slider.piece_type {
            PieceType::Rook => direction.is_straight(),
            PieceType::Queen if self.has(Mutation::QueenMovesStraightOnly) => {
                direction.is_straight()
            }
            PieceType::Queen if self.has(Mutation::QueenMovesDiagonallyOnly) => {
                !direction.is_straight()
            }
            PieceType::Queen => true,
            _ => !direction.is_straight(),
        }
    }

    /// Adds the moves of a slider in one direction, up to the first piece or the edge.
    fn walk(&mut self, from: Square, slider: PieceType, direction: Direction) {
        let us = self.us();
        let mut square = from;
        let mut jumped = false;
        // A line has at most seven steps; one that wraps around could be endless.
        for step in 1..=7 {
            let Some(to) = self.next_square(square, slider, direction) else {
                return;
            };
            square = to;
            let Some(piece) = self.at(to) else {
                if !self.stops_short(step, to, direction) {
                    self.add(from, to, Kind::Plain);
                }
                continue;
            };
            let takes = piece.color != us || self.has(Mutation::SliderCapturesOwn);
            if takes && !self.capture_is_missing(step, to, direction) {
                self.add_twice_if(Mutation::SliderCaptureTwice, from, to);
            }
            if jumped || !self.goes_through(piece, us) {
                return;
            }
            jumped = true;
        }
    }

    fn next_square(&self, from: Square, slider: PieceType, way: Direction) -> Option<Square> {
        let to = from.offset(way.files, way.ranks);
        if to.is_some() {
            return to;
        }
        let file = from as i32 & 7;
        let wraps = match self.broken() {
            Some(Mutation::BishopWraps) => slider == PieceType::Bishop,
            Some(Mutation::RookWrapsAFile) => slider == PieceType::Rook && file + way.files < 0,
            Some(Mutation::RookWrapsHFile) => slider == PieceType::Rook && file + way.files > 7,
            Some(Mutation::QueenWraps) => slider == PieceType::Queen,
            _ => false,
        };
        if wraps {
            wrapped(from, way.files, way.ranks)
        } else {
            None
        }
    }

    /// Whether a slider may not go to this empty square.
    fn stops_short(&self, step: u32, to: Square, way: Direction) -> bool {
        match self.broken() {
            Some(Mutation::SliderStopsBeforeEdge) => to.offset(way.files, way.ranks).is_none(),
            Some(Mutation::SliderLacksSeventhStep) => step == 7,
            _ => false,
        }
    }

    fn capture_is_missing(&self, step: u32, to: Square, way: Direction) -> bool {
        match self.broken() {
            Some(Mutation::SliderCaptureOnEdgeMissing) => to.offset(way.files, way.ranks).is_none(),
            Some(Mutation::SliderCaptureOfNeighborMissing) => step == 1,
            Some(Mutation::SliderLacksSeventhStep) => step == 7,
            _ => false,
        }
    }

    /// Whether a slider does not stop at this piece.
    fn goes_through(&self, piece: Piece, us: Color) -> bool {
        match self.broken() {
            Some(Mutation::SliderJumpsOwn) => piece.color == us,
            Some(Mutation::SliderJumpsTheirs) => piece.color != us,
            Some(Mutation::SliderLooksThroughKing) => piece == Piece::new(us, PieceType::King),
            _ => false,
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
