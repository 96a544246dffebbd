//! A program that is itself stopped for a while.

use std::time::Duration;

use rustix::process::Signal;

use crate::common::{Bed, send, wait, wait_until};

/// The pipe's own test turns the clock by hand; here, a clock that any machine keeps is slept through.
#[test]
#[ignore = "long: an engine is not blamed for a minute that we ourselves were stopped"]
fn an_answer_that_came_while_we_were_stopped_is_in_time() {
    let bed = Bed::new();
    let command = "match './engine --sleep=100' './engine --sleep=100' --tc 60 --rounds 1 \
                   --max-moves 15 --concurrency 1 --out out";
    let child = bed.spawn(command);
    wait_until(|| bed.path("out/ledger.jsonl").exists());
    std::thread::sleep(Duration::from_millis(700));
    send(Signal::STOP, &child);
    std::thread::sleep(Duration::from_secs(65));
    send(Signal::CONT, &child);
    wait(child).exits(0);
    for record in bed.read("out").records {
        assert_eq!(record.fault, None);
    }
}
