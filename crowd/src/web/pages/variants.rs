//! The pages of variants: their campaigns, the rules card in words and pictures, the suite; and drawings of any board.

use std::collections::BTreeMap;
use std::sync::Arc;

use askama::Template;
use axum::Router;
use axum::extract::State;
use axum::http::header;
use axum::response::{Html, IntoResponse as _, Response};
use axum::routing::get;

use super::{Frame, page};
use crate::model::{MoveParts, MoveText, Place};
use crate::service::{CaseFormat, VariantCampaign, write_cases};
use crate::variant::{Card, Picture, Piece, Placement, Stand};
use crate::web::language::Asked;
use crate::web::state::App;
use web::extract::Path;
use web::problem::{NOT_FOUND, Problem};

pub(super) fn router() -> Router<App> {
    Router::new()
        .route("/variants", get(list))
        .route("/variants/{name}", get(campaign))
        .route("/variants/{name}/card", get(card))
        .route("/variants/{name}/cases.epd", get(suite))
}

#[derive(Template)]
#[template(path = "variant/list.html")]
struct List {
    frame: Frame,
    campaigns: Vec<VariantCampaign>,
}

async fn list(State(app): State<App>) -> Result<Response, Problem> {
    page(&List {
        frame: Frame::new("variants"),
        campaigns: app.service.variant_campaigns(),
    })
}

#[derive(Template)]
#[template(path = "variant/campaign.html")]
struct CampaignPage {
    frame: Frame,
    campaign: VariantCampaign,
    /// Markup of the template `rules.html`, which has escaped its texts.
    rules: String,
}

async fn campaign(State(app): State<App>, Path(name): Path<String>) -> Result<Response, Problem> {
    let campaign = find(&app, &name)?;
    page(&CampaignPage {
        frame: Frame::new("variants"),
        rules: rules_of(&campaign.card)?,
        campaign,
    })
}

/// The rules alone, for the page where people list moves.
async fn card(State(app): State<App>, Path(name): Path<String>) -> Result<Response, Problem> {
    let campaign = find(&app, &name)?;
    Ok(Html(rules_of(&campaign.card)?).into_response())
}

/// The certified positions as a perft-1 suite.
async fn suite(State(app): State<App>, Path(name): Path<String>) -> Result<Response, Problem> {
    let variant = find(&app, &name)?.card.variant.clone();
    let cases = app.service.variant_cases(&variant).await?;
    let file = format!("attachment; filename=\"{variant}.epd\"");
    let headers = [
        (header::CONTENT_TYPE, "text/plain; charset=utf-8".to_owned()),
        (header::CONTENT_DISPOSITION, file),
    ];
    Ok((headers, write_cases(&cases, CaseFormat::Epd)).into_response())
}

fn find(app: &App, name: &str) -> Result<VariantCampaign, Problem> {
    let mut campaigns = app.service.variant_campaigns().into_iter();
    let found = campaigns.find(|campaign| campaign.name == name);
    found.ok_or_else(|| Problem::new(NOT_FOUND, "there is no campaign of a variant by this name"))
}

#[derive(Template)]
#[template(path = "variant/rules.html")]
struct Rules<'a> {
    frame: Frame,
    parts: Vec<Part<'a>>,
    pieces: &'a [Piece],
}

struct Part<'a> {
    heading: &'a str,
    text: &'a [String],
    drawing: Option<Drawing>,
}

fn rules_of(card: &Card) -> Result<String, Problem> {
    let parts = card.sections.iter().map(|section| Part {
        heading: &section.heading,
        text: &section.text,
        drawing: section
            .picture
            .as_ref()
            .map(|picture| Drawing::of_picture(card, picture)),
    });
    let rules = Rules {
        frame: Frame::new("variants"),
        parts: parts.collect(),
        pieces: &card.pieces,
    };
    rules.render().map_err(|error| Problem::internal(&error))
}

/// A board of a variant, drawn by a template without scripts; 40 units a square.
#[derive(Template)]
#[template(path = "variant/diagram.html")]
pub(super) struct Drawing {
    width: u32,
    height: u32,
    label: String,
    cells: Vec<Cell>,
    /// SVG paths.
    arrows: Vec<String>,
    /// What is in the pockets, in words.
    pockets: String,
}

struct Cell {
    x: u32,
    y: u32,
    is_light: bool,
    is_marked: bool,
    piece: Option<Drawn>,
}

struct Drawn {
    path: Option<String>,
    letter: char,
    is_white: bool,
}

const SQUARE: u32 = 40;

impl Drawing {
    /// The position of a variant; `None` if there is no card.
    pub(super) fn of_position(card: Option<&Arc<Card>>, fen: &str) -> Option<Self> {
        let card = card?;
        let placement = Placement::read(card, fen).ok()?;
        let language = Asked::now().language;
        let label = language.text("position-label", &[("fen", fen.into())]);
        let mut drawing = Self::of(card, &placement.board, &[], label);
        let pocket = |white: bool| {
            let held = placement.pocket.iter().filter(|it| it.white == white);
            let signs: Vec<String> = held.map(|stand| stand.sign().to_string()).collect();
            signs.join(" ")
        };
        let pockets = [("white", pocket(true)), ("black", pocket(false))];
        let pockets = pockets.into_iter().filter(|(_, signs)| !signs.is_empty());
        let pockets = pockets.map(|(side, signs)| {
            let values = [("side", side.into()), ("pieces", signs.into())];
            language.text("pocket-has", &values)
        });
        drawing.pockets = pockets.collect::<Vec<_>>().join(" ");
        Some(drawing)
    }

    /// The position of a variant with arrows for moves; a drop has none. `None` if there is no card.
    pub(super) fn of_moves(
        card: Option<&Arc<Card>>,
        fen: &str,
        moves: &[MoveText],
    ) -> Option<Self> {
        let mut drawing = Self::of_position(card, fen)?;
        let card = card?;
        let arrows = moves.iter().filter_map(|mv| match mv.wide_parts() {
            MoveParts::Step { from, to, .. } => Some(arrow(card, from, to)),
            MoveParts::Drop { .. } => None,
        });
        drawing.arrows = arrows.collect();
        Some(drawing)
    }

    fn of_picture(card: &Card, picture: &Picture) -> Self {
        let caption = picture.caption.clone();
        let mut drawing = Self::of(card, &picture.board, &picture.marks, caption);
        let arrows = picture.arrows.iter();
        drawing.arrows = arrows.map(|&(from, to)| arrow(card, from, to)).collect();
        drawing
    }

    fn of(card: &Card, board: &BTreeMap<Place, Stand>, marks: &[Place], label: String) -> Self {
        let cell = |place: Place| {
            let stand = board.get(&place);
            let piece = stand.and_then(|stand| {
                Some(Drawn {
                    path: card.piece(stand.letter)?.path.clone(),
                    letter: stand.sign(),
                    is_white: stand.white,
                })
            });
            let (x, y) = corner(card, place);
            Cell {
                x,
                y,
                is_light: !(place.file + place.rank).is_multiple_of(2),
                is_marked: marks.contains(&place),
                piece,
            }
        };
        Self {
            width: SQUARE * u32::from(card.files),
            height: SQUARE * u32::from(card.ranks),
            label,
            cells: card.squares().map(cell).collect(),
            arrows: Vec::new(),
            pockets: String::new(),
        }
    }
}

/// The upper left corner of a square, with White below.
fn corner(card: &Card, place: Place) -> (u32, u32) {
    let y = card.ranks - 1 - place.rank;
    (SQUARE * u32::from(place.file), SQUARE * u32::from(y))
}

/// A line from the edge of a piece to the middle of a square, with a head.
fn arrow(card: &Card, from: Place, to: Place) -> String {
    let middle = |place| {
        let (x, y) = corner(card, place);
        (f64::from(x + SQUARE / 2), f64::from(y + SQUARE / 2))
    };
    let ((x, y), (to_x, to_y)) = (middle(from), middle(to));
    let length = libm::hypot(to_x - x, to_y - y).max(1.0);
    let (dx, dy) = (12.0 * (to_x - x) / length, 12.0 * (to_y - y) / length);
    let (x, y) = (x + 1.3 * dx, y + 1.3 * dy);
    let side = |turn: f64| (to_x - dx - turn * dy / 2.0, to_y - dy + turn * dx / 2.0);
    let ((lx, ly), (rx, ry)) = (side(1.0), side(-1.0));
    format!(
        "M{x:.1} {y:.1}L{to_x:.1} {to_y:.1}M{lx:.1} {ly:.1}L{to_x:.1} {to_y:.1}L{rx:.1} {ry:.1}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variant::{SHIPPED, read_card};

    #[test]
    fn boards_of_any_size_are_drawn() {
        let card = Arc::new(read_card(SHIPPED[1].card).expect("good"));
        let fen = "10/10/10/10/10/10/10/R4K3r[Qn] w";
        let drawing = Drawing::of_position(Some(&card), fen).expect("a position");
        assert_eq!(
            (drawing.width, drawing.height, drawing.cells.len()),
            (400, 320, 80)
        );
        let pieces: Vec<String> = drawing
            .cells
            .iter()
            .filter_map(|cell| {
                let piece = cell.piece.as_ref()?;
                Some(format!("{} {} {}", piece.letter, cell.x, cell.y))
            })
            .collect();
        assert_eq!(pieces, ["R 0 280", "K 200 280", "r 360 280"]);
        assert_eq!(drawing.pockets, "White’s pocket: Q. Black’s pocket: n.");
        assert!(Drawing::of_position(None, fen).is_none());
        let rules = rules_of(&card).expect("rendered");
        assert!(
            rules.contains("N@e5") && rules.contains("archbishop"),
            "{rules}"
        );
    }
}
