//! Request and response bodies that are not types of the service, and parsing them without a server.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::class::ClassCode;
use crate::model::{ListEvent, NameError, Op, PlayerName, Purpose, moves_of};
use crate::service::{ClassError, ContributorId, Wanted};
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
        read_name(&self.name)
    }
}

pub(crate) fn read_name(text: &str) -> Result<PlayerName, Problem> {
    text.parse()
        .map_err(|error: NameError| Problem::new(BAD_NAME, error.to_string()))
}

/// A text that is no code gets the same answer as an unknown one.
pub(crate) fn read_code(text: &str) -> Result<ClassCode, Problem> {
    text.parse().map_err(|_| ClassError::NoClass.into())
}

/// Success, without further data.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Done {}

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

/// Every JSON body that is read, by the name of its type.
pub const BODIES: [(&str, ReadBody); 5] = [
    ("Entry", |bytes| json::<Entry>(bytes).map(drop)),
    ("ListWish", |bytes| {
        let wish = json::<ListWish>(bytes)?;
        wish.wanted(wish.code()?.as_ref()).map(drop)
    }),
    ("Events", |bytes| events(json::<Events>(bytes)?.events)),
    ("Ending", |bytes| events(json::<Ending>(bytes)?.events)),
    ("ClassJoining", |bytes| {
        json::<ClassJoining>(bytes)?.name().map(drop)
    }),
];

fn json<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Problem> {
    extract::read_json(axum::Json::from_bytes(bytes))
}

fn events(sent: Vec<SentEvent>) -> Result<(), Problem> {
    moves_of(&read_events(sent)?);
    Ok(())
}
