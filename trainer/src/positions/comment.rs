//! Engine scores in move comments, as written by `selfplay`: `[%clk 0:00:09.870] +0.31/12 0.451s`.

/// The score that represents any mate, in centipawns: above all evaluations.
pub(super) const MATE: i32 = 30_000;

/// The score in the comments after a move, in centipawns for the side that moved; a mate counts as
/// [`MATE`] at any distance. `None` for other comments.
pub(super) fn score(comments: &[String]) -> Option<i32> {
    comments.iter().find_map(|comment| {
        let comment = comment.trim_start();
        let said = match comment.strip_prefix("[%clk") {
            Some(rest) => rest.split_once(']')?.1,
            None => comment,
        };
        let (score, _depth) = said.split_whitespace().next()?.split_once('/')?;
        centipawns(score)
    })
}

fn centipawns(text: &str) -> Option<i32> {
    if let Some(mate) = text.strip_prefix('#') {
        let moves: i32 = mate.parse().ok()?;
        return Some(if moves < 0 { -MATE } else { MATE });
    }
    let (sign, number) = match text.split_at_checked(1)? {
        ("+", number) => (1, number),
        ("-", number) => (-1, number),
        _ => return None,
    };
    let (pawns, hundredths) = number.split_once('.')?;
    let [pawns, hundredths] = [pawns, hundredths].map(|digits| digits.parse::<u16>().ok());
    let hundredths = hundredths.filter(|&part| part < 100)?;
    Some(sign * (i32::from(pawns?) * 100 + i32::from(hundredths)).min(MATE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_as_selfplay_writes_them() {
        for (comment, expected) in [
            ("[%clk 0:00:09.870] +0.31/12 0.451s 12345n 20sd", Some(31)),
            ("-12.05/3 0.000s", Some(-1205)),
            ("+0.00/1 0.000s 20n", Some(0)),
            ("#5/9 0.001s", Some(MATE)),
            ("#-3/9 0.001s", Some(-MATE)),
            ("0.451s 12345n", None),
            ("[%clk 0:00:09.870", None),
            ("book", None),
            ("a fine move, +1.00/3", None),
            ("+1/3", None),
            ("", None),
        ] {
            assert_eq!(score(&[comment.to_owned()]), expected, "{comment}");
        }
    }
}
