use super::*;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn faults(text: &str) -> Vec<String> {
    match parse(text) {
        Ok(_) => Vec::new(),
        Err(error) => error.faults.iter().map(ToString::to_string).collect(),
    }
}

fn tolerated(text: &str) -> (String, Vec<String>) {
    let read = parse_lenient(text).expect(text);
    (
        write(&read.position),
        read.tolerated.iter().map(ToString::to_string).collect(),
    )
}

#[test]
fn strict_round_trips() {
    let texts = [
        START,
        "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 13 57",
        "4k3/8/8/8/8/8/8/4K3 b - - 99 120",
        // X-FEN: an inner rook is given by its file.
        "1r2k1r1/8/8/8/8/8/8/RR2K1RR w GBkq - 0 1",
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    ];
    for text in texts {
        let position = parse(text).expect(text);
        let again = parse(&write(&position)).expect("what was written can be read");
        assert_eq!(again, position, "{text}");
    }
    for text in &texts[..5] {
        assert_eq!(write(&parse(text).expect(text)), *text);
    }
}

#[test]
fn four_fields_are_a_fen_too() {
    let position = parse("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -").expect("EPD");
    assert_eq!(position, Position::startpos());
    assert_eq!(
        write_epd(&position, FenStyle::default()),
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"
    );
}

#[test]
fn castling_is_read_in_all_three_ways() {
    let board = "r3k2r/8/8/8/8/8/8/R3K2R w";
    let standard = parse(&format!("{board} KQkq - 0 1")).expect("standard");
    assert_eq!(parse(&format!("{board} HAha - 0 1")), Ok(standard));
    let shredder = FenStyle {
        castling: CastlingText::Shredder,
        ..FenStyle::default()
    };
    let written = write_with(&standard, shredder);
    assert_eq!(written, format!("{board} HAha - 0 1"));
    let inner = parse("4k3/8/8/8/8/8/8/R2RK1RR w HDQ - 0 1");
    assert!(inner.is_err(), "two rights on the queen's side");
    let inner = parse("4k3/8/8/8/8/8/8/R2RK1RR w GD - 0 1").expect("X-FEN");
    assert_eq!(write(&inner), "4k3/8/8/8/8/8/8/R2RK1RR w GD - 0 1");
}

#[test]
fn the_ep_square_is_written_by_mode() {
    let alone = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
    let pinned = "8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1";
    let legal = "8/8/8/8/k2pP3/8/8/4K3 b - e3 0 1";
    for (text, ep, expected) in rows![
        alone, EnPassantMode::Always => "e3";
        alone, EnPassantMode::PseudoLegal => "-";
        pinned, EnPassantMode::PseudoLegal => "e3";
        pinned, EnPassantMode::Legal => "-";
        legal, EnPassantMode::Legal => "e3";
    ] {
        let castling = CastlingText::XFen;
        let written = write_with(&parse(text).expect(text), FenStyle { ep, castling });
        assert_eq!(written.split(' ').nth(3), Some(expected), "{text}, {ep:?}");
    }
}

#[test]
fn every_fault_of_fields_and_placement_says_where_and_why() {
    let rows: &[(&str, &[&str])] = &rows![
        "" => &["record, offset 0: 0 fields, expected 4 or 6"];
        "8/8/8/8/8/8/8/8" => &["record, offset 0: 1 fields, expected 4 or 6"];
        "8/8/8/8/8/8/8/8 w - -" =>
            &["placement, offset 0: White has no king", "placement, offset 0: Black has no king"];
        " 4k3/8/8/8/8/8/8/4K3 w - - 0 1" => &["record, offset 0: superfluous white space"];
        "4k3/8/8/8/8/8/8/4K3  w - - 0 1" => &["record, offset 20: superfluous white space"];
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1 " => &["record, offset 29: superfluous white space"];
        "4k3/8/8/8/8/8/8/4K3 w - - 0" => &["record, offset 0: 5 fields, expected 4 or 6"];
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1 2" => &["record, offset 0: 7 fields, expected 4 or 6"];
        "4k3/44/8/8/8/8/8/4K3 w - - 0 1" =>
            &["placement, offset 5: two counts of empty squares in a row, expected their sum"];
        "4k3/8/8/8/8/8/4K3 w - - 0 1" => &["placement, offset 0: 7 ranks, expected 8"];
        "4k3/7/8/8/8/8/8/4K3p w - - 0 1" => &[
            "placement, offset 4: rank 7 has 7 squares, expected 8",
            "placement, offset 16: rank 1 has 9 squares, expected 8",
        ];
        "4k3/8/8/8/3é4/8/8/4K3 w - - 0 1" => &[
            "placement, offset 11: 'é' is neither a piece nor a count of empty squares 1-8",
            "placement, offset 10: rank 4 has 7 squares, expected 8",
        ];
    ];
    check_faults(rows);
}

#[test]
fn every_fault_of_the_other_fields_says_where_and_why() {
    let rows: &[(&str, &[&str])] = &rows![
        "4k3/8/8/8/8/8/8/4K3 white x9 e9 -1 0" => &[
            "side to move, offset 20: 'white' is not a side, expected w or b",
            "castling, offset 26: 'x' is not a castling right, expected '-', KQkq or files A-H, a-h",
            "castling, offset 27: '9' is not a castling right, expected '-', KQkq or files A-H, a-h",
            "en passant square, offset 29: 'e9' is not a square, expected '-' or one such as e3",
            "halfmove clock, offset 32: '-1' is not a number from 0 to 4294967295",
            "fullmove number, offset 35: '0' is not a number from 1 to 4294967295",
        ];
        "r3k2r/8/8/8/8/8/8/R3K2R w kqKQK - 0 4294967296" => &[
            "castling, offset 28: castling right 'K' is out of order, expected White before Black and K before Q",
            "castling, offset 29: castling right 'Q' is out of order, expected White before Black and K before Q",
            "castling, offset 30: castling right 'K' names a rook that has been named before",
            "castling, offset 30: castling right 'K' is out of order, expected White before Black and K before Q",
            "fullmove number, offset 36: '4294967296' is not a number from 1 to 4294967295",
        ];
        "4k3/8/8/8/8/8/8/4K2R w Q - 0 1" =>
            &["castling, offset 23: castling right 'Q' has no rook on that side of a king on its first rank"];
        "4k3/8/8/8/8/8/8/4K2R w A - 0 1" =>
            &["castling, offset 23: a castling right names a1, where White has no rook"];
        "4k3/8/8/8/8/8/8/4K3 w - e6 0 1" =>
            &["en passant square, offset 24: no pawn can have just passed over e6"];
        "4k3/8/8/4p3/8/8/8/4K3 w - e3 0 1" => &[
            "en passant square, offset 26: en passant square e3 is not on the sixth rank of White, the side to move",
        ];
        "4k3/8/8/8/8/8/8/P3K2R b - - 0 1" =>
            &["placement, offset 16: a pawn stands on a1, the first or last rank"];
    ];
    check_faults(rows);
}

fn check_faults(rows: &[(&str, &[&str])]) {
    for (text, expected) in rows {
        assert_eq!(faults(text), *expected, "{text:?}");
    }
}

#[test]
fn the_lenient_reader_lists_what_it_passes_over() {
    let bare = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
    let rows: [(&str, &str, &[&str]); 10] = rows![
        "\t4k3/8/8/8/8/8/8/4K3  W", bare => &[
            "record, offset 0: superfluous white space",
            "record, offset 0: 2 fields, expected 4 or 6",
            "side to move, offset 22: 'W' is not a side, expected w or b",
        ];
        "4k3/8/8/8/8/8/8/4K3 w KQkq - 0 0", bare => &[
            "castling, offset 22: castling right 'K' has no rook on that side of a king on its first rank",
            "castling, offset 23: castling right 'Q' has no rook on that side of a king on its first rank",
            "castling, offset 24: castling right 'k' has no rook on that side of a king on its first rank",
            "castling, offset 25: castling right 'q' has no rook on that side of a king on its first rank",
            "fullmove number, offset 31: '0' is not a number from 1 to 4294967295",
        ];
        "4k3/8/8/8/8/8/8/4K3 w - e6 0 1", bare =>
            &["en passant square, offset 24: no pawn can have just passed over e6"];
        "4k3/8/8/8/8/4K3/8/7R w H - 0 1", "4k3/8/8/8/8/4K3/8/7R w - - 0 1" =>
            &["castling, offset 23: White has a castling right, but its king is not on its first rank"];
        "r3k2r/8/8/8/8/8/8/R3K2R w qkQK - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1" => &[
            "castling, offset 27: castling right 'k' is out of order, expected White before Black and K before Q",
            "castling, offset 28: castling right 'Q' is out of order, expected White before Black and K before Q",
            "castling, offset 29: castling right 'K' is out of order, expected White before Black and K before Q",
        ];
        "4k3/8/44/8/8/8/8/4K3 w - - 3", "4k3/8/8/8/8/8/8/4K3 w - - 3 1" => &[
            "record, offset 0: 5 fields, expected 4 or 6",
            "placement, offset 7: two counts of empty squares in a row, expected their sum",
        ];
        "4k3/8/8/8/8/3n1n2/8/4K3 w - - 0 1", "4k3/8/8/8/8/3n1n2/8/4K3 w - - 0 1" =>
            &["placement, offset 21: the checks on e1 cannot come from one move (2 checkers)"];
        "q6k/8/8/3pP3/8/8/8/7K w - d6 0 1", "q6k/8/8/3pP3/8/8/8/7K w - - 0 1" =>
            &["en passant square, offset 26: the side to move was already in check before the pawn passed over d6"];
        "4r2k/8/8/3p4/8/3n4/8/4K3 w - d6 0 1", "4r2k/8/8/3p4/8/3n4/8/4K3 w - - 0 1" =>
            &["en passant square, offset 29: the side to move was already in check before the pawn passed over d6"];
        START, START => &[];
    ];
    for (text, expected, notes) in rows {
        let (written, found) = tolerated(text);
        assert_eq!(written, expected, "{text:?}");
        assert_eq!(found, notes, "{text:?}");
    }
}

#[test]
fn the_lenient_reader_never_guesses() {
    for text in [
        "4k3/8/8/8/8/8/8/4K3",
        "4k3/8/8/8/8/8/8/4K3 x",
        "4k3/8/8/8/8/8/8/4K2 w",
        "4k3/8/8/8/8/8/8/4K3 w KX",
        "4k3/8/8/8/8/8/8/4K3 w - z9",
        "4k3/8/8/8/8/8/8/4K3 w - - x",
        "8/8/8/8/8/8/8/4K3 w - -",
        "4k3/4R3/8/8/8/8/8/4K3 w - -",
    ] {
        assert!(parse_lenient(text).is_err(), "{text}");
    }
}

#[test]
fn what_is_too_long_has_one_fault() {
    let text = "x".repeat(1_000_000);
    for error in [parse(&text).unwrap_err(), parse_lenient(&text).unwrap_err()] {
        let message = "record, offset 0: 1000000 bytes, expected at most 1000";
        assert_eq!(error.to_string(), message);
    }
    let padded = format!("{START}{}", " ".repeat(MAX_FEN_BYTES - START.len()));
    assert!(parse_lenient(&padded).is_ok());
    assert!(parse_lenient(&(padded + " ")).is_err());
}
