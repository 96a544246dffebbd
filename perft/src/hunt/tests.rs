//! Every toy is hunted down from a big position.

use std::fmt::Write as _;
use std::num::NonZeroU32;

use engine::notation::fen;

use super::toys;
use super::*;
use crate::subject::Subject;

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const POSITION_3: &str = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";
const POSITION_4: &str = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1";
const POSITION_5: &str = "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8";

fn question(text: &str, depth: u32) -> Question {
    let position = fen::parse(text).expect("legal");
    Question::by_fen(position, NonZeroU32::new(depth).expect("not 0"))
}

fn describe(name: &str, finding: &Finding) -> String {
    let Finding { shown, fault, .. } = finding;
    let mut text = format!(
        "{name}: {}\n  {}",
        fault.kind(),
        fen::write(shown.route.root())
    );
    if !shown.route.moves().is_empty() {
        write!(text, " moves {:?}", shown.route.moves()).unwrap();
    }
    write!(text, " depth {}\n  {fault:?}\n", shown.depth).unwrap();
    let Counts { ours, theirs } = finding.counts;
    writeln!(
        text,
        "  ours {ours}, theirs {theirs:?}; path {:?}; {} questions; {}",
        finding.path.moves(),
        finding.questions,
        finding.end.as_str()
    )
    .unwrap();
    text
}

fn run(name: &str, mut subject: impl Subject, text: &str, depth: u32) -> String {
    let finding = hunt(&mut subject, &question(text, depth), Limits::default()).expect(name);
    describe(name, &finding)
}

#[test]
fn every_toy_is_hunted_down() {
    use toys::*;
    let found = [
        run("en passant pin", EnPassantPin, POSITION_3, 4),
        run("no pins", NoPins, KIWIPETE, 3),
        run("castling through check", CastlingThroughCheck, KIWIPETE, 3),
        run("right of a taken rook", RightOfTakenRook, KIWIPETE, 4),
        run("jumping pawn", JumpingPawn, KIWIPETE, 3),
        run("only queens", OnlyQueens, POSITION_4, 3),
        run("promotes to king", PromotesToKing, POSITION_5, 3),
        run("castles twice", CastlesTwice, KIWIPETE, 3),
        run("castles over a knight", CastlesOverKnight, KIWIPETE, 3),
        run("blind rook pawn", BlindRookPawn, KIWIPETE, 3),
        run(
            "counts checkmate",
            CountsEnds { in_check: true },
            KIWIPETE,
            4,
        ),
        run(
            "counts stalemate",
            CountsEnds { in_check: false },
            "7k/7p/5K1P/p7/P5Q1/3p1p2/3P1P2/8 w - - 3 40",
            3,
        ),
        run(
            "counts stalemate below",
            CountsEndsBelow,
            "7k/7p/5K1P/p7/P5Q1/3p1p2/3P1P2/8 w - - 3 40",
            3,
        ),
        run("wrong sum", WrongSum, KIWIPETE, 3),
        run("stale en passant", StaleEnPassant, POSITION_3, 4),
        run("promotion stays", PromotionStays, POSITION_4, 3),
        run("rights not restored", RightsNotRestored, KIWIPETE, 3),
        run("crashes on en passant", CrashesOnEnPassant, KIWIPETE, 3),
        run("hangs on castling", HangsOnCastling, POSITION_5, 3),
        run("mumbles", Mumbles, POSITION_4, 3),
        run("flaky", Flaky::default(), KIWIPETE, 2),
        run("faultless", Faultless, KIWIPETE, 2),
        run(
            "totals: en passant pin",
            TotalOnly(EnPassantPin),
            POSITION_3,
            4,
        ),
        run("totals: only queens", TotalOnly(OnlyQueens), POSITION_4, 3),
        run(
            "totals: castles twice",
            TotalOnly(CastlesTwice),
            KIWIPETE,
            3,
        ),
        run(
            "totals: blind rook pawn",
            TotalOnly(BlindRookPawn),
            KIWIPETE,
            3,
        ),
        run(
            "totals: through check",
            TotalOnly(CastlingThroughCheck),
            KIWIPETE,
            3,
        ),
        run(
            "totals: right of a taken rook",
            TotalOnly(RightOfTakenRook),
            KIWIPETE,
            4,
        ),
    ];
    insta::assert_snapshot!(found.join("\n"));
}
