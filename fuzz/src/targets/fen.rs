//! FENs, and the positions they describe.

use std::sync::LazyLock;

use chess::notation::fen::{
    CastlingText, EnPassantMode, FenFault, FenReason, FenStyle, ParseFenError,
};
use chess::notation::uci_move::UciMove;
use chess::notation::{fen, move_list, san, uci_move};
use chess::rules::explain::explain;
use chess::rules::{CastlingMode, Move, Position, PositionFault, mailbox};

use crate::target::{FuzzTarget, judge, rejected, sound, text};

targets![fen san uci_move move_list];

fn fen(bytes: &[u8]) -> bool {
    let text = text(bytes);
    let lenient = fen::parse_lenient(&text);
    match &lenient {
        Ok(read) => {
            faults_lie_within(&text, &read.tolerated);
            // Only lenient reading accepts impossible checks, but `check_text` is strict.
            let cannot_arise = |fault: &FenFault| {
                matches!(
                    fault.reason,
                    FenReason::Position(PositionFault::ImpossibleCheck { .. })
                )
            };
            if !read.tolerated.iter().any(cannot_arise) {
                check_text(&read.position);
            }
            check_position(&read.position);
        }
        Err(error) => fen_error(&text, error),
    }
    let strict = fen::parse(&text);
    match fen::parse_setup(&text) {
        Ok(setup) => {
            assert_eq!(setup.mirrored().mirrored(), setup);
            let position = Position::from_setup(setup).ok();
            assert_eq!(strict.as_ref().ok(), position.as_ref());
        }
        Err(error) => assert_eq!(strict, Err(error)),
    }
    match strict {
        Ok(position) => {
            let lenient = lenient.as_ref().expect("lenient reads what strict does");
            assert_eq!(lenient.position, position);
            assert!(lenient.tolerated.is_empty());
        }
        Err(error) => fen_error(&text, &error),
    }
    lenient.is_ok()
}

fn fen_error(text: &str, error: &ParseFenError) {
    assert!(!error.faults.is_empty(), "an error without a fault");
    assert_eq!(error.text, text);
    faults_lie_within(text, &error.faults);
    rejected(error);
}

fn faults_lie_within(text: &str, faults: &[FenFault]) {
    for fault in faults {
        assert!(
            text.is_char_boundary(fault.offset),
            "{fault}: not in the text"
        );
    }
}

/// A position is written and read again as itself, in every style.
fn check_text(position: &Position) {
    assert_eq!(sound(fen::parse(&fen::write(position))), *position);
    for ep in [
        EnPassantMode::Always,
        EnPassantMode::PseudoLegal,
        EnPassantMode::Legal,
    ] {
        for castling in [CastlingText::XFen, CastlingText::Shredder] {
            let style = FenStyle { ep, castling };
            let mut again = sound(fen::parse(&fen::write_with(position, style)));
            if again.ep_square() != position.ep_square() {
                // Only an en passant square that nobody can use may be left out.
                let mut setup = again.to_setup();
                setup.ep_square = position.ep_square();
                again = sound(Position::from_setup(setup));
            }
            assert_eq!(again, *position, "{style:?}");
        }
    }
}

fn sorted(moves: impl IntoIterator<Item = Move>) -> Vec<Move> {
    let mut moves: Vec<Move> = moves.into_iter().collect();
    moves.sort_unstable();
    moves
}

/// Both generators agree, and each move survives every notation.
fn check_position(position: &Position) {
    let moves = sorted(position.legal_moves());
    assert_eq!(moves, sorted(mailbox::legal_moves(&position.to_setup())));
    assert_eq!(position.legal_move_count() as usize, moves.len());
    assert_eq!(position.key(), position.key_from_scratch());
    for &m in &moves {
        let next = position.play_unchecked(m);
        assert_eq!(next.key(), next.key_from_scratch(), "key after {m}");
    }
    // One move is fast to check; the key picks it, so that a failure can be repeated.
    let picked = position.key() % moves.len().max(1) as u64;
    let picked = usize::try_from(picked).expect("an index");
    let Some(&m) = moves.get(picked) else {
        return;
    };
    assert_eq!(san::parse(&san::write(m, position), position), Ok(m));
    for mode in [CastlingMode::Standard, CastlingMode::Chess960] {
        let again = uci_move::parse(&uci_move::write(m, position, mode), position, mode);
        // In standard notation, castling from squares of Chess960 can look like a step of the king.
        if mode == CastlingMode::Chess960 || mode == position.castling_mode() {
            assert_eq!(again, Ok(m));
        }
    }
    let list = move_list::write(&moves, position);
    assert_eq!(sound(move_list::parse(&list, position)), moves);
}

fn san(bytes: &[u8]) -> bool {
    let text = text(bytes);
    let mut is_read = false;
    for position in POSITIONS.iter() {
        let strict = san::parse(&text, position);
        match san::parse_lenient(&text, position) {
            Ok(m) => {
                is_read = true;
                let written = san::write(m, position);
                assert_eq!(san::parse(&written, position), Ok(m));
                assert_eq!(strict.is_ok(), text == written);
            }
            Err(error) => {
                rejected(&error);
                // Strict reading begins with lenient reading, so its error is the same.
                assert_eq!(strict, Err(error));
            }
        }
    }
    is_read
}

fn uci_move(bytes: &[u8]) -> bool {
    let text = text(bytes);
    judge(text.parse(), |read: UciMove| {
        assert_eq!(read.to_string(), text);
        for position in POSITIONS.iter() {
            for mode in [CastlingMode::Standard, CastlingMode::Chess960] {
                judge(uci_move::parse(&text, position, mode), |m| {
                    assert!(position.is_legal(m), "{m} is not legal");
                    let written = UciMove::from_move(m, position, mode);
                    assert_eq!(written.to_move(position, mode), Some(m));
                });
            }
            let m = match read.promotion {
                Some(kind) => Move::new_promotion(read.from, read.to, kind),
                None => Move::new(read.from, read.to),
            };
            rejected(&explain(position, m));
        }
    })
}

fn move_list(bytes: &[u8]) -> bool {
    let text = text(bytes);
    let mut is_read = false;
    for position in POSITIONS.iter() {
        is_read |= judge(move_list::parse(&text, position), |moves| {
            let written = move_list::write(&moves, position);
            assert_eq!(sound(move_list::parse(&written, position)), moves);
        });
    }
    is_read
}

/// Positions with castling, promotions, en passant, pins, many queens, checkmate, and no move at all.
pub(super) static POSITIONS: LazyLock<Vec<Position>> = LazyLock::new(|| {
    let fens = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        "8/2P1P3/8/K2pP2r/8/8/1p4k1/R7 w - d6 0 2",
        "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
        "1rk1r1r1/8/8/8/8/8/8/1RK1R1R1 w EBeb - 0 1",
        "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
    ];
    let read = |text| fen::parse(text).expect("a sound FEN");
    fens.into_iter().map(read).collect()
});
