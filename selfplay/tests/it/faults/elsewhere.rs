//! Faults that users of other programs reported: engines that print odd lines, and books that are
//! odd files. `docs/selfplay-faults.md` has the source of each.

use selfplay::model::{FaultKind, GameRecord, Limits};
use uci::Cancel;

use super::bed::{Bed, PATIENT, config, relaxed, unclocked};

/// A game of White with these flags against an honest engine.
fn played(flags: &[&str], limits: &Limits) -> GameRecord {
    let white = config("odd", limits.clone(), flags);
    let black = config("honest", limits.clone(), &["--seed=7"]);
    Bed::of(white, black, PATIENT, &Cancel::new())
        .play(4)
        .record
}

fn moves(record: &GameRecord) -> Vec<&str> {
    record.moves.iter().map(|one| one.uci.as_str()).collect()
}

fn answering(text: &str) -> String {
    format!("--answer-with={text}")
}

/// The move counts, and the score is the exact one of the first PV.
#[test]
fn odd_answers_are_read_as_meant() {
    let rows = rows![
        r"bestmove {move}\n" => None;
        r"bestmove {move}\r\n" => None;
        r" \n  bestmove   {move}  \n" => None;
        r"bestmove {move} ponder\n" => None;
        r"bestmove {move} ponder (none)\n" => None;
        r"bestmove {move} ponder a1a1\n" => None;
        r"bestmove {move} and some more words\n" => None;
        r"bestmove {move} ponder e2e4 e7e5 score cp 5\n" => None;
        r"info string bestmove a1a1\nbestmove {move}\n" => None;
        r"info depth 3 pv a1a1\nbestmove {move}\n" => None;
        r"info depth 1 currmove a1a1 currmovenumber 1\nbestmove {move}\n" => None;
        r"readyok\nuciok\nreadyok\nbestmove {move}\n" => None;
        r"id name other\noption name Late type check default true\nbestmove {move}\n" => None;
        r"\0\xff\xff\0\nbestmove {move}\n" => None;
        r"Bestmove a1a1\nbest move a1a1\nbestmovea1a1\nbestmove {move}\n" => None;
        r"info nps 99999999999999999999 depth 4 score cp 12\nbestmove {move}\n" => Some("cp 12");
        r"info nps -5 time -1 nodes -3 depth 4 score cp 13\nbestmove {move}\n" => Some("cp 13");
        r"info depth 4 score mate 3 score cp 14\nbestmove {move}\n" => Some("cp 14");
        r"info depth 4 score cp 15\ninfo depth 5 score cp 400 lowerbound\nbestmove {move}\n" => Some("cp 15");
        r"info depth 4 score cp 16\ninfo depth 5 score mate 2 upperbound\nbestmove {move}\n" => Some("cp 16");
        r"info depth 4 score lowerbound cp 900\nbestmove {move}\n" => None;
        r"info depth 4 score cp 17\ninfo multipv 2 score cp -400 depth 4\nbestmove {move}\n" => Some("cp 17");
        r"info depth 4 score cp 18\ninfo string score cp 9 mate 1\nbestmove {move}\n" => Some("cp 18");
        r"info depth 4 score cp 19\ninfo depth 5 currmove e2e4\nbestmove {move}\n" => Some("cp 19");
        r"info score mate -2 depth 4\nbestmove {move}\n" => Some("mate -2");
        r"info depth 4 score cp 20 wdl 1000 0 0 nodes 5\nbestmove {move}\n" => Some("cp 20");
        r"info depth 4 score cp 21\r\ninfo string\r\n\r\nbestmove {move}\r\n" => Some("cp 21");
        r"info score cp 22 string mate 1\nbestmove {move}\n" => Some("cp 22");
        r"info pv e2e4 score cp 3\nbestmove {move}\n" => Some("cp 3");
        r"foo info depth 4 score cp 23\nfoo bestmove {move}\n" => Some("cp 23");
    ];
    let honest = played(&[], &unclocked());
    // With a clock and without, in turn.
    let limits = [unclocked(), relaxed()].into_iter().cycle();
    for ((answer, score), limits) in rows.into_iter().zip(limits) {
        let record = played(&[&answering(answer)], &limits);
        assert_eq!(record.fault, None, "{answer}");
        assert_eq!(moves(&record), moves(&honest), "{answer}");
        assert_eq!(record.incidents, [], "{answer}");
        assert_eq!(record.moves[0].score.as_deref(), score, "{answer}");
    }
}

#[test]
fn answers_that_can_mean_no_move_lose() {
    let rows = rows![
        r"bestmove {move}q\n", FaultKind::IllegalMove => "which is not legal";
        r"bestmove {move}{move}\n", FaultKind::Unreadable => "which is not a move";
        r"bestmove Nf3\n", FaultKind::Unreadable => "answered Nf3, which is not a move";
        r"bestmove e1g1\n", FaultKind::IllegalMove => "answered e1g1, which is not legal";
        r"bestmove e2e5 ponder e7e5\n", FaultKind::IllegalMove => "answered e2e5";
        r"bestmove NULL\n", FaultKind::Unreadable => "answered NULL";
        r"bestmove \xff{move}\n", FaultKind::Unreadable => "which is not a move";
        r"bestmove \0{move}\n", FaultKind::Unreadable => "which is not a move";
        r"bestmove resign\n", FaultKind::Unreadable => "answered resign";
        r"bestmove ponder e7e5\n", FaultKind::Unreadable => "answered ponder";
    ];
    for (answer, kind, detail) in rows {
        let record = played(&[&answering(answer)], &unclocked());
        let fault = record.fault.as_ref().unwrap_or_else(|| panic!("{answer}"));
        assert_eq!(
            (fault.engine.0, fault.kind),
            (0, kind),
            "{answer}: {fault:?}"
        );
        assert!(fault.detail.contains(detail), "{answer}: {fault:?}");
        assert_eq!(
            record.moves.len(),
            0,
            "an illegal move is not part of the game"
        );
    }
}

/// What is printed before `uciok`.
#[test]
fn odd_greetings_are_read_as_meant() {
    let rows = [
        r"\xff\xff\n",
        r"\0\0\0\n\r\n\r\r\n",
        r"Engine 1.0 by nobody\n\n   \n",
        r"id\nid name\nid author\nid other x\n",
        r"option\noption name\noption name X\noption name X type odd default 1\n",
        r"option name A B  C type string default\noption name D type spin default 5 min 9 max 1\n",
        r"option name type type combo var a var a b default zzz\n",
        r"info string no network found\nbestmove e2e4\nreadyok\n",
        r"registration checking\nregistration error\ncopyprotection error\n",
    ];
    let honest = played(&[], &unclocked());
    for greeting in rows {
        let record = played(&[&format!("--greet={greeting}")], &unclocked());
        assert_eq!(record.fault, None, "{greeting}");
        assert_eq!(moves(&record), moves(&honest), "{greeting}");
    }
}
