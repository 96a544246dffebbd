//! A repository of an engine, for runs between its revisions.

#![expect(
    clippy::disallowed_methods,
    reason = "tests start programs and write files"
)]

use std::fs;
use std::path::Path;
use std::process::Command;

/// How a revision of it is built, in the words of the command line; each build adds a line to the
/// file `count` beside all builds.
pub(crate) const BUILD: &str =
    "'mkdir out && cp source out/engine && chmod +x out/engine && echo x >> ../../count'";

/// Makes a repository with two revisions, `v3` and then `v7`: a script that starts `engine` with
/// this seed, as file `source`.
pub(crate) fn make_repository(folder: &Path, engine: &Path) {
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=A", "-c", "user.email=a@example.org"]);
        command
            .args(["-c", "init.defaultBranch=main"])
            .args(arguments);
        let output = command.current_dir(folder).output().expect("git");
        assert!(output.status.success(), "{output:?}");
    };
    fs::create_dir(folder).expect("new");
    // For `--config`: builds are kept here.
    fs::write(
        folder.with_file_name("cache.toml"),
        "build.cache = 'cache'\n",
    )
    .expect("ours");
    git(&["init", "--quiet"]);
    for seed in ["3", "7"] {
        let script = format!("#!/bin/sh\nexec {} --seed={seed}\n", engine.display());
        fs::write(folder.join("source"), script).expect("ours");
        git(&["add", "."]);
        git(&["commit", "--quiet", "--message", seed]);
        git(&["tag", &format!("v{seed}")]);
    }
}
