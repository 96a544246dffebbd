//! Measures this machine as a worker of a lab does at its start, several times: `speed [THREADS [TIMES]]`.

use selfplay::fleet::speed::measure;

#[expect(clippy::print_stdout, reason = "what it is for")]
fn main() {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse().ok());
    let mut number = |default: usize| numbers.next().flatten().unwrap_or(default);
    let (threads, times) = (number(1), number(1));
    for _ in 0..times {
        match measure(threads) {
            Ok(speed) => println!("{speed}"),
            Err(busy) => println!("{busy}; perhaps {}", busy.estimate),
        }
    }
}
