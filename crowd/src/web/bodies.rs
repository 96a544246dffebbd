//! Parses request bodies as the handlers do, without calling the service, so that parsers can be
//! tested on hostile input without a server.

use axum::extract::Query;
use axum::http::Uri;
use serde::de::DeserializeOwned;

use super::api::{
    BoardQuery, Counting, Decision, Ending, Entry, Events, Import, Renaming, Retiring, Wanted,
    read_events,
};
use super::extract;
use super::problem::{BAD_REQUEST, Problem};
use crate::model::moves_of;

/// The kinds of request bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Body {
    /// A request for a session.
    Entry,
    /// A request to change the name.
    Renaming,
    /// A mode and a campaign.
    Wanted,
    /// Events of a list.
    Events,
    /// The end of a list.
    Ending,
    /// A moderator's decision.
    Decision,
    /// The new state of a position.
    Retiring,
    /// A text with positions to import.
    Import,
    /// Whether a contributor's lists count.
    Counting,
    /// The leaderboard, in the query string.
    BoardQuery,
    /// A moderator's decision, form-encoded.
    DecisionForm,
}

impl Body {
    /// Every kind.
    pub const ALL: [Self; 11] = [
        Self::Entry,
        Self::Renaming,
        Self::Wanted,
        Self::Events,
        Self::Ending,
        Self::Decision,
        Self::Retiring,
        Self::Import,
        Self::Counting,
        Self::BoardQuery,
        Self::DecisionForm,
    ];

    /// Parses a body of this kind: JSON, except for the last two, which are URL-encoded.
    ///
    /// # Errors
    ///
    /// The problem that the client would receive.
    pub fn read(self, bytes: &[u8]) -> Result<(), Problem> {
        match self {
            Self::Entry => json::<Entry>(bytes).map(drop),
            Self::Renaming => json::<Renaming>(bytes).map(drop),
            Self::Wanted => json::<Wanted>(bytes)?.campaign().map(drop),
            Self::Events => events(json::<Events>(bytes)?.events),
            Self::Ending => events(json::<Ending>(bytes)?.events),
            Self::Decision => json::<Decision>(bytes)?.note().map(drop),
            Self::Retiring => json::<Retiring>(bytes).map(drop),
            Self::Import => json::<Import>(bytes).map(drop),
            Self::Counting => json::<Counting>(bytes).map(drop),
            Self::BoardQuery => query::<BoardQuery>(bytes)?.mode().map(drop),
            Self::DecisionForm => query::<Decision>(bytes)?.note().map(drop),
        }
    }
}

fn json<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Problem> {
    extract::read_json(axum::Json::from_bytes(bytes))
}

fn query<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Problem> {
    let no_address = || Problem::new(BAD_REQUEST, "no part of an address");
    let uri = Uri::try_from([b"/?", bytes].concat()).map_err(|_| no_address())?;
    extract::read_query(Query::try_from_uri(&uri))
}

fn events(sent: Vec<super::api::SentEvent>) -> Result<(), Problem> {
    let events = read_events(sent)?;
    moves_of(&events);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_are_read_as_the_handlers_do() {
        let good: [(Body, &str); 11] = [
            (Body::Entry, "{}"),
            (Body::Renaming, r#"{"name":"Ann"}"#),
            (Body::Wanted, r#"{"mode":"calm","campaign":"thesis"}"#),
            (
                Body::Events,
                r#"{"events":[{"seq":1,"op":"add","move":"e2e4","at_ms":5}]}"#,
            ),
            (Body::Ending, r#"{"count":0}"#),
            (Body::Decision, r#"{"resolution":"retire","note":"why"}"#),
            (Body::Retiring, r#"{"state":"retired"}"#),
            (Body::Import, r#"{"text":"","campaign":"mine"}"#),
            (Body::Counting, r#"{"set_aside":true}"#),
            (Body::BoardQuery, "mode=timed&period=day"),
            (Body::DecisionForm, "resolution=retire&note=a%20b"),
        ];
        for (kind, text) in good {
            assert!(kind.read(text.as_bytes()).is_ok(), "{kind:?}: {text}");
        }
        let bad = [
            (
                Body::Events,
                r#"{"events":[{"seq":1,"op":"add","move":"e2","at_ms":5}]}"#,
                "event 1: 'e2' is not a move",
            ),
            (
                Body::Wanted,
                r#"{"mode":"calm","campaign":"A b"}"#,
                "names of campaigns",
            ),
            (Body::Entry, "{", "EOF"),
            (Body::Entry, r#"{"nom":"x"}"#, "unknown field"),
            (Body::BoardQuery, "mode=none", "mode: "),
            (Body::BoardQuery, "mode=\n", "no part of an address"),
        ];
        for (kind, text, expected) in bad {
            let problem = kind.read(text.as_bytes()).expect_err(text);
            assert!(problem.detail().contains(expected), "{}", problem.detail());
        }
    }
}
