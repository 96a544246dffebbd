//! `perft explain`.

use std::io::IsTerminal as _;

use chess::notation::san::{self, ParseSanError};
use chess::notation::uci_move::UciMove;
use chess::rules::explain::explain as reason;
use chess::rules::{CastlingMode, CastlingSide, File, Move, Position, Square};
use kit::report::{Format, Formats as _, TextFormats};
use kit::{Exit, output};

use super::{BadInput, CommandContext};
use crate::explain::{Explained, Style};
use crate::report::finding::plain_move;

/// Say why moves are legal or not, and what a position asks of the side to move
///
/// Examples: `perft explain kiwipete`, `perft explain startpos e2e5`,
/// `perft explain '4k3/8/8/K2pP2r/8/8/8/8 w - d6' e5d6 --boards`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit codes: 0 every move is legal, or none was given; 1 a move is illegal; 2 \
                        invalid usage or input."
)]
pub(super) struct ExplainArgs {
    /// Position (FEN or name), then moves to judge
    ///
    /// Position, then moves, each judged in that position. The position is a FEN of four or six
    /// fields, with or without quotes, or a name: startpos, kiwipete, position-3 to position-6, or an
    /// id of the built-in suites. Moves are in UCI notation, legal or not, or in SAN if legal.
    #[arg(value_name = "FEN|NAME [MOVE]", required = true, num_args = 1..)]
    position_and_moves: Vec<String>,

    /// Draw boards: check, pins, forbidden squares
    ///
    /// Draw boards: the check, the pins, the squares forbidden to the king, what the piece sees; 80
    /// columns wide, or on a terminal as wide as the variable COLUMNS.
    #[arg(long)]
    boards: bool,

    /// How to print the result
    #[arg(long, value_parser = Format::parser(TextFormats::ALL), default_value = "human")]
    format: Format,
}

pub(super) fn explain(args: &ExplainArgs, session: &CommandContext) -> anyhow::Result<Exit> {
    if args
        .position_and_moves
        .iter()
        .any(|word| word.trim().is_empty())
    {
        let message = "an argument is empty, expected a position and moves";
        return Err(BadInput(message.to_owned()).into());
    }
    let all = args.position_and_moves.join(" ");
    let words: Vec<&str> = all.split_whitespace().collect();
    let (position, moves) = words.split_at(words_of_position(&words));
    let position = session.position(&position.join(" "))?;
    let moves = moves.iter().map(|text| read(text, &position));
    let explained = Explained::new(position, &moves.collect::<Result<Vec<Move>, _>>()?);
    let text = match args.format {
        Format::Json => explained.json()?,
        _ => explained.human(args.boards.then(style)),
    };
    output::to_stdout(&text)?;
    Ok(explained.exit())
}

/// Colour on a terminal only, and not where `NO_COLOR` is set (no-color.org). Otherwise the output
/// does not depend on the environment.
#[expect(clippy::disallowed_methods, reason = "the edge reads the environment")]
fn style() -> Style {
    let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let is_terminal = std::io::stdout().is_terminal();
    let columns = std::env::var("COLUMNS").ok().filter(|_| is_terminal);
    let columns = columns.and_then(|text| text.parse::<u16>().ok());
    Style {
        width: columns.map_or(80, usize::from),
        color: is_terminal && !unwanted,
    }
}

/// Number of words the position takes: one for a name; for a FEN four, and any counters.
fn words_of_position(words: &[&str]) -> usize {
    if !words[0].contains('/') {
        return 1;
    }
    let is_number = |word: &&&str| word.bytes().all(|byte| byte.is_ascii_digit());
    let numbers = words.iter().skip(4).take(2).take_while(is_number).count();
    words.len().min(4 + numbers)
}

/// Parses a move in UCI notation, or a legal one in SAN.
fn read(text: &str, position: &Position) -> Result<Move, BadInput> {
    let uci = text.parse::<UciMove>();
    let san = san::parse_lenient(text, position);
    match (uci, san) {
        (Ok(uci), san) => {
            let asked = plain_move(uci);
            // Where the two readings differ, it is Chess960 castling written as in standard chess.
            let meant = san.ok().filter(|_| !reason(position, asked).is_legal());
            Ok(meant.unwrap_or(asked))
        }
        (Err(_), Ok(m)) => {
            let mode = position.castling_mode();
            Ok(plain_move(UciMove::from_move(m, position, mode)))
        }
        (Err(error), Err(ParseSanError::Syntax { .. }))
            if text.len() > 2
                && text
                    .get(..2)
                    .is_some_and(|name| name.parse::<Square>().is_ok()) =>
        {
            Err(BadInput(error.to_string()))
        }
        (Err(_), Err(error)) => castling(text, position).ok_or_else(|| {
            let hint = match error {
                ParseSanError::Illegal { .. } => {
                    "; for the reason, write the move as UCI does: both squares, such as g1f3"
                }
                _ => "",
            };
            BadInput(format!("{error}{hint}"))
        }),
    }
}

/// Castling in SAN, which is unambiguous even where it is illegal.
fn castling(text: &str, position: &Position) -> Option<Move> {
    let side = match text.trim_end_matches(['+', '#', '!', '?']) {
        "O-O" | "0-0" | "o-o" => CastlingSide::King,
        "O-O-O" | "0-0-0" | "o-o-o" => CastlingSide::Queen,
        _ => return None,
    };
    let us = position.side_to_move();
    let king = position.king(us);
    let mode = position.castling_mode();
    let rooks = position.castling_rooks() & position.by_color(us);
    let rook = rooks
        .into_iter()
        .find(|&rook| CastlingSide::new(king, rook) == side);
    match rook {
        Some(rook) if mode == CastlingMode::Chess960 => Some(Move::new(king, rook)),
        _ => (king.file() == File::E).then(|| Move::new(king, side.king_target(us))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_position_ends_where_the_moves_begin() {
        let rows = [
            ("startpos e2e4", 1),
            ("kiwipete", 1),
            ("8/8/8/8/8/8/8/8 w - - e2e4", 4),
            ("8/8/8/8/8/8/8/8 w - - 0 1 e2e4 e7e5", 6),
            ("8/8/8/8/8/8/8/8 w - - 0 e2e4", 5),
            ("8/8/8/8/8/8/8/8 w - - 0 1 2", 6),
            ("8/8/8/8/8/8/8/8 w", 2),
        ];
        for (text, expected) in rows {
            let words: Vec<&str> = text.split(' ').collect();
            assert_eq!(words_of_position(&words), expected, "{text}");
        }
    }
}
