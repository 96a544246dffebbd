//! Training and held-out positions in memory.

use std::io::BufRead;

use chacha20::ChaCha8Rng;
use engine::eval::Touchstone;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;

use super::loss;
use super::sample::{Sample, Weight};
use crate::files::TrainerError;
use crate::line::{Line, ParseLineError};
use crate::{Say, files};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Errors {
    pub(super) training: f64,
    pub(super) hold_out: f64,
}

#[derive(Debug, Default, PartialEq)]
pub(super) struct Data {
    pub(super) training: Vec<Sample>,
    /// Held-out positions: all positions of some games.
    pub(super) hold_out: Vec<Sample>,
    pub(super) games: usize,
    /// Number of games used for training.
    pub(super) training_games: usize,
}

/// The random split between training and held-out games.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source {
    pub(super) seed: u64,
    /// The fraction of held-out games, from 0 to 1.
    pub(super) hold_out: f64,
}

impl Source {
    /// Whether the game of this number is held out.
    fn holds_out(self, game: u64) -> bool {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        rng.set_stream(game);
        rng.random_bool(self.hold_out)
    }
}

impl Data {
    /// Reads the lines of a text and adds their positions.
    pub(super) fn read(
        &mut self,
        path: &str,
        text: impl BufRead,
        source: Source,
    ) -> Result<(), TrainerError> {
        let mut last_game = None;
        files::read_positions(path, text, parse, |(game, sample)| {
            let is_held_out = source.holds_out(game);
            if last_game.replace(game) != Some(game) {
                self.games += 1;
                self.training_games += usize::from(!is_held_out);
            }
            if is_held_out {
                self.hold_out.push(sample);
            } else {
                self.training.push(sample);
            }
            Ok(())
        })
    }

    /// Fits the scale of the logistic curve and sets the target of every position: `lambda` is the
    /// WDL weight of the result, the rest is the engine's score, if known. Returns the scale.
    pub(super) fn aim(&mut self, weights: &[Weight], lambda: f64, say: Say<'_>) -> f64 {
        let values = self.training.par_iter();
        let values = values.map(|one| (one.value(weights), f64::from(one.points)));
        let scale = loss::best(&values.collect::<Vec<_>>());
        let scored = self.training.iter();
        let scored = scored.filter_map(|one| Some((f64::from(one.score?), f64::from(one.points))));
        let of_scores = loss::best(&scored.collect::<Vec<_>>());
        let [k, of_engine] = [scale, of_scores].map(|scale| scale / loss::USUAL);
        say(&format!(
            "K is {k:.4}, that of the engine's scores {of_engine:.4}"
        ));
        for one in self.training.iter_mut().chain(&mut self.hold_out) {
            one.target = target(one, of_scores, lambda);
        }
        scale
    }

    /// The errors with the given weights.
    pub(super) fn errors(&self, weights: &[Weight], scale: f64) -> Errors {
        Errors {
            training: loss::error(&self.training, weights, scale),
            hold_out: loss::error(&self.hold_out, weights, scale),
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "seven digits are enough")]
fn target(sample: &Sample, scale: f64, lambda: f64) -> f32 {
    let Some(score) = sample.score else {
        return sample.points;
    };
    let expected = loss::expected(scale, f64::from(score));
    (lambda * f64::from(sample.points) + (1.0 - lambda) * expected) as f32
}

/// Parses a line to the number of its game and a sample.
fn parse(text: &str) -> Result<(u64, Sample), ParseLineError> {
    let line: Line = text.parse()?;
    let points = line.points().ok_or(ParseLineError::NoResult)?;
    #[expect(clippy::cast_precision_loss, reason = "scores are some thousands")]
    let score = line.score.map(|score| score as f32);
    let coefficients = Touchstone::coefficients(&line.position);
    Ok((line.game, Sample::new(coefficients, points, score)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: Source = Source {
        seed: 1,
        hold_out: 0.5,
    };
    const BARE: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";

    fn read(text: &str) -> Result<Data, String> {
        let mut data = Data::default();
        let read = data.read("x.txt", text.as_bytes(), SOURCE);
        read.map_err(|error| error.to_string()).map(|()| data)
    }

    /// Two lines for each of this number of games.
    fn lines(games: u64) -> String {
        let line = |number: u64| format!("{};{BARE};1-0;120\n", number / 2);
        (0..2 * games).map(line).collect()
    }

    #[test]
    fn games_are_held_out_as_a_whole() {
        let data = read(&lines(200)).unwrap();
        assert_eq!(data.games, 200);
        let (training, hold_out) = (data.training.len(), data.hold_out.len());
        assert_eq!(training + hold_out, 400);
        assert!(training % 2 == 0 && (120..280).contains(&training));
        let held_out = |game| SOURCE.holds_out(game);
        assert_eq!(
            hold_out,
            2 * (0..200).filter(|&game| held_out(game)).count()
        );
    }

    #[test]
    fn a_faulty_line_is_named() {
        let text = lines(1) + "1;what\n";
        let expected = "x.txt, line 3: 2 fields, expected 4: game, FEN, result, score";
        assert_eq!(read(&text).unwrap_err(), expected);
        let text = format!("1;{BARE};*;120\n");
        let expected = "x.txt, line 1: weights are fitted to results, and this one is not known";
        assert_eq!(read(&text).unwrap_err(), expected);
        let none = read("").unwrap();
        assert!(files::check_split(&none.training, &none.hold_out).is_err());
    }

    #[test]
    fn the_target_lies_between_result_and_score() {
        let mut data = read(&lines(1)).unwrap();
        let mut sample = data.training.pop().or(data.hold_out.pop()).unwrap();
        let expected = loss::expected(loss::USUAL, 120.0);
        for (lambda, wanted) in [
            (1.0, 1.0),
            (0.0, expected),
            (0.5, f64::midpoint(1.0, expected)),
        ] {
            let found = f64::from(target(&sample, loss::USUAL, lambda));
            assert!((found - wanted).abs() < 1e-6, "{found}, expected {wanted}");
        }
        sample.score = None;
        assert!((target(&sample, loss::USUAL, 0.0) - 1.0).abs() < 1e-6);
    }
}
