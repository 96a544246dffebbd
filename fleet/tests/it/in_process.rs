//! The rules of a broker, kept by the one within one program.

use fleet::InProcess;

use crate::rules;

#[test]
fn in_process_keeps_every_rule() {
    for (name, rule) in rules::RULES {
        println!("{name}");
        rule(&InProcess::new());
    }
    let used = InProcess::new();
    for (name, rule) in rules::RULES {
        println!("{name}, on a broker that was used before");
        rule(&used);
    }
}
