//! The terms of profile `Touchstone`, counted by hand on small positions, and by a reference implementation on 64
//! squares on many.

use std::collections::BTreeMap;

use chess::notation::fen;
use chess::rules::Position;
use engine::eval::Touchstone;

use super::visit::{position, visit};
use super::{SEED, reference};
use testkit::scale;

/// The counts of a position by field and index, those of zero left out.
fn counts(position: &Position) -> BTreeMap<(&'static str, usize), i32> {
    let counted = Touchstone::coefficients(position).counts;
    let named = counted.into_iter().map(|(place, count)| {
        let place = usize::from(place);
        let holds = |field: &&engine::eval::Field| place < field.offset + field.len;
        let field = Touchstone::fields().iter().find(holds).expect("a field");
        ((field.name, place - field.offset), i32::from(count))
    });
    named.collect()
}

/// Compares the counts of one field with those expected, index by index.
fn check(text: &str, field: &str, expected: &[(usize, i32)]) {
    let found: Vec<_> = counts(&position(text))
        .into_iter()
        .filter(|&((name, _), _)| name == field)
        .map(|((_, index), count)| (index, count))
        .collect();
    assert!(
        Touchstone::fields().iter().any(|other| other.name == field),
        "no field {field}"
    );
    assert_eq!(found, expected, "{field} of {text}");
}

/// Checks rows of a table: FEN, field, and its counts as `index:count`, `-` for none. Lines that begin
/// with `#` are comments.
fn check_rows(table: &str) {
    let rows = table.lines().map(str::trim);
    for row in rows.filter(|row| !row.is_empty() && !row.starts_with('#')) {
        let [text, field, expected] = row.split(" | ").collect::<Vec<_>>()[..] else {
            panic!("three columns: {row}");
        };
        let pairs = expected.split(' ').filter(|&pair| pair != "-").map(|pair| {
            let (index, count) = pair.split_once(':').expect("index:count");
            (
                index.parse().expect("a number"),
                count.parse().expect("a number"),
            )
        });
        check(text, field, &pairs.collect::<Vec<_>>());
    }
}

#[test]
fn material_and_squares() {
    check_rows(
        "
        4k3/8/8/8/8/8/P7/R3K1N1 b - - 0 1 | material | 0:1 1:1 3:1
        4k3/8/8/8/8/8/P7/R3K1N1 b - - 0 1 | pawn_squares | 4:1
        4k3/8/8/8/8/8/P7/R3K1N1 b - - 0 1 | knight_squares | 1:1
        4k3/8/8/8/8/8/P7/R3K1N1 b - - 0 1 | rook_squares | 0:1
        4k3/8/8/8/8/8/P7/R3K1N1 b - - 0 1 | king_squares | -
        4k3/8/8/8/8/8/P7/R3K1N1 b - - 0 1 | tempo | 0:-1
        ",
    );
}

#[test]
fn mobility_counts_safe_squares() {
    check_rows(
        "
        # a4 a6 b3 b7 d3 d7 e4 e6.
        4k3/8/8/2N5/8/8/8/4K3 w - - 0 1 | knight_mobility | 8:1
        # The pawn on f7 takes e6 away; the own pawn on d3 stands in the way.
        4k3/5p2/8/2N5/8/3P4/8/4K3 w - - 0 1 | knight_mobility | 6:1
        4k3/8/8/8/8/8/8/B3K3 w - - 0 1 | bishop_mobility | 7:1
        # a1 to a8, b1 to d1.
        4k3/8/8/8/8/8/8/R3K3 w - - 0 1 | rook_mobility | 10:1
        4k3/8/8/8/8/8/8/q3K3 w - - 0 1 | queen_mobility | 18:-1
        ",
    );
}

#[test]
fn bishops() {
    check_rows(
        "
        4k3/8/8/8/8/8/3PP3/2B1KB2 w - - 0 1 | bishop_pair | 0:1
        # Two bishops on squares of one colour are no pair.
        4k3/8/8/8/8/8/8/2B1K1B1 w - - 0 1 | bishop_pair | -
        # c1, d2 and f4 are dark, e4 is light.
        4k3/8/8/8/4PP2/8/3P4/2B1K3 w - - 0 1 | bishop_pawns | 0:2
        ",
    );
}

#[test]
fn outposts_and_shields() {
    check_rows(
        "
        4k3/p6p/8/3N4/2P5/8/8/4K3 w - - 0 1 | outposts | 0:1
        # The pawn on e7 can come to e6.
        4k3/4p3/8/3N4/2P5/8/8/4K3 w - - 0 1 | outposts | -
        4k3/p7/8/3B4/2P5/8/8/4K3 w - - 0 1 | outposts | 1:1
        # From c3 the knight goes to d5, not to b5: the pawn on a7 could attack it.
        4k3/p7/8/8/2P5/2N5/8/4K3 w - - 0 1 | outposts_in_reach | 0:1
        4k3/8/8/8/2P5/2N5/8/4K3 w - - 0 1 | behind_pawn | 0:1
        ",
    );
}

#[test]
fn rooks() {
    check_rows(
        "
        4k3/p7/8/8/8/8/7P/RR2K2R w - - 0 1 | rook_files | 0:1 1:1
        4k3/R7/8/8/8/8/8/4K3 w - - 0 1 | rook_on_seventh | 0:1
        8/R7/4k3/8/8/8/8/4K3 w - - 0 1 | rook_on_seventh | -
        8/R5p1/4k3/8/8/8/8/4K3 w - - 0 1 | rook_on_seventh | 0:1
        # g1 is its only square.
        4k3/8/8/8/8/8/7P/5K1R w - - 0 1 | trapped_rook | 0:1
        4k3/8/8/8/8/8/7P/4K2R w K - 0 1 | trapped_rook | -
        # It may leave along its file.
        4k3/8/8/8/8/8/8/5K1R w - - 0 1 | trapped_rook | -
        ",
    );
}

#[test]
fn king_danger_counts_units() {
    check_rows(
        "
        # No piece near the king: no danger, without any pawn either.
        4k3/8/8/8/8/8/8/4K3 w - - 0 1 | king_danger | -
        # The queen on a8 attacks the zone: 4; d8, e8 and f8 are weak: 3; it gives check from d8, guarded by
        # the king, not safely; from a4, e4 it does: 3; three open files: 3.
        Q7/4k3/8/8/8/8/8/4K3 b - - 0 1 | king_danger | 0:1 13:-1
        ",
    );
}

#[test]
fn shelter_and_storm() {
    // The king on g1: f2 h3, and none on g; the black pawn on h4 is stopped.
    let text = "4k3/8/8/8/7p/7P/5P2/6K1 w - - 0 1";
    let shelter = |file: usize, rank: usize| file * 8 + rank;
    // The black king on e8: none on d, e, f.
    let mut expected = vec![
        (shelter(0, 2), 1),
        (shelter(1, 0), 1),
        (shelter(2, 0), -1),
        (shelter(2, 1), 1),
        (shelter(3, 0), -2),
    ];
    expected.sort_unstable();
    check(text, "shelter", &expected);
    check(text, "stopped_storm", &[(3, 1)]);
    // f2 is a pawn storm on the seventh rank of Black's, which comes to 6; else none: 2 less 2.
    check(text, "storm", &[(6, -1)]);
}

#[test]
fn threats() {
    check_rows(
        "
        4k3/8/3n1r2/4P3/8/8/8/4K3 b - - 0 1 | pawn_threats | 0:1 2:1
        # The knight attacks a rook, a bishop, and another one that a pawn defends.
        4k3/3p4/4b3/5r2/3N4/1b6/8/4K3 b - - 0 1 | minor_threats | 2:1 3:1
        4k3/8/8/8/8/3p4/2q5/n1R1K3 b - - 0 1 | rook_threats | 1:1 4:1
        4k3/8/8/8/8/8/8/R2nK3 w - - 0 1 | king_threats | 0:1
        4k3/8/8/8/8/8/8/R2nK3 w - - 0 1 | hanging | 1:1
        # On e4 the pawn would attack the piece on d5; but the bishop would take it.
        4k3/8/8/3b4/8/8/4P3/4K3 w - - 0 1 | push_threats | -
        4k3/8/8/3r4/8/8/4P3/4K3 w - - 0 1 | push_threats | 0:1
        ",
    );
}

#[test]
fn pawn_structure() {
    check_rows(
        "
        4k3/p7/8/8/8/8/P1P5/4K3 w - - 0 1 | isolated | 1:1
        4k3/8/8/8/4P3/4P3/4P3/4K3 w - - 0 1 | doubled | 0:2
        # d3 is behind c4 and e4, and the pawn on e5 waits for it.
        4k3/8/8/4p3/2P1P3/3P4/8/4K3 w - - 0 1 | backward | 1:1
        4k3/8/8/4p3/2P1P3/3P4/8/4K3 w - - 0 1 | supported | 2:2
        4k3/8/8/8/3PP3/8/8/4K3 w - - 0 1 | phalanx | 2:2
        # One guard on b6, one helper on b4.
        4k3/8/1p6/8/1PP5/8/8/4K3 w - - 0 1 | candidates | 2:1
        4k3/8/1p1p4/8/1PP5/8/8/4K3 w - - 0 1 | candidates | -
        ",
    );
}

#[test]
fn passed_pawns_and_their_way() {
    check_rows(
        "
        8/8/8/1PP4k/1n6/8/8/K7 b - - 0 1 | passed | 3:2
        8/8/8/1PP4k/1n6/8/8/K7 b - - 0 1 | passed_supported | 3:2
        # The knight attacks c6.
        8/8/8/1PP4k/1n6/8/8/K7 b - - 0 1 | passed_safe_step | 3:1
        8/8/8/1PP4k/1n6/8/8/K7 b - - 0 1 | passed_free | 3:1
        8/8/1n6/1P5k/8/8/8/K7 b - - 0 1 | passed_blocked | 3:1
        8/8/8/1P5k/8/1R6/1r6/K7 b - - 0 1 | passed_rook | 0:1
        # The foremost of two alone is passed.
        8/8/1P6/1P5k/8/8/8/K7 b - - 0 1 | passed | 4:1
        ",
    );
}

#[test]
fn passed_pawns_and_kings() {
    check_rows(
        "
        8/8/8/1P5k/8/8/8/1K6 b - - 0 1 | passed_own_king | 13:1
        8/8/8/1P5k/8/8/8/1K6 b - - 0 1 | passed_enemy_king | 14:1
        # Three steps: the king on h5 needs six.
        8/8/8/1P5k/8/8/8/1K6 b - - 0 1 | passed_unstoppable | 0:1
        # With the move it comes from f5 in time, and not without.
        8/8/8/1P3k2/8/8/8/1K6 b - - 0 1 | passed_unstoppable | -
        8/8/8/1P3k2/8/8/8/1K6 w - - 0 1 | passed_unstoppable | 0:1
        # Two steps at once from the second rank.
        8/8/8/8/6k1/8/P7/7K w - - 0 1 | passed_unstoppable | 0:1
        ",
    );
}

#[test]
fn space_is_own_half_of_the_centre() {
    check_rows(
        "
        # Twelve squares: White's less c3 and d4, taken, and c4, attacked; Black's less c5 and e5.
        4k3/8/8/1p6/3P4/2P5/8/4K3 w - - 0 1 | space | 0:-1
        ",
    );
}

#[test]
fn lone_kings() {
    check_rows(
        "
        7k/8/5K2/8/8/8/8/R7 w - - 0 1 | drive_to_edge | 0:1
        7k/8/5K2/8/8/8/8/R7 w - - 0 1 | drive_kings | 2:1
        7k/8/5K2/8/8/8/8/R7 w - - 0 1 | drive_to_corner | -
        # The bishop on f1 is light, as is h1.
        8/8/8/8/8/5K1k/8/5B1N b - - 0 1 | drive_to_corner | 2:1
        # A knight alone mates nobody.
        7k/8/5K2/8/8/8/8/N7 w - - 0 1 | drive_kings | -
        ",
    );
}

#[test]
fn the_reference_on_64_squares_agrees() {
    let mut seen = BTreeMap::new();
    visit(scale(5_000, 50_000), SEED + 7, |position| {
        let expected = reference::terms::counts(&position.to_setup());
        let mut found = counts(position);
        found.retain(|(name, _), _| reference::terms::FIELDS.contains(name));
        assert_eq!(found, expected, "{}", fen::write(position));
        for (name, _) in found.into_keys() {
            *seen.entry(name).or_insert(0) += 1;
        }
    });
    for field in reference::terms::FIELDS {
        assert!(seen.get(field).is_some_and(|&count| count > 20), "{field}");
    }
}
