//! Validates the options that an engine declares.

use uci::grammar::{EngineOption, Message, OptionKind};

/// Malformed lines that begin with `option`, and duplicate names.
pub(in crate::compliance) fn unreadable(lines: &[String]) -> Vec<String> {
    let mut faults = Vec::new();
    let mut names: Vec<String> = Vec::new();
    for line in lines.iter().filter(|line| is_option(line)) {
        let Message::Option(option) = Message::parse(line) else {
            faults.push(format!("'{line}' has no name or no type that UCI knows"));
            continue;
        };
        let name = option.name.to_lowercase();
        if names.contains(&name) {
            faults.push(format!("option '{}' is declared twice", option.name));
        }
        names.push(name);
    }
    faults
}

fn is_option(line: &str) -> bool {
    line.split_ascii_whitespace().next() == Some("option")
}

/// The options declared by these lines.
pub(in crate::compliance) fn declared(lines: &[String]) -> Vec<EngineOption> {
    let read = |line: &String| match Message::parse(line) {
        Message::Option(option) => Some(option),
        _ => None,
    };
    lines.iter().filter_map(read).collect()
}

/// An inconsistency in the declaration of an option, if there is one.
pub(in crate::compliance) fn inconsistent(option: &EngineOption) -> Option<String> {
    let what = match &option.kind {
        OptionKind::Check { default: None } => "has no default that is true or false".to_owned(),
        OptionKind::Spin { default, min, max } => spin(*default, *min, *max)?,
        OptionKind::Combo { default, vars } => combo(default.as_deref(), vars)?,
        OptionKind::Check { .. } | OptionKind::Button | OptionKind::String { .. } => return None,
    };
    Some(format!("option '{}' {what}", option.name))
}

fn spin(default: Option<i64>, min: Option<i64>, max: Option<i64>) -> Option<String> {
    let (Some(default), Some(min), Some(max)) = (default, min, max) else {
        let missing = [("default", default), ("min", min), ("max", max)];
        let missing = missing.iter().find(|(_, value)| value.is_none());
        let (key, _) = missing.expect("one of them is missing");
        return Some(format!("has no {key} that is a whole number"));
    };
    if min > max {
        return Some(format!("has min {min} above max {max}"));
    }
    let is_within = (min..=max).contains(&default);
    (!is_within).then(|| format!("has default {default}, which is not from {min} to {max}"))
}

fn combo(default: Option<&str>, vars: &[String]) -> Option<String> {
    let Some(default) = default else {
        return Some("has no default".to_owned());
    };
    let is_var = vars.iter().any(|var| var.eq_ignore_ascii_case(default));
    (!is_var).then(|| format!("has default '{default}', which is none of its values"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn sound_options() {
        let lines = lines(
            "option name Hash type spin default 16 min 1 max 1024\n\
             option name Clear Hash type button\n\
             option name Style type combo default Solid var Solid var Risky\n\
             option name Ponder type check default false\n\
             option name Book type string default <empty>\n\
             option name File type string",
        );
        assert!(unreadable(&lines).is_empty());
        let declared = declared(&lines);
        assert_eq!(declared.len(), 6);
        assert_eq!(declared.iter().find_map(inconsistent), None);
    }

    #[test]
    fn unreadable_options() {
        let lines = lines(
            "option name Hash type spin default 16 min 1 max 1024\n\
             option name Hash2 type slider default 1\n\
             option type check default false\n\
             optional\n\
             option name HASH type button",
        );
        assert_eq!(
            unreadable(&lines),
            [
                "'option name Hash2 type slider default 1' has no name or no type that UCI knows",
                "'option type check default false' has no name or no type that UCI knows",
                "option 'HASH' is declared twice",
            ]
        );
    }

    #[test]
    fn inconsistent_options() {
        let rows = [
            (
                "spin default 0 min 1 max 9",
                "has default 0, which is not from 1 to 9",
            ),
            ("spin default 3 min 9 max 1", "has min 9 above max 1"),
            ("spin default 3 min 1", "has no max that is a whole number"),
            (
                "spin default x min 1 max 2",
                "has no default that is a whole number",
            ),
            ("check default yes", "has no default that is true or false"),
            ("combo var a var b", "has no default"),
            (
                "combo default c var a var b",
                "has default 'c', which is none of its values",
            ),
        ];
        for (kind, expected) in rows {
            let line = format!("option name X type {kind}");
            let options = declared(&[line]);
            let fault = inconsistent(&options[0]);
            assert_eq!(fault, Some(format!("option 'X' {expected}")));
        }
    }
}
