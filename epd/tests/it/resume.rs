//! `epd run --resume FILE`: whatever happens to a run, its results stay the same.

#![expect(clippy::disallowed_methods, reason = "journals are written and read")]

use std::fs;
use std::path::{Path, PathBuf};

use regex::Regex;
use tempfile::TempDir;
use testkit::programs::wait_until;

use crate::common::{self, check, ends, holds, place, run_in, scripted_engine, spawn};

/// Moves in a folder of its own.
struct Run {
    folder: TempDir,
    engine: String,
}

impl Run {
    /// An engine with these flags, and two suites: 100 positions.
    fn new(flags: &str) -> Self {
        let folder = place();
        let engine = format!("'{}' {flags}", scripted_engine());
        Self { folder, engine }
    }

    fn journal(&self) -> PathBuf {
        self.folder.path().join("journal.jsonl")
    }

    fn read(&self) -> String {
        fs::read_to_string(self.journal()).expect("the journal is there")
    }

    fn write(&self, journal: impl AsRef<[u8]>) {
        fs::write(self.journal(), journal).expect("written");
    }

    /// Two suites, with every file that a run can write.
    fn arguments<'a>(&'a self, more: &'a str) -> Vec<&'a str> {
        let mut arguments = vec!["run", "mate-in-1", "mate-in-4", "--engine", &self.engine];
        arguments.extend(["--nodes", "1000", "-j", "2"]);
        arguments.extend(common::words(more));
        arguments
    }

    fn run(&self, more: &str) -> String {
        run_in(&self.folder, &self.arguments(more))
    }

    fn resume(&self, more: &str) -> String {
        self.run(&format!("--resume journal.jsonl {more}"))
    }

    /// All that a run writes.
    fn everything(&self, more: &str) -> Vec<String> {
        let files = ["base.json", "junit.xml", "found.epd"];
        let [base, junit, records] = files;
        let more = format!("{more} --save {base} -o {junit} -o {records} --format json");
        let mut texts = vec![self.run(&more)];
        texts.extend(files.map(|file| common::read(&self.folder, file)));
        texts
    }
}

/// Without times, which no two runs share.
fn without_times(texts: &[String]) -> Vec<String> {
    let patterns = [
        r#""(seconds|search_seconds|solution_seconds|ms)": [\d.e-]+"#,
        r#"time="[\d.]+""#,
        r"in \d+\.\d\d s\b",
        r" +\d+\.\d{3} (<|>|!) ",
        r"; acs \d+",
    ];
    let patterns = patterns.map(|pattern| Regex::new(pattern).expect("a pattern"));
    let without = |text: &String| {
        let mut text = text.clone();
        for pattern in &patterns {
            text = pattern.replace_all(&text, "[time]").into_owned();
        }
        text
    };
    texts.iter().map(without).collect()
}

/// The finished searches of a journal so far.
fn searches_in(journal: &Path) -> usize {
    let text = fs::read_to_string(journal).unwrap_or_default();
    text.matches("\n{\"result\"").count()
}

#[test]
fn killed_again_and_again_gives_the_same_results() {
    // It thinks a little, so that there is time to kill the run.
    let run = Run::new("--first-move --sleep 25");
    let plain = run.everything("");
    let more = "--resume journal.jsonl";
    for (kill, searches) in [1, 20, 50, 90].into_iter().enumerate() {
        let mut child = spawn(&run.folder, &run.arguments(more));
        let has_grown = || searches_in(&run.journal()) >= searches;
        wait_until("the journal grows", has_grown);
        // On Unix this is SIGKILL.
        child.kill().expect("killed");
        let status = child.wait().expect("it ends");
        // On a machine that is busy enough, the last one is through before.
        assert!(searches >= 90 || !status.success(), "kill {kill}");
    }
    // The last line is torn, too.
    assert!(searches_in(&run.journal()) >= 90);
    let journal = run.read();
    let whole = journal.rfind('\n').expect("many lines");
    run.write(&journal[..whole - 20]);
    let mut resumed = run.everything(more);
    let note = "note: journal.jsonl: an incomplete last line is dropped\n";
    holds(&resumed[0], &[note]);
    resumed[0] = resumed[0].replace(note, "");
    assert_eq!(without_times(&resumed), without_times(&plain));
    assert_eq!(searches_in(&run.journal()), 100, "each is made once");
    // A complete journal gives all at once, times of searches included, and starts no engine.
    let journal = run.read();
    let [again, base, ..] = &run.everything(more)[..] else {
        panic!("four texts");
    };
    assert_eq!(*base, resumed[1]);
    let times = |text: &str| {
        let lines = text.lines().map(str::trim);
        let lines = lines.filter(|line| line.contains("_seconds\": "));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(times(again), times(&resumed[0]));
    assert_eq!(run.read(), journal);
}

#[test]
fn another_run_is_rejected() {
    let run = Run::new("--first-move");
    run.resume("");
    let journal = run.read();
    let other = |more: &str| run.resume(more).replace(&scripted_engine(), "[engine]");
    let mut texts = vec![
        other("tactics"),
        other("--depth 3"),
        other("--repeat 2"),
        other("--margin 3s"),
        other("--option Hash=2"),
    ];
    assert_eq!(run.read(), journal, "the journal is unchanged");
    // Another name is a later version.
    let text = journal.replace("\"name\":\"", "\"name\":\"Old ");
    let text: Vec<&str> = text.lines().collect();
    run.write(text[..text.len() - 1].join("\n") + "\n");
    texts.push(other(""));
    let texts = texts.join("\n");
    check!("resume_other_run", texts);
}

#[test]
fn files_that_cannot_be_a_journal() {
    let run = Run::new("--first-move");
    let mut texts = Vec::new();
    for file in ["nowhere/journal.jsonl", "."] {
        texts.push(run.run(&format!("--resume {file}")));
    }
    texts.push(run.run("--resume same.json --save same.json"));
    check!("resume_no_journal", texts.join("\n"));
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_says_how_to_resume() {
    use testkit::programs::{interrupt, shown};

    let run = Run::new("--first-move --sleep 100");
    let arguments = run.arguments("--resume journal.jsonl");
    let is_started = || searches_in(&run.journal()) > 0;
    let text = shown(interrupt(spawn(&run.folder, &arguments), is_started));
    let done = searches_in(&run.journal());
    let hint = format!("\n{done} of 100 searches are in journal.jsonl; to resume: ");
    ends(&text, 130, &[&hint]);
    assert!(text.ends_with(" --resume journal.jsonl\n"), "{text}");
    // Without a journal, that there is such a thing; a baseline is not saved of a part.
    let text = common::interrupted(&run.folder, &run.arguments("--save base.json"));
    ends(&text, 130, &["is not written: the run is not complete"]);
    let hint = "nothing is kept; with --resume FILE, the same command would resume\n";
    assert!(text.ends_with(hint), "{text}");
    assert!(!run.folder.path().join("base.json").exists());
}
