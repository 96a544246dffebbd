//! What a test needs: a server, a browser, a page of the one in the other.

use std::ops::Deref;

use super::driver::Driver;
use super::page::Page;
use super::server::{LISTS, Server, begin};

/// A page, with what keeps it alive.
pub(crate) struct Scene {
    pub(crate) server: Server,
    pub(crate) driver: Driver,
    page: Page,
}

impl Deref for Scene {
    type Target = Page;

    fn deref(&self) -> &Page {
        &self.page
    }
}

impl Scene {
    pub(crate) async fn at(path: &str) -> Self {
        Self::of(Server::start().await, path).await
    }

    pub(crate) async fn of(server: Server, path: &str) -> Self {
        let driver = Driver::start();
        let page = Page::open(&driver, "person", &server.url(path)).await;
        Self {
            server,
            driver,
            page,
        }
    }

    /// A list of the campaign of the tests that has begun.
    pub(crate) async fn list() -> Self {
        let scene = Self::at(LISTS).await;
        scene.ready().await;
        scene
    }

    /// A list that is no plain one.
    pub(crate) async fn of_purpose(purpose: &str) -> Self {
        let scene = Self::at("/about").await;
        begin(&scene, &scene.server, purpose).await;
        scene
    }

    /// The same with the move of the knight from e5 to f7, which the server has.
    pub(crate) async fn begun_list() -> Self {
        let scene = Self::list().await;
        scene.type_move("e5f7").await;
        scene.until_saved().await;
        scene
    }

    /// The legal moves of the position at hand, by the server's rules.
    pub(crate) async fn legal(&self) -> Vec<String> {
        let fen =
            "JSON.parse(document.getElementById('data').content.textContent).today.position.fen";
        let fen = self.eval(fen).await;
        let position = chess::notation::fen::parse(fen.as_str().expect("a FEN"));
        let legal = crowd::candidates::legal_texts(&position.expect("a position"));
        legal.into_iter().map(|mv| mv.to_string()).collect()
    }

    /// A move of an own piece that is not legal.
    pub(crate) async fn illegal(&self) -> String {
        let legal = self.legal().await;
        let from = &legal[0][..2];
        let files = ["a", "b", "c", "d", "e", "f", "g", "h"];
        let squares = files
            .iter()
            .flat_map(|file| (3..7).map(move |rank| format!("{file}{rank}")));
        let mut moves = squares.map(|to| format!("{from}{to}"));
        let found = moves
            .find(|mv| mv[2..] != *from && !legal.iter().any(|one| one.starts_with(mv.as_str())));
        found.expect("no piece goes everywhere")
    }
}
