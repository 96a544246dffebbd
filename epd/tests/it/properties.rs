//! Properties of every line and every record.

use chess::notation::fen::{self, FenStyle};
use chess::rules::{Move, Position};
use epd::{Diagnostic, Finding, OpcodeValue, Operand, Operation, Record, Suite};
use proptest::collection::vec;
use proptest::prelude::*;

const LINES: [&str; 6] = [
    "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq d3 0 1 ;D1 20 ;D2 400",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - D1 48; D2 2039;",
    "4k3/8/8/8/8/8/8/4K2R w K - bm Rh8+ O-O; id \"a; \"; tag one two; ce -30;",
    "1rk1r1r1/8/8/8/8/8/8/1RK1R1R1 w EBeb - pv Kd1 Kd8; acd 12; noop;",
    "4k3/8/8/8/8/8/8/4K3\tw - -  c0 \"é\"\"x\"; ;d1 5",
    "# a comment",
];

/// Reads bytes and uses every part of the result.
fn exercise(bytes: &[u8]) -> Result<(), TestCaseError> {
    let suite = Suite::parse("s", bytes);
    let lines: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').collect();
    for diagnostic in &suite.diagnostics {
        prop_assert!((1..=lines.len()).contains(&diagnostic.line));
        prop_assert!((1..=lines[diagnostic.line - 1].len() + 1).contains(&diagnostic.column));
        prop_assert!(diagnostic.display("s").to_string().starts_with("s:"));
    }
    let place = |one: &Diagnostic| (one.line, one.column);
    prop_assert!(suite.diagnostics.is_sorted_by_key(place));
    for entry in &suite.entries {
        let text = entry.record.to_string();
        let line = lines[entry.line - 1];
        let mark = line.strip_prefix(b"\xef\xbb\xbf");
        let line = mark.filter(|_| entry.line == 1).unwrap_or(line);
        let line = std::str::from_utf8(line).expect("it was read");
        prop_assert_eq!(&text, line.trim_end_matches(['\r', '\0']));
        let again = Record::parse_lenient(&text).expect("it was read before");
        prop_assert_eq!(&again.record, &entry.record);
        entry.check_operands();
        entry.record.tags().count();
        let counts = entry.record.perft_counts();
        let claimed = entry.record.operations().iter().filter(|operation| {
            operation.opcode().starts_with('D') && operation.perft_count().is_some()
        });
        prop_assert_eq!(counts.len(), claimed.count());
    }
    Ok(())
}

fn cases() -> u32 {
    u32::try_from(testkit::scale(1_000, 4_000)).expect("few")
}

const DIRT: [&str; 17] = [
    "6k1/5ppp/8/8/8/8/8/R3K3 w - a6 bm #2 -M3; Duals(2); 00:09 @ C4/R-1; 4'30\" (a player);",
    "r3k2r/8/8/8/8/8/8/R3K2R w kqKQ c6 0 0 bm O-O; c0 \"say \\\"hi\\\"\"; c1 \"C:\\\";",
    "4k3/P7/8/8/8/8/8/4K3 w - - bm a8 = B; foo bar",
    "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq d3 0 7 ;d1 20 ;d2 400",
    "4k3/8/8/8/8/8/8/4K2R w K - 0 1 bm 0-0, Rh8 + dm 26 ; id WAC.001; best of all moves\0\r",
    "4k3/8/8/8/8/8/8/4K2R w K bm e1g1 or Kd2 #3; c3 from a game; ce +M3; am: 1.Ke2!?",
    "4k3/8/8/8/8/8/8/4K3 w - bm \"Kd2 Ke2\"; BM=Kf2; acn 1,234; tag a; tag b; v=-3; Kd1;",
    "4k3/8/8/8/8/8/8/4K3 W KQ e6 - 0 bm Kd2; \"a remark\"; id \"open",
    "4k3/8/8/3pP3/8/8/8/4K3 w - d6 pv 1. exd6 ep Kd7 2. Kd2 Kxd6; hmvc \"0\"; dm #5; eco A00",
    "4k3/8/8/8/8/8/8/4K3 w - -1 12 ; bm Kd2 wins a whole tempo; noop; noop; D1 5; D01 5;",
    "// J\u{fc}rgen",
    ";4k3/8/8/8/8/8/8/4K3 w - - bm Kd2;",
    "4k3/8/8/8/8/8/8/4K2R w K - bm O-O; am Rh8+; c0 \"x\"; id \"\";",
    "4k3/8/8/8/8/8/8/4K2R w K - pm Rh8; sm Kd2; rc 1; tcgs 2; foo bar; zz 1 2 \"three\"",
    "4k3/8/8/8/8/8/8/4K2R w K - bm Rh8+; bm O-O; c0 a; c0 b; id A; id A;",
    "\u{feff}# \u{1a}",
    "4k3/8/8/8/8/8/8/4K2R w HA - bm Rg1\u{1a}",
];

/// The guarantees of normalising, for any bytes.
fn normalise_twice(bytes: &[u8]) -> Result<(), TestCaseError> {
    let once = epd::normalise("s", bytes);
    let twice = epd::normalise("s", &once.text);
    let [first, second] = [&once, &twice].map(|one| String::from_utf8_lossy(&one.text));
    prop_assert_eq!(second, first);
    let is_fixed = |finding: &Finding| finding.fix.is_some();
    prop_assert!(!twice.findings.iter().any(is_fixed) || twice.tally.in_doubt > 0);
    prop_assert_eq!(twice.tally.records(), once.tally.records());
    prop_assert_eq!(twice.tally.repairable, 0);
    let lines = |bytes: &[u8]| {
        let lines = bytes.split(|&byte| byte == b'\n');
        lines.map(<[u8]>::to_vec).collect::<Vec<_>>()
    };
    let (before, after) = (lines(bytes), lines(&once.text));
    let repaired = epd::Suite::parse_repaired("s", bytes);
    prop_assert!(repaired.entries.len() <= once.tally.records());
    for (index, line) in before.iter().enumerate() {
        let one = epd::repair(line);
        let Some(record) = &one.record else { continue };
        // A comment is not a record here.
        if after.get(index).is_some_and(|line| line.starts_with(b"#")) {
            continue;
        }
        let text = record.to_string();
        prop_assert_eq!(&text.parse::<Record>(), &Ok(record.clone()));
        prop_assert_eq!(text.as_bytes(), after[index].as_slice());
        let opcodes: Vec<_> = record.operations().iter().map(Operation::opcode).collect();
        prop_assert!(opcodes.is_sorted());
        if let Ok(plain) = std::str::from_utf8(line).unwrap_or("").parse::<Record>() {
            // The clocks may have been repaired: `hmvc 1,234`.
            let fields = |record: &Record| fen::write_epd(record.position(), FenStyle::default());
            prop_assert_eq!(fields(&plain), fields(record), "{}", text);
        }
        let is_changed = text.as_bytes() != line.as_slice();
        let is_named = one.findings.iter().any(is_fixed);
        prop_assert_eq!(is_changed, is_named, "{}", text);
        for finding in &one.findings {
            prop_assert!(finding.diagnostic.column <= line.len() + 1);
        }
    }
    epd::lint("s", bytes);
    Ok(())
}

/// A change of a line: its place, the number of bytes replaced, and the new bytes.
type Edit = (prop::sample::Index, usize, Vec<u8>);

fn edited(mut bytes: Vec<u8>, edits: Vec<Edit>) -> Vec<u8> {
    for (at, length, with) in edits {
        let start = at.index(bytes.len() + 1);
        let end = (start + length).min(bytes.len());
        bytes.splice(start..end, with);
    }
    bytes
}

fn edit() -> impl Strategy<Value = Edit> {
    let bytes = prop_oneof![
        vec(
            prop::sample::select(b" \t;\";;\"D129abnprkqKQ-+/\r\n\0#".to_vec()),
            0..4
        ),
        vec(any::<u8>(), 0..3),
    ];
    (any::<prop::sample::Index>(), 0..4_usize, bytes)
}

fn opcode() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(vec![
            "bm", "am", "id", "c0", "ce", "tag", "noop", "acd", "pv"
        ])
        .prop_map(str::to_owned),
        // No name that claims to be a perft count.
        "[A-CE-Za-z][A-Za-z0-9_]{0,14}",
    ]
}

fn operation() -> impl Strategy<Value = Operation> {
    let operand = prop_oneof![
        "[^ \";\\p{Cc}]{1,12}".prop_map(Operand::Word),
        // Quotes too, but no backslash at the end.
        "([^\\p{Cc}]{0,19}[^\\\\\\p{Cc}])?".prop_map(Operand::Text),
    ];
    let named = (opcode(), vec(operand, 0..4));
    let count = (0..u32::MAX, any::<u64>()).prop_map(|(depth, count)| {
        let count = if depth == 0 { 1 } else { count };
        (format!("D{depth}"), vec![Operand::Word(count.to_string())])
    });
    prop_oneof![3 => named, 1 => count].prop_map(|(opcode, operands)| {
        Operation::new(&opcode, operands).expect("the strategy makes sound ones")
    })
}

/// A position that some moves lead to.
fn position() -> impl Strategy<Value = Position> {
    vec(any::<prop::sample::Index>(), 0..40).prop_map(|choices| {
        let mut position = Position::startpos();
        for choice in choices {
            let moves = position.legal_moves().to_vec();
            if !moves.is_empty() {
                position = position.play_unchecked(*choice.get(&moves));
            }
        }
        position
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases()) })]

    #[test]
    fn no_bytes_panic(bytes in vec(any::<u8>(), 0..200)) {
        exercise(&bytes)?;
    }

    #[test]
    fn no_text_panics(text in "[ -~é\t;\"]{0,120}") {
        exercise(text.as_bytes())?;
    }

    #[test]
    fn no_changed_line_panics(line in prop::sample::select(LINES.to_vec()), edits in vec(edit(), 1..5)) {
        exercise(&edited(line.as_bytes().to_vec(), edits))?;
    }

    #[test]
    fn any_bytes_are_normalised_once(bytes in vec(any::<u8>(), 0..200)) {
        normalise_twice(&bytes)?;
    }

    #[test]
    fn any_dirt_is_normalised_once(
        lines in vec(prop::sample::select(DIRT.to_vec()), 1..4),
        edits in vec(edit(), 0..5),
    ) {
        normalise_twice(&edited(lines.join("\n").into_bytes(), edits))?;
    }

    #[test]
    fn any_words_are_normalised_once(
        words in vec(
            prop_oneof![
                prop::sample::select(vec!["bm", "am", "pv", "id", "c0", "c3", "ce", "dm", "D1", "d1",
                    "tag", "hmvc", "fmvn", "noop", "O-O", "Rh8", "Kd2", "+", "#3", "1.", "5", "15", "or",
                    "won", "easily", "x=1", "\"", "\"a b\"", ";", ";", ";", ",", "Bm:", "0 1", "-"]),
                prop::sample::select(vec!["\t", "  ", "c1", "e.p.", "ep", "foo", "Foo", "1,234", "M2", "eco"]),
            ],
            0..14,
        )
    ) {
        let line = format!("4k3/8/8/8/8/8/8/4K2R w K - {}", words.join(" "));
        normalise_twice(line.as_bytes())?;
    }

    #[test]
    fn what_is_made_reads_back(position in position(), operations in vec(operation(), 0..6)) {
        let mut record = Record::new(position);
        for operation in operations {
            // A depth that is counted already is rejected; the rest still has to read back.
            let before = record.to_string();
            if record.push(operation).is_err() {
                prop_assert_eq!(record.to_string(), before);
            }
        }
        let read = Record::parse_lenient(&record.to_string()).unwrap();
        prop_assert_eq!(read.record.operations(), record.operations());
        prop_assert_eq!(read.record.to_string(), record.to_string());
        prop_assert_eq!(read.record.position().to_setup().board, position.to_setup().board);
    }

    #[test]
    fn lines_of_moves_are_read(position in position(), choices in vec(any::<prop::sample::Index>(), 1..6)) {
        let mut words = Vec::new();
        let mut expected: Vec<Move> = Vec::new();
        let mut next = position;
        for choice in choices {
            let moves = next.legal_moves().to_vec();
            if moves.is_empty() { break }
            let m = *choice.get(&moves);
            words.push(Operand::Word(chess::notation::san::write(m, &next)));
            expected.push(m);
            next = next.play_unchecked(m);
        }
        let pv = Operation::new("pv", words.clone()).unwrap();
        prop_assert_eq!(pv.value(&position), Ok(OpcodeValue::Line(expected.clone())));
        prop_assume!(!words.is_empty());
        let bm = Operation::new("bm", words.into_iter().take(1).collect()).unwrap();
        expected.truncate(1);
        prop_assert_eq!(bm.value(&position), Ok(OpcodeValue::Moves(expected)));
    }
}
