//! Training samples of a network, and their split into training and held-out data.

use std::io::BufRead;

use chess::rules::{Color, Position};
use engine::eval::network::{View, bucket};
use engine::eval::{Network, Touchstone};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::files::{self, TrainerError};
use crate::line::Line;

/// The maximal number of pieces of a sample: those of the start position.
const PIECES: usize = 32;

/// A training sample of a network.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sample {
    /// The active inputs, for the side to move and for the opponent.
    inputs: [[u16; PIECES]; 2],
    pieces: u8,
    pub(super) bucket: u8,
    /// The factor of the network score, from 0 to 1: lower in drawish end games.
    pub(super) share: f32,
    /// The training target: points of the side to move.
    pub(super) target: f32,
}

/// How results and scores are blended into targets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Aim {
    /// The WDL weight (lambda), from 0 to 1; the score has the rest.
    pub(super) lambda: f32,
    /// Centipawns per unit of the logistic curve.
    pub(super) scale: f32,
}

impl Sample {
    /// The sample of a line; `None` if the position is left to the hand-written terms or has more
    /// pieces than the start position.
    pub(super) fn of(line: &Line, aim: Aim) -> Option<Self> {
        let position = &line.position;
        if Network::leaves_to_terms(position) {
            return None;
        }
        let mover = position.side_to_move();
        let sides = [mover, !mover].map(|side| View::new(side, position.king(side)));
        let mut inputs = [[0; PIECES]; 2];
        let mut pieces = 0;
        for square in position.occupied() {
            let piece = position.piece_at(square)?;
            for (inputs, view) in inputs.iter_mut().zip(sides) {
                *inputs.get_mut(pieces)? = u16::try_from(view.input(piece, square)).ok()?;
            }
            pieces += 1;
        }
        Some(Self {
            inputs,
            pieces: u8::try_from(pieces).ok()?,
            bucket: u8::try_from(bucket(pieces)).ok()?,
            share: share(position),
            target: target(line, position, aim),
        })
    }

    /// The active inputs from the perspective of the side to move (0) or of the opponent (1).
    pub(super) fn inputs(&self, side: usize) -> impl Iterator<Item = usize> {
        let inputs = &self.inputs[side][..usize::from(self.pieces)];
        inputs.iter().map(|&input| usize::from(input))
    }
}

/// The network score counts equally in both phases, with the end-game scale applied to the latter.
fn share(position: &Position) -> f32 {
    let counted = Touchstone::coefficients(position);
    let parts = f32::from(counted.middle_game_parts);
    (parts + (24.0 - parts) * f32::from(counted.scale) / 64.0) / 24.0
}

#[expect(clippy::cast_precision_loss, reason = "scores are some thousands")]
fn target(line: &Line, position: &Position, aim: Aim) -> f32 {
    let expected = line.score.map(|score| sigmoid(score as f32 / aim.scale));
    let white = match (line.points(), expected) {
        (Some(points), Some(expected)) => aim.lambda * points + (1.0 - aim.lambda) * expected,
        (points, expected) => points.or(expected).unwrap_or(0.5),
    };
    match position.side_to_move() {
        Color::White => white,
        Color::Black => 1.0 - white,
    }
}

pub(super) fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// The fraction of held-out games.
const HOLD_OUT: f64 = 0.03;

#[derive(Debug, Default)]
pub(super) struct Data {
    pub(super) training: Vec<Sample>,
    /// Held-out positions: all positions of some games.
    pub(super) hold_out: Vec<Sample>,
}

impl Data {
    /// Reads the lines of a text and adds their positions.
    pub(super) fn read(
        &mut self,
        path: &str,
        text: impl BufRead,
        aim: Aim,
    ) -> Result<(), TrainerError> {
        let mut rng = ChaCha8Rng::seed_from_u64(0);
        let (mut last_game, mut is_held_out) = (None, false);
        let parse = |text: &str| {
            let line: Line = text.parse()?;
            Ok((line.game, Sample::of(&line, aim)))
        };
        files::read_positions(path, text, parse, |(game, sample)| {
            if last_game.replace(game) != Some(game) {
                is_held_out = rng.random_bool(HOLD_OUT);
            }
            if is_held_out {
                self.hold_out.extend(sample);
            } else {
                self.training.extend(sample);
            }
        })
    }
}
