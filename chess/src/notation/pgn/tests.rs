//! Malformed games, and texts that are not PGN at all.

use std::fmt::Write as _;
use std::io::{self, BufReader, Read};

use proptest::prelude::*;

use super::*;
use crate::notation::uci_move;
use crate::rules::CastlingMode;

/// Prints a line of moves in one form: UCI, glyphs, comments, variations.
fn describe_line(line: &PgnLine) -> String {
    let mut words: Vec<String> = line.comments.iter().map(|one| format!("{one:?}")).collect();
    for one in &line.moves {
        words.push(one.played.to_string());
        words.extend(one.nags.iter().map(|nag| format!("${nag}")));
        words.extend(one.comments.iter().map(|one| format!("{one:?}")));
        let variations = one.variations.iter();
        words.extend(variations.map(|line| format!("({})", describe_line(line))));
    }
    words.join(" ")
}

fn describe(game: &PgnGame) -> String {
    let mut text = String::new();
    for (name, value) in &game.tags {
        write!(text, "[{name} {value:?}] ").expect("a string can be written to");
    }
    text + &describe_line(&game.mainline)
        + &game
            .result
            .map_or(" ?".to_owned(), |result| format!(" {result}"))
}

fn read_all(reader: PgnReader<impl io::BufRead>) -> Vec<String> {
    let described = |game: Result<PgnGame, ReadPgnError>| match game {
        Ok(game) => describe(&game),
        Err(error) => error.to_string(),
    };
    reader.map(described).collect()
}

/// Reads the text whole, and again one byte at a time.
fn check(text: &[u8], expected: &[&str]) {
    let found = read_all(PgnReader::new(text).keep_variations());
    assert_eq!(found, expected, "{}", String::from_utf8_lossy(text));
    let bytewise = BufReader::with_capacity(1, text);
    let found = read_all(PgnReader::new(bytewise).keep_variations());
    assert_eq!(found, expected, "bytewise");
}

fn check_all(rows: &[(&[u8], &[&str])]) {
    for (text, expected) in rows {
        check(text, expected);
    }
}

/// The only game of a text, which is sound.
fn read_one(text: &str) -> PgnGame {
    let mut games = PgnReader::new(text.as_bytes());
    games.next().expect("a game").expect("a sound one")
}

#[test]
fn the_signs_of_annotators_are_glyphs() {
    let rows = rows![
        "1. e4 ± e5 +/= *" => "e2e4 $16 e7e5 $14 *";
        "1. e4± e5+/= 2. Nf3+- Nc6-+ *" => "e2e4 $16 e7e5 $14 g1f3 $18 b8c6 $19 *";
        "1. e4 = e5= 2. Nf3 □ Nc6! ∓ *" => "e2e4 $10 e7e5 $10 g1f3 $7 b8c6 $1 $17 *";
        "1. e4!± e5?!=/+ *" => "e2e4 $1 $16 e7e5 $6 $15 *";
        "1. e4 ∞ e5 ⩲ 2. Nf3 ⩱ Nc6 N *" => "e2e4 $13 e7e5 $14 g1f3 $15 b8c6 $146 *";
        "1. e4 −+ e5 +− 2. f4 exf4 -/+ *" => "e2e4 $19 e7e5 $18 f2f4 e5f4 $17 *";
        "1. e4 d5 2. Bb5+ c6 3. Bxc6++/- *" => "e2e4 d7d5 f1b5 c7c6 b5c6 $16 *";
        "1. e4 =/∞ e5=/∞ 2. f4 ∞/= exf4⇄ 3. Nf3 ⊕ *" => "e2e4 $44 e7e5 $44 f2f4 $44 e5f4 $132 g1f3 $138 *";
        "1. e4 +x e5 *" => "line 1, column 7: ";
        "1. Qh5± *" => "line 1, column 4: 'Qh5±' has not the form of a move";
    ];
    for (text, expected) in rows {
        let found = read_all(PgnReader::new(text.as_bytes())).join(", ");
        assert!(found.starts_with(expected), "{text}: {found}");
    }
    // Latin-1 has two of them, too.
    let latin = read_all(PgnReader::new(&b"1. e4 \xb1 e5\xb1 *"[..]));
    assert_eq!(latin, ["e2e4 $16 e7e5 $16 *"]);
}

#[test]
fn a_game_with_everything() {
    check(
        b"[Event \"A\"]\n[Site \"B\"]\n\n{first} 1. e4! $14 {second} (1. d4 d5 (1... Nf6 {in}) 2. c4) \
          (1. c4) 1... e5 ; to the end\n2. Nf3 1/2-1/2\n",
        &[
            "[Event \"A\"] [Site \"B\"] \"first\" e2e4 $1 $14 \"second\" \
             (d2d4 d7d5 (g8f6 \"in\") c2c4) (c2c4) e7e5 \" to the end\" g1f3 1/2-1/2",
        ],
    );
}

#[test]
fn ends_of_line_marks_and_blanks() {
    check_all(&rows![
        b"" => &[];
        b" \r\n\t\n% nothing\n" => &[];
        b"\xef\xbb\xbf[Event \"A\"]\r\n\r\n1. e4\r\ne5\r\n*\r\n" => &["[Event \"A\"] e2e4 e7e5 *"];
        b"[Event \"A\"]\r\r1. e4 ;c\re5 *" => &["[Event \"A\"] e2e4 \"c\" e7e5 *"];
        b"\xef\xbb\xbf% escaped 1. e4 *\n1.\te4\te5\n%( { [\n2.Nf3 *" => &["e2e4 e7e5 g1f3 *"];
        b"1. e4 { a\n%b } *" => &["e2e4 \" a\\n%b \" *"];
    ]);
}

#[test]
fn where_games_end() {
    check_all(&rows![
        b"1. e4 1-0 1. d4 0-1\n\n*" => &["e2e4 1-0", "d2d4 0-1", " *"];
        b"1. e4 e5" => &["e2e4 e7e5 ?"];
        b"1. e4*1. d4*" => &["e2e4 *", "d2d4 *"];
        b"[Event \"A\"]\n1. e4\n[Event \"B\"]\n[Event \"C\"]\n1. d4 1/2" =>
            &["[Event \"A\"] e2e4 ?", "[Event \"B\"]  ?", "[Event \"C\"] d2d4 1/2-1/2"];
        b"1. e4\n[Event A]\n[Site \"B\"]\n1. d4 *" =>
            &["e2e4 ?", "line 2, column 8: found 'A', expected '\"' and the value of the tag"];
        b"{nothing} ; at all" => &[];
        b"{before}\n[Event \"A\"]\n\n* {behind}" => &["[Event \"A\"]  *"];
        b"[A \"1\"][B \"2\"] 1. e4 * [A \"3\"]" => &["[A \"1\"] [B \"2\"] e2e4 *", "[A \"3\"]  ?"];
        b"1. e4 (1. d4 *) e5 *" => &["e2e4 (d2d4) e7e5 *"];
    ]);
}

#[test]
fn move_numbers_and_moves() {
    let three = &["e2e4 e7e5 g1f3 *"];
    for text in [
        "1. e4 e5 2. Nf3 *",
        "1.e4 e5 2.Nf3 *",
        "1.e4 1...e5 2.Nf3*",
        "1 e4 e5 2 Nf3 *",
        "1. e4 1. ... e5 2 . Nf3 *",
        "e4 e5 Nf3 *",
        "1.. e4 1... ... e5 7. Nf3 *",
        "1. e2-e4 e7e5 2. Ng1f3+ *",
        "1. Pe4 e5 2. Nf3 + *",
        "e4 e5 Nf3 # *",
    ] {
        check(text.as_bytes(), three);
    }
    check_all(&rows![
        b"1. e4!!e5 *" =>
            &["line 1, column 4: 'e4!!e5' has not the form of a move, such as Nf3, exd5, e8=Q or O-O"];
        b"1. e4 !? ?! $3 e5!!! ?? *" => &["e2e4 $5 $6 $3 e7e5 $4 *"];
        b"[FEN \"r3k2r/P6P/8/8/8/8/8/R3K2R w KQkq - 0 1\"] 1. 0-0 0-0-0 2. hxg8Q *" =>
            &["line 1, column 64: no legal move is 'hxg8Q' in 2kr3r/P6P/8/8/8/8/8/R4RK1 w - - 2 2"];
        b"[FEN \"4k3/P7/8/8/8/8/7p/R3K3 w Q - 0 1\"] 1. a8(N) h1(Q)+ 2. Kd2 (2. Ke2) *" =>
            &["[FEN \"4k3/P7/8/8/8/8/7p/R3K3 w Q - 0 1\"] a7a8n h2h1q e1d2 (e1e2) *"];
        b"[FEN \"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1\"] 1. exd6 e.p. Kd7 *" =>
            &["[FEN \"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1\"] e5d6 e8d7 *"];
    ]);
}

#[test]
fn text_of_tags_and_comments() {
    check_all(&rows![
        br#"[A "say \"hi\" \\ C:\x"] *"# => &[r#"[A "say \"hi\" \\ C:\\x"]  *"#];
        br#"[A "the "big" one" ] *"# => &[r#"[A "the \"big\" one"]  *"#];
        br#"[ A  ""] *"# => &[r#"[A ""]  *"#];
        b"[A \"M\xfcller\"] 1. e4 {caf\xc3\xa9} {caf\xe9} *" =>
            &["[A \"Müller\"] e2e4 \"café\" \"café\" *"];
        b"1. e4 {a {b ; c\nd} (1. d4 ;)\n) *" => &["e2e4 \"a {b ; c\\nd\" (d2d4 \")\") *"];
    ]);
}

#[test]
fn faults_have_places_and_the_next_game_is_read() {
    let next = "[Event \"Next\"] d2d4 1-0";
    let rows = rows![
        "[Event Big]" => "line 1, column 8: found 'B', expected '\"' and the value of the tag";
        "[Event \"x\"" => "line 1, column 11: found the end of the line, expected '\"]' at the end of the tag";
        "[Event \"x" => "line 1, column 10: found the end of the line, expected '\"]' at the end of the tag";
        "[\"x\"]\n[Site \"y\"]\n1. e4" => "line 1, column 2: found '\"', expected the name of a tag";
        "[A \"1\"]\n[B \"2\"] [A \"3\"]\n1. e4" => "line 2, column 9: tag 'A' is given twice";
        "1. e4 [%clk 0:01:00] e5 *" => "line 1, column 8: found '%', expected the name of a tag";
        "1. e4 }" => "line 1, column 7: found '}', expected a move, a comment, a variation or a result";
        "1. e4 e5)" => "line 1, column 9: found ')', expected a move, since no variation is open";
        "é 1. e4" => "line 1, column 1: 'é' has not the form of a move, such as Nf3, exd5, e8=Q or O-O";
        "1. e4 {é} \u{1b}2J *" => "line 1, column 11: found '\\u{1b}2J', expected a move";
        "1. e4 e5 -- 2. e4" => "line 1, column 10: '--' is a null move, expected a legal move";
        "1. e4 0000 2. e4 *" => "line 1, column 7: '0000' is a null move, expected a legal move";
        "1. e4 0000" => "line 1, column 7: '0000' is a null move, expected a legal move";
        "1. Z0 e5 *" => "line 1, column 4: 'Z0' is a null move, expected a legal move";
        "1. e4 $256 *" => "line 1, column 7: '$256' is not a numeric annotation glyph, expected $0 to $255";
        "1. e4 $ e5 *" => "line 1, column 7: '$' is not a numeric annotation glyph, expected $0 to $255";
        "$1 1. e4 *" => "line 1, column 1: found an annotation glyph, expected a move before it";
        "1. (1. e4) d4 *" => "line 1, column 4: a variation before any move, expected a move to vary first";
        "1. e4\n(1. d4 (1. c4) d5 *" => "line 2, column 1: the variation is not closed, expected ')'";
        "1. e4 (1. d5) e5 *" =>
            "line 1, column 11: no legal move is 'd5' in rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        "1. e4 { not\n closed *" => "line 1, column 7: the comment is not closed, expected '}'";
        "[A \"1\"]\n[FEN \"8/8\"]\n*" =>
            "line 2, column 1: tag FEN: record, offset 0: 1 fields, expected 4 or 6; placement, offset 0: 2 ranks, expected 8";
        "[SetUp \"1\"]\n\n*" => "line 1, column 1: tag SetUp is \"1\", but there is no tag FEN";
        "[Variant \"Atomic\"] e4 *" =>
            "line 1, column 1: tag Variant is \"Atomic\", expected standard chess or Chess960";
    ];
    for (text, expected) in rows {
        let both = format!("{text}\n\n[Event \"Next\"]\n\n1. d4 1-0");
        if text.starts_with("[Event") {
            // A faulty Event tag is not recognised as such, so moves have to separate the games.
            let both = both.replacen("\n\n", "\n\n1. e4 *\n", 1);
            check(both.as_bytes(), &[expected, next]);
        } else {
            check(both.as_bytes(), &[expected, next]);
        }
    }
}

#[test]
fn the_end_of_the_text_ends_everything() {
    check_all(&rows![
        b"1. e4 {" => &["line 1, column 7: the comment is not closed, expected '}'"];
        b"1. e4 (" => &["line 1, column 7: the variation is not closed, expected ')'"];
        b"[A" => &["line 1, column 3: found the end of the text, expected '\"' and the value of the tag"];
        b"1. e4 $" => &["line 1, column 7: '$' is not a numeric annotation glyph, expected $0 to $255"];
        b"\xef\xbb" => &["line 1, column 1: 'ï»' has not the form of a move, such as Nf3, exd5, e8=Q or O-O"];
    ]);
}

#[test]
fn variations_passed_over_are_not_looked_at() {
    let text = b"1. e4 (1. -- nonsense (Z0) {x} $5) e5 {y} (1. d4 1-0 *) *";
    let found = read_all(PgnReader::new(&text[..]));
    assert_eq!(found, ["e2e4 e7e5 \"y\" *"]);
    let found = read_all(PgnReader::new(&b"(1. e4) *"[..])).remove(0);
    assert!(found.contains("a variation before any move"), "{found}");
}

#[test]
fn the_mode_is_that_of_tag_and_fen() {
    let (standard, chess960) = (CastlingMode::Standard, CastlingMode::Chess960);
    let rows = [
        ("", standard),
        ("[Variant \"From Position\"]", standard),
        ("[Variant \"chess 960\"]", chess960),
        ("[Variant \"Fischerandom\"]", chess960),
        ("[FEN \"4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1\"]", standard),
        ("[FEN \"4k3/8/8/8/8/8/8/R3K2R w HA - 0 1\"]", chess960),
        ("[FEN \"4k3/8/8/8/8/8/8/R4K1R w KQ - 0 1\"]", chess960),
        ("[FEN \"4k3/8/8/8/8/8/8/1R2K2R w KQ - 0 1\"]", chess960),
    ];
    for (tags, expected) in rows {
        let game = read_one(&format!("{tags} *"));
        assert_eq!(game.mode, expected, "{tags}");
    }
    // Castling in which king and rook swap squares, and castling to the far side.
    check(
        b"[Variant \"Chess960\"][FEN \"1r3kr1/pppppppp/8/8/8/8/PPPPPPPP/1R3KR1 w GBgb - 0 1\"] 1. O-O O-O-O *",
        &["[Variant \"Chess960\"] [FEN \"1r3kr1/pppppppp/8/8/8/8/PPPPPPPP/1R3KR1 w GBgb - 0 1\"] f1g1 f8b8 *"],
    );
}

#[test]
fn what_a_fen_was_forgiven_is_listed() {
    let game = read_one("[FEN \"4k3/8/8/8/8/8/8/4K3 w KQ - 0 0\"] *");
    assert_eq!(game.fen_faults.len(), 3);
    assert_eq!(game.positions().count(), 1);
}

#[test]
fn depth_and_length_have_an_end() {
    let nested = |depth: usize| {
        let text = format!("1. e4 {}{} *", "(1. d4 ".repeat(depth), ")".repeat(depth));
        read_all(PgnReader::new(text.as_bytes()).keep_variations()).remove(0)
    };
    assert!(nested(MAX_VARIATION_DEPTH).ends_with(") *"));
    let column = 7 + 7 * MAX_VARIATION_DEPTH;
    assert_eq!(
        nested(MAX_VARIATION_DEPTH + 1),
        format!("line 1, column {column}: more than 64 variations within one another")
    );
    let endless = |start: &'static str, again: u8| {
        start
            .as_bytes()
            .chain(io::repeat(again).take(MAX_GAME_BYTES as u64 + 9))
            .chain(&b"} * 1. d4 *"[..])
    };
    for (start, again) in [("1. e4 {", b'x'), ("1. e4 ", b' '), ("[A \"", b'x')] {
        let found = read_all(PgnReader::new(BufReader::new(endless(start, again))));
        assert!(
            found[0].contains("16777216 bytes") || found[0].contains("end of the tag"),
            "{found:?}"
        );
    }
    let long_word = format!("1. {} * 1. d4 *", "x".repeat(256));
    let expected = "line 1, column 4: found 'xxxxxxxxxxxxxxxxxxxx…', expected a move";
    check(long_word.as_bytes(), &[expected, "d2d4 *"]);
}

#[test]
fn an_error_of_the_input_ends_it() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the wire is cut"))
        }
    }
    let input = BufReader::new((&b"1. e4 *\n1. d4"[..]).chain(Broken));
    let found = read_all(PgnReader::new(input));
    assert_eq!(found, ["e2e4 *", "cannot read on: the wire is cut"]);
}

/// Pieces of games, and bytes that stand in none.
fn dirty() -> impl Strategy<Value = Vec<u8>> {
    let pieces = vec![
        "[Event \"A\"]\n",
        "[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]",
        "1. e4 e5 2. Nf3 Nc6 ",
        "(1. d4 ",
        ") ",
        "{x",
        "} ",
        "; c\n",
        "%\n",
        "$3 ",
        "!? ",
        "1-0\n",
        "*",
        "O-O ",
        "[",
        "\"",
        "\\",
        "]",
        "\r\n",
        "\r",
        "1...",
    ];
    let piece = prop_oneof![
        4 => prop::sample::select(pieces).prop_map(|piece| piece.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 0..4),
    ];
    prop::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn no_text_makes_it_panic_or_play_an_illegal_move(text in dirty()) {
        for keep in [false, true] {
            let reader = PgnReader::new(&text[..]);
            let reader = if keep { reader.keep_variations() } else { reader };
            for game in reader.flatten() {
                for (m, position) in game.moves().zip(game.positions()) {
                    prop_assert!(position.is_legal(m));
                    prop_assert!(!uci_move::write(m, &position, game.mode).is_empty());
                }
            }
        }
    }

    #[test]
    fn any_bytes_end(text in prop::collection::vec(any::<u8>(), 0..200)) {
        prop_assert!(PgnReader::new(&text[..]).count() <= text.len());
    }
}

#[test]
fn tags_are_bounded() {
    let tags = |count: usize| {
        let tags = (0..count).map(|number| format!("[T{number} \"\"]\n"));
        tags.collect::<String>() + "\n1. e4 *\n"
    };
    let most = read_all(PgnReader::new(tags(MAX_TAGS).as_bytes()));
    assert!(most[0].ends_with("e2e4 *"), "{most:?}");
    let text = tags(MAX_TAGS + 1) + "[Event \"next\"]\n\n1. d4 *\n";
    let games = read_all(PgnReader::new(text.as_bytes()));
    let expected = [
        "line 1001, column 1: more than 1000 tags",
        "[Event \"next\"] d2d4 *",
    ];
    assert_eq!(games, expected);
    // The roster that is added counts as well.
    let mut game = read_one(&tags(MAX_TAGS - 7));
    assert!(write(&game).is_ok());
    game.set_tag("More", "");
    let error = write(&game).expect_err("one too many");
    let expected = "the game has 1001 tags, expected at most 1000";
    assert_eq!(error.to_string(), expected);
}
