//! A UCI engine that answers by a script, for testing those who run test positions.
//!
//! `scripted_engine FILE`. Lines before the first `on` are printed after `uci`. A line `on FEN`,
//! with as many fields as one likes, begins what is printed on `go` in the positions whose FEN
//! begins so; of several such blocks the next is taken each time, and after the last the first
//! again. Besides lines to print there are `!crash`, `!hang`, `!sleep MS`, and `!await-stop`.
//! A `#` begins a comment. The limits of each `go` are told in an `info string`.

use std::io::{self, BufRead, Write as _};
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

/// What is printed in positions whose FEN begins with `fen`.
struct Block {
    fen: String,
    lines: Vec<String>,
    taken: bool,
}

enum Next {
    Read,
    AwaitStop(Vec<String>),
    End(ExitCode),
}

fn main() -> ExitCode {
    let Some(path) = std::env::args().nth(1) else {
        return ExitCode::from(2);
    };
    let (head, blocks) = read(Path::new(&path));
    // Nobody reads any more: then there is nothing left to do.
    run(&head, blocks).unwrap_or(ExitCode::SUCCESS)
}

#[expect(clippy::disallowed_methods, reason = "a script is read")]
fn read(path: &Path) -> (Vec<String>, Vec<Block>) {
    let text = std::fs::read_to_string(path).expect("the script can be read");
    let mut head = Vec::new();
    let mut blocks: Vec<Block> = Vec::new();
    let lines = text.lines().map(str::trim);
    for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
        match (line.strip_prefix("on "), blocks.last_mut()) {
            (Some(fen), _) => {
                let (fen, lines) = (fen.trim().to_owned(), Vec::new());
                blocks.push(Block {
                    fen,
                    lines,
                    taken: false,
                });
            }
            (None, Some(block)) => block.lines.push(line.to_owned()),
            (None, None) => head.push(line.to_owned()),
        }
    }
    (head, blocks)
}

fn run(head: &[String], mut blocks: Vec<Block>) -> io::Result<ExitCode> {
    let mut fen = String::new();
    let mut after_stop = Vec::new();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        match word {
            "uci" => {
                say(head)?;
                say(&["uciok".to_owned()])?;
            }
            "isready" => say(&["readyok".to_owned()])?,
            "position" => rest.trim_start_matches("fen ").clone_into(&mut fen),
            "go" => {
                say(&[format!("info string {rest}")])?;
                match play(&take(&mut blocks, &fen))? {
                    Next::Read => {}
                    Next::AwaitStop(lines) => after_stop = lines,
                    Next::End(code) => return Ok(code),
                }
            }
            "stop" => say(&std::mem::take(&mut after_stop))?,
            "quit" => break,
            _ => {}
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The next block for a position.
fn take(blocks: &mut [Block], fen: &str) -> Vec<String> {
    let is_for = |block: &&mut Block| fen.starts_with(&block.fen);
    if blocks.iter_mut().filter(is_for).all(|block| block.taken) {
        for block in blocks.iter_mut().filter(is_for) {
            block.taken = false;
        }
    }
    let mut fitting = blocks.iter_mut().filter(is_for);
    let Some(block) = fitting.find(|block| !block.taken) else {
        return Vec::new();
    };
    block.taken = true;
    block.lines.clone()
}

fn play(lines: &[String]) -> io::Result<Next> {
    for (index, line) in lines.iter().enumerate() {
        match line.split_once(' ').unwrap_or((line, "")) {
            ("!crash", _) => return Ok(Next::End(ExitCode::from(7))),
            ("!hang", _) => std::thread::sleep(Duration::from_hours(1)),
            ("!await-stop", _) => return Ok(Next::AwaitStop(lines[index + 1..].to_vec())),
            ("!sleep", ms) => {
                let ms = ms.parse().expect("a number of milliseconds");
                std::thread::sleep(Duration::from_millis(ms));
            }
            _ => say(std::slice::from_ref(line))?,
        }
    }
    Ok(Next::Read)
}

fn say(lines: &[String]) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    for line in lines {
        writeln!(stdout, "{line}")?;
    }
    stdout.flush()
}
