//! What a test needs: a server, a browser, a page of the one in the other.

use std::ops::Deref;

use super::driver::Driver;
use super::page::Page;
use super::server::{Server, contribute};

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

    /// A calm list that has begun.
    pub(crate) async fn list() -> Self {
        let scene = Self::at(&contribute("calm")).await;
        scene.ready().await;
        scene
    }

    /// A calm list with the move of the knight from e5 to f7, which the server has.
    pub(crate) async fn begun_list() -> Self {
        let scene = Self::list().await;
        scene.type_move("e5f7").await;
        scene.until_saved().await;
        scene
    }

    /// Goes to the contribute page in a mode.
    pub(crate) async fn contribute(&self, mode: &str) {
        self.goto(&self.server.url(&contribute(mode))).await;
    }
}
