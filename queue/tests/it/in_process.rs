//! The rules of a broker, kept by the one within one program.

use queue::InProcess;

use crate::rules::{Bed, RULES, RULES_OF_ONE_PROCESS};

#[test]
fn in_process_keeps_every_rule() {
    let used = InProcess::new();
    for (name, rule) in RULES.into_iter().chain(RULES_OF_ONE_PROCESS) {
        println!("{name}, on a new broker and on one that was used before");
        for broker in [&InProcess::new(), &used] {
            rule(&Bed { broker, name });
        }
    }
}
