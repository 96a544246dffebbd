//! The evaluation by a network: against a reference implementation that adds up number by number, on every kind of
//! vectors this CPU has, and whatever was valued before.

use chacha20::ChaCha8Rng;
use chess::notation::fen;
use chess::rules::{Color, Piece, Position, Square};
use engine::eval::network::{
    BUCKETS, HIDDEN, INPUTS, KingBuckets, OUTPUT_LIMIT, OUTPUT_UNIT, ReadNetworkError, UNIT,
    WeightRow, Weights,
};
use engine::eval::{Cache, Evaluation, LIMIT, Network, Phased};
use rand::{RngExt, SeedableRng};

use super::SEED;
use super::visit::{mirrored, position, visit};
use testkit::scale;

/// Buckets by chance, of which some are far from each other.
fn random_kings(rng: &mut ChaCha8Rng) -> KingBuckets {
    let count: u8 = rng.random_range(1..=8);
    let mut map = std::array::from_fn(|_| rng.random_range(0..count));
    for bucket in 0..count {
        map[usize::from(bucket) * 3] = bucket;
    }
    KingBuckets::new(map).expect("each occurs")
}

/// Numbers by chance, of every size that a file may have.
fn random_weights(seed: u64) -> Weights {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut weights = Weights::zero(HIDDEN, random_kings(&mut rng));
    let mut row = |most: i16| WeightRow(std::array::from_fn(|_| rng.random_range(-most..=most)));
    weights.bias = row(200);
    weights.inputs.fill_with(|| row(120));
    // No bucket's sum may leave 32 bits.
    let most = i16::try_from(16_000 / HIDDEN)
        .expect("small")
        .min(OUTPUT_LIMIT);
    weights.outputs.fill_with(|| [row(most), row(most)]);
    weights.output_bias = std::array::from_fn(|_| rng.random_range(-50_000..=50_000));
    weights.scale = 100;
    weights
}

/// The value as the documentation has it, one number after the other.
fn reference(weights: &Weights, position: &Position) -> i32 {
    let mover = position.side_to_move();
    let mut pieces: Vec<(Piece, Square)> = Vec::new();
    for square in Square::ALL {
        pieces.extend(position.piece_at(square).map(|piece| (piece, square)));
    }
    let mut sum: i64 = 0;
    let bucket = ((pieces.len() - 2) / 4).min(BUCKETS - 1);
    for (half, side) in [mover, !mover].into_iter().enumerate() {
        let king = position.king(side) as usize;
        let on_right = king % 8 >= 4;
        let king_file = if on_right { 7 - king % 8 } else { king % 8 };
        let king_rank = if side == Color::Black {
            7 - king / 8
        } else {
            king / 8
        };
        let king_bucket = usize::from(weights.kings.map()[king_rank * 4 + king_file]);
        for neuron in 0..HIDDEN {
            let mut value = i64::from(weights.bias.0[neuron]);
            for &(piece, square) in &pieces {
                let (mut file, mut rank) = (square as usize % 8, square as usize / 8);
                if side == Color::Black {
                    rank = 7 - rank;
                }
                if on_right {
                    file = 7 - file;
                }
                let owner = if piece.color == side { 0 } else { 6 };
                let input = (owner + piece.piece_type as usize) * 64 + rank * 8 + file;
                let row = &weights.inputs[king_bucket * INPUTS + input];
                value += i64::from(row.0[neuron]);
            }
            let cut = value.clamp(0, i64::from(UNIT));
            sum += cut * cut * i64::from(weights.outputs[bucket][half].0[neuron]);
        }
    }
    let parts = sum / i64::from(UNIT) + i64::from(weights.output_bias[bucket]);
    let one = i64::from(UNIT) * i64::from(OUTPUT_UNIT);
    let value = parts * i64::from(weights.scale) / one;
    i32::try_from(value)
        .expect("a value")
        .clamp(1 - LIMIT, LIMIT - 1)
}

/// The same as far as it counts: who is ahead decides how much of the end game does. No network is
/// asked about a lone king.
fn faded(network: &Network, position: &Position) -> i32 {
    if Network::has_lone_king(position) {
        return network.trace(position).value();
    }
    let trace = network.trace(position);
    let value = reference(network.weights(), position);
    let end_game = value * i32::from(trace.scale()) / 64;
    trace.taper().blend(Phased::new(value, end_game))
}

#[test]
fn every_kind_of_vectors_agrees_with_the_reference() {
    for seed in 1..=2 {
        let network = Network::new(random_weights(SEED + seed));
        let all = network.on_all_vectors();
        visit(scale(200, 2_000), SEED + 20, |position| {
            let expected = faded(&network, position);
            for (index, one) in all.iter().enumerate() {
                let found = one.evaluate(position);
                assert_eq!(found, expected, "{index}: {}", fen::write(position));
            }
        });
    }
}

/// Positions of many games at any ply, so that what was valued before may be anything; two networks
/// take turns now and then.
#[test]
fn values_are_those_of_the_trace_whatever_was_valued_before() {
    let networks = [1, 2].map(|seed| Network::new(random_weights(SEED + seed)));
    let mut rng = ChaCha8Rng::seed_from_u64(SEED);
    let (mut cache, mut current) = (Cache::new(), 0);
    visit(scale(10_000, 100_000), SEED + 21, |position| {
        if rng.random_ratio(1, 500) {
            current = 1 - current;
        }
        let network = &networks[current];
        let trace = network.trace(position);
        let value = network.evaluate(position);
        assert_eq!(trace.value(), value, "{}", fen::write(position));
        assert!(value.abs() < LIMIT);
        // The mirrored position has the same value.
        for position in [position, &mirrored(position)] {
            let found = network.evaluate_cached(position, rng.random_range(0..200), &mut cache);
            assert_eq!(found, value, "{}", fen::write(position));
        }
        let table = trace.to_string();
        assert!(table.lines().all(|line| line.len() < 80), "{table}");
    });
}

#[test]
fn network_scores_are_never_mates() {
    for sign in [-1, 1] {
        let mut weights = Weights::zero(HIDDEN, KingBuckets::ONE);
        weights.scale = 10_000;
        weights.output_bias.fill(sign << 24);
        let network = Network::new(weights);
        let value = network.evaluate(&Position::startpos());
        assert_eq!(value, sign * (LIMIT - 1));
    }
}

#[test]
fn no_network_is_asked_about_a_lone_king() {
    let networks = [1, 2].map(|seed| Network::new(random_weights(SEED + seed)));
    for (text, is_alone) in [
        ("8/8/8/3k4/8/8/1R6/4K3 w - - 0 1", true),
        ("4k3/p7/8/8/8/8/8/3K4 b - - 0 1", true),
        ("4k3/p7/8/8/8/8/P7/3K4 b - - 0 1", false),
    ] {
        let position = position(text);
        assert_eq!(Network::has_lone_king(&position), is_alone, "{text}");
        let [one, other] = networks
            .each_ref()
            .map(|network| network.evaluate(&position));
        assert_eq!(one == other, is_alone, "{text}");
    }
}

#[test]
fn the_built_in_network_knows_the_value_of_a_queen() {
    for (text, range) in [
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            0..100,
        ),
        (
            "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            501..LIMIT,
        ),
        (
            "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1",
            -LIMIT..-500,
        ),
    ] {
        let value = Network::built_in().evaluate(&position(text));
        assert!(range.contains(&value), "{text}: {value}");
    }
}

#[test]
fn a_file_is_read_as_it_was_written_and_damage_is_found() {
    let weights = random_weights(SEED);
    let bytes = weights.to_bytes();
    assert_eq!(Weights::from_bytes(&bytes), Ok(weights.clone()));
    let damaged = |change: fn(&mut Vec<u8>)| {
        let mut bytes = bytes.clone();
        change(&mut bytes);
        bytes
    };
    let changed = |change: fn(&mut Weights)| {
        let mut weights = weights.clone();
        change(&mut weights);
        weights.to_bytes()
    };
    // The bias comes first, then the inputs.
    let place = HIDDEN + 3 * HIDDEN + 2;
    #[rustfmt::skip]
    let rows = [
        (Vec::new(), "this is not a network".to_owned()),
        (damaged(|bytes| bytes.truncate(10)), "10 bytes, expected ".to_owned()),
        (damaged(|bytes| bytes.truncate(999)), "999 bytes, expected ".to_owned()),
        (damaged(|bytes| bytes[8..10].fill(0xff)), format!("65535 neurons a side, expected 1 to {HIDDEN}")),
        (damaged(|bytes| bytes[12] = 9), "the king buckets are not numbered from 0 to at most 31".to_owned()),
        (damaged(|bytes| bytes[5000] ^= 1), ReadNetworkError::Checksum.to_string()),
        (
            changed(|weights| {
                weights.outputs[2] = [WeightRow([0; HIDDEN]); 2];
                weights.outputs[2][1].0[..255].fill(OUTPUT_LIMIT);
                weights.outputs[2][0].0[..255].fill(-5);
            }),
            "sum of output weights number 2 is 33660, expected 0 to 33025".to_owned(),
        ),
        (
            changed(|weights| weights.inputs[3].0[2] = -30_000),
            format!("input weight number {place} is -30000, expected -992 to 992"),
        ),
    ];
    for (bytes, expected) in rows {
        let fault = Weights::from_bytes(&bytes)
            .expect_err(&expected)
            .to_string();
        assert!(fault.starts_with(&expected), "{fault}");
    }
    assert_eq!(INPUTS, 768);
}

/// The neurons that a file does not have are zero, and a file of version 1 has no words about them.
#[test]
fn smaller_and_older_networks_are_read() {
    let mut weights = random_weights(SEED + 3);
    weights.hidden = 64;
    let small = Weights::from_bytes(&weights.to_bytes()).expect("a network");
    assert_eq!(small.bias.0[..64], weights.bias.0[..64]);
    assert!(small.bias.0[64..].iter().all(|&number| number == 0));
    let network = Network::new(small);
    visit(scale(100, 1_000), SEED + 24, |position| {
        assert_eq!(network.evaluate(position), faded(&network, position));
    });
    let old = Weights::from_bytes(&version_1()).expect("a network");
    assert_eq!((old.hidden, old.kings), (256, KingBuckets::ONE));
    assert_eq!((old.scale, old.output_bias), (7, [3; BUCKETS]));
    assert!(old.inputs.iter().all(|row| row.0[..256] == [2; 256]));
    let new = Weights::from_bytes(&old.to_bytes()).expect("a network");
    assert_eq!(new, old);
    let short = Weights::from_bytes(&version_1()[..99]).expect_err("cut");
    assert_eq!(short.to_string(), "99 bytes, expected 401972");
}

/// A file of version 1, every weight of which is 2.
fn version_1() -> Vec<u8> {
    let mut bytes = b"TSNET\0\0\x01".to_vec();
    bytes.extend(7_i32.to_le_bytes());
    bytes.extend([3_i32.to_le_bytes(); BUCKETS].as_flattened());
    let count = 256 * (1 + INPUTS + 2 * BUCKETS);
    bytes.extend(std::iter::repeat_n(2_i16.to_le_bytes(), count).flatten());
    let sum = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |sum, &byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    });
    bytes.extend(sum.to_le_bytes());
    bytes
}
