//! What results of each kind of work may be, and when two of them agree. Pure.

use chess::perft::Breakdown;
use selfplay::fleet::check;
use selfplay::fleet::protocol::{
    JobBody, KIND as PAIRS, Message as _, PlayedGame, TUNE_KIND as TUNE, UnitBody,
};
use selfplay::lab::plan;
use trainer::distributed::KIND as TRAINING_GAMES;

/// The kind of jobs whose results are numbers of leaf nodes.
const COUNT: &str = "perft-count/1";
/// The kind of jobs whose results count leaf nodes by kind of the last move.
const BREAKDOWN: &str = "perft-breakdown/1";
/// The result of a unit whose count does not fit 64 bits.
const OVERFLOW: &str = "overflow";
/// Results of kinds with this beginning are of searches, whose times differ.
const SEARCHES: &str = "epd-";
/// The longest result of a kind, in bytes: of two games with PVs and transcripts of faults, of a search with its
/// transcript, of training games, of anything else.
const LONGEST: [usize; 4] = [4 << 20, 2 << 20, 8 << 20, 1 << 20];

/// Checks that a result is possible at all, and computes its fingerprint, in which two honest
/// workers agree: `None` if results cannot be compared, such as games in time.
///
/// Results of kinds that the server does not know are texts, equal or not.
///
/// # Errors
/// The result is impossible: why. The worker is wrong.
pub fn check(
    kind: &str,
    body: &str,
    unit_body: &str,
    value: &str,
) -> Result<Option<String>, String> {
    let [of_pair, of_search, of_training, of_other] = LONGEST;
    let longest = match kind {
        PAIRS | TUNE => of_pair,
        TRAINING_GAMES => of_training,
        _ if kind.starts_with(SEARCHES) => of_search,
        _ => of_other,
    };
    if value.len() > longest {
        let length = value.len();
        return Err(format!(
            "the result has {length} bytes, expected at most {longest}"
        ));
    }
    match kind {
        COUNT => numbers(value, 1),
        BREAKDOWN => numbers(value, Breakdown::NAMES.len()),
        PAIRS | TUNE => pair(body, unit_body, value),
        TRAINING_GAMES => {
            trainer::distributed::check(unit_body, value)?;
            Ok(Some(value.to_owned()))
        }
        _ if kind.starts_with(SEARCHES) => Ok(None),
        _ => Ok(Some(value.to_owned())),
    }
}

/// Checks for `count` numbers of leaf nodes, separated by blanks.
fn numbers(value: &str, count: usize) -> Result<Option<String>, String> {
    if value == OVERFLOW {
        return Ok(Some(value.to_owned()));
    }
    let is_number = |text: &str| {
        // One number has one form: no sign, no zeros before it.
        text.parse::<u64>()
            .is_ok_and(|number| number.to_string() == text)
    };
    let are_numbers = value.split(' ').all(is_number) && value.split(' ').count() == count;
    if are_numbers {
        return Ok(Some(value.to_owned()));
    }
    let shown: String = value.chars().take(80).collect();
    Err(format!("'{shown}' is not {count} numbers of leaf nodes"))
}

/// Both games, replayed by the rules of chess.
fn pair(body: &str, unit_body: &str, value: &str) -> Result<Option<String>, String> {
    let body = JobBody::from_text(body).map_err(|error| error.to_string())?;
    let unit = UnitBody::from_text(unit_body).map_err(|error| error.to_string())?;
    let games = check::pair(&body.config, &unit, value).map_err(|error| error.to_string())?;
    // A fault such as a loss on time may come from the machine, and need not repeat on another one.
    let is_comparable =
        plan::is_deterministic(&body.config) && !games.iter().any(|game| game.record.has_failed());
    Ok(is_comparable.then(|| games.map(|game| fingerprint(&game)).join("\n")))
}

/// What two honest workers agree on in a game limited by nodes: all but its times.
fn fingerprint(game: &PlayedGame) -> String {
    let record = &game.record;
    let moves: Vec<&str> = record.moves.iter().map(|one| &*one.uci).collect();
    let fault = record.fault.as_ref();
    let fault = fault.map_or("", |fault| fault.kind.as_str());
    let (result, termination) = (record.result.as_str(), record.termination.as_str());
    format!("{result} {termination} {fault} {}", moves.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_have_one_form() {
        let rows = [
            (COUNT, "20", true),
            (COUNT, "18446744073709551615", true),
            (COUNT, "overflow", true),
            (COUNT, "18446744073709551616", false),
            (COUNT, "020", false),
            (COUNT, "+20", false),
            (COUNT, "", false),
            (COUNT, "20 0", false),
            (BREAKDOWN, "20 0 0 0 0 0 0 0 0 0", true),
            (BREAKDOWN, "20 0 0 0 0 0 0 0 0", false),
            (BREAKDOWN, "20  0 0 0 0 0 0 0 0", false),
        ];
        for (kind, value, is_possible) in rows {
            let checked = check(kind, "", "", value);
            assert_eq!(checked.is_ok(), is_possible, "{kind}: {value}");
            if is_possible {
                assert_eq!(checked, Ok(Some(value.to_owned())));
            }
        }
    }

    #[test]
    fn other_kinds_are_texts() {
        assert_eq!(check("hash/1", "", "", "x"), Ok(Some("x".to_owned())));
        assert_eq!(check("epd-run/1", "", "", "{}"), Ok(None));
        assert_eq!(
            check(TRAINING_GAMES, "", "3 1 9", ""),
            Ok(Some(String::new()))
        );
        assert!(check(TRAINING_GAMES, "", "3 1 9", "AAAA").is_err());
        let error = check(PAIRS, "{}", "{}", "{}").expect_err("no job");
        assert!(error.contains("the body of a job"), "{error}");
    }
}
