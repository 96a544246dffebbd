//! `cargo run -p touchstone-xtask` regenerates the drawings of `docs/ARCHITECTURE.md`; with a
//! command, it does what that says.
#![expect(clippy::disallowed_methods, reason = "the page is read and written")]
#![expect(clippy::print_stdout, reason = "the result")]

use std::path::Path;

use clap::Parser;
use xtask::dist::{self, DistArgs};

/// Tasks of this repository
#[derive(Parser)]
struct Xtask {
    #[command(subcommand)]
    task: Option<XtaskCommand>,
}

#[derive(clap::Subcommand)]
enum XtaskCommand {
    /// Print how large the crates are, and lower the maxima of xtask/sizes.toml to it
    Sizes,
    /// Draw a terminal with a command and its output from standard input, for docs/pictures/hunt.svg
    Picture {
        /// The command as the picture shows it
        command: String,
    },
    /// Make the archive of a release for one target, with its bill of materials and checksums
    Dist(DistArgs),
}

fn main() -> anyhow::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .canonicalize()?;
    match Xtask::parse().task {
        None => {
            let path = root.join("docs/ARCHITECTURE.md");
            let page = std::fs::read_to_string(&path)?;
            std::fs::write(
                &path,
                xtask::with_drawings(&page, &root, &xtask::structures(&root)),
            )?;
        }
        Some(XtaskCommand::Sizes) => {
            let (path, sizes) = (root.join(xtask::MAXIMA), xtask::sizes(&root)?);
            let maxima = xtask::Maxima::parse(&std::fs::read_to_string(&path)?)?;
            print!("{}", xtask::table(&sizes));
            for line in maxima.exceeded(&sizes) {
                println!("too large: {line}");
            }
            std::fs::write(&path, maxima.lowered(&sizes))?;
        }
        Some(XtaskCommand::Picture { command }) => {
            let printed = std::io::read_to_string(std::io::stdin())?;
            print!("{}", xtask::picture(&command, &printed));
        }
        Some(XtaskCommand::Dist(args)) => dist::dist(&root, &args)?,
    }
    Ok(())
}
