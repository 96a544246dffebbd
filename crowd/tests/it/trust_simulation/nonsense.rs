//! Nonsense lists against the service itself, on a simulated clock: they dispute no position, and use none up.

use std::net::{IpAddr, Ipv4Addr};

use crowd::candidates::canonical;
use crowd::model::{ListEvent, Timestamp};
use crowd::service::{BeginError, ContributorId, PositionState, Service, Settings, Wanted};
use crowd::trust::Caps;
use rand::seq::SliceRandom;

use super::sybils::random_position;
use super::*;
use crate::common::{Base, NOON, add, finish, open_strict, person as enter, plan};

const HOUR: i64 = 3_600_000;
/// A campaign without gold questions, beside the first one, which has three.
const OWN: &str = "own";

#[derive(Clone, Copy, Debug)]
enum Nonsense {
    /// Own pieces to random squares.
    Squares,
    /// Some of the legal moves.
    Legal,
    Empty,
    /// The same part of the legal moves in the same order, whoever sends it.
    Copies,
}

impl Nonsense {
    fn list(self, number: i64, position: &Position, rng: &mut ChaCha8Rng) -> Vec<MoveText> {
        let part = |moves: BTreeSet<MoveText>, rng: &mut ChaCha8Rng| {
            let mut moves: Vec<MoveText> = moves.into_iter().collect();
            moves.shuffle(rng);
            moves.truncate(rng.random_range(1..=moves.len().max(1)));
            moves
        };
        match self {
            Self::Squares => {
                let candidates = candidates(position);
                let random = (0..30).filter_map(|_| {
                    let from = candidates[rng.random_range(0..candidates.len())]
                        .text
                        .parts()
                        .0;
                    let to = Square::ALL[rng.random_range(0..Square::COUNT)];
                    let text = format!("{from}{to}").parse().ok()?;
                    canonical(position, &text).ok()
                });
                let random = random.collect();
                part(random, rng)
            }
            Self::Legal => part(legal_texts(position), rng),
            Self::Empty => Vec::new(),
            Self::Copies => {
                let seed = u64::try_from(number).expect("positive");
                part(legal_texts(position), &mut ChaCha8Rng::seed_from_u64(seed))
            }
        }
    }
}

/// Moves as events: one a second as by a script, or at a person's pace, with gaps that are log-normal.
fn paced(moves: &[MoveText], is_script: bool, rng: &mut ChaCha8Rng) -> Vec<ListEvent> {
    let mut at_ms = 0;
    let events = (1..).zip(moves).map(|(seq, mv)| {
        // Twelve uniform numbers are nearly normal.
        let normal = (0..12).map(|_| rng.random::<f64>()).sum::<f64>() - 6.0;
        let gap = if is_script {
            1000.0
        } else {
            1500.0 * libm::exp(0.7 * normal)
        };
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a minute at most"
        )]
        let gap = gap as u32;
        at_ms += gap;
        add(seq, mv.as_str(), at_ms)
    });
    events.collect()
}

/// What a flood of nonsense led to.
#[derive(Debug, Default)]
struct Flood {
    lists: u32,
    /// The most positions that were disputed at a time.
    disputed: usize,
    /// Newcomers who got no position.
    refused: u32,
    held: usize,
    /// How many of 35 positions honest people settle afterwards, and how many without the nonsense.
    settled: usize,
    alone: usize,
}

struct Site {
    service: Service,
    rng: ChaCha8Rng,
    _base: Base,
}

impl Site {
    async fn new(settings: &Settings, seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let base = Base::sqlite();
        let service = open_strict(&base.url, settings.clone()).await;
        let first = service.ensure_first_campaign(NOON).await;
        first.expect("the first campaign");
        let fens: BTreeSet<String> = (0..12)
            .map(|_| random_position(&mut rng).to_string())
            .collect();
        let text = fens.into_iter().collect::<Vec<String>>().join("\n");
        let imported = service.import(text.as_bytes(), plan(OWN, false), NOON);
        imported.await.expect("imported");
        service.upkeep(NOON).await.expect("upkeep");
        Self {
            service,
            rng,
            _base: base,
        }
    }

    /// One list of a person, who begins at this time; returns false if there is nothing for them.
    async fn list(
        &mut self,
        id: ContributorId,
        campaign: Option<&str>,
        now: Timestamp,
        answer: impl FnOnce(i64, &Position, &mut ChaCha8Rng) -> (Vec<MoveText>, bool),
    ) -> bool {
        let wanted = Wanted::Crowd(Purpose::Campaign, campaign);
        let given = self.service.begin(id, wanted, now).await;
        let task = match given {
            Ok(task) => task,
            Err(BeginError::NothingLeft) => return false,
            Err(error) => panic!("{error}"),
        };
        let position = chess::notation::fen::parse(&task.position.fen).expect("a FEN");
        let (moves, is_script) = answer(task.position.id, &position, &mut self.rng);
        let events = paced(&moves, is_script, &mut self.rng);
        let took = events.last().map_or(0, |last| last.at_ms) + 500;
        let end = Timestamp(now.0 + i64::from(took));
        finish(&self.service, id, &task, events, end).await;
        true
    }

    async fn count(&self, state: PositionState) -> usize {
        let all = self.service.positions_overview().await.expect("positions");
        all.iter().filter(|one| one.state == state).count()
    }

    /// Whether somebody new gets a position of the campaign, alone and in a pair.
    async fn takes_newcomers(&self, now: Timestamp) -> bool {
        let id = enter(&self.service, None).await;
        for purpose in [Purpose::Campaign, Purpose::Pair] {
            let wanted = Wanted::Crowd(purpose, Some(OWN));
            let Ok(task) = self.service.begin(id, wanted, now).await else {
                return false;
            };
            let skipped = self.service.skip(id, &task.token, now).await;
            skipped.expect("skipped");
        }
        true
    }

    async fn flood(&mut self, kinds: &[Nonsense], lists: u32, days: i64, networks: u8) -> Flood {
        let mut flood = Flood::default();
        let mut person = None;
        let each_ms = days * 24 * HOUR / i64::from(lists);
        for n in 0..lists {
            let now = Timestamp(NOON.0 + i64::from(n) * each_ms);
            let (id, left, campaign) = match person.take() {
                Some((id, left, campaign)) if left > 0 => (id, left, campaign),
                _ => {
                    let id = enter(&self.service, None).await;
                    let network = self.rng.random_range(0..networks);
                    let address = Ipv4Addr::new(203, 0, network, 1);
                    self.service.seen_from(id, IpAddr::V4(address));
                    let campaign = self.rng.random::<bool>().then_some(OWN);
                    (id, self.rng.random_range(1..4), campaign)
                }
            };
            let kind = kinds[self.rng.random_range(0..kinds.len())];
            let nonsense = |number, position: &Position, rng: &mut ChaCha8Rng| {
                (kind.list(number, position, rng), rng.random::<f64>() < 0.3)
            };
            if self.list(id, campaign, now, nonsense).await {
                flood.lists += 1;
                person = Some((id, left - 1, campaign));
            }
            if n % 40 == 39 || n + 1 == lists {
                let later = Timestamp(now.0 + HOUR);
                self.service.upkeep(later).await.expect("upkeep");
                let disputed = self.count(PositionState::Disputed).await;
                flood.disputed = flood.disputed.max(disputed);
                let is_taken = self.takes_newcomers(later).await;
                flood.refused += u32::from(!is_taken);
            }
        }
        let held = self.service.held_lists().await.expect("lists");
        // Moderators see why.
        assert!(held.iter().all(|list| !list.signs.is_empty()));
        flood.held = held.len();
        flood
    }

    /// So many honest people list everything that they get, in a day.
    async fn honest(&mut self, people: usize, day: i64) -> usize {
        for _ in 0..people {
            let id = enter(&self.service, None).await;
            let now = Timestamp(NOON.0 + day * 24 * HOUR);
            let honest = |_, position: &Position, rng: &mut ChaCha8Rng| {
                let mut moves: Vec<MoveText> = legal_texts(position).into_iter().collect();
                moves.retain(|_| rng.random::<f64>() < 0.98);
                moves.shuffle(rng);
                (moves, false)
            };
            while self.list(id, None, now, honest).await {}
        }
        let later = Timestamp(NOON.0 + (day * 24 + 1) * HOUR);
        self.service.upkeep(later).await.expect("upkeep");
        self.count(PositionState::Agreed).await
    }
}

/// As the guide advises for schools: no limits, and few of them are wrong together; and the defaults.
#[tokio::test]
async fn nonsense_uses_up_no_position() {
    use Nonsense::{Copies, Empty, Legal, Squares};
    let lists = u32::try_from(testkit::scale(400, 1000)).expect("few");
    let school = Settings {
        caps: Caps::default(),
        wrong_share: 0.1,
        ..Settings::default()
    };
    let settings = [(school, 1, 1), (Settings::default(), 3, 3)];
    let mut kinds = vec![vec![Squares, Legal, Empty, Copies]];
    kinds.extend(testkit::some(
        vec![vec![Copies], vec![Squares], vec![Legal], vec![Empty]],
        1,
    ));
    for (settings, days, networks) in settings {
        for kinds in &kinds {
            for seed in 0..testkit::scale(1, 3) {
                let mut site = Site::new(&settings, seed).await;
                let mut flood = site.flood(kinds, lists, days, networks).await;
                if days == 1 {
                    flood.settled = site.honest(8, days + 1).await;
                    let mut quiet = Site::new(&settings, seed).await;
                    flood.alone = quiet.honest(8, days + 1).await;
                }
                println!("{kinds:?}, {days} days, seed {seed}: {flood:?}");
                assert_eq!((flood.disputed, flood.refused), (0, 0), "{kinds:?} {seed}");
                // One in three at a script's pace, but for short lists and empty ones.
                assert!(flood.held > 0 || matches!(kinds[..], [Empty]), "{kinds:?}");
            }
        }
    }
}
