//! shakmaty-syzygy as a judge: fast, so of many positions.

use chacha20::ChaCha8Rng;
use chess::notation::fen;
use chess::rules::Position;
use rand::SeedableRng;
use shakmaty::{CastlingMode, Chess, Position as _, fen::Fen};
use shakmaty_syzygy::{Dtz, Wdl};
use testkit::scale;

use super::{TABLEBASE, TABLES, random_positions};

type Tables = shakmaty_syzygy::Tablebase<Chess>;

fn same(position: &Position) -> Chess {
    let setup: Fen = fen::write(position).parse().expect("a FEN");
    let position = setup.into_position(CastlingMode::Standard);
    position.expect("a legal position")
}

/// The distance after a move, for the side that has made it.
fn distance(tables: &Tables, next: &Chess) -> i32 {
    if next.is_checkmate() {
        return 1;
    }
    if next.halfmoves() == 0 {
        let wdl = tables.probe_wdl_after_zeroing(next).expect("a table");
        return Dtz::before_zeroing(-wdl).into();
    }
    let dtz = tables.probe_dtz(next).expect("a table").ignore_rounding();
    let dtz = -i32::from(dtz);
    dtz + dtz.signum()
}

/// All results, and the distances after all moves of one position in ten.
#[test]
fn shakmaty_agrees() {
    const SEED: u64 = 4;
    let count = scale(10_000, 200_000);
    println!("seed {SEED}, {count} positions");
    let mut tables = Tables::new();
    tables.add_directory(TABLES).expect("the tables");
    let positions = random_positions(&mut ChaCha8Rng::seed_from_u64(SEED), count);
    let mut counts = [0; 5];
    for (number, position) in positions.iter().enumerate() {
        let text = fen::write(position);
        let expected = tables
            .probe_wdl_after_zeroing(&same(position))
            .expect("a table");
        let found = TABLEBASE.probe_wdl_at_zero(position).expect("a table");
        counts[found as usize] += 1;
        assert_eq!(found as i32 + Wdl::Loss as i32, expected as i32, "{text}");
        if number % 10 == 0 {
            for (m, rank) in TABLEBASE.probe_root(position).expect("tables") {
                let next = same(&position.play_unchecked(m));
                assert_eq!(rank.dtz(), Some(distance(&tables, &next)), "{text} {m}");
            }
        }
    }
    // With so few pieces the fifty-move rule spoils nothing.
    assert!(
        [0, 2, 4].iter().all(|&result| counts[result] > 0),
        "{counts:?}"
    );
    assert_eq!(TABLEBASE.errors().count(), 0);
}
