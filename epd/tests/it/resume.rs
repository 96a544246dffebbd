//! `epd run --resume FILE`: whatever happens to a run, its results stay the same.

#![expect(clippy::disallowed_methods, reason = "journals are written and read")]

use std::fs;
use std::path::{Path, PathBuf};

use regex::Regex;
use tempfile::TempDir;
use testkit::programs::wait_until;

use crate::common::{self, check, run_in, scripted_engine, spawn};

/// Moves in a folder of its own.
struct Run {
    folder: TempDir,
    engine: String,
}

impl Run {
    /// An engine with these flags, and two suites: 100 positions.
    fn new(flags: &str) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
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

    fn resume(&self, more: &str) -> String {
        let more = format!("--resume journal.jsonl {more}");
        run_in(self.folder.path(), &self.arguments(&more))
    }

    /// All that a run writes.
    fn everything(&self, more: &str) -> Vec<String> {
        let files = ["base.json", "junit.xml", "found.epd"];
        let [base, junit, records] = files;
        let more = format!("{more} --save {base} -o {junit} -o {records} --format json");
        let mut texts = vec![run_in(self.folder.path(), &self.arguments(&more))];
        texts.extend(files.map(|file| common::read(self.folder.path(), file)));
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
        let mut child = spawn(run.folder.path(), &run.arguments(more));
        wait_until("the journal grows", || {
            searches_in(&run.journal()) >= searches
        });
        // On Unix this is SIGKILL.
        child.kill().expect("killed");
        let status = child.wait().expect("it ends");
        // On a machine that is busy enough, the last one is through before.
        assert!(searches >= 90 || !status.success(), "kill {kill}");
    }
    assert!(searches_in(&run.journal()) >= 90);
    let resumed = run.everything(more);
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
fn faults_are_kept_too() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suites");
    let place = tempfile::tempdir().expect("a folder");
    let journal = place.path().join("journal.jsonl").display().to_string();
    let engine = format!("'{}' faults.txt", scripted_engine());
    let mut arguments = vec!["run", "faults.epd", "--engine", &engine, "--format", "json"];
    arguments.extend(common::words("-j 1 --nodes 9 --timeout 1s --margin 1s"));
    let resumed = [&arguments[..], &["--resume", &journal]].concat();
    let first = run_in(&folder, &resumed);
    assert!(first.starts_with("exit 3\n"), "{first}");
    let again = run_in(&folder, &resumed);
    let texts = without_times(&[first, again]);
    assert_eq!(texts[0], texts[1]);
}

#[test]
fn a_torn_line_is_searched_again_with_a_note() {
    let run = Run::new("--first-move");
    let whole = run.resume("");
    let journal = run.read();
    let last = journal.trim_end().rfind('\n').expect("many lines");
    run.write(&journal[..last + 40]);
    let text = run.resume("");
    let lines = journal.lines().count();
    let note = "note: journal.jsonl: an incomplete last line is dropped\n";
    let texts = [text.replace(note, ""), whole];
    assert_ne!(texts[0], text, "{text}");
    let texts = without_times(&texts);
    // The last column of the table.
    let seconds = Regex::new(r"\d+\.\d\d\n").expect("a pattern");
    let [found, expected] = [0, 1].map(|index| seconds.replace_all(&texts[index], "\n"));
    assert_eq!(found, expected);
    assert_eq!(run.read().lines().count(), lines);
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
    for notes in ["# my notes\n", "# my notes"] {
        run.write(notes);
        texts.push(other(""));
        assert_eq!(run.read(), notes, "the file is unchanged");
    }
    let texts = texts.join("\n");
    check!("resume_other_run", texts);
}

#[test]
fn files_that_cannot_be_a_journal() {
    let run = Run::new("--first-move");
    let mut texts = Vec::new();
    for file in ["nowhere/journal.jsonl", "."] {
        let more = format!("--resume {file}");
        texts.push(run_in(run.folder.path(), &run.arguments(&more)));
    }
    let more = "--resume same.json --save same.json";
    texts.push(run_in(run.folder.path(), &run.arguments(more)));
    check!("resume_no_journal", texts.join("\n"));
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_says_how_to_resume() {
    use testkit::programs::{interrupt, shown};

    let run = Run::new("--first-move --sleep 100");
    let arguments = run.arguments("--resume journal.jsonl");
    let child = spawn(run.folder.path(), &arguments);
    let text = shown(interrupt(child, || searches_in(&run.journal()) > 0));
    let done = searches_in(&run.journal());
    assert!(text.starts_with("exit 130\n"), "{text}");
    let hint = format!("\n{done} of 100 searches are in journal.jsonl; to resume: ");
    assert!(text.contains(&hint), "{text}");
    assert!(text.ends_with(" --resume journal.jsonl\n"), "{text}");
    // Without a journal, that there is such a thing.
    let child = spawn(run.folder.path(), &run.arguments(""));
    let text = shown(interrupt(child, || true));
    let hint = "nothing is kept; with --resume FILE, the same command would resume\n";
    assert!(text.ends_with(hint), "{text}");
}
