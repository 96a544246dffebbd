//! The picture of the README: a run of `perft check` on an engine that breaks one rule.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use anstyle::{AnsiColor, Color, RgbColor, Style};
use anyhow::{Context as _, ensure};

/// The third of the classic positions; the engine captures en passant though the rank opens.
const COMMAND: &str =
    "perft check --engine ./my-engine --fen '8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1' --depth 4";
const ENGINE: &str = "#!/bin/sh\nexec scripted_engine --bug 'lists/ep-kings-rank/*'\n";
/// What is shown in colour, by how the line begins.
const IN_COLOR: [(&str, AnsiColor); 3] = [
    ("FAULT", AnsiColor::BrightRed),
    ("listed:", AnsiColor::BrightYellow),
    ("WRONG", AnsiColor::BrightRed),
];
// The background of GitHub's dark theme.
const BACKGROUND: Color = Color::Rgb(RgbColor(13, 17, 23));

/// Builds the programs, runs the command, and draws what a terminal shows, as SVG.
///
/// # Errors
///
/// If something cannot be built or run, or no fault is found.
#[expect(clippy::disallowed_methods, reason = "the programs are run")]
pub fn picture(root: &Path) -> anyhow::Result<String> {
    for what in [
        ["-p", "touchstone-perft", "--bin", "perft"],
        ["-p", "touchstone-testkit", "--example", "scripted_engine"],
    ] {
        let built = Command::new("cargo")
            .arg("build")
            .args(what)
            .current_dir(root)
            .status()?;
        ensure!(built.success(), "cargo build {}: {built}", what.join(" "));
    }
    let folder = tempfile::tempdir()?;
    std::fs::write(folder.path().join("my-engine"), ENGINE)?;
    let target = std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| root.join("target"), Into::into)
        .join("debug");
    let system = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(
        [target.clone(), target.join("examples")]
            .into_iter()
            .chain(std::env::split_paths(&system)),
    )?;
    let ran = Command::new("sh")
        .args(["-c", &format!("chmod +x my-engine && {COMMAND}")])
        .current_dir(folder.path())
        .env("PATH", path)
        .output()?;
    let shown = String::from_utf8(ran.stdout).context("the report")?;
    ensure!(ran.status.code() == Some(1), "no fault was found: {shown}");
    Ok(drawn(&shown))
}

fn drawn(shown: &str) -> String {
    let bold = Style::new().bold();
    let prompt = bold.fg_color(Some(AnsiColor::BrightGreen.into()));
    let mut text = format!("{prompt}${prompt:#} {bold}{COMMAND}{bold:#}\n");
    for line in shown.lines() {
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
