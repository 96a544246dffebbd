//! The formats of reports, and which of them a command has.

/// A format of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Format {
    /// Text for people
    Human,
    /// One JSON object
    Json,
    /// CSV with a line of names
    Csv,
    /// `JUnit` XML
    Junit,
    /// Workflow commands of GitHub Actions, and the text for people
    Github,
    /// A summary in Markdown
    Markdown,
    /// A page that needs nothing else
    Html,
    /// A picture
    Svg,
    /// EPD records
    Epd,
}

/// The formats of a command.
#[cfg(feature = "cli")]
pub trait Formats: Clone + Send + Sync + 'static {
    /// The formats, in the order of the help.
    const ALL: &'static [Format];
}

/// The formats of a command that checks cases.
#[cfg(feature = "cli")]
#[derive(Clone, Copy, Debug)]
pub struct CaseFormats;

#[cfg(feature = "cli")]
impl Formats for CaseFormats {
    const ALL: &'static [Format] = &[
        Format::Human,
        Format::Json,
        Format::Csv,
        Format::Junit,
        Format::Github,
        Format::Markdown,
    ];
}

/// The formats of a command with a text for people and a document for programs.
#[cfg(feature = "cli")]
#[derive(Clone, Copy, Debug)]
pub struct TextFormats;

#[cfg(feature = "cli")]
impl Formats for TextFormats {
    const ALL: &'static [Format] = &[Format::Human, Format::Json];
}

/// The formats of a command with a text, a document and a table.
#[cfg(feature = "cli")]
#[derive(Clone, Copy, Debug)]
pub struct TableFormats;

#[cfg(feature = "cli")]
impl Formats for TableFormats {
    const ALL: &'static [Format] = &[Format::Human, Format::Json, Format::Csv];
}

#[cfg(feature = "cli")]
impl Format {
    /// Reads the name of one of these formats.
    pub fn parser(formats: &'static [Self]) -> impl clap::builder::TypedValueParser<Value = Self> {
        use clap::ValueEnum as _;
        use clap::builder::{PossibleValuesParser, TypedValueParser as _};
        let values = formats.iter().filter_map(Self::to_possible_value);
        PossibleValuesParser::new(values)
            .map(|name| Self::from_str(&name, false).expect("it is one of the names"))
    }

    /// The format of a file, by the ending of its name.
    pub(crate) fn of_ending(ending: &str) -> Option<Self> {
        use clap::ValueEnum as _;
        match &*ending.to_ascii_lowercase() {
            "xml" => Some(Self::Junit),
            "md" => Some(Self::Markdown),
            ending => Self::from_str(ending, false).ok(),
        }
    }
}
