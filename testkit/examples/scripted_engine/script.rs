//! Answers from a script. `--help` describes its format.

use std::path::Path;

pub(crate) struct Script {
    /// What is printed after `uci`.
    pub(crate) head: String,
    blocks: Vec<Block>,
    fen: String,
    /// `!await-stop`, and the steps behind it.
    after_stop: Vec<String>,
}

/// What is printed in positions whose FEN starts with `fen`.
struct Block {
    fen: String,
    lines: Vec<String>,
    taken: bool,
}

impl Script {
    #[expect(clippy::disallowed_methods, reason = "a script is read")]
    pub(crate) fn read(path: &Path) -> Self {
        let text = std::fs::read_to_string(path).expect("the script can be read");
        let mut head = String::new();
        let mut blocks: Vec<Block> = Vec::new();
        let lines = text.lines().map(str::trim);
        for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
            match (line.strip_prefix("on "), blocks.last_mut()) {
                (Some(fen), _) => blocks.push(Block {
                    fen: fen.trim().to_owned(),
                    lines: Vec::new(),
                    taken: false,
                }),
                (None, Some(block)) => block.lines.push(line.to_owned()),
                (None, None) => head.extend([line, "\n"]),
            }
        }
        Self {
            head,
            blocks,
            fen: String::new(),
            after_stop: Vec::new(),
        }
    }

    /// The steps that answer a line; `None` if the script has nothing to do with it.
    pub(crate) fn answer(&mut self, line: &str) -> Option<Vec<String>> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "position" => {
                rest.trim_start_matches("fen ").clone_into(&mut self.fen);
                Some(Vec::new())
            }
            "go" => {
                let mut steps = self.take();
                let stop = steps.iter().position(|step| step == "!await-stop");
                self.after_stop = stop.map_or_else(Vec::new, |stop| steps.split_off(stop));
                steps.insert(0, format!("info string {rest}"));
                Some(steps)
            }
            "stop" => Some(self.after_stop.drain(..).skip(1).collect()),
            _ => None,
        }
    }

    /// The next block for the position: each is taken once before the first is taken again.
    fn take(&mut self) -> Vec<String> {
        let is_for = |block: &&mut Block| self.fen.starts_with(&block.fen);
        let mut fitting: Vec<&mut Block> = self.blocks.iter_mut().filter(is_for).collect();
        if fitting.iter().all(|block| block.taken) {
            for block in &mut fitting {
                block.taken = false;
            }
        }
        let next = fitting.into_iter().find(|block| !block.taken);
        next.map_or_else(Vec::new, |block| {
            block.taken = true;
            block.lines.clone()
        })
    }
}
