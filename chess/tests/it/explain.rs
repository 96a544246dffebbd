//! The sentences of `explanations.txt`, and the diagrams.

use std::collections::BTreeSet;

use chess::notation::fen;
use chess::rules::explain::{Explanation, Pin, Rule, Sight, explain, line_of_sight};
use chess::rules::{Bitboard, Move, PieceType, Position, Square};

/// Each row as position, identifier of the deciding rule, and sentence.
fn rows() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    let mut position = "";
    let lines = include_str!("explanations.txt").lines();
    lines
        .filter(|line| !line.starts_with('#'))
        .filter_map(move |line| {
            let Some(row) = line.strip_prefix("  ") else {
                position = line;
                return None;
            };
            let (rule, sentence) = row.split_once(": ").expect("a rule and a sentence");
            Some((position, rule, sentence))
        })
}

/// Reads four or five letters as a move, kings and pawns as promotions too.
fn read(text: &str) -> Move {
    let square = |name: &str| name.parse::<Square>().expect(text);
    let (from, to) = (square(&text[..2]), square(&text[2..4]));
    match text[4..].to_ascii_uppercase().chars().next() {
        Some(letter) => {
            Move::new_promotion(from, to, PieceType::from_char(letter).expect("a piece"))
        }
        None => Move::new(from, to),
    }
}

fn explanation(position: &str, sentence: &str) -> Explanation {
    let position = fen::parse(position).expect(position);
    let m = sentence.split(' ').next().expect("a move comes first");
    explain(&position, read(m))
}

#[test]
fn sentences() {
    assert_eq!(rows().count(), 95);
    for (position, rule, sentence) in rows() {
        let explanation = explanation(position, sentence);
        assert_eq!(explanation.to_string(), sentence, "{position}");
        assert_eq!(explanation.rule().as_str(), rule, "{position}: {sentence}");
    }
}

#[test]
fn every_rule_occurs() {
    let seen: BTreeSet<&str> = rows().map(|(_, rule, _)| rule).collect();
    let all: BTreeSet<&str> = Rule::ALL.into_iter().map(Rule::as_str).collect();
    assert_eq!(seen, all);
    assert_eq!(all.len(), Rule::COUNT, "the words differ");
}

/// Sentences name the squares that the explanation marks.
#[test]
fn squares_are_those_of_the_sentence() {
    for (position, _, sentence) in rows() {
        let explanation = explanation(position, sentence);
        let because = sentence.split_once(": ").map_or("", |(_, because)| because);
        let named: Bitboard = because
            .split(|c: char| !c.is_ascii_alphanumeric())
            .filter_map(|word| word.parse::<Square>().ok())
            .collect();
        let m = explanation.asked();
        let marked = explanation.squares() | m.from().bitboard() | m.to().bitboard();
        assert_eq!((named & !marked), Bitboard::EMPTY, "{position}: {sentence}");
    }
}

#[test]
fn castling_is_understood_in_both_forms() {
    let position = fen::parse("r3k2r/8/8/8/8/8/8/R3K2R w KQkq -").expect("legal");
    let inside = read("e1h1");
    assert_eq!(explain(&position, read("e1g1")).meant(), inside);
    assert_eq!(explain(&position, inside).meant(), inside);
    // With the other rook on c1, the same squares are the king taking that rook.
    let position = fen::parse("4k3/8/8/8/8/8/8/2R1K2R w CH -").expect("legal");
    let explanation = explain(&position, read("e1c1"));
    assert_eq!(explanation.meant(), read("e1c1"));
    assert!(explanation.is_legal());
}

fn set(squares: &str) -> Bitboard {
    let square = |name: &str| name.parse::<Square>().expect("a square");
    squares.split_whitespace().map(square).collect()
}

#[test]
fn diagrams() {
    // A rook gives check, a bishop pins a knight.
    let position = fen::parse("4r1k1/8/8/b7/8/2N5/8/4K3 w - -").expect("legal");
    let sight = Sight::from_position(&position);
    assert_eq!(sight.checkers, set("e8"));
    assert_eq!(sight.answers, Some(set("e2 e3 e4 e5 e6 e7 e8")));
    let pin = Pin {
        piece: Square::C3,
        pinner: Square::A5,
        ray: set("a5 b4 c3 d2"),
    };
    assert_eq!(sight.pins, [pin]);
    let rook = set("e7 e6 e5 e4 e3 e2 e1 d8 c8 b8 a8 f8 g8");
    let bishop = set("b4 c3 b6 c7 d8");
    let king = set("f8 f7 g7 h7 h8");
    assert_eq!(sight.danger, rook | bishop | king);
    assert_eq!(sight.danger_through_king, Bitboard::EMPTY);
    assert_eq!(line_of_sight(&position, Square::A5), bishop);
    assert_eq!(line_of_sight(&position, Square::H1), Bitboard::EMPTY);
}

#[test]
fn diagrams_of_double_check_and_of_the_ray_through_the_king() {
    let position = fen::parse("k3r3/8/8/8/8/8/4K3/8 w - -").expect("legal");
    let sight = Sight::from_position(&position);
    assert_eq!(sight.danger_through_king, set("e1"));
    let position = fen::parse("k3r3/8/8/8/8/5n2/8/4K3 w - -").expect("legal");
    let sight = Sight::from_position(&position);
    assert_eq!(sight.checkers, set("e8 f3"));
    assert_eq!(sight.answers, Some(Bitboard::EMPTY));
    let quiet = Sight::from_position(&Position::startpos());
    assert_eq!((quiet.answers, quiet.pins), (None, Vec::new()));
}
