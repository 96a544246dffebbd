//! The page of a report in Chromium (Debian: `chromium-headless-shell`): its board against the `chess` crate, and
//! its lists of games against the records.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};

use chacha20::ChaCha8Rng;
use chess::notation::{fen, san, uci_move};
use chess::rules::{
    CHESS960_POSITIONS, Game, Move, PieceType, Position, Square, chess960_back_rank,
};
use rand::{RngExt as _, SeedableRng as _};
use selfplay::model::{GameRecord, GameResult, MoveRecord, Opening, RunConfig, Termination};
use selfplay::report::run::{Collector, PageGames, RunReport};
use tempfile::TempDir;

use crate::report::synthetic;

/// Number of games, each from another kind of start.
const GAMES: usize = 8;
/// Of which this many of the last are Chess960.
const CHESS960: usize = 4;

/// A page with games of random moves, in which castling, en passant and promotion are frequent.
struct Scene {
    folder: TempDir,
    games: Vec<GameRecord>,
    /// What the rules say of each game: the first position, and those after each move.
    lines: Vec<Vec<Seen>>,
    /// Difficult moves that occur, and whether in Chess960.
    difficult: BTreeSet<(String, bool)>,
}

/// A position and the move that led to it.
#[derive(Debug, PartialEq)]
struct Seen {
    fen: String,
    san: String,
}

fn start(number: usize, chance: &mut ChaCha8Rng) -> Opening {
    let fen = match number {
        0 => fen::write(&Position::startpos()),
        // Kiwipete: both sides may castle either way.
        1 => "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1".to_owned(),
        // Promotions of both sides, two queens that can meet, Black to move.
        2 => "4k3/PPP3PP/8/8/8/8/ppp3pp/4K3 b - - 3 40".to_owned(),
        // A square to take en passant at once.
        3 => "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3".to_owned(),
        // A rook that is not the outermost may castle.
        4 => "1r2k1r1/pppppppp/8/8/8/8/PPPPP1PP/RR2K1R1 w BGbg - 0 1".to_owned(),
        _ => {
            let row = chess960_back_rank(chance.random_range(0..CHESS960_POSITIONS));
            let row = row.expect("one of them");
            let row: String = row.iter().map(|kind| kind.to_char()).collect();
            let (white, black) = (row.to_uppercase(), row.to_lowercase());
            format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{white} w KQkq - 0 1")
        }
    };
    Opening {
        label: format!("start {number}"),
        fen,
        moves: Vec::new(),
        chess960: number >= GAMES - CHESS960,
    }
}

/// A random move; a difficult one if there is any, as often as not.
fn choose(position: &Position, chance: &mut ChaCha8Rng) -> Option<Move> {
    let mut all = position.legal_moves().to_vec();
    let is_rare = |m: &Move| difficulty(position, *m).is_some();
    if all.iter().any(is_rare) && chance.random() {
        all.retain(is_rare);
    }
    (!all.is_empty()).then(|| all[chance.random_range(0..all.len())])
}

/// What a page can get wrong about a move.
fn difficulty(position: &Position, m: Move) -> Option<String> {
    let is_pawn = position.piece_type_at(m.from()) == Some(PieceType::Pawn);
    if position.by_color(position.side_to_move()).contains(m.to()) {
        Some("castling".to_owned())
    } else if is_pawn && position.ep_square() == Some(m.to()) {
        Some("en passant".to_owned())
    } else {
        m.promotion().map(|kind| kind.to_char().to_string())
    }
}

impl Scene {
    fn new() -> Self {
        let config = synthetic::config(&["new", "<base>"], u64::try_from(GAMES / 2).expect("few"));
        let odds = synthetic::Odds::new(0.5, 0.0, 3);
        let mut games: Vec<GameRecord> = synthetic::games(&config, odds).collect();
        games.sort_by_key(|game| game.plan.game);
        let mut chance = ChaCha8Rng::seed_from_u64(5);
        let mut difficult = BTreeSet::new();
        let lines = { games.iter_mut().enumerate() }
            .map(|(number, game)| {
                let opening = start(number, &mut chance);
                play(game, opening, &mut chance, &mut difficult)
            })
            .collect();
        let folder = tempfile::tempdir().expect("a folder");
        write_page(&config, &games, &folder.path().join("page.html"));
        Self {
            folder,
            games,
            lines,
            difficult,
        }
    }

    /// The page as Chromium sees it, once the script has run.
    #[expect(clippy::disallowed_methods, reason = "the test starts a browser")]
    fn dom(&self, fragment: &str) -> String {
        let page = self.folder.path().join("page.html");
        let profile = tempfile::tempdir().expect("a folder");
        let options = "120 chromium-headless-shell --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run \
                       --disable-background-networking --virtual-time-budget=10000 --dump-dom";
        let ended = Command::new("timeout")
            .args(options.split(' '))
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg(format!("file://{}#{fragment}", page.display()))
            .stderr(Stdio::null())
            .output()
            .expect("timeout is installed");
        assert!(
            ended.status.success(),
            "chromium-headless-shell is installed: {:?}",
            ended.status
        );
        String::from_utf8(ended.stdout).expect("UTF-8")
    }
}

/// Fills a record with random moves from an opening, the first of which are the book's.
fn play(
    record: &mut GameRecord,
    opening: Opening,
    chance: &mut ChaCha8Rng,
    difficult: &mut BTreeSet<(String, bool)>,
) -> Vec<Seen> {
    let mode = opening.castling_mode();
    let mut game = Game::new(fen::parse(&opening.fen).expect("a position"));
    let mut line = Vec::new();
    let mut moves = Vec::new();
    while moves.len() < 160 {
        let position = *game.position();
        let Some(m) = choose(&position, chance) else {
            break;
        };
        difficult.extend(difficulty(&position, m).map(|what| (what, opening.chess960)));
        moves.push(uci_move::write(m, &position, mode));
        let san = san::write(m, &position);
        game.play(m).expect("legal");
        let fen = fen::write(game.position());
        line.push(Seen { fen, san });
    }
    let is_mate = game.position().is_check() && game.position().legal_moves().is_empty();
    record.termination = if is_mate {
        Termination::Checkmate
    } else if record.fault.is_some() {
        Termination::Fault
    } else {
        Termination::MaxMoves
    };
    let book = moves.len().min(3);
    record.moves = { moves.split_off(book).into_iter() }
        .map(|uci| MoveRecord {
            uci,
            score: Some("cp 31".to_owned()),
            ..MoveRecord::default()
        })
        .collect();
    record.opening = Opening { moves, ..opening };
    line
}

fn write_page(config: &RunConfig, games: &[GameRecord], path: &Path) {
    let mut collector = Collector::new(config).expect("a run");
    let mut page = PageGames::new("run 1/");
    for game in games {
        collector.record(game).expect("a game of the run");
        page.record(game);
    }
    let summary = collector.summary();
    let page = RunReport::new(config, &summary).html("run 1/", &page);
    #[expect(clippy::disallowed_methods, reason = "a page is a file")]
    std::fs::write(path, page).expect("written");
}

/// The values of an attribute and the text behind its element's tag, as `(value, rest of the tag, text)`.
fn elements<'a>(dom: &'a str, attribute: &str) -> Vec<(&'a str, &'a str, &'a str)> {
    let mark = format!(" {attribute}=\"");
    dom.match_indices(&mark)
        .filter_map(|(at, _)| {
            let (value, rest) = dom[at + mark.len()..].split_once('"')?;
            let (tag, rest) = rest.split_once('>')?;
            Some((value, tag, rest.split('<').next()?))
        })
        .collect()
}

#[test]
fn every_position_is_that_of_the_rules() {
    let scene = Scene::new();
    for (game, line) in scene.games.iter().zip(&scene.lines) {
        let number = game.plan.game + 1;
        // By default one with promotions, and one of Chess960.
        if testkit::number("TOUCHSTONE_LONG").is_none() && ![3, 5].contains(&number) {
            continue;
        }
        let ply = line.len() / 2;
        let dom = scene.dom(&format!("game={number}&ply={ply}"));
        let shown: Vec<Seen> = { elements(&dom, "data-ply").into_iter() }
            .filter_map(|(at, tag, san)| {
                // The script mentions the attribute too.
                at.parse::<usize>().ok()?;
                let (_, fen) = tag.split_once("title=\"")?;
                let fen = fen.split('"').next()?.to_owned();
                let san = san.to_owned();
                Some(Seen { fen, san })
            })
            .collect();
        for (at, (shown, expected)) in shown.iter().zip(line).enumerate() {
            assert_eq!(shown, expected, "game {number}, ply {}", at + 1);
        }
        assert_eq!(shown.len(), line.len(), "game {number}");
        assert!(dom.contains("(end of the book)"), "game {number}");

        let mut pieces: Vec<&str> = { elements(&dom, "data-piece").into_iter() }
            .map(|(piece, _, _)| piece)
            .collect();
        pieces.sort_unstable();
        let position = fen::parse(&line[ply - 1].fen).expect("a position");
        let mut expected: Vec<String> = Square::ALL
            .into_iter()
            .filter_map(|square| Some(format!("{}{square}", position.piece_at(square)?.to_char())))
            .collect();
        expected.sort_unstable();
        assert_eq!(pieces, expected, "game {number}, ply {ply}");
    }
    // What is compared has all that is difficult.
    let occurs = |what: &str, modes: &[bool]| {
        modes
            .iter()
            .any(|&chess960| scene.difficult.contains(&(what.to_owned(), chess960)))
    };
    let any = [true, false];
    assert!(any.iter().all(|&mode| occurs("castling", &[mode])));
    assert!(
        ["en passant", "N", "B", "R", "Q"]
            .iter()
            .all(|what| occurs(what, &any))
    );
}

/// A fragment, the title of its list, and which games are in it.
type Test<'a> = (&'a str, &'a str, &'a dyn Fn(&GameRecord) -> bool);

#[test]
#[ignore = "long: the lists of a report have the games of the records"]
fn lists_have_the_games_of_the_records() {
    let scene = Scene::new();
    let white_wins = |game: &GameRecord| game.result == GameResult::WhiteWins;
    let won = |game: &GameRecord| game.half_points(selfplay::model::EngineIndex(0)) == Some(2);
    let pair_has_one = |game: &GameRecord| {
        let all = scene.games.iter();
        let pair = all.filter(|one| one.plan.pairing.number == game.plan.pairing.number);
        pair.filter(|one| won(one)).count() == 1
    };
    let rows: [Test<'_>; 7] = rows![
        "", "All games" => &|_| true;
        "of=0&vs=1", "Games of new, against <base>" => &|_| true;
        "of=0&vs=1&result=won", "Games of new, against <base>, won" => &won;
        "of=0&color=Black&result=won", "Games of new, with Black, won" => &|game| won(game) && !white_wins(game);
        "fault=any", "Games ended by a fault" => &|game| game.fault.is_some();
        "opening=start%202", "Games from start 2" => &|game| game.opening.label == "start 2";
        "of=0&vs=1&pair=2", "Games of new, against <base>, in pairs with 1 of 2 points" => &pair_has_one;
    ];
    for (fragment, title, test) in rows {
        let dom = scene.dom(fragment);
        let mut expected: Vec<u64> = { scene.games.iter() }
            .filter(|game| test(game))
            .map(|game| game.plan.game + 1)
            .collect();
        expected.sort_unstable();
        let rows = elements(&dom, "id").into_iter();
        let shown: Vec<u64> = rows
            .filter_map(|(id, _, _)| id.strip_prefix("row-")?.parse().ok())
            .collect();
        assert_eq!(shown, expected, "{fragment}");
        let title = title.replace('<', "&lt;").replace('>', "&gt;");
        let heading = format!("{title}: {}</h3>", expected.len());
        assert!(dom.contains(&heading), "{heading} for {fragment}");
    }
    let none = scene.dom("game=99");
    assert!(none.contains("Game 99 is not in this page."));
}
