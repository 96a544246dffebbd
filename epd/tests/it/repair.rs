//! Every kind of dirt: the repaired record, the findings, and what is kept.

use epd::{Finding, Record, Suite, lint, normalise, repair};

use crate::common::table;

/// White to move: castles, or checks on h8.
const ROOK: &str = "4k3/8/8/8/8/8/8/4K2R w K -";
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

/// Compares the standard form and every finding as `column kind: before > after`.
fn check(line: &[u8], expected: Option<&str>, findings: &[&str]) {
    let shown = String::from_utf8_lossy(line);
    let repaired = repair(line);
    let record = repaired.record.as_ref().map(ToString::to_string);
    assert_eq!(record.as_deref(), expected, "{shown}");
    let show = |finding: &Finding| {
        let diagnostic = &finding.diagnostic;
        let (column, kind) = (diagnostic.column, diagnostic.problem.kind());
        match &finding.fix {
            Some(fix) => format!("{column} {kind}: {:?} > {:?}", fix.before, fix.after),
            None => format!("{column} {kind}"),
        }
    };
    let found: Vec<String> = repaired.findings.iter().map(show).collect();
    assert_eq!(found, findings, "{shown}");
    if let Some(text) = expected {
        text.parse::<Record>().expect("strictly readable");
        let again = repair(text.as_bytes());
        assert_eq!(again.record, repaired.record, "again: {shown}");
        let is_changed = again.findings.iter().any(|one| one.fix.is_some());
        assert!(!is_changed, "again: {shown}: {:?}", again.findings);
    }
}

/// [`check`] for a table of cases, each behind `fields`: the second line of a case is the expected record, or
/// `=?` if the line is kept.
fn check_table(fields: &str, name: &str) {
    for (input, lines) in table(name) {
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let (expected, findings) = lines.split_first().expect("a record is expected");
        let expected = expected.strip_prefix('=').filter(|rest| *rest != "?");
        let expected = expected.map(|rest| format!("{fields}{rest}"));
        let line = format!("{fields}{input}");
        check(line.as_bytes(), expected.as_deref(), findings);
    }
}

#[test]
fn the_standard_form_is_left_alone() {
    let rows = [
        "",
        " bm Rh8+;",
        " acd 12; acn 1000; acs 3; am Rh8+; bm O-O; ce -30; dm 26; pv O-O Kd7; tag a b;",
        " c0 \"a; b\"; id \"the  name\";",
        " D1 15; D2 66;",
        " fmvn 12; hmvc 3;",
        " draw_offer; noop 1 \"2\"; resign;",
    ];
    for rest in rows {
        let line = format!("{ROOK}{rest}");
        check(line.as_bytes(), Some(&line), &[]);
    }
}

#[test]
fn every_kind_of_dirt() {
    check_table("", "repair/positions");
    for name in ["repair/clocks", "repair/moves", "repair/operations"] {
        check_table(ROOK, name);
    }
}

#[test]
fn bytes() {
    let with_end = |end: &[u8]| [ROOK.as_bytes(), b" bm O-O;", end].concat();
    let expected = format!("{ROOK} bm O-O;");
    let cr = r#"carriage-return: "\r" > """#;
    let latin = b" id \"J\xfcrgen \x96 x\";";
    check(&with_end(b"\r"), Some(&expected), &[&format!("35 {cr}")]);
    let both = [r#"35 nul: "\0" > """#, &format!("36 {cr}")];
    check(&with_end(b"\0\r"), Some(&expected), &both);
    let ctrl_z = r#"35 control-character: "\u{1a}" > """#;
    check(&with_end(b"\x1a"), Some(&expected), &[ctrl_z]);
    let marked = [b"\xef\xbb\xbf", expected.as_bytes()].concat();
    let mark = r#"1 byte-order-mark: "\u{feff}" > """#;
    check(&marked, Some(&expected), &[mark]);
    let decoded = [
        r#"33 encoding: "\\xfc" > "ü""#,
        r#"39 encoding: "\\x96" > "–""#,
    ];
    let expected = format!("{ROOK} id \"Jürgen – x\";");
    let latin = [ROOK.as_bytes(), latin].concat();
    check(&latin, Some(&expected), &decoded);
    let mixed = [ROOK.as_bytes(), " id \"ü".as_bytes(), b"\xfc\";"].concat();
    check(&mixed, None, &["32 encoding"]);
    let undefined = [ROOK.as_bytes(), b" id \"\x81\";"].concat();
    check(&undefined, None, &["32 encoding"]);
}

fn displayed(findings: &[Finding]) -> Vec<String> {
    let findings = findings.iter();
    findings.map(|one| one.display("x").to_string()).collect()
}

#[test]
fn files_keep_order_comments_and_what_is_in_doubt() {
    let text = format!(
        "# a head\r\n\r\n{ROOK} bm 0-0;\r\n// J\u{fc}rgen\n{ROOK} bm\x07 x;\r\n  # indented\n; gone\n\
         {ROOK} foo 1;\n{ROOK} foo 2;\n;{ROOK} bm O-O;"
    );
    let normalised = normalise("x", text.as_bytes());
    let expected = format!(
        "# a head\n\n{ROOK} bm O-O;\n# J\u{fc}rgen\n{ROOK} bm\x07 x;\r\n  # indented\n# gone\n\
         {ROOK} foo 1;\n{ROOK} foo 2;\n;{ROOK} bm O-O;\n"
    );
    assert_eq!(String::from_utf8(normalised.text).unwrap(), expected);
    assert_eq!(
        displayed(&normalised.findings),
        [
            "x:1:9: note: line ends with carriage return and line feed, expected line feed alone (fix: '')",
            "x:3:31: warning: bm: '0-0' should be written O-O (fix: O-O)",
            "x:4:1: warning: comment begins with '//', expected # (fix: #)",
            "x:5:30: error: control character U+0007",
            "x:7:1: warning: comment begins with ';', expected # (fix: #)",
            "x:8:28: note: opcode 'foo' is not in the standard",
            "x:10:1: error: ';' may be an operation or a comment",
        ]
    );
    let tally = normalised.tally;
    let states = [tally.standard, tally.repairable, tally.in_doubt];
    assert_eq!(states, [2, 1, 2]);
}

#[test]
fn duplicates_are_found_by_position() {
    let text = format!(
        "{START} bm e4;\n{START} bm e4; id \"again\";\n{START} bm d4;\n{START} D1 20;\n\
         rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\n\
         rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3\n"
    );
    let expected = [
        "x:2:1: warning: position is that of line 1",
        "x:3:1: warning: position is that of line 1, but its bm is 'e4', here 'd4'",
        "x:4:1: warning: position is that of line 1",
        "x:6:1: warning: position is that of line 5",
    ];
    assert_eq!(displayed(&lint("x", text.as_bytes()).findings), expected);
}

#[test]
fn dirty_suites_are_read_with_one_call() {
    let text = format!(
        "{ROOK} 3 9 bm 0-0\n{ROOK} id \"a\"; id \"b\";\nnonsense\n{ROOK} bm Kd2 Rh7;\n# end\n"
    );
    let suite = Suite::parse_repaired("x", text.as_bytes());
    let entries = suite.entries.iter();
    let records = entries.map(|entry| (entry.line, entry.record.to_string()));
    let records: Vec<_> = records.collect();
    assert_eq!(
        records,
        [
            (1, format!("{ROOK} bm O-O; fmvn 9; hmvc 3;")),
            (2, format!("{ROOK} id \"a\"; id \"b\";")),
            (4, format!("{ROOK} bm Kd2 Rh7;")),
        ]
    );
    let position = suite.entries[0].record.position();
    let clocks = (position.halfmove_clock(), position.fullmove_number());
    assert_eq!(clocks, (3, 9));
    let found: Vec<String> = suite.diagnostics.iter().map(ToString::to_string).collect();
    assert_eq!(
        found,
        [
            "1:28: note: clock fields '3 9', expected the opcodes hmvc and fmvn; read as 'fmvn 9; hmvc 3;'",
            "1:35: warning: bm: '0-0' should be written O-O; read as 'O-O'",
            "1:38: warning: no semicolon after the last operation; read as ';'",
            "2:36: warning: opcode 'id' is in the record already",
            "3:1: error: record: 1 fields, expected 4 or 6",
        ]
    );
}

/// On a thread with a small stack: what is joined is taken apart in a loop, not by recursion.
#[test]
fn any_number_of_joined_operations_is_taken_apart() {
    let joined = "resign noop draw_offer ".repeat(20_000);
    let line = format!("4k3/8/8/8/8/8/8/4K3 w - - {joined};");
    let small = std::thread::Builder::new().stack_size(512 << 10);
    let repair = small.spawn(move || epd::repair(line.as_bytes()));
    let repaired = repair.expect("a thread").join();
    assert!(!repaired.expect("it does not overflow").findings.is_empty());
}
