//! The lines of the protocol. [`XboardCommand`] is a line from the GUI to the engine,
//! [`XboardMessage`] a line from the engine to the GUI. No I/O, and no state.

use std::fmt;

use chess::rules::{PieceType, Square};

use crate::grammar::{Bound, EngineOption, Info, OptionKind, Score, ScoreValue};

/// A line from the GUI to the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum XboardCommand {
    /// `xboard`: the first line of all.
    Xboard,
    /// `protover 2`: asks for features.
    Protover,
    /// `accepted`: the feature will be used.
    Accepted(String),
    /// `rejected`: the feature is unknown or will not be used.
    Rejected(String),
    /// `new`: a new game from the standard start position, the engine plays Black.
    New,
    /// `variant`: the game is of this variant.
    Variant(&'static str),
    /// `force`: think about nothing, check moves only.
    Force,
    /// `go`: play the side to move, and think.
    Go,
    /// `setboard FEN`: the position.
    SetBoard(String),
    /// `edit`: begins the older way of setting up a position, White's pieces first.
    Edit,
    /// `#`, while editing: an empty board.
    ClearBoard,
    /// `Ra1`, while editing: a piece of the current colour.
    Put(PieceType, Square),
    /// `c`, while editing: the other colour.
    OtherColor,
    /// `.`: ends editing.
    EndEdit,
    /// `level`: a time control of one stage.
    Level {
        /// Number of moves, 0 for the rest of the game.
        moves: u32,
        /// Time for these moves, in milliseconds; written in whole seconds.
        base_ms: u64,
        /// Increment per move, in milliseconds.
        increment_ms: u64,
    },
    /// `st`: seconds per move.
    Seconds(u64),
    /// `sd`: maximum depth.
    Depth(u32),
    /// `nps`: this many nodes count as one second.
    NodesPerSecond(u64),
    /// `time`: time left on the engine's clock, in centiseconds.
    Time(u64),
    /// `otim`: time left on the opponent's clock, in centiseconds.
    OpponentTime(u64),
    /// A move, with `usermove` in front of it or without.
    Move {
        /// The move.
        text: String,
        /// Whether the engine asked for `usermove`.
        usermove: bool,
    },
    /// `post`: print thinking output.
    Post,
    /// `hard`, ponder, or `easy`, do not.
    Ponder(bool),
    /// `memory`: maximum memory, in megabytes.
    Memory(String),
    /// `cores`: maximum number of threads.
    Cores(String),
    /// `egtpath`: where endgame tables of a kind are.
    TablePath {
        /// The kind, such as `syzygy`.
        kind: String,
        /// The folder.
        path: String,
    },
    /// `option NAME=VALUE`; a button has no value.
    SetOption {
        /// The option's name.
        name: String,
        /// Its value.
        value: Option<String>,
    },
    /// `ping`: answered by `pong` once everything before it has been processed.
    Ping(u32),
    /// `?`: move now.
    MoveNow,
    /// `result`: the game is over.
    Result(String),
}

impl fmt::Display for XboardCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Xboard => f.write_str("xboard"),
            Self::Protover => f.write_str("protover 2"),
            Self::Accepted(feature) => write!(f, "accepted {feature}"),
            Self::Rejected(feature) => write!(f, "rejected {feature}"),
            Self::New => f.write_str("new"),
            Self::Variant(variant) => write!(f, "variant {variant}"),
            Self::Force => f.write_str("force"),
            Self::Go => f.write_str("go"),
            Self::SetBoard(fen) => write!(f, "setboard {fen}"),
            Self::Edit => f.write_str("edit"),
            Self::ClearBoard => f.write_str("#"),
            Self::Put(piece, square) => write!(f, "{}{square}", piece.to_char()),
            Self::OtherColor => f.write_str("c"),
            Self::EndEdit => f.write_str("."),
            Self::Level {
                moves,
                base_ms,
                increment_ms,
            } => {
                // Less than a second would be no time at all; `time` says how much it is.
                let seconds = (base_ms / 1000).max(1);
                let (minutes, seconds) = (seconds / 60, seconds % 60);
                write!(f, "level {moves} {minutes}")?;
                if seconds > 0 {
                    write!(f, ":{seconds:02}")?;
                }
                write!(f, " {}", increment_ms / 1000)?;
                match increment_ms % 1000 {
                    0 => Ok(()),
                    ms => write!(f, ".{}", format!("{ms:03}").trim_end_matches('0')),
                }
            }
            Self::Seconds(seconds) => write!(f, "st {seconds}"),
            Self::Depth(depth) => write!(f, "sd {depth}"),
            Self::NodesPerSecond(nodes) => write!(f, "nps {nodes}"),
            Self::Time(time) => write!(f, "time {time}"),
            Self::OpponentTime(time) => write!(f, "otim {time}"),
            Self::Move { text, usermove } => {
                write!(f, "{}{text}", if *usermove { "usermove " } else { "" })
            }
            Self::Post => f.write_str("post"),
            Self::Ponder(on) => f.write_str(if *on { "hard" } else { "easy" }),
            Self::Memory(size) => write!(f, "memory {size}"),
            Self::Cores(count) => write!(f, "cores {count}"),
            Self::TablePath { kind, path } => write!(f, "egtpath {kind} {path}"),
            Self::SetOption { name, value: None } => write!(f, "option {name}"),
            Self::SetOption {
                name,
                value: Some(value),
            } => write!(f, "option {name}={value}"),
            Self::Ping(number) => write!(f, "ping {number}"),
            Self::MoveNow => f.write_str("?"),
            Self::Result(text) => write!(f, "result {text}"),
        }
    }
}

/// A line from the engine to the GUI.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum XboardMessage {
    /// `feature`: names and values, in order.
    Features(Vec<(String, String)>),
    /// `pong N`.
    Pong(u32),
    /// `move X`, or `N. ... X` of engines older than version 2.
    Move(String),
    /// Thinking output.
    Thinking(Box<Thinking>),
    /// `1-0`, `0-1`, `1/2-1/2`, `White mates`, `Black resigns`, `computer mates`, `Draw`: the game is over,
    /// says the engine.
    Result(ClaimedResult),
    /// `resign`, `computer resigns` or `opponent mates`: the engine has lost.
    Resign,
    /// `Illegal move` or `Error`: what follows it, which names the rejected move or command and perhaps a
    /// reason.
    Rejection(String),
    /// Any other line, without surrounding white space.
    Other(String),
}

/// The result of a game that an engine claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum ClaimedResult {
    WhiteWins,
    BlackWins,
    Draw,
    /// `computer mates` or `checkmate`: one side has won, and the line does not say which.
    Mate,
}

/// A line of thinking output.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Thinking {
    /// Everything but the PV.
    pub info: Info,
    /// The PV as printed, in any notation.
    pub line: String,
}

impl XboardMessage {
    /// Parses one line. It never fails, because engines are sloppy; what it tolerates:
    ///
    /// - any ASCII white space around and between words, a carriage return at the end;
    /// - `feature`: white space around `=`; what cannot be parsed ends the list;
    /// - thinking output: one character after the depth (`9.`, `9&`), a sign before the score,
    ///   counts of nodes and times that have overflowed, which are left out.
    ///
    /// Everything else is [`XboardMessage::Other`]; so is `My move is: X`, which engines print in
    /// addition to another form.
    pub fn parse(line: &str) -> Self {
        let line = line.trim_ascii();
        let (first, rest) = split_word(line);
        let message = match first {
            "feature" => Some(Self::Features(features(rest))),
            "pong" => rest.parse().ok().map(Self::Pong),
            "move" => Some(Self::Move(rest.to_owned())),
            "1-0" => Some(Self::Result(ClaimedResult::WhiteWins)),
            "0-1" => Some(Self::Result(ClaimedResult::BlackWins)),
            "1/2-1/2" | "1/2" => Some(Self::Result(ClaimedResult::Draw)),
            "Illegal" | "illegal" => rest
                .strip_prefix("move")
                .map(|text| Self::Rejection(text.trim_ascii().to_owned())),
            "Error" | "error" => Some(Self::Rejection(rest.to_owned())),
            _ if first.starts_with(|c: char| c.is_ascii_digit()) => {
                let (second, text) = split_word(rest);
                if first.ends_with('.') && second == "..." {
                    Some(Self::Move(text.to_owned()))
                } else {
                    Thinking::read(line).map(|one| Self::Thinking(Box::new(one)))
                }
            }
            _ => Self::verdict(first, rest),
        };
        message.unwrap_or_else(|| Self::Other(line.to_owned()))
    }

    /// Reads the end of a game in words. Sentences that only begin alike are none, since a wrong claim
    /// loses the game.
    fn verdict(first: &str, rest: &str) -> Option<Self> {
        use ClaimedResult::{BlackWins, Draw, Mate, WhiteWins};
        let (second, _) = split_word(rest);
        let second = second.trim_end_matches(['.', '!']);
        let [resigns, mates] = [["resigns", "resign"], ["mates", "wins"]];
        let (resigns, mates) = (resigns.contains(&second), mates.contains(&second));
        match first.trim_end_matches(['.', '!']) {
            "resign" | "resigns" => Some(Self::Resign),
            "computer" | "Computer" if resigns => Some(Self::Resign),
            "computer" | "Computer" if mates => Some(Self::Result(Mate)),
            "opponent" | "Opponent" if mates => Some(Self::Resign),
            "White" if mates => Some(Self::Result(WhiteWins)),
            "Black" if mates => Some(Self::Result(BlackWins)),
            "White" if resigns => Some(Self::Result(BlackWins)),
            "Black" if resigns => Some(Self::Result(WhiteWins)),
            "checkmate" | "Checkmate" if rest.is_empty() => Some(Self::Result(Mate)),
            "Draw" if rest.is_empty() || second == "by" || rest.starts_with('{') => {
                Some(Self::Result(Draw))
            }
            "game" | "Game" if rest.starts_with("is a draw") => Some(Self::Result(Draw)),
            _ => None,
        }
    }
}

/// The first word, and what follows it, without white space around it.
fn split_word(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| c.is_ascii_whitespace());
    let (word, rest) = text.split_at(end.unwrap_or(text.len()));
    (word, rest.trim_ascii())
}

/// Pairs `name=value` or `name="a value"`.
fn features(mut text: &str) -> Vec<(String, String)> {
    let mut all = Vec::new();
    while let Some((name, rest)) = text.split_once('=') {
        let rest = rest.trim_ascii_start();
        let value = if let Some(quoted) = rest.strip_prefix('"') {
            let Some((value, after)) = quoted.split_once('"') else {
                break;
            };
            text = after;
            value
        } else {
            let (value, after) = split_word(rest);
            text = after;
            value
        };
        all.push((name.trim_ascii().to_owned(), value.to_owned()));
    }
    all
}

/// From this score on, an engine announces mate: 100000 and the number of moves.
const MATE: i64 = 100_000;
/// More moves than any mate takes: higher scores are scores.
const MOST_MOVES_TO_MATE: i64 = 1000;

impl Thinking {
    /// Reads `ply score time nodes [selective-depth speed … tbhits TAB] pv`. The numbers in
    /// brackets are there if a tab precedes the PV: the last is the count of tablebase hits.
    fn read(line: &str) -> Option<Self> {
        let (depth, rest) = split_word(line);
        let (score, rest) = split_word(rest);
        let (time, rest) = split_word(rest);
        let (nodes, rest) = split_word(rest);
        let depth = depth
            .strip_suffix(|c: char| !c.is_ascii_digit())
            .unwrap_or(depth);
        let limit = i64::from(i32::MAX);
        let score = score.parse::<i64>().ok()?.clamp(-limit, limit);
        // Counters of old engines overflow, but they are numbers.
        let (time, nodes): (i128, i128) = (time.parse().ok()?, nodes.parse().ok()?);
        let mut info = Info {
            depth: Some(depth.parse().ok()?),
            nodes: u64::try_from(nodes).ok(),
            // CECP: the time is in hundredths of a second.
            time_ms: u64::try_from(time)
                .ok()
                .and_then(|time| time.checked_mul(10)),
            ..Info::default()
        };
        let is_number = |word: &str| word.parse::<i64>().is_ok();
        let is_text = |word: &&str| !is_number(word);
        let text = rest.split_ascii_whitespace().find(is_text);
        let text_at = text.map_or(rest.len(), |word| {
            word.as_ptr().addr() - rest.as_ptr().addr()
        });
        let mut line = rest;
        if let Some(tab) = rest[..text_at].rfind('\t') {
            // CECP: the last is `tbhits`; of the others, the first is `seldepth`, the second `nps`.
            let mut numbers = rest[..tab].split_ascii_whitespace();
            info.tbhits = numbers.next_back().and_then(|word| word.parse().ok());
            info.seldepth = numbers.next().and_then(|word| word.parse().ok());
            info.nps = numbers.next().and_then(|word| word.parse().ok());
            line = rest[tab..].trim_ascii();
        }
        // A line that failed low or high ends in a mark.
        let bound = match line.as_bytes().last() {
            Some(b'?') => Some(Bound::Upper),
            Some(b'!') => Some(Bound::Lower),
            _ => None,
        };
        let moves = score.abs() - MATE;
        let value = if (0..=MOST_MOVES_TO_MATE).contains(&moves) {
            ScoreValue::Mate(i32::try_from(moves * score.signum()).ok()?)
        } else {
            ScoreValue::Cp(i32::try_from(score).ok()?)
        };
        info.score = Some(Score { value, bound });
        let line = line.to_owned();
        Some(Self { info, line })
    }
}

/// Reads the value of `feature option`: `NAME -TYPE ARGUMENTS`. `None` if it has no known type.
pub(super) fn option(text: &str) -> Option<EngineOption> {
    // Names may contain ` -`.
    text.match_indices(" -").find_map(|(at, dash)| {
        let (kind, rest) = split_word(&text[at + dash.len()..]);
        let kind = match kind {
            "button" | "save" | "reset" => OptionKind::Button,
            "check" => OptionKind::Check {
                default: Some(rest == "1"),
            },
            "string" | "file" | "path" => OptionKind::String {
                default: Some(rest.to_owned()),
            },
            "spin" | "slider" => {
                let mut numbers = rest.split_ascii_whitespace().map(|word| word.parse().ok());
                OptionKind::Spin {
                    default: numbers.next().flatten(),
                    min: numbers.next().flatten(),
                    max: numbers.next().flatten(),
                }
            }
            "combo" => {
                let choices = || rest.split(" /// ").map(str::trim_ascii);
                let default = choices().find_map(|choice| choice.strip_prefix('*'));
                let plain = |choice: &str| choice.strip_prefix('*').unwrap_or(choice).to_owned();
                OptionKind::Combo {
                    default: default.or(choices().next()).map(str::to_owned),
                    vars: choices().map(plain).collect(),
                }
            }
            _ => return None,
        };
        let name = text[..at].trim_ascii().to_owned();
        Some(EngineOption { name, kind })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_written() {
        use XboardCommand as Command;
        let level = |moves, base_ms, increment_ms| Command::Level {
            moves,
            base_ms,
            increment_ms,
        };
        let user = |usermove| Command::Move {
            text: "e2e4".to_owned(),
            usermove,
        };
        let rows = rows![
            Command::Protover => "protover 2";
            level(40, 300_000, 0) => "level 40 5 0";
            level(0, 90_000, 600) => "level 0 1:30 0.6";
            level(0, 10_500, 1250) => "level 0 0:10 1.25";
            level(0, 100, 10_000) => "level 0 0:01 10";
            level(0, 3_600_000, 5) => "level 0 60 0.005";
            user(true) => "usermove e2e4";
            user(false) => "e2e4";
            Command::Put(PieceType::Pawn, Square::A2) => "Pa2";
            Command::Ponder(true) => "hard";
            Command::TablePath {kind: "syzygy".to_owned(), path: "/a b".to_owned()} => "egtpath syzygy /a b";
            Command::SetOption {name: "Clear Hash".to_owned(), value: None} => "option Clear Hash";
            Command::SetOption {name: "Skill".to_owned(), value: Some("3".to_owned())} => "option Skill=3";
        ];
        for (command, expected) in rows {
            assert_eq!(command.to_string(), expected);
        }
    }

    #[test]
    fn features_have_values_with_or_without_quotation_marks() {
        let rows = rows![
            r#"feature myname="Phalanx XXV""# => vec![("myname", "Phalanx XXV")];
            "feature ping=1 setboard=1  done=0" => vec![("ping", "1"), ("setboard", "1"), ("done", "0")];
            r#"feature draw = 0 option="Randomizer (0-50) -slider 0 0 50" ping=1 "# =>
                vec![("draw", "0"), ("option", "Randomizer (0-50) -slider 0 0 50"), ("ping", "1")];
            r#"feature variants="""# => vec![("variants", "")];
            r#"feature ping=1 myname="no end"# => vec![("ping", "1")];
            "feature" => vec![];
            "feature done" => vec![];
        ];
        for (line, expected) in rows {
            let expected = expected.iter();
            let pairs = expected.map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
            let expected = XboardMessage::Features(pairs.collect());
            assert_eq!(XboardMessage::parse(line), expected, "{line}");
        }
    }

    #[test]
    fn options_of_every_type() {
        let spin = |default, min, max| OptionKind::Spin { default, min, max };
        let text = |text: &str| OptionKind::String {
            default: Some(text.to_owned()),
        };
        let rows = rows![
            "Clear Hash -button", "Clear Hash" => OptionKind::Button;
            "Save all -save", "Save all" => OptionKind::Button;
            "Resign -check 1", "Resign" => OptionKind::Check { default: Some(true) };
            "Level (0-50) -slider 3 0 50", "Level (0-50)" => spin(Some(3), Some(0), Some(50));
            "a -spin 0 -2147483648 2147483647", "a" => spin(Some(0), Some(-2_147_483_648), Some(2_147_483_647));
            "Spin -spin", "Spin" => spin(None, None, None);
            "Odd -b name -string happy birthday!", "Odd -b name" => text("happy birthday!");
            "Ini File -file /etc/max.ini", "Ini File" => text("/etc/max.ini");
            "Books -path", "Books" => text("");
            "Style -combo Solid /// *Wild /// Mad", "Style" => OptionKind::Combo {
                default: Some("Wild".to_owned()),
                vars: ["Solid", "Wild", "Mad"].map(str::to_owned).to_vec(),
            };
            "Style -combo Solid /// Wild", "Style" => OptionKind::Combo {
                default: Some("Solid".to_owned()),
                vars: ["Solid", "Wild"].map(str::to_owned).to_vec(),
            };
        ];
        for (line, name, kind) in rows {
            let name = name.to_owned();
            assert_eq!(option(line), Some(EngineOption { name, kind }), "{line}");
        }
        assert_eq!(option("no type"), None);
        assert_eq!(option("odd -type 1"), None);
    }

    #[test]
    fn moves_and_claims() {
        use XboardMessage as Message;
        let moves = |text: &str| Message::Move(text.to_owned());
        let rejection = |text: &str| Message::Rejection(text.to_owned());
        let rows = rows![
            " move e7e8q\r" => moves("e7e8q");
            "1. ... b1c3" => moves("b1c3");
            "12. ... O-O" => moves("O-O");
            "My move is : b1c3" => Message::Other("My move is : b1c3".to_owned());
            "pong 17" => Message::Pong(17);
            "pong x" => Message::Other("pong x".to_owned());
            "resign" => Message::Resign;
            "resign {White resigns}" => Message::Resign;
            "1-0 {White mates}" => Message::Result(ClaimedResult::WhiteWins);
            "0-1" => Message::Result(ClaimedResult::BlackWins);
            "1/2-1/2 {Draw by repetition}" => Message::Result(ClaimedResult::Draw);
            "1/2" => Message::Result(ClaimedResult::Draw);
            "computer resigns" => Message::Resign;
            "White resigns" => Message::Result(ClaimedResult::BlackWins);
            "Black resign {hopeless}" => Message::Result(ClaimedResult::WhiteWins);
            "White mates" => Message::Result(ClaimedResult::WhiteWins);
            "Black mates!" => Message::Result(ClaimedResult::BlackWins);
            "computer mates" => Message::Result(ClaimedResult::Mate);
            "opponent mates" => Message::Resign;
            "checkmate" => Message::Result(ClaimedResult::Mate);
            "Draw" => Message::Result(ClaimedResult::Draw);
            "Draw by fifty moves" => Message::Result(ClaimedResult::Draw);
            "game is a draw" => Message::Result(ClaimedResult::Draw);
            "Illegal move: e2e5" => rejection(": e2e5");
            "illegal move: e2e5" => rejection(": e2e5");
            "Illegal move (no piece there):e2e5" => rejection("(no piece there):e2e5");
            "Illegal move e2e5" => rejection("e2e5");
            "White to move" => Message::Other("White to move".to_owned());
            "White(1): e2e4" => Message::Other("White(1): e2e4".to_owned());
            "White matches Black" => Message::Other("White matches Black".to_owned());
            "Black moves" => Message::Other("Black moves".to_owned());
            "Draw score is 0" => Message::Other("Draw score is 0".to_owned());
            "computer moves" => Message::Other("computer moves".to_owned());
            "offer draw" => Message::Other("offer draw".to_owned());
            "telluser White mates" => Message::Other("telluser White mates".to_owned());
            "tellusererror Illegal move" => Message::Other("tellusererror Illegal move".to_owned());
            "tellopponent resign" => Message::Other("tellopponent resign".to_owned());
            "tellall checkmate" => Message::Other("tellall checkmate".to_owned());
            "askuser rep Draw?" => Message::Other("askuser rep Draw?".to_owned());
            "*" => Message::Other("*".to_owned());
            "Illegal position" => Message::Other("Illegal position".to_owned());
            "Error (unknown command): foo" => rejection("(unknown command): foo");
            "Errors: 0" => Message::Other("Errors: 0".to_owned());
            "# a comment" => Message::Other("# a comment".to_owned());
            "tellics say hello" => Message::Other("tellics say hello".to_owned());
            "" => Message::Other(String::new());
        ];
        for (line, expected) in rows {
            assert_eq!(Message::parse(line), expected, "{line}");
        }
    }

    /// The info as UCI would have it, and the PV.
    fn thinking(line: &str) -> Option<(String, String)> {
        match XboardMessage::parse(line) {
            XboardMessage::Thinking(one) => {
                Some((one.info.to_string().trim_start().to_owned(), one.line))
            }
            _ => None,
        }
    }

    #[test]
    fn thinking_output_in_all_its_forms() {
        // Lines of GNU Chess, Sjeng, Phalanx, Fairy-Max, Crafty and Polyglot, and odder ones.
        let rows = rows![
            "9 156 1084 48000 Nf3 Nc6 Nc3 Nf6" => ("depth 9 score cp 156 nodes 48000 time 10840", "Nf3 Nc6 Nc3 Nf6");
            "1 +26 0 2 Na3" => ("depth 1 score cp 26 nodes 2 time 0", "Na3");
            " 2       0     0       42  d4 d5 " => ("depth 2 score cp 0 nodes 42 time 0", "d4 d5");
            "  0      0     0        0  (e2-e4  d2-d4  , book1)" =>
                ("depth 0 score cp 0 nodes 0 time 0", "(e2-e4  d2-d4  , book1)");
            "6. -35 12 9001 1. e4 e5" => ("depth 6 score cp -35 nodes 9001 time 120", "1. e4 e5");
            "6& 10 12 9001 e4!" => ("depth 6 score cp 10 lowerbound nodes 9001 time 120", "e4!");
            "6 10 12 9001 e4?" => ("depth 6 score cp 10 upperbound nodes 9001 time 120", "e4?");
            "12 100003 5 77 Qh7#" => ("depth 12 score mate 3 nodes 77 time 50", "Qh7#");
            "12 -100002 5 77 Kh8" => ("depth 12 score mate -2 nodes 77 time 50", "Kh8");
            "12 32000 5 77 Qh7" => ("depth 12 score cp 32000 nodes 77 time 50", "Qh7");
            "12 9999999999 5 77 Qh7" => ("depth 12 score cp 2147483647 nodes 77 time 50", "Qh7");
            "12 -9223372036854775808 5 77 Kh8" => ("depth 12 score cp -2147483647 nodes 77 time 50", "Kh8");
            "8 13 4 -2000000 e4" => ("depth 8 score cp 13 time 40", "e4");
            "8 13 4 99999999999999999999 e4" => ("depth 8 score cp 13 time 40", "e4");
            "13 25 100 5000 21 50000 7\te4 e5" =>
                ("depth 13 seldepth 21 score cp 25 nodes 5000 nps 50000 tbhits 7 time 1000", "e4 e5");
            "13 25 100 5000 3\te4" => ("depth 13 score cp 25 nodes 5000 tbhits 3 time 1000", "e4");
            "13\t25\t100\t5000\te4 e5" => ("depth 13 score cp 25 nodes 5000 time 1000", "e4 e5");
            "13 25 100 5000 21 e4\te5" => ("depth 13 score cp 25 nodes 5000 time 1000", "21 e4\te5");
            "13 25 100 5000" => ("depth 13 score cp 25 nodes 5000 time 1000", "");
        ];
        for (line, (info, pv)) in rows {
            let expected = Some((info.to_owned(), pv.to_owned()));
            assert_eq!(thinking(line), expected, "{line}");
        }
        for line in [
            "9 0.25 1 2 e4",
            "9 1 2",
            "0.5 seconds",
            "1. e4 e5 2. Nf3",
            "2 knights left",
        ] {
            assert_eq!(thinking(line), None, "{line}");
        }
    }
}
