//! Options of `epd run` for scores: groups, ratings.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use kit::BadInput;

use super::input;
use crate::report::scores::ScoreRequest;
use crate::run::groups::GroupBy;
use crate::run::rating::{LeastSquaresFit, Regression};

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Scores")]
pub(super) struct ScoreArgs {
    /// Add a table of scores by group, such as id-prefix
    ///
    /// Add a table of scores by group: `id-prefix` (the `id` without its number), `tag`, an opcode
    /// such as `c0`, or `id:REGEX` (its first group). Example: `--by id-prefix`
    #[arg(hide_short_help = true, long, value_name = "WHAT")]
    by: Option<GroupBy>,

    /// Estimate a rating from the score
    ///
    /// `sts` (the line of STS-Rating), `SLOPE,INTERCEPT`, or a CSV file with the columns score
    /// (percent) and elo, to which a line is fitted. Example: `--rating engines.csv`
    #[arg(
        hide_short_help = true,
        long,
        value_name = "sts|LINE|FILE",
        allow_hyphen_values = true
    )]
    rating: Option<RatingSource>,
}

#[derive(Clone, Debug)]
enum RatingSource {
    Sts,
    Line([f64; 2]),
    File(String),
}

impl FromStr for RatingSource {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "sts" {
            return Ok(Self::Sts);
        }
        let number = |text: &str| {
            let number = text.trim().parse::<f64>().ok();
            number.filter(|number| number.is_finite())
        };
        let Some((slope, intercept)) = text.split_once(',') else {
            return Ok(Self::File(text.to_owned()));
        };
        match (number(slope), number(intercept)) {
            (Some(slope), Some(intercept)) => Ok(Self::Line([slope, intercept])),
            _ => Ok(Self::File(text.to_owned())),
        }
    }
}

impl ScoreArgs {
    /// The file that a line is fitted to.
    pub(super) fn rating_file(&self) -> Option<PathBuf> {
        match &self.rating {
            Some(RatingSource::File(file)) => Some(PathBuf::from(file)),
            _ => None,
        }
    }

    /// Reads the file of a regression, if there is one.
    pub(super) fn request(&self) -> Result<ScoreRequest, BadInput> {
        let rating = match &self.rating {
            None => None,
            Some(RatingSource::Sts) => Some(Regression::Sts),
            Some(RatingSource::Line(line)) => Some(Regression::Line(*line)),
            Some(RatingSource::File(file)) => Some(Regression::Fit(fit(file)?)),
        };
        Ok(ScoreRequest {
            by: self.by.clone(),
            rating,
        })
    }
}

fn fit(file: &str) -> Result<LeastSquaresFit, BadInput> {
    let text = input::text(Path::new(file)).map_err(|error| {
        BadInput(format!(
            "--rating: cannot read {file}: {error}; expected sts, SLOPE,INTERCEPT, or a CSV file"
        ))
    })?;
    LeastSquaresFit::read(file, &text).map_err(|error| BadInput(format!("{file}: {error}")))
}
