//! `crowd check` as its users see it.
#![expect(clippy::disallowed_methods, reason = "files are made")]

use std::path::Path;

use crate::common::cli::crowd;

/// The position of the thesis's figure 3.7, and its list.
const FEN: &str = "(r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2N2N2/PPPP1PPP/R1BQK2R w KQkq -)\r\n";
const LIST: &str = "6050 6040 7071 6151 6141 4251 4233 4224 4215\n\
    4231 4220 4253 4264 4275 5240 5231 5233 5264\n\
    5271 6353 6343 7364 7464 7475 7476 5536 5547\n\
    5576 5543 5534 6656 6646 6757 6747 7776 7775\n";

fn check(fen: &str, moves: &str, arguments: &[&str]) -> String {
    let folder = tempfile::tempdir().expect("a folder can be made");
    write(folder.path(), "fen.txt", fen.as_bytes());
    let mut all = vec!["check", "fen.txt", "-"];
    all.extend(arguments);
    crowd(folder.path(), &all, moves)
}

fn write(folder: &Path, name: &str, bytes: &[u8]) {
    std::fs::write(folder.join(name), bytes).expect("it can be written");
}

#[test]
fn a_complete_list() {
    insta::assert_snapshot!("check_agrees", check(FEN, LIST, &[]));
    insta::assert_snapshot!("check_agrees_json", check(FEN, LIST, &["--format", "json"]));
}

#[test]
fn differences() {
    // Without e1f1 and castling; a2a5, a2a3 again, and the rook from h1 through the pawn.
    let list = LIST.replace("7475 7476 ", "") + "6030 6050 h1h3\n";
    insta::assert_snapshot!("check_differs", check(FEN, &list, &[]));
    insta::assert_snapshot!(
        "check_differs_json",
        check(FEN, &list, &["--format", "json"])
    );
}

#[test]
fn promotions_castling_and_en_passant() {
    let fen = "r3k2r/4P3/8/8/5Pp1/8/p7/1R2K3 b kq f3 0 1";
    let list = "pq00 pq01 0406 0402 4655 4656 Pq01";
    insta::assert_snapshot!("check_special", check(fen, list, &[]));
}

#[test]
fn what_cannot_be_read() {
    insta::assert_snapshot!(
        "check_unreadable",
        check(FEN, &(LIST.to_owned() + "99 e2e9 Nf3\n"), &[])
    );
    let json = check(FEN, &(LIST.to_owned() + "99\n"), &["--format", "json"]);
    insta::assert_snapshot!("check_unreadable_json", json);
    insta::assert_snapshot!(
        "check_bad_fen",
        check("8/8/8/8/8/8/8/8 w - - 0 1", LIST, &[])
    );
    insta::assert_snapshot!("check_two_fens", check(&FEN.repeat(2), LIST, &[]));
    let folder = tempfile::tempdir().expect("a folder can be made");
    write(folder.path(), "fen.txt", FEN.as_bytes());
    write(folder.path(), "moves.txt", b"6050\n60\xff0\n");
    let not_text = crowd(folder.path(), &["check", "fen.txt", "moves.txt"], "");
    insta::assert_snapshot!("check_not_text", not_text);
    let missing = crowd(folder.path(), &["check", "fen.txt", "none.txt"], "");
    insta::assert_snapshot!("check_no_file", missing);
    let twice = crowd(folder.path(), &["check", "-", "-"], "");
    insta::assert_snapshot!("check_two_stdin", twice);
}
