//! Records of games, as a ledger has them.

use std::sync::LazyLock;

use selfplay::config::{Contest, parse, resolve};
use selfplay::ledger::{pgn_game, read_record};
use selfplay::model::{GameRecord, RunConfig};
use selfplay::schedule::Schedule;

use super::{corpus, json_words};
use crate::target::{Checked, Target, read_again, refused};

pub(super) const TARGETS: &[Target] = &[Target {
    name: "ledger",
    corpus: corpus!("ledger.txt"),
    words: json_words![
        "plan",
        "game",
        "white",
        "black",
        "opening",
        "fen",
        "moves",
        "uci",
        "e2e4",
        "score",
        "cp 31",
        "mate -3",
        "result",
        "1-0",
        "1/2-1/2",
        "termination",
        "checkmate",
        "fault",
        "elapsed_us",
        "clock_ms"
    ],
    check,
}];

/// A run of two engines, of which the records are.
static CONFIG: LazyLock<RunConfig> = LazyLock::new(|| {
    let text =
        "rounds = 100\n[each]\ntc = '10+0.1'\n[[engine]]\ncmd = './a'\n[[engine]]\ncmd = './b'\n";
    let draft = parse(text, "f").expect("well formed");
    resolve(draft, Contest::Match).expect("a match")
});

fn check(bytes: &[u8]) -> Result<Checked, String> {
    let write = |record: &GameRecord| serde_json::to_vec(record).expect("text and numbers");
    let Some(record) = read_again(bytes, read_record, write)? else {
        return Ok(Checked::Refused);
    };
    let engines = [record.plan.white, record.plan.black];
    if engines
        .iter()
        .any(|engine| engine.0 >= CONFIG.engines.len())
    {
        // Resuming and following refuse such a record; what comes after goes by it.
        return Ok(Checked::Refused);
    }
    if let Err(error) = pgn_game(&CONFIG, &record) {
        refused(&error)?;
    }
    if let Err(error) = Schedule::resume(&CONFIG, [&record]) {
        refused(&error)?;
    }
    Ok(Checked::Read)
}
