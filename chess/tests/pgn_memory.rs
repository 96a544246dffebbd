//! A text of any length is read in the memory that one game needs.

use std::io::{self, BufReader, Read};

use chacha20::ChaCha8Rng;
use chess::notation::pgn::{self, PgnReader};
use peak_alloc::PeakAlloc;
use rand::SeedableRng;
use testkit::games::{Kind, random_game};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

const SEED: u64 = 67;
/// What may be in use at once: a buffer, and a game with its variations.
const MOST_BYTES: usize = 1_000_000;

/// The same text again and again.
struct Again<'a> {
    text: &'a [u8],
    read: usize,
    times: usize,
}

impl Read for Again<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.times == 0 {
            return Ok(0);
        }
        let count = (&self.text[self.read..]).read(buffer)?;
        self.read += count;
        if self.read == self.text.len() {
            self.read = 0;
            self.times -= 1;
        }
        Ok(count)
    }
}

#[test]
fn a_long_text_in_constant_memory() {
    println!("seed {SEED}");
    let mut rng = ChaCha8Rng::seed_from_u64(SEED);
    let (mut text, mut games) = (String::new(), 0);
    while text.len() < 500_000 {
        let kind = Kind {
            chess960: games % 4 == 3,
            plain: false,
        };
        text += &pgn::write(&random_game(&mut rng, kind)).expect("it can be written");
        games += 1;
    }
    let bytes = usize::try_from(testkit::scale(10_000_000, 100_000_000)).expect("64 bits");
    let times = bytes.div_ceil(text.len());
    let input = Again {
        text: text.as_bytes(),
        read: 0,
        times,
    };
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    let reader = PgnReader::new(BufReader::new(input)).keep_variations();
    let read = reader
        .inspect(|game| assert!(game.is_ok(), "{game:?}"))
        .count();
    let most = ALLOCATOR.peak_usage() - before;
    assert_eq!(read, games * times);
    assert!(most < MOST_BYTES, "{most} bytes were in use at once");
    println!(
        "{read} games, {} bytes, {most} bytes in use at once",
        text.len() * times
    );
}
