//! The candidates on positions of random games, against the generator and against a reference implementation made of arithmetic.

#![expect(clippy::print_stdout, reason = "a failing test shows its seed")]

use std::collections::BTreeMap;

use chacha20::ChaCha8Rng;
use chess::notation::fen;
use chess::rules::{CastlingMode, Color, Piece, PieceType, Position, Rank, Square};
use crowd::candidates::{candidates, canonical, class_of, legal_texts, move_of};
use crowd::model::{MoveClass, MoveText};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use testkit::{random_start, scale};

const SEED: u64 = 20_261_121;

/// Plays random games until `count` positions have been visited; every other game is Chess960.
fn visit(count: u64, seed: u64, mut check: impl FnMut(&Position, &mut ChaCha8Rng)) {
    println!("seed {seed}, {count} positions");
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (mut visited, mut games) = (0, 0_u64);
    while visited < count {
        let mut position = random_start(&mut rng, games % 2 == 1);
        games += 1;
        for _ in 0..rng.random_range(1..=200) {
            check(&position, &mut rng);
            visited += 1;
            let Some(&m) = position.legal_moves().choose(&mut rng) else {
                break;
            };
            position = position.play_unchecked(m);
        }
    }
}

#[test]
fn every_legal_move_is_a_candidate_in_its_canonical_text() {
    let mut met = BTreeMap::new();
    visit(scale(5_000, 20_000), SEED, |position, _| {
        let candidates = candidates(position);
        let fen = || fen::write(position);
        assert!(candidates.is_sorted_by(|a, b| a.text < b.text), "{}", fen());
        let texts = legal_texts(position);
        assert_eq!(texts.len(), position.legal_moves().len(), "{}", fen());
        for listed in &texts {
            let place = candidates.binary_search_by(|c| c.text.cmp(listed));
            let place = place.unwrap_or_else(|_| panic!("{listed} in {}", fen()));
            let class = candidates[place].class;
            let m = move_of(position, listed);
            assert!(position.is_legal(m), "{listed} in {}", fen());
            assert_eq!(position.is_castling(m), class == MoveClass::Castling);
            assert_eq!(position.is_en_passant(m), class == MoveClass::EnPassant);
            assert_eq!(m.promotion().is_some(), class == MoveClass::Promotion);
            *met.entry(class).or_insert(0_u64) += 1;
        }
    });
    println!("{met:?}");
    assert_eq!(met.len(), MoveClass::ALL.len(), "{met:?}");
}

/// The class of a conceivable move, by differences of files and ranks.
fn reference(
    position: &Position,
    from: Square,
    to: Square,
    promotion: Option<PieceType>,
) -> Option<MoveClass> {
    let piece = position.piece_at(from)?;
    let us = position.side_to_move();
    if piece.color != us {
        return None;
    }
    let number = |square: Square| {
        let index = i32::try_from(square.index()).expect("at most 63");
        (index % 8, index / 8)
    };
    let ((from_file, from_rank), (to_file, to_rank)) = (number(from), number(to));
    let (up, first, last) = if us == Color::White {
        (1, 0, 7)
    } else {
        (-1, 7, 0)
    };
    let ranks = to_rank - from_rank;
    let (wide, high) = ((to_file - from_file).abs(), ranks.abs());
    let kind = piece.piece_type;
    let promotes = kind == PieceType::Pawn && to_rank == last;
    if promotes != promotion.is_some() {
        return None;
    }
    let at_home = from_rank == first && to_rank == first;
    let own_rook = position.piece_at(to) == Some(Piece::new(us, PieceType::Rook));
    let castles = match position.castling_mode() {
        CastlingMode::Standard => at_home && from_file == 4 && wide == 2,
        CastlingMode::Chess960 => at_home && own_rook,
    };
    let (straight, aslant) = (wide == 0 || high == 0, wide == high);
    let two_ahead = ranks == 2 * up && from_rank == first + up;
    let reaches = match kind {
        PieceType::Pawn => wide == 0 && (ranks == up || two_ahead) || wide == 1 && ranks == up,
        PieceType::Knight => wide * high == 2,
        PieceType::Bishop => aslant,
        PieceType::Rook => straight,
        PieceType::Queen => straight || aslant,
        PieceType::King => wide.max(high) == 1 || castles,
    };
    reaches.then_some(match kind {
        PieceType::King if castles => MoveClass::Castling,
        PieceType::King => MoveClass::King,
        PieceType::Pawn if promotes => MoveClass::Promotion,
        PieceType::Pawn if wide == 1 && position.ep_square() == Some(to) => MoveClass::EnPassant,
        _ => MoveClass::Ordinary,
    })
}

/// Every two squares with every promotion or none.
fn triples() -> Vec<(Square, Square, Option<PieceType>)> {
    let mut triples = Vec::new();
    for from in Square::ALL {
        for to in Square::ALL {
            if from != to {
                triples.push((from, to, None));
                triples.extend(PieceType::PROMOTIONS.map(|promotion| (from, to, Some(promotion))));
            }
        }
    }
    triples
}

fn classes(position: &Position) -> BTreeMap<MoveText, MoveClass> {
    let candidates = candidates(position).into_iter();
    candidates.map(|c| (c.text, c.class)).collect()
}

#[test]
fn the_reference_of_arithmetic_has_the_same_candidates() {
    let triples = triples();
    visit(scale(5_000, 20_000) / 10, SEED + 1, |position, _| {
        let by_reference: BTreeMap<MoveText, MoveClass> = triples
            .iter()
            .filter_map(|&(from, to, promotion)| {
                let class = reference(position, from, to, promotion)?;
                Some((MoveText::new(from, to, promotion), class))
            })
            .collect();
        assert_eq!(classes(position), by_reference, "{}", fen::write(position));
    });
}

#[test]
fn canonical_texts_are_fixed_and_classes_are_those_of_the_candidates() {
    let triples = triples();
    visit(scale(5_000, 20_000) / 160, SEED + 2, |position, _| {
        let text = fen::write(position);
        let candidates = classes(position);
        let own = position.by_color(position.side_to_move());
        for (index, &(from, to, promotion)) in triples.iter().enumerate() {
            // Where none of the own pieces stands, every move has the same fault: some of them show it.
            if !own.contains(from) && index % 16 != 0 {
                continue;
            }
            let listed = MoveText::new(from, to, promotion);
            let class = candidates.get(&listed).copied();
            assert_eq!(class_of(position, &listed), class, "{listed} in {text}");
            match canonical(position, &listed) {
                Ok(once) => {
                    let twice = canonical(position, &once);
                    assert_eq!(twice.as_ref(), Ok(&once), "{listed} in {text}");
                    assert!(class.is_none() || once == listed, "{listed} in {text}");
                }
                Err(_) => assert_eq!(class, None, "{listed} in {text}"),
            }
        }
    });
}

/// The same position to the side to move, with other pieces of the opponent; nothing where that is not legal.
fn with_other_opponents(position: &Position, rng: &mut ChaCha8Rng) -> Option<Position> {
    let them = !position.side_to_move();
    let mut setup = position.to_setup();
    let is_needed = |square: Square| {
        // The pawn that makes the en passant field possible.
        let ep_file = position.ep_square().map(Square::file) == Some(square.file());
        position.king(them) == square || ep_file && square.rank() == Rank::R4.relative_to(them)
    };
    for square in Square::ALL {
        let there = setup.piece_at(square);
        let is_theirs = there.is_some_and(|piece| piece.color == them);
        if is_theirs && !is_needed(square) && rng.random_range(0..2) == 0 {
            setup.board[square.index()] = None;
        } else if there.is_none() && rng.random_range(0..30) == 0 {
            let kinds = [PieceType::Knight, PieceType::Bishop, PieceType::Rook];
            setup.board[square.index()] = kinds.choose(rng).map(|&kind| Piece::new(them, kind));
        }
    }
    let rook = Some(Piece::new(them, PieceType::Rook));
    setup.castling_rooks = position
        .castling_rooks()
        .into_iter()
        .filter(|&square| {
            position.by_color(!them).contains(square) || setup.piece_at(square) == rook
        })
        .collect();
    Position::from_setup(setup).ok()
}

/// What is asked gives no hint of what the opponent's pieces allow.
#[test]
fn other_pieces_of_the_opponent_leave_the_candidates_as_they_are() {
    let (mut tried, mut other_moves) = (0_u32, 0_u32);
    visit(scale(5_000, 20_000), SEED + 3, |position, rng| {
        let Some(other) = with_other_opponents(position, rng) else {
            return;
        };
        // The castling field, which is shown, decides which form castling has.
        if other.castling_mode() != position.castling_mode() {
            return;
        }
        let text = fen::write(position);
        assert_eq!(candidates(&other), candidates(position), "{text}");
        tried += 1;
        other_moves += u32::from(legal_texts(&other) != legal_texts(position));
    });
    println!("{tried} positions changed, {other_moves} with other legal moves");
    assert!(other_moves > 1000, "{tried}, {other_moves}");
}

#[test]
fn sizes_are_known() {
    for (text, size) in [
        // Pawns: two steps each, 14 aslant. Knights 3, bishops 7, rooks 14 each; queen 21; king 5, castling 2.
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            16 + 14 + 6 + 14 + 28 + 21 + 5 + 2,
        ),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", 5 + 2),
        ("3k4/8/8/8/8/8/8/3K4 w - - 0 1", 5),
        ("8/8/8/3k4/8/8/8/K7 w - - 0 1", 3),
        ("7k/P7/8/8/8/8/8/K7 w - - 0 1", 3 + 2 * 4),
        ("7k/8/8/pP6/8/8/8/K7 w - a6 0 1", 3 + 3),
        ("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w BGbg - 0 1", 14 + 14 + 5 + 2),
    ] {
        let position = fen::parse(text).expect("a legal FEN");
        assert_eq!(candidates(&position).len(), size, "{text}");
    }
}
