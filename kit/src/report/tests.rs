use super::*;
use crate::github::AnnotationLevel;

/// Suites of cases, and a verdict.
struct Trial {
    cases: Vec<Case<'static>>,
    exit: Exit,
}

impl Report for Trial {
    fn command(&self) -> &'static str {
        "perft <check>"
    }

    fn time(&self) -> Option<Duration> {
        Some(Duration::from_secs(5))
    }

    fn suites(&self) -> Vec<CaseSuite<'_>> {
        let mut suite = CaseSuite::new("a|b", self.cases.iter().cloned());
        suite.time = Some(Duration::from_millis(5));
        vec![suite, CaseSuite::new("empty", [])]
    }

    fn sections(&self) -> Vec<Section<'_>> {
        let row = ["a|b", "12"].map(str::to_owned).to_vec();
        let table = Section::table(["suite", "n"], [row]);
        vec![Section::text("first\n"), table]
    }

    fn verdict(&self) -> Verdict {
        Verdict {
            exit: self.exit,
            text: format!("the verdict {:?}", self.exit),
        }
    }

    fn facts(&self) -> Value {
        serde_json::json!({"engine": "mine"})
    }
}

fn every_kind() -> Vec<Case<'static>> {
    let mut printed = Case::passed("printed");
    printed.output = "> uci\n< uciok".into();
    vec![
        Case::passed("timed").took(Duration::from_millis(1_234)),
        printed,
        Case::not_passed(Status::Failed, "a\nb", "rule", "a < b & \"c\"\nd")
            .details("8/8\u{ffff} <& \u{1b}[31mred\u{1b}[0m\u{1}\n  second line\t")
            .at("c,d.epd", 3),
        Case::not_passed(Status::Error, "error", "", "no answer"),
        Case::not_passed(Status::BadInput, "line 7", "unreadable", ""),
        Case::open("open"),
        Case::skipped("why", "not \u{fffe} now").annotated(Some(AnnotationLevel::Notice)),
    ]
}

fn written(cases: Vec<Case<'static>>, exit: Exit, format: Format) -> String {
    let mut bytes = Vec::new();
    write(&Trial { cases, exit }, format, &mut bytes).expect("written");
    String::from_utf8(bytes).expect("text")
}

#[test]
fn junit_has_every_kind_of_case() {
    let expected = r#"<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="perft &lt;check&gt;" tests="7" skipped="2" failures="1" errors="2" time="5.000">
    <testsuite name="a|b" tests="7" skipped="2" errors="2" failures="1" time="0.005">
        <testcase name="timed" classname="a|b" time="1.234"/>
        <testcase name="printed" classname="a|b">
            <system-out>&gt; uci
&lt; uciok</system-out>
        </testcase>
        <testcase name="a
b" classname="a|b">
            <failure message="rule: a &lt; b &amp; &quot;c&quot;
d" type="rule">8/8� &lt;&amp; red
  second line	</failure>
        </testcase>
        <testcase name="error" classname="a|b">
            <error message="no answer"/>
        </testcase>
        <testcase name="line 7" classname="a|b">
            <error message="unreadable" type="unreadable"/>
        </testcase>
        <testcase name="open" classname="a|b">
            <skipped message="not reached: the run was interrupted"/>
        </testcase>
        <testcase name="why" classname="a|b">
            <skipped message="not � now"/>
        </testcase>
    </testsuite>
    <testsuite name="empty" tests="0" skipped="0" errors="0" failures="0"/>
</testsuites>
"#;
    assert_eq!(
        written(every_kind(), Exit::Differs, Format::Junit),
        expected
    );
}

#[test]
fn annotations_are_for_what_is_worth_one() {
    let expected = "\
::error file=c%2Cd.epd,line=3,title=perft <check>%3A rule::a|b: a%0Ab: a < b & \"c\"%0Ad%0A\
8/8\u{ffff} <& \u{1b}[31mred\u{1b}[0m\u{1}%0A  second line\t
::error title=perft <check>%3A error::a|b: no answer
::error title=perft <check>%3A unreadable::a|b: line 7: 
::notice title=perft <check>%3A why::a|b: not \u{fffe} now
first
suite   n
a|b    12
the verdict Differs
";
    let annotated = written(every_kind(), Exit::Differs, Format::Github);
    assert_eq!(annotated, expected);
}

#[test]
fn markdown_folds_what_did_not_pass() {
    let expected = "\
## perft <check>

**the verdict Differs**

```text
first
```

| suite | n |
|:--|--:|
| a\\|b | 12 |

<details><summary>a|b: 3 failed, 2 skipped</summary>

```text
failed    a b: rule: a < b & \"c\" d
    8/8\u{ffff} <& \u{1b}[31mred\u{1b}[0m\u{1}
      second line\t
error     error: no answer
bad-input line 7: unreadable
open      open: not reached: the run was interrupted
skipped   why: not \u{fffe} now
```

</details>

";
    assert_eq!(
        written(every_kind(), Exit::Differs, Format::Markdown),
        expected
    );
}

#[test]
fn without_rows_of_its_own_csv_has_the_cases() {
    let csv = written(every_kind(), Exit::Differs, Format::Csv);
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines[0], "suite,name,status,rule,text,file,line,seconds");
    assert_eq!(lines[1], "a|b,timed,passed,,,,,1.234000");
}

#[test]
fn json_has_the_cases_with_all_that_is_known_of_them() {
    let mut cases = every_kind();
    cases[3].facts = serde_json::json!({"asked": 2});
    let text = written(cases, Exit::Differs, Format::Json);
    let document: Value = serde_json::from_str(&text).expect("JSON");
    let expected = serde_json::json!({
        "schema": "touchstone/cases/1",
        "command": "perft <check>",
        "verdict": "the verdict Differs",
        "exit_code": 1,
        "seconds": 5.0,
        "counts": {
            "passed": 2, "failed": 1, "error": 1, "bad-input": 1, "open": 1, "skipped": 1
        },
        "facts": {"engine": "mine"},
        "cases": [
            {"suite": "a|b", "name": "timed", "status": "passed", "seconds": 1.234},
            {"suite": "a|b", "name": "printed", "status": "passed", "output": "> uci\n< uciok"},
            {
                "suite": "a|b", "name": "a\nb", "status": "failed", "rule": "rule",
                "text": "a < b & \"c\"\nd", "file": "c,d.epd", "line": 3,
                "details": "8/8\u{ffff} <& \u{1b}[31mred\u{1b}[0m\u{1}\n  second line\t"
            },
            {
                "suite": "a|b", "name": "error", "status": "error", "text": "no answer",
                "facts": {"asked": 2}
            },
            {"suite": "a|b", "name": "line 7", "status": "bad-input", "rule": "unreadable"},
            {
                "suite": "a|b", "name": "open", "status": "open",
                "text": "not reached: the run was interrupted"
            },
            {"suite": "a|b", "name": "why", "status": "skipped", "text": "not \u{fffe} now"}
        ]
    });
    assert_eq!(document, expected);
}

/// Whatever the cases are, a server of continuous integration fails exactly if the exit code is not 0.
#[test]
fn every_format_says_what_the_exit_code_says() {
    let passed = || vec![Case::passed("one"), Case::skipped("two", "")];
    for exit in [
        Exit::Differs,
        Exit::BadInput,
        Exit::Failed,
        Exit::Nothing,
        Exit::Interrupted,
    ] {
        let junit = written(passed(), exit, Format::Junit);
        assert!(junit.contains(r#"tests="3""#), "{junit}");
        assert!(junit.contains(&format!("<error message=\"the verdict {exit:?}\"/>")));
        let github = written(passed(), exit, Format::Github);
        assert!(github.starts_with("::error title=perft <check>::the verdict"));
    }
    for format in [Format::Junit, Format::Github] {
        let text = written(passed(), Exit::Agreed, format);
        assert!(
            !text.contains("<error") && !text.contains("::error"),
            "{text}"
        );
    }
}
