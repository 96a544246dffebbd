//! Request and response bodies that are not types of the service, and parsing them without a server.

use axum::extract::Query;
use axum::http::Uri;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::class::ClassCode;
use crate::model::{ListEvent, NameError, Op, PlayerName, Purpose, Resolution, moves_of};
use crate::service::{ClassError, ContributorId, Period, Phrase, TestCase, Wanted};
use crate::web::problem::{BAD_NAME, NOT_A_MOVE, UNKNOWN_CAMPAIGN};
use web::extract;
use web::problem::{BAD_REQUEST, Problem};

/// A request for a session.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Entry {
    /// The chosen name, if any: up to 32 characters.
    #[serde(default)]
    pub(crate) name: Option<String>,
}

/// A request to change the name.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Renaming {
    /// Up to 32 characters.
    pub(crate) name: String,
}

/// A request for a session of somebody known.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Recovery {
    /// The recovery phrase: twenty letters and digits, with or without hyphens.
    pub(crate) phrase: String,
}

/// The contributor of a session.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Entered {
    /// The internal number.
    pub(crate) id: ContributorId,
    /// The name, if one was given.
    pub(crate) name: Option<String>,
}

/// A request for a list.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ListWish {
    /// What it is for; if absent, the server chooses between a list for a campaign and a second look.
    pub(crate) purpose: Option<Purpose>,
    /// The campaign; any, if absent.
    pub(crate) campaign: Option<String>,
    /// The code of the class, for the purpose `class`.
    pub(crate) class: Option<String>,
    /// The number of its position, from 1; the first that is not finished, if absent.
    pub(crate) number: Option<usize>,
}

/// An edit of a list, as sent by the client.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SentEvent {
    /// Its sequence number in the list, from 1, without gaps.
    seq: u32,
    /// The operation.
    op: Op,
    /// The move: two squares, and for a promotion one of n, b, r, q.
    #[serde(rename = "move")]
    #[schema(example = "e2e4")]
    mv: String,
    /// Client time in milliseconds since the position was shown.
    at_ms: u32,
}

/// Events, oldest first.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Events {
    /// Events that may not have arrived yet; resending is harmless.
    pub(crate) events: Vec<SentEvent>,
}

/// The end of a list.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Ending {
    /// Events that may not have arrived yet, or all.
    #[serde(default)]
    pub(crate) events: Vec<SentEvent>,
    /// Number of events of the whole list.
    pub(crate) count: u32,
}

/// Acknowledgement of events.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Acknowledged {
    /// All events up to this sequence number are stored.
    pub(crate) acknowledged: u32,
}

/// A request to join a class.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ClassJoining {
    /// A name of up to 32 characters, which the teacher sees.
    name: String,
}

impl ClassJoining {
    pub(crate) fn name(&self) -> Result<PlayerName, Problem> {
        let read = self.name.parse();
        read.map_err(|error: NameError| Problem::new(BAD_NAME, error.to_string()))
    }
}

/// A text that is no code gets the same answer as an unknown one.
pub(crate) fn read_code(text: &str) -> Result<ClassCode, Problem> {
    text.parse().map_err(|_| ClassError::NoClass.into())
}

/// Success, without further data.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Done {}

/// Which leaderboard.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct BoardQuery {
    /// `day`, the current UTC day; `week`, the current ISO week, or `last-week`; or `all`, the default.
    #[serde(default)]
    #[param(inline)]
    pub(crate) period: Option<Period>,
    /// The page, from 1, the default; fifty rows each.
    #[serde(default)]
    pub(crate) page: Option<u32>,
}

impl BoardQuery {
    pub(crate) fn page(&self) -> u32 {
        self.page.unwrap_or(1)
    }

    pub(crate) fn period(&self) -> Period {
        self.period.unwrap_or(Period::All)
    }
}

/// A page of a list that has many.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct PageQuery {
    /// The page, from 1, the default.
    #[serde(default)]
    pub(crate) page: Option<u32>,
}

impl PageQuery {
    /// The rows of the page, its number, and the number of pages, at least 1. Instead of a page after the last one, the
    /// last one.
    pub(crate) fn of<'a, T>(&self, all: &'a [T], rows: usize) -> (&'a [T], u32, u32) {
        let pages = all.len().div_ceil(rows).max(1);
        let page = (self.page.unwrap_or(1) as usize).clamp(1, pages);
        let first = (page - 1) * rows;
        let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let last = (first + rows).min(all.len());
        (&all[first..last], number(page), number(pages))
    }
}

/// The test cases.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Cases {
    /// Each with its provenance.
    pub(crate) cases: Vec<TestCase>,
}

/// A moderator's decision.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Decision {
    /// The decision.
    pub(crate) resolution: Resolution,
    /// The reason.
    #[serde(default)]
    pub(crate) note: String,
}

/// A request to reverse a decision: an empty object.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Reversal {}

/// A request to change the state of a position.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Retiring {
    /// The only state that can be set.
    pub(crate) state: RetiredState,
}

/// The state of a position closed without an answer.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum RetiredState {
    /// It is no longer assigned to anybody.
    Retired,
}

/// A text to import.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Import {
    /// EPD records, or one FEN per line.
    pub(crate) text: String,
    /// The campaign: 1 to 40 lower-case letters, digits and hyphens.
    pub(crate) campaign: String,
    /// Whether the positions are gold: contributors are measured by their answers.
    #[serde(default)]
    pub(crate) gold: bool,
}

/// Whether a contributor's lists count.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Counting {
    /// True to exclude their lists, false to count them.
    #[serde(rename = "set_aside")]
    pub(crate) quarantined: bool,
}

impl ListWish {
    /// The code of the class, if there is one.
    pub(crate) fn code(&self) -> Result<Option<ClassCode>, Problem> {
        self.class.as_deref().map(read_code).transpose()
    }

    /// What the service is asked for; `code` is the class's.
    pub(crate) fn wanted<'a>(&'a self, code: Option<&'a ClassCode>) -> Result<Wanted<'a>, Problem> {
        let campaign = self.campaign()?;
        let of_class =
            "purpose: a list for a class needs its code in 'class', and no other list has one";
        match (self.purpose, code) {
            (Some(Purpose::Class), Some(code)) => Ok(Wanted::Class(code, self.number)),
            (Some(Purpose::Class), None) | (_, Some(_)) => Err(Problem::new(BAD_REQUEST, of_class)),
            (Some(Purpose::Daily), None) => Ok(Wanted::Today),
            (Some(purpose), None) => Ok(Wanted::Crowd(purpose, campaign)),
            (None, None) => Ok(Wanted::Next(campaign)),
        }
    }

    /// The campaign, if it is a valid name: databases differ in which other texts they accept.
    fn campaign(&self) -> Result<Option<&str>, Problem> {
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

    pub(crate) fn note(&self) -> Result<&str, Problem> {
        let note = self.note.trim();
        // `PostgreSQL` cannot store NUL in a text.
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

pub(super) fn read_events(events: Vec<SentEvent>) -> Result<Vec<ListEvent>, Problem> {
    events.into_iter().map(SentEvent::read).collect()
}

/// Reads a body as its handler does; the error is the problem that the client would receive.
pub type ReadBody = fn(&[u8]) -> Result<(), Problem>;

/// Every body that is read, by the name of its type: JSON, except for the last two, which are URL-encoded.
pub const BODIES: [(&str, ReadBody); 13] = [
    ("Entry", |bytes| json::<Entry>(bytes).map(drop)),
    ("Renaming", |bytes| json::<Renaming>(bytes).map(drop)),
    ("Recovery", |bytes| {
        let phrase = json::<Recovery>(bytes)?.phrase;
        Ok(phrase.parse::<Phrase>().map(drop)?)
    }),
    ("ListWish", |bytes| {
        let wish = json::<ListWish>(bytes)?;
        wish.wanted(wish.code()?.as_ref()).map(drop)
    }),
    ("Events", |bytes| events(json::<Events>(bytes)?.events)),
    ("Ending", |bytes| events(json::<Ending>(bytes)?.events)),
    ("Decision", |bytes| {
        json::<Decision>(bytes)?.note().map(drop)
    }),
    ("Retiring", |bytes| json::<Retiring>(bytes).map(drop)),
    ("Import", |bytes| json::<Import>(bytes).map(drop)),
    ("Counting", |bytes| json::<Counting>(bytes).map(drop)),
    ("ClassJoining", |bytes| {
        json::<ClassJoining>(bytes)?.name().map(drop)
    }),
    ("BoardQuery", |bytes| query::<BoardQuery>(bytes).map(drop)),
    ("DecisionForm", |bytes| {
        query::<Decision>(bytes)?.note().map(drop)
    }),
];

fn json<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Problem> {
    extract::read_json(axum::Json::from_bytes(bytes))
}

fn query<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Problem> {
    let no_address = || Problem::new(BAD_REQUEST, "no part of an address");
    let uri = Uri::try_from([b"/?", bytes].concat()).map_err(|_| no_address())?;
    extract::read_query(Query::try_from_uri(&uri))
}

fn events(sent: Vec<SentEvent>) -> Result<(), Problem> {
    moves_of(&read_events(sent)?);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_are_read_as_the_handlers_do() {
        let read = |kind: &str, text: &str| {
            let found = BODIES.iter().find(|(name, _)| *name == kind);
            found.expect(kind).1(text.as_bytes())
        };
        let good: [(&str, &str); 13] = [
            ("Entry", "{}"),
            ("Renaming", r#"{"name":"ada"}"#),
            ("Recovery", r#"{"phrase":"0123-4567-89ab-cdef-ghjk"}"#),
            ("ListWish", r#"{"purpose":"campaign","campaign":"thesis"}"#),
            (
                "Events",
                r#"{"events":[{"seq":1,"op":"add","move":"e2e4","at_ms":5}]}"#,
            ),
            ("Ending", r#"{"count":0}"#),
            ("Decision", r#"{"resolution":"retire","note":"why"}"#),
            ("Retiring", r#"{"state":"retired"}"#),
            ("Import", r#"{"text":"","campaign":"mine"}"#),
            ("Counting", r#"{"set_aside":true}"#),
            ("BoardQuery", "period=last-week&page=2"),
            ("ClassJoining", r#"{"name":"ada"}"#),
            ("DecisionForm", "resolution=retire&note=a%20b"),
        ];
        for (kind, text) in good {
            assert!(read(kind, text).is_ok(), "{kind}: {text}");
        }
        let bad = [
            (
                "Events",
                r#"{"events":[{"seq":1,"op":"add","move":"e2","at_ms":5}]}"#,
                "event 1: 'e2' is not a move",
            ),
            ("ListWish", r#"{"campaign":"A b"}"#, "names of campaigns"),
            ("Entry", "{", "EOF"),
            ("Entry", r#"{"nom":"x"}"#, "unknown field"),
            ("ListWish", r#"{"purpose":"class"}"#, "needs its code"),
            ("BoardQuery", "page=\n", "no part of an address"),
        ];
        for (kind, text, expected) in bad {
            let problem = read(kind, text).expect_err(text);
            assert!(problem.detail().contains(expected), "{}", problem.detail());
        }
    }
}
