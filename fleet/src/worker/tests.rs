//! Builds of engines from repositories of this machine, in a sandbox where there is one.
#![expect(
    clippy::disallowed_methods,
    reason = "repositories are made and watched"
)]

use std::fs;
use std::net::{TcpListener, UdpSocket};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use queue::program::{DEFAULT_HASH_MIB, Folder, Programs, Recipe, Source, WantedProgram};
use tempfile::TempDir;

use super::builds::{BuildSettings, Builds};
use super::programs::Engines;
use super::sandbox::Sandbox;
use super::step::StepLimits;

/// A repository with an engine that is a shell script, and a cache.
struct Bed {
    folder: TempDir,
}

/// Prints a bench of as many nodes, and obeys `quit`.
const ENGINE: &str = "#!/bin/sh\nif [ \"$1\" = bench ]; then echo 'Nodes searched  : 4711'; exit; fi\n\
                      [ $# -gt 0 ] && exit 1\n\
                      while read -r line; do [ \"$line\" = quit ] && exit; done\n";

impl Bed {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let bed = Self { folder };
        fs::create_dir(bed.repository()).expect("new");
        bed.git(&["init", "--quiet"]);
        bed.commit("engine.sh", ENGINE, "The first\n\nBench: 4711");
        bed
    }

    fn repository(&self) -> PathBuf {
        self.folder.path().join("repository")
    }

    fn git(&self, words: &[&str]) -> String {
        let output = Command::new("git")
            .args(["-c", "user.name=a", "-c", "user.email=a@example.org"])
            .args(words)
            .current_dir(self.repository())
            .output()
            .expect("git");
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout)
            .expect("text")
            .trim()
            .to_owned()
    }

    /// Commits a file; returns the commit.
    fn commit(&self, file: &str, text: &str, message: &str) -> String {
        fs::write(self.repository().join(file), text).expect("ours");
        self.git(&["add", "."]);
        self.git(&["commit", "--quiet", "-m", message]);
        self.git(&["rev-parse", "HEAD"])
    }

    fn source(&self, build: &str) -> Source {
        Source {
            name: "script".to_owned(),
            url: self.repository().display().to_string(),
            commit: self.git(&["rev-parse", "HEAD"]),
            recipe: Recipe {
                fetch: String::new(),
                build: build.to_owned(),
                artefact: "out/engine".to_owned(),
                bench: "bench".to_owned(),
            },
            bench: None,
        }
    }

    fn builds(&self, most: u64) -> Builds {
        let builds = Builds::open(self.settings(most));
        builds.expect("a cache")
    }

    fn settings(&self, most: u64) -> BuildSettings {
        BuildSettings {
            cache: self.folder.path().join("cache"),
            most,
            sandbox: sandbox(),
            limits: StepLimits {
                wall: Duration::from_mins(1),
                folder: 16 << 20,
                ..StepLimits::default()
            },
            local: true,
            fetch_from: Vec::new(),
        }
    }

    fn finished(&self) -> usize {
        let engines = self.folder.path().join("cache/engines");
        engines.read_dir().expect("a folder").count()
    }
}

/// `bubblewrap`, or nothing where it cannot work.
fn sandbox() -> Sandbox {
    Sandbox::find_with(&fleet(), Vec::new()).unwrap_or_else(|_| Sandbox::none(Vec::new()))
}

/// The program that confines a fetch step.
fn fleet() -> PathBuf {
    let test = std::env::current_exe().expect("a test");
    let folder = test.ancestors().nth(2).expect("target/*/deps/test");
    let program = folder.join("fleet");
    assert!(program.exists(), "build the program too: --all-targets");
    program
}

const MAKE: &str =
    "mkdir out && cp engine.sh out/engine && chmod +x out/engine && echo made >> made";

fn get(builds: &Builds, source: &Source) -> Result<PathBuf, String> {
    let built = builds.get(source, &Arc::default(), &|_| {});
    built
        .map(|built| built.program)
        .map_err(|error| error.to_string())
}

#[test]
fn a_commit_is_built_once_and_benched() {
    let bed = Bed::new();
    let first = bed.source(MAKE);
    let second_commit = bed.commit("note", "x", "The second: nothing is said of nodes");
    let builds = bed.builds(1 << 30);
    let built = builds
        .get(&first, &Arc::default(), &|_| {})
        .expect("it builds");
    assert_eq!((built.nodes, built.stated), (Some(4711), Some(4711)));
    assert_eq!(fs::read_to_string(&built.program).expect("there"), ENGINE);
    assert_eq!(bed.finished(), 1);
    // A finished build needs no repository.
    fs::rename(bed.repository(), bed.folder.path().join("away")).expect("ours");
    assert_eq!(get(&builds, &first), Ok(built.program.clone()));
    let second = Source {
        commit: second_commit,
        ..first.clone()
    };
    let error = get(&builds, &second).expect_err("it cannot be fetched");
    assert!(
        error.starts_with("git fetch: it ended with exit code 128\n"),
        "{error}"
    );
    fs::rename(bed.folder.path().join("away"), bed.repository()).expect("ours");
    assert_ne!(get(&builds, &second), Ok(built.program));
    assert_eq!(bed.finished(), 2);
    // Nothing is left of the work.
    let work = bed.folder.path().join("cache/work");
    assert_eq!(work.read_dir().expect("a folder").count(), 0);
}

#[test]
fn another_bench_is_an_error_with_both_numbers() {
    let bed = Bed::new();
    let builds = bed.builds(1 << 30);
    let source = Source {
        bench: Some(4712),
        ..bed.source(MAKE)
    };
    let expected = "its bench is 4711, but 4712 is expected for this commit";
    assert_eq!(get(&builds, &source), Err(expected.to_owned()));
    bed.commit("note", "x", "Faster\n\nBench: 4000");
    let expected = "its bench is 4711, but 4000 is expected for this commit by its message";
    assert_eq!(get(&builds, &bed.source(MAKE)), Err(expected.to_owned()));
    let mut without = bed.source(MAKE);
    without.recipe.bench.clear();
    assert!(get(&builds, &without).is_ok());
    let mut broken = bed.source(MAKE);
    broken.recipe.bench = "bunch".to_owned();
    let error = get(&builds, &broken).expect_err("it prints nothing");
    assert!(error.starts_with("its bench 'bunch' failed: "), "{error}");
}

#[test]
fn failures_say_what_failed_and_leave_nothing() {
    let bed = Bed::new();
    let builds = bed.builds(1 << 30);
    let failed = get(&builds, &bed.source("echo some words >&2; exit 3"));
    let expected = "the build failed: it ended with exit code 3\n  | some words";
    assert_eq!(failed, Err(expected.to_owned()));
    let made_nothing = get(&builds, &bed.source("true"));
    assert_eq!(made_nothing, Err("the build made no out/engine".to_owned()));
    // A link to a program of this machine is none that the build made.
    let link = get(&builds, &bed.source("mkdir out; ln -s /bin/sh out/engine"));
    assert_eq!(link, Err("the build made no out/engine".to_owned()));
    let large = get(&builds, &bed.source("head -c 20000000 /dev/zero > large"));
    let error = large.expect_err("it is too large");
    assert!(
        error.starts_with("the build failed: it wrote more than 16 MiB"),
        "{error}"
    );
    let nested = "import os\nfor _ in range(30000): os.mkdir('d'); os.chdir('d')";
    let nested = get(
        &builds,
        &bed.source(&format!("/usr/bin/python3 -c \"{nested}\"")),
    );
    let error = nested.expect_err("nobody can look into it");
    let expected = "the build failed: it nested folders deeper than any build does";
    assert!(error.starts_with(expected), "{error}");
    let hidden = "mkdir hidden && head -c 20000000 /dev/zero > hidden/large && chmod 0 hidden";
    let error = get(&builds, &bed.source(hidden)).expect_err("it is too large");
    assert!(
        error.starts_with("the build failed: it wrote more than 16 MiB"),
        "{error}"
    );
    let printed = get(&builds, &bed.source("head -c 20000000 /dev/zero"));
    let error = printed.expect_err("its log is too large");
    assert!(
        error.starts_with("the build failed: it wrote more than 16 MiB"),
        "{error}"
    );
    let work = bed.folder.path().join("cache/work");
    assert_eq!(work.read_dir().expect("a folder").count(), 0);
    let unknown = Source {
        commit: "0123456789012345678901234567890123456789".to_owned(),
        ..bed.source(MAKE)
    };
    let error = get(&builds, &unknown).expect_err("no such commit");
    assert!(
        error.starts_with("git fetch: it ended with exit code 128\n"),
        "{error}"
    );
    for (url, commit) in [
        ("ext::sh -c id", "0123456"),
        ("--upload-pack=id", "0123456"),
    ] {
        let source = Source {
            url: url.to_owned(),
            commit: commit.to_owned(),
            ..bed.source(MAKE)
        };
        let error = get(&builds, &source).expect_err("no URL");
        assert!(error.contains("is not the URL of a repository"), "{error}");
    }
    assert_eq!(bed.finished(), 0);
}

/// Each sandbox that works here.
fn sandboxes() -> Vec<Sandbox> {
    let program = fleet();
    let found = Sandbox::find_with(&program, Vec::new()).ok();
    let landlock = Sandbox::landlock(&program, Vec::new());
    found.into_iter().chain(landlock.ok()).collect()
}

#[test]
fn a_build_sees_neither_the_network_nor_this_machine() {
    for sandbox in sandboxes() {
        let bed = Bed::new();
        let secret = bed.folder.path().join("secret");
        fs::write(&secret, "x").expect("new");
        let mut settings = bed.settings(1 << 30);
        settings.sandbox = sandbox.clone();
        let builds = Builds::open(settings).expect("a cache");
        let shown = secret.display();
        let own = std::process::id();
        let mut probes = vec![
            (format!("cat {shown}"), false),
            (format!("echo x > {shown}"), false),
            (format!("ln {shown} file"), false),
            (format!("truncate -s 0 {shown}"), false),
            ("ls /home/* /root/.ssh".to_owned(), false),
            ("echo x > /usr/touchstone".to_owned(), false),
            (format!("cat /proc/{own}/environ"), false),
            (format!("kill -0 {own}"), false),
            (
                "test -z \"$FLEET_TOKEN\" && echo x > $HOME/file && echo x > file".to_owned(),
                true,
            ),
            ("test -n \"$(mktemp)\" && : < /dev/urandom".to_owned(), true),
        ];
        if sandbox.is_bubblewrap() {
            probes.extend([
                // Only the loopback interface, which is down or new.
                ("test $(grep -c : /proc/net/dev) = 1".to_owned(), true),
                ("test $(ls /proc | grep -c '^[0-9]') -lt 9".to_owned(), true),
            ]);
        }
        for family in ["AF_INET", "AF_INET6", "AF_UNIX", "AF_NETLINK"] {
            let connect = match family {
                "AF_INET" => ".connect(('192.0.2.1', 9))",
                "AF_INET6" => ".connect(('2001:db8::1', 9))",
                "AF_UNIX" => ".connect('/run/systemd/notify')",
                _ => ".bind((0, 1))",
            };
            // A datagram needs nobody who answers.
            let python = format!("import socket as s; s.socket(s.{family}, s.SOCK_DGRAM){connect}");
            if family != "AF_NETLINK" || !sandbox.is_bubblewrap() {
                probes.push((format!("/usr/bin/python3 -c \"{python}\""), false));
            }
        }
        for (probe, succeeds) in probes {
            let built = get(&builds, &bed.source(&format!("{probe} || exit 7; {MAKE}")));
            let name = sandbox.name();
            assert_eq!(built.is_ok(), succeeds, "{name}: {probe}: {built:?}");
        }
        assert!(!Path::new("/usr/touchstone").exists());
        assert_eq!(fs::read_to_string(&secret).expect("ours"), "x");
    }
}

#[test]
fn a_fetch_step_reaches_its_proxy_and_nothing_else_of_this_machine() {
    let service = TcpListener::bind("127.0.0.1:0").expect("a port");
    let datagrams = UdpSocket::bind("127.0.0.1:0").expect("a port");
    service.set_nonblocking(true).expect("ours");
    datagrams.set_nonblocking(true).expect("ours");
    let [port, udp] =
        [service.local_addr(), datagrams.local_addr()].map(|at| at.expect("bound").port());
    let here = format!("('127.0.0.1', {port})");
    let probes = [
        (format!("s.create_connection({here}, 5)"), false),
        (
            format!("s.socket().sendto(b'x', s.MSG_FASTOPEN, {here})"),
            false,
        ),
        // The number of MPTCP.
        (
            format!("s.socket(s.AF_INET, s.SOCK_STREAM, 262).connect({here})"),
            false,
        ),
        (
            format!("s.socket(s.AF_INET, s.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', {udp}))"),
            false,
        ),
        (
            "s.socket(s.AF_UNIX).connect('\\0/tmp/.X11-unix/X0')".to_owned(),
            false,
        ),
        ("s.socket().bind(('127.0.0.1', 0))".to_owned(), false),
        (
            format!("r.urlopen('http://127.0.0.1:{port}/', timeout=5)"),
            false,
        ),
        (
            format!("r.urlopen('http://localhost:{port}/', timeout=5)"),
            false,
        ),
        (
            "s.create_connection(('127.0.0.1', int(o.environ['http_proxy'].split(':')[2])), 5)"
                .to_owned(),
            true,
        ),
    ];
    for sandbox in sandboxes() {
        let name = sandbox.name();
        if name.contains("reach this machine's network") {
            continue;
        }
        let bed = Bed::new();
        let mut settings = bed.settings(1 << 30);
        settings.sandbox = sandbox;
        let builds = Builds::open(settings).expect("a cache");
        for (probe, succeeds) in &probes {
            let mut source = bed.source(MAKE);
            source.recipe.fetch = format!(
                "/usr/bin/python3 -c \"import os as o, socket as s, urllib.request as r; {probe}\""
            );
            let built = get(&builds, &source);
            assert_eq!(built.is_ok(), *succeeds, "{name}: {probe}: {built:?}");
            if probe.contains("http://localhost") {
                let error = built.expect_err("refused");
                let says = "localhost is this machine, or in its networks: expected --fetch-from localhost";
                assert!(error.contains(says), "{error}");
            }
        }
    }
    assert!(service.accept().is_err(), "a connection came");
    assert!(datagrams.recv(&mut [0]).is_err(), "a datagram came");
}

#[test]
fn by_landlock_only_the_fetch_step_makes_sockets_and_engines_read_their_folder() {
    let all = sandboxes();
    let Some(sandbox) = all.iter().find(|sandbox| !sandbox.is_bubblewrap()) else {
        return;
    };
    let bed = Bed::new();
    let mut settings = bed.settings(1 << 30);
    settings.sandbox = sandbox.clone();
    let builds = Builds::open(settings).expect("a cache");
    let socket = |family: &str| {
        format!("/usr/bin/python3 -c 'import socket as s; s.socket(s.{family}, s.SOCK_DGRAM)'")
    };
    for (family, succeeds) in [("AF_INET", true), ("AF_INET6", true), ("AF_UNIX", false)] {
        let mut source = bed.source(MAKE);
        source.recipe.fetch = socket(family).replace("DGRAM", "STREAM");
        let built = get(&builds, &source);
        assert_eq!(built.is_ok(), succeeds, "{family}: {built:?}");
    }
    let secret = bed.folder.path().join("secret");
    fs::write(&secret, "x").expect("new");
    let folder = bed.folder.path().join("engine");
    fs::create_dir(&folder).expect("new");
    fs::write(folder.join("network.bin"), "weights").expect("new");
    let engine = format!(
        "#!/bin/sh\ncat {0}/network.bin; cat {1} && echo seen; echo x > {0}/new && echo written; \
         {2} && echo connected; echo \" token=$FLEET_TOKEN home=$HOME\"\n",
        folder.display(),
        secret.display(),
        socket("AF_INET"),
    );
    fs::write(folder.join("engine"), engine).expect("new");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(folder.join("engine"), mode).expect("ours");
    let found = sandbox.engine(
        &folder.join("engine"),
        &[],
        DEFAULT_HASH_MIB,
        Arc::default(),
    );
    let mut command = Command::new(&found.program);
    command.args(&found.arguments);
    let output = command.output().expect("it starts");
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "weights token= home=/tmp\n",
        "{output:?}"
    );
}

/// What an engine tries that a stranger wrote, on the terminal of the worker's owner: each line that it prints is a
/// success.
const ATTACKS: &str = r"#!/usr/bin/python3
import ctypes, fcntl, glob, os, socket
def tried(name, attack):
    try:
        attack()
        print(name, flush=True)
    except (OSError, AssertionError, MemoryError):
        pass
def reads_the_token():
    texts = []
    for path in glob.glob('/proc/*/environ') + glob.glob('/proc/*/task/*/environ'):
        try:
            texts.append(open(path).read())
        except OSError:
            pass
    assert any('tsw_secret' in text for text in texts)
def has_a_capability():
    status = open('/proc/self/status').read()
    held = [line.split()[1] for line in status.splitlines() if line.startswith(('CapEff', 'CapPrm'))]
    assert any(int(text, 16) for text in held)
def makes_a_user_namespace():
    CLONE_NEWUSER = 0x10000000
    assert ctypes.CDLL(None).unshare(CLONE_NEWUSER) == 0
def opens_the_terminal():
    os.close(os.open('/dev/tty', os.O_RDWR))
def types():
    fcntl.ioctl(0, 0x5412, b'x')
def pastes():
    fcntl.ioctl(0, 0x541c, b'')
    # Only a console of Linux has it: others refuse it as unknown.
def writes(path):
    os.close(os.open(path, os.O_WRONLY))
def remounts():
    MS_REMOUNT, MS_BIND = 32, 4096
    assert ctypes.CDLL(None).mount(None, b'/usr', None, MS_REMOUNT | MS_BIND, None) == 0
def sends_a_datagram():
    pair = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC)
    pair[0].sendto(b'x', LOG)
def fills_memory():
    block = bytearray(3 << 30)
def writes_files():
    for folder in ['/tmp', '/dev/shm', '/dev', '/', '.']:
        try:
            for number in range(4):
                with open(f'{folder}/large{number}', 'wb') as file:
                    for _ in range(40):
                        file.write(bytes(1 << 20))
            return
        except OSError:
            pass
    raise OSError
tried('token', reads_the_token)
tried('capability', has_a_capability)
tried('namespace', makes_a_user_namespace)
tried('terminal', opens_the_terminal)
tried('typed', types)
tried('pasted', pastes)
tried('core pattern', lambda: writes('/proc/sys/kernel/core_pattern'))
tried('device', lambda: writes('/dev/new'))
tried('remounted', remounts)
tried('datagram', sends_a_datagram)
tried('memory', fills_memory)
tried('files', writes_files)
print('done', flush=True)
";

#[test]
fn a_hostile_engine_gets_nothing() {
    for sandbox in sandboxes() {
        let folder = tempfile::tempdir().expect("a folder");
        let elsewhere = tempfile::tempdir().expect("a folder");
        let path = elsewhere.path().join("log");
        let log = std::os::unix::net::UnixDatagram::bind(&path).expect("a socket");
        log.set_nonblocking(true).expect("a socket");
        let program = folder.path().join("engine");
        let place = format!("LOG = '{}'\ndef tried(", path.display());
        fs::write(&program, ATTACKS.replacen("def tried(", &place, 1)).expect("new");
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        fs::set_permissions(&program, mode).expect("ours");
        let name = sandbox.name();
        let found = sandbox.engine(&program, &[], DEFAULT_HASH_MIB, Arc::default());
        // On a terminal of its own, whose leader the engine's ancestor is, as a worker in a shell.
        let output = Command::new("/usr/bin/python3")
            .args(["-c", "import pty, sys; pty.spawn(sys.argv[1:])"])
            .arg(&found.program)
            .args(&found.arguments)
            .env("FLEET_TOKEN", "tsw_secret")
            .output()
            .expect("python3");
        let printed = String::from_utf8_lossy(&output.stdout);
        assert_eq!(printed.trim(), "done", "{name}: {output:?}");
        assert!(
            log.recv(&mut [0; 8]).is_err(),
            "{name}: the log of the machine was written"
        );
    }
}

#[test]
fn limits_and_stops_end_a_build_with_all_that_it_started() {
    let bed = Bed::new();
    let mut settings = bed.settings(1 << 30);
    settings.limits.wall = Duration::from_millis(700);
    let builds = Builds::open(settings).expect("a cache");
    let mark = format!("{}.5", 1_000_000 + std::process::id());
    let endless = bed.source(&format!("(sleep {mark} &) ; sleep {mark}"));
    let error = get(&builds, &endless).expect_err("it takes too long");
    assert!(
        error.starts_with("the build failed: it took longer than 0 s"),
        "{error}"
    );
    let is_running = || {
        let all = Command::new("ps")
            .args(["-eo", "args"])
            .output()
            .expect("ps");
        let all = String::from_utf8_lossy(&all.stdout).into_owned();
        all.lines()
            .any(|line| line.starts_with("sleep") && line.contains(&mark))
    };
    // Killed processes may take a moment to go.
    testkit::programs::wait_until("the build is gone", || !is_running());
    drop(builds);
    let builds = bed.builds(1 << 30);
    let stop = Arc::new(AtomicBool::new(false));
    let stopped = std::thread::scope(|scope| {
        let building = scope.spawn(|| builds.get(&endless, &stop, &|_| {}));
        std::thread::sleep(Duration::from_millis(100));
        stop.store(true, Ordering::Relaxed);
        building.join().expect("it ends")
    });
    assert_eq!(stopped.expect_err("stopped").to_string(), "stopped");
}

#[test]
fn an_invalid_recipe_runs_nothing() {
    let bed = Bed::new();
    let mut source = bed.source(MAKE);
    source.recipe.artefact = "../engine".to_owned();
    let expected = "the recipe's artefact: expected a path inside the repository";
    let builds = bed.builds(1 << 30);
    assert_eq!(get(&builds, &source), Err(expected.to_owned()));
}

#[test]
fn what_was_not_used_for_longest_is_deleted_unless_it_is_in_use() {
    let bed = Bed::new();
    // Room for one build, of which each takes two small files.
    let builds = bed.builds(900);
    let sources: Vec<Source> = (0..3)
        .map(|number| bed.source(&format!("{MAKE}; echo {number}")))
        .collect();
    let held = builds
        .get(&sources[0], &Arc::default(), &|_| {})
        .expect("it builds");
    get(&builds, &sources[1]).expect("it builds");
    get(&builds, &sources[2]).expect("it builds");
    assert!(held.program.is_file(), "it is in use");
    assert_eq!(bed.finished(), 2);
    drop(held);
    get(&builds, &sources[1]).expect("it builds again");
    assert_eq!(bed.finished(), 1);
    // Nobody else may use the cache meanwhile.
    let error = Builds::open(bed.settings(900)).expect_err("one worker at a time");
    assert!(
        error.to_string().contains(" is used by another worker: "),
        "{error}"
    );
}

#[test]
fn an_interrupted_build_is_cleaned_up() {
    let bed = Bed::new();
    drop(bed.builds(1 << 30));
    let work = bed.folder.path().join("cache/work");
    fs::create_dir_all(work.join("build-old/source")).expect("ours");
    // A build that lost its record is not whole.
    let builds = bed.builds(1 << 30);
    assert_eq!(work.read_dir().expect("a folder").count(), 0);
    let program = get(&builds, &bed.source(MAKE)).expect("it builds");
    let folder = program.parent().expect("a folder");
    fs::remove_file(folder.join("build.json")).expect("ours");
    assert_eq!(get(&builds, &bed.source(MAKE)), Ok(program));
}

#[test]
fn engines_are_confined_and_keep_their_names_for_themselves() {
    let bed = Bed::new();
    let engines = bed.folder.path().join("engines");
    fs::create_dir(&engines).expect("new");
    fs::write(engines.join("mine"), ENGINE).expect("new");
    let sum = queue::program::sha256(&engines.join("mine")).expect("there");
    let reports = std::sync::Mutex::new(Vec::new());
    let report = |text: &str| reports.lock().expect("nobody panics").push(text.to_owned());
    let programs = Engines {
        folder: Folder::new(Some(engines.clone())),
        sandbox: sandbox(),
        readable: vec![engines.clone()],
        builds: Err("this machine has no compiler".to_owned()),
        report: &report,
    };
    let path = Path::new("/there/engine");
    let wanted = WantedProgram::Sha256 { path, sum: &sum };
    let found = programs
        .find("new", wanted, DEFAULT_HASH_MIB, &Arc::default())
        .expect("it is there");
    assert!(
        found
            .arguments
            .last()
            .is_some_and(|last| last.ends_with("/engines/mine"))
    );
    let is_confining = programs.sandbox.is_bubblewrap();
    let mut words = found.arguments.iter();
    assert_eq!(words.any(|word| word.ends_with("bwrap")), is_confining);
    let source = bed.source(MAKE);
    let error = programs.find(
        "new",
        WantedProgram::Source(&source),
        DEFAULT_HASH_MIB,
        &Arc::default(),
    );
    let expected = format!(
        "engine 'new', commit {} of script: this machine has no compiler",
        source.commit
    );
    assert_eq!(error.expect_err("no builds").0, expected);
    let programs = Engines {
        builds: Ok(bed.builds(1 << 30)),
        ..programs
    };
    let found = programs.find(
        "new",
        WantedProgram::Source(&source),
        DEFAULT_HASH_MIB,
        &Arc::default(),
    );
    let found = found.expect("it is built");
    let output = Command::new(&found.program)
        .args(&found.arguments)
        .arg("bench")
        .env("FLEET_TOKEN", "tsw_secret")
        .output()
        .expect("it starts");
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "Nodes searched  : 4711\n"
    );
}
