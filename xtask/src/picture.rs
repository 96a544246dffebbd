//! The picture of the README: what a terminal shows of a run of `perft check`.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Color, RgbColor, Style};

/// What is shown in colour, by how the line begins.
const IN_COLOR: [(&str, AnsiColor); 3] = [
    ("FAULT", AnsiColor::BrightRed),
    ("listed:", AnsiColor::BrightYellow),
    ("WRONG", AnsiColor::BrightRed),
];
// The background of GitHub's dark theme.
const BACKGROUND: Color = Color::Rgb(RgbColor(13, 17, 23));

/// Draws a terminal with a command and what it printed, as SVG.
#[must_use]
pub fn picture(command: &str, printed: &str) -> String {
    let bold = Style::new().bold();
    let prompt = bold.fg_color(Some(AnsiColor::BrightGreen.into()));
    let mut text = format!("{prompt}${prompt:#} {bold}{command}{bold:#}\n");
    for line in printed.lines() {
        let color = IN_COLOR
            .iter()
            .find(|(start, _)| line.trim_start().starts_with(start))
            .map(|&(_, color)| color.into());
        let style = Style::new().fg_color(color);
        writeln!(text, "{style}{line}{style:#}").expect("a string takes all");
    }
    anstyle_svg::Term::new()
        .bg_color(BACKGROUND)
        .fg_color(Color::Rgb(RgbColor(201, 209, 217)))
        .render_svg(&text)
}
