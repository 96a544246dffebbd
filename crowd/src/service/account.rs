//! What belongs to a person: recovery on another device, export and deletion of everything.

use std::sync::atomic::Ordering;
use std::time::Duration;

use serde::Serialize;
use serde_json::{Value, json};

use super::phrase::Phrase;
use super::rows::Contributor;
use super::{ContributorId, Service, ServiceError, SessionToken};
use crate::model::{Purpose, Timestamp};
use crate::store::Records;

const SCHEMA: &str = "touchstone/crowd-person/1";

/// Everything that is stored about a person, as JSON.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct PersonExport(Value);

impl PersonExport {
    pub fn text(&self) -> String {
        let text = serde_json::to_string_pretty(&self.0);
        text.expect("plain values can be written") + "\n"
    }
}

impl Service {
    /// Gives a contributor a new recovery phrase, in place of an earlier one. Only its hash is
    /// stored, so this is the only time that it can be shown.
    pub async fn new_phrase(&self, id: ContributorId) -> Result<Phrase, ServiceError> {
        let phrase = Phrase::random()?;
        self.store().set_phrase(id.0, &phrase.hash()).await?;
        Ok(phrase)
    }

    /// A new session of the contributor with this recovery phrase; `None` if nobody has it.
    pub async fn recover(
        &self,
        phrase: &Phrase,
        now: Timestamp,
    ) -> Result<Option<(Contributor, SessionToken)>, ServiceError> {
        let found = self.store().contributor_by_phrase(&phrase.hash()).await?;
        let Some(person) = found.map(Contributor::from) else {
            return Ok(None);
        };
        let token = SessionToken::random()?;
        let added = self.store().add_session(token.hash(), person.id.0, now.0);
        added.await?;
        Ok(Some((person, token)))
    }

    /// Ends a session: its token is worth nothing any more.
    pub async fn leave(&self, token: &SessionToken) -> Result<(), ServiceError> {
        let hash = token.hash();
        self.store().remove_session(&hash).await?;
        // The cache would accept the token until it forgets it.
        self.sessions().pop(&hash);
        Ok(())
    }

    /// Everything that is stored about a contributor; `None` if there is no such contributor.
    pub async fn export_person(
        &self,
        id: ContributorId,
    ) -> Result<Option<PersonExport>, ServiceError> {
        let records = self.store().records_of(id.0).await?;
        Ok(records.map(|records| PersonExport(document(&records))))
    }

    /// Deletes sessions that have ended, and people who have never begun a list; at most once a day.
    /// Returns the number of people.
    pub async fn forget_idle(&self, now: Timestamp) -> Result<u64, ServiceError> {
        if self.cleaned().load(Ordering::Relaxed) == now.day() {
            return Ok(0);
        }
        let since = |ago: Duration| {
            let ago = i64::try_from(ago.as_millis()).unwrap_or(i64::MAX);
            now.0.saturating_sub(ago)
        };
        let settings = self.settings();
        let (session, idle) = (since(settings.session), since(settings.idle));
        let forgotten = self.store().forget_idle(session, idle).await?;
        // A clean-up that failed is tried again at the next tick.
        self.cleaned().store(now.day(), Ordering::Relaxed);
        // The caches may have people and sessions that do not exist any more.
        self.forget(now);
        Ok(forgotten)
    }

    /// Deletes a contributor with all their lists; returns false if there is no such contributor.
    ///
    /// Published test cases stay: they consist of sums.
    pub async fn delete_person(&self, id: ContributorId) -> Result<bool, ServiceError> {
        // Upkeep writes about people and lists that it has read; it must not run meanwhile.
        let mut memory = self.memory().await;
        let deleted = self.store().delete_contributor(id.0).await?;
        // Cached sessions and lists would let the person go on.
        self.sessions().retain(|_, session| session.id != id);
        self.given().retain(|_, given| given.contributor != id);
        memory.is_stale = true;
        Ok(deleted)
    }
}

fn document(records: &Records) -> Value {
    let Records {
        person,
        sessions,
        lists,
        positions,
        events,
        awards,
        students,
        flags,
        reliabilities,
    } = records;
    let words = |text: &Option<String>| -> Vec<String> {
        let text = text.as_deref().unwrap_or("");
        text.split_ascii_whitespace().map(str::to_owned).collect()
    };
    let (days, others): (Vec<_>, Vec<_>) =
        lists.iter().partition(|row| row.purpose == Purpose::Daily);
    let lists: Vec<Value> = others
        .into_iter()
        .map(|row| {
            let steps = events.iter().filter(|event| event.list_id == row.id);
            let points = awards.iter().filter(|award| award.list_id == row.id);
            let marks = flags.iter().filter(|flag| flag.list_id == row.id);
            json!({
                "id": row.id,
                "mode": match row.purpose {
                    // As for the other members: what the schema called it first.
                    Purpose::Campaign => "calm",
                    purpose => purpose.as_str(),
                },
                "campaign": row.wanted,
                "position": positions.get(&row.position_id).map(|p| json!({"id": p.id, "name": p.name, "fen": p.fen})),
                "state": row.state,
                "issued_at": row.issued_at,
                "expires_at": row.expires_at,
                "finished_at": row.finished_at,
                "asked": words(&row.asked),
                "moves": words(&row.moves),
                "answered_no": words(&row.refused),
                "complete": row.complete,
                "held": row.held,
                "network": row.network,
                "events": steps.map(|e| json!({
                    "seq": e.seq, "op": e.op, "move": e.mv, "at_ms": e.at_ms, "received_at": e.received_at,
                })).collect::<Vec<_>>(),
                "points": points.map(|a| json!({
                    "kind": a.kind, "points": a.points, "correct": a.correct, "of": a.total,
                })).collect::<Vec<_>>(),
                // The details of flags are left out: they name other contributors.
                "flags": marks.map(|f| json!({"kind": f.kind, "created_at": f.created_at})).collect::<Vec<_>>(),
            })
        })
        .collect();
    json!({
        "schema": SCHEMA,
        "id": person.id,
        "name": person.name,
        "created_at": person.created_at,
        // Members of a published schema keep their names, whatever words the code has.
        "set_aside": person.quarantined,
        "has_recovery_phrase": person.phrase_hash.is_some(),
        "results_seen_at": person.results_seen_at,
        "sessions": sessions.iter().map(|s| json!({"created_at": s.created_at})).collect::<Vec<_>>(),
        "reliability": reliabilities.iter().map(|r| json!({
            "class": r.class, "reliability": r.reliability, "labels": r.labels,
        })).collect::<Vec<_>>(),
        "lists": lists,
        "boards_of_the_day": days.into_iter().map(|row| json!({
            "day": Timestamp(row.issued_at).date().to_string(), "started_at": row.issued_at,
            "finished_at": row.finished_at, "moves": words(&row.moves),
            "found": awards.iter().find(|award| award.list_id == row.id).map_or(0, |award| award.correct),
            "took_ms": row.finished_at.map_or(0, |at| at.saturating_sub(row.issued_at)),
        })).collect::<Vec<_>>(),
        "classes": students.iter().map(|s| json!({"name": s.name, "joined_at": s.joined_at})).collect::<Vec<_>>(),
    })
}
