//! Reports for people and programs.

use std::fmt::Write as _;

use kit::Exit;
use kit::output::counted;
use kit::report::{self, Case, CaseSuite, Report, Section, Status};
use serde_json::{Value, json};

use super::{Listed, TextPlace};

/// The report of `crowd check`: a case for each difference, and one for a list without any.
pub struct ListReport<'a> {
    pub name: String,
    pub listed: &'a Listed,
}

impl Report for ListReport<'_> {
    fn command(&self) -> &'static str {
        "crowd check"
    }

    fn suites(&self) -> Vec<CaseSuite<'_>> {
        vec![CaseSuite::new(self.name.as_str(), self.cases())]
    }

    fn sections(&self) -> Vec<Section<'_>> {
        let listed = self.listed;
        let legal = counted(listed.legal, "legal move");
        let items = counted(listed.items, "item");
        let head = format!("{}\n{legal}, {items} listed\n", listed.fen);
        let lines = self
            .cases()
            .into_iter()
            .filter(|case| case.status != Status::Passed)
            .map(|case| format!("{} {}: {}\n", case.rule, case.name, case.text));
        vec![Section::text(head), Section::Cases(Box::new(lines))]
    }

    fn verdict(&self) -> report::Verdict {
        let exit = match self.listed.unreadable[..] {
            [] => Status::exit(self.cases().iter().map(|case| case.status)),
            // What cannot be read may be the move that is missing.
            [..] => Exit::BadInput,
        };
        let text = match exit {
            Exit::Agreed => "agrees".to_owned(),
            _ => "differs".to_owned(),
        };
        report::Verdict { exit, text }
    }

    fn facts(&self) -> Value {
        let Listed {
            fen, legal, items, ..
        } = self.listed;
        json!({"fen": fen, "legal": legal, "items": items})
    }
}

impl ListReport<'_> {
    fn cases(&self) -> Vec<Case<'_>> {
        use Status::{BadInput, Failed};
        let listed = self.listed;
        if listed.agrees() {
            return vec![Case::passed("legal moves")];
        }
        let missing = listed.missing.iter().map(|named| {
            let name = format!("{} {} {}", named.thesis, named.uci, named.san);
            Case::not_passed(Failed, name, "missing", &*named.why).facts(json!(named))
        });
        let item = |status, rule: &'static str, place: TextPlace, text: &str, why: String| {
            let case = Case::not_passed(status, format!("{place}: '{text}'"), rule, why);
            case.at(&*self.name, place.line)
        };
        let wrong = listed.wrong.iter();
        let wrong = wrong.map(|one| {
            item(Failed, "wrong", one.place, &one.text, one.why.clone()).facts(json!(one))
        });
        let repeated = listed.repeated.iter().map(|one| {
            let why = format!("{} stands at {} already", one.squares, one.first);
            item(Failed, "repeated", one.place, &one.text, why).facts(json!(one))
        });
        let unreadable = listed.unreadable.iter().map(|(place, text, why)| {
            let facts = json!({"column": place.column, "text": text});
            item(BadInput, "unreadable", *place, text, why.to_string()).facts(facts)
        });
        let placed = wrong.chain(repeated).chain(unreadable);
        missing.chain(placed).collect()
    }
}

/// The report of `crowd verify`: a case for each position.
#[derive(Debug, Default)]
pub struct VerifyReport {
    /// The name in the engine's `id name`.
    pub engine: Option<String>,
    pub cases: Vec<Case<'static>>,
    /// Number of trusted lists from our generator, for lack of `lm` in the file.
    pub by_generator: usize,
    /// Whether the user ended the run before the last case.
    pub is_interrupted: bool,
}

impl VerifyReport {
    fn engine_name(&self) -> String {
        self.engine.as_deref().map_or("the engine".into(), clean)
    }
}

impl Report for VerifyReport {
    fn command(&self) -> &'static str {
        "crowd verify"
    }

    fn suites(&self) -> Vec<CaseSuite<'_>> {
        vec![CaseSuite::new(
            self.engine_name(),
            self.cases.iter().cloned(),
        )]
    }

    /// Each position that does not agree.
    fn sections(&self) -> Vec<Section<'_>> {
        let text = self.cases.iter().map(|case| match case.status {
            Status::Failed => case.details.to_string(),
            Status::Error => format!("{}: {}: {}\n", case.name, case.rule, case.text),
            _ => String::new(),
        });
        vec![Section::Cases(Box::new(text))]
    }

    fn verdict(&self) -> report::Verdict {
        let statuses = self.cases.iter().map(|case| case.status);
        let ended = self.is_interrupted.then_some(Status::Open);
        let count = |status| statuses.clone().filter(|one| *one == status).count();
        let mut text = format!(
            "{}{}: {}, {} agreed, {} differ, {} without a list",
            ended.map_or("", |_| "stopped: interrupted\n"),
            self.engine_name(),
            counted(self.cases.len(), "position"),
            count(Status::Passed),
            count(Status::Failed),
            count(Status::Error)
        );
        if self.by_generator > 0 {
            let lists = counted(self.by_generator, "trusted list");
            let _ = write!(text, "; {lists} by our generator");
        }
        report::Verdict {
            exit: Status::exit(statuses.chain(ended)),
            text,
        }
    }

    fn facts(&self) -> Value {
        json!({"engine": self.engine, "stopped": self.is_interrupted.then_some("interrupted")})
    }
}

/// Foreign text, without characters that would move the cursor.
pub(super) fn clean(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { '?' } else { c })
        .collect()
}
