//! Why a program cannot be started. The operating system's word for it is often wrong: a script whose
//! interpreter is missing is "no such file", though the file is there.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use crate::CommandLine;

/// Bytes at the beginning of a file that are looked at.
const HEAD: u64 = 4096;

/// Explains why a command could not be started: in words of ours where the file shows the reason,
/// otherwise in those of the system.
pub fn why_not_started(command: &CommandLine, error: &io::Error) -> String {
    explain(command, error).unwrap_or_else(|| error.to_string())
}

fn explain(command: &CommandLine, error: &io::Error) -> Option<String> {
    let program = Path::new(&command.program);
    if let Some(folder) = command.directory.as_ref().filter(|path| !path.is_dir()) {
        return Some(format!("its folder {} does not exist", folder.display()));
    }
    if program.as_os_str().is_empty() {
        return None;
    }
    if program.components().count() == 1 && !has_separator(program) {
        let shown = program.display();
        let here = if program.is_file() {
            format!("; there is ./{shown} here")
        } else {
            String::new()
        };
        let is_missing = error.kind() == io::ErrorKind::NotFound;
        return is_missing.then(|| format!("program '{shown}' is not in PATH{here}"));
    }
    let path = match &command.directory {
        Some(folder) => folder.join(program),
        None => program.to_owned(),
    };
    let data = path.metadata().ok()?;
    if data.is_dir() {
        return Some("it is a folder, not a program".to_owned());
    }
    if !may_run(&data) {
        return Some(format!(
            "it is not an executable file; if it is a program: chmod +x {}",
            crate::quote_word(&program.to_string_lossy())
        ));
    }
    by_content(&head(&path)?, error)
}

/// Whether a name is a path, such as `./engine`, of which only one component is left.
fn has_separator(program: &Path) -> bool {
    program.to_string_lossy().contains(std::path::is_separator)
}

#[cfg(unix)]
fn may_run(data: &fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    data.permissions().mode() & 0o111 != 0
}

#[cfg(not(unix))]
fn may_run(_: &fs::Metadata) -> bool {
    true
}

#[expect(clippy::disallowed_methods, reason = "the edge looks at a program")]
fn head(path: &Path) -> Option<Vec<u8>> {
    let mut head = Vec::new();
    let file = fs::File::open(path).ok()?;
    file.take(HEAD).read_to_end(&mut head).ok()?;
    Some(head)
}

/// The reason that the first bytes of an executable file show.
fn by_content(head: &[u8], error: &io::Error) -> Option<String> {
    let is_missing = error.kind() == io::ErrorKind::NotFound;
    if let Some(script) = head.strip_prefix(b"#!") {
        let line = script.split(|&byte| byte == b'\n').next()?;
        let line = String::from_utf8_lossy(line);
        // The system looks for an interpreter whose name ends in a carriage return.
        if line.ends_with('\r') {
            return Some(
                "its first line ends as on Windows: save it with Unix line ends".to_owned(),
            );
        }
        let interpreter = line.split_whitespace().next()?;
        let is_there = Path::new(interpreter).exists();
        return (is_missing && !is_there).then(|| {
            format!("its interpreter {interpreter}, named in its first line, does not exist")
        });
    }
    if head.is_empty() {
        return Some("the file is empty".to_owned());
    }
    let here = env::consts::ARCH;
    if let Some(machine) = elf_machine(head) {
        if cfg!(windows) {
            return Some("it is a program for Linux".to_owned());
        }
        if machine != here {
            return Some(format!(
                "it is a program for {machine}, and this machine is {here}"
            ));
        }
        let loader = elf_loader(head).filter(|loader| is_missing && !loader.exists())?;
        return Some(format!(
            "its loader {} does not exist: it was built for another system (glibc or musl?)",
            loader.display()
        ));
    }
    if cfg!(unix) && head.starts_with(b"MZ") {
        return Some("it is a program for Windows".to_owned());
    }
    let magic = head.first_chunk::<4>()?;
    // These begin Mach-O files of 64 and of 32 bits; the last one is for several processors.
    let is_mach = matches!(
        magic,
        [0xcf | 0xce, 0xfa, 0xed, 0xfe] | [0xca, 0xfe, 0xba, 0xbe]
    );
    if is_mach && !cfg!(target_os = "macos") {
        return Some("it is a program for macOS".to_owned());
    }
    // ENOEXEC.
    (cfg!(unix) && error.raw_os_error() == Some(8))
        .then(|| "it is neither a program nor a script with `#!` in its first line".to_owned())
}

/// The processor of an ELF file, as Rust names it.
fn elf_machine(head: &[u8]) -> Option<&'static str> {
    if !head.starts_with(b"\x7fELF") {
        return None;
    }
    // ELF header: `e_machine` is at 18; an `EI_DATA` of 2 (at 5) means big-endian.
    let bytes = [*head.get(18)?, *head.get(19)?];
    let is_big = head.get(5) == Some(&2);
    let machine = if is_big {
        u16::from_be_bytes(bytes)
    } else {
        u16::from_le_bytes(bytes)
    };
    Some(match machine {
        3 => "x86",
        20 | 21 => "powerpc64",
        22 => "s390x",
        40 => "arm",
        62 => "x86_64",
        183 => "aarch64",
        243 => "riscv64",
        258 => "loongarch64",
        _ => "another processor",
    })
}

/// The program that loads a 64-bit little-endian ELF file: its segment `PT_INTERP`.
fn elf_loader(head: &[u8]) -> Option<PathBuf> {
    const INTERPRETER: u64 = 3;
    // ELF header: 64 bits (`EI_CLASS`), little-endian (`EI_DATA`).
    if head.get(4..6) != Some(&[2, 1]) {
        return None;
    }
    let number = |at: usize, len: usize| {
        let bytes = head.get(at..at.checked_add(len)?)?;
        Some(
            bytes
                .iter()
                .rev()
                .fold(0, |sum, &byte| sum << 8 | u64::from(byte)),
        )
    };
    let index = |at, len| usize::try_from(number(at, len)?).ok();
    // ELF header: `e_phoff`, `e_phentsize` and `e_phnum`.
    let (table, size, count) = (index(32, 8)?, index(54, 2)?, index(56, 2)?);
    let mut segments = (0..count).map(|segment| table.saturating_add(segment * size));
    let segment = segments.find(|&at| number(at, 4) == Some(INTERPRETER))?;
    // Program header: `p_offset` and `p_filesz`.
    let (begin, len) = (index(segment + 8, 8)?, index(segment + 32, 8)?);
    let text = head.get(begin..begin.checked_add(len)?)?;
    let text = text.split(|&byte| byte == 0).next()?;
    Some(PathBuf::from(String::from_utf8_lossy(text).into_owned()))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// An ELF file of this processor number, whose loader has this path.
    fn elf(machine: u8, loader: &str) -> Vec<u8> {
        let mut file = b"\x7fELF\x02\x01\x01".to_vec();
        file.resize(64, 0);
        (file[18], file[32], file[54], file[56]) = (machine, 64, 56, 1);
        let mut segment = vec![0; 56];
        let len = u8::try_from(loader.len() + 1).expect("short");
        (segment[0], segment[8], segment[32]) = (3, 120, len);
        [&file, &*segment, loader.as_bytes(), b"\0"].concat()
    }

    #[test]
    fn the_content_of_a_file_explains_why_it_does_not_start() {
        let missing = || io::Error::from(io::ErrorKind::NotFound);
        let no_program = || io::Error::from_raw_os_error(8);
        let (here, other) = match env::consts::ARCH {
            "aarch64" => (183, 62),
            _ => (62, 183),
        };
        let rows: [(&[u8], io::Error, Option<&str>); 10] = [
            (
                b"#!/no/python -u\nx",
                missing(),
                Some("its interpreter /no/python, named in its first line,"),
            ),
            (
                b"#!/bin/sh\r\nx",
                missing(),
                Some("its first line ends as on Windows"),
            ),
            (b"#!/bin/sh\nx", missing(), None),
            (b"", no_program(), Some("the file is empty")),
            (
                b"hello",
                no_program(),
                Some("it is neither a program nor a script"),
            ),
            (
                b"MZ\x90\0",
                no_program(),
                Some("it is a program for Windows"),
            ),
            (
                b"\xcf\xfa\xed\xfe",
                no_program(),
                Some("it is a program for macOS"),
            ),
            (
                &elf(other, "/no"),
                no_program(),
                Some("it is a program for "),
            ),
            (
                &elf(here, "/lib/no-musl.so"),
                missing(),
                Some("its loader /lib/no-musl.so does not exist"),
            ),
            (&elf(here, "/bin/sh"), missing(), None),
        ];
        for (head, error, expected) in rows {
            let found = by_content(head, &error);
            let begins = match expected {
                Some(expected) => found
                    .as_ref()
                    .is_some_and(|found| found.starts_with(expected)),
                None => found.is_none(),
            };
            assert!(begins, "{head:?}: {found:?}");
        }
    }
}
