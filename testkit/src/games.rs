//! Games at random, with all that PGN can say of them.

use chacha20::ChaCha8Rng;
use chess::notation::pgn::{PgnGame, PgnLine, PgnMove, PgnResult};
use chess::rules::{CastlingMode, Game, Position};
use rand::RngExt;
use rand::seq::IndexedRandom;

use crate::positions::{random_start, wander};

/// How games are made.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// Whether they are games of Chess960.
    pub chess960: bool,
    /// Whether python-chess can hold them: no variation within one of its first move (it makes
    /// that one of the move before), at most one comment in a place, without blanks around it,
    /// and no empty variations.
    pub plain: bool,
}

/// A game of up to 150 plies.
pub fn random_game(rng: &mut ChaCha8Rng, kind: Kind) -> PgnGame {
    let mut start = random_start(rng, kind.chess960);
    // One game in three begins in the midst of another.
    if rng.random_range(0..3) == 0 {
        let plies = rng.random_range(0..80);
        start = wander(start, plies, rng);
    }
    let mut scribe = Scribe { rng, kind };
    let plies = scribe.rng.random_range(0..150);
    let mode = if kind.chess960 {
        CastlingMode::Chess960
    } else {
        CastlingMode::Standard
    };
    let mut game = PgnGame::from_game(&Game::new(start), mode);
    game.mainline = scribe.line(start, plies, 0);
    game.result = PgnResult::ALL.choose(scribe.rng).copied();
    scribe.tags(&mut game);
    game
}

struct Scribe<'a> {
    rng: &'a mut ChaCha8Rng,
    kind: Kind,
}

impl Scribe<'_> {
    fn one_in(&mut self, n: u32) -> bool {
        self.rng.random_range(0..n) == 0
    }

    /// The tags of the roster, so that none need be added, and others.
    fn tags(&mut self, game: &mut PgnGame) {
        for name in ["Event", "Site", "Date", "Round", "White", "Black"] {
            let value = ["?", "2026.11.21", "Ĉapek, \"K.\"", "a\\b\\\\", "", "]"];
            let value = value.choose(self.rng).copied().expect("there are values");
            game.set_tag(name, value);
        }
        let result = game.result.expect("it has one");
        game.set_tag("Result", result.to_string());
        if self.one_in(2) {
            game.set_tag("Annotator", "x".repeat(100));
            game.set_tag("ECO", "A00");
        }
        if game.mode == CastlingMode::Chess960 {
            game.set_tag("Variant", "Chess960");
        }
        if game.start != Position::startpos() {
            game.set_tag("SetUp", "1");
            game.set_tag("FEN", chess::notation::fen::write(&game.start));
        }
    }

    fn line(&mut self, start: Position, plies: usize, depth: usize) -> PgnLine {
        let mut line = PgnLine {
            comments: self.comments(),
            moves: Vec::new(),
        };
        let mut position = start;
        for ply in 0..plies {
            let Some(&m) = position.legal_moves().choose(self.rng) else {
                break;
            };
            let mut one = PgnMove::new(m);
            one.nags = self.nags();
            one.comments = self.comments();
            let may_vary = depth < 5 && (!self.kind.plain || depth == 0 || ply > 0);
            while may_vary && self.one_in(8) {
                let plies = self.rng.random_range(usize::from(self.kind.plain)..7);
                one.variations.push(self.line(position, plies, depth + 1));
            }
            line.moves.push(one);
            position = position.play_unchecked(m);
        }
        line
    }

    fn nags(&mut self) -> Vec<u8> {
        let count = if self.one_in(6) { 2 } else { 0 };
        let mut nags: Vec<u8> = (0..count).map(|_| self.rng.random()).collect();
        // python-chess holds a set of them.
        nags.sort_unstable();
        nags.dedup();
        nags
    }

    fn comments(&mut self) -> Vec<String> {
        let most = if self.kind.plain { 1 } else { 3 };
        let count = if self.one_in(5) {
            self.rng.random_range(0..=most)
        } else {
            0
        };
        (0..count).map(|_| self.comment()).collect()
    }

    fn comment(&mut self) -> String {
        let plain = [
            "+0.31/12 0.45s",
            "[%clk 0:01:00] (1. e4) ; % $5 1-0 * !? \\ \"{",
            "d'été à la ♔",
            "%x",
        ];
        let other = ["", " a  b ", "[Event \"x\"]"];
        if self.one_in(4) {
            return self.long_comment();
        }
        let texts: &[&str] = if self.kind.plain || self.one_in(2) {
            &plain
        } else {
            &other
        };
        let text = texts.choose(self.rng).expect("there are comments");
        (*text).to_owned()
    }

    /// A comment that may need several lines.
    fn long_comment(&mut self) -> String {
        let words = ["a", "word", "%x", "[Event", "\"x\"]", "♔♕", "{", ";", "1-0"];
        let count = self.rng.random_range(1..80);
        let words: Vec<&str> = (0..count)
            .map(|_| *words.choose(self.rng).expect("there are words"))
            .collect();
        words.join(" ")
    }
}
