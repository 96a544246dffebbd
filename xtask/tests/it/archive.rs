//! Archives: the same files give the same bytes, and unpack to what was packed.
#![expect(clippy::disallowed_methods, reason = "files are written and read")]

use std::fs;
use std::io::Read as _;
use std::path::Path;

use lzma_rust2::XzReader;
use xtask::dist::{SUMS, TargetTriple, pack, write_sums};

const EPOCH: i64 = 1_700_000_001;

/// Writes the files of an archive in this order.
fn stage(folder: &Path, names: &[&str]) {
    for name in names {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().expect("a file")).expect("a folder");
        let text = if name.ends_with("run") {
            "#!/bin/sh\n"
        } else {
            name
        };
        fs::write(path, text).expect("written");
    }
}

#[test]
fn the_same_files_give_the_same_bytes() {
    let names = [
        "bin/perft",
        "share/man/man1/perft.1",
        "README.md",
        "share/ci/run",
    ];
    let (one, other) = (
        tempfile::tempdir().expect("a folder"),
        tempfile::tempdir().expect("a folder"),
    );
    stage(&one.path().join("s"), &names);
    let mut reversed = names;
    reversed.reverse();
    stage(&other.path().join("another name"), &reversed);
    for archive in ["a.tar.xz", "a.zip"] {
        pack(
            &one.path().join("s"),
            "stem",
            &one.path().join(archive),
            EPOCH,
        )
        .expect("packed");
        let stage = other.path().join("another name");
        pack(&stage, "stem", &other.path().join(archive), EPOCH).expect("packed");
        let bytes = |folder: &Path| fs::read(folder.join(archive)).expect("an archive");
        assert!(bytes(one.path()) == bytes(other.path()), "{archive}");
    }

    let packed = fs::read(one.path().join("a.tar.xz")).expect("an archive");
    let mut tar = tar::Archive::new(XzReader::new(packed.as_slice(), false));
    let entries = tar.entries().expect("a tar").map(|entry| {
        let mut entry = entry.expect("an entry");
        let mut text = String::new();
        entry.read_to_string(&mut text).expect("UTF-8");
        let header = entry.header();
        assert_eq!(header.mtime().expect("a time"), EPOCH.unsigned_abs());
        assert_eq!(
            (
                header.uid().expect("a user"),
                header.gid().expect("a group")
            ),
            (0, 0)
        );
        let mode = header.mode().expect("a mode");
        let path = entry.path().expect("a path").display().to_string();
        (path, mode, text.len())
    });
    let expected = [
        ("stem/README.md", 0o644, 9),
        ("stem/bin/perft", 0o755, 9),
        ("stem/share/ci/run", 0o755, 10),
        ("stem/share/man/man1/perft.1", 0o644, 22),
    ];
    let found: Vec<_> = entries.collect();
    assert_eq!(
        found,
        expected.map(|(name, mode, length)| (name.to_owned(), mode, length))
    );

    let packed = fs::File::open(one.path().join("a.zip")).expect("an archive");
    let mut zip = zip::ZipArchive::new(packed).expect("a zip");
    let names = zip
        .file_names()
        .map(|name| name.expect("UTF-8").into_owned());
    assert_eq!(names.collect::<Vec<_>>(), expected.map(|(name, ..)| name));
    let program = zip.by_name("stem/bin/perft").expect("a file");
    assert_eq!(program.unix_mode().map(|mode| mode & 0o777), Some(0o755));
}

#[test]
fn nothing_is_no_archive() {
    let folder = tempfile::tempdir().expect("a folder");
    let archive = folder.path().join("a.zip");
    fs::create_dir(folder.path().join("empty")).expect("a folder");
    assert!(pack(&folder.path().join("empty"), "stem", &archive, EPOCH).is_err());
    assert!(pack(&folder.path().join("none"), "stem", &archive, EPOCH).is_err());
}

#[test]
fn sums_are_those_of_all_files() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("b"), "").expect("written");
    write_sums(folder.path()).expect("written");
    fs::write(folder.path().join("a"), "a").expect("written");
    write_sums(folder.path()).expect("written");
    let sums = fs::read_to_string(folder.path().join(SUMS)).expect("the sums");
    // FIPS 180-4: SHA-256 of "a" and of nothing, as sha256sum prints them.
    let expected = "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb  a\n\
                    e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  b\n";
    assert_eq!(sums, expected);
}

/// Names of archives and programs are compared with the manifests, see `packages.rs`.
#[test]
fn programs_and_variables_follow_the_target() {
    let target = |triple: &str| TargetTriple(triple.to_owned());
    let linux = target("x86_64-unknown-linux-gnu");
    assert_eq!(
        linux.variable("RUNNER"),
        "CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER"
    );
    assert_eq!(linux.programs().count(), 6);
    let windows = target("x86_64-pc-windows-gnu");
    assert!(windows.programs().all(|program| program.name != "crowd"));
    let host = "x86_64-unknown-linux-gnu";
    assert!(target("x86_64-unknown-linux-musl").runs_on(host) && linux.runs_on(host));
    assert!(!windows.runs_on(host) && !target("aarch64-unknown-linux-gnu").runs_on(host));
}
