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

/// [`check`] for cases, each behind `fields`: the second line of a case is the expected record, or
/// `=?` if the line is kept.
fn check_table(fields: &str, text: &str) {
    for case in table(text) {
        let lines: Vec<&str> = case.lines.iter().map(String::as_str).collect();
        let (expected, findings) = lines.split_first().expect("a record is expected");
        let expected = expected.strip_prefix('=').filter(|rest| *rest != "?");
        let expected = expected.map(|rest| format!("{fields}{rest}"));
        let line = format!("{fields}{}", case.input);
        check(line.as_bytes(), expected.as_deref(), findings);
    }
}

const CLOCKS: &str = r#"
> 0 1 => = | 28 clocks: "0 1" > ""
> 7 40 bm Rh8+; => = bm Rh8+; fmvn 40; hmvc 7; | 28 clocks: "7 40" > "fmvn 40; hmvc 7;"
> 7 1 hmvc 7; => = hmvc 7; | 28 clocks: "7 1" > ""
> 7 40 hmvc 8; => =? | 28 clocks-disagree
> - bm Rh8+; => = bm Rh8+; | 28 extra-field: " -" > ""
"#;

const POSITIONS: &str = r#"
# An en passant square that the board contradicts, which is no comment of that name.
>r3k2r/8/8/8/8/8/8/R3K2R w KQkq c6 bm O-O;
=r3k2r/8/8/8/8/8/8/R3K2R w KQkq - bm O-O;
32 illegal-position: "c6" > "-"
>4k3/8/8/8/8/8/8/4K2R w K c6 "a comment"; => =4k3/8/8/8/8/8/8/4K2R w K - c6 "a comment"; | 25 missing-field: "" > " -"
# Glued to the clock.
>4k3/8/8/8/8/8/8/4K3 w - -1 12
=4k3/8/8/8/8/8/8/4K3 w - - fmvn 12; hmvc 1;
26 no-blank: "" > " "
26 clocks: "1 12" > "fmvn 12; hmvc 1;"
# One of two dashes lost, and nothing could stand there.
>4k3/8/8/8/8/8/8/4K3 w - bm Kd2; => =4k3/8/8/8/8/8/8/4K3 w - - bm Kd2; | 24 missing-field: "" > " -"
>4k3/8/8/8/8/8/8/4K3 w => =4k3/8/8/8/8/8/8/4K3 w - - | 22 missing-field: "" > " - -"
>4k3/8/8/8/8/8/8/4K2R w K bm O-O; => =4k3/8/8/8/8/8/8/4K2R w K - bm O-O; | 25 missing-field: "" > " -"
>4k3/8/8/3pP3/8/8/8/4K3 w d6 bm exd6; => =4k3/8/8/3pP3/8/8/8/4K3 w - d6 bm exd6; | 28 missing-field: "" > " -"
# White may still castle, or not.
>4k3/8/8/8/8/8/8/4K2R w - bm Rh8+; => =? | 25 missing-field
# The pawn may have stepped over d6, or not.
>4k3/8/8/3pP3/8/8/8/4K3 w - bm Kd2; => =? | 27 missing-field
>4k3/8/8/8/8/8/8/4K3 W KQ e6 bm Kd2;
=4k3/8/8/8/8/8/8/4K3 w - - bm Kd2;
21 fen: "W" > "w"
23 fen: "KQ" > "-"
24 fen: "KQ" > "-"
26 illegal-position: "e6" > "-"
>4k3/8/8/8/44/8/8/4K3 w - - 0
=4k3/8/8/8/8/8/8/4K3 w - -
1 fen: "0" > "0 1"
12 fen: "4k3/8/8/8/44/8/8/4K3" > "4k3/8/8/8/8/8/8/4K3"
28 clocks: "0" > ""
>8/8/8/8/8/8/8/4K3 w - - bm Kd2; => =? | 1 illegal-position
# Only one of the two knights can move; a capture en passant.
>rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm Ngf3;
=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm Nf3;
57 move-form: "Ngf3" > "Nf3"
>4k3/8/8/3pP3/8/8/8/4K3 w - d6 bm exd6 e.p.;
=4k3/8/8/3pP3/8/8/8/4K3 w - d6 bm exd6;
34 move-form: "exd6 e.p." > "exd6"
>4k3/8/8/8/8/5N2/8/1N2K3 w - - bm Nd2; => =4k3/8/8/8/8/5N2/8/1N2K3 w - - bm Nd2; | 34 move
# No record at all.
>no record at all => =? | 1 fen
>nonsense => =? | 1 fen
"#;

const MOVES: &str = r##"
> bm 0-0; => = bm O-O; | 31 move-form: "0-0" > "O-O"
> bm e1g1; => = bm O-O; | 31 move-form: "e1g1" > "O-O"
> bm Rh8!?; => = bm Rh8+; | 31 move-form: "Rh8!?" > "Rh8+"
> bm Rh8 +; => = bm Rh8+; | 31 move-form: "Rh8 +" > "Rh8+"
> bm Rh1-h8; => = bm Rh8+; | 31 move-form: "Rh1-h8" > "Rh8+"
> bm 1.Rh8+; => = bm Rh8+; | 31 move-form: "1.Rh8+" > "Rh8+"
> bm O-O, Rh8+; => = bm O-O Rh8+; | 31 move-form: "O-O," > "O-O"
> bm O-O,Rh8+; => = bm O-O Rh8+; | 31 move-form: "O-O," > "O-O"
> bm O-O or Rh8+; => = bm O-O Rh8+; | 35 filler: "or" > ""
> pv 1. O-O Kd7 2. Rd1+; => = pv O-O Kd7 Rd1+; | 31 filler: "1." > "" | 42 filler: "2." > ""
> bm "O-O Rh8"; => = bm O-O Rh8+; | 31 operand: "\"O-O Rh8\"" > "O-O Rh8+" | 31 move-form: "Rh8" > "Rh8+"
> bm Kd2; Ke2; => = bm Kd2 Ke2; | 36 stray-moves: "Ke2" > "bm … Ke2"
> bm #26; => = dm 26; | 31 mate-among-moves: "#26" > "dm 26"
> bm O-O #26; => = bm O-O; dm 26; | 35 mate-among-moves: "#26" > "dm 26"
> dm #26; => = dm 26; | 31 operand: "#26" > "26"
> ce +M2; => = ce 32764; | 31 operand: "+M2" > "32764"
> ce -#1; => = ce -32765; | 31 operand: "-#1" > "-32765"
> ce +15; => = ce 15; | 31 number-form: "+15" > "15"
> ce "15"; => = ce 15; | 31 operand: "\"15\"" > "15"
> acn 1,234; => = acn 1234; | 32 operand: "1,234" > "1234"
> D1 1,000; => = D1 1000; | 31 perft-count: "1,000" > "1000"
> D1=15; => = D1 15; | 28 opcode-form: "D1=15" > "D1 15"
> d1 15; d2 66; => = D1 15; D2 66; | 28 small-d: "d1" > "D1" | 35 small-d: "d2" > "D2"
# Two readings, no move, an illegal one, a score of unknown unit: left as they are.
> bm Nd2; => = bm Nd2; | 31 illegal-move
> bm Rh8+ Qh9; => = bm Rh8+ Qh9; | 36 move
> bm Rg7; => = bm Rg7; | 31 illegal-move
> pv O-O Kd7 Kd8 Kd7; => = pv O-O Kd7 Kd8 Kd7; | 39 illegal-move
> ce 1.5; => = ce 1.5; | 31 operand
> dm 0.5; => = dm 0.5; | 31 operand
> acn 12,34; => = acn 12,34; | 32 operand
> bm; => = bm; | 28 operand
> pm O-O Rh8+; => = pm O-O Rh8+; | 28 operand
"##;

const OPERATIONS: &str = r##"
> ;D1 15 ;D2 66 => = D1 15; D2 66; | 28 leading-semicolon: ";" > ""
> ; bm O-O; => = bm O-O; | 28 leading-semicolon: ";" > ""
> bm O-O => = bm O-O; | 34 no-semicolon: "" > ";"
> bm O-O;; dm 26; => = bm O-O; dm 26; | 35 empty-operation: ";" > ""
>␉bm  O-O ;dm 26;␠
= bm O-O; dm 26;
27 white-space: "\t" > " "
30 white-space: "  " > " "
35 white-space: " " > ""
43 white-space: " " > ""
> bm O-O;dm 26; => = bm O-O; dm 26; | 34 white-space: ";" > "; "
> bm Rh8+ dm 26 => = bm Rh8+; dm 26; | 36 joined-operations: "dm" > "; dm" | 41 no-semicolon: "" > ";"
> id "x"bm O-O;
= bm O-O; id "x";
28 opcode-order: "id … bm" > "bm … id"
34 no-blank: "" > " "
34 joined-operations: "bm" > "; bm"
> id BK.01; => = id "BK.01"; | 31 bare-word: "BK.01" > "\"BK.01\""
> c0 from  A␉B; id x;
= c0 "from  A B"; id "x";
31 bare-string: "from  A\tB" > "\"from  A B\""
35 white-space: "  " > " "
38 white-space: "\t" > " "
45 bare-word: "x" > "\"x\""
> id "the name; => = id "the name"; | 31 unterminated-string: "\"the name;" > "\"the name\""
> bm O-O; "a remark"; => = bm O-O; c0 "a remark"; | 36 free-text: "a remark" > "c0 \"a remark\""
> bm O-O; c0 "x"; White wins, of course
= bm O-O; c0 "x"; c1 "White wins, of course";
44 free-text: "White wins, of course" > "c1 \"White wins, of course\""
65 no-semicolon: "" > ";"
> bm O-O winning the rook;
= bm O-O; c0 "winning the rook";
35 free-text: "winning the rook" > "c0 \"winning the rook\""
> BM: O-O; => = bm O-O; | 28 opcode-form: "BM:" > "bm"
> bm O-O; bm Rh8+ O-O; => = bm O-O Rh8+; | 36 repeated-opcode: "bm Rh8+ O-O;" > "bm O-O Rh8+;"
> dm 26; D1 15; D01 15; dm 26;
= D1 15; dm 26;
28 opcode-order: "dm … D1" > "D1 … dm"
42 repeated-depth: "D01 15;" > ""
50 repeated-opcode: "dm 26;" > ""
> v=-396 => = v -396; | 28 opcode-form: "v=-396" > "v -396" | 34 no-semicolon: "" > ";"
> bm O-O; am O-O; => = am O-O; bm O-O; | 28 opcode-order: "bm … am" > "am … bm" | 39 best-and-avoided
# What follows the operations never takes them along.
> bm #7; O-O; => = c0 "O-O"; dm 7; | 31 mate-among-moves: "#7" > "dm 7" | 35 free-text: "O-O" > "c0 \"O-O\""
> bm #7; ep; 00:00;
= c0 "00:00"; dm 7; ep;
31 mate-among-moves: "#7" > "dm 7"
35 unknown-opcode
35 opcode-order: "ep … c0" > "c0 … ep"
39 free-text: "00:00" > "c0 \"00:00\""
> dm 7; Duals(2); 00:09 @ C4/R-1/X1;
= c0 "Duals(2)"; c1 "00:09 @ C4/R-1/X1"; dm 7;
28 opcode-order: "dm … c0" > "c0 … dm"
34 free-text: "Duals(2)" > "c0 \"Duals(2)\""
44 free-text: "00:09 @ C4/R-1/X1" > "c1 \"00:09 @ C4/R-1/X1\""
> dm 7; 4'30" (a player);
= c0 "4'30\" (a player)"; dm 7;
28 opcode-order: "dm … c0" > "c0 … dm"
34 free-text: "4'30\" (a player)" > "c0 \"4'30\" (a player)\""
> bm 0-0; foo bar => = bm O-O; foo bar; | 31 move-form: "0-0" > "O-O" | 36 unknown-text | 43 no-semicolon: "" > ";"
> bm #-6; => = bm #-6; | 31 mated-among-moves
> bm O-O -M6; => = bm O-O #-6; | 35 mated-among-moves: "-M6" > "#-6"
# Kept as they are.
> dm 26; dm 27; => =? | 35 repeated-opcode
> D1 15; D1 16; => =? | 35 repeated-depth
> id "a"; id "b"; => =? | 36 repeated-opcode
> bm #26; dm 27; => =? | 31 repeated-opcode
> d1 14; => =? | 28 small-d
> D1 x; => =? | 31 perft-count
> id WAC.1 bm Rh8+; => =? | 31 unknown-text
> O-O; => =? | 28 unknown-text
> id "a; c0 b; c1 c; => =? | 31 unterminated-string
> aaaaaaaaaaaaaaaaaaaaaaaaa 1; => =? | 28 unknown-text
> bm O-O␇; => =? | 34 control-character
"##;

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
fn positions() {
    check_table(ROOK, CLOCKS);
    check_table("", POSITIONS);
}

#[test]
fn moves() {
    check_table(ROOK, MOVES);
}

#[test]
fn operations() {
    check_table(ROOK, OPERATIONS);
}

#[test]
fn bytes() {
    let with_end = |end: &[u8]| [ROOK.as_bytes(), b" bm O-O;", end].concat();
    let expected = format!("{ROOK} bm O-O;");
    let (cr, latin) = (
        r#"carriage-return: "\r" > """#,
        b" id \"J\xfcrgen \x96 x\";",
    );
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
    check(
        &[ROOK.as_bytes(), latin].concat(),
        Some(&expected),
        &decoded,
    );
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
