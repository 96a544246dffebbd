//! The modules that decide without a page: typed moves, words, numbered events.

use serde_json::json;

use super::scene::Scene;
use super::server::FEN;

/// What is typed, and what it is read as: moves, or a part of what is said against it.
const TYPED: [(&str, &str); 26] = [
    ("e2e4", "e2e4"),
    ("E5F7", "e5f7"),
    ("Ne5xd7", "e5d7"),
    ("Nf3", "e5f3"),
    ("nf7+", "e5f7"),
    ("N5d3", "e5d3"),
    ("Nb5", "c3b5"),
    ("exd5", "e4d5"),
    ("e5", "e4e5"),
    ("a4", "a2a4"),
    ("a5", "even on an empty board"),
    ("dxe6 e.p.", "d5e6"),
    ("ed6", "No white pawn on e"),
    ("Rd1", "a1d1 h1d1"),
    ("Rad1", "a1d1"),
    ("O-O", "e1g1"),
    ("0-0-0", "e1c1"),
    ("b8", "b7b8"),
    ("b8=Q", "b7b8q"),
    ("bxa8n", "b7a8n"),
    ("b7c8=R!", "b7c8r"),
    ("a4=Q", "Only a pawn that reaches its last rank"),
    ("a8a7", "There is no white piece on a8"),
    ("Qe5f7", "is a knight"),
    ("e5e5", "must leave e5"),
    ("Zf3", "is not a move"),
];

#[tokio::test(flavor = "multi_thread")]
async fn typed_moves_are_read_from_the_diagram_alone() {
    let page = Scene::at("/contribute").await;
    for (typed, expected) in TYPED {
        let read = page.eval(&reading(FEN, typed, false)).await;
        let read = read.as_str().expect("a text");
        assert!(
            read == expected || (expected.contains(' ') && read.contains(expected)),
            "{typed}: {read}, not {expected}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn castling_of_chess960_is_king_takes_rook() {
    let page = Scene::at("/contribute").await;
    let fen = "1r2k2r/8/8/8/8/8/8/RR2K2R w HBhb - 0 1";
    for (typed, expected) in [("O-O", "e1h1"), ("O-O-O", "e1a1 e1b1"), ("e1b1", "e1b1")] {
        let read = page.eval(&reading(fen, typed, true)).await;
        assert_eq!(read, expected, "{typed}");
    }
}

/// Moves with spaces between, or what is said against it.
fn reading(fen: &str, typed: &str, chess960: bool) -> String {
    format!(
        "(async () => {{
            const {{ readTyped }} = await import('/static/list/words.js');
            const {{ piecesOf }} = await import('/static/board.js');
            const {{ textOf }} = await import('/static/list/words.js');
            const {{ moves, error }} = readTyped({typed:?}, piecesOf({fen:?}), 'white', {chess960});
            return error ?? moves.map(textOf).join(' ');
        }})()"
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn moves_are_said_in_words() {
    let page = Scene::at("/contribute").await;
    let said = page.eval(&format!(
        "(async () => {{
            const {{ longForm, spokenForm, factsOf }} = await import('/static/list/words.js');
            const {{ piecesOf }} = await import('/static/board.js');
            const pieces = piecesOf({FEN:?});
            const long = ['e5f7', 'a2a4', 'b7a8q', 'e1c1'].map((move) => longForm(pieces, move, false));
            return [...long, spokenForm(pieces, 'b7a8q', false), factsOf('8/8/8/8/8/8/8/8 b Kq e3 0 1')];
        }})()"
    )).await;
    let facts = "Castling: White: king’s side. Black: queen’s side. En passant: on e3, which a pawn has just passed.";
    assert_eq!(
        said,
        json!([
            "Ne5xf7",
            "a2–a4",
            "b7xa8=Q",
            "O-O-O",
            "pawn from b7 to a8, taking the rook, becoming a queen",
            facts,
        ])
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn events_of_two_windows_are_joined_without_loss() {
    let page = Scene::at("/contribute").await;
    let joined = page.eval(
        "(async () => {
            const { merge, movesOf, undoing } = await import('/static/list/sending.js');
            const event = (seq, op, move) => ({ seq, op, move, at_ms: seq });
            const server = [event(1, 'add', 'e2e4'), event(2, 'add', 'd2d4')];
            const local = [event(1, 'add', 'e2e4'), event(2, 'add', 'c2c4'), event(3, 'add', 'g1f3')];
            const { events, acknowledged } = merge(server, local, 1);
            const lost = merge(server, server, 1);
            return [movesOf(events), events.map((e) => e.seq), acknowledged, lost.events.length, undoing(events),
                    undoing([event(1, 'add', 'e2e4'), event(2, 'remove', 'e2e4')])];
        })()",
    );
    assert_eq!(
        joined.await,
        json!([
            ["e2e4", "d2d4", "c2c4", "g1f3"],
            [1, 2, 3, 4],
            2,
            2,
            { "op": "remove", "move": "g1f3" },
            null
        ])
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn waiting_grows_and_heeds_the_server() {
    let page = Scene::at("/contribute").await;
    let waits = page.eval(
        "(async () => {
            const { waitBefore } = await import('/static/list/sending.js');
            return [waitBefore(0, null, 1), waitBefore(3, null, 1), waitBefore(0, null, 0), waitBefore(40, null, 1), waitBefore(0, 7000, 1)];
        })()",
    );
    assert_eq!(waits.await, json!([500, 4000, 250, 30_000, 7000]));
}
