//! A program that is itself stopped for a while.

use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use super::bed::{Bed, wait, wait_until};

#[test]
fn an_answer_that_came_while_we_were_stopped_is_in_time() {
    let bed = Bed::new();
    let command = "match --new './engine --sleep=100' --base './engine --sleep=100' --tc 4+0.2 \
                   --rounds 1 --max-moves 15 --concurrency 1 --out out";
    let child = bed.command(command).spawn().expect("it starts");
    wait_until(|| bed.path("out/ledger.jsonl").exists());
    let id = Pid::from_child(&child);
    std::thread::sleep(Duration::from_millis(700));
    kill_process(id, Signal::STOP).expect("ours");
    std::thread::sleep(Duration::from_millis(5500));
    kill_process(id, Signal::CONT).expect("ours");
    let ended = wait(child);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    for record in bed.read("out").records {
        assert_eq!(record.fault, None);
    }
}
