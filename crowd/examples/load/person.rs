use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use chacha20::ChaCha8Rng;
use chess::notation::fen;
use crowd::candidates::{candidates, legal_texts};
use rand::seq::SliceRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use serde_json::{Value, json};
use tokio::time::sleep;

use super::client::{Answer, Client};
use super::tally::Tally;

/// What one person is to do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    /// When to arrive, counted from the start of the program.
    pub arrive: Duration,
    /// How many lists to make.
    pub lists: u32,
    /// How long to think about a move.
    pub think_ms: u64,
    /// Random seed.
    pub seed: u64,
}

/// One who lists moves, and now and then misses one or adds one that is not legal.
pub(crate) struct Person {
    client: Client,
    plan: Plan,
    random: ChaCha8Rng,
    tally: Tally,
}

impl Person {
    /// One who has not begun.
    pub(crate) fn new(addr: SocketAddr, plan: Plan) -> Self {
        Self {
            client: Client::new(addr),
            plan,
            random: ChaCha8Rng::seed_from_u64(plan.seed),
            tally: Tally::default(),
        }
    }

    /// Carries out the plan and returns the measurements.
    pub(crate) async fn work(mut self) -> Tally {
        if let Err(error) = self.lists().await {
            self.tally.errors.push(format!("{error:#}"));
        }
        self.tally
    }

    async fn lists(&mut self) -> anyhow::Result<()> {
        sleep(self.plan.arrive).await;
        self.post("session", "/api/v1/session", &json!({"name": null}))
            .await?;
        for _ in 0..self.plan.lists {
            let wanted = json!({"purpose": "campaign", "campaign": null});
            let answer = self.timed_post("assign", "/api/v1/lists", &wanted).await?;
            if answer.status == 404 {
                break;
            }
            self.list(&accepted(&answer)?).await?;
        }
        Ok(())
    }

    async fn list(&mut self, assignment: &Value) -> anyhow::Result<()> {
        let token = assignment["list"].as_str().context("no token")?;
        let place = format!("/api/v1/lists/{token}");
        let moves = self.moves(&assignment["position"])?;
        let mut seq = 0;
        for mv in moves {
            self.think().await;
            seq += 1;
            let event = json!({"seq": seq, "op": "add", "move": mv, "at_ms": seq * 900});
            let body = json!({ "events": [event] });
            let kept = self
                .post("event", &format!("{place}/events"), &body)
                .await?;
            anyhow::ensure!(kept["acknowledged"] == seq, "event {seq}: {kept}");
        }
        let body = json!({"events": [], "count": seq});
        self.post("finish", &format!("{place}/finish"), &body)
            .await?;
        self.get("result", &format!("{place}/result")).await?;
        self.get("me", "/api/v1/me").await
    }

    /// Most legal moves, in any order, and sometimes one that is not legal.
    fn moves(&mut self, position: &Value) -> anyhow::Result<Vec<String>> {
        let text = position["fen"].as_str().context("no FEN")?;
        let position = fen::parse(text)?;
        let mut moves: Vec<String> = legal_texts(&position)
            .iter()
            .map(ToString::to_string)
            .collect();
        moves.shuffle(&mut self.random);
        if self.random.random_ratio(1, 5) {
            moves.pop();
        }
        if self.random.random_ratio(1, 5) {
            let all = candidates(&position);
            moves.extend(all.first().map(|candidate| candidate.text.to_string()));
        }
        moves.dedup();
        Ok(moves)
    }

    async fn think(&mut self) {
        let most = self.plan.think_ms * 3 / 2;
        if most > 0 {
            let ms = self.random.random_range(self.plan.think_ms / 2..=most);
            sleep(Duration::from_millis(ms)).await;
        }
    }

    async fn post(
        &mut self,
        kind: &'static str,
        path: &str,
        body: &Value,
    ) -> anyhow::Result<Value> {
        accepted(&self.timed_post(kind, path, body).await?).with_context(|| kind)
    }

    #[expect(clippy::disallowed_methods, reason = "it measures")]
    async fn timed_post(
        &mut self,
        kind: &'static str,
        path: &str,
        body: &Value,
    ) -> anyhow::Result<Answer> {
        let began = Instant::now();
        let answer = self.client.post(path, body).await.with_context(|| kind)?;
        self.tally.note(kind, began.elapsed());
        Ok(answer)
    }

    #[expect(clippy::disallowed_methods, reason = "it measures")]
    async fn get(&mut self, kind: &'static str, path: &str) -> anyhow::Result<()> {
        let began = Instant::now();
        let answer = self.client.get(path).await.with_context(|| kind)?;
        self.tally.note(kind, began.elapsed());
        accepted(&answer).map(|_| ())
    }
}

fn accepted(answer: &Answer) -> anyhow::Result<Value> {
    anyhow::ensure!(
        answer.status.is_success(),
        "{} {}",
        answer.status,
        answer.text()
    );
    Ok(answer.json())
}
