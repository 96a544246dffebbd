//! The pages of variants: their campaigns, the rules card in words and pictures, the suite.

use askama::Template;
use axum::Router;
use axum::extract::State;
use axum::http::header;
use axum::response::{Html, IntoResponse as _, Response};
use axum::routing::get;

use super::drawing::Drawing;
use super::{Frame, page};
use crate::service::{CaseFormat, VariantCampaign, write_cases};
use crate::variant::{Card, Piece};
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variant::{SHIPPED, read_card};

    #[test]
    fn rules_name_pieces_and_drops() {
        let card = read_card(SHIPPED[1].card).expect("good");
        let rules = rules_of(&card).expect("rendered");
        assert!(
            rules.contains("N@e5") && rules.contains("archbishop"),
            "{rules}"
        );
    }
}
