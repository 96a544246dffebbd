//! Bodies of requests and answers that are not the service's own values.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::model::{ListEvent, Mode, Op};
use crate::service::{BoardRow, ContributorId, Period, Resolution, TestCase};
use crate::web::problem::{BAD_REQUEST, NOT_A_MOVE, Problem, UNKNOWN_CAMPAIGN};

/// Who comes in.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Entry {
    /// What they want to be called, if anything: up to 32 characters.
    #[serde(default)]
    pub(crate) name: Option<String>,
}

/// Another name.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Renaming {
    /// Up to 32 characters.
    pub(crate) name: String,
}

/// Who came in.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Entered {
    /// The number inside.
    pub(crate) id: ContributorId,
    /// The name, if one was given.
    pub(crate) name: Option<String>,
}

/// What is asked for.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wanted {
    /// In which mode.
    pub(crate) mode: Mode,
    /// Of which campaign; of any, without it.
    #[serde(default)]
    pub(crate) campaign: Option<String>,
}

/// One thing done to a list, as it is sent.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SentEvent {
    /// Its number in the list, from 1, without gaps.
    seq: u32,
    /// What was done.
    op: Op,
    /// The move: two squares, and for a promotion one of n, b, r, q.
    #[serde(rename = "move")]
    #[schema(example = "e2e4")]
    mv: String,
    /// When, by the person's own clock, in milliseconds since the position was shown.
    at_ms: u32,
}

/// Events, oldest first.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Events {
    /// Those that may not have arrived yet; what has arrived may be sent again.
    pub(crate) events: Vec<SentEvent>,
}

/// The end of a list.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Ending {
    /// Those that may not have arrived yet, or all.
    #[serde(default)]
    pub(crate) events: Vec<SentEvent>,
    /// How many events the whole list has.
    pub(crate) count: u32,
}

/// How far events have arrived.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Acknowledged {
    /// All up to this number are kept.
    pub(crate) acknowledged: u32,
}

/// Done; there is nothing to say.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Done {}

/// A leaderboard.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Board {
    /// The best, best first.
    pub(crate) rows: Vec<BoardRow>,
}

/// Which leaderboard.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct BoardQuery {
    /// `all`, the default, or a mode: `calm`, `timed`, `pair`, `missing`, `review`.
    #[serde(default)]
    pub(crate) mode: Option<String>,
    /// `day`, which is today in UTC, or `all`, the default.
    #[serde(default)]
    #[param(inline)]
    pub(crate) period: Option<Period>,
}

impl BoardQuery {
    /// The mode that is asked for; nothing for all together.
    pub(crate) fn mode(&self) -> Result<Option<Mode>, Problem> {
        match self.mode.as_deref() {
            None | Some("all") => Ok(None),
            Some(text) => text.parse().map(Some).map_err(|error| {
                let detail = format!("mode: {error}, or all");
                Problem::new(BAD_REQUEST, detail)
            }),
        }
    }

    /// The days that are asked for.
    pub(crate) fn period(&self) -> Period {
        self.period.unwrap_or(Period::All)
    }
}

/// The test cases.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Cases {
    /// Each with where it comes from.
    pub(crate) cases: Vec<TestCase>,
}

/// A moderator's decision.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Decision {
    /// What is decided.
    pub(crate) resolution: Resolution,
    /// Why.
    #[serde(default)]
    pub(crate) note: String,
}

/// What becomes of a position.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Retiring {
    /// The only state that it can be given.
    pub(crate) state: RetiredState,
}

/// Closed without an answer.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum RetiredState {
    /// Nobody is asked for it any more.
    Retired,
}

/// A text to import.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Import {
    /// EPD records, or a FEN a line.
    pub(crate) text: String,
    /// The campaign: 1 to 40 small letters, digits and hyphens.
    pub(crate) campaign: String,
    /// Whether the answers are known, so that people are measured by them.
    #[serde(default)]
    pub(crate) gold: bool,
}

/// Whether a contributor counts.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Counting {
    /// True to set their lists aside, false to count them.
    pub(crate) set_aside: bool,
}

impl Wanted {
    /// The campaign, where it can be the name of one: databases differ in what else they take for a text.
    pub(crate) fn campaign(&self) -> Result<Option<&str>, Problem> {
        let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        match self.campaign.as_deref() {
            Some(name) if name.len() > 40 || !name.chars().all(is_name) => {
                let detail = "names of campaigns are small letters, digits and hyphens";
                Err(Problem::new(UNKNOWN_CAMPAIGN, detail))
            }
            campaign => Ok(campaign),
        }
    }
}

impl Decision {
    const LONGEST_NOTE: usize = 500;

    /// The note, where it is one.
    pub(crate) fn note(&self) -> Result<&str, Problem> {
        let note = self.note.trim();
        if note.chars().count() > Self::LONGEST_NOTE || note.contains('\0') {
            let most = Self::LONGEST_NOTE;
            let detail = format!("a note has at most {most} characters, none of which is NUL");
            return Err(Problem::new(BAD_REQUEST, detail));
        }
        Ok(note)
    }
}

impl SentEvent {
    fn read(self) -> Result<ListEvent, Problem> {
        let mv = self.mv.parse().map_err(|error| {
            let detail = format!("event {}: {error}", self.seq);
            Problem::new(NOT_A_MOVE, detail).with("seq", self.seq)
        })?;
        Ok(ListEvent {
            seq: self.seq,
            op: self.op,
            mv,
            at_ms: self.at_ms,
        })
    }
}

/// Reads the moves of events.
pub(crate) fn read(events: Vec<SentEvent>) -> Result<Vec<ListEvent>, Problem> {
    events.into_iter().map(SentEvent::read).collect()
}
