//! Types shared by all modules; plain values.

mod move_text;

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use chess::rules::Color;
use serde::{Deserialize, Serialize};
use time::{Date, OffsetDateTime};

pub use move_text::{MoveText, ParseMoveTextError};

/// Declares enums whose variants are words: in texts and addresses, in JSON, and in the database.
macro_rules! words {
    ($($(#[$doc:meta])* $name:ident { $($(#[$of:meta])* $variant:ident = $word:tt,)+ })+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[derive(serde::Serialize, serde::Deserialize, utoipa::ToSchema)]
        #[derive(sea_orm::EnumIter, sea_orm::DeriveActiveEnum)]
        // The database has words and no numbers, so that variants may be reordered.
        #[sea_orm(rs_type = "String", db_type = "Text")]
        pub enum $name {
            $($(#[$of])* #[serde(rename = $word)] #[sea_orm(string_value = $word)] $variant,)+
        }

        impl $name {
            pub const ALL: [Self; [$($word),+].len()] = [$(Self::$variant),+];

            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    )+};
}
pub(crate) use words;

words! {
    /// Classes of moves; people's reliability differs between them.
    MoveClass {
        Ordinary = "ordinary",
        King = "king",
        Castling = "castling",
        /// A pawn's diagonal move to the en passant square.
        EnPassant = "en-passant",
        Promotion = "promotion",
    }

    /// What a list is for, which decides where its position comes from and what its result is.
    Purpose {
        /// A position of a campaign, without a time limit: evidence for a test case.
        Campaign = "campaign",
        /// The same within a time limit.
        Timed = "timed",
        /// The same position as another contributor, with points for agreement, as in the ESP game.
        Pair = "pair",
        /// Second look: yes/no questions on disputed moves, mixed with undisputed ones.
        Review = "review",
        /// The board of the day: one position for everybody, compared with the others.
        Daily = "daily",
        /// A position of a teacher's set.
        Class = "class",
    }

    /// When the owner of a finished list sees what was right.
    Reveal {
        /// When the list is finished.
        AtOnce = "at-once",
        /// When all lists of the class are finished.
        AtEnd = "at-end",
        /// When the answer of its position is known.
        WhenKnown = "when-known",
    }

    /// An edit of a list, or an answer to a question.
    Op {
        /// The move is added to the list.
        Add = "add",
        /// The move is removed.
        Remove = "remove",
        /// Second look: the move is possible.
        Yes = "yes",
        /// Second look: the move is not possible.
        No = "no",
    }

    /// The side to move.
    Side {
        /// White.
        White = "white",
        /// Black.
        Black = "black",
    }

    /// State of a list.
    Progress {
        /// It accepts events.
        Open = "open",
        /// It was finished.
        Finished = "finished",
        /// It was returned without an answer.
        Skipped = "skipped",
        /// Its time is over.
        Expired = "expired",
    }

    PositionState {
        Open = "open",
        /// The crowd is certain, and the generator agrees.
        Agreed = "agreed",
        /// In the moderators' queue: the crowd is certain but the generator disagrees, or many lists did not settle it.
        Disputed = "disputed",
        /// A moderator has closed it.
        Retired = "retired",
        /// Its answer is known from the start, and measures people.
        Gold = "gold",
        /// A board of the day or of a class: its answer is known, and its lists are no evidence.
        Lesson = "lesson",
    }

    CampaignKind {
        Campaign = "campaign",
        Daily = "daily",
        Class = "class",
    }

    QueueState {
        Open = "open",
        Resolved = "resolved",
        /// Resolved, and the decision was reversed.
        Reversed = "reversed",
    }

    Resolution {
        /// The generator is right: the position is retired and its answer shown.
        GeneratorIsRight = "generator-is-right",
        /// The crowd is right: the position is retired with the crowd's answer, and the generator has a bug.
        CrowdIsRight = "crowd-is-right",
        /// More lists are wanted: the position is reopened.
        AskAgain = "ask-again",
        /// Undecidable: the position is retired without an answer and not scored.
        Retire = "retire",
    }

    Act {
        LogIn = "log-in",
        Decide = "decide",
        Reverse = "reverse",
        Retire = "retire",
        Quarantine = "quarantine",
        Count = "count",
        /// Has a list count that was too fast.
        Allow = "allow",
        /// Keeps a list that was too fast from counting.
        Keep = "keep",
        Import = "import",
    }

    /// What points are awarded for; each once per list.
    AwardKind {
        /// A list of a position whose answer was known.
        Gold = "gold",
        /// A list of a position that was closed later.
        Consensus = "consensus",
        Pair = "pair",
        /// A list of the board of the day, which is compared with others and counts nowhere else.
        Daily = "daily",
    }

    /// Signs that a list is not a person's own work.
    FlagKind {
        /// The order is nearly that of another contributor's list.
        SameOrder = "same-order",
        /// The order is nearly that of a program.
        GeneratorOrder = "generator-order",
        FastMoves = "fast-moves",
        FastList = "fast-list",
        EvenGaps = "even-gaps",
        ImpossibleClock = "impossible-clock",
    }
}

impl Purpose {
    /// Those whose lists are evidence for a test case.
    pub const CROWD: [Self; 4] = [Self::Campaign, Self::Timed, Self::Pair, Self::Review];

    pub fn is_of_crowd(self) -> bool {
        Self::CROWD.contains(&self)
    }

    /// Whether the contributor makes a list of moves; otherwise they answer questions.
    pub fn asks_for_list(self) -> bool {
        self != Self::Review
    }
}

impl Resolution {
    pub(crate) fn position_becomes(self) -> PositionState {
        match self {
            Self::GeneratorIsRight | Self::CrowdIsRight | Self::Retire => PositionState::Retired,
            Self::AskAgain => PositionState::Open,
        }
    }
}

impl PositionState {
    /// Whether the answer is shown to those who have finished.
    pub fn is_answer_known(self) -> bool {
        matches!(self, Self::Agreed | Self::Retired | Self::Gold)
    }
}

impl From<Color> for Side {
    fn from(color: Color) -> Self {
        match color {
            Color::White => Self::White,
            Color::Black => Self::Black,
        }
    }
}

impl From<Side> for Color {
    fn from(side: Side) -> Self {
        match side {
            Side::White => Self::White,
            Side::Black => Self::Black,
        }
    }
}

/// One edit of a list. Events are append-only.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct ListEvent {
    /// Its sequence number in the list, from 1, without gaps.
    pub seq: u32,
    /// The operation.
    pub op: Op,
    /// The move it applies to.
    #[serde(rename = "move")]
    pub mv: MoveText,
    /// Client time in milliseconds since the position was shown.
    pub at_ms: u32,
}

/// The list that results from the events, in the order in which its moves were added; a move added
/// twice is listed once.
pub fn moves_of(events: &[ListEvent]) -> Vec<MoveText> {
    let mut moves: Vec<MoveText> = Vec::new();
    for event in events {
        match event.op {
            // A list has at most a thousand events, so that searching it is cheap.
            Op::Add if !moves.contains(&event.mv) => moves.push(event.mv.clone()),
            Op::Remove => moves.retain(|m| *m != event.mv),
            Op::Add | Op::Yes | Op::No => {}
        }
    }
    moves
}

/// The answers of a second look; the last answer to each move counts.
pub fn answers(events: &[ListEvent]) -> BTreeMap<MoveText, bool> {
    let mut answers = BTreeMap::new();
    for event in events {
        match event.op {
            Op::Yes => answers.insert(event.mv.clone(), true),
            Op::No => answers.insert(event.mv.clone(), false),
            Op::Add | Op::Remove => None,
        };
    }
    answers
}

/// A display name: up to 32 characters, without control characters or direction marks.
///
/// It is plain text, never markup; output must escape it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerName(String);

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    #[error("a name has at least one character")]
    Empty,
    #[error("a name has at most 32 characters, this one has {0}")]
    Long(usize),
    #[error(
        "a name has no control characters and none that change the direction of text (U+{0:04X})"
    )]
    Sign(u32),
}

impl PlayerName {
    const LONGEST: usize = 32;

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What two people's names must not share: the name in lower case, with single blanks.
    pub fn key(&self) -> String {
        let words: Vec<&str> = self.0.split_whitespace().collect();
        words.join(" ").to_lowercase()
    }
}

impl FromStr for PlayerName {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        let name = text.trim();
        if name.is_empty() {
            return Err(NameError::Empty);
        }
        // Letters outside ASCII take more bytes; the limit is about what people see.
        let length = name.chars().count();
        if length > Self::LONGEST {
            return Err(NameError::Long(length));
        }
        match name.chars().find(|&c| is_hidden(c)) {
            Some(sign) => Err(NameError::Sign(u32::from(sign))),
            None => Ok(Self(name.to_owned())),
        }
    }
}

/// Control characters, and those of Unicode's category Cf that can disguise names.
pub(crate) fn is_hidden(c: char) -> bool {
    c.is_control()
        // Marks of direction reverse what follows, invisible characters make two names look the
        // same, and U+E0000 to U+E007F are invisible tags.
        || matches!(c,
            '\u{00AD}' | '\u{061C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}')
}

impl fmt::Display for PlayerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A time in milliseconds since 1970-01-01 UTC. Edges read the clock and pass it in.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    sea_orm::DeriveValueType,
)]
#[serde(transparent)]
pub struct Timestamp(pub i64);

impl Timestamp {
    pub(crate) const DAY_MS: i64 = 86_400_000;

    /// The time `duration` later; saturates at the maximum.
    pub fn after(self, duration: Duration) -> Self {
        Self(
            self.0
                .saturating_add(i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)),
        )
    }

    /// The time elapsed since `earlier`; zero if that is later.
    pub fn since(self, earlier: Self) -> Duration {
        let ms = self.0.saturating_sub(earlier.0);
        Duration::from_millis(u64::try_from(ms).unwrap_or(0))
    }

    /// The UTC day, counted from 1970-01-01.
    pub fn day(self) -> i64 {
        // This rounds down before 1970, too.
        self.0.div_euclid(Self::DAY_MS)
    }

    /// The start of the day with this number.
    pub fn of_day(day: i64) -> Self {
        Self(day.saturating_mul(Self::DAY_MS))
    }

    pub fn start_of_day(self) -> Self {
        Self::of_day(self.day())
    }

    /// The UTC date, which is written as in ISO 8601; the last one if the calendar does not reach as far.
    pub fn date(self) -> Date {
        let time = OffsetDateTime::from_unix_timestamp(self.0.div_euclid(1000));
        time.map_or(Date::MAX, OffsetDateTime::date)
    }

    /// The start of the ISO week, a Monday, `weeks` after the one that it is in; negative for earlier ones.
    pub fn start_of_week(self, weeks: i64) -> Self {
        // 1970-01-01 was a Thursday.
        let monday = self.day() - (self.day() + 3).rem_euclid(7);
        Self::of_day(monday + 7 * weeks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(seq: u32, op: Op, mv: &str) -> ListEvent {
        let mv = mv.parse().expect("a move");
        ListEvent {
            seq,
            op,
            mv,
            at_ms: 0,
        }
    }

    #[test]
    fn a_list_is_what_was_added_and_not_removed() {
        let events = [
            event(1, Op::Add, "e2e4"),
            event(2, Op::Add, "d2d4"),
            event(3, Op::Add, "e2e4"),
            event(4, Op::Remove, "e2e4"),
            event(5, Op::Add, "a2a3"),
        ];
        let texts: Vec<String> = moves_of(&events).iter().map(MoveText::to_string).collect();
        assert_eq!(texts, ["d2d4", "a2a3"]);
    }

    #[test]
    fn the_last_answer_counts() {
        let events = [event(1, Op::Yes, "e2e4"), event(2, Op::No, "e2e4")];
        assert_eq!(answers(&events).into_values().collect::<Vec<_>>(), [false]);
    }

    #[test]
    fn weeks_begin_on_mondays() {
        let day = |day: i64| Timestamp(day * 86_400_000);
        // 1969-12-29 and 2024-01-01 were Mondays.
        for (at, monday) in [
            (0, -3),
            (3, -3),
            (4, 4),
            (-4, -10),
            (19_723, 19_723),
            (19_729, 19_723),
        ] {
            let just_before_midnight = Timestamp(day(at + 1).0 - 1);
            assert_eq!(just_before_midnight.start_of_week(0), day(monday), "{at}");
            assert_eq!(day(at).start_of_week(-1), day(monday - 7), "{at}");
        }
    }

    #[test]
    fn days_begin_at_midnight() {
        let noon = Timestamp(3 * 86_400_000 + 43_200_000);
        assert_eq!(noon.day(), 3);
        assert_eq!(noon.start_of_day(), Timestamp(3 * 86_400_000));
        assert_eq!(noon.date().to_string(), "1970-01-04");
        assert_eq!(
            Timestamp(1_800_000_000_000).date().to_string(),
            "2027-01-15"
        );
        assert_eq!(Timestamp(i64::MAX).date(), Date::MAX);
        assert_eq!(Timestamp(-1).day(), -1);
        assert_eq!(noon.since(noon.start_of_day()), Duration::from_hours(12));
        assert_eq!(noon.start_of_day().since(noon), Duration::ZERO);
        assert_eq!(
            Timestamp(i64::MAX).after(Duration::MAX),
            Timestamp(i64::MAX)
        );
    }
}
