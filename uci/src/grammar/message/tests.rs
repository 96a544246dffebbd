use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use super::*;
use chess::notation::uci_move::UciMove;
use chess::rules::{PieceType, Square};

fn m(text: &str) -> UciMove {
    text.parse().expect("a move")
}

fn info(line: &str) -> Info {
    match Message::parse(line) {
        Message::Info(info) => *info,
        other => panic!("{line:?} was read as {other:?}"),
    }
}

#[test]
fn an_info_of_stockfish_is_read_whole() {
    let line = "info depth 7 seldepth 9 multipv 1 score cp -31 lowerbound wdl 20 950 30 nodes 6200 \
                nps 310000 hashfull 2 tbhits 0 time 20 pv e2e4 e7e5";
    let expected = Info {
        depth: Some(7),
        seldepth: Some(9),
        multipv: Some(1),
        score: Some(Score {
            value: ScoreValue::Cp(-31),
            bound: Some(Bound::Lower),
        }),
        wdl: Some(WinDrawLoss {
            win: 20,
            draw: 950,
            loss: 30,
        }),
        nodes: Some(6200),
        nps: Some(310_000),
        hashfull: Some(2),
        tbhits: Some(0),
        time_ms: Some(20),
        pv: vec![m("e2e4"), m("e7e5")],
        ..Info::default()
    };
    assert_eq!(info(line), expected);
    assert_eq!(Message::Info(Box::new(expected)).to_string(), line);
}

#[test]
fn what_follows_the_moves_of_a_variation_is_kept() {
    for (line, expected) in [
        ("info pv e2e4 e7e9 d2d4 nodes 5", Some("e7e9")),
        ("info pv e2e4 e7e5 nodes 5", None),
        ("info pv e2e4 string Nf6", None),
        ("info pv (none) nodes 5", None),
        ("info pv e2e4 bmc 2.5", None),
    ] {
        assert_eq!(info(line).pv_rest.as_deref(), expected, "{line}");
    }
}

/// Each row: a sloppy line, and its canonical form.
#[test]
fn sloppy_lines_are_read() {
    let rows = rows![
        " \tuciok\r" => "uciok";
        "readyok ." => "readyok";
        "id name  Deep  Thought 2 " => "id name Deep  Thought 2";
        "id author" => "id author ";
        "id colour red" => "id colour red";
        "info" => "info";
        "info\tdepth  3" => "info depth 3";
        "info depth seldepth 4" => "info seldepth 4";
        "info depth x nodes 5" => "info nodes 5";
        "info depth -1 time -5 nodes 99999999999999999999 nps 1" => "info nps 1";
        "info depth 1 depth 2" => "info depth 2";
        "info score mate -3 upperbound" => "info score mate -3 upperbound";
        "info score cp lowerbound" => "info";
        "info score lowerbound cp 9 nodes 3" => "info score cp 9 lowerbound nodes 3";
        "info score cp 1 lowerbound score cp 2" => "info score cp 2";
        "info score upperbound score cp 2" => "info score cp 2";
        "info score cp 0.5 depth 2" => "info depth 2";
        "info lowerbound" => "info";
        "info wdl 1 2 depth 3" => "info depth 3";
        "info pv e2e4 e7e5 bmc 3.2 nodes 4" => "info nodes 4 pv e2e4 e7e5";
        "info pv e7e8Q" => "info";
        "info depth 5 pv a7a8q score cp 1020" => "info depth 5 score cp 1020 pv a7a8q";
        "info depth 5 pv Nf3 Nc6 score cp 12" => "info depth 5 score cp 12";
        "info shiny 3 depth 4" => "info depth 4";
        "info currline 2 e2e4" => "info currline 2 e2e4";
        "info currline e2e4 depth 1" => "info depth 1 currline e2e4";
        "info refutation d1h5 g6h5" => "info refutation d1h5 g6h5";
        "info string  depth 3 é" => "info string depth 3 é";
        "info depth 1 string" => "info depth 1 string ";
        "bestmove" => "bestmove ";
        "bestmove (none)" => "bestmove (none)";
        "bestmove 0000 ponder x" => "bestmove 0000";
        "bestmove  e2e4\tponder  e7e5 !" => "bestmove e2e4 ponder e7e5";
        "bestmove e2e4 e7e5" => "bestmove e2e4";
        "bestmove E2E4" => "bestmove E2E4";
        "option name Hash type spin default x min 1" => "option name Hash type spin min 1";
        "option name Clear  Hash type button default 1" => "option name Clear  Hash type button";
        "option name Ponder type check default True" => "option name Ponder type check default true";
        "option name P type check default maybe" => "option name P type check";
        "option name F type string default" => "option name F type string default <empty>";
        "option name F type string default C:\\a min  b" => "option name F type string default C:\\a min  b";
        "option name Style type combo var Very Solid default Normal var Normal" =>
            "option name Style type combo default Normal var Very Solid var Normal";
        "option name type spin" => "option name type spin";
        "option Hash type spin" => "option Hash type spin";
        "option name Hash type slider" => "option name Hash type slider";
        "option name Hash type" => "option name Hash type";
        "option" => "option";
        "copyprotection  ok" => "copyprotection ok";
        "registration checking" => "registration checking";
        "registration perhaps" => "registration perhaps";
        "  Nodes searched: 20 " => "Nodes searched: 20";
        "foo bestmove e2e4" => "bestmove e2e4";
        "joho debug\tbestmove e2e4 ponder e7e5" => "bestmove e2e4 ponder e7e5";
        "foo bestmove bestmove e2e4" => "bestmove e2e4";
        "foo info depth 5 score cp 3" => "info depth 5 score cp 3";
        "engine is readyok" => "readyok";
        "> uciok\r" => "uciok";
        "this is id name Deep Thought" => "id name Deep Thought";
        "id x id name Deep Thought" => "id name Deep Thought";
        "foo option name Hash type spin min 1" => "option name Hash type spin min 1";
        // Words of a sentence are no messages.
        "the bestmove is e2e4" => "the bestmove is e2e4";
        "foo bestmove" => "foo bestmove";
        "waiting for readyok now" => "waiting for readyok now";
        "for more info see the manual" => "for more info see the manual";
        "info string bestmove e2e4" => "info string bestmove e2e4";
        "" => "";
        "\u{fffd}\0" => "\u{fffd}\0";
    ];
    for (line, expected) in rows {
        assert_eq!(Message::parse(line).to_string(), expected, "{line:?}");
    }
}

#[test]
fn unknown_lines_are_other() {
    for line in [
        "option",
        "id x",
        "e2e4: 20",
        "",
        "uciok2",
        "registration maybe",
    ] {
        assert_eq!(Message::parse(line), Message::Other(line.to_owned()));
    }
}

#[test]
fn best_moves_and_their_replacements() {
    let reply = |line| match Message::parse(line) {
        Message::BestMove(best_move) => best_move.reply,
        other => panic!("{line:?} was read as {other:?}"),
    };
    assert_eq!(reply("bestmove e7e8q"), Reply::Move(m("e7e8q")));
    assert_eq!(reply("bestmove (none)"), Reply::NoMove);
    assert_eq!(reply("bestmove 0000"), Reply::NullMove);
    assert_eq!(reply("bestmove"), Reply::Unreadable(String::new()));
    assert_eq!(reply("bestmove NULL"), Reply::Unreadable("NULL".to_owned()));
    assert_eq!(reply("bestmove e2e4").as_move(), Some(m("e2e4")));
    assert_eq!(reply("bestmove 0000").as_move(), None);
}

pub(in crate::grammar) fn any_move() -> impl Strategy<Value = UciMove> {
    let square = || (0..Square::COUNT).prop_map(|i| Square::try_from_index(i).expect("a square"));
    let promotion = option::of(prop::sample::select(PieceType::PROMOTIONS.to_vec()));
    (square(), square(), promotion).prop_map(|(from, to, promotion)| UciMove {
        from,
        to,
        promotion,
    })
}

fn any_score() -> impl Strategy<Value = Score> {
    let value = prop_oneof![
        any::<i32>().prop_map(ScoreValue::Cp),
        any::<i32>().prop_map(ScoreValue::Mate),
    ];
    let bound = option::of(prop_oneof![Just(Bound::Lower), Just(Bound::Upper)]);
    (value, bound).prop_map(|(value, bound)| Score { value, bound })
}

/// Words that are not keys, separated by one blank or more.
fn any_text() -> impl Strategy<Value = String> {
    "[A-Z][A-Za-z0-9é]{0,5}( {1,2}[A-Z][A-Za-z0-9]{0,5}){0,2}"
}

fn any_info() -> impl Strategy<Value = Info> {
    let numbers = (
        vec(option::of(any::<u32>()), 6),
        vec(option::of(any::<u64>()), 5),
    );
    let lines = (
        vec(any_move(), 0..3),
        vec(any_move(), 0..3),
        option::of((option::of(any::<u32>()), vec(any_move(), 0..3))),
        option::of(any_move()),
        option::of("(e7e9|Nf6|\\(none\\))"),
    );
    let wdl = option::of((any::<u32>(), any::<u32>(), any::<u32>()));
    (
        numbers,
        lines,
        option::of(any_score()),
        wdl,
        option::of(any_text()),
    )
        .prop_map(
            |((small, large), (refutation, pv, currline, currmove, rest), score, wdl, string)| {
                Info {
                    depth: small[0],
                    seldepth: small[1],
                    multipv: small[2],
                    hashfull: small[3],
                    cpuload: small[4],
                    currmovenumber: small[5],
                    nodes: large[0],
                    nps: large[1],
                    tbhits: large[2],
                    sbhits: large[3],
                    time_ms: large[4],
                    score,
                    wdl: wdl.map(|(win, draw, loss)| WinDrawLoss { win, draw, loss }),
                    currmove,
                    refutation,
                    currline: currline.map(|(cpu, moves)| CurrLine { cpu, moves }),
                    // Nothing follows a variation without a move.
                    pv_rest: rest.filter(|_| !pv.is_empty()),
                    pv,
                    string,
                }
            },
        )
}

fn any_option() -> impl Strategy<Value = EngineOption> {
    let number = || option::of(any::<i128>());
    let text = || prop_oneof![Just(String::new()), any_text()];
    let kind = prop_oneof![
        option::of(any::<bool>()).prop_map(|default| OptionKind::Check { default }),
        (number(), number(), number()).prop_map(|(default, min, max)| OptionKind::Spin {
            default,
            min,
            max
        }),
        (option::of(text()), vec(text(), 0..4))
            .prop_map(|(default, vars)| OptionKind::Combo { default, vars }),
        Just(OptionKind::Button),
        option::of(text()).prop_map(|default| OptionKind::String { default }),
    ];
    (any_text(), kind).prop_map(|(name, kind)| EngineOption { name, kind })
}

fn any_message() -> impl Strategy<Value = Message> {
    let check = || {
        prop_oneof![
            Just(CheckState::Checking),
            Just(CheckState::Ok),
            Just(CheckState::Error)
        ]
    };
    let reply = prop_oneof![
        any_move().prop_map(Reply::Move),
        Just(Reply::NoMove),
        Just(Reply::NullMove),
        "[A-Z]{1,5}".prop_map(Reply::Unreadable),
    ];
    prop_oneof![
        any_text().prop_map(Message::IdName),
        any_text().prop_map(Message::IdAuthor),
        Just(Message::UciOk),
        Just(Message::ReadyOk),
        (reply, option::of(any_move()))
            .prop_map(|(reply, ponder)| Message::BestMove(BestMove { reply, ponder })),
        any_info().prop_map(|info| Message::Info(Box::new(info))),
        any_option().prop_map(Message::Option),
        check().prop_map(Message::CopyProtection),
        check().prop_map(Message::Registration),
        any_text().prop_map(Message::Other),
    ]
}

#[test]
fn texts_that_are_no_scores() {
    for text in [
        "",
        "cp",
        "cp x",
        "31",
        "cp 31 ",
        "score cp 31",
        "cp 31 mate 2",
        "cp +3",
    ] {
        let error = text.parse::<Score>().expect_err(text).to_string();
        let expected = format!("'{text}' is not a score, expected such as 'cp 31', ");
        assert!(error.starts_with(&expected), "{error}");
    }
}

proptest! {
    #[test]
    fn scores_survive_writing_and_reading(score in any_score()) {
        prop_assert_eq!(score.to_string().parse(), Ok(score));
    }

    #[test]
    fn messages_survive_writing_and_reading(message in any_message()) {
        prop_assert_eq!(Message::parse(&message.to_string()), message);
    }

    #[test]
    fn a_parsed_line_is_stable(line in "(id|info|option|bestmove|)( |\t|name|type|spin|combo|score|cp|pv|e2e4|wdl|-1|string|é|\\PC){0,12}") {
        let message = Message::parse(&line);
        let again = Message::parse(&message.to_string());
        prop_assert_eq!(again, message);
    }
}
