//! What is written of a game is read back as the same game.

use chacha20::ChaCha8Rng;
use chess::notation::pgn::{self, PgnGame, PgnLine, PgnReader, Place};
use rand::SeedableRng;
use testkit::games::{Kind, random_game};
use testkit::scale;

const SEED: u64 = 66;
/// Comments up to this length stay as they are.
const WHOLE: usize = 77;

/// Of comments that may be written in several lines, only the words are kept.
fn normalise(line: &mut PgnLine) {
    let moves = line.moves.iter_mut();
    let comments = moves.flat_map(|one| {
        one.variations.iter_mut().for_each(normalise);
        one.comments.iter_mut()
    });
    for comment in comments.chain(&mut line.comments) {
        if comment.chars().count() > WHOLE {
            *comment = comment.split_whitespace().collect::<Vec<_>>().join(" ");
        }
    }
}

fn normalised(mut game: PgnGame) -> PgnGame {
    normalise(&mut game.mainline);
    game.place = Place { line: 1, column: 1 };
    game
}

/// The rules of the export format that can be seen without reading the game.
fn check_form(text: &str) {
    let (tags, rest) = text
        .split_once("\n\n")
        .expect("a blank line behind the tags");
    assert!(
        tags.lines()
            .all(|line| line.starts_with('[') && line.ends_with("\"]"))
    );
    let moves = rest.strip_suffix("\n\n").expect("a blank line at the end");
    for line in moves.lines() {
        assert!(!line.is_empty() && !line.starts_with([' ', '%']), "{text}");
        assert!(
            !line.starts_with("[Event") && !line.ends_with(' '),
            "{text}"
        );
        let columns = line.chars().count();
        assert!(columns <= 79, "{columns} columns: {line}");
    }
}

#[test]
fn what_is_written_is_read_back() {
    let count = scale(100, 1_000);
    println!("seed {SEED}, {count} games");
    let mut rng = ChaCha8Rng::seed_from_u64(SEED);
    let (mut text, mut games) = (String::new(), Vec::new());
    for index in 0..count {
        let kind = Kind {
            chess960: index % 2 == 1,
            plain: false,
        };
        let game = random_game(&mut rng, kind);
        let written = pgn::write(&game).expect("it can be written");
        check_form(&written);
        text += &written;
        games.push(game);
    }
    let mut reader = PgnReader::new(text.as_bytes()).keep_variations();
    for game in games {
        let read = reader.next().expect("as many games").expect("it is sound");
        let again = pgn::write(&read).expect("it can be written again");
        assert_eq!(Ok(again), pgn::write(&game), "written once more");
        assert_eq!(normalised(read), normalised(game));
    }
    assert!(reader.next().is_none(), "no more games");
}
