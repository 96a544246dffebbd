//! How much of the end game counts where an advantage does not win, in profile `Touchstone`.

use engine::eval::{Evaluation, Touchstone};

use super::visit::position;

fn check(rows: &[(&str, u8)]) {
    for &(text, expected) in rows {
        let position = position(text);
        let found = Touchstone::coefficients(&position).scale;
        assert_eq!(found, expected, "{text}");
        let trace = Touchstone.trace(&position);
        assert_eq!(trace.scale(), expected, "{text}");
        let shown = trace.to_string().contains("End game that counts");
        assert_eq!(shown, expected != 64, "{text}");
    }
}

#[test]
fn without_pawns() {
    check(&[
        ("8/8/4k3/8/8/8/8/4K1N1 w - - 0 1", 0),
        ("8/8/4k3/8/8/8/8/4KB2 w - - 0 1", 0),
        ("8/8/4k3/8/8/8/8/1N2K1N1 w - - 0 1", 0),
        ("8/8/4k3/8/8/8/8/1N2KB2 w - - 0 1", 64),
        ("8/8/4k3/8/8/8/8/4K2R w - - 0 1", 64),
        // Rook against bishop, rook against knight, rook and bishop against rook.
        ("8/8/4k1b1/8/8/8/8/4K2R w - - 0 1", 8),
        ("8/8/4k1n1/8/8/8/8/4K2R w - - 0 1", 8),
        ("8/8/4k1r1/8/8/8/8/4KB1R w - - 0 1", 8),
        // Queen against rook wins.
        ("8/8/4k1r1/8/8/8/8/4K2Q w - - 0 1", 64),
    ]);
}

#[test]
fn few_pawns_against_pieces() {
    check(&[
        ("8/8/4k1r1/8/8/4P3/8/4K2R w - - 0 1", 40),
        ("8/8/4k1r1/8/8/3PP3/8/4K2R w - - 0 1", 48),
        ("8/8/4k1r1/8/8/2PPP3/8/4K2R w - - 0 1", 56),
        ("8/8/4k1r1/8/8/2PPPP2/8/4K2R w - - 0 1", 64),
        // Against a lone king, and with a rook more, there is nothing to give.
        ("8/8/4k3/8/8/4P3/8/4K3 w - - 0 1", 64),
        ("8/8/4k1n1/8/8/4P3/8/R3K2R w - - 0 1", 64),
    ]);
}

#[test]
fn bishops_of_opposite_colours() {
    check(&[
        // f1 is light, f8 dark. None of White's pawns is passed, then one.
        ("5b2/4k3/1pp5/8/8/8/PPPP4/4KB2 w - - 0 1", 20),
        ("5b2/4k3/1pp5/8/8/8/PPP4P/4KB2 w - - 0 1", 25),
        ("r4b2/4k3/1pp5/8/8/8/PPPP4/R3KB2 w - - 0 1", 48),
        // Of one colour.
        ("2b5/4k3/1pp5/8/8/8/PPPP4/4KB2 w - - 0 1", 64),
    ]);
}

#[test]
fn rook_pawns_and_wrong_bishops() {
    check(&[
        // h8 is dark, f1 light, c1 dark.
        ("7k/8/8/8/7P/8/8/4KB2 w - - 0 1", 0),
        ("7k/8/8/8/7P/8/8/2B1K3 w - - 0 1", 64),
        ("8/8/3k4/8/7P/8/8/4KB2 w - - 0 1", 64),
        ("7k/8/8/7P/7P/8/8/4KB2 w - - 0 1", 0),
        // Without a bishop too; and for Black.
        ("7k/8/8/8/7P/8/8/4K3 w - - 0 1", 0),
        ("4k1b1/8/8/p7/8/8/1K6/8 w - - 0 1", 0),
        ("4k1n1/8/8/p7/8/8/1K6/8 w - - 0 1", 64),
    ]);
}
