//! Parses a configuration in TOML. Pure.

use super::draft::Draft;

/// A file that is not a valid configuration.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}:{column}: {reason}")]
pub struct ParseConfigError {
    /// Name of the file.
    pub file: String,
    /// Line number, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// The fault, and what was expected.
    pub reason: String,
}

/// Parses the text of a file; `file` is its name in errors.
///
/// # Errors
///
/// When it is not TOML, or has an unknown key or an invalid value.
pub fn parse(text: &str, file: &str) -> Result<Draft, ParseConfigError> {
    toml::from_str(text).map_err(|error: toml::de::Error| {
        let offset = error.span().map_or(0, |span| span.start.min(text.len()));
        let before = text.get(..offset).unwrap_or_default();
        let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
        let reason = error.message().trim_end_matches('.');
        ParseConfigError {
            file: file.to_owned(),
            line: before.matches('\n').count() + 1,
            column,
            reason: reason.replace('\n', ", "),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{BookOrder, Format};

    const ALL: &str = r#"
system = "round-robin"
rounds = 10
concurrency = 2
pin = true
seed = 7
event = "E"
site = "S"

[each]
tc = "10+0.1"
option.Threads = 1
option.Hash = 16

[[engine]]
cmd = "./one"
args = ["-a", "b c"]
env.X = "1"

[[engine]]
cmd = "./two"
args = "-a 'b c'"
st = 0.5
ponder = true
restart = "on"
startup = ["one"]

[openings]
file = "book.epd"
order = "sequential"
start = 3

[adjudication]
resign = { moves = 3, score = 400, two-sided = true }
draw = { from = 40, moves = 8, score = 10 }
max-moves = 200

[sprt]
elo0 = 0
elo1 = 5.0
model = "normalized"

[build]
repo = "."
command = "make"
artifact = "engine"
"#;

    #[test]
    fn everything_is_read() {
        let draft = parse(ALL, "x").expect("a configuration");
        assert_eq!(draft.system, Some(Format::RoundRobin));
        assert_eq!(draft.openings.order, Some(BookOrder::Sequential));
        assert_eq!(draft.engines[0].args, draft.engines[1].args);
        assert_eq!(draft.engines[1].st.map(|st| st.ms), Some(500));
        // In the order of the file.
        let names: Vec<_> = draft.each.option.iter().map(|(name, _)| &**name).collect();
        assert_eq!(names, ["Threads", "Hash"]);
        assert_eq!(draft.sprt.elo0, Some(0.0));
    }

    #[test]
    fn errors_say_where_and_what_was_expected() {
        let rows = [
            ("rounds = x", "f:1:10: "),
            ("\n[each]\n  tc = \"10+\"", "f:3:8: "),
            (
                "[each]\nhash = 1",
                "f:2:1: unknown field `hash`, expected one of `cmd`, ",
            ),
            (
                "rounds = \"many\"",
                "f:1:10: invalid type: string \"many\", expected u64",
            ),
            ("[[engine]]\nnodes = -1", "f:2:9: "),
            (
                "[each]\noption.Hash = 1\noption.hash = 2",
                "f:2:1: option.hash: it is given twice",
            ),
            (
                "[adjudication]\nresign = { moves = 1 }",
                "f:2:10: missing field `score`",
            ),
            (
                "system = \"league\"",
                "f:1:10: unknown variant `league`, expected one of ",
            ),
        ];
        for (text, expected) in rows {
            let found = parse(text, "f").expect_err(text).to_string();
            assert!(found.starts_with(expected), "{found}");
            assert!(!found.contains('\n'), "{found}");
        }
    }
}
