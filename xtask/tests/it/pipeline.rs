//! What pipelines run, `ci/install` and `ci/run`, in an environment with nothing in it, from an archive of the
//! programs that the tests have built.
#![cfg(unix)]
#![expect(
    clippy::disallowed_methods,
    reason = "scripts are run, files are written"
)]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use xtask::dist::{SUMS, pack, write_sums};

use crate::{root, text, version};

const TARGET: &str = "x86_64-test-linux";

/// All that the scripts may need of a machine.
const TOOLS: &str = "curl dirname grep head mkdir printf sed sha256sum tar uname xargs xz";

/// A folder to work in, which is also the home of the scripts.
struct Bench {
    folder: tempfile::TempDir,
}

/// How a script ended: exit code, and all that it printed.
struct Ended {
    code: i32,
    stdout: String,
    stderr: String,
}

impl Bench {
    /// With an archive of two programs in `archives`. They call those that are built: to pack unstripped
    /// programs of 60 MB takes a minute.
    fn new() -> Self {
        Self::with(|program, to| {
            let built = testkit::programs::built(program);
            let call = format!("#!/bin/sh\nexec '{}' \"$@\"\n", built.display());
            fs::write(to, call).expect("written");
        })
    }

    /// With an archive whose programs are empty files.
    fn without_programs() -> Self {
        Self::with(|_, to| fs::write(to, "").expect("written"))
    }

    fn with(put: impl Fn(&str, &Path)) -> Self {
        let bench = Self {
            folder: tempfile::tempdir().expect("a folder"),
        };
        let stage = bench.path("stage");
        fs::create_dir_all(stage.join("bin")).expect("a folder");
        for program in ["perft", "selfplay"] {
            put(program, &stage.join("bin").join(program));
        }
        fs::create_dir(bench.path("tools")).expect("a folder");
        for tool in TOOLS.split(' ') {
            let places = ["/usr/bin", "/bin"].map(|folder| Path::new(folder).join(tool));
            let place = places.iter().find(|place| place.exists());
            let place = place.unwrap_or_else(|| panic!("{tool} is not installed"));
            std::os::unix::fs::symlink(place, bench.path("tools").join(tool)).expect("a link");
        }
        fs::create_dir(bench.path("archives")).expect("a folder");
        let name = format!("touchstone-{}-{TARGET}.tar.xz", version());
        let stem = name.strip_suffix(".tar.xz").expect("it ends so");
        let archive = bench.path("archives").join(&name);
        pack(&stage, stem, &archive, 1_000_000_000).expect("packed");
        write_sums(&bench.path("archives")).expect("written");
        bench
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Runs a script with these variables and no others.
    fn run(&self, script: &str, arguments: &[&str], variables: &[(&str, &str)]) -> Ended {
        let output = Command::new("/bin/bash")
            .arg(root().join("ci").join(script))
            .args(arguments)
            .current_dir(self.folder.path())
            .env_clear()
            .env("HOME", self.folder.path())
            // No cargo there: nothing is built by a test.
            .env("PATH", self.path("tools"))
            .envs(variables.iter().copied())
            .output()
            .expect("bash starts");
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        Ended {
            code: output.status.code().expect("it ends by itself"),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }

    /// Runs `ci/install` on the archives in a folder.
    fn install(&self, archives: &str) -> Ended {
        let from = self.path(archives).display().to_string();
        let variables = [
            ("TOUCHSTONE_FROM", from.as_str()),
            ("TOUCHSTONE_TARGET", TARGET),
        ];
        self.run("install", &["programs", "perft"], &variables)
    }
}

/// An engine that makes a fault, or none.
fn engine(flags: &str) -> String {
    format!("{} {flags}", testkit::programs::scripted_engine().display())
}

#[test]
fn from_an_archive_to_a_verdict() {
    let bench = Bench::new();
    let installed = bench.install("archives");
    assert_eq!(installed.code, 0, "{}", installed.stderr);
    let bin = installed.stdout.trim();
    assert!(Path::new(bin).join("perft").exists(), "{bin}");

    let summary = bench.path("summary.md").display().to_string();
    let github = [
        ("GITHUB_ACTIONS", "true"),
        ("GITHUB_STEP_SUMMARY", summary.as_str()),
        ("TOUCHSTONE_BIN", bin),
        ("TOUCHSTONE_ARGS", "--timeout '10s'"),
    ];
    let report = || fs::read_to_string(bench.path("touchstone-reports/perft-check.xml"));
    let sound = bench.run("run", &["perft-check", &engine(""), "quick"], &github);
    assert_eq!(sound.code, 0, "{}{}", sound.stdout, sound.stderr);
    assert!(report().expect("a report").contains("failures=\"0\""));

    let faulty = engine("--bug omits/check/castling-*");
    let ended = bench.run("run", &["perft-check", &faulty, "quick"], &github);
    assert_eq!(ended.code, 1, "{}{}", ended.stdout, ended.stderr);
    let first = ended.stdout.lines().next().unwrap_or_default();
    assert!(
        first.starts_with("::error ") && first.contains("missing-move"),
        "{first}"
    );
    assert!(report().expect("a report").contains("<failure"));
    assert!(
        fs::read_to_string(&summary)
            .expect("a summary")
            .contains("## perft")
    );

    let missing = bench.run("run", &["perft-check", "./nowhere", "quick"], &github);
    assert_eq!(missing.code, 3, "{}{}", missing.stdout, missing.stderr);
    assert!(
        missing
            .stdout
            .contains("::error title=perft-check, exit code 3::")
    );

    // Elsewhere nothing is annotated.
    let plain = [
        ("TOUCHSTONE_BIN", bin),
        ("TOUCHSTONE_ARGS", "--only uci,id-name"),
    ];
    let ended = bench.run("run", &["compliance", &engine("")], &plain);
    assert_eq!(ended.code, 0, "{}{}", ended.stdout, ended.stderr);
    assert!(!ended.stdout.contains("::"), "{}", ended.stdout);
    let report = fs::read_to_string(bench.path("touchstone-reports/compliance.xml"));
    assert!(report.expect("a report").contains("id-name"));
}

#[test]
fn what_cannot_be_trusted_is_not_run() {
    let bench = Bench::without_programs();
    let folder = bench.path("archives");
    let sums = fs::read_to_string(folder.join(SUMS)).expect("the sums");
    fs::write(folder.join(SUMS), sums.replace(&sums[..8], "00000000")).expect("written");
    let wrong = bench.install("archives");
    assert_eq!((wrong.code, wrong.stdout.as_str()), (3, ""));
    assert!(
        wrong.stderr.contains("does not have the checksum"),
        "{}",
        wrong.stderr
    );
    assert!(!wrong.stderr.contains("from source"), "{}", wrong.stderr);

    // Without an archive the program is built, which needs cargo.
    for (archives, why) in [
        ("none", "there is no "),
        ("empty", "the release has no touchstone-"),
    ] {
        if archives == "empty" {
            fs::create_dir(bench.path(archives)).expect("a folder");
            fs::write(bench.path(archives).join(SUMS), "").expect("written");
        }
        let ended = bench.install(archives);
        assert_eq!(ended.code, 3, "{archives}: {}", ended.stderr);
        assert!(ended.stderr.contains(why), "{archives}: {}", ended.stderr);
        assert!(
            ended.stderr.contains("cargo is not installed"),
            "{}",
            ended.stderr
        );
    }
}

/// Another version than that of the sources is never built in its place.
#[test]
fn a_version_that_cannot_be_had_is_an_error() {
    let bench = Bench::without_programs();
    let variables = [
        ("TOUCHSTONE_VERSION", "9.9.9"),
        ("TOUCHSTONE_TARGET", TARGET),
    ];
    let ended = bench.run("install", &["programs", "perft"], &variables);
    assert_eq!((ended.code, ended.stdout.as_str()), (3, ""));
    let expected = format!(
        "error: version 9.9.9 was asked for, the sources are {}",
        version()
    );
    assert!(ended.stderr.starts_with(&expected), "{}", ended.stderr);
    assert!(!ended.stderr.contains("building"), "{}", ended.stderr);
}

/// Each command of the action is one of a program, with the options that it has.
#[test]
fn commands_are_those_of_the_programs() {
    let bench = Bench::without_programs();
    let bin = bench.path("bin").display().to_string();
    fs::create_dir(&bin).expect("a folder");
    for program in ["perft", "epd", "selfplay"] {
        let path = bench.path("bin").join(program);
        fs::write(&path, "#!/bin/bash\necho \"$@\"\n").expect("written");
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("ours");
    }
    let variables = [
        ("TOUCHSTONE_BIN", bin.as_str()),
        ("TOUCHSTONE_BASE", "./old"),
    ];
    let page = text(&root().join("docs/ci.md"));
    let action = text(&root().join("action.yml"));
    for (command, line) in rows![
        "perft-check" => "check a b --engine ./e --format human -o r/perft-check.xml";
        "consistency" => "consistency a b --engine ./e -o r/consistency.xml";
        "epd-run" => "run a b --engine ./e --format human -o r/epd-run.xml";
        "eval-check" => "eval check a b --engine ./e -o r/eval-check.xml";
        "eval-score" => "eval score a b --engine ./e -o r/eval-score.html --engine ./old";
        "bench" => "bench --engine ./e";
        "compliance" => "compliance ./e --format human -o r/compliance.xml";
        "sprt" => "sprt ./e ./old -q -o r/run --openings a";
    ] {
        let has_suites = !matches!(command, "bench" | "compliance");
        let arguments = &[command, "./e", "a", "b"][..if has_suites { 4 } else { 2 }];
        let ended = bench.run("run", arguments, &variables);
        let printed = ended.stdout.trim().replace("touchstone-reports/", "r/");
        assert_eq!(
            (ended.code, printed.as_str()),
            (0, line),
            "{}",
            ended.stderr
        );
        assert!(
            page.contains(&format!("`{command}`")),
            "docs/ci.md: {command}"
        );
        assert!(action.contains(command), "action.yml: {command}");
    }
}

#[test]
fn usage() {
    let bench = Bench::without_programs();
    let quote = [("TOUCHSTONE_ARGS", "--only 'uci")];
    for (arguments, variables, message) in [
        (&["perft"][..], &[][..], "expected a command and an engine"),
        (&["perft-check", ""], &[], "no engine is given"),
        (&["perft", "./x"], &[], "unknown command 'perft'"),
        (&["epd-run", "./x"], &[], "epd-run needs a suite"),
        (&["eval-score", "./x"], &[], "eval-score needs a suite"),
        (&["bench", "./x", "--expect"], &[], "bench has no suite"),
        (&["sprt", "./x"], &[], "sprt needs a base"),
        (&["compliance", "./x"], &quote, "a quote is not closed"),
    ] {
        let ended = bench.run("run", arguments, variables);
        assert_eq!(ended.code, 2, "{arguments:?}: {}", ended.stderr);
        assert!(
            ended.stderr.contains(message),
            "{arguments:?}: {}",
            ended.stderr
        );
    }
    assert_eq!(bench.run("install", &[], &[]).code, 2);
}

/// The inputs of the action are what the scripts read, and what the page lists.
#[test]
fn inputs_are_described() {
    let action = text(&root().join("action.yml"));
    let page = text(&root().join("docs/ci.md"));
    let inputs = action.split("\noutputs:").next().expect("inputs first");
    let is_name =
        |line: &&str| line.starts_with("  ") && !line.starts_with("   ") && line.ends_with(':');
    let names: Vec<&str> = inputs.lines().filter(is_name).map(str::trim).collect();
    assert!(names.len() > 5, "{names:?}");
    for name in names {
        let name = name.trim_end_matches(':');
        assert!(
            page.contains(&format!("| `{name}` |")),
            "docs/ci.md: {name}"
        );
        assert!(
            action.contains(&format!("inputs.{name}")),
            "{name} is not used"
        );
    }
    let scripts = text(&root().join("ci/run")) + &text(&root().join("ci/install"));
    let gitlab = text(&root().join("ci/gitlab.yml"));
    for place in [&action, &gitlab] {
        for word in place.split(|letter: char| !letter.is_ascii_uppercase() && letter != '_') {
            let is_ours = word.starts_with("TOUCHSTONE_");
            let is_template = [
                "TOUCHSTONE_COMMAND",
                "TOUCHSTONE_ENGINE",
                "TOUCHSTONE_SUITE",
            ];
            if is_ours && !is_template.contains(&word) {
                assert!(scripts.contains(word), "no script reads {word}");
            }
        }
    }
}
