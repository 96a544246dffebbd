//! What `crowd` reads of people: positions to import, move lists, trusted cases, games, and the
//! bodies of requests.

use std::sync::LazyLock;

use chess::rules::Position;
use crowd::candidates::canonical;
use crowd::model::{MoveText, PlayerName};
use crowd::play::{
    GameRequest, MoveRequest, PgnText, TaggedGame, game::Played, read_pgn, view, write_pgn,
};
use crowd::service::{ListToken, SessionToken, import_problems};
use crowd::verify::{
    ListItem, check_pasted, compare, read_cases, read_list, read_pasted_position, read_position,
};
use crowd::web::BODIES;
use serde_json::from_slice;

use super::fen::POSITIONS;
use crate::target::{FuzzTarget, judge, rejected, sound, text, text_again, within};

targets![
    crowd_import crowd_list crowd_pasted crowd_cases crowd_play crowd_body
];

fn crowd_import(bytes: &[u8]) -> bool {
    let problems = import_problems(bytes, false);
    for problem in &problems {
        within(bytes, problem.line, problem.column);
        rejected(&problem.reason);
    }
    let gold = import_problems(bytes, true).len();
    assert!(gold >= problems.len(), "gold has fewer problems");
    // A blank before a line moves what is wrong with it.
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let shifted = import_problems(&[b" ", text].concat(), false);
    let places = shifted.iter().map(|problem| (problem.line, problem.column));
    let expected = problems.iter().map(|problem| {
        let shift = usize::from(problem.line == 1);
        (problem.line, problem.column + shift)
    });
    assert!(
        places.eq(expected),
        "{problems:?}, behind a blank {shifted:?}"
    );
    let lines = text.split(|&byte| byte == b'\n');
    let records = lines.filter(|line| !matches!(line.trim_ascii().first(), None | Some(b'#')));
    records.count() > problems.len()
}

/// A list of one of the positions, which depends on its length: to explain every wrong move of all would take long.
fn crowd_list(bytes: &[u8]) -> bool {
    let text = text(bytes);
    let position = &POSITIONS[bytes.len() % POSITIONS.len()];
    let items = read_list(&text, position.side_to_move());
    let lines: Vec<usize> = text.lines().map(|line| line.chars().count()).collect();
    for item in &items {
        check_item(&lines, item, position);
    }
    let is_read = items.iter().any(|item| item.squares.is_ok());
    let count = items.len();
    let listed = compare(position, items);
    assert_eq!(listed.items, count);
    let faulty = listed.wrong.len() + listed.repeated.len() + listed.unreadable.len();
    let right = listed.legal - listed.missing.len();
    assert_eq!(right + faulty, count, "{listed:?}");
    text_again::<MoveText>(&text);
    check_words(&text);
    is_read
}

/// An item stands where it says, within lines of so many characters, and why it can be on no list has a text.
fn check_item(lines: &[usize], item: &ListItem, position: &Position) {
    let columns = lines.get(item.place.line - 1).copied().unwrap_or_default();
    let is_within = (1..=columns).contains(&item.place.column);
    assert!(is_within, "{}: not within the list", item.place);
    judge(item.squares.as_ref(), |squares| {
        judge(canonical(position, squares), drop);
    });
}

/// What else people write that is short.
fn check_words(text: &str) {
    if let Ok(name) = text.parse::<PlayerName>() {
        assert_eq!(name.as_str().parse(), Ok(name));
    }
    if let Ok(token) = text.parse::<SessionToken>() {
        assert_eq!(token.as_str(), text);
    }
    if let Ok(token) = text.parse::<ListToken>() {
        assert_eq!(token.as_str(), text);
    }
    judge(read_position(text), drop);
}

fn crowd_pasted(bytes: &[u8]) -> bool {
    let text = text(bytes);
    let pasted = check_pasted(&ENDGAME, &text);
    let legal = ENDGAME.legal_moves().len();
    assert_eq!(pasted.listed.legal, legal);
    assert!(pasted.listed.missing.len() <= legal, "{pasted:?}");
    judge(read_pasted_position(&text), drop);
    pasted.listed.missing.len() < legal
}

/// Few moves, so that counts of pasted texts cost little.
static ENDGAME: LazyLock<Position> = LazyLock::new(|| {
    chess::notation::fen::parse("4k3/4p3/8/8/8/8/4P3/4K2R w K - 0 1").expect("a position")
});

fn crowd_cases(bytes: &[u8]) -> bool {
    let cases = match read_cases(bytes) {
        Ok(cases) => cases,
        Err(error) => return rejected(&error),
    };
    for case in &cases {
        let are_legal = case.moves.iter().all(|&m| case.position.is_legal(m));
        assert!(are_legal, "{case:?}: an illegal move");
    }
    !cases.is_empty()
}

fn crowd_play(bytes: &[u8]) -> bool {
    drop(from_slice::<MoveRequest>(bytes));
    if let Ok(request) = from_slice::<PgnText>(bytes) {
        let games = read_pgn(&request.pgn).games;
        for TaggedGame { game, .. } in &games {
            view(&sound(game.read()));
        }
        return !games.is_empty();
    }
    let request = match from_slice::<GameRequest>(bytes) {
        Ok(request) => request,
        Err(error) => return rejected(&error),
    };
    match request.read() {
        Ok(played) => check_game(bytes, &played),
        Err(error) => {
            assert!(!error.faults().is_empty(), "no fault");
            rejected(&error)
        }
    }
}

/// Every move shown to the page can be played, and what is written as PGN is read again.
fn check_game(bytes: &[u8], played: &Played) -> bool {
    let shown = view(played);
    assert_eq!(shown.fens.len(), shown.moves.len() + 1);
    let start = Some(shown.fens[0].as_str());
    for one in &shown.legal {
        let mut moves = shown.moves.clone();
        moves.push(one.text.clone());
        // Longer than the longest that is read is no fault of the move.
        if moves.len() <= crowd::play::game::MAX_PLIES {
            sound(Played::read(start, shown.chess960, &moves));
        }
    }
    let Ok(request) = from_slice::<TaggedGame>(bytes) else {
        return true;
    };
    let written = write_pgn(played, &request.tags, request.result.as_deref());
    judge(written, |written| {
        let again = read_pgn(&written);
        assert!(again.faults.is_empty(), "{:?}", again.faults);
        assert_eq!(again.games.len(), 1, "{written}");
        assert_eq!(again.games[0].game.moves, shown.moves);
    })
}

fn crowd_body(bytes: &[u8]) -> bool {
    let mut is_read = false;
    for (kind, read) in BODIES {
        match read(bytes) {
            Ok(()) => is_read = true,
            Err(problem) => {
                rejected(&problem.detail());
                let status = problem.status();
                assert!(status.is_client_error(), "{kind}: {status}");
            }
        }
    }
    is_read
}
