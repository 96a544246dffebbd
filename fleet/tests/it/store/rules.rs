//! The rules of all brokers, kept by the queue in a database.

use super::bench::{Lab, immediate};

#[path = "../../../../queue/tests/it/rules/mod.rs"]
#[expect(dead_code, reason = "some rules are those of one process")]
pub(crate) mod all;

#[test]
fn the_queue_keeps_every_rule() {
    let lab = Lab::new(immediate());
    for (name, rule) in all::RULES {
        println!("{name}");
        rule(&all::Bed { broker: &lab, name });
    }
}
