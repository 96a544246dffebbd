//! Endgame tables: rejected where there are none; asked for root moves where there are.

use crate::program::driver::{Touchstone, talk};

#[test]
fn missing_tables_do_not_prevent_a_search() {
    let mut program = Touchstone::start();
    program.say("setoption name SyzygyPath value /nowhere/tables");
    let said = program.said();
    let expected = "info string option SyzygyPath: cannot read the folder of endgame tables \
                    /nowhere/tables: ";
    assert!(said.len() == 1 && said[0].starts_with(expected), "{said:?}");
    program.say("position startpos");
    program.say("go depth 1");
    assert_eq!(program.quit().code, Some(0));
}

#[test]
fn an_empty_path_closes_the_tables() {
    assert!(talk("setoption name SyzygyPath value <empty>\n").is_empty());
}

/// The tables that `scripts/test` puts into `.venv`.
#[cfg(feature = "oracles")]
mod with_tables {
    use crate::program::driver::talk;

    const SET: &str = concat!(
        "setoption name SyzygyPath value ",
        env!("CARGO_MANIFEST_DIR"),
        "/../.venv/syzygy\n"
    );
    const FOUND: &str = "info string endgame tables: 35, of up to 4 pieces";
    /// King and rook against king, the rook attacked: by python-chess 12 moves win, 4 lose the rook.
    const WON: &str = "position fen 8/8/8/8/8/2k5/1R6/K7 w - - 0 1\n";

    fn strings(input: &str) -> Vec<String> {
        let lines = talk(&format!("{SET}{input}")).into_iter();
        lines
            .filter(|line| line.starts_with("info string"))
            .collect()
    }

    #[test]
    fn the_tables_are_counted_and_can_be_opened_again() {
        assert_eq!(strings(""), [FOUND]);
        assert_eq!(strings(SET), [FOUND, FOUND]);
        let empty = "setoption name SyzygyPath value <empty>\n";
        assert_eq!(strings(&format!("{empty}{WON}go depth 1\n")), [FOUND]);
    }

    #[test]
    fn only_moves_that_keep_the_win_are_searched() {
        let reported = strings(&format!("{WON}go depth 1\n"));
        let expected = "info string endgame tables: win, 12 of 16 moves searched";
        assert_eq!(reported[1..], [expected]);
    }

    #[test]
    fn tables_are_probed_only_at_full_strength() {
        for setting in [
            "setoption name Profile value ChessBin\n",
            "setoption name UCI_LimitStrength value true\n",
            "setoption name MultiPV value 2\n",
            "setoption name SyzygyProbeLimit value 2\n",
        ] {
            let reported = strings(&format!("{setting}{WON}go depth 1\n"));
            assert_eq!(reported, [FOUND], "{setting}");
        }
    }
}
