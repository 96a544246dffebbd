//! Builds the programs of a release so that the same commit gives the same bytes in every folder.

#![expect(
    clippy::disallowed_methods,
    reason = "cargo is run, and the environment is its"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, bail, ensure};
use cargo_metadata::camino::Utf8PathBuf;
use cargo_metadata::{Message, Metadata, PackageId};

use super::command::output;
use super::target::{ReleaseProgram, TargetTriple};

/// The profile of `Cargo.toml` that releases are built with.
const PROFILE: &str = "dist";

/// The compiler that builds the programs.
pub(super) struct Toolchain {
    cargo: PathBuf,
    rustc: PathBuf,
    /// The target of the machine it runs on.
    pub(super) host: String,
    /// `rustc 1.95.0 (59807616e 2026-04-14)`.
    pub(super) version: String,
    commit: String,
    sysroot: String,
}

/// What has been built.
pub(super) struct BuiltRelease {
    /// The file of each program.
    pub(super) programs: BTreeMap<&'static str, PathBuf>,
    /// The packages that are linked into the programs, without those that only build them.
    pub(super) linked: BTreeSet<PackageId>,
}

impl Toolchain {
    /// The toolchain in a folder, or the one that runs us.
    pub(super) fn find(folder: Option<&Path>) -> anyhow::Result<Self> {
        let ours = |variable: &str, name: &str| match folder {
            Some(folder) => folder.join(name),
            None => env::var_os(variable).map_or_else(|| name.into(), PathBuf::from),
        };
        let (cargo, rustc) = (ours("CARGO", "cargo"), ours("RUSTC", "rustc"));
        let about = output(Command::new(&rustc).arg("-vV"))?;
        let field = |name: &str| {
            let mut lines = about.lines();
            let value = lines.find_map(|line| line.strip_prefix(name));
            value.map(str::to_owned).unwrap_or_default()
        };
        let sysroot = output(Command::new(&rustc).args(["--print", "sysroot"]))?;
        Ok(Self {
            host: field("host: "),
            version: about.lines().next().unwrap_or_default().to_owned(),
            commit: field("commit-hash: "),
            sysroot: sysroot.trim().to_owned(),
            cargo,
            rustc,
        })
    }

    /// Whether it comes with the standard library of a target; otherwise the library is built from
    /// its sources.
    fn has_library(&self, target: &TargetTriple) -> bool {
        let library = format!("{}/lib/rustlib/{target}/lib", self.sysroot);
        Path::new(&library).is_dir()
    }

    /// `-C` and other flags for the programs.
    fn flags(target: &TargetTriple, folders: &[(String, String)]) -> Vec<String> {
        let mut flags: Vec<String> = folders
            .iter()
            .map(|(from, to)| format!("--remap-path-prefix={from}={to}"))
            .collect();
        // Linkers for Windows write the time of the build into the program by default.
        if target.0.ends_with("-windows-gnu") {
            flags.push("-Clink-arg=-Wl,--no-insert-timestamp".to_owned());
        } else if target.0.ends_with("-windows-msvc") {
            flags.push("-Clink-arg=/Brepro".to_owned());
        }
        flags
    }

    /// Folders that must not show in the programs, and what stands there instead.
    fn folders(&self, root: &Path, metadata: &Metadata) -> Vec<(String, String)> {
        // The folder of a registry has the user's name in its path, and a panic message would show
        // it.
        let registries: BTreeSet<String> = metadata
            .packages
            .iter()
            .filter(|package| package.source.is_some())
            .filter_map(|package| Some(package.manifest_path.parent()?.parent()?.to_string()))
            .collect();
        let mut folders: Vec<_> = registries
            .into_iter()
            .map(|registry| (registry, "/registry".to_owned()))
            .collect();
        folders.push((root.display().to_string(), "/touchstone".to_owned()));
        // With its sources at hand, the compiler names the library by their folder.
        folders.push((
            format!("{}/lib/rustlib/src/rust", self.sysroot),
            format!("/rustc/{}", self.commit),
        ));
        folders
    }

    /// Builds programs for a target.
    ///
    /// # Errors
    ///
    /// When cargo fails, or a program is missing.
    pub(super) fn build(
        &self,
        root: &Path,
        metadata: &Metadata,
        target: &TargetTriple,
        programs: &[ReleaseProgram],
        epoch: i64,
    ) -> anyhow::Result<BuiltRelease> {
        let folders = self.folders(root, metadata);
        // Debian's unwinders call functions of glibc, so that nothing links for musl without rustup's library.
        ensure!(
            !target.0.ends_with("-musl") || self.has_library(target),
            "the toolchain has no library for {target}: rustup target add {target}"
        );
        let flags = Self::flags(target, &folders);
        let mut cargo = Command::new(&self.cargo);
        cargo
            .current_dir(root)
            .args(["build", "--locked", "--bins", "--profile", PROFILE])
            .args(["--target", &target.0])
            .arg("--message-format=json-render-diagnostics")
            .env("RUSTC", &self.rustc)
            // Wins over flags of the user, which would go into what is published.
            .env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"))
            // Incremental builds divide the code in other units, so the bytes differ.
            .env("CARGO_INCREMENTAL", "0")
            .env("SOURCE_DATE_EPOCH", epoch.to_string())
            .stdout(Stdio::piped());
        for program in programs {
            cargo.args(["-p", program.package]);
            if let Some(feature) = program.feature {
                cargo.arg(format!("--features={}/{feature}", program.package));
            }
        }
        if !self.has_library(target) {
            cargo
                // Only nightly allows this flag, unless RUSTC_BOOTSTRAP is set.
                .arg("-Zbuild-std=std,panic_abort")
                .env("RUSTC_BOOTSTRAP", "1");
        }
        // The C compiler of MSVC does not know this flag.
        if !target.0.ends_with("-msvc") {
            let mut maps = Vec::new();
            for (from, to) in &folders {
                let map = format!("-ffile-prefix-map={from}={to}");
                maps.push(shlex::try_quote(&map)?.into_owned());
            }
            let variable = format!("CFLAGS_{}", target.0.replace('-', "_"));
            cargo
                .env(variable, maps.join(" "))
                .env("CC_SHELL_ESCAPED_FLAGS", "1");
        }
        let mut child = cargo.spawn().context("cannot start cargo")?;
        let stdout = child.stdout.take().expect("it is piped");
        let mut built = BuiltRelease {
            programs: BTreeMap::new(),
            linked: BTreeSet::new(),
        };
        let theirs = metadata.target_directory.join(&target.0);
        for message in Message::parse_stream(BufReader::new(stdout)) {
            let Message::CompilerArtifact(artifact) = message.context("cannot read cargo")? else {
                continue;
            };
            // Build scripts, macros and what those use are for the host.
            let is_linked = |file: &Utf8PathBuf| file.starts_with(&theirs);
            if artifact.filenames.iter().any(is_linked) {
                built.linked.insert(artifact.package_id);
            }
            let program = programs
                .iter()
                .find(|program| program.name == artifact.target.name);
            if let (Some(program), Some(file)) = (program, artifact.executable) {
                built.programs.insert(program.name, file.into());
            }
        }
        // After its output has ended: a full pipe would block cargo.
        let status = child.wait().context("cannot wait for cargo")?;
        ensure!(status.success(), "cargo build failed: {status}");
        if let Some(missing) = programs
            .iter()
            .find(|program| !built.programs.contains_key(program.name))
        {
            bail!("cargo built no program {}", missing.name);
        }
        Ok(built)
    }

    /// The command that programs of a target are run with here: empty where they run as they are.
    ///
    /// # Errors
    ///
    /// When they do not run here.
    pub(super) fn runner(&self, target: &TargetTriple) -> anyhow::Result<Vec<String>> {
        let variable = target.variable("RUNNER");
        if let Ok(runner) = env::var(&variable) {
            return Ok(runner.split_whitespace().map(str::to_owned).collect());
        }
        ensure!(
            target.runs_on(&self.host),
            "programs for {target} do not run on {}: set {variable}, or use scripts/cross",
            self.host
        );
        Ok(Vec::new())
    }
}
