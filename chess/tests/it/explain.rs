//! The sentences: positions, moves, and what is said of them.

use std::collections::BTreeSet;

use chess::notation::fen;
use chess::rules::explain::{Explanation, Pin, Rule, Sight, explain, line_of_sight};
use chess::rules::{Bitboard, Move, PieceType, Position, Square};

/// A position, the word of the rule that decides, and the sentence, which begins with the move.
const ROWS: [(&str, &str, &str); 95] = [
    // What moves, and how.
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
        "legal",
        "e2e4 is legal",
    ),
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
        "no-piece",
        "e4e5 is illegal: e4 is empty",
    ),
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
        "not-your-piece",
        "e7e5 is illegal: the pawn on e7 is Black's, and it is White's move",
    ),
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
        "does-not-move-so",
        "g1g3 is illegal: a knight does not move from g1 to g3",
    ),
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
        "does-not-move-so",
        "e1e1 is illegal: the king would stay on e1",
    ),
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
        "own-piece-on-target",
        "a1a2 is illegal: the pawn on a2 is White's own",
    ),
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
        "path-blocked",
        "f1b5 is illegal: the pawn on e2 stands between the bishop on f1 and b5",
    ),
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
        "path-blocked",
        "a1a5 is illegal: the pawn on a2 stands between the rook on a1 and a5",
    ),
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
        "cannot-promote-here",
        "b1c3q is illegal: only a pawn is promoted, the knight on b1 cannot become a queen",
    ),
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
        "cannot-promote-here",
        "e2e4q is illegal: a pawn is promoted on the eighth rank, not on e4",
    ),
    (
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -",
        "no-piece",
        "e2e4 is illegal: e2 is empty",
    ),
    (
        "4k3/8/8/8/8/8/8/4K3 b - -",
        "does-not-move-so",
        "e8e1 is illegal: a king does not move from e8 to e1",
    ),
    // Pawns.
    (
        "4k3/8/8/8/8/8/4P3/4K3 w - -",
        "does-not-move-so",
        "e2e5 is illegal: a white pawn does not move from e2 to e5",
    ),
    (
        "4k3/4p3/8/8/8/8/8/4K3 b - -",
        "does-not-move-so",
        "e7e8 is illegal: a black pawn does not move from e7 to e8",
    ),
    (
        "4k3/8/8/4p3/4P3/8/8/4K3 w - -",
        "pawn-cannot-capture-forward",
        "e4e5 is illegal: the pawn on e4 does not capture straight ahead, and the pawn on e5 stands there",
    ),
    (
        "4k3/8/8/8/4p3/8/4P3/4K3 w - -",
        "pawn-cannot-capture-forward",
        "e2e4 is illegal: the pawn on e2 does not capture straight ahead, and the pawn on e4 stands there",
    ),
    (
        "4k3/8/8/8/8/4n3/4P3/4K3 w - -",
        "path-blocked",
        "e2e4 is illegal: the knight on e3 stands between the pawn on e2 and e4",
    ),
    (
        "4k3/8/8/8/8/4N3/4P3/4K3 w - -",
        "own-piece-on-target",
        "e2e3 is illegal: the knight on e3 is White's own",
    ),
    (
        "4k3/8/8/8/8/4P3/8/4K3 w - -",
        "double-step-not-from-start",
        "e3e5 is illegal: a pawn goes two squares only from the second rank, and this one stands on e3",
    ),
    (
        "4k3/8/4p3/8/8/8/8/4K3 b - -",
        "double-step-not-from-start",
        "e6e4 is illegal: a pawn goes two squares only from the seventh rank, and this one stands on e6",
    ),
    (
        "4k3/8/8/8/8/8/4P3/4K3 w - -",
        "pawn-captures-need-a-victim",
        "e2d3 is illegal: a pawn goes diagonally only to capture, and d3 is empty",
    ),
    (
        "4k3/8/8/8/8/3N4/4P3/4K3 w - -",
        "own-piece-on-target",
        "e2d3 is illegal: the knight on d3 is White's own",
    ),
    // Promotion.
    (
        "7k/4P3/8/8/8/8/8/K7 w - -",
        "promotion",
        "e7e8q is legal: the pawn becomes a queen on e8",
    ),
    (
        "7k/4P3/8/8/8/8/8/K7 w - -",
        "must-promote",
        "e7e8 is illegal: a pawn that reaches e8 becomes a queen, rook, bishop or knight, and the move does not say which",
    ),
    (
        "7k/4P3/8/8/8/8/8/K7 w - -",
        "promotion-piece",
        "e7e8k is illegal: a pawn becomes a queen, rook, bishop or knight, not a king",
    ),
    (
        "k7/8/8/8/8/8/3p4/7K b - -",
        "promotion-piece",
        "d2d1p is illegal: a pawn becomes a queen, rook, bishop or knight, not a pawn",
    ),
    (
        "k7/8/8/8/8/8/3p4/7K b - -",
        "promotion",
        "d2d1n is legal: the pawn becomes a knight on d1",
    ),
    (
        "4k2r/6P1/8/8/8/8/8/4K3 w - -",
        "promotion",
        "g7h8r is legal: the pawn becomes a rook on h8",
    ),
    // En passant.
    (
        "4k3/6p1/8/3pP3/8/8/1P6/4K3 w - d6",
        "en-passant",
        "e5d6 is legal: it takes the pawn on d5 en passant, which has just made a double step",
    ),
    (
        "4k3/6p1/8/3pP3/8/8/1P6/4K3 w - -",
        "en-passant-too-late",
        "e5d6 is illegal: the pawn on d5 has not just made a double step, so it cannot be taken en passant",
    ),
    (
        "4k3/8/8/8/3Pp3/8/8/4K3 b - -",
        "en-passant-too-late",
        "e4d3 is illegal: the pawn on d4 has not just made a double step, so it cannot be taken en passant",
    ),
    (
        "4k3/8/8/K2pP2r/8/8/8/8 w - d6",
        "en-passant-discovers-check",
        "e5d6 is illegal: capturing en passant takes both pawns off the fifth rank and the rook on h5 attacks the king on a5",
    ),
    (
        "8/6p1/8/8/R2pP2k/8/1P6/3K4 b - e3",
        "en-passant-discovers-check",
        "d4e3 is illegal: capturing en passant takes both pawns off the fourth rank and the rook on a4 attacks the king on h4",
    ),
    (
        "4k3/6p1/8/K2pP2r/8/8/1P6/8 w - d6",
        "en-passant-discovers-check",
        "e5d6 is illegal: capturing en passant takes both pawns off the fifth rank and the rook on h5 attacks the king on a5",
    ),
    (
        "4b2k/8/8/3pP3/K7/8/7P/8 w - d6",
        "does-not-answer-check",
        "e5d6 is illegal: the king on a4 stays in check from the bishop on e8, as the move neither captures it nor blocks on b5, c6 or d7",
    ),
    (
        "k7/8/5K2/3pP3/3b4/8/6P1/8 w - d6",
        "pinned",
        "e5d6 is illegal: the pawn on e5 is pinned to the king on f6 by the bishop on d4",
    ),
    (
        "k3r3/8/8/3pP3/8/8/6P1/4K3 w - d6",
        "pinned",
        "e5d6 is illegal: the pawn on e5 is pinned to the king on e1 by the rook on e8",
    ),
    (
        "7k/1b6/8/3Pp3/8/5K2/1P6/8 w - e6",
        "pinned",
        "d5e6 is illegal: the pawn on d5 is pinned to the king on f3 by the bishop on b7",
    ),
    (
        "kb6/8/8/3pP3/8/6K1/P7/8 w - d6",
        "en-passant",
        "e5d6 is legal: it takes the pawn on d5 en passant, which has just made a double step; the pawn on e5 stays on the line of the bishop on b8, which pins it",
    ),
    (
        "4k3/6p1/8/3pP3/4K3/8/P7/8 w - d6",
        "en-passant",
        "e5d6 is legal: it takes the pawn on d5 en passant, which has just made a double step; the pawn on d5 gives check",
    ),
    // The king's steps.
    (
        "4kr2/8/8/8/8/8/8/4K3 w - -",
        "king-into-attack",
        "e1f1 is illegal: the king would step to f1, which the rook on f8 attacks",
    ),
    (
        "4kr2/8/1b6/8/8/8/8/4K3 w - -",
        "king-into-attack",
        "e1f2 is illegal: the king would step to f2, which the bishop on b6 and the rook on f8 attack",
    ),
    (
        "7k/8/8/8/8/3b4/4q3/4K3 w - -",
        "king-takes-protected",
        "e1e2 is illegal: the king cannot take the queen on e2, which the bishop on d3 protects",
    ),
    (
        "8/8/8/8/8/4k3/3p4/4K3 w - -",
        "king-takes-protected",
        "e1d2 is illegal: the king cannot take the pawn on d2, which the king on e3 protects",
    ),
    (
        "8/8/8/8/8/4k3/8/4K3 w - -",
        "kings-adjacent",
        "e1e2 is illegal: on e2 the king would stand next to the king on e3",
    ),
    (
        "8/8/8/8/8/4k2r/8/4K3 w - -",
        "kings-adjacent",
        "e1f2 is illegal: on f2 the king would stand next to the king on e3",
    ),
    (
        "k3r3/8/8/8/8/8/4K3/8 w - -",
        "king-along-checking-ray",
        "e2e1 is illegal: the rook on e8 attacks e1 too, through the king on e2",
    ),
    (
        "k3r3/8/8/8/8/8/4K3/8 w - -",
        "leaves-check",
        "e2d2 is legal: the king leaves the check of the rook on e8, and d2 is not attacked",
    ),
    (
        "k7/8/8/8/8/8/4r3/4K3 w - -",
        "captures-checker",
        "e1e2 is legal: it captures the rook on e2, which gives check",
    ),
    // Check and pins.
    (
        "k3r3/8/8/8/8/8/N7/4K3 w - -",
        "does-not-answer-check",
        "a2c3 is illegal: the king on e1 stays in check from the rook on e8, as the move neither captures it nor blocks on e2, e3, e4, e5, e6 or e7",
    ),
    (
        "k3r3/8/8/8/8/3N4/8/4K3 w - -",
        "blocks-check",
        "d3e5 is legal: it blocks the check of the rook on e8",
    ),
    (
        "1k2r3/8/8/8/8/8/8/4K2B w - -",
        "blocks-check",
        "h1e4 is legal: it blocks the check of the rook on e8",
    ),
    (
        "k3r3/8/8/1B6/8/8/8/4K3 w - -",
        "captures-checker",
        "b5e8 is legal: it captures the rook on e8, which gives check",
    ),
    (
        "k7/8/8/8/8/5n2/P7/4K3 w - -",
        "does-not-answer-check",
        "a2a3 is illegal: the king on e1 stays in check from the knight on f3, as the move does not capture it",
    ),
    (
        "k3r3/8/8/8/8/5n2/6P1/4K3 w - -",
        "double-check-king-must-move",
        "g2f3 is illegal: the knight on f3 and the rook on e8 give check at once, so the king on e1 must move",
    ),
    (
        "k7/8/8/8/1b6/8/3P4/4K3 w - -",
        "pinned",
        "d2d4 is illegal: the pawn on d2 is pinned to the king on e1 by the bishop on b4",
    ),
    (
        "7k/8/8/5b2/4P3/3K4/6p1/8 w - -",
        "along-pin",
        "e4f5 is legal: the pawn on e4 takes the bishop on f5, which pins it",
    ),
    (
        "4r2k/8/8/8/4R3/8/8/4K3 w - -",
        "along-pin",
        "e4e6 is legal: the rook on e4 stays on the line of the rook on e8, which pins it",
    ),
    (
        "4r2k/8/8/8/4R3/8/8/4K3 w - -",
        "pinned",
        "e4d4 is illegal: the rook on e4 is pinned to the king on e1 by the rook on e8",
    ),
    (
        "4r1k1/8/8/b7/8/2B5/8/4K3 w - -",
        "pinned",
        "c3e5 is illegal: the bishop on c3 is pinned to the king on e1 by the bishop on a5",
    ),
    (
        "k7/8/8/8/8/2K2P1r/8/2r5 w - -",
        "does-not-answer-check",
        "f3f4 is illegal: the king on c3 stays in check from the rook on c1, as the move neither captures it nor blocks on c2",
    ),
    // Castling.
    (
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq -",
        "castling",
        "e1g1 is legal: White may castle with the rook on h1, nothing stands in the way, and none of e1, f1 and g1 is attacked",
    ),
    (
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq -",
        "castling",
        "e1h1 is legal: White may castle with the rook on h1, nothing stands in the way, and none of e1, f1 and g1 is attacked",
    ),
    (
        "r3k2r/8/8/8/8/8/8/R3K2R b KQkq -",
        "castling",
        "e8c8 is legal: Black may castle with the rook on a8, nothing stands in the way, and none of c8, d8 and e8 is attacked",
    ),
    (
        "r3k2r/8/8/8/8/8/8/R3K2R w Qkq -",
        "no-castling-right",
        "e1g1 is illegal: White has no right to castle on the king's side",
    ),
    (
        "r3k2r/8/8/8/8/8/8/R3K2R w Qkq -",
        "no-castling-right",
        "e1h1 is illegal: White has no right to castle with the rook on h1",
    ),
    (
        "4k3/8/8/8/8/8/8/4K3 w - -",
        "no-castling-right",
        "e1c1 is illegal: White has no right to castle on the queen's side",
    ),
    (
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq -",
        "cannot-promote-here",
        "e1g1q is illegal: only a pawn is promoted, the king on e1 cannot become a queen",
    ),
    (
        "4k3/8/8/8/8/8/8/4KB1R w K -",
        "castling-path-blocked",
        "e1g1 is illegal: the bishop on f1 stands in the way of the king on e1, which would go to g1",
    ),
    (
        "4k3/8/8/8/8/8/8/RN2K3 w Q -",
        "castling-path-blocked",
        "e1c1 is illegal: the knight on b1 stands in the way of the rook on a1, which would go to d1",
    ),
    (
        "4k3/8/8/8/8/8/8/4K1nR w K -",
        "castling-path-blocked",
        "e1g1 is illegal: the knight on g1 stands in the way of the king on e1, which would go to g1",
    ),
    (
        "4kr2/8/8/8/8/8/8/4K2R w K -",
        "castling-through-check",
        "e1g1 is illegal: the king would pass over f1, which the rook on f8 attacks",
    ),
    (
        "4k1r1/8/8/8/8/8/8/4K2R w K -",
        "castling-into-check",
        "e1g1 is illegal: the king would land on g1, which the rook on g8 attacks",
    ),
    (
        "4k3/4r3/8/8/8/8/8/4K2R w K -",
        "castling-out-of-check",
        "e1g1 is illegal: the king on e1 is in check from the rook on e7",
    ),
    (
        "1r2k3/8/8/8/8/8/8/R3K3 w Q -",
        "castling",
        "e1c1 is legal: White may castle with the rook on a1, nothing stands in the way, and none of c1, d1 and e1 is attacked",
    ),
    (
        "4k3/8/8/8/8/8/6p1/4K2R w K -",
        "castling-through-check",
        "e1g1 is illegal: the king would pass over f1, which the pawn on g2 attacks",
    ),
    ("4k3/8/8/8/8/8/8/4K2R w K -", "legal", "e1f2 is legal"),
    // Castling in Chess960.
    (
        "4k3/8/8/8/8/8/8/qR1K4 w B -",
        "castling-uncovers-check",
        "d1b1 is illegal: once the rook has left b1, the queen on a1 attacks the king on c1",
    ),
    (
        "4k3/8/8/8/8/8/8/2K4R w H -",
        "castling",
        "c1h1 is legal: White may castle with the rook on h1, nothing stands in the way, and none of c1, d1, e1, f1 and g1 is attacked",
    ),
    (
        "4k3/8/8/8/8/8/8/qRK5 w B -",
        "castling-uncovers-check",
        "c1b1 is illegal: once the rook has left b1, the queen on a1 attacks the king on c1",
    ),
    (
        "4k3/8/8/8/8/8/8/6KR w H -",
        "castling",
        "g1h1 is legal: White may castle with the rook on h1, nothing stands in the way, and g1 is not attacked",
    ),
    (
        "4k3/8/8/8/8/8/8/1KN4R w H -",
        "castling-path-blocked",
        "b1h1 is illegal: the knight on c1 stands in the way of the king on b1, which would go to g1",
    ),
    (
        "4k3/8/8/8/8/8/8/RNKR4 w D -",
        "castling",
        "c1d1 is legal: White may castle with the rook on d1, nothing stands in the way, and none of c1, d1, e1, f1 and g1 is attacked",
    ),
    (
        "4k3/8/8/8/8/8/8/RNKR4 w D -",
        "no-castling-right",
        "c1a1 is illegal: White has no right to castle with the rook on a1",
    ),
    (
        "rk5r/8/8/8/8/8/8/RK2R3 b Eha -",
        "castling-through-check",
        "b8h8 is illegal: the king would pass over e8, which the rook on e1 attacks",
    ),
    (
        "3rk3/8/8/8/8/8/8/1K4R1 w G -",
        "castling-through-check",
        "b1g1 is illegal: the king would pass over d1, which the rook on d8 attacks",
    ),
    (
        "4k3/8/8/8/8/8/8/4KR2 w F -",
        "castling",
        "e1g1 is legal: White may castle with the rook on f1, nothing stands in the way, and none of e1, f1 and g1 is attacked",
    ),
    (
        "4k3/8/8/8/8/8/8/R3KR2 w A -",
        "no-castling-right",
        "e1f1 is illegal: White has no right to castle with the rook on f1",
    ),
    // Words of several pieces.
    (
        "k3r3/8/8/8/8/5n2/8/4K3 w - -",
        "leaves-check",
        "e1f1 is legal: the king leaves the check of the knight on f3 and the rook on e8, and f1 is not attacked",
    ),
    (
        "k3r3/8/8/8/8/5n2/8/4K3 w - -",
        "leaves-check",
        "e1d1 is legal: the king leaves the check of the knight on f3 and the rook on e8, and d1 is not attacked",
    ),
    (
        "k7/8/8/8/8/1q1n1b2/8/4K3 w - -",
        "king-into-attack",
        "e1d1 is illegal: the king would step to d1, which the queen on b3 and the bishop on f3 attack",
    ),
    ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq -", "legal", "h1h8 is legal"),
    // Over the edge of the board.
    (
        "4k3/8/8/7p/P7/8/8/4K3 w - -",
        "does-not-move-so",
        "a4h5 is illegal: a white pawn does not move from a4 to h5",
    ),
    (
        "7k/8/8/8/N7/8/8/K7 w - -",
        "does-not-move-so",
        "a4h6 is illegal: a knight does not move from a4 to h6",
    ),
    (
        "7k/8/8/8/8/8/8/K7 w - -",
        "does-not-move-so",
        "a1h1 is illegal: a king does not move from a1 to h1",
    ),
];

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
    for (position, rule, sentence) in ROWS {
        let explanation = explanation(position, sentence);
        assert_eq!(explanation.to_string(), sentence, "{position}");
        assert_eq!(explanation.rule().as_str(), rule, "{position}: {sentence}");
    }
}

#[test]
fn every_rule_occurs() {
    let seen: BTreeSet<&str> = ROWS.into_iter().map(|(_, rule, _)| rule).collect();
    let all: BTreeSet<&str> = Rule::ALL.into_iter().map(Rule::as_str).collect();
    assert_eq!(seen, all);
    assert_eq!(all.len(), Rule::COUNT, "the words differ");
}

/// Sentences name the squares that the explanation marks.
#[test]
fn squares_are_those_of_the_sentence() {
    for (position, _, sentence) in ROWS {
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

/// A pawn taken en passant can alone have shielded the king only where no last move is possible.
#[test]
fn en_passant_that_uncovers_a_diagonal() {
    let setup = fen::parse_setup("k7/8/4K3/3pP3/2b5/8/8/8 w - d6").expect("a setup");
    let error = Position::from_setup(setup).expect_err("the check is impossible");
    let position = error.ignore_impossible_check().expect("only that");
    let explanation = explain(&position, read("e5d6"));
    assert!(!position.is_legal(read("e5d6")));
    assert_eq!(
        explanation.to_string(),
        "e5d6 is illegal: capturing en passant takes the pawn off d5 and the bishop on c4 \
         attacks the king on e6"
    );
}

fn set(squares: &str) -> Bitboard {
    let square = |name: &str| name.parse::<Square>().expect("a square");
    squares.split_whitespace().map(square).collect()
}

#[test]
fn pictures() {
    // A rook gives check, a bishop pins a knight.
    let position = fen::parse("4r1k1/8/8/b7/8/2N5/8/4K3 w - -").expect("legal");
    let sight = Sight::of(&position);
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
fn pictures_of_double_check_and_of_the_ray_through_the_king() {
    let position = fen::parse("k3r3/8/8/8/8/8/4K3/8 w - -").expect("legal");
    let sight = Sight::of(&position);
    assert_eq!(sight.danger_through_king, set("e1"));
    let position = fen::parse("k3r3/8/8/8/8/5n2/8/4K3 w - -").expect("legal");
    let sight = Sight::of(&position);
    assert_eq!(sight.checkers, set("e8 f3"));
    assert_eq!(sight.answers, Some(Bitboard::EMPTY));
    let quiet = Sight::of(&Position::startpos());
    assert_eq!((quiet.answers, quiet.pins), (None, Vec::new()));
}
