//! Games that are written, and games that are rejected.

use super::*;
use crate::notation::fen;
use crate::notation::pgn::{
    MAX_VARIATION_DEPTH, PgnLine, PgnMove, PgnReader, PgnResult, ReadPgnError,
};
use crate::rules::{CastlingMode, Game, Move, Position, Square};

const ROSTER: &str = "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n\
                      [White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n";

fn read(text: &str) -> PgnGame {
    let mut games = PgnReader::new(text.as_bytes()).keep_variations();
    let game = games.next().expect("a game").expect("it is sound");
    assert!(games.next().is_none(), "one game");
    game
}

/// Reads a game, writes it, and compares its moves with what is expected.
fn check_moves(text: &str, expected: &str) {
    let written = write(&read(text)).expect("it can be written");
    let (tags, moves) = written.split_once("\n\n").expect("a blank line");
    assert!(tags.starts_with('['), "{tags}");
    assert_eq!(moves, format!("{expected}\n\n"));
    assert_eq!(write(&read(&written)).as_ref(), Ok(&written), "once more");
}

/// Reads a game, writes it, and compares its tags with what is expected.
fn check_tags(text: &str, expected: &str) {
    let written = write(&read(text)).expect("it can be written");
    assert_eq!(written, format!("{expected}\n*\n\n"));
    assert_eq!(write(&read(&written)).as_ref(), Ok(&written), "once more");
}

fn check_rejected(game: &PgnGame, expected: &str) {
    let error = write(game).expect_err("it cannot be written");
    assert_eq!(error.to_string(), expected);
}

#[test]
fn numbers_glyphs_comments_and_variations() {
    for (text, expected) in rows![
        "*" => "*";
        "e4 e5 Nf3 1-0" => "1. e4 e5 2. Nf3 1-0";
        "e4! e5 $14 $3 *" => "1. e4 $1 e5 $14 $3 *";
        "{a} e4 {b} {c} e5 *" => "{a} 1. e4 {b} {c} 1... e5 *";
        "e4 {x} (d4 {y} d5 (Nf6 c4) c4 ({z} Nf3)) (c4 ()) e5 (c5) Nf3 1/2-1/2" =>
            "1. e4 {x} (1. d4 {y} 1... d5 (1... Nf6 2. c4) 2. c4 ({z} 2. Nf3)) (1. c4 ())\n\
             1... e5 (1... c5) 2. Nf3 1/2-1/2";
        "[FEN \"4k3/P7/8/8/8/8/7p/R3K3 b Q - 3 40\"] h1Q+ 41. Kd2 0-1" => "40... h1=Q+ 41. Kd2 0-1";
        "[FEN \"1r3kr1/pppppppp/8/8/8/8/PPPPPPPP/1R3KR1 w GBgb - 0 1\"] 0-0 0-0-0 *" => "1. O-O O-O-O *";
    ] {
        check_moves(text, expected);
    }
}

#[test]
fn comments_in_one_line_and_in_many() {
    check_moves("e4 {} { a  b } *", "1. e4 {} { a  b } *");
    check_moves(
        "e4 {a {b ; é $ [%clk 1]} *",
        "1. e4 {a {b ; é $ [%clk 1]} *",
    );
    check_moves("e4 { a\n\t b\r\n\n} { \n} *", "1. e4 {a b} {} *");
    let whole = format!("{{{}}}", "é ".repeat(38) + "é");
    check_moves(&format!("e4 {whole} *"), &format!("1. e4\n{whole}\n*"));
    let words = |count| vec!["ab"; count].join(" ");
    let (all, first, second) = (words(30), words(24), words(6));
    let expected = format!("1. e4 {{{first}\n{second}}} *");
    check_moves(&format!("e4 {{{all}}} *"), &expected);
    // None of these words may begin a line.
    for word in ["%x", "[Event \"x\"]"] {
        let text = format!("e4 {{{first} {word} c c c c c c}} *");
        let expected = format!("1. e4 {{{}\nab {word} c c c c c c}} *", words(23));
        check_moves(&text, &expected);
    }
    // A variation's brackets stand alone if they do not fit.
    let comment = format!("{{{}}}", "x".repeat(77));
    let expected = format!("1. e4 (\n{comment}\n) *");
    check_moves(&format!("e4 ({comment}) *"), &expected);
}

#[test]
fn tags_in_their_order() {
    check_tags("*", ROSTER);
    let roster = ROSTER.replace("[Round \"?\"]", "[Round \"3\"]");
    let others = r#"[A "say \"hi\" \\"]"#;
    let expected = format!("{roster}[B \"1\"]\n{others}\n");
    check_tags(&format!("[B \"1\"] [Round \"3\"] {others} *"), &expected);
    for (tags, added) in rows![
        "[FEN \"4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1\"]" => "[SetUp \"1\"]\n";
        "[FEN \"4k3/8/8/8/8/8/8/R3K2R w HA - 0 1\"]" => "[Variant \"Chess960\"]\n[SetUp \"1\"]\n";
        "[Variant \"fischerandom\"]" => "";
    ] {
        check_tags(&format!("{tags} *"), &format!("{ROSTER}{tags}\n{added}"));
    }
}

#[test]
fn a_game_from_the_board() {
    let start = fen::parse("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1").expect("legal");
    let mut game = Game::new(start);
    let unended = PgnGame::from_game(&game, CastlingMode::Standard);
    assert_eq!(unended.result, Some(PgnResult::Unknown));
    game.play(Move::new(Square::F7, Square::G7)).expect("legal");
    let mut ended = PgnGame::from_game(&game, CastlingMode::Standard);
    assert_eq!(ended.result, Some(PgnResult::WhiteWins));
    ended.set_tag("White", "One");
    ended.set_tag("White", "Two");
    let written = write(&ended).expect("it can be written");
    let expected = ROSTER
        .replace('*', "1-0")
        .replace("White \"?", "White \"Two");
    let tags = "[SetUp \"1\"]\n[FEN \"7k/5Q2/6K1/8/8/8/8/8 w - - 0 1\"]\n";
    assert_eq!(written, format!("{expected}{tags}\n1. Qg7# 1-0\n\n"));
}

#[test]
fn a_missing_result_is_that_of_the_tag() {
    let mut game = read("[Result \"0-1\"]\n\n1. e4");
    assert!(write(&game).expect("written").ends_with("\n1. e4 0-1\n\n"));
    game.tags.clear();
    assert!(write(&game).expect("written").ends_with("\n1. e4 *\n\n"));
    game.set_tag("Result", "?");
    let expected = "tag Result is \"?\", expected 1-0, 0-1, 1/2-1/2 or *";
    check_rejected(&game, expected);
    game.set_tag("Result", "1-0");
    game.result = Some(PgnResult::Draw);
    check_rejected(&game, "tag Result is \"1-0\", expected 1/2-1/2");
}

#[test]
fn tags_that_cannot_be_written() {
    let with = |name: &str, value: &str| {
        let mut game = read("1. e4 *");
        game.tags.push((name.to_owned(), value.to_owned()));
        game
    };
    for name in ["", "_a", "a b", "é", "A-B"] {
        let expected = format!(
            "'{name}' is not the name of a tag, expected 1 to 255 letters, digits and '_', \
             a letter or digit first"
        );
        check_rejected(&with(name, "x"), &expected);
    }
    let long = write(&with(&"a".repeat(256), "x"));
    assert!(matches!(long, Err(WritePgnError::TagName { .. })));
    let expected = "tag 'White' has '\\n' in its value, expected no control characters";
    check_rejected(&with("White", "a\nb"), expected);
    let mut twice = with("White", "a");
    twice.tags.push(("White".to_owned(), "b".to_owned()));
    check_rejected(&twice, "tag 'White' is given twice");
}

#[test]
fn tags_that_contradict_the_start() {
    let with = |name: &str, value: &str| {
        let mut game = read("[FEN \"4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1\"] *");
        game.set_tag(name, value);
        game
    };
    for (name, value, expected) in rows![
        "FEN", "4k3/8/8/8/8/8/8/4K2R w K - 0 1" =>
            "tag FEN is \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\", \
             but the game begins with 4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
        "FEN", "8/8" =>
            "the first position would not be read back: tag FEN: record, offset 0: 1 fields, \
             expected 4 or 6; placement, offset 0: 2 ranks, expected 8";
        "SetUp", "0" => "tag SetUp is \"0\", expected \"1\", since the game has a tag FEN";
        "Variant", "Chess960" =>
            "the tags are those of Chess960, but the game is one of standard chess";
        "Variant", "Atomic" =>
            "the first position would not be read back: tag Variant is \"Atomic\", \
             expected standard chess or Chess960";
    ] {
        check_rejected(&with(name, value), expected);
    }
    // Faults tolerated in a FEN are not written again; without the tag the game is valid.
    let mut tolerated = read("[FEN \"4k3/8/8/8/8/8/8/R3K2R w QK - 0 1\"] *");
    check_rejected(
        &tolerated,
        "tag FEN is \"4k3/8/8/8/8/8/8/R3K2R w QK - 0 1\", \
         but the game begins with 4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
    );
    tolerated.tags.clear();
    assert!(write(&tolerated).is_ok());
}

#[test]
fn moves_and_comments_that_cannot_be_written() {
    let illegal = PgnMove::new(Move::new(Square::E2, Square::E5));
    let mut game = read("1. e4 e5 (1... c5) *");
    let variation = &mut game.mainline.moves[1].variations[0];
    variation.moves.push(illegal.clone());
    check_rejected(&game, "behind 1... c5: e2e5 is not a legal move here");
    game.mainline.moves[0] = illegal;
    let expected = "before the first move: e2e5 is not a legal move here";
    check_rejected(&game, expected);
    for (text, found) in rows![
        "a}" => "'}'";
        "a\u{1b}" => "'\\u{1b}'";
        "\u{85}" => "'\\u{85}'";
    ] {
        let mut game = read("1. e4 e5 *");
        game.mainline.moves[1].comments.push(text.to_owned());
        let expected = format!(
            "behind 1... e5: a comment has {found}, expected neither '}}' nor control characters"
        );
        check_rejected(&game, &expected);
    }
}

#[test]
fn games_too_deep_or_too_long_to_be_read_are_rejected() {
    let nested = |depth: usize| {
        let mut line = PgnLine::default();
        for _ in 0..=depth {
            let mut first = PgnMove::new(Move::new(Square::E2, Square::E4));
            first.variations.push(line);
            line = PgnLine::default();
            line.moves.push(first);
        }
        let mut game = PgnGame::from_game(&Game::new(Position::startpos()), CastlingMode::Standard);
        game.mainline = line;
        game
    };
    let deepest = write(&nested(MAX_VARIATION_DEPTH - 1)).expect("it can be written");
    assert_eq!(read(&deepest).moves().len(), 1);
    let too_deep = nested(MAX_VARIATION_DEPTH);
    check_rejected(&too_deep, "more than 64 variations within one another");
    let mut game = read("1. e4 *");
    // The tags, "1. e4", "{", "}", "*" and the ends of the lines.
    let room = MAX_GAME_BYTES - write(&game).expect("it can be written").len() - "{}\n".len();
    game.mainline.moves[0].comments = vec!["x".repeat(room)];
    let longest = write(&game).expect("it can be written");
    assert_eq!(longest.len(), MAX_GAME_BYTES);
    let mut games = PgnReader::new(longest.as_bytes());
    assert!(games.next().is_some_and(|game| game.is_ok()));
    game.mainline.moves[0].comments = vec!["x".repeat(room + 1)];
    let expected = "the game is 16777217 bytes long, expected at most 16777216";
    check_rejected(&game, expected);
    let longer = format!("   {longest}");
    let error = PgnReader::new(longer.as_bytes()).next();
    assert!(matches!(error, Some(Err(ReadPgnError::Game(_)))));
}
