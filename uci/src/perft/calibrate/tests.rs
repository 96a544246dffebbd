//! Engines of every kind under calibration.

use chess::rules::{Bitboard, Piece, PieceType, Square};

use super::*;
use crate::perft::known::STARTPOS;

/// An engine that accepts `position fen … moves …` and `go perft N`, and prints by a function.
struct Engine<F> {
    position: Position,
    chess960: bool,
    ignores: fn(&str) -> bool,
    takes_fen: bool,
    speaks_uci: bool,
    /// Whether it crashes on a position, given as text.
    crashes: fn(&str) -> bool,
    crashed: u32,
    print: F,
}

impl<F: FnMut(&Position, u32) -> String> Engine<F> {
    fn new(print: F) -> Self {
        Self {
            position: Position::startpos(),
            chess960: false,
            ignores: |_| false,
            takes_fen: true,
            speaks_uci: true,
            crashes: |_| false,
            crashed: 0,
            print,
        }
    }

    fn take(&mut self, line: &str) -> Option<String> {
        if let Some(depth) = line.strip_prefix("go perft ") {
            let depth = depth.parse().expect("a depth");
            return Some((self.print)(&self.position, depth));
        }
        let text = line.strip_prefix("position fen ")?;
        let (root, moves) = text.split_once(" moves ").unwrap_or((text, ""));
        let root = if self.takes_fen { root } else { STARTPOS };
        self.position = fen::parse(root).expect("known positions are legal");
        for text in moves.split_whitespace() {
            let mode = self.position.castling_mode();
            let read = uci_move::parse(text, &self.position, mode);
            match read {
                Ok(m) if !(self.ignores)(text) => {
                    self.position = self.position.play_unchecked(m);
                }
                _ => break,
            }
        }
        None
    }
}

impl<F: FnMut(&Position, u32) -> String> Respondent for Engine<F> {
    fn put(&mut self, asked: &CalibrationQuestion<'_>, _: AnswerPatience) -> Result<Tried, Lost> {
        let question = asked.lines;
        if (self.crashes)(&question[0]) {
            self.crashed += 1;
            return Err(Lost::Ended("the engine was killed by signal 11".to_owned()));
        }
        let printed: Vec<String> = question.iter().filter_map(|line| self.take(line)).collect();
        let text = printed.join("\n");
        if let Some(how) = text.strip_prefix("crash ") {
            return Err(Lost::Ended(how.to_owned()));
        }
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        Ok(Tried {
            last: lines.last().cloned(),
            lines,
            ready_came_last: true,
            ..Tried::default()
        })
    }

    fn set_chess960(&mut self, on: bool) {
        self.chess960 = on;
    }

    fn abandon(&mut self) {}

    fn sync(&self, _: bool) -> AnswerEnd {
        if self.speaks_uci {
            AnswerEnd::WhenReady
        } else {
            AnswerEnd::Silence
        }
    }
}

const PATIENCE: Patiences = Patiences {
    first: AnswerPatience {
        answer: Duration::from_secs(1),
        silence: Duration::from_secs(1),
    },
    second: Duration::from_secs(1),
    rest: Duration::from_secs(1),
};

fn divide(position: &Position, depth: u32) -> Vec<(String, u64)> {
    let divide = Counter::new().divide(position, depth).expect("small");
    let mode = position.castling_mode();
    let write = |(m, nodes)| (uci_move::write(m, position, mode), nodes);
    divide.into_iter().map(write).collect()
}

fn stockfish(position: &Position, depth: u32) -> String {
    let rows = divide(position, depth).into_iter();
    let rows: Vec<String> = rows.map(|(m, nodes)| format!("{m}: {nodes}")).collect();
    let total = count(position, depth);
    format!("{}\n\nNodes searched: {total}", rows.join("\n"))
}

fn calibrated<F: FnMut(&Position, u32) -> String>(mut engine: Engine<F>) -> Calibration {
    let ask = Ask::find("go-perft").expect("known");
    let dialect = calibrate(&mut engine, &ask, true, PATIENCE, KnownPositions::EveryRule)
        .expect("it is understood");
    assert!(!engine.chess960, "standard chess is what comes next");
    dialect.calibration
}

fn reason<F: FnMut(&Position, u32) -> String>(mut engine: Engine<F>) -> String {
    let ask = Ask::find("go-perft").expect("known");
    let known = KnownPositions::EveryRule;
    match calibrate(&mut engine, &ask, false, PATIENCE, known) {
        Err(Unproved::Otherwise { reason, raw } | Unproved::Broken { reason, raw }) => {
            assert!(raw[0].starts_with("> position fen "), "{raw:?}");
            reason
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn all_of_a_plain_engine_is_proved() {
    let proved = calibrated(Engine::new(stockfish));
    let all = Calibration {
        fen: true,
        moves: true,
        promotions: true,
        castling: true,
        chess960: true,
        castling_960: true,
        rows: true,
        finished: false,
        totals: true,
        limits: Vec::new(),
    };
    assert_eq!(proved, all);
}

#[test]
fn what_is_not_taken_is_not_used() {
    let without = |ignores| Engine {
        ignores,
        speaks_uci: false,
        ..Engine::new(stockfish)
    };
    let proved = calibrated(without(|_| true));
    assert!(!proved.moves && !proved.promotions && !proved.castling);
    let why = "moves are not used, positions are given by FEN: \
               it answers as if g1f3 g8f6 had not been played";
    assert_eq!(proved.limits, [why]);
    let proved = calibrated(without(|text| text.len() == 5));
    assert!(proved.moves && !proved.promotions && proved.castling);
    assert!(proved.limits[0].ends_with("as if a7a8r had not been played"));
    let proved = calibrated(without(|text| text == "e1g1" || text == "e8c8"));
    assert!(proved.moves && proved.promotions && !proved.castling);
}

/// In UCI, moves after a position are no matter of taste: the test itself shows what comes of them.
#[test]
fn what_a_uci_engine_ignores_is_asked_all_the_same() {
    let without = |ignores| Engine {
        ignores,
        ..Engine::new(stockfish)
    };
    let asked = |why: &str| {
        format!("moves are asked as in UCI, though it answers as if {why} had not been played")
    };
    let proved = calibrated(without(|_| true));
    assert!(proved.moves && proved.promotions && proved.castling);
    let ignored = ["g1f3 g8f6", "a7a8r", "e1g1", "e1g1 e8b8"];
    assert_eq!(proved.limits, ignored.map(asked));
    let proved = calibrated(without(|text| text == "e1g1" || text == "e8c8"));
    assert_eq!(proved.limits, ["e1g1", "e1g1 e8b8"].map(asked));
}

#[test]
fn who_takes_no_fen_is_not_understood() {
    let engine = Engine {
        takes_fen: false,
        ..Engine::new(stockfish)
    };
    let why = "it counts the start position, whatever FEN it is given";
    assert_eq!(reason(engine), why);
}

#[test]
fn other_depths_are_named() {
    let more = Engine::new(|position: &Position, depth| stockfish(position, depth + 1));
    assert_eq!(reason(more), "it counts one ply more than it is asked for");
    let less = Engine::new(|position: &Position, depth: u32| match depth {
        1 => "Nodes searched: 1".to_owned(),
        _ => stockfish(position, depth - 1),
    });
    assert_eq!(reason(less), "it counts one ply less than it is asked for");
}

#[test]
fn a_crash_names_the_question_and_proves_less() {
    let crash = |position: &Position, depth| match position.ep_square() {
        Some(_) => "crash the engine was killed by signal 11 (SIGSEGV)".to_owned(),
        None => stockfish(position, depth),
    };
    let proved = calibrated(Engine::new(crash));
    assert!(proved.rows && proved.moves);
    let why = "a known question has no answer: the engine was killed by signal 11 (SIGSEGV), \
               asked 'position fen 4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1 / go perft 1'";
    assert_eq!(proved.limits, [why]);
    let always = Engine::new(|_: &Position, _| "crash it ended".to_owned());
    assert!(reason(always).starts_with("it ended, asked 'position fen "));
}

#[test]
fn rows_that_cannot_be_read_are_left_alone() {
    let numbers = |position: &Position, depth| {
        let rows = divide(position, depth).into_iter().enumerate();
        let rows: Vec<String> = rows.map(|(n, (_, nodes))| format!("{n} {nodes}")).collect();
        format!("{}\n{} nodes", rows.join("\n"), count(position, depth))
    };
    let proved = calibrated(Engine::new(numbers));
    assert!(proved.totals && !proved.rows && proved.limits.is_empty());
    let mangled = |position: &Position, depth| stockfish(position, depth).replace("q: ", "?: ");
    let proved = calibrated(Engine::new(mangled));
    assert!(proved.totals && !proved.rows);
    assert!(proved.limits[0].starts_with("rows are not used: "));
}

#[test]
fn a_wrong_generator_is_understood_all_the_same() {
    let bare = |castles: bool, more: u64| {
        Engine::new(move |position: &Position, depth| {
            let castling = ["e1g1", "e1c1", "e8g8", "e8c8"];
            let rows = divide(position, depth).into_iter();
            let rows = rows.filter(|(m, _)| castles || !castling.contains(&m.as_str()));
            let (mut lines, mut total) = (Vec::new(), more);
            for (m, nodes) in rows {
                lines.push(format!("{m} {nodes}"));
                total += nodes;
            }
            format!("{}\n{total}", lines.join("\n"))
        })
    };
    // No castling; then a total without rows that is one too large.
    for (castles, more) in [(false, 0), (true, 1)] {
        let proved = calibrated(bare(castles, more));
        assert!(proved.rows && proved.totals && proved.moves, "{proved:?}");
    }
    let total = |position: &Position, depth| (count(position, depth) + 1).to_string();
    let proved = calibrated(Engine::new(total));
    assert!(proved.totals && !proved.rows);
}

/// Once one engine has seen castling rights by files, it always expects them, whatever
/// `UCI_Chess960` is.
#[test]
fn chess960_is_not_used_where_standard_chess_is_not_counted_after_it() {
    let mut is_stuck = false;
    let proved = calibrated(Engine::new(|position, depth| {
        is_stuck |= position.castling_mode() == CastlingMode::Chess960;
        let loses = is_stuck && position.castling_mode() == CastlingMode::Standard;
        let text = fen::write(position).replace(" KQkq ", if loses { " - " } else { " KQkq " });
        stockfish(&fen::parse(&text).expect("legal"), depth)
    }));
    assert!(!proved.chess960 && !proved.castling_960 && proved.castling);
    let why = "Chess960 is not used: with UCI_Chess960 false again, standard positions are \
               counted otherwise than before";
    assert_eq!(proved.limits, [why]);
}

/// One engine crashes on `HFhf`, the other on `KQkq`.
#[test]
fn both_notations_of_chess960_are_tried_also_after_a_crash() {
    let by_files: fn(&str) -> bool = |position| position.contains(" HFhf ");
    let by_letters: fn(&str) -> bool = |position| position.contains("BQ1BNRKR w KQkq");
    for (crashes, expected) in [(by_files, 1), (by_letters, 0)] {
        let mut engine = Engine {
            crashes,
            ..Engine::new(stockfish)
        };
        let ask = Ask::find("go-perft").expect("known");
        let dialect = calibrate(&mut engine, &ask, true, PATIENCE, KnownPositions::EveryRule)
            .expect("it is understood");
        assert!(dialect.calibration.chess960);
        assert_eq!(engine.crashed, expected);
    }
}

/// A move generator on its first evening: it reads any FEN, but only kings move, as if alone.
#[test]
fn who_knows_kings_only_is_understood_by_lone_kings() {
    let kings = |ignores: fn(&str) -> bool| Engine {
        ignores,
        ..Engine::new(|position: &Position, depth| {
            let mut setup = position.to_setup();
            let is_king = |piece: &Piece| piece.piece_type == PieceType::King;
            setup
                .board
                .iter_mut()
                .for_each(|square| *square = square.filter(is_king));
            setup.castling_rooks = Bitboard::EMPTY;
            setup.ep_square = None;
            // Of kings that stand side by side, none is counted.
            let alone = Position::from_setup(setup);
            alone.map_or_else(|_| String::new(), |alone| stockfish(&alone, depth))
        })
    };
    let ask = Ask::find("go-perft").expect("known");
    let calibrated = |ignores, known| calibrate(&mut kings(ignores), &ask, true, PATIENCE, known);
    assert!(calibrated(|_| false, KnownPositions::EveryRule).is_err());
    let proved = calibrated(|_| false, KnownPositions::LoneKings).expect("it is understood");
    let kings = Calibration {
        fen: true,
        moves: true,
        rows: true,
        totals: true,
        ..Calibration::default()
    };
    assert_eq!(proved.calibration, kings);
    // Moves come later: without them, positions are given by FEN.
    let proved = calibrated(|_| true, KnownPositions::LoneKings).expect("it is understood");
    let why = "moves are not used, positions are given by FEN: \
               it answers as if a1b2 h8g7 had not been played";
    assert_eq!(proved.calibration.limits, [why]);
    assert!(!proved.calibration.moves && proved.calibration.rows);
}

/// To the depths asked, the kings never come so near that the rules of check matter.
#[test]
fn lone_kings_are_alone() {
    for (text, depths) in KnownPositions::LoneKings.counted() {
        let mut positions = vec![fen::parse(text).expect("legal")];
        for _ in 0..*depths.last().expect("a depth") {
            let moves = |position: &Position| {
                let (us, them) = (position.side_to_move(), !position.side_to_move());
                let king = position.king(us);
                let near = |square: Square, other: Square| {
                    let files = square.file().index().abs_diff(other.file().index());
                    files.max(square.rank().index().abs_diff(other.rank().index())) <= 1
                };
                let steps = Square::ALL.into_iter();
                let steps = steps.filter(|&to| to != king && near(king, to));
                let legal = position.legal_moves();
                assert_eq!(
                    legal.len(),
                    steps.count(),
                    "{text}: {}",
                    position.king(them)
                );
                let next = legal.iter().map(|&m| position.play_unchecked(m));
                next.collect::<Vec<_>>()
            };
            positions = positions.iter().flat_map(moves).collect();
        }
    }
}
