//! What the engine shows of its position: FEN, key and checkers on `d` or `position`, moves on `list`.
//!
//! The key is kept by moves as engines do, from features of the position before and after each, so
//! that any of them can be forgotten.

use chess::notation::fen::{self, CastlingText, EnPassantMode, FenStyle};
use chess::notation::uci_move;
use chess::rules::{
    CastlingMode, CastlingSide, Color, Game, Move, Piece, PieceType, Position, Rank, Square,
};

names! {
    /// How `d` is answered.
    Display
    // What sound engines do.
    Sound "En passant squares where a pawn stands beside, in FEN and key"
    EpAlways "En passant squares after every double step"
    EpLegal "En passant squares where the capture is legal"
    EpMixed "En passant squares after every double step in the FEN, and in the key where the capture is legal"
    EpAsGiven "As the first, but the square of a FEN is kept even where no pawn stands beside"
    LowerCase "Lines in lower case and another order, with other lines between them, and `0x` before the key"
    FenOnly "A FEN without clocks, and no other line"
    KeyOnly "The key, and no other line"
    Shredder "Castling rights by the rooks' files"
    FlagKey "A key that does not depend on which rook may castle, only on its side"
    EpStrictFen "En passant squares where a pawn stands beside, but in the key of a FEN only where the capture is legal"
    ClockKey "A key that depends on the halfmove clock"
    NarrowKey "A decimal key of 32 bits"
    TinyKey "A key of 12 bits"
    PlaysItsMove "After a search, the position behind the move found"
    // Faults.
    StaleEpKey "The key by moves ignores that the en passant square changes"
    StaleCastlingKey "The key by moves ignores that castling rights end"
    StaleCaptureKey "The key by moves keeps captured pieces"
    StaleEnPassantKey "The key by moves keeps a pawn captured en passant"
    StalePromotionKey "The key by moves keeps the pawn of a promotion"
    StaleRookKey "The key by moves leaves the castling rook behind"
    NoSideKey "No key depends on the side to move"
    NoCastlingKey "No key depends on castling rights"
    NoEpKey "No key depends on the en passant square"
    OrderKey "The key depends on the last move; there is none before the first"
    ConstantKey "Every position has the same key"
    StaleFenRights "Castling rights never end in the FEN"
    StaleFenEp "The FEN keeps the en passant square of the last double step"
    NoFenEp "The FEN has no en passant square"
    OtherSide "The FEN has the other side to move"
    GhostPawn "A pawn captured en passant stays on the board of the FEN"
    StaleClock "The halfmove clock goes on after a capture"
    FastClock "The move number grows after each ply"
    OneChecker "Of two checkers, one is shown"
    SearchKey "A search leaves another key behind"
    CrashInCheck "Abort in check"
    HangInCheck "Hang in check"
}

names! {
    /// How `list` is answered.
    List
    Sound "Correctly; promotions count as captures"
    LegalOnly "Correctly, but only `legal` is known"
    NoEnPassant "Captures without en passant"
    Twice "A check twice"
    Illegal "An illegal evasion"
    Crash "Abort"
}

/// The lines of `d`; `found` is the first move, if a search has been made since the position came.
pub(crate) fn lines(how: Display, game: &Game, found: Option<&str>) -> Vec<String> {
    let mut game = game.clone();
    if let Some(text) = found
        && how == Display::PlaysItsMove
    {
        let m = uci_move::parse(text, game.position(), CastlingMode::Standard);
        game.play(m.expect("a legal move")).expect("a legal move");
    }
    let position = *game.position();
    let mut fen = shown_fen(how, &game);
    let mut number = key(how, &game);
    if how == Display::SearchKey && found.is_some() {
        number ^= 1;
    }
    let mut checkers: Vec<String> = position
        .checkers()
        .into_iter()
        .map(|one| one.to_string())
        .collect();
    if how == Display::OneChecker {
        checkers.truncate(1);
    }
    let checkers = checkers.join(" ");
    match how {
        Display::LowerCase => vec![
            "info string a board".to_owned(),
            format!(
                "checkers: {}",
                if checkers.is_empty() { "-" } else { &checkers }
            ),
            "pawn key: 0".to_owned(),
            format!("hash : 0x{number:x}"),
            format!("fen: {fen}"),
        ],
        Display::FenOnly => {
            let fields: Vec<&str> = fen.split(' ').take(4).collect();
            fen = fields.join(" ");
            vec![format!("Fen: {fen}")]
        }
        Display::OrderKey if game.moves().len() == 0 => vec![format!("Fen: {fen}")],
        Display::KeyOnly => vec![format!("Key: {number:016X}")],
        Display::NarrowKey => vec![format!("Key: {}", number >> 32)],
        Display::TinyKey => vec![format!("Key: {:03X}", number >> 52)],
        _ => vec![
            " +---+---+".to_owned(),
            format!("Fen: {fen}"),
            format!("Key: {number:016X}"),
            format!("Checkers: {checkers} "),
        ],
    }
}

fn shown_fen(how: Display, game: &Game) -> String {
    let position = game.position();
    let style = FenStyle {
        ep: match how {
            Display::EpAlways | Display::EpMixed => EnPassantMode::Always,
            Display::EpAsGiven if game.moves().len() == 0 => EnPassantMode::Always,
            Display::EpLegal => EnPassantMode::Legal,
            _ => EnPassantMode::PseudoLegal,
        },
        castling: match how {
            Display::Shredder => CastlingText::Shredder,
            _ => CastlingText::XFen,
        },
    };
    let text = fen::write_with(position, style);
    let mut fields: Vec<String> = text.split(' ').map(str::to_owned).collect();
    let mut clock = game.start().halfmove_clock();
    let mut before = *game.start();
    for m in game.moves() {
        let after = before.play_unchecked(m);
        let is_pawn = before
            .pieces(before.side_to_move(), PieceType::Pawn)
            .contains(m.from());
        clock = if is_pawn { 0 } else { clock + 1 };
        if how == Display::StaleFenEp
            && after.ep_square().is_none()
            && let Some(square) = before.ep_square()
        {
            fields[3] = square.to_string();
        }
        if how == Display::GhostPawn && before.is_en_passant(m) {
            "8/8/8/8/8/8/8/8".clone_into(&mut fields[0]);
        }
        before = after;
    }
    match how {
        Display::StaleFenRights => {
            let start = fen::write(game.start());
            let rights = start.split(' ').nth(2);
            rights
                .expect("a FEN has six fields")
                .clone_into(&mut fields[2]);
        }
        Display::NoFenEp => "-".clone_into(&mut fields[3]),
        Display::OtherSide => {
            let other = if fields[1] == "w" { "b" } else { "w" };
            other.clone_into(&mut fields[1]);
        }
        Display::StaleClock => fields[4] = clock.to_string(),
        Display::FastClock => {
            let plies = u32::try_from(game.moves().len()).expect("games are short");
            fields[5] = (game.start().fullmove_number() + plies).to_string();
        }
        _ => {}
    }
    fields.join(" ")
}

/// The key, kept by moves from that of the first position.
fn key(how: Display, game: &Game) -> u64 {
    let mut before = *game.start();
    let mut key = Features::of(how, &before).key();
    if game.moves().len() == 0 {
        match how {
            Display::EpAsGiven => return Features::of(Display::EpAlways, &before).key(),
            Display::EpStrictFen => return Features::of(Display::EpLegal, &before).key(),
            _ => {}
        }
    }
    for m in game.moves() {
        let after = before.play_unchecked(m);
        let (old, new) = (Features::of(how, &before), Features::of(how, &after));
        key ^= old.key() ^ new.key();
        let victim = before
            .piece_at(m.to())
            .map(|piece| piece_key(piece, m.to()));
        let us = before.side_to_move();
        let pawn = Piece::new(us, PieceType::Pawn);
        key ^= match how {
            Display::StaleEpKey => old.ep ^ new.ep,
            Display::StaleCastlingKey => old.rights ^ new.rights,
            Display::StaleCaptureKey if before.is_capture(m) && !before.is_en_passant(m) => {
                victim.unwrap_or(0)
            }
            Display::StaleEnPassantKey if before.is_en_passant(m) => {
                let square = Square::new(m.to().file(), m.from().rank());
                piece_key(Piece::new(!us, PieceType::Pawn), square)
            }
            Display::StalePromotionKey if m.promotion().is_some() => piece_key(pawn, m.from()),
            Display::StaleRookKey if before.is_castling(m) => victim.unwrap_or(0),
            _ => 0,
        };
        before = after;
    }
    match how {
        Display::ConstantKey => 0,
        Display::OrderKey => {
            let last = game.moves().last();
            key ^ last.map_or(0, |m| mix(m.from().index() as u64, 6))
        }
        Display::ClockKey => key ^ mix(u64::from(before.halfmove_clock()) / 8, 5),
        _ => key,
    }
}

/// What a key stands for.
struct Features {
    pieces: u64,
    rights: u64,
    ep: u64,
    side: u64,
}

impl Features {
    fn of(how: Display, position: &Position) -> Self {
        let pieces = position.occupied().into_iter().map(|square| {
            let piece = position.piece_at(square).expect("the square is occupied");
            piece_key(piece, square)
        });
        let rights = position.castling_rooks().into_iter();
        let rights = rights.map(|rook| {
            let color = usize::from(rook.rank() == Rank::R8);
            let king = position.king(Color::ALL[color]);
            let side = CastlingSide::new(king, rook) as usize;
            let index = match how {
                Display::FlagKey => color * 2 + side,
                _ => rook.index(),
            };
            mix(index as u64, 2)
        });
        let ep = match how {
            Display::NoEpKey => None,
            Display::EpAlways => position.ep_square(),
            Display::EpLegal | Display::EpMixed => position.legal_ep_square(),
            _ => position
                .ep_square()
                .filter(|&square| !position.ep_capturers(square).is_empty()),
        };
        let has_side = how != Display::NoSideKey && position.side_to_move() == Color::Black;
        Self {
            pieces: pieces.fold(0, |key, one| key ^ one),
            rights: match how {
                Display::NoCastlingKey => 0,
                _ => rights.fold(0, |key, one| key ^ one),
            },
            ep: ep.map_or(0, |square| mix(square.file().index() as u64, 3)),
            side: if has_side { mix(0, 4) } else { 0 },
        }
    }

    fn key(&self) -> u64 {
        self.pieces ^ self.rights ^ self.ep ^ self.side
    }
}

fn piece_key(piece: Piece, square: Square) -> u64 {
    let kind = piece.color.index() * 6 + piece.piece_type.index();
    mix((kind * 64 + square.index()) as u64, 1)
}

/// A number that looks random (`SplitMix64`).
fn mix(index: u64, salt: u64) -> u64 {
    let state = (index * 8 + salt).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let state = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let state = (state ^ state >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    state ^ state >> 31
}

/// The line that answers `list SET`; `None` if there is no such set.
pub(crate) fn list(how: List, set: &str, position: &Position) -> Option<String> {
    let is_capture = |m: Move| {
        position.is_capture(m) && !(how == List::NoEnPassant && position.is_en_passant(m))
            || m.promotion().is_some()
    };
    let mut moves: Vec<Move> = position.legal_moves().to_vec();
    match set {
        "legal" => {}
        _ if how == List::LegalOnly => return None,
        "evasions" => {}
        "captures" => moves.retain(|&m| is_capture(m)),
        "checks" => moves.retain(|&m| position.play_unchecked(m).is_check()),
        _ => return None,
    }
    let write = |&m: &Move| uci_move::write(m, position, CastlingMode::Standard);
    let mut texts: Vec<String> = moves.iter().map(write).collect();
    match how {
        List::Twice if set == "checks" => texts.extend(texts.first().cloned()),
        List::Illegal if set == "evasions" => texts.push("a1a1".to_owned()),
        _ => {}
    }
    Some(format!("moves: {}", texts.join(" ")))
}
