//! What `crowd` reads of people: labels in CSV, positions to import, move lists, trusted cases, games, and the
//! bodies of requests.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use chess::rules::Position;
use crowd::aggregate::{EmSettings, Method, aggregate};
use crowd::candidates::canonical;
use crowd::labels::{Labels, ReadLabelsError, read_gold, read_labels};
use crowd::model::{MoveText, PlayerName};
use crowd::play::{
    GameRequest, MoveRequest, PgnReadRequest, PgnRequest, game::Played, read_pgn, view, write_pgn,
};
use crowd::service::{AssignmentToken, SessionToken, import_problems};
use crowd::variant::{
    Card, Placement, SHIPPED, candidates as candidates_of, canonical as canonical_of, read_card,
};
use crowd::verify::{
    ListItem, check_pasted, compare, read_cases, read_list, read_pasted_position, read_position,
};
use crowd::web::BODIES;
use serde_json::from_slice;

use super::fen::POSITIONS;
use crate::target::{
    FuzzTarget, InputVerdict, ensure, judge, rejected, same, sound, text, text_again, within,
};

pub(super) const TARGETS: &[FuzzTarget] = &[
    FuzzTarget {
        name: "crowd-labels",
        corpus: corpus!("crowd_labels.txt"),
        words: words![
            "task" "worker" "label" "yes" "no" "ann" "\"" "\"\"" "," "\n" "\r\n" ",," "\"a,b\""
            "\u{feff}"
        ],
        check: |bytes| {
            let gold = match read_gold(bytes) {
                Ok(gold) => gold,
                Err(error) => {
                    check_error(bytes, &error)?;
                    // Faulty gold labels do not keep the same bytes from being read as labels.
                    BTreeMap::new()
                }
            };
            match read_labels(bytes) {
                Ok(labels) => {
                    let again = sound(read_labels(&csv_of(&labels)))?;
                    same("labels again", &again.given(), &labels.given())?;
                    check_aggregates(&labels, &gold)?;
                    Ok(InputVerdict::Read)
                }
                Err(error) => {
                    check_error(bytes, &error)?;
                    Ok(InputVerdict::Rejected)
                }
            }
        },
    },
    FuzzTarget {
        name: "crowd-import",
        corpus: corpus!("crowd_import.txt"),
        words: words![
            "4k3/8/8/8/8/8/8/4K2R w K -" "0 1" "(" ")" "#" "id \"a\";" "D1 15;" "KQkq" "e3" "\n"
            "\r\n" "\u{feff}" "  "
        ],
        check: |bytes| {
            let problems = import_problems(bytes, false);
            for problem in &problems {
                within(bytes, problem.line, problem.column)?;
                rejected(&problem.reason)?;
            }
            let gold = import_problems(bytes, true);
            ensure(gold.len() >= problems.len(), || {
                "gold has fewer problems".to_owned()
            })?;
            // A blank before a line moves what is wrong with it.
            let shifted = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
            let shifted = [b" ", shifted].concat();
            let places = |problems: &[crowd::service::ImportProblem], shift: usize| {
                let first = problems.iter().map(|problem| {
                    let shift = if problem.line == 1 { shift } else { 0 };
                    (problem.line, problem.column + shift)
                });
                first.collect::<Vec<_>>()
            };
            same(
                "places after a blank",
                &places(&import_problems(&shifted, false), 0),
                &places(&problems, 1),
            )?;
            let lines = bytes.split(|&byte| byte == b'\n').filter(|line| {
                let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
                !matches!(line.trim_ascii().first(), None | Some(b'#'))
            });
            Ok(InputVerdict::from_read(lines.count() > problems.len()))
        },
    },
    FuzzTarget {
        name: "crowd-list",
        corpus: corpus!("crowd_list.txt"),
        words: words![
            "6444" "7476" "PQ34" "pn01" "e2e4" "e7e8q" "e1g1" "e1h1" "e2e2" "," ";" "\n" "\u{feff}"
            "h8" "a1" "Q"
        ],
        // A list of one of the positions, which depends on its length: to explain every wrong move of all would take long.
        check: |bytes| {
            let text = text(bytes);
            let position = &POSITIONS[bytes.len() % POSITIONS.len()];
            let items = read_list(&text, position.side_to_move());
            let lines: Vec<usize> = text.lines().map(|line| line.chars().count()).collect();
            for item in &items {
                check_item(&lines, item, position)?;
            }
            let is_read = items.iter().any(|item| item.squares.is_ok());
            let count = items.len();
            let listed = compare(position, items);
            same("items", &listed.items, &count)?;
            let faulty = listed.wrong.len() + listed.repeated.len() + listed.unreadable.len();
            let right = listed.legal - listed.missing.len();
            ensure(right + faulty == count, || format!("{listed:?} of {count}"))?;
            text_again::<MoveText>(&text)?;
            check_words(&text)?;
            Ok(InputVerdict::from_read(is_read))
        },
    },
    FuzzTarget {
        name: "crowd-pasted",
        corpus: corpus!("crowd_pasted.txt"),
        words: words![
            "e2e4" "e2e4: 1" "1." "Nf3" "O-O" "e8=Q" "Sf3" "startpos" "fen" "position" "moves"
            "nodes" "total" "[" "]" "\"" "," ";" "\n" "\r\n" "\t" "\u{2654}" "\u{2011}" "<li>"
        ],
        check: |bytes| {
            let text = text(bytes);
            let pasted = check_pasted(&ENDGAME, &text);
            let legal = pasted.listed.legal;
            ensure(legal == ENDGAME.legal_moves().len(), || {
                format!("{legal} legal moves")
            })?;
            ensure(pasted.listed.missing.len() <= legal, || {
                format!("{pasted:?}")
            })?;
            if let Err(error) = read_pasted_position(&text) {
                rejected(&error)?;
            }
            Ok(InputVerdict::from_read(pasted.listed.missing.len() < legal))
        },
    },
    FuzzTarget {
        name: "crowd-card",
        corpus: corpus!("crowd_card.txt"),
        words: words![
            "[[piece]]" "[[section]]" "letter" "moves" "leap" "ride" "free" "most" "ways" "from"
            "promotion" "drop_ranks" "picture" "placement" "files = 13" "ranks = 0" "=" "\"" "\n"
            "\"\"\"" "{" "}" "[0, 1]" "255" "-1"
        ],
        check: |bytes| {
            let text = text(bytes);
            match read_card(&text) {
                Ok(card) => {
                    for place in card.squares() {
                        ensure(place.file < card.files && place.rank < card.ranks, || {
                            format!("{place} on {} files", card.files)
                        })?;
                    }
                    Ok(InputVerdict::Read)
                }
                Err(error) => {
                    let lines = text.split('\n').count();
                    ensure((1..=lines).contains(&error.line), || {
                        format!("{error} of {lines} lines")
                    })?;
                    rejected(&error)
                }
            }
        },
    },
    FuzzTarget {
        name: "crowd-placement",
        corpus: corpus!("crowd_placement.txt"),
        words: words![
            "[" "]" "~" "12" "10" "9" "/" "w" "b" "KQkq" "QNp" "a" "c" "3+3" "0 1" "-"
        ],
        check: |bytes| {
            let text = text(bytes);
            let mut checked = InputVerdict::Rejected;
            for card in &*CARDS {
                match Placement::read(card, &text) {
                    Ok(placement) => {
                        checked = InputVerdict::Read;
                        same(
                            "again",
                            &sound(Placement::read(card, &placement.fen))?,
                            &placement,
                        )?;
                        for candidate in candidates_of(card, &placement) {
                            let again = sound(canonical_of(card, &placement, &candidate.text))?;
                            same("candidate", &again, &candidate.text)?;
                        }
                    }
                    Err(error) => {
                        within(text.as_bytes(), 1, error.column)?;
                        rejected(&error)?;
                    }
                }
            }
            Ok(checked)
        },
    },
    FuzzTarget {
        name: "crowd-cases",
        corpus: corpus!("crowd_cases.txt"),
        words: words![
            "lm" "Kd2" "O-O" "Rh8+" "e8=Q" ";" "\n" "id" "\"a\"" "w" "b" "-"
        ],
        check: |bytes| match read_cases(bytes) {
            Ok(cases) => {
                for case in &cases {
                    let are_legal = case.moves.iter().all(|&m| case.position.is_legal(m));
                    ensure(are_legal, || format!("{case:?}: an illegal move"))?;
                }
                Ok(InputVerdict::from_read(!cases.is_empty()))
            }
            Err(error) => rejected(&error),
        },
    },
    FuzzTarget {
        name: "crowd-play",
        corpus: corpus!("crowd_play.txt"),
        words: json_words![
            "fen" "moves" "chess960" "tags" "name" "value" "result" "pgn" "level" "elo" "clock"
            "white_ms" "e2e4" "e1g1" "1-0"
        ],
        check: |bytes| {
            drop(from_slice::<MoveRequest>(bytes));
            if let Ok(request) = from_slice::<PgnReadRequest>(bytes) {
                let games = read_pgn(&request.pgn);
                for game in &games.games {
                    let played = Played::read(game.fen.as_deref(), game.chess960, &game.moves);
                    view(&sound(played)?);
                }
                return Ok(InputVerdict::from_read(!games.games.is_empty()));
            }
            match from_slice::<GameRequest>(bytes) {
                Ok(request) => {
                    match Played::read(request.fen.as_deref(), request.chess960, &request.moves) {
                        Ok(played) => check_game(bytes, &played),
                        Err(error) => {
                            ensure(!error.faults().is_empty(), || "no fault".to_owned())?;
                            rejected(&error)
                        }
                    }
                }
                Err(error) => rejected(&error),
            }
        },
    },
    FuzzTarget {
        name: "crowd-body",
        corpus: corpus!("crowd_body.txt"),
        words: json_words![
            "events" "seq" "op" "add" "move" "at_ms" "count" "mode" "campaign" "resolution" "note"
            "state" "name" "\\u0000";
            "&" "=" "%20" "%zz" "+"
        ],
        check: |bytes| {
            let mut checked = InputVerdict::Rejected;
            for (kind, read) in BODIES {
                match read(bytes) {
                    Ok(()) => checked = InputVerdict::Read,
                    Err(problem) => {
                        rejected(&problem.detail())?;
                        ensure(problem.status().is_client_error(), || {
                            format!("{kind}: {} {}", problem.status(), problem.detail())
                        })?;
                    }
                }
            }
            Ok(checked)
        },
    },
];

/// Few moves, so that counts of pasted texts cost little.
static ENDGAME: LazyLock<Position> = LazyLock::new(|| {
    chess::notation::fen::parse("4k3/4p3/8/8/8/8/4P3/4K2R w K - 0 1").expect("a position")
});

static CARDS: LazyLock<Vec<Card>> = LazyLock::new(|| {
    let cards = SHIPPED.iter().map(|one| read_card(one.card));
    cards.map(|card| card.expect("they are tested")).collect()
});

/// The lines of refusals lie within the file.
fn check_error(bytes: &[u8], error: &ReadLabelsError) -> Result<(), String> {
    rejected(error)?;
    within(bytes, error.line, 1)
}

/// The labels as CSV, every field in quotes.
fn csv_of(labels: &Labels) -> Vec<u8> {
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let mut csv = "task,worker,label\n".to_owned();
    for given in labels.given() {
        let fields = [
            (labels.tasks(), given.task),
            (labels.workers(), given.worker),
            (labels.names(), given.label),
        ];
        let fields = fields.map(|(names, index)| quoted(&names.texts()[index]));
        csv += &(fields.join(",") + "\n");
    }
    csv.into_bytes()
}

/// The probabilities of a task are at least 0 and come to 1.
fn check_aggregates(labels: &Labels, gold: &BTreeMap<String, String>) -> Result<(), String> {
    let settings = EmSettings {
        // The probabilities come to 1 after each iteration, so a few are enough.
        iterations: 5,
        ..EmSettings::default()
    };
    for method in [Method::Majority, Method::OneCoin, Method::DawidSkene] {
        let aggregated = match aggregate(labels.clone(), method, gold, settings) {
            Ok(aggregated) => aggregated,
            Err(error) => {
                rejected(&error)?;
                continue;
            }
        };
        for task in 0..aggregated.labels.tasks().len() {
            let row = aggregated.probability.row(task);
            let sum: f64 = row.iter().sum();
            // The tolerance is for rounding.
            let is_sound = row.iter().all(|one| *one >= 0.0) && (sum - 1.0).abs() < 1e-6;
            ensure(is_sound, || format!("{method:?}: task {task} has {row:?}"))?;
        }
    }
    Ok(())
}

/// An item stands where it says, within lines of so many characters, and why it can be on no list has a text.
fn check_item(lines: &[usize], item: &ListItem, position: &Position) -> Result<(), String> {
    let columns = lines.get(item.place.line - 1).copied().unwrap_or_default();
    ensure((1..=columns).contains(&item.place.column), || {
        format!("{}: not within the list", item.place)
    })?;
    match &item.squares {
        Ok(squares) => judge(canonical(position, squares), |_| Ok(())).map(drop),
        Err(error) => rejected(error).map(drop),
    }
}

/// What else people write that is short.
fn check_words(text: &str) -> Result<(), String> {
    if let Ok(name) = text.parse::<PlayerName>() {
        let again = name.as_str().parse();
        same("name", &again, &Ok(name))?;
    }
    if let Ok(token) = text.parse::<SessionToken>() {
        same("token", &token.as_str(), &text)?;
    }
    if let Ok(token) = text.parse::<AssignmentToken>() {
        same("token", &token.as_str(), &text)?;
    }
    judge(read_position(text), |_| Ok(())).map(drop)
}

/// Every move shown to the page can be played, and what is written as PGN is read again.
fn check_game(bytes: &[u8], played: &Played) -> Result<InputVerdict, String> {
    let shown = view(played);
    same("positions", &shown.fens.len(), &(shown.moves.len() + 1))?;
    let start = Some(shown.fens[0].as_str());
    for one in &shown.legal {
        let mut moves = shown.moves.clone();
        moves.push(one.text.clone());
        // Longer than the longest that is read is no fault of the move.
        if moves.len() <= crowd::play::game::MAX_PLIES {
            let next = Played::read(start, shown.chess960, &moves);
            next.map_err(|error| format!("{}: {error}", one.text))?;
        }
    }
    let Ok(request) = from_slice::<PgnRequest>(bytes) else {
        return Ok(InputVerdict::Read);
    };
    let written = write_pgn(played, &request.tags, request.result.as_deref());
    judge(written, |written| {
        let again = read_pgn(&written);
        same("faults", &again.faults, &Vec::new())?;
        same("games", &again.games.len(), &1)?;
        same("moves", &again.games[0].moves, &shown.moves)
    })
}
