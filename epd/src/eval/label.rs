//! Positions of games for judging evaluations: which to take, and how they are written.

use std::fmt::Write as _;

use chacha20::ChaCha8Rng;
use chess::notation::fen::{self, CastlingText, EnPassantMode, FenStyle};
use chess::notation::pgn::{CommentScore, PgnGame, ScoredPosition};
use chess::rules::{Color, Move, Position};
use rand::{RngExt as _, SeedableRng as _};

use super::data::{DataFormat, GameResult};
use super::pattern::WhiteScore;
use crate::files::classify::{is_noisy, is_quiet_after};
use crate::files::openings::game_id;

/// Which positions of a game to take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SampleRules {
    /// Plies at the start that belong to the opening.
    pub(crate) skip: usize,
    /// One position of every so many plies.
    pub(crate) every: usize,
    pub(crate) seed: u64,
}

/// A position that was taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LabelSample {
    pub(crate) position: Position,
    /// Number of plies played before it.
    pub(crate) ply: usize,
    pub(crate) result: GameResult,
    /// Centipawns from White's view; [`super::pattern::MATE_CP`] for a mate.
    pub(crate) score_cp: Option<i32>,
}

/// The result of a game that ended on the board or by adjudication (PGN standard, 9.8.1).
fn result_of(game: &PgnGame) -> Option<GameResult> {
    let ended = game.tag("Termination").unwrap_or("normal").to_lowercase();
    // How a game is lost on time or by a fault says nothing about its positions.
    let by_play = ["normal", "adjudication", "time adjudication", ""].contains(&ended.as_str());
    game.result.filter(|_| by_play).and_then(GameResult::of_pgn)
}

/// The positions taken of a game: of every [`SampleRules::every`] plies, from a random one on, the
/// first that is quiet, as [`is_quiet_after`] says, and whose move played is neither a capture nor a
/// promotion. The choice depends on the seed and the number of the game alone.
pub(crate) fn sample(game: &PgnGame, number: u64, rules: &SampleRules) -> Vec<LabelSample> {
    let Some(result) = result_of(game) else {
        return Vec::new();
    };
    let mut random = ChaCha8Rng::seed_from_u64(rules.seed);
    random.set_stream(number);
    let mut next = rules.skip + random.random_range(0..rules.every);
    let mut taken = Vec::new();
    let moves = &game.mainline.moves;
    let mut last: Option<(Position, Move)> = None;
    for (ply, (position, one)) in game.positions().zip(moves).enumerate() {
        let before_it = last.replace((position, one.played));
        if ply < next {
            continue;
        }
        let side = position.side_to_move();
        let own = score(&one.comments, side, ScoredPosition::BeforeMove);
        // The comment of the move before may have a score of this position as well.
        let before = || {
            let before = moves.get(ply.checked_sub(1)?)?;
            score(&before.comments, !side, ScoredPosition::AfterMove)
        };
        let score_cp = own.or_else(before);
        let before_it = before_it.as_ref().map(|(before, m)| (before, *m));
        if !is_noisy(&position, one.played) && is_quiet_after(before_it, &position) {
            taken.push(LabelSample {
                position,
                ply,
                result,
                score_cp,
            });
            // The stretch of plies after this one begins a new choice.
            next += rules.every * (1 + (ply - next) / rules.every);
        }
    }
    taken
}

fn score(comments: &[String], mover: Color, wanted: ScoredPosition) -> Option<i32> {
    let scores = comments
        .iter()
        .filter_map(|comment| CommentScore::read(comment, mover));
    let mut scores = scores.filter(|(_, of)| *of == wanted);
    let score = match scores.next()?.0 {
        CommentScore::Cp(cp) => WhiteScore::Cp(cp),
        CommentScore::Mate(moves) => WhiteScore::Mate(moves),
    };
    // The one who is mated in 0 is to move after the last move.
    score.limited_cp(!mover)
}

/// Where a sample is from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GameId {
    pub(crate) file: String,
    /// The number of the game in the file, from 1.
    pub(crate) number: u64,
    /// The number of the game in all files together.
    pub(crate) running: u64,
}

/// Writes a sample as a line of data; the formats are those that are read.
pub(crate) fn write_line(sample: &LabelSample, game: &GameId, format: DataFormat) -> String {
    let LabelSample {
        position,
        ply,
        result,
        score_cp,
    } = sample;
    let fen = fen::write(position);
    let mut line = String::new();
    let points = result.points();
    let score = score_cp.map(|score| score.to_string()).unwrap_or_default();
    let written = match format {
        DataFormat::Epd => {
            let style = FenStyle {
                ep: EnPassantMode::Legal,
                castling: CastlingText::XFen,
            };
            line += &fen::write_epd(position, style);
            write!(line, " c9 \"{result}\";").expect("a string takes all");
            if let Some(score) = score_cp {
                // The side to move's view, as the standard has it.
                let own = match position.side_to_move() {
                    Color::White => *score,
                    Color::Black => -score,
                };
                write!(line, " ce {own};").expect("a string takes all");
            }
            write!(line, " id {};", game_id(&game.file, game.number, *ply))
        }
        DataFormat::Fen => write!(line, "{fen} [{points:.1}]"),
        DataFormat::Bullet => write!(line, "{fen} | {score} | {points:.1}"),
        DataFormat::Trainer => write!(line, "{};{fen};{result};{score}", game.running),
        DataFormat::Csv => write!(line, "{fen},{result},{score},{}", game.running),
    };
    written.expect("a string takes all");
    line + "\n"
}

/// The line above all others, if a format has one.
pub(crate) const fn header(format: DataFormat) -> &'static str {
    match format {
        DataFormat::Csv => "fen,result,score_cp,game\n",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::data::DataReader;
    use crate::eval::pattern::MATE_CP;
    use chess::notation::pgn::PgnReader;

    const RULES: SampleRules = SampleRules {
        skip: 2,
        every: 1,
        seed: 1,
    };

    fn games(text: &str) -> Vec<PgnGame> {
        PgnReader::new(text.as_bytes())
            .map(|game| game.unwrap())
            .collect()
    }

    fn plies(text: &str, rules: &SampleRules) -> Vec<usize> {
        let samples = games(text).into_iter();
        let samples = samples.flat_map(|game| sample(&game, 1, rules));
        samples.map(|sample| sample.ply).collect()
    }

    #[test]
    fn quiet_positions_of_finished_games() {
        let moves = "1. e4 d5 2. exd5 Qxd5 3. Nc3 Qa5 4. d4 Nf6";
        // Ply 2: e4xd5 is played. Ply 3: so is Qxd5. Ply 4: Qxd5 was the last move. Ply 5: Black's
        // queen is attacked, but it is Black's move.
        assert_eq!(plies(&format!("{moves} 1-0"), &RULES), [5, 6, 7]);
        assert_eq!(plies(&format!("{moves} *"), &RULES), [0; 0]);
        let lost_on_time = format!("[Termination \"time forfeit\"]\n\n{moves} 1-0");
        assert_eq!(plies(&lost_on_time, &RULES), [0; 0]);
        // One of three plies, wherever the first is drawn.
        let text = "1. Nf3 Nf6 2. Nc3 Nc6 3. Rb1 Rb8 4. Ra1 Ra8 5. Rb1 Rb8 6. Ra1 Ra8 1/2-1/2";
        for seed in 0..5 {
            let rules = SampleRules {
                every: 3,
                skip: 0,
                seed,
            };
            let found = plies(text, &rules);
            assert_eq!(found.len(), 4, "{found:?}");
            let is_third = |pair: &[usize]| pair[1] - pair[0] == 3;
            assert!(found.windows(2).all(is_third), "{found:?}");
        }
    }

    #[test]
    fn scores_belong_to_their_position() {
        let text = "1. e4 {+0.31/12 0.1s} e5 {-0.10/11 0.1s} 2. Nf3 {+0.50/9} Nc6 {-M5/9} 1-0";
        let rules = SampleRules { skip: 0, ..RULES };
        let scores = |text: &str, rules| {
            let samples = sample(&games(text)[0], 1, rules).into_iter();
            samples.map(|one| one.score_cp).collect::<Vec<_>>()
        };
        let expected = [Some(31), Some(10), Some(50), Some(MATE_CP)];
        assert_eq!(scores(text, &rules), expected);
        let text = "1. e4 {[%eval 0.31]} e5 {[%eval 0.20]} 2. Nf3 {[%eval 0.30]} 1-0";
        assert_eq!(scores(text, &rules), [None, Some(31), Some(20)]);
    }

    #[test]
    fn what_is_written_can_be_read() {
        let text = "1. e4 {+0.31/12} e5 {-0.10/11} 2. Nf3 {+0.50/9} Nc6 0-1";
        let rules = SampleRules { skip: 1, ..RULES };
        let samples = sample(&games(text)[0], 1, &rules);
        let game = GameId {
            file: "a \"b\".pgn".to_owned(),
            number: 7,
            running: 12,
        };
        for format in [
            DataFormat::Epd,
            DataFormat::Fen,
            DataFormat::Bullet,
            DataFormat::Trainer,
            DataFormat::Csv,
        ] {
            let lines = samples.iter().take(2);
            let lines = lines.map(|one| write_line(one, &game, format));
            let text = header(format).to_owned() + &lines.collect::<String>();
            let read = DataReader::new(text.as_bytes());
            let read: Vec<_> = read.map(|one| one.unwrap()).collect();
            assert_eq!(read.len(), 2, "{format:?}: {text}");
            for (read, sample) in read.iter().zip(&samples) {
                assert_eq!(read.result, Some(GameResult::BlackWins), "{format:?}");
                assert_eq!(read.position.key(), sample.position.key(), "{format:?}");
                let has_scores = format != DataFormat::Fen;
                let score = sample.score_cp.filter(|_| has_scores);
                assert_eq!(read.score_cp, score, "{format:?}");
                let has_games = !matches!(format, DataFormat::Fen | DataFormat::Bullet);
                assert_eq!(read.game.is_some(), has_games, "{format:?}");
            }
        }
    }
}
