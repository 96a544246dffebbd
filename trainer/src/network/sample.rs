//! Training samples of a network, and their split into training and held-out data.

use std::io;

use chacha20::ChaCha8Rng;
use chess::rules::{Color, Piece, PieceType, Position, Square};
use engine::eval::network::{KingBuckets, Perspective, bucket};
use engine::eval::{ChessBin, Evaluation, Network};
use rand::{RngExt, SeedableRng};
use sha2::{Digest as _, Sha256};

use crate::files::{self, TrainerError};
use crate::line::TrainingLine;

/// The maximal number of pieces of a sample: those of the start position.
const PIECES: usize = 32;

/// A training sample in 32 bytes. The side to move is White: the board of a position with Black to
/// move is mirrored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sample {
    /// The occupied squares.
    occupied: u64,
    /// The pieces on them in order, two in a byte: 8 for the opponent plus the kind.
    pieces: [u8; PIECES / 2],
    /// The factor of the network score, from 0 to 1: lower in drawish end games.
    pub(super) share: f32,
    /// The training target: points of the side to move.
    pub(super) target: f32,
}

/// The inputs of a sample, for a step of training.
#[derive(Clone, Copy, Debug)]
pub(super) struct SampleFeatures {
    /// For the side to move and for the opponent.
    inputs: [[u16; PIECES]; 2],
    pieces: u8,
    pub(super) bucket: u8,
    pub(super) share: f32,
    pub(super) target: f32,
}

/// How results and scores are blended into targets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Aim {
    /// The WDL weight (lambda), from 0 to 1; the score has the rest.
    pub(super) lambda: f32,
    /// The share of a score that later scores of its game have, from 0 to below 1: TD(lambda).
    pub(super) smooth: f32,
    /// Centipawns per unit of the logistic curve.
    pub(super) scale: f32,
}

impl Sample {
    /// The sample of a position; `None` if it has a lone king or more pieces than the start position.
    pub(super) fn new(position: &Position, target: f32) -> Option<Self> {
        let mut occupied = position.occupied().0;
        if Network::has_lone_king(position) || occupied.count_ones() > 32 {
            return None;
        }
        let mover = position.side_to_move();
        let mut flip = 0;
        if mover == Color::Black {
            occupied = occupied.swap_bytes();
            // These bits of a square are its rank.
            flip = 0b11_1000;
        }
        let mut pieces = [0; PIECES / 2];
        for (index, square) in squares(occupied).enumerate() {
            let piece = position.piece_at(Square::ALL[square ^ flip])?;
            let code = piece.piece_type as u8 + 8 * u8::from(piece.color != mover);
            pieces[index / 2] |= code << (index % 2 * 4);
        }
        Some(Self {
            occupied,
            pieces,
            share: share(position),
            target,
        })
    }

    /// The inputs of the sample.
    #[expect(clippy::cast_possible_truncation, reason = "32 pieces, 24,576 inputs")]
    pub(super) fn features(&self, kings: &KingBuckets) -> SampleFeatures {
        let mut board = [(Piece::new(Color::White, PieceType::Pawn), Square::A1); PIECES];
        let mut views = [Perspective::new(Color::White, Square::A1, kings); 2];
        let count = self.occupied.count_ones() as usize;
        for (index, (square, place)) in squares(self.occupied).zip(&mut board).enumerate() {
            let code = usize::from(self.pieces[index / 2] >> (index % 2 * 4));
            let color = Color::ALL[code / 8 % 2];
            let piece = Piece::new(color, PieceType::ALL[code % 8]);
            *place = (piece, Square::ALL[square]);
            if piece.piece_type == PieceType::King {
                views[color as usize] = Perspective::new(color, place.1, kings);
            }
        }
        let inputs = views.map(|view| board.map(|(piece, on)| view.input(piece, on) as u16));
        SampleFeatures {
            inputs,
            pieces: count as u8,
            bucket: bucket(count) as u8,
            share: self.share,
            target: self.target,
        }
    }
}

impl SampleFeatures {
    /// The active inputs from the perspective of the side to move (0) or of the opponent (1).
    #[inline(always)]
    pub(super) fn inputs(&self, side: usize) -> &[u16] {
        &self.inputs[side][..usize::from(self.pieces)]
    }
}

/// The squares of a set, in order.
fn squares(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let square = set.trailing_zeros() as usize;
        set &= set.checked_sub(1)?;
        Some(square)
    })
}

/// What will be left of the network's score. Who will be ahead by it is not known yet: another
/// evaluation says so.
fn share(position: &Position) -> f32 {
    let mover = position.side_to_move();
    let is_ahead = ChessBin.evaluate(position) >= 0;
    Network::share(position, if is_ahead { mover } else { !mover })
}

pub(super) fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// The fraction of held-out games.
// Whole games, since the positions of one resemble each other and share its result.
const HOLD_OUT: f64 = 0.03;

#[derive(Debug, Default)]
pub(super) struct Data {
    pub(super) training: Vec<Sample>,
    /// Held-out positions: all positions of some games.
    pub(super) hold_out: Vec<Sample>,
}

/// A position of the game that is being read.
struct Read {
    sample: Option<Sample>,
    mover: Color,
    /// White's points, if the result is known: in a sideline it is not.
    points: Option<f32>,
    /// White's points by the score.
    expected: f32,
}

impl Data {
    /// Reads a binary file and adds its positions.
    pub(super) fn read(
        &mut self,
        path: &str,
        file: impl io::Read,
        aim: Aim,
    ) -> Result<(), TrainerError> {
        // A fixed seed, so that two trainings on a file hold out the same games and can be
        // compared.
        let mut rng = ChaCha8Rng::seed_from_u64(0);
        let (mut last, mut game): (_, Vec<Read>) = (0, Vec::new());
        #[expect(clippy::cast_precision_loss, reason = "scores fit 16 bits")]
        let parse = |line: TrainingLine| Read {
            sample: Sample::new(&line.position, 0.0),
            mover: line.position.side_to_move(),
            points: line.points(),
            expected: sigmoid(line.score.expect("packed ones have it") as f32 / aim.scale),
        };
        files::read_records(path, file, parse, |number, read| {
            if last != number {
                self.add(std::mem::take(&mut game), aim, &mut rng);
                last = number;
            }
            game.push(read);
            Ok(())
        })?;
        self.add(game, aim, &mut rng);
        Ok(())
    }

    /// Hashes all samples: what a training sees, from whatever files.
    pub(super) fn hash(&self, hash: &mut Sha256) {
        for sample in self.training.iter().chain(&self.hold_out) {
            hash.update(sample.occupied.to_le_bytes());
            hash.update(sample.pieces);
            hash.update(sample.share.to_le_bytes());
            hash.update(sample.target.to_le_bytes());
        }
    }

    /// Adds the positions of a game.
    fn add(&mut self, mut game: Vec<Read>, aim: Aim, rng: &mut ChaCha8Rng) {
        let mut later = None;
        // From the end, so that each score takes in those of all later positions: TD(lambda).
        for read in game.iter_mut().rev() {
            // A sideline has no later positions of its own.
            if let Some(points) = read.points {
                let next = later.unwrap_or(read.expected);
                let smoothed = read.expected + aim.smooth * (next - read.expected);
                later = Some(smoothed);
                read.expected = smoothed + aim.lambda * (points - smoothed);
            }
        }
        let to = if rng.random_bool(HOLD_OUT) {
            &mut self.hold_out
        } else {
            &mut self.training
        };
        to.extend(game.into_iter().filter_map(|read| {
            let target = match read.mover {
                Color::White => read.expected,
                Color::Black => 1.0 - read.expected,
            };
            read.sample.map(|sample| Sample { target, ..sample })
        }));
    }
}
