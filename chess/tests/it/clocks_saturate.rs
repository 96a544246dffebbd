//! Counters at the end of their range: both generators play on, and agree.

use chess::notation::fen;
use chess::rules::mailbox;

#[test]
fn counters_stay_at_the_end_of_their_range() {
    for side in ["w", "b"] {
        let text = format!("4k3/8/8/8/8/8/8/4K3 {side} - - 4294967295 4294967295");
        let position = fen::parse(&text).expect("a sound FEN");
        let setup = position.to_setup();
        for m in mailbox::legal_moves(&setup) {
            let played = position.play(m).expect("a legal move").to_setup();
            assert_eq!(played.halfmove_clock, u32::MAX);
            assert_eq!(played.fullmove_number, u32::MAX);
            assert_eq!(mailbox::play(&setup, m), played, "{text} {m}");
        }
    }
}
