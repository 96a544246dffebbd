//! The ways to ask engines for perft, as templates.

use std::fmt;
use std::num::NonZeroU32;

use super::lists::MoveSource;
use crate::CommandLine;

/// A way to ask for perft: the lines to send to a running engine, or the arguments of a program
/// that is started once per question. An engine without perft is asked for moves, by searches of
/// one ply.
///
/// A template is a text with the placeholders `{depth}`, `{depth-1}` (for engines that count one ply
/// more than they are asked for), `{fen}` and `{moves}` (all moves, separated by blanks). A line with `{move}` is sent once per move. If there are no moves,
/// `{moves}` is removed together with the word `moves` before it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ask {
    name: &'static str,
    kind: AskKind,
    templates: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum AskKind {
    Lines,
    /// The templates are arguments.
    Program,
    /// The lines are those of one search.
    Moves(MoveSource),
}

/// An invalid template.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(
    missing_docs,
    reason = "the messages say what the variants and fields are"
)]
pub enum ParseAskError {
    #[error(
        "'{{{name}}}' in '{template}' is unknown, expected {{fen}}, {{depth}}, {{moves}} or {{move}}"
    )]
    Unknown { name: String, template: String },
    #[error("{{{0}}} is missing from the templates")]
    Missing(&'static str),
    #[error("'{0}' has a line break; give each line by itself")]
    LineBreak(String),
    /// A command with an unclosed quotation, or an empty one.
    #[error(transparent)]
    Split(#[from] crate::SplitCommandError),
}

/// `position …`, with which most questions begin.
const POSITION: &str = "position fen {fen} moves {moves}";

/// The ways over standard input and output, in the order in which they are tried: the most usual
/// first. UCI engines know `position fen`, `XBoard` engines `setboard`.
const SPOKEN: [(&str, &[&str]); 16] = rows![
    "go-perft" => &[POSITION, "go perft {depth}"];
    "perft" => &[POSITION, "perft {depth}"];
    "perft-fen" => &["perft {depth} {fen}"];
    "divide" => &[POSITION, "divide {depth}"];
    "go-divide" => &[POSITION, "go divide {depth}"];
    "perft-depth" => &[POSITION, "perft depth {depth}"];
    "go-perft-split" => &[POSITION, "go perft split {depth}"];
    "test-perft" => &[POSITION, "test perft {depth}"];
    "setboard-perft" => &["force", "setboard {fen}", "{move}", "perft {depth}"];
    "setboard-divide" => &["force", "setboard {fen}", "{move}", "divide {depth}"];
    // Blunder and Little Wing, in their consoles.
    "fen-dperft" => &["fen {fen}", "dperft {depth}"];
    "load-fen-divide" => &["load fen {fen}", "divide {depth-1}"];
    "fen-perft" => &["fen {fen}", "perft {depth}"];
    "position-perft" => &["position {fen}", "perft {depth}"];
    "divide-fen" => &["divide {depth} {fen}"];
    // Last, because engines that do not know the word start a search.
    "go-depth-perft" => &[POSITION, "go depth {depth} perft"];
];

/// The ways of programs that are started once per question, in the order in which they are tried.
const CALLED: [(&str, &[&str]); 10] = rows![
    "script" => &["{depth}", "{fen}", "{moves}"];
    "script-flags" => &["-d", "{depth}", "-f", "{fen}"];
    "script-long-flags" => &["--depth", "{depth}", "--fen", "{fen}"];
    "script-perft" => &["perft", "{depth}", "{fen}"];
    "script-perft-fen" => &["perft", "{fen}", "{depth}"];
    "script-fen" => &["{fen}", "{depth}"];
    "script-dashed" => &["-depth", "{depth}", "-fen", "{fen}"];
    // Ra, on its command line only.
    "script-perftdepth" => &["-perft", "-perftdepth", "{depth}", "-fen", "{fen}"];
    "script-perft-flag" => &["--perft", "{depth}", "--fen", "{fen}"];
    "script-perft-flags" => &["perft", "--depth", "{depth}", "--fen", "{fen}"];
];

/// The ways to ask an engine without perft for its moves, the strongest first.
const LISTED: [(&str, MoveSource, &str); 3] = [
    ("multipv", MoveSource::MultiPv, "go depth 1"),
    (
        "searchmoves",
        MoveSource::SearchMoves,
        "go depth 1 searchmoves MOVE",
    ),
    ("replies", MoveSource::Replies, "go depth 1"),
];

/// The name of a user-defined way.
const CUSTOM: &str = "custom";

impl Ask {
    /// Every known way, the most usual first: over standard input, by programs, by lists of moves.
    pub fn known() -> Vec<Self> {
        let way = |kind| {
            move |(name, templates): (&'static str, &[&str])| Self {
                name,
                kind,
                templates: templates.iter().map(|&text| text.to_owned()).collect(),
            }
        };
        let spoken = SPOKEN.into_iter().map(way(AskKind::Lines));
        let called = CALLED.into_iter().map(way(AskKind::Program));
        let listed = LISTED.into_iter().map(|(name, source, go)| Self {
            name,
            kind: AskKind::Moves(source),
            templates: vec![POSITION.to_owned(), go.to_owned()],
        });
        spoken.chain(called).chain(listed).collect()
    }

    /// Finds a known way by its name.
    pub fn find(name: &str) -> Option<Self> {
        Self::known().into_iter().find(|ask| ask.name == name)
    }

    /// A way to ask by sending lines, one template each.
    ///
    /// # Errors
    ///
    /// When `{fen}` or `{depth}` is missing, a placeholder is unknown, or a line contains a line
    /// break.
    pub fn from_lines(lines: &[String]) -> Result<Self, ParseAskError> {
        Self::custom(AskKind::Lines, lines.to_vec())
    }

    /// A program that is started once per question, and the templates of its arguments:
    /// `./perft -d {depth} -f "{fen}"`, split into words as a shell does.
    ///
    /// # Errors
    ///
    /// As for [`Ask::from_lines`], and when the command line cannot be split.
    pub fn from_command(text: &str) -> Result<(CommandLine, Self), ParseAskError> {
        let mut command: CommandLine = text.parse()?;
        let arguments = std::mem::take(&mut command.arguments).into_iter();
        let templates = arguments.map(|word| word.to_string_lossy().into_owned());
        Ok((
            command,
            Self::custom(AskKind::Program, templates.collect())?,
        ))
    }

    fn custom(kind: AskKind, templates: Vec<String>) -> Result<Self, ParseAskError> {
        for template in &templates {
            if template.contains(['\n', '\r']) {
                return Err(ParseAskError::LineBreak(template.clone()));
            }
            let mut rest = template.as_str();
            while let Some((_, behind)) = rest.split_once('{') {
                let (name, behind) = behind.split_once('}').unwrap_or((behind, ""));
                if !["fen", "depth", "depth-1", "moves", "move"].contains(&name) {
                    return Err(ParseAskError::Unknown {
                        name: name.to_owned(),
                        template: template.clone(),
                    });
                }
                rest = behind;
            }
        }
        for name in ["fen", "depth"] {
            let placeholders = [format!("{{{name}}}"), format!("{{{name}-1}}")];
            let is_there = |text: &String| placeholders.iter().any(|name| text.contains(name));
            if !templates.iter().any(is_there) {
                return Err(ParseAskError::Missing(name));
            }
        }
        Ok(Self {
            name: CUSTOM,
            kind,
            templates,
        })
    }

    /// The name on the command line and in reports; `custom` for a user-defined way.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Whether a program is started once per question.
    pub fn is_program(&self) -> bool {
        self.kind == AskKind::Program
    }

    /// How moves are listed, if the engine is asked for moves and not for counts.
    pub fn moves_by(&self) -> Option<MoveSource> {
        match self.kind {
            AskKind::Moves(source) => Some(source),
            AskKind::Lines | AskKind::Program => None,
        }
    }

    /// The word after `go`: an engine that does not know it begins a search.
    pub(super) fn word_of_go(&self) -> Option<&str> {
        if self.kind != AskKind::Lines {
            return None;
        }
        let mut templates = self.templates.iter();
        templates.find_map(|text| text.strip_prefix("go ")?.split(' ').next())
    }

    /// Whether it is how `XBoard` engines are asked.
    pub(super) fn is_xboard(&self) -> bool {
        self.templates.first().is_some_and(|text| text == "force")
    }

    /// The templates of lines or arguments.
    pub fn templates(&self) -> &[String] {
        &self.templates
    }

    /// Whether moves can be given.
    pub fn takes_moves(&self) -> bool {
        let has_moves = |text: &String| text.contains("{moves}") || text.contains("{move}");
        self.templates.iter().any(has_moves)
    }

    /// Whether positions are given by UCI's command, of which `moves` is a part.
    pub(super) fn has_uci_position(&self) -> bool {
        !self.is_program() && self.templates.first().is_some_and(|text| text == POSITION)
    }

    /// The lines to send, or the arguments of the program.
    pub(crate) fn fill(&self, fen: &str, moves: &[String], depth: NonZeroU32) -> Vec<String> {
        let mut lines = Vec::new();
        for template in &self.templates {
            if template.contains("{move}") {
                lines.extend(moves.iter().map(|text| template.replace("{move}", text)));
                continue;
            }
            let line = match template.split_once("{moves}") {
                Some((before, behind)) if moves.is_empty() => {
                    // Without moves, the word `moves` before them goes too.
                    let before = before.trim_end();
                    let before = before.strip_suffix("moves").unwrap_or(before).trim_end();
                    format!("{before}{behind}")
                }
                _ => template.replace("{moves}", &moves.join(" ")),
            };
            let line = line
                .replace("{depth}", &depth.to_string())
                .replace("{depth-1}", &(depth.get() - 1).to_string())
                .replace("{fen}", fen);
            // An argument that consists only of the moves is left out with them.
            if !(line.is_empty() && template == "{moves}") {
                lines.push(line);
            }
        }
        lines
    }
}

impl fmt::Display for Ask {
    /// The lines that ask, without UCI's `position`: `go perft N`, `setboard FEN, perft N`,
    /// `PROGRAM N FEN`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = if self.is_program() {
            format!("PROGRAM {}", self.templates.join(" "))
        } else {
            let says_little = |text: &&str| ![POSITION, "force", "{move}"].contains(text);
            let lines = self.templates.iter().map(String::as_str);
            lines.filter(says_little).collect::<Vec<_>>().join(", ")
        };
        let text = text.replace("{depth}", "N").replace("{depth-1}", "N-1");
        let text = text.replace("{fen}", "FEN");
        write!(f, "{}", text.replace("{moves}", "[MOVES]"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEN: &str = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";

    fn fill(name: &str, moves: &[&str]) -> Vec<String> {
        let moves: Vec<String> = moves.iter().map(|&text| text.to_owned()).collect();
        let depth = NonZeroU32::new(3).expect("not zero");
        Ask::find(name).expect("known").fill(FEN, &moves, depth)
    }

    #[test]
    fn questions() {
        let position = format!("position fen {FEN}");
        assert_eq!(fill("go-perft", &[]), [position.as_str(), "go perft 3"]);
        let moved = format!("{position} moves e1g1 e8e7");
        assert_eq!(fill("perft", &["e1g1", "e8e7"]), [&moved, "perft 3"]);
        assert_eq!(fill("perft-fen", &["e1g1"]), [format!("perft 3 {FEN}")]);
        let setboard = format!("setboard {FEN}");
        let expected = ["force", &setboard, "e1g1", "e8e7", "perft 3"];
        assert_eq!(fill("setboard-perft", &["e1g1", "e8e7"]), expected);
        assert_eq!(fill("script", &[]), ["3", FEN]);
        assert_eq!(fill("script", &["e1g1", "e8e7"]), ["3", FEN, "e1g1 e8e7"]);
    }

    #[test]
    fn given_templates() {
        let lines = |texts: &[&str]| {
            let texts: Vec<String> = texts.iter().map(|&text| text.to_owned()).collect();
            Ask::from_lines(&texts)
        };
        let ask = lines(&["load {fen}", "count {depth}"]).expect("well formed");
        assert_eq!((ask.name(), ask.takes_moves()), ("custom", false));
        assert_eq!(ask.to_string(), "load FEN, count N");
        for (texts, expected) in rows![
            ["position fen {fen}", "go {n}"].as_slice() =>
                "'{n}' in 'go {n}' is unknown, expected {fen}, {depth}, {moves} or {move}";
            &["go perft {depth}"] => "{fen} is missing from the templates";
            &["{fen}\n{depth}"] => "'{fen}\n{depth}' has a line break; give each line by itself";
        ] {
            let error = lines(texts).expect_err(expected);
            assert_eq!(error.to_string(), expected);
        }
        let (program, ask) =
            Ask::from_command("./perft -d {depth} -f \"{fen}\"").expect("well formed");
        assert_eq!(program, CommandLine::new("./perft"));
        let words = ask.fill(FEN, &[], NonZeroU32::MIN);
        assert_eq!(words, ["-d", "1", "-f", FEN]);
        assert!(Ask::from_command("./perft '{fen}").is_err());
        assert!(Ask::from_command("").is_err());
    }

    #[test]
    fn names_are_unique() {
        let mut names: Vec<&str> = Ask::known().iter().map(Ask::name).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
