//! The kernels, the table and the threads against their slow reference implementations.

use std::sync::atomic::AtomicBool;

use chacha20::ChaCha8Rng;
use chess::notation::fen;
use chess::perft::{self, CountError, CountTable, Counter, Kernel};
use chess::rules::{Position, mailbox};
use rand::SeedableRng as _;
use rayon::iter::{ParallelBridge as _, ParallelIterator as _};
use testkit::positions::thrown_position;
use testkit::scale;

use crate::walk::scattered;

const SEED: u64 = 19_280_503;

fn available() -> impl Iterator<Item = Kernel> {
    Kernel::ALL
        .into_iter()
        .filter(|kernel| kernel.is_available())
}

#[test]
fn every_kernel_counts_as_the_plain_walk_does() {
    let positions = scattered(scale(5_000, 50_000), SEED).enumerate();
    positions.par_bridge().for_each(|(index, position)| {
        // One in twenty to depth 3: the third ply is batched too.
        for depth in 1..=2 + u32::from(index % 20 == 0) {
            let walked = Counter::new().bulk(false).count(&position, depth);
            for kernel in available() {
                let counted = Counter::new().kernel(kernel).count(&position, depth);
                assert_eq!(counted, walked, "{kernel}, depth {depth}, {position}");
            }
        }
    });
}

/// Three plies are forecast in lanes, where a fault may need a rare constellation: pieces on any
/// squares have more of them than games.
#[test]
fn kernels_agree_on_three_plies_of_thrown_pieces() {
    let count = scale(2_500, 25_000);
    let mut rng = ChaCha8Rng::seed_from_u64(SEED + 4);
    let thrown = (0..count).map(|_| thrown_position(&mut rng));
    let played = scattered(count, SEED + 5);
    thrown
        .chain(played)
        .enumerate()
        .par_bridge()
        .for_each(|(index, position)| {
            let plain = Counter::new().kernel(Kernel::Plain).count(&position, 3);
            for kernel in available() {
                if kernel != Kernel::Portable || index % 20 == 0 {
                    let counted = Counter::new().kernel(kernel).count(&position, 3);
                    assert_eq!(counted, plain, "{kernel}, {position}");
                }
            }
        });
}

/// Constellations in which a kernel was wrong, or easily could be.
#[test]
fn kernels_agree_on_rare_constellations() {
    let positions = [
        // The castling rook shields its king's target from the corner.
        "4k3/8/8/8/8/q7/8/1R2K3 b B - 0 1",
        "1r2k3/8/Q7/8/8/8/8/4K3 w b - 0 1",
        "1rk5/8/8/Q7/8/8/8/2K5 w b - 0 1",
        // A pawn that promotes was pinned by a piece that leaves.
        "6K1/5P2/7k/6n1/2b5/8/5P2/8 w - - 99 132",
        "5K2/q3P1B1/6Q1/k2P1N2/8/8/8/8 w - - 0 192",
        // A promoted piece looks through the square that its pawn left.
        "1k6/2p2P2/8/4r2p/8/7N/8/7K b - - 0 74",
        "3k4/6P1/4K1p1/p1p5/P7/2n3N1/2p2r2/1r6 b - - 0 57",
        // A rook that castles stood where a pawn would have attacked the king's square.
        "8/8/3Q4/8/8/1k6/5R2/R3K3 b Q - 0 1",
        // Both squares of a step stand before the same pawn.
        "4k3/4p3/8/4R3/8/8/8/4K3 b - - 0 1",
        "4k3/4p3/4Q3/8/8/8/8/4K3 b - - 0 1",
        // Numbers that have no room in a forecast.
        "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
        "q5kq/1q4q1/2q2q2/3q4/8/1Q6/Q6Q/2K5 w - - 0 1",
    ];
    for text in positions {
        let position = fen::parse(text).expect("legal");
        for depth in 2..=4 {
            let plain = Counter::new().kernel(Kernel::Plain).count(&position, depth);
            for kernel in available() {
                let counted = Counter::new().kernel(kernel).count(&position, depth);
                assert_eq!(counted, plain, "{kernel}, depth {depth}, {text}");
            }
        }
    }
}

#[test]
fn every_kernel_counts_as_the_mailbox_does() {
    for position in scattered(scale(10, 100), SEED + 1) {
        let oracle = mailbox::perft(&position.to_setup(), 3);
        for kernel in available() {
            let counted = Counter::new().kernel(kernel).count(&position, 3);
            assert_eq!(counted, Ok(oracle), "{kernel}, {position}");
        }
    }
}

#[test]
fn a_position_and_its_mirror_count_alike() {
    for position in scattered(scale(50, 500), SEED + 2) {
        let mirror = Position::from_setup(position.to_setup().mirrored()).expect("legal too");
        let [counted, mirrored] = [position, mirror].map(|one| perft::count(&one, 3));
        assert_eq!(counted, mirrored, "{position}");
    }
}

#[test]
fn a_table_of_any_size_changes_no_count() {
    let tables = [1, 16].map(|size| CountTable::new(size).expect("memory"));
    for position in scattered(scale(10, 100), SEED + 3) {
        let plain = perft::count(&position, 4);
        for table in &tables {
            // Shared by all positions, so that a wrong hit would show.
            let counter = Counter::new().table(table);
            assert_eq!(counter.count(&position, 4), plain, "{position}");
            let parallel = counter.count_parallel(&position, 4);
            assert_eq!(parallel, plain, "{position}");
        }
    }
}

#[test]
fn a_deep_count_with_a_table_is_exact() {
    let table = CountTable::new(64).expect("memory");
    let counter = Counter::new().table(&table);
    let counted = counter.count_parallel(&Position::startpos(), 7);
    assert_eq!(counted, Ok(3_195_901_860));
}

#[test]
fn any_number_of_threads_gives_the_same_divide() {
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let lopsided = "8/8/8/8/1p2P1p1/k1p1K1P1/2P5/8 w - - 0 1";
    for (text, depth) in [(kiwipete, 4), (lopsided, 7)] {
        let position = fen::parse(text).expect("legal");
        let expected = Counter::new().divide(&position, depth);
        for threads in [1, 2, 3, 8] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            let pool = pool.build().expect("threads");
            let divide = pool.install(|| Counter::new().divide_parallel(&position, depth));
            assert_eq!(divide, expected, "{threads} threads, {text}");
        }
    }
}

#[test]
fn shallow_depths() {
    let start = Position::startpos();
    let mate =
        fen::parse("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3").expect("legal");
    for counter in [Counter::new(), Counter::new().bulk(false)] {
        assert_eq!(counter.count(&start, 0), Ok(1));
        assert_eq!(counter.divide(&start, 0), Ok(Vec::new()));
        assert_eq!(counter.count(&start, 1), Ok(20));
        assert_eq!(counter.count(&mate, 0), Ok(1));
        for depth in 1..6 {
            assert_eq!(counter.count(&mate, depth), Ok(0));
            assert_eq!(counter.count_parallel(&mate, depth), Ok(0));
        }
    }
}

#[test]
fn depths_beyond_the_largest_are_rejected() {
    let bare = fen::parse("4k3/8/8/8/8/8/8/4K3 w - - 0 1").expect("legal");
    let too_deep = Err(CountError::Depth(256));
    for counter in [Counter::new(), Counter::new().bulk(false)] {
        assert_eq!(counter.count(&bare, 256), too_deep);
        assert_eq!(counter.count_parallel(&bare, 256), too_deep);
        assert!(counter.divide(&bare, 256).is_err());
        // The deepest that is allowed ends by overflow or cancellation, not by the stack's.
        let cancel = AtomicBool::new(true);
        assert!(counter.cancel(&cancel).count(&bare, 255).is_err());
    }
}

#[test]
fn counting_stops_when_cancelled() {
    let cancel = AtomicBool::new(true);
    let counter = Counter::new().cancel(&cancel);
    let start = Position::startpos();
    for counter in [counter, counter.bulk(false)] {
        assert_eq!(counter.count(&start, 9), Err(CountError::Cancelled));
    }
    let broken_down = perft::breakdown(&start, 9, &cancel);
    assert_eq!(broken_down, Err(CountError::Cancelled));
}
