//! Checks what a person pastes: a list of moves, or the output of `divide` in any usual form.

use chess::rules::Position;
use uci::perft::{MoveMeaning, PastedRow, pasted_move, pasted_rows};

use super::counts::{DivideCounts, counts, given, totals};
use super::input::{ListItem, TextPlace, Unreadable, read_list};
use super::listed::{Listed, compare, find};
use super::tidy::{TextWord, in_english, tidy, words};
use crate::candidates::{legal_texts, text_of};
use crate::model::MoveText;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pasted {
    pub listed: Listed,
    pub counts: DivideCounts,
}

impl Pasted {
    pub fn agrees(&self) -> bool {
        let counts = match &self.counts {
            DivideCounts::None | DivideCounts::TooDeep => true,
            DivideCounts::Compared { wrong, .. } => wrong.is_empty(),
            DivideCounts::Totals { found, .. } => found.is_some(),
        };
        counts && self.listed.agrees()
    }
}

/// Compares a pasted text with the legal moves of a position, and its counts with ours.
///
/// A text is read as rows of a divide, and as a list of moves in the thesis's notation, as squares, or in SAN; the
/// reading that finds most legal moves counts. Words that cannot be moves are ignored, and so is what engines print
/// about a search. A text with numbers alone is read as totals.
pub fn check_pasted(position: &Position, text: &str) -> Pasted {
    let text = tidy(text);
    let text = in_english(&text, position);
    let listed = compare(position, list(position, &text));
    let rows = divide(position, &text);
    let by_rows = compare(
        position,
        rows.iter().map(|row| item(row, position)).collect(),
    );
    let found = |listed: &Listed| listed.legal - listed.missing.len();
    // Without legal moves, what explains more of the text is more likely.
    let explained = |listed: &Listed| match found(listed) {
        0 => (0, listed.wrong.len()),
        legal => (legal, 0),
    };
    // Rows of a divide can often be read as a list, too; in a tie the counts are worth more.
    if !rows.is_empty() && explained(&by_rows) >= explained(&listed) {
        let given = given(&rows);
        let counts = counts(position, &given);
        let agree = matches!(&counts, DivideCounts::Compared { wrong, .. } if wrong.is_empty());
        return Pasted {
            listed: by_rows,
            // A numbered list looks like a divide with the counts 1, 2, 3 and so on.
            counts: if is_numbering(&rows) && !agree {
                DivideCounts::None
            } else {
                counts
            },
        };
    }
    // One number of four digits could be a move of the thesis, too.
    let is_list = found(&listed) > 0 || listed.items > 1 || !words(&text).is_empty();
    let totals = (!is_list).then(|| totals(position, &text)).flatten();
    if let Some(counts) = totals {
        let listed = compare(position, Vec::new());
        let missing = Vec::new();
        return Pasted {
            // A total lists no moves, so that none is missing from it.
            listed: Listed { missing, ..listed },
            counts,
        };
    }
    Pasted {
        listed,
        counts: DivideCounts::None,
    }
}

fn item((line, row): &PastedRow, position: &Position) -> ListItem {
    ListItem {
        place: TextPlace {
            line: *line,
            column: 1,
        },
        text: row.text.clone(),
        squares: squares(row.meaning, position),
    }
}

fn squares(meaning: MoveMeaning, position: &Position) -> Result<MoveText, Unreadable> {
    match meaning {
        MoveMeaning::Legal(m) => Ok(text_of(position, m)),
        MoveMeaning::Illegal(m) if m.from() != m.to() => {
            // A pasted promotion may be to a king or a pawn, which no move of standard chess is.
            MoveText::new(m.from(), m.to(), m.promotion())
                .as_str()
                .parse()
                .map_err(|_| Unreadable::Uci)
        }
        MoveMeaning::Illegal(_) => Err(Unreadable::Nowhere),
        MoveMeaning::Unreadable => Err(Unreadable::San),
    }
}

/// The entries of a list: four digits each if that finds most legal moves, else words.
fn list(position: &Position, text: &str) -> Vec<ListItem> {
    let legal = legal_texts(position);
    let found = |items: &[ListItem]| {
        let squares = items.iter().filter_map(|item| item.squares.as_ref().ok());
        squares
            .filter(|squares| find(position, &legal, squares).is_some())
            .count()
    };
    let read = words(text).into_iter().map(|word| ListItem {
        place: word.place,
        squares: squares(pasted_move(word.text, position), position),
        text: word.text.to_owned(),
    });
    let read: Vec<ListItem> = read.collect();
    let digits = read_list(text, position.side_to_move());
    let is_thesis = digits.iter().all(|item| item.squares.is_ok());
    // Without other words, digits are a list of the thesis even if no move of it is legal.
    if found(&digits) > found(&read) || is_thesis && read.is_empty() {
        digits
    } else {
        read
    }
}

/// The rows of a divide. What stands before the move of a row, such as the time of a log, is no count if there is a
/// number after it.
fn divide(position: &Position, text: &str) -> Vec<PastedRow> {
    let mut tidy = String::with_capacity(text.len());
    for line in text.lines() {
        let moves = words(line);
        let is_move =
            |word: &&TextWord| pasted_move(word.text, position) != MoveMeaning::Unreadable;
        let first = moves.iter().find(is_move).or(moves.first());
        let begin = first.map_or(0, |first| {
            let after = line[first.byte + first.text.len()..].split_whitespace();
            let is_count = |word: &str| {
                let word = word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
                !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit() || b == b',')
            };
            if after.into_iter().any(is_count) {
                first.byte
            } else {
                0
            }
        });
        tidy.push_str(&line[begin..]);
        tidy.push('\n');
    }
    pasted_rows(&tidy, position)
}

/// Whether the numbers are those of the rows, from 0 or 1 on.
fn is_numbering(rows: &[PastedRow]) -> bool {
    let first = rows[0].1.nodes;
    first <= 1
        && (first..)
            .zip(rows)
            .all(|(number, (_, row))| row.nodes == number)
}

#[cfg(test)]
mod tests {
    use chess::notation::fen;
    use chess::perft::Counter;

    use super::*;

    #[test]
    fn nothing_is_promoted_to_a_pawn() {
        let position = fen::parse("4k3/4p3/8/8/8/8/4P3/4K2R w K - 0 1").expect("a position");
        let pasted = check_pasted(&position, "e2e4positione2e3 e1d1");
        assert_eq!(pasted.listed.legal - pasted.listed.missing.len(), 1);
        assert_eq!(pasted.listed.unreadable.len(), 1, "{:?}", pasted.listed);
    }

    /// Kiwipete, known for its castlings, pins and en passant captures.
    const FEN: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

    fn position() -> Position {
        fen::parse(FEN).expect("legal")
    }

    /// A divide as many engines print it.
    fn divide(depth: u32) -> String {
        let position = position();
        let rows = Counter::new().divide(&position, depth).expect("small");
        let rows = rows
            .iter()
            .map(|(m, n)| format!("{}: {n}", text_of(&position, *m)));
        let mut text = rows.collect::<Vec<_>>().join("\n");
        text += "\n\nNodes searched: 97862\n";
        text
    }

    #[test]
    fn what_is_wrong_in_a_divide_is_named() {
        let text = divide(3)
            .replace("e1g1: 2059\n", "")
            .replace("a2a3: 2186", "a2a3: 2185")
            + "e1e3: 7\n";
        let pasted = check_pasted(&position(), &text);
        assert!(!pasted.agrees());
        let DivideCounts::Compared { depth: 3, wrong } = &pasted.counts else {
            panic!("{pasted:?}")
        };
        assert_eq!(wrong.len(), 1);
        let one = &wrong[0];
        assert_eq!(
            (one.squares.as_str(), one.given, one.right),
            ("a2a3", 2185, 2186)
        );
        assert!(one.after.contains(" b KQkq - "), "{}", one.after);
        assert_eq!(pasted.listed.missing[0].uci, "e1g1");
        assert_eq!(pasted.listed.wrong[0].squares.as_str(), "e1e3");
        assert_eq!(pasted.listed.wrong[0].place.line, 50);
    }

    #[test]
    fn counts_beyond_our_patience_are_not_compared() {
        let text = divide(1).replace(": 1\n", ": 123456789012\n");
        assert_eq!(
            check_pasted(&position(), &text).counts,
            DivideCounts::TooDeep
        );
    }

    /// Each way in which people wrote down a complete list of moves.
    #[test]
    fn complete_lists_agree_in_every_form() {
        for fen in [
            FEN,
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "rnbqkbnr/1ppp1ppp/p7/3Pp3/8/8/PPP1PPPP/RNBQKBNR w KQkq e6 0 3",
            "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1",
        ] {
            let position = fen::parse(fen).expect("legal");
            let moves = position.legal_moves();
            let uci: Vec<String> = moves
                .iter()
                .map(|&m| text_of(&position, m).to_string())
                .collect();
            let sans = moves
                .iter()
                .map(|&m| chess::notation::san::write(m, &position));
            let sans: Vec<String> = sans.collect();
            let german: Vec<String> = sans.iter().map(|san| german(san)).collect();
            let long = uci
                .iter()
                .map(|text| format!("{}x{}", &text[..2], &text[2..]));
            let numbered = |end: &str, words: &[String]| {
                let words = (1..)
                    .zip(words)
                    .map(|(number, word)| format!("{number}{end}{word}"));
                words.collect::<Vec<_>>()
            };
            for text in [
                uci.join(" "),
                uci.join(", "),
                format!("['{}']", uci.join("', '")),
                format!("[Move.from_uci('{}')]", uci.join("'), Move.from_uci('")),
                format!("{{\"moves\": [\n\"{}\"\n]}}", uci.join("\",\n\"")),
                format!("<li>{}</li>", uci.join("</li>\r\n<li>")),
                uci.join(" ").to_uppercase(),
                long.collect::<Vec<_>>().join(" "),
                numbered(". ", &uci).join("\n"),
                numbered(" ", &sans).join("\n"),
                numbered(".", &sans).join(" "),
                sans.join(" "),
                sans.join("\n- "),
                sans.join(" ").replace('-', "\u{2013}").replace('O', "0"),
                sans.join(" ")
                    .replace('N', "\u{265e}")
                    .replace('K', "\u{2654}"),
                format!("<LegalMoveGenerator at 0x7f1 ({})>", sans.join(", ")),
                german.join(" "),
            ] {
                let pasted = check_pasted(&position, &text);
                assert!(pasted.agrees(), "{text}\n{pasted:?}");
                assert_eq!(pasted.counts, DivideCounts::None, "{text}");
            }
        }
    }

    fn german(san: &str) -> String {
        let letters = san.chars().map(|c| match c {
            'N' => 'S',
            'B' => 'L',
            'R' => 'T',
            'Q' => 'D',
            other => other,
        });
        letters.collect()
    }

    /// Each way in which programs print counts, in which other numbers stand around them.
    #[test]
    fn counts_are_compared_in_every_form() {
        let position = position();
        let rows = Counter::new().divide(&position, 3).expect("small");
        let forms: [fn(&str, &str, u64) -> String; 8] = [
            |uci, _, nodes| format!("{uci}\t{nodes}\r"),
            |uci, _, nodes| format!("2026-11-26 12:00:00 INFO perft: {uci}: {nodes}"),
            |uci, _, nodes| format!("| `{uci}` | {nodes} |"),
            |uci, _, nodes| format!("\"{uci}\",\"{nodes}\""),
            |uci, _, nodes| format!("[ 3/20] {uci}: {nodes} (12 ms, 2.1 %)"),
            |uci, _, nodes| format!("{nodes:>8}  {uci}"),
            |_, san, nodes| format!("{}: {nodes}", german(san)),
            |uci, _, nodes| format!("{uci} \u{2014} {nodes}"),
        ];
        for form in forms {
            for error in [0, 1] {
                let lines = rows.iter().map(|(m, nodes)| {
                    let uci = text_of(&position, *m);
                    let san = chess::notation::san::write(*m, &position);
                    let nodes = nodes + error * u64::from(uci.as_str() == "e1c1");
                    form(uci.as_str(), &san, nodes)
                });
                let mut lines: Vec<String> = lines.collect();
                if error == 1 {
                    lines.push(form("e1e3", "Ke3", 7));
                }
                lines.push("Nodes searched: 97862".to_owned());
                let text = lines.join("\n");
                let pasted = check_pasted(&position, &text);
                assert!(pasted.listed.missing.is_empty(), "{text}\n{pasted:?}");
                // An illegal move in SAN names no squares.
                let has_squares = text.contains("e1e3");
                let illegal = if has_squares { error } else { 0 };
                assert_eq!(pasted.listed.wrong.len() as u64, illegal, "{text}");
                let DivideCounts::Compared { depth: 3, wrong } = &pasted.counts else {
                    panic!("{text}\n{pasted:?}")
                };
                assert_eq!(wrong.len() as u64, error, "{text}");
            }
        }
    }

    #[test]
    fn a_total_alone_is_compared() {
        let check = |text: &str| {
            let pasted = check_pasted(&position(), text);
            assert!(pasted.listed.missing.is_empty(), "{text}");
            match pasted.counts {
                DivideCounts::Totals { right, found } => (right, found),
                other => panic!("{text}: {other:?}"),
            }
        };
        for text in [
            "2039",
            "Nodes searched: 2,039\n",
            "uciok\n2039\ninfo depth 1 nodes 21 pv e2a6 b4c3\nbestmove e2a6 ponder b4c3\n",
            "Raw nodes for depth 2: 2039\nTime : 0.00",
        ] {
            assert_eq!(check(text), (vec![48, 2039, 97862], Some(2)), "{text}");
        }
        assert_eq!(check("2040"), (vec![48, 2039, 97862], None));
        let none = check_pasted(&position(), "");
        assert_eq!(
            (none.listed.missing.len(), none.counts),
            (48, DivideCounts::None)
        );
    }

    #[test]
    fn a_list_of_the_other_side_is_a_list() {
        let pasted = check_pasted(&position(), "a7a6 b7b6 c7c5 b4b3 h3g2");
        assert_eq!(pasted.listed.wrong.len(), 5, "{pasted:?}");
        assert_eq!(pasted.counts, DivideCounts::None);
    }

    #[test]
    fn a_right_divide_agrees_at_its_depth() {
        for depth in 1..=3 {
            let pasted = check_pasted(&position(), &divide(depth));
            assert!(pasted.agrees(), "{pasted:?}");
            match pasted.counts {
                DivideCounts::Compared { depth: found, .. } => assert_eq!(found, depth),
                other => assert_eq!((other, depth), (DivideCounts::None, 1)),
            }
        }
    }

    #[test]
    fn lists_may_be_in_san() {
        let position = position();
        let moves = position.legal_moves();
        let sans = moves
            .iter()
            .map(|&m| chess::notation::san::write(m, &position));
        let text = sans.collect::<Vec<_>>().join(", ");
        assert!(check_pasted(&position, &text).agrees());
        let pasted = check_pasted(&position, "O-O Kd8 zz Nf9");
        assert_eq!(pasted.listed.unreadable.len(), 2, "{pasted:?}");
        assert_eq!(pasted.listed.unreadable[0].0.to_string(), "1:5");
    }
}
