//! `fleet status`: jobs and workers.

use clap::{Args, ValueEnum};
use comfy_table::{CellAlignment, Table, presets};
use kit::{Exit, output};
use serde::Serialize;

use crate::connect::target;
use crate::postgres::Postgres;
use crate::{Broker as _, JobState, WorkerState};

/// Show jobs and workers: progress, leased and waiting chunks, alarms, and workers' silence.
#[derive(Debug, Args)]
pub(super) struct StatusArgs {
    /// URL of the server.
    #[arg(value_name = "URL", env = "FLEET_URL", hide_env_values = true)]
    url: String,
    /// Output format: human for people, json for programs.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Human,
    Json,
}

/// The data shown; also the structure of the JSON output.
#[derive(Debug, Serialize)]
struct Status {
    schema: &'static str,
    server: String,
    jobs: Vec<JobLine>,
    workers: Vec<WorkerLine>,
}

#[derive(Debug, Serialize)]
struct JobLine {
    id: String,
    kind: String,
    units: u64,
    done: u64,
    compared: u64,
    to_compare: u64,
    alarms: u64,
    /// A number of chunks, like `waiting`.
    leased: u64,
    waiting: u64,
    stopped: Option<String>,
}

#[derive(Debug, Serialize)]
struct WorkerLine {
    name: String,
    about: String,
    units: u64,
    silent_ms: u64,
    set_aside: Option<String>,
}

pub(super) fn run(args: &StatusArgs) -> anyhow::Result<Exit> {
    let target = target(&args.url)?;
    let shown = target.shown();
    let server = Postgres::connect(target)?;
    let waiting = server.waiting()?;
    let waits = |id: &str| {
        waiting
            .iter()
            .find(|(job, _)| job == id)
            .map_or(0, |found| found.1)
    };
    let jobs = server.jobs()?.into_iter();
    let status = Status {
        schema: "touchstone/fleet-status/1",
        server: shown,
        jobs: jobs
            .map(|job| JobLine {
                waiting: waits(&job.job.id),
                ..JobLine::from(job)
            })
            .collect(),
        workers: server
            .workers()?
            .into_iter()
            .map(WorkerLine::from)
            .collect(),
    };
    output::to_stdout(match args.format {
        Format::Human => status.human(),
        Format::Json => serde_json::to_string(&status)? + "\n",
    })?;
    let has_alarms = status.jobs.iter().any(|job| job.alarms > 0);
    Ok(if has_alarms {
        Exit::Differs
    } else {
        Exit::Agreed
    })
}

impl From<JobState> for JobLine {
    fn from(state: JobState) -> Self {
        Self {
            id: state.job.id,
            kind: state.job.kind,
            units: state.progress.units,
            done: state.progress.done,
            compared: state.progress.compared,
            to_compare: state.progress.to_compare,
            alarms: state.progress.alarms,
            leased: state.leased,
            waiting: 0,
            stopped: state.progress.stopped,
        }
    }
}

impl From<WorkerState> for WorkerLine {
    fn from(state: WorkerState) -> Self {
        Self {
            name: state.worker.name,
            about: state.worker.about,
            units: state.units,
            silent_ms: state.silent_ms,
            set_aside: state.set_aside,
        }
    }
}

impl JobLine {
    fn standing(&self) -> String {
        match &self.stopped {
            Some(reason) => format!("stopped: {reason}"),
            None if self.done == self.units => "complete".into(),
            None => "goes on".into(),
        }
    }
}

impl Status {
    fn human(&self) -> String {
        let mut text = format!("{}\n\n", self.server);
        text += &table(
            &[
                "job", "kind", "done", "of", "compared", "of", "leased", "waiting", "alarms", "",
            ],
            2..9,
            self.jobs.iter().map(|job| {
                let mut row = vec![job.id.clone(), job.kind.clone()];
                let numbers = [
                    job.done,
                    job.units,
                    job.compared,
                    job.to_compare,
                    job.leased,
                    job.waiting,
                    job.alarms,
                ];
                row.extend(numbers.map(output::grouped));
                row.push(job.standing());
                row
            }),
            "no jobs\n",
        );
        text += "\n";
        text += &table(
            &["worker", "units", "silent", "", "about"],
            1..3,
            self.workers.iter().map(|worker| {
                let aside = worker.set_aside.as_ref();
                vec![
                    worker.name.clone(),
                    output::grouped(worker.units),
                    format!("{} s", output::grouped(worker.silent_ms / 1000)),
                    aside.map_or_else(String::new, |reason| format!("set aside: {reason}")),
                    worker.about.clone(),
                ]
            }),
            "no workers\n",
        );
        text
    }
}

/// Aligns columns of numbers to the right.
fn table(
    header: &[&str],
    numbers: std::ops::Range<usize>,
    rows: impl Iterator<Item = Vec<String>>,
    empty: &str,
) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(header.to_vec());
    for row in rows {
        table.add_row(row);
    }
    if table.row_count() == 0 {
        return empty.to_owned();
    }
    for column in numbers {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let lines = table.lines().map(|line| line.trim_end().to_owned() + "\n");
    lines.collect()
}
