//! Valid texts, invalid texts, and formatting.

use proptest::prelude::*;

use super::*;

fn stage(moves: u32, time_ms: u64, increment_ms: u64) -> Stage {
    Stage {
        moves: (moves > 0).then_some(moves),
        time_ms,
        increment_ms,
    }
}

#[test]
fn texts_and_their_stages() {
    let rows: &[(&str, &[Stage], &str)] = &[
        ("40/60+0.6", &[stage(40, 60_000, 600)], "40/60+0.6"),
        ("10+0.1", &[stage(0, 10_000, 100)], "10+0.1"),
        ("60", &[stage(0, 60_000, 0)], "60"),
        ("060.500", &[stage(0, 60_500, 0)], "60.5"),
        (".1+.05", &[stage(0, 100, 50)], "0.1+0.05"),
        ("8.002+0.001", &[stage(0, 8002, 1)], "8.002+0.001"),
        ("1:30", &[stage(0, 90_000, 0)], "90"),
        ("1:30.5+1", &[stage(0, 90_500, 1000)], "90.5+1"),
        ("0:05", &[stage(0, 5000, 0)], "5"),
        (
            "40/60:20/30:10+0.5",
            &[
                stage(40, 60_000, 0),
                stage(20, 30_000, 0),
                stage(0, 10_000, 500),
            ],
            "40/60:20/30:10+0.5",
        ),
        (
            "40/60:20/30+0.5",
            &[stage(40, 60_000, 0), stage(20, 30_000, 500)],
            "40/60:20/30+0.5",
        ),
        (
            "40/1+0:30",
            &[stage(40, 1000, 0), stage(0, 30_000, 0)],
            "40/1+0:30",
        ),
        (
            "40/7200:3600",
            &[stage(40, 7_200_000, 0), stage(0, 3_600_000, 0)],
            "40/7200:3600",
        ),
        (
            "40/60+1:0+2",
            &[stage(40, 60_000, 1000), stage(0, 0, 2000)],
            "40/60+1:0+2",
        ),
    ];
    for (text, stages, written) in rows {
        let control: TimeControl = text.parse().expect(text);
        assert_eq!(control.stages, *stages, "{text}");
        assert_eq!(control.to_string(), *written);
    }
}

#[test]
fn faults_say_where_and_what_was_expected() {
    let time =
        |found: &str| format!("'{found}' is not a time, expected seconds such as 10 or 0.05");
    let rows = [
        ("", 1, time("")),
        ("abc", 1, time("abc")),
        ("10+", 4, time("")),
        ("10+-1", 4, time("-1")),
        ("+1", 1, time("")),
        ("10 +1", 1, time("10 ")),
        ("1e3", 1, time("1e3")),
        ("5.", 1, time("5.")),
        ("10+1+1", 4, time("1+1")),
        ("40/60/2", 4, time("60/2")),
        ("40/60:20/x", 10, time("x")),
        ("40/é", 4, time("é")),
        (
            "10+0.0005",
            4,
            "'0.0005' is finer than a millisecond, expected at most three decimals".to_owned(),
        ),
        (
            "2147483.648",
            1,
            "'2147483.648' is too long, expected at most 2147483.647 seconds".to_owned(),
        ),
        (
            "99999999999999999999",
            1,
            "'99999999999999999999' is too long, expected at most 2147483.647 seconds".to_owned(),
        ),
        (
            "99999999:10",
            1,
            "'99999999' is too long, expected at most 2147483.647 seconds".to_owned(),
        ),
        (
            "0/60",
            1,
            "'0' is not a number of moves, expected 1 to 4294967295".to_owned(),
        ),
        (
            "/60",
            1,
            "'' is not a number of moves, expected 1 to 4294967295".to_owned(),
        ),
        (
            "1.5:30",
            1,
            "'1.5' is not a number of minutes, expected a whole number before ':'".to_owned(),
        ),
        (
            "1:75",
            3,
            "'75' seconds after minutes, expected less than 60".to_owned(),
        ),
        (
            "0+1",
            1,
            "no time to think, expected more than 0 seconds".to_owned(),
        ),
        (
            "40/60:20/0",
            10,
            "no time to think, expected more than 0 seconds".to_owned(),
        ),
        (
            "40/60:1:30",
            7,
            "a stage without a number of moves never ends, expected MOVES/SECONDS before ':'"
                .to_owned(),
        ),
        (
            "40/1:30+0.5",
            4,
            "'1:30' may be minutes and seconds or the end of a stage, expected seconds alone, \
             or '+0' before ':' for two stages"
                .to_owned(),
        ),
    ];
    for (text, column, reason) in rows {
        let error = text.parse::<TimeControl>().expect_err(text);
        let expected = format!("time control '{text}', column {column}: {reason}");
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn no_clock() {
    assert_eq!(parse_clock("inf"), Ok(None));
    assert_eq!(write_clock(None), "inf");
    let clock = parse_clock("5").expect("a time control");
    assert_eq!(write_clock(clock.as_ref()), "5");
    assert!(parse_clock("infinite").is_err());
}

fn any_control() -> impl Strategy<Value = TimeControl> {
    let stage = (
        1..200_u32,
        1..4_000_000_u64,
        prop_oneof![Just(0), 0..5000_u64],
    )
        .prop_map(|(moves, time, increment)| stage(moves, time, increment));
    (prop::collection::vec(stage, 1..4), any::<bool>()).prop_map(|(mut stages, ends)| {
        if ends {
            stages.last_mut().expect("one at least").moves = None;
        }
        TimeControl { stages }
    })
}

proptest! {
    #[test]
    fn what_is_written_reads_back(control in any_control()) {
        prop_assert_eq!(control.to_string().parse(), Ok(control));
    }

    #[test]
    fn no_text_makes_it_panic(text in "[0-9/:+.é]{0,12}") {
        if let Ok(control) = text.parse::<TimeControl>() {
            prop_assert_eq!(control.to_string().parse(), Ok(control));
        }
    }
}
