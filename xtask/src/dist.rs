//! The files of a release for one target: an archive of the programs with completions, man pages,
//! docs and licences, the bill of materials, a Debian package, and the checksums of all.
//!
//! What is packed has been run: the programs write their own man pages and completions, and `perft
//! check` must agree.

#![expect(
    clippy::disallowed_methods,
    reason = "programs are run, files are written"
)]

mod archive;
mod build;
mod command;
mod notices;
mod sbom;
mod target;

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};
use cargo_metadata::MetadataCommand;

use build::Toolchain;
use command::{output, run};

use crate::files::files_below;

pub use archive::{SUMS, pack, write_sums};
pub use target::{PROGRAMS, ReleaseProgram, TargetTriple};

/// Where the content of the archive is collected, below the root of the repository; the Debian
/// package takes it from there.
const STAGE: &str = "target/stage";

/// Shells, each with the beginning and the ending of the name that it looks for.
const SHELLS: [(&str, &str, &str); 5] = [
    ("bash", "", ""),
    ("elvish", "", ".elv"),
    ("fish", "", ".fish"),
    ("powershell", "_", ".ps1"),
    ("zsh", "_", ""),
];

/// What to make.
#[derive(Clone, Debug, clap::Args)]
pub struct DistArgs {
    /// Target triple, such as x86_64-unknown-linux-gnu
    target: String,

    /// Folder to write the files to; created if missing
    #[arg(short, long, value_name = "DIR", default_value = "target/archives")]
    output: PathBuf,

    /// Build and pack only these programs, separated by commas
    #[arg(long, value_name = "PROGRAM", value_delimiter = ',')]
    only: Vec<String>,

    /// Folder with the cargo and rustc to build with, such as /usr/bin [default: those that run this]
    #[arg(long, value_name = "DIR")]
    toolchain: Option<PathBuf>,

    /// Also make a Debian package, by cargo-deb
    #[arg(long)]
    deb: bool,
}

/// Makes the files of a release.
///
/// # Errors
///
/// When something is missing, or a program does not work.
pub fn dist(root: &Path, args: &DistArgs) -> anyhow::Result<()> {
    let target = TargetTriple(args.target.clone());
    let toolchain = Toolchain::find(args.toolchain.as_deref())?;
    let runner = toolchain.runner(&target)?;
    let programs: Vec<ReleaseProgram> = target
        .programs()
        .filter(|program| args.only.is_empty() || args.only.iter().any(|it| it == program.name))
        .collect();
    ensure!(!programs.is_empty(), "no program of that name for {target}");

    let options = ["--locked", "--all-features", "--filter-platform", &target.0];
    let metadata = MetadataCommand::new()
        .current_dir(root)
        .other_options(options.map(str::to_owned))
        .exec()
        .context("cargo does not describe the workspace")?;
    let ours = |package: &&cargo_metadata::Package| package.name.as_str() == programs[0].package;
    let package = metadata.packages.iter().find(ours);
    let version = package.context("no such package")?.version.to_string();
    let stem = target.stem(&version);
    // The variable of reproducible-builds.org; without it, the time of the commit is the same
    // everywhere.
    let epoch = match env::var("SOURCE_DATE_EPOCH") {
        Ok(epoch) => epoch,
        Err(_) => {
            output(
                Command::new("git")
                    .current_dir(root)
                    .args(["log", "-1", "--format=%ct"]),
            )?
        }
    };
    let epoch: i64 = epoch.trim().parse().context("the time of the commit")?;

    let built = toolchain.build(root, &metadata, &target, &programs, epoch)?;
    let stage = root.join(STAGE);
    if stage.exists() {
        // A file of an earlier build would be packed as well.
        std::fs::remove_dir_all(&stage).context("cannot empty the stage")?;
    }
    std::fs::create_dir_all(stage.join("bin"))?;
    for (name, file) in &built.programs {
        std::fs::copy(file, stage.join("bin").join(target.executable(name)))
            .with_context(|| format!("cannot copy {name}"))?;
    }
    // The programs are run in the stage, with paths that mean the same to all systems.
    let program = |name: &str| {
        let file = stage.join("bin").join(target.executable(name));
        let mut words = runner.iter().map(Into::into).chain([file.into_os_string()]);
        let mut command = Command::new(words.next().expect("at least the program"));
        command.args(words).current_dir(&stage);
        command
    };
    for name in built.programs.keys() {
        run(program(name).args(["man", "share/man/man1"]))?;
        for (shell, begin, end) in SHELLS {
            let text = output(program(name).args(["completions", shell]))?;
            let folder = stage.join("share/completions").join(shell);
            std::fs::create_dir_all(&folder)?;
            std::fs::write(folder.join(format!("{begin}{name}{end}")), text)?;
        }
    }
    if built.programs.contains_key("perft") {
        // What is released counts correctly, or there is no release.
        run(program("perft").arg("check"))?;
    }

    let others = notices::of_others(&metadata, &built.linked);
    std::fs::write(
        stage.join("THIRD-PARTY.txt"),
        notices::write(&others, &target)?,
    )?;
    for name in ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"] {
        std::fs::copy(root.join(name), stage.join(name))?;
    }
    copy_all(&root.join("docs"), &stage.join("share/doc/touchstone"))?;
    copy_all(&root.join("ci"), &stage.join("share/touchstone/ci"))?;
    copy_all(
        &root.join("fleet/deploy"),
        &stage.join("share/touchstone/fleet"),
    )?;

    let folder = root.join(&args.output);
    std::fs::create_dir_all(&folder)?;
    pack(&stage, &stem, &folder.join(target.archive(&version)), epoch)?;
    let subject = sbom::BillSubject {
        stem: &stem,
        version: &version,
        epoch,
        rustc: &toolchain.version,
    };
    let bill = sbom::write(&subject, &metadata, &built.linked)?;
    std::fs::write(folder.join(format!("{stem}.cdx.json")), bill)?;
    if args.deb {
        deb(root, &folder, &target, epoch).context(
            "a Debian package needs cargo-deb: cargo install cargo-deb --locked --version 3.8.0",
        )?;
    }
    write_sums(&folder)
}

/// Copies all files below a folder into another one.
fn copy_all(from: &Path, to: &Path) -> anyhow::Result<()> {
    for file in files_below(from, &[])? {
        let copy = to.join(file.strip_prefix(from).expect("it lies there"));
        std::fs::create_dir_all(copy.parent().expect("a file lies in a folder"))?;
        std::fs::copy(&file, copy)?;
    }
    Ok(())
}

/// Makes the Debian package from the stage; `xtask/Cargo.toml` says what goes where.
fn deb(root: &Path, folder: &Path, target: &TargetTriple, epoch: i64) -> anyhow::Result<()> {
    let mut deb = Command::new("cargo");
    deb.current_dir(root)
        // The programs are those of the archive, byte by byte.
        .args(["deb", "-p", "touchstone-xtask", "--no-build", "--no-strip"])
        .args(["--target", &target.0, "--output"])
        .arg(folder)
        .env("SOURCE_DATE_EPOCH", epoch.to_string());
    run(&mut deb)
}
