//! What is read, what is rejected, and with which diagnostics.

use chess::notation::fen;
use epd::{Diagnostic, Operand, Operation, Record, RecordProblem, Severity, Suite};

use crate::common::table;

const KINGS: &str = "4k3/8/8/8/8/8/8/4K3 w - -";

/// Reads the bytes as a file `s` and compares every diagnostic.
fn check(bytes: &[u8], records: &[&str], diagnostics: &[impl AsRef<str>]) {
    let shown = String::from_utf8_lossy(bytes);
    let suite = Suite::parse("s", bytes);
    let found = suite.diagnostics.iter();
    let found = found.map(|one| one.display("s").to_string());
    let diagnostics: Vec<&str> = diagnostics.iter().map(AsRef::as_ref).collect();
    assert_eq!(found.collect::<Vec<_>>(), diagnostics, "{shown}");
    let found = suite.entries.iter().map(|entry| entry.record.to_string());
    assert_eq!(found.collect::<Vec<_>>(), records, "{shown}");
    let has_errors = diagnostics.iter().any(|text| text.contains(": error: "));
    assert_eq!(suite.has_errors(), has_errors, "{shown}");
}

/// [`check`] for what follows the four fields of [`KINGS`], which has 25 characters, in one line.
fn check_rest(rest: &str, diagnostics: &[String]) {
    let line = format!("{KINGS}{rest}");
    let is_error = diagnostics.iter().any(|text| text.contains(": error: "));
    let records: &[&str] = if is_error { &[] } else { &[&line] };
    check(format!("{line}\n").as_bytes(), records, diagnostics);
}

/// The diagnostics of a case, whose columns are given.
fn located(lines: &[String]) -> Vec<String> {
    lines.iter().map(|line| format!("s:1:{line}")).collect()
}

#[test]
fn clean_records_have_no_diagnostics() {
    let rows = [
        "",
        " bm Kd2 Kf2; id \"two; or three\";",
        " bm Kd2;id \"no blank after a semicolon\";",
        " c0 \"\"; c1 \"  \";",
        " ;D1 5 ;D2 25",
        " ;D1 5 ;D2 25;",
        " ;D1 5; D2 25;",
        ";D1 5;D2 25",
        " D1 5; D2 25;",
        " D0 1; D00012 18446744073709551615;",
        " 0 1 ;D1 5",
        " 0 1",
        " 12 40 bm Kd2;",
        " Dictionary of words; D_1 x; tag king pawnless;",
        " made_up 1 2 \"3\" -4;",
        " noop; resign;",
        " id \"Großmeister\";",
    ];
    for rest in rows {
        check_rest(rest, &[]);
        let strict: Result<Record, _> = format!("{KINGS}{rest}").parse();
        assert!(strict.is_ok(), "{rest}");
    }
}

#[test]
fn positions_of_every_dialect_are_read() {
    let rows = [
        "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq d3 0 1 ;D1 20",
        "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq d3 ;D1 20",
        "1rk3r1/8/8/8/8/8/8/1RK3R1 w GBgb - D1 25;",
        "1rk3r1/8/8/8/8/8/8/1RK3R1 w KQkq - 4 30 D1 25;",
        "1rk1r1r1/8/8/8/8/8/8/1RK1R1R1 w EBeb - bm Kd1;",
    ];
    for line in rows {
        check(line.as_bytes(), &[line], &[""; 0]);
    }
    let record: Record = rows[0].parse().unwrap();
    assert_eq!(record.perft_counts(), [(1, 20)]);
    assert_eq!(record.operations().len(), 1);
    let record: Record = rows[3].parse().unwrap();
    assert_eq!(record.position().halfmove_clock(), 4);
    assert_eq!(record.position().fullmove_number(), 30);
}

#[test]
fn dirt_is_read_and_reported() {
    for (rest, lines) in table("reading/dirt") {
        let diagnostics = located(&lines);
        check_rest(&rest, &diagnostics);
        let strict: Result<Record, _> = format!("{KINGS}{rest}").parse();
        assert_eq!(strict.is_ok(), diagnostics.is_empty(), "{rest}");
    }
    let line = format!("  {KINGS}");
    let before = "s:1:1: note: white space before the record";
    check(line.as_bytes(), &[&line], &[before]);
    let line = KINGS.replace(' ', "\t");
    let tabs = [20, 22, 24].map(|column| format!("s:1:{column}: note: tab, expected one blank"));
    check(line.as_bytes(), &[&line], &tabs);
}

#[test]
fn broken_records_are_rejected() {
    for (rest, lines) in table("reading/broken_operations") {
        check_rest(&rest, &located(&lines));
    }
    for (line, lines) in table("reading/broken_positions") {
        check(line.as_bytes(), &[], &located(&lines));
    }
}

/// What other readers of FEN accept is read and reported.
#[test]
fn fields_in_other_forms_are_read() {
    for (line, lines) in table("reading/other_forms") {
        check(line.as_bytes(), &[&line], &located(&lines[1..]));
        let record = Record::parse_lenient(&line).expect("a record").record;
        assert_eq!(fen::write(record.position()), lines[0], "{line}");
        assert!(line.parse::<Record>().is_err(), "strict: {line}");
    }
    // What no reader can make a legal position of stays an error.
    let negative = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 -1";
    assert!(Record::parse_lenient(negative).is_err());
}

/// The standard knows no escapes; python-chess writes them.
#[test]
fn quotes_inside_strings_are_read() {
    let rows = [
        (r#" c0 "say \"hi\"";"#, r#"say "hi""#),
        (r#" c0 "say \"hi\" to me"; bm Kd2;"#, r#"say "hi" to me"#),
        // A backslash that is text.
        (r#" c0 "C:\"; bm Kd2;"#, r"C:\"),
        (r#" c0 "C:\"; c1 "D:\";"#, r"C:\"),
        (r#" c0 "C:\games";"#, r"C:\games"),
    ];
    for (rest, text) in rows {
        check_rest(rest, &[]);
        let record: Record = format!("{KINGS}{rest}").parse().expect(rest);
        let operation = record.operation("c0").expect("it is there");
        let text = Operand::Text(text.to_owned());
        assert_eq!(operation.operands(), [text], "{rest}");
        let written = format!(" {operation}");
        assert!(rest.starts_with(&written), "{rest}: {written}");
    }
}

#[test]
fn illegal_positions_differ_from_malformed_ones() {
    for (line, expected) in [
        ("8/8/8/8/8/8/8/4K3 w - -", true),
        ("4k3/4R3/8/8/8/8/8/4K3 w - - bm Rxe8;", true),
        ("9/8/8/8/8/8/8/4K3 w - -", false),
        ("4k3/8/8/8/8/8/8/4K3 w - - D1;", false),
    ] {
        let diagnostics = Record::parse_lenient(line).unwrap_err().diagnostics;
        let mut problems = diagnostics.iter().map(|one| &one.problem);
        let is_illegal = problems.all(RecordProblem::is_illegal_position);
        assert_eq!(is_illegal, expected, "{line}");
    }
}

#[test]
fn files_are_read_line_by_line() {
    let line = format!("{KINGS} D1 5;");
    let text = format!("# a comment\n\n{line}\n  \t\n  # {{indented}}\n{line}\nnonsense\n{line}");
    let fields = "s:7:1: error: record: 1 fields, expected 4 or 6";
    check(text.as_bytes(), &[line.as_str(); 3], &[fields]);
    let suite = Suite::parse("s", text.as_bytes());
    let lines: Vec<usize> = suite.entries.iter().map(|entry| entry.line).collect();
    assert_eq!(lines, [3, 6, 8]);
    check(b"", &[], &[""; 0]);
    check(b"\n\n", &[], &[""; 0]);
}

#[test]
fn invalid_bytes_are_reported() {
    let line = format!("{KINGS} D1 5;");
    let cr = "note: line ends with carriage return and line feed, expected line feed alone";
    // Line ends of two characters are reported once, where the first is.
    for (text, place) in [
        (format!("# comment\r\n{line}\r\n\r\n{line}\r\n"), "1:10"),
        (format!("{line}\n{line}\r\n"), "2:32"),
    ] {
        let note = format!("s:{place}: {cr}");
        check(text.as_bytes(), &[line.as_str(); 2], &[note]);
    }
    let text = format!("\u{feff}{line}\n");
    let mark = "s:1:1: note: byte order mark, expected none";
    check(text.as_bytes(), &[&line], &[mark]);
    let nul = |place: &str| format!("s:{place}: warning: NUL before the line end");
    let first_cr = format!("s:1:33: {cr}");
    let found = [nul("1:32"), first_cr, nul("2:32"), nul("3:1")];
    let text = format!("{line}\0\r\n{line}\0\n\0");
    check(text.as_bytes(), &[line.as_str(); 2], &found);
    let mut latin = format!("# J\n{KINGS} id \"é J").into_bytes();
    latin.extend(b"\xfcrgen\";\n");
    latin[2] = 0xe4;
    check(&latin, &[], &["s:2:34: error: byte 0xfc is not UTF-8"]);
    // A byte order mark in the middle is text like any other.
    let fields = "s:2:1: error: record: 1 fields, expected 4 or 6";
    check("\n\u{feff}#\n".as_bytes(), &[], &[fields]);
}

const OPERANDS: &str = r#"
2:36: warning: bm: 'Rh9' has not the form of a move, such as Nf3, exd5, e8=Q or O-O
2:48: warning: am: '0-0' should be written O-O
2:53: warning: pm: 2 operands, expected one move
2:69: warning: sm: "O-O" is a string, expected a move
2:88: warning: pv: no legal move is 'Kd8' in 7R/3k4/8/8/8/8/8/4K3 w - - 2 2
2:96: warning: ce: '1.5' is not a whole number
2:105: warning: acd: '-1' is not a whole number without sign
2:109: warning: acn: 2 operands, expected one number
2:118: warning: id: 2 operands, expected one string
2:126: warning: c0: 0 operands, expected one string
2:130: warning: resign: 1 operands, expected none
2:142: warning: tcri: 1 operands, expected address and name
2:150: warning: tag: 0 operands, expected one word or more
2:158: warning: dm: '+1' is not a whole number without sign
2:167: warning: hmvc: "1" is a string, expected a number
"#;

#[test]
fn operands_are_checked_on_request() {
    let line = "4k3/8/8/8/8/8/8/4K2R w K - bm O-O  Rh9 Rh8; am 0-0; pm Rh8+ Rh7; sm \"O-O\"; \
                pv Rh8+ Kd7 Kd8; ce 1.5; acd -1; acn 1 2; id a b; c0; resign now; tcri x; tag; \
                dm +1; hmvc \"1\"; D1 15; odd one out; noop 1 2; draw_offer; v3 name; eco A00;";
    let suite = Suite::parse("s", format!("\n{line}\n").as_bytes());
    let entry = &suite.entries[0];
    let found = entry.check_operands();
    let is_warning = |one: &Diagnostic| one.severity() == Severity::Warning;
    assert!(found.iter().all(is_warning));
    let found: Vec<String> = found.iter().map(ToString::to_string).collect();
    assert_eq!(found.join("\n"), OPERANDS.trim());
    assert_eq!(entry.record.id(), None);
}

#[test]
fn strict_errors_have_columns() {
    let fail = |rest: &str| {
        let record = format!("{KINGS}{rest}").parse::<Record>();
        record.unwrap_err().to_string()
    };
    let expected = "column 26: 2 blanks, expected one; column 35: empty operation";
    assert_eq!(fail("  bm Kd2;;"), expected);
    assert_eq!(fail("\n"), "column 26: control character U+000A");
}

#[test]
fn records_are_made_and_extended() {
    let operation = |opcode: &str, operand: &str| {
        Operation::new(opcode, vec![Operand::Word(operand.to_owned())]).unwrap()
    };
    let rows = [
        ("", " D3 7;"),
        (" ;", " ; D3 7;"),
        (" bm Kd2", " bm Kd2; D3 7;"),
        (" bm Kd2;  ", " bm Kd2; D3 7;"),
        (" ;D1 5  ;D2 25", " ;D1 5  ;D2 25; D3 7;"),
        (" id \"a;\"", " id \"a;\"; D3 7;"),
    ];
    for (before, after) in rows {
        let before = format!("{KINGS}{before}");
        let mut record = Record::parse_lenient(&before).unwrap().record;
        record.push(operation("D3", "7")).unwrap();
        assert_eq!(record.to_string(), format!("{KINGS}{after}"));
        let read = Record::parse_lenient(&record.to_string()).unwrap().record;
        assert_eq!(read, record);
        let error = record.push(operation("D03", "8")).unwrap_err();
        let expected = "depth 3 is counted already, cannot add 'D03 8;'";
        assert_eq!(error.to_string(), expected);
        assert_eq!(read, record);
    }
}

#[test]
fn ids_tags_and_counts() {
    let line = format!("{KINGS} id \"the name\"; tag a b; D2 25; tag c; D1 5; c0 \"D3 7\";");
    let record = Record::parse_lenient(&line).unwrap().record;
    assert_eq!(record.id(), Some("the name"));
    assert_eq!(record.tags().collect::<Vec<_>>(), ["a", "b", "c"]);
    assert_eq!(record.perft_counts(), [(2, 25), (1, 5)]);
    assert_eq!(record.operation("tag").unwrap().to_string(), "tag a b;");
    assert_eq!(record.operation("bm"), None);
}
