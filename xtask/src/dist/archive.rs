//! Archives and their checksums. The same files give the same bytes, whenever and wherever they are
//! packed: sorted names, one time for all, no owners.

#![expect(clippy::disallowed_methods, reason = "files are read and written")]

use std::fmt::Write as _;
use std::io::{Cursor, Write as _};
use std::path::Path;

use anyhow::{Context, ensure};
use lzma_rust2::{XzOptions, XzWriter};
use sha2::{Digest, Sha256};
use time::{OffsetDateTime, PrimitiveDateTime};
use zip::write::SimpleFileOptions;

use crate::files::files_below;

/// A file of an archive.
struct Member {
    /// Path in the archive, with slashes.
    name: String,
    bytes: Vec<u8>,
    /// 755 for programs and scripts, 644 for others, whatever the umask of the builder.
    mode: u32,
}

/// Packs a folder so that it unpacks to one named `stem`. The ending of `archive` decides how:
/// `.tar.xz` or `.zip`. `epoch` is the time of all files, in seconds since 1970.
///
/// # Errors
///
/// When a file cannot be read or the archive cannot be written.
pub fn pack(folder: &Path, stem: &str, archive: &Path, epoch: i64) -> anyhow::Result<()> {
    let mut members = Vec::new();
    for path in files_below(folder, &[])? {
        let inner = path.strip_prefix(folder).expect("it lies below the folder");
        let parts = inner.iter().map(|part| part.to_string_lossy());
        let name = parts.collect::<Vec<_>>().join("/");
        let bytes = std::fs::read(&path).with_context(|| format!("cannot read {name}"))?;
        // By name and content, since Windows has no executable bit to read.
        let is_program = name.starts_with("bin/") || bytes.starts_with(b"#!");
        members.push(Member {
            name: format!("{stem}/{name}"),
            bytes,
            mode: if is_program { 0o755 } else { 0o644 },
        });
    }
    ensure!(!members.is_empty(), "{} is empty", folder.display());
    // `read_dir` lists files in an order that depends on the file system.
    members.sort_by(|one, other| one.name.cmp(&other.name));
    let bytes = if archive.extension().is_some_and(|ending| ending == "zip") {
        zip(&members, epoch)?
    } else {
        tar_xz(&members, epoch)?
    };
    std::fs::write(archive, bytes).with_context(|| format!("cannot write {}", archive.display()))
}

fn tar_xz(members: &[Member], epoch: i64) -> anyhow::Result<Vec<u8>> {
    // Half as large as by gzip: the window of the highest level, 64 MiB, reaches over several of the
    // programs, which have much in common.
    let xz = XzWriter::new(Vec::new(), XzOptions::with_preset(9))?;
    let mut tar = tar::Builder::new(xz);
    for member in members {
        let mut header = tar::Header::new_gnu();
        header.set_mode(member.mode);
        header.set_mtime(u64::try_from(epoch).context("a time before 1970")?);
        // The numbers of the builder's user would differ from machine to machine.
        header.set_uid(0);
        header.set_gid(0);
        header.set_size(member.bytes.len() as u64);
        tar.append_data(&mut header, &member.name, member.bytes.as_slice())?;
    }
    Ok(tar.into_inner()?.finish()?)
}

fn zip(members: &[Member], epoch: i64) -> anyhow::Result<Vec<u8>> {
    let time = OffsetDateTime::from_unix_timestamp(epoch)?;
    let time = zip::DateTime::try_from(PrimitiveDateTime::new(time.date(), time.time()))
        // The times of zip begin in 1980.
        .context("a time before 1980")?;
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for member in members {
        let options = SimpleFileOptions::default()
            .compression_level(Some(9))
            .last_modified_time(time)
            .unix_permissions(member.mode);
        zip.start_file(&member.name, options)?;
        zip.write_all(&member.bytes)?;
    }
    Ok(zip.finish()?.into_inner())
}

/// The file of checksums beside the archives, as `sha256sum --check` reads it.
pub const SUMS: &str = "SHA256SUMS";

/// Writes the checksums of all files in a folder into [`SUMS`] there: the archives of all targets are made one after the
/// other into the same folder.
///
/// # Errors
///
/// When a file cannot be read, or the sums cannot be written.
pub fn write_sums(folder: &Path) -> anyhow::Result<()> {
    let mut files = files_below(folder, &[])?;
    files.retain(|file| !file.ends_with(SUMS));
    files.sort();
    let mut sums = String::new();
    for file in files {
        let bytes =
            std::fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
        for byte in Sha256::digest(bytes) {
            write!(sums, "{byte:02x}")?;
        }
        let name = file.strip_prefix(folder).expect("it lies there");
        writeln!(sums, "  {}", name.display())?;
    }
    std::fs::write(folder.join(SUMS), sums).context("cannot write the checksums")
}
