//! Compressed files: gzip, Zstandard, bzip2. Recognised by content when they are read, chosen by the
//! name when they are written.
//!
//! ```
//! use std::io::{Read as _, Write as _};
//! use kit::compress::{self, Compression, Encoder};
//!
//! let mut encoder = Encoder::new(Vec::new(), Compression::of_name("book.epd.gz".as_ref()));
//! encoder.write_all(b"a line\n")?;
//! let packed = encoder.finish()?;
//!
//! let mut text = String::new();
//! compress::decode(&packed[..])?.read_to_string(&mut text)?;
//! assert_eq!(text, "a line\n");
//! # Ok::<(), std::io::Error>(())
//! ```

use std::fmt;
use std::io::{self, BufRead, BufReader, Cursor, ErrorKind, Read, Write};
use std::path::Path;

use bzip2::bufread::MultiBzDecoder;
use bzip2::write::BzEncoder;
use flate2::bufread::MultiGzDecoder;
use flate2::write::GzEncoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

/// The first bytes of a gzip file (RFC 1952, 2.3.1).
const GZIP: &[u8] = b"\x1f\x8b";
/// The first bytes of a Zstandard frame (RFC 8878, 3.1.1).
const ZSTANDARD: &[u8] = b"\x28\xb5\x2f\xfd";
/// The first bytes of a bzip2 file; a digit follows, the block size.
const BZIP2: &[u8] = b"BZh";
/// Maximum window of a Zstandard frame: what the program `zstd` accepts by default.
const MAX_WINDOW: u64 = 1 << 27;
/// Size of the frames that are written. Frames follow each other in one file, so that the encoder,
/// which takes a whole frame at once, needs memory for one only.
const FRAME: usize = 1 << 20;
/// Number of bytes read at once.
const PIECE: usize = 1 << 16;

/// A format of compressed files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compression {
    /// Not compressed.
    #[default]
    None,
    /// gzip, `.gz`.
    Gzip,
    /// Zstandard, `.zst`.
    Zstandard,
    /// bzip2, `.bz2`.
    Bzip2,
}

impl Compression {
    /// The format that the last extension of a file name stands for.
    pub fn of_name(path: &Path) -> Self {
        let extension = path.extension().unwrap_or_default();
        match extension.to_string_lossy().to_ascii_lowercase().as_str() {
            "gz" => Self::Gzip,
            "zst" => Self::Zstandard,
            "bz2" => Self::Bzip2,
            _ => Self::None,
        }
    }

    /// The format of a file that begins with these bytes; four are enough.
    pub fn of_content(begin: &[u8]) -> Self {
        // Skippable frames (RFC 8878, 3.1.2), with which parallel compressors begin.
        let is_skippable =
            matches!(begin, [first, 0x2a, 0x4d, 0x18, ..] if (0x50..=0x5f).contains(first));
        if begin.starts_with(GZIP) {
            Self::Gzip
        } else if begin.starts_with(ZSTANDARD) || is_skippable {
            Self::Zstandard
        } else if begin.starts_with(BZIP2) && begin.get(3).is_some_and(u8::is_ascii_digit) {
            Self::Bzip2
        } else {
            Self::None
        }
    }
}

impl fmt::Display for Compression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::None => "plain",
            Self::Gzip => "gzip",
            Self::Zstandard => "Zstandard",
            Self::Bzip2 => "bzip2",
        })
    }
}

/// An input that was opened for reading: its text and the format it was stored in.
pub struct Decoded<'a> {
    /// The format of the input.
    pub compression: Compression,
    /// The decompressed text.
    pub text: Box<dyn BufRead + 'a>,
}

/// Reads an input, decompressed if its first bytes show that it is compressed. Concatenated archives
/// are read as one. The memory is that of one window: at most 128 MiB for Zstandard, usually 8.
///
/// # Errors
///
/// When the first bytes cannot be read. Reading the result fails with [`ErrorKind::InvalidData`] if the
/// compressed data are damaged or end too early.
pub fn open<'a>(mut input: impl Read + 'a) -> io::Result<Decoded<'a>> {
    let mut begin = Vec::with_capacity(4);
    (&mut input).take(4).read_to_end(&mut begin)?;
    let compression = Compression::of_content(&begin);
    let input = BufReader::with_capacity(PIECE, input);
    let input = Cursor::new(begin).chain(input);
    let text: Box<dyn BufRead + 'a> = match compression {
        Compression::None => Box::new(input),
        Compression::Gzip => buffered(compression, MultiGzDecoder::new(input)),
        Compression::Bzip2 => buffered(compression, MultiBzDecoder::new(input)),
        Compression::Zstandard => buffered(compression, ZstandardDecoder::new(input)),
    };
    Ok(Decoded { compression, text })
}

/// The text of [`open`].
///
/// # Errors
///
/// As for [`open`].
pub fn decode<'a>(input: impl Read + 'a) -> io::Result<Box<dyn BufRead + 'a>> {
    open(input).map(|decoded| decoded.text)
}

fn buffered<'a>(compression: Compression, decoder: impl Read + 'a) -> Box<dyn BufRead + 'a> {
    let decoder = NamedDecoder {
        compression,
        decoder,
    };
    Box::new(BufReader::with_capacity(PIECE, decoder))
}

/// A decoder whose errors name the format.
struct NamedDecoder<R> {
    compression: Compression,
    decoder: R,
}

impl<R: Read> Read for NamedDecoder<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let format = self.compression;
        self.decoder.read(buffer).map_err(|error| {
            let text = match error.kind() {
                ErrorKind::UnexpectedEof => format!("the {format} data end too early"),
                ErrorKind::InvalidData | ErrorKind::InvalidInput | ErrorKind::Other => {
                    format!("the {format} data are damaged: {error}")
                }
                _ => return error,
            };
            io::Error::new(ErrorKind::InvalidData, text)
        })
    }
}

/// Reads all frames of a file, and checks their checksums.
struct ZstandardDecoder<R> {
    input: R,
    decoder: FrameDecoder,
    is_in_frame: bool,
}

impl<R: BufRead> ZstandardDecoder<R> {
    fn new(input: R) -> Self {
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(MAX_WINDOW);
        Self {
            input,
            decoder,
            is_in_frame: false,
        }
    }

    /// Begins the next frame; `false` at the end of the file.
    fn begin(&mut self) -> io::Result<bool> {
        use ReadFrameHeaderError::SkipFrame;

        loop {
            if self.input.fill_buf()?.is_empty() {
                return Ok(false);
            }
            match self.decoder.reset(&mut self.input) {
                Ok(()) => return Ok(true),
                Err(FrameDecoderError::ReadFrameHeaderError(SkipFrame { length, .. })) => {
                    let length = u64::from(length);
                    // A skippable frame may have 4 GiB, so it is not kept in memory.
                    let mut frame = (&mut self.input).take(length);
                    if io::copy(&mut frame, &mut io::sink())? < length {
                        return Err(ErrorKind::UnexpectedEof.into());
                    }
                }
                Err(error) => return Err(damaged(&error)),
            }
        }
    }

    fn decode(&mut self) -> io::Result<()> {
        while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
            let decoded = self
                .decoder
                .decode_blocks(&mut self.input, BlockDecodingStrategy::UptoBlocks(1));
            decoded.map_err(|error| damaged(&error))?;
        }
        Ok(())
    }

    fn check(&self) -> io::Result<()> {
        let stored = self.decoder.get_checksum_from_data();
        if stored.is_some() && stored != self.decoder.get_calculated_checksum() {
            let text = "the checksum of a frame is wrong";
            return Err(io::Error::new(ErrorKind::InvalidData, text));
        }
        Ok(())
    }
}

/// An error of the decoder; a missing end is distinguished from other damage by the error it was caused by.
fn damaged(error: &(dyn std::error::Error + 'static)) -> io::Error {
    let mut cause = Some(error);
    while let Some(error) = cause {
        let io = error.downcast_ref::<io::Error>();
        if io.is_some_and(|error| error.kind() == ErrorKind::UnexpectedEof) {
            return ErrorKind::UnexpectedEof.into();
        }
        cause = error.source();
    }
    io::Error::new(ErrorKind::InvalidData, error.to_string())
}

impl<R: BufRead> Read for ZstandardDecoder<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if !self.is_in_frame {
                if !self.begin()? {
                    return Ok(0);
                }
                self.is_in_frame = true;
            }
            self.decode()?;
            let count = self.decoder.read(buffer)?;
            // An empty buffer gets 0 bytes before the end, too.
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            self.check()?;
            self.is_in_frame = false;
        }
    }
}

/// Writes a file in a format; [`Encoder::finish`] ends it.
pub struct Encoder<W: Write>(Inner<W>);

enum Inner<W: Write> {
    Plain(W),
    Gzip(GzEncoder<W>),
    Zstandard { to: W, frame: Vec<u8> },
    Bzip2(BzEncoder<W>),
}

impl<W: Write> Encoder<W> {
    /// Begins a file.
    pub fn new(to: W, compression: Compression) -> Self {
        Self(match compression {
            Compression::None => Inner::Plain(to),
            Compression::Gzip => Inner::Gzip(GzEncoder::new(to, flate2::Compression::default())),
            Compression::Bzip2 => Inner::Bzip2(BzEncoder::new(to, bzip2::Compression::default())),
            Compression::Zstandard => {
                let frame = Vec::with_capacity(FRAME);
                Inner::Zstandard { to, frame }
            }
        })
    }

    /// Ends the file and returns what it was written to.
    ///
    /// # Errors
    ///
    /// When the last bytes cannot be written.
    pub fn finish(self) -> io::Result<W> {
        match self.0 {
            Inner::Plain(to) => Ok(to),
            Inner::Gzip(encoder) => encoder.finish(),
            Inner::Bzip2(encoder) => encoder.finish(),
            Inner::Zstandard { mut to, frame } => {
                to.write_all(&compress_to_vec(&frame[..], CompressionLevel::Fastest))?;
                Ok(to)
            }
        }
    }
}

impl<W: Write> Write for Encoder<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            Inner::Plain(to) => to.write(bytes),
            Inner::Gzip(encoder) => encoder.write(bytes),
            Inner::Bzip2(encoder) => encoder.write(bytes),
            Inner::Zstandard { to, frame } => {
                if frame.len() == FRAME {
                    to.write_all(&compress_to_vec(&frame[..], CompressionLevel::Fastest))?;
                    frame.clear();
                }
                let count = bytes.len().min(FRAME - frame.len());
                frame.extend(&bytes[..count]);
                Ok(count)
            }
        }
    }

    /// Flushes what is below the encoder; the data within it stay there until there are enough of them.
    fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            Inner::Plain(to) | Inner::Zstandard { to, .. } => to.flush(),
            Inner::Gzip(encoder) => encoder.get_mut().flush(),
            Inner::Bzip2(encoder) => encoder.get_mut().flush(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [(Compression, &str); 4] = [
        (Compression::None, "a"),
        (Compression::Gzip, "a.epd.gz"),
        (Compression::Zstandard, "a.ZST"),
        (Compression::Bzip2, "a.bz2"),
    ];

    fn pack(text: &[u8], compression: Compression) -> Vec<u8> {
        let mut encoder = Encoder::new(Vec::new(), compression);
        encoder.write_all(text).expect("memory can be written");
        encoder.finish().expect("memory can be written")
    }

    fn unpack(packed: &[u8]) -> io::Result<Vec<u8>> {
        let mut text = Vec::new();
        decode(packed)?.read_to_end(&mut text)?;
        Ok(text)
    }

    /// Longer than two frames, and not a multiple of one.
    fn text() -> Vec<u8> {
        let lines = (0..60_000).map(|number: u32| format!("{number} {}\n", number.pow(2) % 997));
        lines.collect::<String>().repeat(4).into_bytes()
    }

    #[test]
    fn what_is_written_is_read() {
        let text = text();
        assert!(text.len() > 2 * FRAME);
        for (compression, name) in ALL {
            assert_eq!(Compression::of_name(Path::new(name)), compression);
            for text in [&text[..], b"", b"one line\n"] {
                let packed = pack(text, compression);
                if !text.is_empty() {
                    assert_eq!(Compression::of_content(&packed), compression);
                }
                assert_eq!(unpack(&packed).expect("it is whole"), text, "{compression}");
                let twice = [&packed[..], &packed].concat();
                let expected = [text, text].concat();
                assert_eq!(unpack(&twice).expect("both are whole"), expected);
            }
        }
    }

    #[test]
    fn damage_is_an_error() {
        let text = text();
        for (compression, _) in &ALL[1..] {
            let packed = pack(&text, *compression);
            for length in [5, packed.len() / 2, packed.len() - 1] {
                let error = unpack(&packed[..length]).expect_err("the end is missing");
                let expected = format!("the {compression} data ");
                assert!(error.to_string().starts_with(&expected), "{error}");
                assert_eq!(error.kind(), ErrorKind::InvalidData);
            }
            let mut changed = packed;
            let middle = changed.len() / 2;
            changed[middle] ^= 0x55;
            let read = unpack(&changed);
            assert!(
                read.is_err(),
                "{compression}: a changed byte is not noticed"
            );
        }
    }

    /// The programs that people use read what is written here, and the other way round.
    #[cfg(unix)]
    #[test]
    #[expect(clippy::disallowed_methods, reason = "other programs are asked")]
    fn other_programs_agree() {
        use std::process::{Command, Stdio};

        let text = text();
        let pipe = |program: &str, option: &str, input: &[u8]| -> Option<Vec<u8>> {
            let mut command = Command::new(program);
            command
                .arg(option)
                .stdin(Stdio::piped())
                .stdout(Stdio::piped());
            // Not every machine has all three.
            let mut child = command.spawn().ok()?;
            let mut stdin = child.stdin.take().expect("piped");
            let input = input.to_vec();
            let feeding = std::thread::spawn(move || stdin.write_all(&input));
            let output = child.wait_with_output().expect("it ends");
            feeding.join().expect("no panic").expect("it reads all");
            assert!(output.status.success(), "{program} {option}");
            Some(output.stdout)
        };
        for (compression, program) in [
            (Compression::Gzip, "gzip"),
            (Compression::Zstandard, "zstd"),
            (Compression::Bzip2, "bzip2"),
        ] {
            if let Some(found) = pipe(program, "-dc", &pack(&text, compression)) {
                assert!(found == text, "{program} reads something else");
            }
            if let Some(packed) = pipe(program, "-c", &text) {
                assert!(
                    unpack(&packed).expect("whole") == text,
                    "{program} wrote it"
                );
            }
        }
    }
}
