//! Positions to practise a theme, from the built-in suites.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use chess::notation::fen;
use chess::rules::{CastlingMode, Position};
use sha2::{Digest as _, Sha256};

use crate::model::words;

words! {
    /// What the positions of a set are about, in the order in which they are offered.
    Theme {
        /// Some of each of the others.
        Mixed = "mixed",
        /// Positions as they occur in games.
        Ordinary = "ordinary",
        /// Castling.
        Castling = "castling",
        /// Captures en passant.
        EnPassant = "en-passant",
        /// Promotions.
        Promotion = "promotion",
        /// Pins.
        Pins = "pins",
        /// The side to move is in check, in some of them by two pieces.
        Check = "check",
    }
}

impl Theme {
    /// The tag of the suite `edge` that marks its positions.
    fn tag(self) -> Option<&'static str> {
        match self {
            Self::Mixed | Self::Ordinary | Self::Check => None,
            Self::Castling => Some("castling"),
            Self::EnPassant => Some("ep"),
            Self::Promotion => Some("promotion"),
            Self::Pins => Some("pin"),
        }
    }
}

/// A built-in position.
struct SetEntry {
    fen: String,
    /// The name without the side to move: the suite `edge` has most positions for both sides.
    stem: String,
    moves: usize,
    is_double_check: bool,
    themes: Vec<Theme>,
}

/// More moves are tedious, and none is no task.
const MOVES: std::ops::RangeInclusive<usize> = 1..=40;

static ENTRIES: LazyLock<Vec<SetEntry>> = LazyLock::new(|| {
    let mut seen = BTreeSet::new();
    // `edge` comes first, since its tags say what a position is about.
    let suites = ["edge", "standard"]
        .into_iter()
        .filter_map(epd::suites::find);
    let mut entries = Vec::new();
    for suite in suites {
        for entry in suite.parse().entries {
            let position = *entry.record.position();
            let moves = position.legal_moves().len();
            let is_standard = position.castling_mode() == CastlingMode::Standard;
            let tags: Vec<&str> = entry.record.tags().collect();
            let themes: Vec<Theme> = Theme::ALL
                .into_iter()
                .filter(|theme| match theme.tag() {
                    Some(tag) => tags.contains(&tag),
                    None if *theme == Theme::Check => !position.checkers().is_empty(),
                    None => *theme == Theme::Ordinary && suite.name == "standard",
                })
                .collect();
            let fen = fen::write(&position);
            if !is_standard || !MOVES.contains(&moves) || !seen.insert(fen.clone()) {
                continue;
            }
            let id = entry.record.id().unwrap_or(&fen);
            let stem = id
                .strip_suffix("-w")
                .or(id.strip_suffix("-b"))
                .unwrap_or(id);
            entries.push(SetEntry {
                stem: stem.to_owned(),
                fen,
                moves,
                is_double_check: position.checkers().count() == 2,
                themes,
            });
        }
    }
    entries
});

/// Draws `count` positions of a theme, or as many as there are: first those of different ideas, then those that only
/// swap the sides. Equal arguments give equal sets. The positions with the fewest moves come first.
pub fn draw(theme: Theme, count: usize, seed: u32) -> Vec<Position> {
    let mut drawn: Vec<&SetEntry> = if theme == Theme::Mixed {
        // One of each in turn, each position once.
        let lists = Theme::ALL[1..].iter().map(|&one| shuffled(one, seed));
        let lists: Vec<Vec<&SetEntry>> = lists.collect();
        let longest = lists.iter().map(Vec::len).max().unwrap_or(0);
        let turns = (0..longest).flat_map(|turn| lists.iter().filter_map(move |l| l.get(turn)));
        let mut seen = BTreeSet::new();
        turns.copied().filter(|one| seen.insert(&one.fen)).collect()
    } else {
        shuffled(theme, seed)
    };
    drawn.truncate(count);
    drawn.sort_by_key(|entry| entry.moves);
    let positions = drawn
        .into_iter()
        .filter_map(|one| fen::parse(&one.fen).ok());
    positions.collect()
}

fn shuffled(theme: Theme, seed: u32) -> Vec<&'static SetEntry> {
    let entries = ENTRIES.iter().filter(|one| one.themes.contains(&theme));
    let mut entries: Vec<&SetEntry> = entries.collect();
    entries.sort_by_cached_key(|entry| {
        // A hash orders positions as a shuffle does, and new positions do not change the order of
        // others.
        let mut hash = Sha256::new();
        hash.update(seed.to_be_bytes());
        hash.update(&entry.fen);
        // Double checks are few, so that chance would leave most of them out.
        let is_plain = theme == Theme::Check && !entry.is_double_check;
        (is_plain, <[u8; 32]>::from(hash.finalize()))
    });
    let mut stems = BTreeSet::new();
    let (first, rest): (Vec<&SetEntry>, Vec<&SetEntry>) = entries
        .into_iter()
        .partition(|entry| stems.insert(&entry.stem));
    first.into_iter().chain(rest).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidates::legal_texts;
    use crate::score::{MoveKind, kind_of};

    #[test]
    fn every_theme_has_a_quiz() {
        for theme in Theme::ALL {
            let set = draw(theme, 10, 7);
            assert_eq!(set.len(), 10, "{theme:?}");
            let fens: BTreeSet<String> = set.iter().map(fen::write).collect();
            assert_eq!(fens.len(), 10, "{theme:?}");
            let moves: Vec<usize> = set.iter().map(|one| one.legal_moves().len()).collect();
            assert!(moves.is_sorted() && moves[0] > 0, "{theme:?}: {moves:?}");
            assert_eq!(set, draw(theme, 10, 7));
            assert_ne!(set, draw(theme, 10, 8), "{theme:?}");
        }
    }

    #[test]
    fn positions_are_about_their_theme() {
        let occurs = |theme, kind| {
            let with_it = draw(theme, 20, 1).into_iter().filter(|position| {
                let legal = legal_texts(position);
                legal.iter().any(|text| kind_of(position, text) == kind)
            });
            with_it.count()
        };
        assert!(occurs(Theme::Promotion, MoveKind::Promotion) >= 10);
        assert!(occurs(Theme::Castling, MoveKind::Castling) >= 5);
        assert!(occurs(Theme::EnPassant, MoveKind::EnPassant) >= 5);
        let checkers = draw(Theme::Check, 10, 1).into_iter();
        let mut checkers: Vec<u32> = checkers.map(|one| one.checkers().count()).collect();
        checkers.sort_unstable();
        assert_eq!(checkers, [1, 1, 1, 1, 1, 1, 2, 2, 2, 2]);
    }
}
