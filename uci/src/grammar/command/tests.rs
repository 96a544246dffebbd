use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use super::*;
use crate::grammar::FenText;
use crate::grammar::message::tests::any_move;

fn read(line: &str) -> Result<String, String> {
    line.parse::<Command>()
        .map(|command| command.to_string())
        .map_err(|error| error.to_string())
}

/// Each row: a line, and how we write it.
#[test]
fn commands_are_read() {
    let kiwipete =
        "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let moved = format!("{kiwipete} moves e1g1 e8c8");
    let rows = rows![
        " uci\r" => "uci";
        "debug\ton" => "debug on";
        "debug off" => "debug off";
        "isready" => "isready";
        "ucinewgame" => "ucinewgame";
        "register later" => "register later";
        "register name A B code 1 2" => "register name A B code 1 2";
        "setoption name Clear Hash" => "setoption name Clear Hash";
        "setoption name File  value  C:\\a  b " => "setoption name File value C:\\a  b";
        "setoption name File value" => "setoption name File value <empty>";
        "setoption name File value <empty>" => "setoption name File value <empty>";
        "setoption name File value  <Empty> " => "setoption name File value <empty>";
        "position startpos" => "position startpos";
        "position  startpos  moves  e2e4" => "position startpos moves e2e4";
        "position startpos moves" => "position startpos";
        kiwipete => kiwipete;
        &moved => &moved;
        "go" => "go";
        "go infinite" => "go infinite";
        "go searchmoves e2e4 d2d4 depth 3 ponder" => "go ponder depth 3 searchmoves e2e4 d2d4";
        "go btime -5 wtime 1 winc 2 binc 3 movestogo 4" => "go wtime 1 btime -5 winc 2 binc 3 movestogo 4";
        "go nodes 1 mate 2 movetime 3" => "go nodes 1 mate 2 movetime 3";
        "go perft 5" => "go perft 5";
        "stop" => "stop";
        "ponderhit" => "ponderhit";
        "quit" => "quit";
    ];
    for (line, expected) in rows {
        assert_eq!(read(line).as_deref(), Ok(expected), "{line:?}");
    }
}

/// Each row: a line that is rejected, how it is read leniently, and the remarks.
#[test]
fn what_can_only_mean_one_thing_is_read_leniently() {
    let rows: [(&str, &str, &[&str]); 7] = rows![
        "go movetime -1", "go movetime 0" => &["movetime -1 is replaced by 0"];
        "go wtime -5 btime 1 winc -2 movestogo -3", "go wtime -5 btime 1 winc 0 movestogo 0" =>
            &["winc -2 is replaced by 0", "movestogo -3 is replaced by 0"];
        "go depth -1 nodes -99999999999999999999 mate -2", "go depth 1 nodes 1 mate 1" => &[
            "depth -1 is replaced by 1",
            "nodes -99999999999999999999 is replaced by 1",
            "mate -2 is replaced by 1",
        ];
        "go wtime -99999999999999999999", "go wtime 0" =>
            &["wtime -99999999999999999999 is replaced by 0"];
        "position fen q6k/8/8/3pP3/8/8/8/7K w - d6 0 1 moves e5e6",
        "position fen q6k/8/8/3pP3/8/8/8/7K w - - 0 1 moves e5e6" => &[
            "en passant square, offset 26: the side to move was already in check before the pawn \
             passed over d6; read as q6k/8/8/3pP3/8/8/8/7K w - - 0 1",
        ];
        "position fen 4k3/8/8/8/8/8/8/4K2R w K - 7", "position fen 4k3/8/8/8/8/8/8/4K2R w K - 7 1" =>
            &["record, offset 0: 5 fields, expected 4 or 6; read as 4k3/8/8/8/8/8/8/4K2R w K - 7 1"];
        "position fen 4k3/8/8/8/8/8/8/4K3 w Q - 0 0", "position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1" => &[
            "castling, offset 22: castling right 'Q' has no rook on that side of a king on its first \
             rank; read as 4k3/8/8/8/8/8/8/4K3 w - - 0 1",
            "fullmove number, offset 28: '0' is not a number from 1 to 4294967295; read as \
             4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        ];
    ];
    for (line, expected, remarks) in rows {
        assert!(read(line).is_err(), "{line}");
        let (command, found) = Command::parse_lenient(line).expect(line);
        assert_eq!(command.to_string(), expected, "{line}");
        assert_eq!(found, remarks, "{line}");
    }
    let sound = "go wtime -5 btime 1";
    let read_strictly = sound.parse().expect("it is sound");
    assert_eq!(
        Command::parse_lenient(sound),
        Ok((read_strictly, Vec::new()))
    );
}

/// What is not understood is rejected as strictly as ever.
#[test]
fn the_lenient_parser_never_guesses() {
    for line in [
        "go perft -1",
        "go depth x",
        "go depth -",
        "go depth --1",
        "go movetime -1.5",
        "go nodes 99999999999999999999",
        "position fen 4k3/8/8/8/8/8/8/4K3 w",
        "position fen 4k3/8/8/8/8/8/8/8 w - - 0 0",
        // Checks that no move can have given.
        "position fen 4k3/8/8/8/8/3n1n2/8/4K3 w - - 0 1",
    ] {
        let strict = line.parse::<Command>().expect_err(line);
        assert_eq!(Command::parse_lenient(line), Err(strict), "{line}");
    }
}

#[test]
fn bad_text_says_what_and_where() {
    let commands = "a command such as uci, isready, position or go";
    let rows = rows![
        "" => format!("column 1: the line ends, expected {commands}");
        " xboard" => format!("column 2: unexpected 'xboard', expected {commands}");
        "uci now" => "column 5: unexpected 'now', expected the end of the line".into();
        "debug" => "column 6: the line ends, expected on or off".into();
        "debug ON" => "column 7: unexpected 'ON', expected on or off".into();
        "setoption Hash" => "column 11: unexpected 'Hash', expected name".into();
        "setoption name" => "column 15: the line ends, expected the name of an option".into();
        "setoption name value 3" => "column 16: unexpected 'value', expected the name of an option".into();
        "register name A" => "column 16: the line ends, expected code".into();
        "register name A code" => "column 21: the line ends, expected a code".into();
        "register me" => "column 10: unexpected 'me', expected later or name".into();
        "position" => "column 9: the line ends, expected startpos or fen".into();
        "position here" => "column 10: unexpected 'here', expected startpos or fen".into();
        "position fen" => "column 13: the line ends, expected a FEN".into();
        "position fen moves e2e4" => "column 14: unexpected 'moves', expected a FEN".into();
        "position startpos e2e4" =>
            "column 19: unexpected 'e2e4', expected moves or the end of the line".into();
        "position startpos moves e2e9" =>
            "column 25: 'e2e9' is not a UCI move: 'e9' is not a square, expected a file a-h and a rank 1-8 such as e4".into();
        "position fen 4k3/8/8/8/8/8/8/4K3 x - - 0 1" =>
            "column 34: side to move, offset 20: 'x' is not a side, expected w or b".into();
        "go " => "go".into();
        "go depth" => "column 9: the line ends, expected depth".into();
        "go depth -1" => "column 10: '-1' is not a depth, expected a number from 0 to 4294967295".into();
        "go nodes +1" =>
            "column 10: '+1' is not a count of nodes, expected a number from 0 to 18446744073709551615".into();
        "go wtime 1e3" =>
            "column 10: '1e3' is not a time in milliseconds, expected a number from -9223372036854775808 to 9223372036854775807".into();
        "go depth 1 depth 2" => "column 12: 'depth' is given twice".into();
        "go infinite infinite" => "column 13: 'infinite' is given twice".into();
        "go searchmoves e2e4 searchmoves e2e4" => "column 21: 'searchmoves' is given twice".into();
        "go searchmoves" => "column 15: the line ends, expected a move".into();
        "go searchmoves wtime 5" => "column 16: unexpected 'wtime', expected a move".into();
        "go fast" => "column 4: unexpected 'fast', expected a limit such as depth, movetime or wtime".into();
    ];
    for (line, expected) in rows {
        let (Ok(found) | Err(found)) = read(line);
        assert_eq!(found, expected, "{line:?}");
    }
}

fn any_go() -> impl Strategy<Value = Go> {
    let small = || option::of(any::<u32>());
    let large = || option::of(any::<u64>());
    let time = || option::of(any::<i64>());
    let clocks = (time(), time(), large(), large(), small());
    let limits = (small(), large(), small(), large(), small());
    let flags = (any::<bool>(), any::<bool>());
    (clocks, limits, flags, vec(any_move(), 0..3)).prop_map(
        |(
            (wtime_ms, btime_ms, winc_ms, binc_ms, movestogo),
            (depth, nodes, mate, movetime_ms, perft),
            (infinite, ponder),
            searchmoves,
        )| Go {
            wtime_ms,
            btime_ms,
            winc_ms,
            binc_ms,
            movestogo,
            depth,
            nodes,
            mate,
            movetime_ms,
            perft,
            infinite,
            ponder,
            searchmoves,
        },
    )
}

fn any_position() -> impl Strategy<Value = PositionCommand> {
    let fens = [
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R b HAha -",
        "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2",
    ];
    let start = prop_oneof![
        Just(StartPosition::Startpos),
        prop::sample::select(fens.to_vec()).prop_map(|text| {
            let fen: FenText = text.parse().expect("a legal position");
            StartPosition::Fen(Box::new(fen))
        }),
    ];
    (start, vec(any_move(), 0..4)).prop_map(|(start, moves)| PositionCommand { start, moves })
}

fn any_command() -> impl Strategy<Value = Command> {
    let text = || "[A-Z][a-z0-9é]{0,5}( {1,2}[A-Z][a-z]{0,5}){0,2}";
    prop_oneof![
        Just(Command::Uci),
        any::<bool>().prop_map(Command::Debug),
        Just(Command::IsReady),
        Just(Command::UciNewGame),
        Just(Command::Register(Registration::Later)),
        (text(), text())
            .prop_map(|(name, code)| Command::Register(Registration::As { name, code })),
        (text(), option::of(prop_oneof![Just(String::new()), text()]))
            .prop_map(|(name, value)| Command::SetOption { name, value }),
        any_position().prop_map(Command::Position),
        any_go().prop_map(Command::Go),
        Just(Command::Stop),
        Just(Command::PonderHit),
        Just(Command::Quit),
    ]
}

proptest! {
    #[test]
    fn commands_survive_writing_and_reading(command in any_command()) {
        prop_assert_eq!(command.to_string().parse(), Ok(command));
    }

    #[test]
    fn no_line_panics_and_faults_have_a_column_in_it(line in "(go|position|setoption|register|debug|)( |\t|name|value|fen|moves|startpos|depth|searchmoves|e2e4|-1|é|\\PC){0,12}") {
        if let Err(error) = line.parse::<Command>() {
            prop_assert!(error.column <= line.len() + 1);
            prop_assert!(line.is_char_boundary(error.column - 1));
        }
    }
}
