//! The program `fuzz`; everything but the command line is in the library.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Parser;
use fuzz::run::{Meter, Plan, Tally, run};
use fuzz::{Mutator, Target, targets};
use kit::{BadInput, Exit, output};
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Seeded mutations of texts and bytes against the parsers
#[derive(Debug, Parser)]
struct Args {
    #[command(flatten)]
    common: kit::cli::Common,
    /// Number of inputs, shared between the targets
    ///
    /// Number of inputs, shared evenly between the targets.
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    inputs: u64,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Number of the first input of each target
    ///
    /// With --inputs 1, the input that a failure names.
    #[arg(long, value_name = "N", default_value_t = 0)]
    first: u64,
    /// Run only this target; may be repeated
    #[arg(long, value_name = "NAME")]
    target: Vec<String>,
    /// Folder for inputs that fail
    #[arg(long, value_name = "DIR", default_value = "fuzz-failures")]
    failures: PathBuf,
    /// Print input --first of each target
    ///
    /// Instead of reading it.
    #[arg(long)]
    show: bool,
    /// List the targets
    #[arg(long)]
    list: bool,
}

fn main() -> ExitCode {
    kit::cli::run(try_main, |_| None)
}

fn try_main() -> anyhow::Result<Exit> {
    let args: Args = kit::cli::parse(kit::cli::EXIT_CODES, |args: &Args| args.common);
    let targets = chosen(&args.target)?;
    if args.list {
        let names: Vec<&str> = targets.iter().map(|target| target.name).collect();
        output::to_stdout(names.join("\n") + "\n")?;
        return Ok(Exit::Agreed);
    }
    let plan = Plan {
        seed: args.seed,
        first: args.first,
        inputs: args.inputs / targets.len().max(1) as u64,
        failures: args.failures,
    };
    if args.show {
        for target in targets {
            output::to_stdout(Mutator::new(target, plan.seed).input(plan.first))?;
        }
        return Ok(Exit::Agreed);
    }
    if plan.inputs == 0 {
        return Ok(Exit::Nothing);
    }
    let checks = if cfg!(debug_assertions) { "on" } else { "off" };
    output::to_stdout(format!(
        "seed {}, inputs {} to {} of each target, debug assertions {checks}\n\
         {:<18} {:>9} {:>6} {:>8} {:>9} {:>11} {:>14} {:>11} {:>14}\n",
        plan.seed,
        plan.first,
        plan.first + plan.inputs - 1,
        "target",
        "inputs",
        "read %",
        "seconds",
        "inputs/s",
        "slowest ms",
        "(input, bytes)",
        "memory KiB",
        "(input, bytes)",
    ))?;
    let mut failed = 0;
    for target in targets {
        let meter = Meter {
            reset: || {
                MEMORY.reset_peak_usage();
                MEMORY.current_usage()
            },
            peak: || MEMORY.peak_usage(),
        };
        let tally = run(target, &plan, Some(meter)).context("cannot start a thread")?;
        output::to_stdout(row(target.name, &tally))?;
        output::to_stdout(failures(target.name, &plan, &tally)?)?;
        failed += tally.failed;
    }
    Ok(if failed == 0 {
        Exit::Agreed
    } else {
        Exit::Differs
    })
}

fn chosen(names: &[String]) -> anyhow::Result<Vec<&'static Target>> {
    if names.is_empty() {
        return Ok(targets::all().collect());
    }
    let find = |name: &String| {
        let found = targets::all().find(|target| target.name == name);
        found.ok_or_else(|| BadInput(format!("unknown target '{name}'; --list prints all")))
    };
    Ok(names.iter().map(find).collect::<Result<_, _>>()?)
}

#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
fn row(name: &str, tally: &Tally) -> String {
    let (slowest, greatest) = (tally.slowest, tally.greatest);
    let place = |number: u64, length: usize| format!("({number}, {length})");
    format!(
        "{name:<18} {:>9} {:>6.1} {:>8.1} {:>9.0} {:>11.2} {:>14} {:>11} {:>14}\n",
        tally.inputs,
        100.0 * tally.read as f64 / tally.inputs as f64,
        tally.elapsed.as_secs_f64(),
        tally.rate(),
        slowest.amount.as_secs_f64() * 1e3,
        place(slowest.number, slowest.length),
        greatest.amount >> 10,
        place(greatest.number, greatest.length),
    )
}

fn failures(name: &str, plan: &Plan, tally: &Tally) -> anyhow::Result<String> {
    if tally.failed == 0 {
        return Ok(String::new());
    }
    let kept = tally.keep(name, plan);
    let kept = kept.with_context(|| format!("cannot write to {}", plan.failures.display()))?;
    let mut text = format!("  {} failed, {} kinds:\n", tally.failed, kept.len());
    for (failure, path) in kept {
        let what: String = failure.what.chars().take(400).collect();
        writeln!(text, "  {}: {what}", path.display())?;
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_fits_a_screen() {
        kit::cli::help::check(kit::cli::command::<Args>(kit::cli::EXIT_CODES));
    }
}
