//! Writes games as PGN with any tags, and reads PGN from any source.

use chess::notation::pgn::{PgnGame, PgnReader, PgnResult, WritePgnError, write};
use chess::notation::{fen, uci_move};
use chess::rules::{CastlingMode, Position};

use super::game::{MAX_PLIES, Played};
use super::view::{GameRequest, PgnReadAnswer, PgnTag, TaggedGame};

/// Maximum length of PGN input, in bytes.
pub const MAX_PGN_BYTES: usize = 1 << 20;
/// Maximum number of games read from a text, including faulty ones.
const MAX_GAMES: usize = 500;
const MAX_TAGS: usize = 40;
/// Maximum length of a tag value, in bytes.
const MAX_TAG_BYTES: usize = 500;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PgnError {
    #[error("the game has {found} tags, at most {MAX_TAGS} are written")]
    TooManyTags { found: usize },
    #[error("a tag has a name or value of {found} bytes, at most {MAX_TAG_BYTES} are written")]
    LongTag { found: usize },
    #[error("the result is '{found}', expected 1-0, 0-1, 1/2-1/2 or *")]
    NotAResult { found: String },
    #[error(transparent)]
    Write(#[from] WritePgnError),
}

/// Writes a game in PGN's export format. Without a result, the rules determine it.
pub fn write_pgn(
    played: &Played,
    tags: &[PgnTag],
    result: Option<&str>,
) -> Result<String, PgnError> {
    if tags.len() > MAX_TAGS {
        return Err(PgnError::TooManyTags { found: tags.len() });
    }
    let sizes = tags.iter().map(|tag| tag.name.len().max(tag.value.len()));
    if let Some(found) = sizes.max().filter(|&longest| longest > MAX_TAG_BYTES) {
        return Err(PgnError::LongTag { found });
    }
    let mut game = PgnGame::from_game(&played.game, played.mode);
    if let Some(text) = result {
        game.result = Some(read_result(text)?);
    }
    let pairs = tags.iter().map(|tag| (tag.name.clone(), tag.value.clone()));
    game.tags = pairs.collect();
    Ok(write(&game)?)
}

fn read_result(text: &str) -> Result<PgnResult, PgnError> {
    PgnResult::ALL
        .into_iter()
        .find(|result| result.to_string() == text)
        .ok_or_else(|| PgnError::NotAResult {
            found: text.chars().take(12).collect(),
        })
}

/// Reads the games of a text, ignoring comments and variations. Faulty games are reported and left
/// out.
pub fn read_pgn(text: &str) -> PgnReadAnswer {
    let mut answer = PgnReadAnswer::default();
    let mut reader = PgnReader::new(text.as_bytes());
    for read in reader.by_ref().take(MAX_GAMES) {
        match read {
            Ok(game) if game.moves().len() > MAX_PLIES => answer.faults.push(format!(
                "{}: the game has {} moves of one side, at most {MAX_PLIES} are read",
                game.place,
                game.moves().len()
            )),
            Ok(game) => answer.games.push(one(game)),
            Err(error) => answer.faults.push(error.to_string()),
        }
    }
    answer.more = reader.next().is_some();
    answer
}

fn one(game: PgnGame) -> TaggedGame {
    let is_start = game.start == Position::startpos() && game.mode == CastlingMode::Standard;
    let moves = game.moves().zip(game.positions());
    TaggedGame {
        game: GameRequest {
            fen: (!is_start).then(|| fen::write(&game.start)),
            chess960: game.mode == CastlingMode::Chess960,
            moves: moves
                .map(|(m, position)| uci_move::write(m, &position, game.mode))
                .collect(),
        },
        result: Some(game.result.unwrap_or(PgnResult::Unknown).to_string()),
        tags: game.tags.into_iter().map(tag).collect(),
    }
}

fn tag((name, value): (String, String)) -> PgnTag {
    PgnTag { name, value }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(fen: Option<&str>, chess960: bool, moves: &str) -> Played {
        let moves: Vec<String> = moves.split_whitespace().map(str::to_owned).collect();
        Played::read(fen, chess960, &moves).expect("a game")
    }

    fn tags(pairs: &[(&str, &str)]) -> Vec<PgnTag> {
        let one = |&(name, value): &(&str, &str)| tag((name.to_owned(), value.to_owned()));
        pairs.iter().map(one).collect()
    }

    #[test]
    fn chess960_and_a_first_position_come_back() {
        let fen = "4k3/8/8/8/8/8/8/2R1K1R1 w GC - 0 1";
        let text = write_pgn(&played(Some(fen), true, "e1g1"), &[], None).expect("written");
        let TaggedGame {
            game: back, result, ..
        } = read_pgn(&text).games.remove(0);
        assert!(back.chess960);
        assert_eq!(back.moves, ["e1g1"]);
        assert_eq!(result.as_deref(), Some("*"));
        let again = back.read().expect("a game");
        assert_eq!(again.game, played(Some(fen), true, "e1g1").game);
    }

    #[test]
    fn one_faulty_game_does_not_spoil_the_others() {
        let read = read_pgn(
            "[Event \"a\"]\n\n1. e4 *\n[Event \"b\"]\n\n1. Qh8 *\n\n[Event \"c\"]\n\n1. d4 1-0\n",
        );
        assert_eq!(read.games.len(), 2);
        assert_eq!(read.faults.len(), 1);
        assert!(
            read.faults[0].starts_with("line 6, column 4: "),
            "{:?}",
            read.faults
        );
        assert!(!read.more);
        let many = read_pgn(&"[Event \"x\"]\n\n1. e4 *\n".repeat(501));
        assert_eq!((many.games.len(), many.more), (500, true));
        assert_eq!(read_pgn(""), PgnReadAnswer::default());
    }

    #[test]
    fn too_much_is_refused() {
        let game = played(None, false, "");
        let fault = |tags: &[PgnTag], result| {
            write_pgn(&game, tags, result)
                .expect_err("refused")
                .to_string()
        };
        assert_eq!(
            fault(&tags(&[("Site", "x"); 41]), None),
            "the game has 41 tags, at most 40 are written"
        );
        assert_eq!(
            fault(&tags(&[("Site", &"x".repeat(501))]), None),
            "a tag has a name or value of 501 bytes, at most 500 are written"
        );
        assert_eq!(
            fault(&[], Some("2-0")),
            "the result is '2-0', expected 1-0, 0-1, 1/2-1/2 or *"
        );
        assert!(fault(&tags(&[("Site", "a\nb")]), None).contains("control characters"));
    }

    #[test]
    fn what_is_written_is_read_back() {
        let nasty = tags(&[
            ("White", r#"<script>alert("x")</script> \ "quoted""#),
            ("Black", "Zoë {[%clk 0:01]} 1-0 ; $5 ᚠ"),
            ("Annotator", ""),
        ]);
        let game = played(None, false, "e2e4 e7e5 g1f3");
        let text = write_pgn(&game, &nasty, Some("0-1")).expect("written");
        let read = read_pgn(&text);
        assert_eq!((read.games.len(), read.faults.len()), (1, 0));
        let back = &read.games[0];
        let game = &back.game;
        assert_eq!((back.result.as_deref(), &game.fen), (Some("0-1"), &None));
        assert_eq!(game.moves, ["e2e4", "e7e5", "g1f3"]);
        for one in nasty {
            assert!(back.tags.contains(&one), "{one:?}");
        }
    }
}
