//! Every kernel that this CPU can run, on every built-in suite.

use chess::perft::{Counter, Kernel};
use epd::suites;

/// The deepest counts of the largest trees are left to `perft check`.
const MOST_NODES: u64 = 3_000_000;

#[test]
fn every_kernel_agrees_with_every_suite() {
    for kernel in Kernel::ALL
        .into_iter()
        .filter(|kernel| kernel.is_available())
    {
        let counter = Counter::new().kernel(kernel);
        let mut counts = 0;
        for suite in suites::ALL {
            for entry in suite.parse().entries {
                for (depth, expected) in entry.record.perft_counts() {
                    if expected <= MOST_NODES {
                        let counted = counter.count(entry.record.position(), depth);
                        let (name, line) = (suite.name, entry.line);
                        assert_eq!(
                            counted,
                            Ok(expected),
                            "{kernel}, {name}:{line}, depth {depth}"
                        );
                        counts += 1;
                    }
                }
            }
        }
        assert!(counts > 3000, "the suites were read");
    }
}
