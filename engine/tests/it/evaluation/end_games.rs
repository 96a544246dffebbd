//! End games, in profile `Touchstone`: how much of an advantage counts where it does not win, and how a
//! lone king is mated.

use chess::rules::{Game, Outcome};
use engine::eval::{Evaluation, LIMIT, Network};
use engine::search::{Profile, SearchLimits, SearchRequest, Searcher};

use super::visit::position;

#[test]
fn advantages_that_win_nothing_count_less() {
    for (text, expected) in [
        // Without pawns.
        ("8/8/4k3/8/8/8/8/4K1N1 w - - 0 1", 0),
        ("8/8/4k3/8/8/8/8/4KB2 w - - 0 1", 0),
        ("8/8/4k3/8/8/8/8/1N2K1N1 w - - 0 1", 0),
        ("8/8/4k3/8/8/8/8/1N2KB2 w - - 0 1", 64),
        ("8/8/4k3/8/8/8/8/4K2R w - - 0 1", 64),
        // Rook against bishop, rook against knight, rook and bishop against rook.
        ("8/8/4k1b1/8/8/8/8/4K2R w - - 0 1", 8),
        ("8/8/4k1n1/8/8/8/8/4K2R w - - 0 1", 8),
        ("8/8/4k1r1/8/8/8/8/4KB1R w - - 0 1", 8),
        // Queen against rook wins.
        ("8/8/4k1r1/8/8/8/8/4K2Q w - - 0 1", 64),
        // Few pawns against pieces.
        ("8/8/4k1r1/8/8/4P3/8/4K2R w - - 0 1", 40),
        ("8/8/4k1r1/8/8/3PP3/8/4K2R w - - 0 1", 48),
        ("8/8/4k1r1/8/8/2PPP3/8/4K2R w - - 0 1", 56),
        ("8/8/4k1r1/8/8/2PPPP2/8/4K2R w - - 0 1", 64),
        // Against a lone king, and with a rook more, there is nothing to give.
        ("8/8/4k3/8/8/4P3/8/4K3 w - - 0 1", 64),
        ("8/8/4k1n1/8/8/4P3/8/R3K2R w - - 0 1", 64),
        // f1 is light, f8 dark. None of White's pawns is passed, then one.
        ("5b2/4k3/1pp5/8/8/8/PPPP4/4KB2 w - - 0 1", 20),
        ("5b2/4k3/1pp5/8/8/8/PPP4P/4KB2 w - - 0 1", 25),
        ("r4b2/4k3/1pp5/8/8/8/PPPP4/R3KB2 w - - 0 1", 48),
        // Of one colour.
        ("2b5/4k3/1pp5/8/8/8/PPPP4/4KB2 w - - 0 1", 64),
        // Rook pawns and wrong bishops.
        // h8 is dark, f1 light, c1 dark.
        ("7k/8/8/8/7P/8/8/4KB2 w - - 0 1", 0),
        ("7k/8/8/8/7P/8/8/2B1K3 w - - 0 1", 64),
        ("8/8/3k4/8/7P/8/8/4KB2 w - - 0 1", 64),
        ("7k/8/8/7P/7P/8/8/4KB2 w - - 0 1", 0),
        // Without a bishop too; and for Black.
        ("7k/8/8/8/7P/8/8/4K3 w - - 0 1", 0),
        ("4k1b1/8/8/p7/8/8/1K6/8 w - - 0 1", 0),
        ("4k1n1/8/8/p7/8/8/1K6/8 w - - 0 1", 64),
    ] {
        let trace = Network::built_in().trace(&position(text));
        assert_eq!(trace.scale(), expected, "{text}");
        let shown = trace.to_string().contains("End game that counts");
        assert_eq!(shown, expected != 64, "{text}");
    }
}

/// Each row: a position, and the rows of its trace that say something, in order.
#[test]
fn terms_of_a_lone_king() {
    let material = |value| ("material", value);
    let edge = |value| ("lone king near the edge", value);
    let kings = |value| ("lone king near the other", value);
    let corner = |value| ("lone king near the corner", value);
    let way = |value| ("pawns on their way", value);
    #[rustfmt::skip]
    let rows = [
        // The king on h8 stands on the edge, two steps from the other.
        ("7k/8/5K2/8/8/8/8/R7 w - - 0 1", &[material(575), edge(120), kings(60)][..]),
        // f1 is light, as is h1: h3 lies five diagonals from a1 to h8. For Black the same.
        ("8/8/8/8/8/5K1k/8/5B1N b - - 0 1", &[material(655), kings(60), corner(600)]),
        ("5b1n/8/5k1K/8/8/8/8/8 w - - 0 1", &[material(-655), kings(-60), corner(-600)]),
        // A knight alone mates nobody, nor do two bishops of one colour.
        ("7k/8/5K2/8/8/8/8/N7 w - - 0 1", &[material(320)]),
        ("7k/8/5K2/8/8/8/8/B1B5 w - - 0 1", &[material(670)]),
        // The pawn on b5 stands on the fifth rank: 100. Before it lies b6, five steps from b1 and six from h5: 15.
        // With White to move the king on h5 comes too late: 300; from g5, with Black to move, in time.
        ("8/8/8/1P5k/8/8/8/1K6 w - - 0 1", &[material(100), way(415)]),
        ("8/8/8/1P2k3/8/8/8/1K6 b - - 0 1", &[material(100), way(70)]),
        // Two steps at once from the second rank; the own king stands in the way of another one.
        ("8/8/8/8/6k1/8/P7/7K w - - 0 1", &[material(100), way(285)]),
        ("8/8/8/8/6k1/K7/P7/8 w - - 0 1", &[material(100), way(90)]),
        ("8/8/8/7k/8/8/8/1K6 b - - 0 1", &[]),
    ];
    for (text, expected) in rows {
        let trace = Network::built_in().trace(&position(text));
        let values = trace
            .rows()
            .iter()
            .map(|row| (row.name, row.balance().end_game));
        let values: Vec<_> = values.filter(|&(_, value)| value != 0).collect();
        assert_eq!(values, expected, "{text}");
    }
    let most_queens = position("6k1/8/8/QQQQ4/8/8/QQQQ4/RNB1KBNR b - - 0 1");
    let value = Network::built_in().evaluate(&most_queens).abs();
    assert!((8_000..LIMIT).contains(&value), "{value}");
}

/// Both sides search: the side with the pieces mates before the draw by fifty moves, at so few nodes that
/// it must be led there.
#[test]
fn a_lone_king_is_mated() {
    for (text, nodes) in [
        ("8/8/8/3k4/8/8/8/Q3K3 w - - 0 1", 2_000),
        ("8/8/8/3k4/8/8/8/R3K3 w - - 0 1", 2_000),
        ("4k3/8/8/8/4K3/8/8/7r b - - 0 1", 2_000),
        ("8/8/8/3k4/8/8/8/2B1KB2 w - - 0 1", 3_000),
        ("8/8/8/3k4/8/8/8/1N2KB2 w - - 0 1", 10_000),
        ("7k/8/8/8/8/8/8/K5NB w - - 0 1", 10_000),
        ("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", 2_000),
    ] {
        let mut game = Game::new(position(text));
        let mut searcher = Searcher::new(4).expect("four MiB are there");
        while game.outcome().is_none() && game.position().halfmove_clock() < 100 {
            let limits = SearchLimits::to_nodes(nodes);
            let request = SearchRequest::new(&game, &limits);
            let found = searcher.search(Profile::Touchstone, request, &mut |_| {});
            game.play(found.best.expect("the game goes on"))
                .expect("a legal move");
        }
        let outcome = game.outcome();
        assert!(
            matches!(outcome, Some(Outcome::Checkmate { .. })),
            "{text}: {outcome:?}"
        );
    }
}
