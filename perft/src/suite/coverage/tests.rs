use std::collections::BTreeSet;

use chacha20::ChaCha8Rng;
use chess::notation::{fen, uci_move};
use chess::rules::{CastlingMode, Move, Piece, PieceType, Position, Square, mailbox};
use rand::SeedableRng as _;
use testkit::positions::{random_start, thrown_position, wander};

use super::*;

/// Positions of games, also of Chess960, and of pieces thrown onto the board.
fn each_position(mut check: impl FnMut(&Position)) {
    let mut rng = ChaCha8Rng::seed_from_u64(2_025);
    for number in 0..testkit::scale(300, 3_000) {
        let start = match number % 3 {
            0 => random_start(&mut rng, number % 2 == 0),
            _ => thrown_position(&mut rng),
        };
        let plies = u32::try_from(number % 40).expect("it is small");
        check(&wander(start, plies, &mut rng));
    }
}

/// The moves of a position with the texts of their signatures in one view.
fn texts(position: &Position, view: &str) -> Vec<(Move, String)> {
    let mut texts = Vec::new();
    moves::each_signature(position, ALL_VIEWS, |signature, m| {
        if let Some(m) = m
            && VIEWS[signature.view()].name == view
        {
            texts.push((m, signature.to_string()));
        }
    });
    texts
}

/// The mailbox generator agrees with what is said of every move.
#[test]
fn moves_are_described_as_the_mailbox_generator_sees_them() {
    each_position(|position| {
        let board = position.to_setup();
        let us = position.side_to_move();
        let shown = fen::write(position);
        let mut legal = BTreeSet::new();
        for (m, text) in texts(position, "legality") {
            let is_castling = text.contains("castling");
            if text.ends_with(", legal") {
                assert!(legal.insert(m), "{shown}: {text} twice");
            } else if !is_castling && !text.ends_with("blocked") && !text.ends_with("the right") {
                let after = mailbox::play(&board, m);
                assert!(mailbox::in_check(&after, us), "{shown}: {text}");
            }
            let is_check = !text.contains("not in check");
            assert_eq!(is_check, mailbox::in_check(&board, us), "{shown}: {text}");
            // Without a pinned piece, the king is attacked.
            let piece = board.piece_at(m.from()).expect("it moves");
            if !is_check && piece.piece_type != PieceType::King {
                let mut without = board.clone();
                without.board[m.from().index()] = None;
                let is_pinned = mailbox::in_check(&without, us);
                assert_eq!(is_pinned, !text.contains("not pinned"), "{shown}: {text}");
            }
        }
        let expected: BTreeSet<Move> = mailbox::legal_moves(&board).into_iter().collect();
        assert_eq!(legal, expected, "{shown}");
        for (m, text) in texts(position, "effect") {
            let after = mailbox::play(&board, m);
            let is_check = mailbox::in_check(&after, !us);
            let is_over = mailbox::legal_moves(&after).is_empty();
            let expected: &[&str] = match (is_check, is_over) {
                (true, true) => &[", mate,"],
                (false, true) => &[", stalemate,"],
                (false, false) => &[", no check,"],
                (true, false) => &[", direct check,", ", discovered check,", ", double check,"],
            };
            assert!(
                expected.iter().any(|one| text.contains(one)),
                "{shown}: {text}"
            );
        }
    });
}

fn mirrored(position: &Position) -> Position {
    let setup = position.to_setup();
    let mut other = setup.clone();
    for square in Square::ALL {
        let piece = setup.piece_at(square.flip_rank());
        other.board[square.index()] = piece.map(|one| Piece::new(!one.color, one.piece_type));
    }
    other.side_to_move = !setup.side_to_move;
    other.ep_square = setup.ep_square.map(Square::flip_rank);
    let rooks = setup.castling_rooks.into_iter().map(Square::flip_rank);
    other.castling_rooks = rooks.collect();
    Position::from_setup(other).expect("it is as legal as the other")
}

/// The same for the other side, on a board that is turned over.
fn turned(signature: &str) -> String {
    let (side, rest) = signature.split_once(' ').expect("a side comes first");
    let side = if side == "white" { "black" } else { "white" };
    let rest = rest.replace("a1-h8", "?").replace("h1-a8", "a1-h8");
    format!("{side} {}", rest.replace('?', "h1-a8"))
}

#[test]
fn colours_are_treated_alike() {
    let texts = |position: &Position| -> Vec<String> {
        let signatures = signatures_at(position, ALL_VIEWS).into_iter();
        signatures.map(|one| one.to_string()).collect()
    };
    each_position(|position| {
        let ours: BTreeSet<String> = texts(position).iter().map(|one| turned(one)).collect();
        let theirs = texts(&mirrored(position)).into_iter().collect();
        assert_eq!(ours, theirs, "{}", fen::write(position));
    });
    let possible = possible(CastlingMode::Chess960).iter();
    let possible: BTreeSet<String> = possible.map(|one| one.to_string()).collect();
    assert!(possible.iter().all(|one| possible.contains(&turned(one))));
    // Nor does it matter to pins which way their diagonal leans.
    for (lean, other) in [("a1-h8", "h1-a8"), ("h1-a8", "a1-h8")] {
        for pin in possible.iter().filter(|one| one.contains(lean)) {
            assert!(possible.contains(&pin.replace(lean, other)), "{pin}");
        }
    }
}

/// A position, a move, and its signature.
#[rustfmt::skip]
const IN_WORDS: [(&str, &str, &str); 20] = [
    ("4k3/8/8/8/8/8/4r3/R3K3 w Q - 0 1", "e1e2", "white king x rook, in check by a rook in contact, not pinned, legal"),
    ("4k3/8/8/8/8/8/3q4/R3K3 w Q - 0 1", "e1d1", "white king, in check by a queen in contact on a diagonal, not pinned, illegal: king attacked by a queen"),
    ("4k3/4r3/8/8/8/8/8/4K3 w - - 0 1", "e1e2", "white king, in check by a rook from afar, not pinned, illegal: king attacked by a rook"),
    ("4k3/8/8/8/4r3/8/4K3/8 w - - 0 1", "e2e1", "white king, in check by a rook from afar, not pinned, illegal: king stays on the line of a check"),
    ("4k3/8/8/8/1b6/8/3N4/4K3 w - - 0 1", "d2f3", "white knight, not in check, off its pin on a diagonal like h1-a8, illegal: leaves its king in check"),
    ("4r1k1/8/8/8/8/8/4R3/4K3 w - - 0 1", "e2e8", "white rook x rook, not in check, along its pin on the file, legal"),
    ("4k3/8/8/8/1b6/2P5/8/4K3 w - - 0 1", "c3b4", "white pawn x bishop, not in check, along its pin on a diagonal like h1-a8, legal"),
    ("4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 1", "e5d6", "white en passant, not in check, not pinned, illegal: removes a pawn from its king's line"),
    ("4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", "e5d6", "white en passant, not in check, not pinned, illegal: without the right"),
    ("4k3/8/8/8/8/5r2/8/4K2R w K - 0 1", "e1h1", "white castling kingside, not in check, not pinned, illegal: through check"),
    ("4k3/8/8/8/8/6r1/8/4K2R w K - 0 1", "e1h1", "white castling kingside, not in check, not pinned, illegal: into check"),
    ("4k3/8/8/8/8/1r6/8/R3K3 w Q - 0 1", "e1a1", "white castling queenside, not in check, not pinned, legal"),
    ("4k3/8/8/8/8/8/8/RN2K3 w Q - 0 1", "e1a1", "white castling queenside, not in check, not pinned, illegal: blocked"),
    ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "e1a1", "white castling queenside, not in check, not pinned, illegal: without the right"),
    ("4k3/8/8/8/8/8/8/qRR1K3 w B - 0 1", "e1b1", "white castling queenside, not in check, not pinned, illegal: blocked"),
    ("4k3/8/8/8/8/8/8/qR2K3 w B - 0 1", "e1b1", "white castling queenside, not in check, not pinned, illegal: the rook uncovers a check"),
    ("4k3/8/8/8/8/4p3/4P3/4K3 w - - 0 1", "e2e4", "white double push, not in check, not pinned, illegal: blocked"),
    ("4k3/8/8/8/8/8/1p6/R3K3 b - - 0 1", "b2a1n", "black promotion to knight x rook, not in check, not pinned, legal"),
    ("3Bk3/8/8/8/8/8/8/4R1K1 b - - 0 1", "e8d8", "black king x bishop, in check by a rook from afar, not pinned, legal"),
    ("4k3/3N1N2/5N2/8/8/8/8/4R1K1 b - - 0 1", "e8d8", "black king, in double check by a knight, not pinned, illegal: king attacked by a knight"),
];

#[test]
fn signatures_in_words() {
    for (text, m, expected) in IN_WORDS {
        let position = fen::parse(text).expect(text);
        let write = |one| uci_move::write(one, &position, CastlingMode::Chess960);
        let texts = texts(&position, "legality").into_iter();
        let found: Vec<String> = texts
            .filter(|(one, _)| write(*one) == m)
            .map(|(_, text)| text)
            .collect();
        assert_eq!(found, [expected], "{text} {m}");
    }
}

/// Each view shows from its depth on.
#[test]
fn deeper_counts_reach_more() {
    let start = Position::startpos();
    let names = |depth| {
        let set = reached(&start, depth);
        let names: BTreeSet<&str> = set.iter().map(|one| VIEWS[one.view()].name).collect();
        let black = set.iter().any(|one| one.to_string().starts_with("black"));
        (names.len(), black)
    };
    assert_eq!(names(0), (0, false));
    assert_eq!(names(1), (5, false));
    assert_eq!(names(2), (7, true));
    assert_eq!(names(3), (8, true));
    assert_eq!(names(4), (8, true));
    assert_eq!(names(5), (9, true));
}

#[test]
fn what_is_missing_can_be_filled() {
    let reached = reached(&Position::startpos(), 3);
    let missing = possible(CastlingMode::Standard).clone().without(&reached);
    assert_eq!(
        missing.count(),
        possible(CastlingMode::Standard).count() - reached.count()
    );
    let examples = examples(&missing);
    assert!(examples.iter().map(|one| one.signature).eq(missing.iter()));
    let filled = filling(&missing)
        .iter()
        .map(|(position, depth)| super::reached(position, *depth))
        .fold(SignatureSet::default(), SignatureSet::union);
    assert!(missing.without(&filled).is_empty());
}

/// Every position shows something that no other shows.
#[test]
fn no_position_is_redundant() {
    let [standard, chess960] = [CastlingMode::Standard, CastlingMode::Chess960].map(possible);
    let of_chess960 = chess960.clone().without(standard);
    for (positions, wanted) in POSITIONS.iter().zip([standard, &of_chess960]) {
        let shown: Vec<_> = positions.iter().map(shown).collect();
        let mut times = vec![0; Signature::COUNT];
        for one in shown.iter().flatten() {
            times[one.index()] += 1;
        }
        let is_needed = |one: &Signature| wanted.contains(*one) && times[one.index()] == 1;
        assert!(shown.iter().all(|all| all.iter().any(is_needed)));
    }
}

/// Search and rules leave nothing open: what no position shows is impossible.
#[test]
fn every_signature_is_shown_or_excluded() {
    let possible = possible(CastlingMode::Standard);
    for index in 0..Signature::COUNT {
        let one = Signature::from_index(index);
        match impossible::why_impossible(one) {
            Some(why) => assert!(!possible.contains(one), "{one}: {why}"),
            None => assert!(possible.contains(one), "{one}: neither shown nor excluded"),
        }
    }
}

/// The rules exclude nothing that happens in positions that the search did not see.
#[test]
fn nothing_that_happens_is_excluded() {
    each_position(|position| {
        if position.castling_mode() == CastlingMode::Standard {
            each_signature(position, ALL_VIEWS, |one| {
                let why = impossible::why_impossible(one);
                assert_eq!(why, None, "{one} in {}", fen::write(position));
            });
        }
    });
}
