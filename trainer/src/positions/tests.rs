//! Samples positions from hand-written games.

use chess::notation::pgn::PgnReader;
use chess::rules::Color;

use super::{BATCH, PositionFilter, Sampler};
use crate::line::TrainingLine;

/// Accepts all positions from the first ply on.
const ALL: PositionFilter = PositionFilter {
    per_game: 100,
    skip: 0,
    gain: 50,
    decided: 1000,
};

/// The plies of the positions sampled from one game.
fn plies(text: &str, filter: PositionFilter) -> Vec<u32> {
    let game = PgnReader::new(text.as_bytes()).next().unwrap().unwrap();
    let half = |line: &TrainingLine| u32::from(line.position.side_to_move() == Color::Black);
    let ply = |line: TrainingLine| 2 * (line.position.fullmove_number() - 1) + half(&line);
    filter.sample(&game, 1, 1).into_iter().map(ply).collect()
}

/// All sampled lines of a text, joined.
fn lines(text: &str, seed: u64) -> Result<String, String> {
    let mut out = Vec::new();
    let taken = Sampler::new(ALL, seed).take("x.pgn", text.as_bytes(), &mut out);
    taken.map_err(|error| error.to_string())?;
    Ok(String::from_utf8(out).unwrap())
}

#[test]
fn noisy_positions_are_skipped() {
    // Plies 2 and 3: captures were played; 6: check.
    let taken = plies("1. e4 d5 2. exd5 Qxd5 3. Nc3 Qe5+ 4. Be2 1-0", ALL);
    assert_eq!(taken, [0, 1, 4, 5]);
    // Plies 3 and 5: Black could take the queen on h5.
    let taken = plies("1. e4 Nf6 2. Qh5 a6 3. h3 a5 4. Nf3 1-0", ALL);
    assert_eq!(taken, [0, 1, 2, 4, 6]);
}

#[test]
fn opening_and_decided_positions_are_skipped() {
    let game = "1. Nf3 {+0.10/3} Nf6 {+0.00/3} 2. g3 {[%clk 0:00:01.000] +9.99/3} g6 {-10.00/3} \
                3. Bg2 {+2.00/3} Bg7 {-2.00/3} 4. d3 1-0";
    assert_eq!(plies(game, ALL), [0, 1, 2]);
    assert_eq!(plies(game, PositionFilter { skip: 2, ..ALL }), [2]);
    assert_eq!(plies(&game.replace("+9.99", "#7"), ALL), [0, 1]);
}

#[test]
fn games_without_an_end_on_the_board_are_left_out() {
    for (tag, result, count) in [
        ("normal", "1-0", 3),
        ("adjudication", "1/2-1/2", 3),
        ("normal", "*", 0),
        ("time forfeit", "1-0", 0),
        ("abandoned", "0-1", 0),
        ("rules infraction", "0-1", 0),
    ] {
        let text = format!("[Termination \"{tag}\"]\n\n1. Nf3 Nf6 2. g3 {result}\n");
        assert_eq!(plies(&text, ALL).len(), count, "{text}");
    }
}

#[test]
fn a_sample_is_of_the_seed_and_no_larger_than_wanted() {
    let game = "1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. O-O O-O 5. d3 d6 6. a3 a6 7. h3 h6 1/2-1/2";
    let three = PositionFilter { per_game: 3, ..ALL };
    let taken = plies(game, three);
    assert_eq!(taken.len(), 3);
    assert!(taken.is_sorted());
    assert_eq!(plies(game, three), taken);
    assert_eq!(plies(game, ALL).len(), 14);
}

#[test]
fn a_score_is_for_white() {
    let text = "1. Nf3 {+0.10/3} Nf6 {+0.25/3} 2. g3 1-0";
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let one = "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1";
    let two = "rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 2 2";
    let expected = format!("1;{start};1-0;10\n1;{one};1-0;-25\n1;{two};1-0;\n");
    assert_eq!(lines(text, 1).unwrap(), expected);
}

#[test]
fn a_position_is_taken_once() {
    let text = "1. Nf3 Nf6 2. g3 1-0\n\n1. Nf3 Nf6 2. b3 0-1\n\n1. g3 g6 2. a3 1/2-1/2\n";
    let lines = lines(text, 1).unwrap();
    let games: Vec<&str> = lines.lines().map(|line| &line[..1]).collect();
    assert_eq!(games, ["1", "1", "1", "3", "3"]);
}

#[test]
fn a_game_played_before_is_left_out() {
    let game = "1. Nf3 Nf6 2. g3 g6 3. a3 1-0\n\n";
    let one = PositionFilter { per_game: 1, ..ALL };
    let mut sampler = Sampler::new(one, 1);
    let taken = sampler.take("x.pgn", game.repeat(5).as_bytes(), &mut Vec::new());
    taken.unwrap();
    assert_eq!((sampler.games, sampler.used, sampler.lines), (5, 1, 1));
}

#[test]
fn threads_and_batches_change_nothing() {
    // Each bit of the number selects one of two moves of the a- or h-pawns and knights.
    let pick = |number: usize, bit: usize, moves: [&'static str; 2]| moves[number >> bit & 1];
    let game = |number: usize| {
        let moves = [
            pick(number, 0, ["1. a3", "1. a4"]),
            pick(number, 1, ["a6", "a5"]),
            pick(number, 2, ["2. h3", "2. h4"]),
            pick(number, 3, ["h6", "h5"]),
            pick(number, 4, ["3. Nf3", "3. Nc3"]),
            pick(number, 5, ["Nf6", "Nc6"]),
            pick(number, 6, ["4. e3", "4. d3"]),
            pick(number, 7, ["e6", "d6"]),
            pick(number, 8, ["5. g3", "5. b3"]),
            pick(number, 9, ["g6", "b6"]),
            "6. Rh2 1/2-1/2\n\n",
        ];
        moves.join(" ")
    };
    let text: String = (0..BATCH + 100).map(game).collect();
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().unwrap().install(|| lines(&text, 9).unwrap())
    };
    assert_eq!(with(1), with(2));
    assert_ne!(with(1), "");
}

#[test]
fn a_faulty_game_is_named() {
    let text = "1. e4 e5 1-0\n\n1. e4 Qh4 0-1\n";
    let error = lines(text, 1).unwrap_err();
    assert!(
        error.starts_with("x.pgn: line 3, column 7: no legal move is 'Qh4'"),
        "{error}"
    );
}
