//! An input as blocks of whole lines, which are worked on in parallel and handed on in order.

use std::collections::VecDeque;
use std::io::{self, BufRead, ErrorKind};
use std::thread;

use crossbeam_channel::{Receiver, bounded};

/// Size of a block, in bytes: large enough that handing it on costs nothing, small enough that many
/// cores with a few blocks each need little memory.
const BLOCK: usize = 64 << 10;
/// Maximum length of a line. An endless device has no line ends, and must not fill the memory.
// 16 MiB is far more than any record, and small beside the memory of a machine.
const LONGEST_LINE: usize = 16 << 20;

/// Some lines of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    /// The number of its first line, from 1.
    pub(crate) line: usize,
    /// The lines, with their line feeds; the last of the input may have none.
    pub(crate) bytes: Vec<u8>,
}

impl Block {
    /// The lines, without line feeds, with their numbers.
    pub(crate) fn lines(&self) -> impl Iterator<Item = (usize, &[u8])> {
        let bytes = self.bytes.strip_suffix(b"\n").unwrap_or(&self.bytes);
        (self.line..).zip(bytes.split(|&byte| byte == b'\n'))
    }
}

/// Cuts an input into blocks.
pub(crate) struct Blocks<R> {
    input: R,
    /// The number of the next line.
    line: usize,
    /// What was read of the line that the next block begins with.
    rest: Vec<u8>,
    is_at_end: bool,
}

impl<R: BufRead> Blocks<R> {
    pub(crate) fn new(input: R) -> Self {
        Self {
            input,
            line: 1,
            rest: Vec::new(),
            is_at_end: false,
        }
    }

    /// The next block; none is empty.
    pub(crate) fn next(&mut self) -> io::Result<Option<Block>> {
        let mut bytes = std::mem::take(&mut self.rest);
        let mut searched = 0;
        let mut end = None;
        while !self.is_at_end && (bytes.len() < BLOCK || end.is_none()) {
            let piece = match self.input.fill_buf() {
                Ok(piece) => piece,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            self.is_at_end = piece.is_empty();
            // Memory as an input is one piece.
            let piece = &piece[..piece.len().min(BLOCK)];
            bytes.extend_from_slice(piece);
            let count = piece.len();
            self.input.consume(count);
            // Only the new piece is searched: a long line would otherwise be searched once for each
            // piece.
            let last = memchr::memrchr(b'\n', &bytes[searched..]);
            end = last.map(|last| searched + last + 1).or(end);
            searched = bytes.len();
            let open = bytes.len() - end.unwrap_or(0);
            if open > LONGEST_LINE {
                let before = memchr::memchr_iter(b'\n', &bytes).count();
                let (line, most) = (self.line + before, LONGEST_LINE >> 20);
                let text = format!("line {line} has more than {most} MiB");
                return Err(io::Error::new(ErrorKind::FileTooLarge, text));
            }
        }
        if !self.is_at_end {
            self.rest = bytes.split_off(end.expect("the loop ends at a line end"));
        }
        if bytes.is_empty() {
            return Ok(None);
        }
        let line = self.line;
        self.line += memchr::memchr_iter(b'\n', &bytes).count();
        Ok(Some(Block { line, bytes }))
    }
}

/// Does `work` on each block, on several threads, and hands the results to `take` in the order of the
/// blocks; a few blocks per thread are in memory at once.
///
/// # Errors
///
/// The first error of `next`, which supplies the blocks, or of `take`.
pub(crate) fn in_order<T: Send, E>(
    threads: usize,
    mut next: impl FnMut() -> Result<Option<Block>, E>,
    work: impl Fn(&Block) -> T + Sync,
    mut take: impl FnMut(T) -> Result<(), E>,
) -> Result<(), E> {
    // A single block needs no threads, which would cost more than its work.
    let (Some(first), second) = (next()?, next()?) else {
        return Ok(());
    };
    let (true, Some(second)) = (threads > 1, &second) else {
        take(work(&first))?;
        let mut block = second;
        while let Some(found) = block {
            take(work(&found))?;
            block = next()?;
        }
        return Ok(());
    };
    let mut early = VecDeque::from([first, second.clone()]);
    thread::scope(|scope| {
        // The channel is bounded so that reading does not run ahead of the work and fill the
        // memory.
        let (blocks, jobs) = bounded::<(Block, crossbeam_channel::Sender<T>)>(threads);
        for _ in 0..threads {
            let (jobs, work) = (jobs.clone(), &work);
            scope.spawn(move || {
                for (block, result) in jobs {
                    // Nobody waits any more if there was an error.
                    let _ = result.send(work(&block));
                }
            });
        }
        // Two blocks for each thread: one in work and one waiting, so that none is idle behind a
        // slow block.
        let mut waiting: VecDeque<Receiver<T>> = VecDeque::with_capacity(2 * threads);
        let result = |waiting: &mut VecDeque<Receiver<T>>| {
            let first = waiting.pop_front()?;
            Some(first.recv().expect("a worker sends a result or panics"))
        };
        loop {
            let block = match early.pop_front() {
                Some(block) => Some(block),
                None => next()?,
            };
            let Some(block) = block else {
                break;
            };
            if waiting.len() == 2 * threads
                && let Some(result) = result(&mut waiting)
            {
                take(result)?;
            }
            // Each block has a channel of its own, which keeps the order without numbers to sort
            // by.
            let (sender, receiver) = bounded(1);
            blocks
                .send((block, sender))
                .expect("the workers wait for blocks");
            waiting.push_back(receiver);
        }
        while let Some(result) = result(&mut waiting) {
            take(result)?;
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    fn lines(text: &[u8], piece: usize, threads: usize) -> Vec<(usize, Vec<u8>)> {
        let mut blocks = Blocks::new(BufReader::with_capacity(piece, text));
        let mut found = Vec::new();
        let work = |block: &Block| -> Vec<(usize, Vec<u8>)> {
            let lines = block.lines();
            lines
                .map(|(number, line)| (number, line.to_vec()))
                .collect()
        };
        let take = |mut lines: Vec<_>| -> io::Result<()> {
            found.append(&mut lines);
            Ok(())
        };
        in_order(threads, || blocks.next(), work, take).expect("memory can be read");
        found
    }

    #[test]
    fn lines_are_those_of_the_text_in_order() {
        let many = (0..40_000).map(|number| format!("line {number}\n"));
        let many: String = many.collect();
        let long = format!("a\n{}\nb", "x".repeat(3 * BLOCK));
        for text in ["", "\n", "a", "a\n", "a\n\n", "\na\r\n\nb", &many, &long] {
            let content = text.strip_suffix('\n').unwrap_or(text);
            let expected = content.split('\n').map(|line| line.as_bytes().to_vec());
            let expected: Vec<_> = if text.is_empty() {
                Vec::new()
            } else {
                (1..).zip(expected).collect()
            };
            for (piece, threads) in [(7, 1), (1 << 16, 1), (1 << 16, 2), (1000, 5)] {
                let found = lines(text.as_bytes(), piece, threads);
                let start = &text[..text.len().min(20)];
                assert!(found == expected, "{piece} {threads}: {start:?}");
            }
        }
    }

    #[test]
    fn a_line_without_end_is_rejected() {
        let endless = io::Read::chain(&b"one\n"[..], io::repeat(b'x'));
        let mut blocks = Blocks::new(BufReader::new(endless));
        let first = blocks.next().expect("it has an end");
        assert_eq!(first.map(|block| block.bytes), Some(b"one\n".to_vec()));
        let error = blocks.next().expect_err("it has no end");
        assert_eq!(error.to_string(), "line 2 has more than 16 MiB");
    }

    #[test]
    fn an_error_ends_the_work() {
        let text = "line\n".repeat(100_000);
        for threads in [1, 3] {
            let mut blocks = Blocks::new(text.as_bytes());
            let mut taken = 0;
            let next = || blocks.next().map_err(|error| error.to_string());
            let take = |()| {
                taken += 1;
                if taken < 4 {
                    Ok(())
                } else {
                    Err("enough".to_owned())
                }
            };
            let ended = in_order(threads, next, |_| (), take);
            assert_eq!((ended, taken), (Err("enough".to_owned()), 4));
        }
    }
}
