//! What `perft` reads: foreign engines' counts, and journals of counts that were broken off.

use std::path::Path;

use chess::rules::{CastlingMode, Position};
use kit::journal::{Extent, JournalError, JournalPlace, replay, to_line};
use perft::resume::{CountHeader, UnitCount};
use uci::perft::AnswerForm;

use crate::target::{FuzzTarget, InputVerdict, ensure, judge, same, sound, text};

pub(super) const TARGETS: &[FuzzTarget] = &[
    FuzzTarget {
        name: "perft-answers",
        corpus: corpus!("perft_answers.txt"),
        words: words![
            "e2e4" "a2a3:" "Nf3" "O-O" "e7e8q" "20" "400" "8902" "8,902" "8'902" "Nodes" "searched:"
            "nodes" "total" "perft" "depth" "info string" "bestmove" "Time" "0.012" "ms" "1." "[1]"
            "->" "|" ">" "\u{1b}[32m" "leaf" "moves"
        ],
        // An input is what an engine says to the three known counts, then to one that is asked; parts end with
        // a line `==`.
        check: |bytes| {
            let text = text(bytes);
            let mut parts = text.split("==\n");
            let known = [(); 3].map(|()| parts.next().unwrap_or_default());
            let Some(form) = AnswerForm::learn(known) else {
                return Ok(InputVerdict::Rejected);
            };
            let start = Position::startpos();
            for (depth, part) in (1..).zip(known.into_iter().chain(parts)) {
                let answer = form.read(part, depth, &start, CastlingMode::Standard);
                let sum = answer.sum();
                let count = answer.count();
                // A total that the engine prints takes precedence over the sum of its rows.
                ensure(
                    count.is_none() || answer.total.is_some() || count == sum,
                    || format!("{answer:?} counts {count:?}"),
                )?;
                let lines = part.lines().count();
                let rows = answer.rows.map_or(0, |rows| rows.len());
                ensure(rows <= lines, || format!("{rows} rows in {lines} lines"))?;
            }
            Ok(InputVerdict::Read)
        },
    },
    FuzzTarget {
        name: "perft-journal",
        corpus: corpus!("perft_journal.txt"),
        words: words![
            "{\"unit\":" "\"nodes\":" "\"schema\"" "\"touchstone/perft-resume/1\"" "\"fen\""
            "\"depth\"" "\"ply\"" "\"units\"" "}\n" "{" "\n" "," "null" "1.5"
        ],
        check: |bytes| {
            let header = CountHeader {
                schema: perft::resume::SCHEMA.to_owned(),
                fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned(),
                depth: 4,
                ply: 1,
                units: 20,
            };
            let read = |bytes: &[u8]| {
                let mut counts = vec![None; header.units];
                let enter = |line: UnitCount, place: &JournalPlace| {
                    let entered = line.enter(&mut counts, place);
                    entered.map_err(|error| place.error(error))
                };
                let extent = replay(bytes, Path::new("journal"), &header, enter)?;
                Ok::<_, JournalError>((counts, extent))
            };
            judge(read(bytes), |(counts, Extent { whole, torn })| {
                same("bytes", &(whole + torn), &(bytes.len() as u64))?;
                let mut written = to_line(&header);
                for (unit, nodes) in counts.iter().enumerate() {
                    written.extend(nodes.map(|nodes| to_line(&UnitCount { unit, nodes })));
                }
                let (again, _) = sound(read(written.as_bytes()))?;
                same("counts", &again, &counts)
            })
        },
    },
];
