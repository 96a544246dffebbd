//! Reports for people and programs.

use std::fmt::Write as _;

use chess::notation::fen;
use kit::Exit;
use kit::output::counted;
use kit::report::{self, Case, CaseSuite, Report, Section, Status};
use serde_json::{Value, json};

use super::{Checked, Listed, TextPlace, VerifyOutcome, VerifyVerdict};

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
impl Report for VerifyVerdict {
    fn command(&self) -> &'static str {
        "crowd verify"
    }

    fn suites(&self) -> Vec<CaseSuite<'_>> {
        let cases = self.checked.iter().map(case);
        vec![CaseSuite::new(engine_name(self), cases)]
    }

    /// Each position that does not agree.
    fn sections(&self) -> Vec<Section<'_>> {
        let cases = self.checked.iter().map(case);
        let text = cases.map(|case| match case.status {
            Status::Failed => case.details.into_owned(),
            Status::Error => format!("{}: {}: {}\n", case.name, case.rule, case.text),
            _ => String::new(),
        });
        vec![Section::Cases(Box::new(text))]
    }

    fn verdict(&self) -> report::Verdict {
        let statuses = self.checked.iter().map(Checked::status);
        let ended = self.is_interrupted.then_some(Status::Open);
        let stopped = if self.is_interrupted {
            "stopped: interrupted\n"
        } else {
            ""
        };
        report::Verdict {
            exit: Status::exit(statuses.chain(ended)),
            text: format!("{stopped}{}", sum(self)),
        }
    }

    fn facts(&self) -> Value {
        json!({"engine": self.engine, "stopped": self.is_interrupted.then_some("interrupted")})
    }
}

fn engine_name(verdict: &VerifyVerdict) -> String {
    verdict.engine.as_deref().map_or("the engine".into(), clean)
}

fn case(checked: &Checked) -> Case<'_> {
    let (trusted, fen) = (checked.case.moves.len(), fen::write(&checked.case.position));
    let name = clean(&checked.case.name);
    let mut facts = json!({"fen": fen, "trusted": trusted, "source": checked.case.source});
    let (moves, against) = match &checked.outcome {
        VerifyOutcome::Failed(why) => {
            let case = Case::not_passed(Status::Error, name, "no list", why.as_str());
            return case.details(fen).facts(facts);
        }
        VerifyOutcome::Listed { moves, against } => (moves, against),
    };
    facts["listed"] = json!(moves);
    facts["missing"] = json!(against.missing);
    facts["superfluous"] = json!(against.superfluous);
    if against.agrees() {
        return Case::passed(name).facts(facts);
    }
    let mut lines = format!("{name}: {moves} listed, {trusted} trusted: {fen}\n");
    for named in &against.missing {
        let _ = writeln!(
            lines,
            "  missing {} {}: {}",
            named.uci, named.san, named.why
        );
    }
    for row in &against.superfluous {
        let _ = writeln!(lines, "  superfluous {}: {}", row.text, row.why);
    }
    let (missing, superfluous) = (against.missing.len(), against.superfluous.len());
    let text = format!("{missing} missing, {superfluous} superfluous");
    let case = Case::not_passed(Status::Failed, name, "", text);
    case.details(lines).facts(facts)
}

fn sum(verdict: &VerifyVerdict) -> String {
    let name = engine_name(verdict);
    let mut text = format!(
        "{name}: {}, {} agreed, {} differ, {} without a list",
        counted(verdict.checked.len(), "position"),
        verdict.count(Status::Passed),
        verdict.count(Status::Failed),
        verdict.count(Status::Error)
    );
    let generator = verdict.by_generator();
    if generator > 0 {
        let _ = write!(
            text,
            "; {} by our generator",
            counted(generator, "trusted list")
        );
    }
    text
}

/// Foreign text, without characters that would move the cursor.
fn clean(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { '?' } else { c })
        .collect()
}
