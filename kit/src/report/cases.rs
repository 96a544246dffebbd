//! Cases and suites: what was checked, and how it ended.

use std::borrow::Cow;
use std::time::Duration;

use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::Exit;
use crate::github::{AnnotationLevel, AnnotationPlace};

/// How a case ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// It was checked, and agrees.
    Passed,
    /// A difference was found: exit code 1.
    Failed,
    /// An engine or the environment kept it from being checked: exit code 3.
    Error,
    /// It cannot be read: exit code 2.
    BadInput,
    /// It was not to be checked, or a difference is no fault.
    Skipped,
    /// The run ended before: exit code 130.
    Open,
}

impl Status {
    /// The name in formats for programs.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Error => "error",
            Self::BadInput => "bad-input",
            Self::Skipped => "skipped",
            Self::Open => "open",
        }
    }

    /// The exit code that cases of these kinds earn together, by [`Exit::worst`]; nothing, if all were
    /// skipped.
    pub fn exit(all: impl IntoIterator<Item = Self>) -> Exit {
        let exits = all.into_iter().filter_map(|status| match status {
            Self::Passed => Some(Exit::Agreed),
            Self::Failed => Some(Exit::Differs),
            Self::Error => Some(Exit::Failed),
            Self::BadInput => Some(Exit::BadInput),
            Self::Skipped => None,
            Self::Open => Some(Exit::Interrupted),
        });
        Exit::worst(exits).unwrap_or(Exit::Nothing)
    }
}

/// A thing that passed, failed, could not be checked or was skipped.
#[derive(Clone, Debug, Serialize)]
pub struct Case<'a> {
    /// Its name within its suite.
    pub name: Cow<'a, str>,
    /// By what dashboards group cases; without one, it is the name of the suite.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class: Option<Cow<'a, str>>,
    /// How it ended.
    pub status: Status,
    /// The rule that is broken, or the kind of the fault, in a word or two; may be empty.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub rule: Cow<'a, str>,
    /// What is wrong, or why it was skipped, in one line; may be empty.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub text: Cow<'a, str>,
    /// Further lines, such as a position.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub details: Cow<'a, str>,
    /// What an engine printed.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub output: Cow<'a, str>,
    /// Where it stands.
    #[serde(flatten)]
    pub place: Option<AnnotationPlace<'a>>,
    /// How severe an annotation of GitHub is; none for what has passed or was skipped, unless
    /// [`Case::annotated`] sets one.
    #[serde(skip)]
    pub level: Option<AnnotationLevel>,
    /// How long it took.
    #[serde(
        rename = "seconds",
        serialize_with = "seconds",
        skip_serializing_if = "Option::is_none"
    )]
    pub time: Option<Duration>,
    /// What else programs read of it, in JSON.
    #[serde(skip_serializing_if = "Value::is_null")]
    pub facts: Value,
}

#[expect(clippy::ref_option, reason = "serde demands it")]
fn seconds<S: Serializer>(time: &Option<Duration>, serializer: S) -> Result<S::Ok, S::Error> {
    time.map(|time| time.as_secs_f64()).serialize(serializer)
}

impl<'a> Case<'a> {
    fn new(name: impl Into<Cow<'a, str>>, status: Status) -> Self {
        let is_fault = matches!(status, Status::Failed | Status::Error | Status::BadInput);
        Self {
            name: name.into(),
            class: None,
            status,
            rule: Cow::default(),
            text: Cow::default(),
            details: Cow::default(),
            output: Cow::default(),
            place: None,
            level: is_fault.then_some(AnnotationLevel::Error),
            time: None,
            facts: Value::Null,
        }
    }

    /// A case that passed.
    pub fn passed(name: impl Into<Cow<'a, str>>) -> Self {
        Self::new(name, Status::Passed)
    }

    /// A case that did not pass, by a rule that may be empty, and what is wrong.
    pub fn not_passed(
        status: Status,
        name: impl Into<Cow<'a, str>>,
        rule: impl Into<Cow<'a, str>>,
        text: impl Into<Cow<'a, str>>,
    ) -> Self {
        Self {
            rule: rule.into(),
            text: text.into(),
            ..Self::new(name, status)
        }
    }

    /// A case that was not to be checked, or whose difference is no fault, with the reason.
    pub fn skipped(name: impl Into<Cow<'a, str>>, why: impl Into<Cow<'a, str>>) -> Self {
        Self::not_passed(Status::Skipped, name, "", why)
    }

    /// A case that the run did not reach.
    pub fn open(name: impl Into<Cow<'a, str>>) -> Self {
        Self::not_passed(
            Status::Open,
            name,
            "",
            "not reached: the run was interrupted",
        )
    }

    /// With further lines.
    #[must_use]
    pub fn details(mut self, details: impl Into<Cow<'a, str>>) -> Self {
        self.details = details.into();
        self
    }

    /// With what else programs read of it: an object.
    #[must_use]
    pub fn facts(mut self, facts: Value) -> Self {
        self.facts = facts;
        self
    }

    /// With the time it took.
    #[must_use]
    pub fn took(mut self, time: impl Into<Option<Duration>>) -> Self {
        self.time = time.into();
        self
    }

    /// With its place in a file.
    #[must_use]
    pub fn at(mut self, file: impl Into<Cow<'a, str>>, line: usize) -> Self {
        self.place = Some(AnnotationPlace {
            file: file.into(),
            line,
            column: None,
        });
        self
    }

    /// With an annotation of this severity, or with none.
    #[must_use]
    pub fn annotated(mut self, level: Option<AnnotationLevel>) -> Self {
        self.level = level;
        self
    }

    /// `rule: text`, or what there is of the two.
    pub(super) fn message(&self) -> Cow<'_, str> {
        match (&*self.rule, &*self.text) {
            ("", text) => Cow::Borrowed(text),
            (rule, "") => Cow::Borrowed(rule),
            (rule, text) => Cow::Owned(format!("{rule}: {text}")),
        }
    }
}

/// Cases with one name above them: an engine, a file.
pub struct CaseSuite<'a> {
    /// What the cases are of.
    pub name: Cow<'a, str>,
    /// How long they took together.
    pub time: Option<Duration>,
    /// The cases, made while they are read.
    pub cases: Box<dyn Iterator<Item = Case<'a>> + 'a>,
}

impl<'a> CaseSuite<'a> {
    /// A suite of these cases.
    pub fn new(
        name: impl Into<Cow<'a, str>>,
        cases: impl IntoIterator<Item = Case<'a>, IntoIter: 'a>,
    ) -> Self {
        Self {
            name: name.into(),
            time: None,
            cases: Box::new(cases.into_iter()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_case_decides() {
        use Status::{BadInput, Error, Failed, Open, Passed, Skipped};
        let rows: [(&[Status], Exit); 8] = [
            (&[], Exit::Nothing),
            (&[Skipped], Exit::Nothing),
            (&[Passed, Skipped], Exit::Agreed),
            (&[Passed, BadInput], Exit::BadInput),
            (&[BadInput, Error, Passed], Exit::Failed),
            (&[Error, Failed, BadInput], Exit::Differs),
            (&[Failed, Open], Exit::Interrupted),
            (&[Error], Exit::Failed),
        ];
        for (statuses, exit) in rows {
            assert_eq!(Status::exit(statuses.iter().copied()), exit, "{statuses:?}");
        }
    }
}
