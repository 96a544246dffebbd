//! What a release is built for, and what its files are called.

use std::fmt;

/// A program of a release.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReleaseProgram {
    /// Name of the program.
    pub name: &'static str,
    /// The package it is built from.
    pub package: &'static str,
    /// A feature that is off by default and on in releases.
    pub feature: Option<&'static str>,
    /// Whether it is built for Windows, too.
    pub runs_on_windows: bool,
}

impl ReleaseProgram {
    const fn new(name: &'static str, package: &'static str) -> Self {
        Self {
            name,
            package,
            feature: None,
            runs_on_windows: true,
        }
    }
}

/// All programs of a release.
pub const PROGRAMS: [ReleaseProgram; 6] = [
    ReleaseProgram {
        feature: Some("fleet"),
        ..ReleaseProgram::new("perft", "touchstone-perft")
    },
    ReleaseProgram {
        feature: Some("fleet"),
        ..ReleaseProgram::new("epd", "touchstone-epd")
    },
    ReleaseProgram {
        feature: Some("fleet"),
        ..ReleaseProgram::new("selfplay", "touchstone-selfplay")
    },
    ReleaseProgram::new("touchstone", "touchstone-engine"),
    ReleaseProgram::new("fleet", "touchstone-fleet"),
    // A server; nobody has asked for one on Windows.
    ReleaseProgram {
        runs_on_windows: false,
        ..ReleaseProgram::new("crowd", "touchstone-crowd")
    },
];

/// A target triple.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TargetTriple(pub String);

impl fmt::Display for TargetTriple {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TargetTriple {
    /// Whether it is a Windows: its programs end in `.exe`, its archive is a zip.
    pub fn is_windows(&self) -> bool {
        self.0.contains("-windows-")
    }

    /// The programs that are released for it.
    pub fn programs(&self) -> impl Iterator<Item = ReleaseProgram> + '_ {
        let mut programs = PROGRAMS.into_iter();
        std::iter::from_fn(move || {
            programs.find(|program| program.runs_on_windows || !self.is_windows())
        })
    }

    /// The file of a program.
    pub fn executable(&self, program: &str) -> String {
        let ending = if self.is_windows() { ".exe" } else { "" };
        format!("{program}{ending}")
    }

    /// The name of the archive without its ending, which is also the folder that it unpacks to.
    pub fn stem(&self, version: &str) -> String {
        format!("touchstone-{version}-{self}")
    }

    /// The name of the archive.
    pub fn archive(&self, version: &str) -> String {
        let ending = if self.is_windows() { "zip" } else { "tar.xz" };
        format!("{}.{ending}", self.stem(version))
    }

    /// The name of one of cargo's variables for it: `CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_LINKER`.
    pub fn variable(&self, ending: &str) -> String {
        let triple = self.0.to_uppercase().replace('-', "_");
        format!("CARGO_TARGET_{triple}_{ending}")
    }

    /// Whether programs for it run on a machine of this target as they are. A C library that is
    /// linked statically makes no difference.
    pub fn runs_on(&self, host: &str) -> bool {
        let system = |triple: &str| triple.rsplit_once('-').map(|(system, _)| system.to_owned());
        self.0 == host || system(&self.0) == system(host) && !self.is_windows()
    }
}
