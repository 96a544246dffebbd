//! Extracts positions from games.

use chess::notation::pgn::PgnGame;
use chess::rules::Position;

use super::classify::is_quiet_after;
use crate::text::{Operand, Operation, Record};

/// Which positions of a game to take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PositionChoice {
    /// The one after this many plies, unless it has no legal move.
    AtPly(usize),
    /// The first of every `every` quiet positions between plies `least` and `most`: not in check,
    /// reached by neither capture nor promotion, nothing to win by exchanges.
    Quiet {
        least: usize,
        most: usize,
        every: usize,
    },
}

/// What to write besides the fields of a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Extras {
    /// `hmvc` and `fmvn`.
    pub(crate) clocks: bool,
    /// `id`: file, game number, ply.
    pub(crate) id: bool,
    /// `c9`: the result of the game.
    pub(crate) result: bool,
}

/// Picks positions from a series of games.
pub(crate) struct Picker {
    choice: PositionChoice,
    extras: Extras,
}

impl Picker {
    pub(crate) const fn new(choice: PositionChoice, extras: Extras) -> Self {
        Self { choice, extras }
    }

    /// Picks the positions of a game. `name` and `number` identify it in the `id`.
    pub(crate) fn pick(&self, game: &PgnGame, name: &str, number: u64) -> Vec<Record> {
        let mut records = Vec::new();
        for (ply, position) in chosen(game, self.choice) {
            let mut operations = Vec::new();
            let mut push = |opcode: &str, operand: Operand| {
                operations.push(Operation::new_unchecked(opcode, vec![operand]));
            };
            if self.extras.clocks {
                let (halfmove, fullmove) = (position.halfmove_clock(), position.fullmove_number());
                push("hmvc", Operand::Word(halfmove.to_string()));
                push("fmvn", Operand::Word(fullmove.to_string()));
            }
            if self.extras.id {
                push("id", game_id(name, number, ply));
            }
            if let (true, Some(result)) = (self.extras.result, game.result) {
                push("c9", Operand::Text(result.to_string()));
            }
            let mut record = Record::new(position);
            let set = record.set_sorted(operations);
            set.expect("none is a perft count");
            records.push(record);
        }
        records
    }
}

/// The `id` of a position: file, number of the game, ply.
pub(crate) fn game_id(file: &str, game: u64, ply: usize) -> Operand {
    // EPD cannot represent control characters.
    let file = file.replace(char::is_control, "'");
    Operand::Text(format!("{file} {game} {ply}"))
}

/// The chosen positions, each with its ply.
fn chosen(game: &PgnGame, choice: PositionChoice) -> Vec<(usize, Position)> {
    match choice {
        PositionChoice::AtPly(ply) => {
            let at_ply = game.positions().nth(ply);
            // A position without a legal move is no opening.
            let continues = at_ply.filter(|position| !position.legal_moves().is_empty());
            let chosen = continues.map(|position| (ply, position));
            chosen.into_iter().collect()
        }
        PositionChoice::Quiet { least, most, every } => {
            let mut before: Option<Position> = None;
            let moves = std::iter::once(None).chain(game.moves().map(Some));
            let plies = moves.zip(game.positions()).enumerate();
            let quiet = plies.filter_map(|(ply, (m, position))| {
                let last = before.replace(position).zip(m);
                let last = last.as_ref().map(|(before, m)| (before, *m));
                let is_wanted = (least..=most).contains(&ply)
                    && is_quiet_after(last, &position)
                    && !position.legal_moves().is_empty();
                is_wanted.then_some((ply, position))
            });
            quiet.step_by(every).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use chess::notation::pgn::PgnReader;

    use super::*;

    const GAMES: &str = "[Event \"One\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6 1-0\n\
                         [Event \"Two\"]\n\n1. Nf3 Nc6 2. e4 e5 0-1\n\
                         [Event \"Mate\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";

    fn picked(choice: PositionChoice, extras: Extras) -> Vec<String> {
        let picker = Picker::new(choice, extras);
        let games = PgnReader::new(GAMES.as_bytes()).zip(1..);
        let records = games.flat_map(|(game, number)| picker.pick(&game.unwrap(), "g", number));
        records.map(|record| record.to_string()).collect()
    }

    #[test]
    fn at_a_ply() {
        let after = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -";
        let extras = Extras {
            clocks: true,
            id: true,
            result: true,
        };
        // The first arises after 2... Nc6, the second after 2... e5, which leaves an e.p. square.
        let first = format!("{after} c9 \"1-0\"; fmvn 3; hmvc 2; id \"g 1 4\";");
        let second =
            after.replace("KQkq -", "KQkq e6") + " c9 \"0-1\"; fmvn 3; hmvc 0; id \"g 2 4\";";
        assert_eq!(picked(PositionChoice::AtPly(4), extras), [first, second]);
        assert_eq!(picked(PositionChoice::AtPly(9), Extras::default()), [""; 0]);
    }

    #[test]
    fn an_id_is_read_as_it_was_written() {
        for name in ["g.pgn", "a \"b\"", "\"", "a\\\"b", "c;d", "\\"] {
            let id = game_id(name, 7, 12);
            let mut record = Record::new(Position::startpos());
            let operation = Operation::new("id", vec![id]).expect("it can be written");
            record.push(operation).expect("no count");
            let read: Record = record.to_string().parse().expect(name);
            assert_eq!(read.id(), Some(&*format!("{name} 7 12")));
        }
        assert_eq!(game_id("a\nb", 7, 12).as_str(), "a'b 7 12");
    }

    #[test]
    fn quiet_ones() {
        let quiet = |least, every| {
            let choice = PositionChoice::Quiet {
                least,
                most: 8,
                every,
            };
            let extras = Extras {
                id: true,
                ..Extras::default()
            };
            let records = picked(choice, extras).into_iter();
            let ids = records.map(|record| record.split('"').nth(1).unwrap().to_owned());
            ids.collect::<Vec<_>>()
        };
        // After 3... a6 the exchange on c6 is even; plies 7 and 8 are captures. After 2. Nf3 Black
        // can take nothing; after 4 plies White's knight cannot take the defended e5.
        let one = ["g 1 2", "g 1 3", "g 1 4", "g 1 5", "g 1 6"];
        let two = ["g 2 2", "g 2 3", "g 2 4"];
        let all = [&one[..], &two, &["g 3 2", "g 3 3"]].concat();
        assert_eq!(quiet(2, 1), all);
        assert_eq!(quiet(2, 3), ["g 1 2", "g 1 5", "g 2 2", "g 3 2"]);
    }
}
