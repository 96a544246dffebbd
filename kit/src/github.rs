//! Workflow commands of GitHub Actions: annotations, which GitHub shows on a job and in the diff of
//! a pull request.
//!
//! Source: GitHub's documentation, "Workflow commands for GitHub Actions".

use std::borrow::Cow;
use std::fmt;
use std::path::PathBuf;

/// The file of a workflow's summary, if this is one.
#[expect(
    clippy::disallowed_methods,
    reason = "an edge: GitHub names it in the environment"
)]
pub fn summary_file() -> Option<PathBuf> {
    let path = std::env::var_os("GITHUB_STEP_SUMMARY")?;
    (!path.is_empty()).then(|| path.into())
}

/// The severity of an annotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnnotationLevel {
    /// A fault that makes the program exit with a code other than 0.
    Error,
    /// A possible fault.
    Warning,
    /// Information.
    Notice,
}

/// The place of an annotation in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "report", derive(serde::Serialize))]
pub struct AnnotationPlace<'a> {
    /// Path relative to the repository.
    pub file: Cow<'a, str>,
    /// Line number, from 1.
    pub line: usize,
    /// Column number, from 1.
    #[cfg_attr(feature = "report", serde(skip_serializing_if = "Option::is_none"))]
    pub column: Option<usize>,
}

/// One annotation; [`fmt::Display`] writes its line without a line feed.
///
/// ```
/// use kit::github::{Annotation, AnnotationLevel, AnnotationPlace};
///
/// let annotation = Annotation {
///     level: AnnotationLevel::Error,
///     title: "newly failed",
///     place: Some(&AnnotationPlace { file: "a,b.epd".into(), line: 3, column: None }),
///     message: "50% of\nall",
/// };
/// assert_eq!(
///     annotation.to_string(),
///     "::error file=a%2Cb.epd,line=3,title=newly failed::50%25 of%0Aall"
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Annotation<'a> {
    /// The severity.
    pub level: AnnotationLevel,
    /// The heading: the fault in a few words.
    pub title: &'a str,
    /// The place in a file; without one, the annotation belongs to the whole job.
    pub place: Option<&'a AnnotationPlace<'a>>,
    /// The full message, which may have several lines.
    pub message: &'a str,
}

impl fmt::Display for Annotation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.level {
            AnnotationLevel::Error => "::error ",
            AnnotationLevel::Warning => "::warning ",
            AnnotationLevel::Notice => "::notice ",
        })?;
        if let Some(AnnotationPlace { file, line, column }) = self.place {
            write!(f, "file={},line={line},", property(file))?;
            if let Some(column) = column {
                write!(f, "col={column},")?;
            }
        }
        write!(f, "title={}::{}", property(self.title), data(self.message))
    }
}

/// Escapes the message of a workflow command.
fn data(text: &str) -> String {
    // The percent sign first, because it escapes the others.
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// Escapes a property of a workflow command, which needs more than the message.
fn property(text: &str) -> String {
    data(text).replace(',', "%2C").replace(':', "%3A")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn annotations_are_one_line_each_with_a_title() {
        let place = AnnotationPlace {
            file: "C:\\a.epd".into(),
            line: 7,
            column: Some(2),
        };
        let rows = [
            (
                AnnotationLevel::Notice,
                Some(&place),
                "::notice file=C%3A\\a.epd,line=7,col=2,title=a%3A b%2C c::x: 1,2%0D%0Ay",
            ),
            (
                AnnotationLevel::Warning,
                None,
                "::warning title=a%3A b%2C c::x: 1,2%0D%0Ay",
            ),
        ];
        for (level, place, expected) in rows {
            let annotation = Annotation {
                level,
                title: "a: b, c",
                place,
                message: "x: 1,2\r\ny",
            };
            assert_eq!(annotation.to_string(), expected);
        }
    }
}
