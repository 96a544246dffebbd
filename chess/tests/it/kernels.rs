//! The kernels, the table and the threads against their slow reference implementations.

use std::sync::atomic::AtomicBool;

use chess::notation::fen;
use chess::perft::{self, CountError, Counter, Kernel, Table};
use chess::rules::{Position, mailbox};
use rayon::iter::{ParallelBridge as _, ParallelIterator as _};
use testkit::wanted_positions;

use crate::walk::scattered;

const SEED: u64 = 19_280_503;

fn available() -> impl Iterator<Item = Kernel> {
    Kernel::ALL
        .into_iter()
        .filter(|kernel| kernel.is_available())
}

#[test]
fn every_kernel_counts_as_the_plain_walk_does() {
    let positions = scattered(wanted_positions(50_000), SEED).enumerate();
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

#[test]
fn every_kernel_counts_as_the_mailbox_does() {
    for position in scattered(wanted_positions(50_000) / 500, SEED + 1) {
        let oracle = mailbox::perft(&position.to_setup(), 3);
        for kernel in available() {
            let counted = Counter::new().kernel(kernel).count(&position, 3);
            assert_eq!(counted, Ok(oracle), "{kernel}, {position}");
        }
    }
}

#[test]
fn a_position_and_its_mirror_count_alike() {
    for position in scattered(wanted_positions(50_000) / 100, SEED + 2) {
        let mirror = Position::from_setup(position.to_setup().mirrored()).expect("legal too");
        let [counted, mirrored] = [position, mirror].map(|one| perft::count(&one, 3));
        assert_eq!(counted, mirrored, "{position}");
    }
}

#[test]
fn a_table_of_any_size_changes_no_count() {
    let tables = [1, 16].map(|size| Table::new(size).expect("memory"));
    for position in scattered(wanted_positions(50_000) / 500, SEED + 3) {
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
    let table = Table::new(64).expect("memory");
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
