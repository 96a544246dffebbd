//! Engines that are built from a revision of their source.

use std::fs;

use crate::common::{BUILD, Bed, assert_nobody_in, interrupt, make_repository, wait, wait_until};

fn repository(bed: &Bed) {
    make_repository(&bed.path("repo"), &bed.path("engine"));
}

const RUN: &str = "match rev:HEAD rev:v3 --repo repo --config cache.toml --nodes 1 --rounds 2 \
                   --variant chess960 --max-moves 5 --artifact out/engine --build";

#[test]
fn each_revision_is_built_once() {
    let bed = Bed::new();
    repository(&bed);
    bed.run(&format!("{RUN} {BUILD} --out one")).exits(0);
    fs::write(bed.path("repo/source"), "changed").expect("ours");
    let ended = bed.run(&format!("{RUN} {BUILD} --out two")).exits(0);
    ended.reports("has changes that are not committed; HEAD is built without them");
    let built = fs::read_to_string(bed.path("cache/revisions/count")).expect("there");
    assert_eq!(built, "x\nx\n");
    let run = bed.read("two");
    let names = [0, 1].map(|side: usize| &run.stored.config.engines[side].name);
    let [head, base] = names.map(|name| &run.stored.revisions[name]);
    assert_eq!((head.commit.len(), head.dirty), (40, true));
    assert_ne!(head.commit, base.commit);
    assert_eq!(*names[0], format!("HEAD-{}", &head.commit[..7]));
    assert_eq!(*names[1], format!("v3-{}", &base.commit[..7]));
    // What was built is gone: it is built again, of the same commit.
    fs::remove_dir_all(bed.path("cache")).expect("ours");
    let ended = bed.run("resume two").exits(0);
    ended.reports(&format!("building HEAD ({})", head.commit));
}

#[test]
fn a_failed_build_is_explained() {
    let bed = Bed::new();
    repository(&bed);
    let unknown = RUN.replace("rev:v3", "rev:v4");
    let rows = rows![
        unknown, BUILD, 2 => "error: 'rev:v4' is not a revision of repo";
        RUN.to_owned(), "'echo no compiler; exit 7'", 3 =>
            "has failed: it ended with exit code 7\n  | no compiler\nsee ";
        RUN.to_owned(), "true", 3 => "has failed: it has made no out/engine";
        RUN.replace("out/engine", "../engine"), BUILD, 2 => "the artifact ../engine must be a path from the root";
        RUN.replace("--repo repo", "--repo none"), BUILD, 2 => "is not a revision of none: ";
    ];
    for (run, build, code, expected) in rows {
        let ended = bed.run(&format!("{run} {build}")).exits(code);
        ended.reports(expected);
    }
}

#[test]
fn builds_wait_for_each_other_and_can_be_cancelled() {
    let bed = Bed::new();
    repository(&bed);
    let run = format!("{RUN} 'touch ../begun; sleep 60'");
    let first = bed.spawn(&run);
    let begun = || {
        let folders = bed.path("cache/revisions").read_dir();
        folders.is_ok_and(|mut all| {
            all.any(|folder| folder.is_ok_and(|folder| folder.path().join("begun").exists()))
        })
    };
    wait_until(begun);
    let second = bed.spawn(&run);
    // It has begun to listen for signals once it works with files of the cache.
    let files = format!("/proc/{}/fd", second.id());
    let cache = bed.path("cache").canonicalize().expect("it is there");
    wait_until(|| {
        let mut files = std::path::Path::new(&files).read_dir().expect("it runs");
        files.any(|file| {
            let target = file.ok().and_then(|file| file.path().read_link().ok());
            // The tests may inherit a lock from the program that runs them.
            target.is_some_and(|path| {
                path.starts_with(&cache) && path.extension().is_some_and(|end| end == "lock")
            })
        })
    });
    interrupt(&second);
    wait(second).exits(130);
    interrupt(&first);
    wait(first).exits(130);
    assert_nobody_in(bed.folder.path());
}
