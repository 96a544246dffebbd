//! Table files with random values, for tests: of any material, each piece order, factor order,
//! compression and map allowed by the format. They tell nothing about chess, but two programs that
//! read them must find the same values.

mod writer;

use std::path::{Path, PathBuf};

use chacha20::ChaCha8Rng;
use chess::notation::fen;
use chess::rules::{Color, Piece, PieceType, Position, Setup};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use self::writer::TableWriter;
use crate::format::{TableKind, TableLayout};
use crate::material::Material;
use crate::{Tablebase, TablebaseWdl};

/// A legal position of this material, its colours exchanged or not.
fn random_position(material: Material, rng: &mut ChaCha8Rng) -> Position {
    loop {
        let mut setup = Setup::empty();
        let is_exchanged = rng.random_range(0..2) == 1;
        for color in Color::ALL {
            let shown = if is_exchanged { !color } else { color };
            for kind in PieceType::ALL {
                let is_king = kind == PieceType::King;
                let count = if is_king {
                    1
                } else {
                    material.count(color, kind)
                };
                for _ in 0..count {
                    let square = rng.random_range(0..64);
                    setup.board[square] = Some(Piece::new(shown, kind));
                }
            }
        }
        setup.side_to_move = Color::ALL[rng.random_range(0..2)];
        if let Ok(position) = Position::from_setup(setup)
            && [material, material.exchanged()].contains(&Material::from_position(&position))
        {
            return position;
        }
    }
}

/// Writes tables of these materials to a new folder.
#[expect(clippy::disallowed_methods, reason = "tables are files")]
fn write_tables(materials: &[Material], seed: u64) -> PathBuf {
    let name = format!("touchstone-tables-{}-{seed}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    std::fs::create_dir_all(&folder).expect("a folder");
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    for material in materials {
        for (kind, ending) in [(TableKind::Wdl, "rtbw"), (TableKind::Dtz, "rtbz")] {
            let is_wide = rng.random_range(0..2) == 1;
            let mut writer = TableWriter {
                rng: &mut rng,
                kind,
                large: 1,
                is_wide,
            };
            let path = folder.join(format!("{}.{ending}", material.name()));
            std::fs::write(path, writer.file(*material)).expect("a file");
        }
    }
    folder
}

/// What was compared.
#[derive(Debug, Default)]
struct Compared {
    results: [usize; 5],
    distances: usize,
    with_ep: usize,
}

/// Compares random positions of these materials, for which there are tables in a folder, with what
/// shakmaty-syzygy finds. Positions that lead to other tables, which are missing, are left out.
fn compare(folder: &Path, materials: &[Material], seed: u64, positions: usize) -> Compared {
    let ours = Tablebase::in_folders([folder]).expect("tables");
    let mut theirs = shakmaty_syzygy::Tablebase::new();
    theirs.add_directory(folder).expect("tables");
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut compared = Compared::default();
    for _ in 0..positions {
        let material = materials.choose(&mut rng).expect("some");
        let mut position = random_position(*material, &mut rng);
        // A double push that can be answered en passant is never left out.
        for &m in &*position.legal_moves() {
            let next = position.play_unchecked(m);
            if next.legal_ep_square().is_some() {
                position = next;
                break;
            }
        }
        let text = fen::write(&position);
        let setup: shakmaty::fen::Fen = text.parse().expect("a FEN");
        let mode = shakmaty::CastlingMode::Standard;
        let same = setup.into_position::<shakmaty::Chess>(mode).expect("legal");
        let Ok(expected) = theirs.probe_wdl_after_zeroing(&same) else {
            continue;
        };
        let found = ours.probe_wdl_at_zero(&position);
        let found = found.unwrap_or_else(|| panic!("seed {seed}: nothing for {text}"));
        assert_eq!(found as i32 - 2, expected as i32, "seed {seed}: {text}");
        compared.results[found as usize] += 1;
        compared.with_ep += usize::from(position.legal_ep_square().is_some());
        // The distances of the other side are computed from results that do not fit together here.
        if ours.stores_distance(&position) != Some(true) {
            continue;
        }
        if let (Some(dtz), Ok(expected)) = (ours.dtz(&position), theirs.probe_dtz(&same)) {
            let expected: i32 = expected.ignore_rounding().into();
            assert_eq!(dtz, expected, "seed {seed}: {text}");
            compared.distances += 1;
        }
    }
    let errors: Vec<String> = ours.errors().map(ToString::to_string).collect();
    assert!(errors.is_empty(), "{errors:?}");
    println!("seed {seed}: {compared:?}");
    compared
}

/// Of 3 to 7 pieces: three single pieces, kings only, one or two sides with pawns, both sides alike.
const NAMES: [&str; 24] = [
    "KQvK", "KPvK", "KQvKR", "KRRvK", "KPvKP", "KRvKR", "KPPvK", "KRPvK", "KBBvKN", "KRPvKP",
    "KPPvKP", "KQQvKQ", "KNNNvK", "KRBvKN", "KPPPvK", "KQRvKR", "KRRvKRR", "KPPvKPP", "KBNPvKP",
    "KPPPPvK", "KQQQQvK", "KPPPvKPP", "KQQQQQvK", "KPPPPPvK",
];

#[test]
fn shakmaty_reads_the_same_values() {
    for (seed, name) in (1..).zip(NAMES) {
        let materials = [Material::from_name(name).expect("a name")];
        let folder = write_tables(&materials, seed);
        let compared = compare(&folder, &materials, seed, 5_000);
        std::fs::remove_dir_all(&folder).expect("it is ours");
        assert!(compared.distances > 0, "{name}: {compared:?}");
    }
}

/// With the tables that captures and promotions lead to.
#[test]
fn shakmaty_resolves_captures_alike() {
    const SEED: u64 = 50;
    let mut materials = Vec::new();
    for first in ["", "Q", "R", "B", "N", "P"] {
        for second in ["Q", "R", "B", "N", "P"] {
            for name in [format!("K{second}vK{first}"), format!("K{first}{second}vK")] {
                materials.extend(Material::from_name(&name));
            }
        }
    }
    materials.sort_unstable();
    materials.dedup();
    assert_eq!(materials.len(), 35);
    let folder = write_tables(&materials, SEED);
    let compared = compare(&folder, &materials, SEED, 100_000);
    let pawns = [Material::from_name("KPvKP").expect("a name")];
    let with_pawns = compare(&folder, &pawns, SEED + 1, 50_000);
    std::fs::remove_dir_all(&folder).expect("it is ours");
    assert_eq!(
        compared.results.iter().sum::<usize>(),
        100_000,
        "all are known"
    );
    assert!(!compared.results.contains(&0), "{compared:?}");
    assert!(with_pawns.with_ep > 200, "{with_pawns:?}");
}

/// Changes a few bytes, most of them in the header, or cuts the file.
fn damage(bytes: &mut Vec<u8>, rng: &mut ChaCha8Rng) {
    if rng.random_range(0..8) == 0 {
        let blocks = bytes.len() / 64;
        bytes.truncate(64 * rng.random_range(0..blocks) + 16);
        return;
    }
    for _ in 0..rng.random_range(1..5) {
        let end = *[16, 64, 1024, bytes.len()].choose(rng).expect("four");
        let place = rng.random_range(4..end.min(bytes.len()));
        bytes[place] = *[
            0,
            0xff,
            bytes[place] ^ 1 << rng.random_range(0..8),
            rng.random(),
        ]
        .choose(rng)
        .expect("four");
    }
}

#[test]
fn damaged_files_are_errors_or_values() {
    const SEED: u64 = 99;
    let rounds = testkit::scale(50, 400);
    println!("seed {SEED}, {rounds} files of each kind and material");
    let mut rng = ChaCha8Rng::seed_from_u64(SEED);
    let (mut rejected, mut unreadable, mut values) = (0, 0, 0);
    for name in ["KQvK", "KPvK", "KRvKR", "KRRvK", "KPvKP", "KQRvK"] {
        let material = Material::from_name(name).expect("a name");
        for kind in [TableKind::Wdl, TableKind::Dtz] {
            let mut bytes = Vec::new();
            for round in 0..rounds {
                // Sometimes a part is constant, so one file is not enough.
                if round % 50 == 0 {
                    let is_wide = rng.random_range(0..2) == 1;
                    let mut writer = TableWriter {
                        rng: &mut rng,
                        kind,
                        large: 1,
                        is_wide,
                    };
                    bytes = writer.file(material);
                }
                let mut damaged = bytes.clone();
                damage(&mut damaged, &mut rng);
                let Ok(table) = TableLayout::read(kind, material, &damaged) else {
                    rejected += 1;
                    continue;
                };
                for _ in 0..20 {
                    let position = random_position(material, &mut rng);
                    let is_exchanged = Material::from_position(&position) != material;
                    let is_value = match kind {
                        TableKind::Wdl => table.wdl(&damaged, &position, is_exchanged).is_some(),
                        TableKind::Dtz => {
                            let wdl = *TablebaseWdl::ALL.choose(&mut rng).expect("five");
                            table.dtz(&damaged, &position, is_exchanged, wdl).is_some()
                        }
                    };
                    *if is_value {
                        &mut values
                    } else {
                        &mut unreadable
                    } += 1;
                }
            }
        }
    }
    println!("{rejected} files rejected; {unreadable} probes failed, {values} gave values");
    assert!(rejected > 0 && unreadable > 0 && values > 0);
}
