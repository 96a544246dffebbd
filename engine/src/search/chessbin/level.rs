//! The difficulty levels of the `ChessBin` articles.

/// A difficulty level, named in the article "Chess Engine Features".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Level {
    /// No level: only the limits of the search end it.
    #[default]
    None,
    /// Six plies.
    Medium,
    /// Seven plies.
    Hard,
}

impl Level {
    /// Every level, the default first.
    pub const ALL: [Self; 3] = [Self::None, Self::Medium, Self::Hard];

    /// The level's name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "None",
            Self::Medium => "Medium",
            Self::Hard => "Hard",
        }
    }

    /// The depth in plies, to which the [end-game extension](super::ChessBinFeatures::end_game_extension)
    /// is added as in every search.
    pub const fn depth(self) -> Option<u32> {
        match self {
            Self::None => None,
            Self::Medium => Some(6),
            Self::Hard => Some(7),
        }
    }
}
