//! Moves in SAN and UCI, and lists of moves, each read in several positions.

use std::sync::LazyLock;

use chess::notation::uci_move::{self, UciMove};
use chess::notation::{fen, move_list, san};
use chess::rules::explain::explain;
use chess::rules::{CastlingMode, Move, Position};

use super::corpus;
use crate::target::{Checked, Target, ensure, refused, same, text};

pub(super) const TARGETS: &[Target] = &[
    Target {
        name: "san",
        corpus: corpus!("san.txt"),
        words: &[
            "N", "B", "R", "Q", "K", "P", "a", "e4", "d8", "x", "=", "(Q)", "/N", "+", "++", "#",
            "!?", "e.p.", "O-O", "O-O-O", "0-0", "o-o-o", "-", ":", "e2e4", "e7e8q",
        ],
        check: check_san,
    },
    Target {
        name: "uci-move",
        corpus: corpus!("uci_move.txt"),
        words: &[
            "a1", "h8", "e1", "g1", "c1", "e8", "q", "r", "b", "n", "k", "Q", "0000",
        ],
        check: check_uci_move,
    },
    Target {
        name: "move-list",
        corpus: corpus!("move_list.txt"),
        words: &[
            "6444", "7476", "7472", "PQ34", "pn01", "P", "p", "Q", "0", "7", "8", " ",
        ],
        check: check_list,
    },
];

/// Positions with castling, promotions, en passant, pins, many queens, checkmate, and no move at all.
pub(super) static POSITIONS: LazyLock<Vec<Position>> = LazyLock::new(|| {
    let fens = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        "8/2P1P3/8/K2pP2r/8/8/1p4k1/R7 w - d6 0 2",
        "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
        "1rk1r1r1/8/8/8/8/8/8/1RK1R1R1 w EBeb - 0 1",
        "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
    ];
    let read = |text| fen::parse(text).expect("a sound FEN");
    fens.into_iter().map(read).collect()
});

fn check_san(bytes: &[u8]) -> Result<Checked, String> {
    let text = text(bytes);
    let mut checked = Checked::Refused;
    for position in POSITIONS.iter() {
        match san::parse_lenient(&text, position) {
            Ok(m) => {
                checked = Checked::Read;
                let written = san::write(m, position);
                same("read again", &san::parse(&written, position), &Ok(m))?;
                let is_standard = san::parse(&text, position).is_ok();
                same("is standard", &is_standard, &(text == written))?;
            }
            Err(error) => {
                refused(&error)?;
                let strict = san::parse(&text, position);
                same("strict", &strict, &Err(error))?;
            }
        }
    }
    Ok(checked)
}

fn check_uci_move(bytes: &[u8]) -> Result<Checked, String> {
    let text = text(bytes);
    let read: UciMove = match text.parse() {
        Ok(read) => read,
        Err(error) => return refused(&error),
    };
    same("written", &read.to_string().as_str(), &&*text)?;
    for position in POSITIONS.iter() {
        for mode in [CastlingMode::Standard, CastlingMode::Chess960] {
            match uci_move::parse(&text, position, mode) {
                Ok(m) => {
                    ensure(position.is_legal(m), || format!("{m} is not legal"))?;
                    let written = UciMove::from_move(m, position, mode);
                    same("read again", &written.to_move(position, mode), &Some(m))?;
                }
                Err(error) => drop(refused(&error)?),
            }
        }
        let m = match read.promotion {
            Some(kind) => Move::new_promotion(read.from, read.to, kind),
            None => Move::new(read.from, read.to),
        };
        refused(&explain(position, m))?;
    }
    Ok(Checked::Read)
}

fn check_list(bytes: &[u8]) -> Result<Checked, String> {
    let text = text(bytes);
    let mut checked = Checked::Refused;
    for position in POSITIONS.iter() {
        match move_list::parse(&text, position) {
            Ok(moves) => {
                checked = Checked::Read;
                let written = move_list::write(&moves, position);
                same(
                    "read again",
                    &move_list::parse(&written, position),
                    &Ok(moves),
                )?;
            }
            Err(error) => drop(refused(&error)?),
        }
    }
    Ok(checked)
}
