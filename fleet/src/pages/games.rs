//! The games of a test: a list, and one game to play through.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use selfplay::fleet::protocol::{Message as _, PairBody};
use selfplay::model::{EngineIndex, GameRecord};
use serde::Deserialize;
use web::extract::{Path, Query};
use web::problem::{NOT_FOUND, Problem};

use super::queries::{self, JobSummary, Pair};
use super::replay::{self, DrawnSquare, Ply};
use super::test_page::found;
use super::tests_list::{percent_encoded, title_of};
use super::{PageFrame, page, reading};
use crate::app::LabState;
use crate::people::SignedIn;

/// Names of a test's engines, by their numbers.
struct Names(Vec<String>);

impl Names {
    fn from_job(job: &JobSummary) -> Self {
        let names = job.summary().engines.into_iter().map(|engine| engine.name);
        Self(names.collect())
    }

    fn name(&self, engine: EngineIndex) -> String {
        let known = self.0.get(engine.0).filter(|name| !name.is_empty());
        known.map_or_else(|| format!("engine {}", engine.0 + 1), String::clone)
    }
}

/// A game of a list.
struct ListedGame {
    address: String,
    number: u64,
    white: String,
    black: String,
    result: &'static str,
    ending: String,
    plies: usize,
    worker: String,
    is_fault: bool,
}

impl ListedGame {
    fn new(test: &str, pair: &Pair, game: usize, record: &GameRecord, names: &Names) -> Self {
        let key = pair.key;
        Self {
            address: format!("/tests/{}/games/{key}/{}", percent_encoded(test), game + 1),
            // The ledger counts games from 0, people from 1.
            number: record.plan.game + 1,
            white: names.name(record.plan.white),
            black: names.name(record.plan.black),
            result: record.result.as_str(),
            ending: ending(record),
            plies: record.moves.len(),
            worker: pair.worker.clone(),
            is_fault: record.fault.is_some(),
        }
    }
}

/// Why a game ended: `checkmate`, or the fault that ended it.
fn ending(record: &GameRecord) -> String {
    match &record.fault {
        Some(fault) => fault.kind.as_str().replace('-', " "),
        None => record.termination.as_str().replace('-', " "),
    }
}

#[derive(Template)]
#[template(path = "games.html")]
struct GamesPage {
    frame: PageFrame,
    test: String,
    rows: Vec<ListedGame>,
    older: Option<String>,
}

/// Which games are shown.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct GamesFilter {
    /// Only pairs that came before the one with this number.
    before: Option<i64>,
}

/// Lists games, the newest first.
pub(crate) async fn list(
    State(app): State<LabState>,
    who: Option<SignedIn>,
    Path(id): Path<String>,
    Query(wanted): Query<GamesFilter>,
) -> Result<Response, Problem> {
    let job = found(&app, &id).await?;
    let pairs = queries::pairs(&app.database.pool, job.number, wanted.before).await;
    let pairs = pairs.map_err(reading)?;
    let names = Names::from_job(&job);
    // A full page may be the last one: the next is empty then.
    let has_more = pairs.len() >= usize::try_from(queries::PAIRS).unwrap_or(usize::MAX);
    let last = pairs.last().filter(|_| has_more);
    let older = last.map(|last| {
        format!(
            "/tests/{}/games?before={}",
            percent_encoded(&id),
            last.number
        )
    });
    let mut rows = Vec::new();
    for pair in &pairs {
        // Results of other kinds of tests are not pairs, and have no games.
        if let Ok(body) = PairBody::from_text(&pair.value) {
            let games = body.games.iter().enumerate();
            rows.extend(
                games.map(|(game, one)| ListedGame::new(&id, pair, game, &one.record, &names)),
            );
        }
    }
    let title = format!("Games of {}", title_of(&job.title, &id));
    Ok(page(&GamesPage {
        frame: PageFrame::new(title, "tests", who.map(|who| who.0)),
        test: id,
        rows,
        older,
    }))
}

#[derive(Template)]
#[template(path = "game.html")]
struct GamePage {
    frame: PageFrame,
    test: String,
    test_title: String,
    pair: u64,
    game: u8,
    white: String,
    black: String,
    result: &'static str,
    ending: String,
    fault: Option<String>,
    worker: String,
    plies: Vec<Ply>,
    ply: usize,
    error: Option<String>,
}

impl GamePage {
    fn at(&self) -> Option<&Ply> {
        self.plies.get(self.ply)
    }

    fn squares(&self) -> Vec<DrawnSquare> {
        self.at().map_or_else(Vec::new, replay::board)
    }

    fn following(&self) -> usize {
        (self.ply + 1).min(self.plies.len().saturating_sub(1))
    }

    fn last(&self) -> usize {
        self.plies.len().saturating_sub(1)
    }
}

/// The text of a position's link.
fn text(ply: &Ply) -> &str {
    if ply.san.is_empty() {
        "Start"
    } else {
        &ply.san
    }
}

fn or_dash(text: &str) -> &str {
    if text.is_empty() { "–" } else { text }
}

/// Which position of the game is shown.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct ShownPosition {
    ply: usize,
}

/// Shows a game at a position.
pub(crate) async fn show(
    State(app): State<LabState>,
    who: Option<SignedIn>,
    Path((id, pair, game)): Path<(String, u32, u8)>,
    Query(at): Query<ShownPosition>,
) -> Result<Response, Problem> {
    let job = found(&app, &id).await?;
    let none = || Problem::new(NOT_FOUND, format!("there is no game {game} of pair {pair}"));
    let value = queries::pair(&app.database.pool, job.number, pair.into()).await;
    let Pair { value, worker, .. } = value.map_err(reading)?.ok_or_else(none)?;
    let body = PairBody::from_text(&value).map_err(|_| none())?;
    let index = usize::from(game).checked_sub(1).ok_or_else(none)?;
    let played = body.games.get(index).ok_or_else(none)?;
    let record = &played.record;
    let (plies, error) = replay::plies(record);
    let names = Names::from_job(&job);
    let (white, black) = (names.name(record.plan.white), names.name(record.plan.black));
    let title = format!("{white} – {black}");
    Ok(page(&GamePage {
        frame: PageFrame::new(title, "tests", who.map(|who| who.0)),
        test_title: title_of(&job.title, &id).to_owned(),
        test: id,
        pair: u64::from(pair) + 1,
        game,
        result: record.result.as_str(),
        ending: ending(record),
        fault: { record.fault.as_ref() }
            .map(|fault| format!("{}: {}", names.name(fault.engine), fault.detail)),
        white,
        black,
        worker,
        ply: at.ply.min(plies.len().saturating_sub(1)),
        plies,
        error,
    }))
}
