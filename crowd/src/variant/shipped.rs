//! The campaigns that come with the program: a card and positions, of which those with an answer are gold.

/// A campaign that comes with the program.
#[derive(Clone, Copy, Debug)]
pub struct Shipped {
    /// The campaign's name.
    pub name: &'static str,
    /// The rules card, in TOML.
    pub card: &'static str,
    /// Positions with their answer, by which contributors are measured.
    pub gold: &'static str,
    /// Positions to list.
    pub positions: &'static str,
}

/// All of them.
pub const SHIPPED: [Shipped; 2] = [
    Shipped {
        name: "antichess",
        card: include_str!("../../campaigns/antichess/card.toml"),
        gold: include_str!("../../campaigns/antichess/gold.epd"),
        positions: include_str!("../../campaigns/antichess/positions.epd"),
    },
    Shipped {
        name: "capahouse",
        card: include_str!("../../campaigns/capahouse/card.toml"),
        gold: include_str!("../../campaigns/capahouse/gold.epd"),
        positions: include_str!("../../campaigns/capahouse/positions.epd"),
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variant::{Placement, candidates, canonical, read_card, read_suite};

    #[test]
    fn every_card_and_position_is_good_and_every_answer_a_candidate() {
        for shipped in SHIPPED {
            let card = read_card(shipped.card).expect(shipped.name);
            for (text, is_gold) in [(shipped.gold, true), (shipped.positions, false)] {
                for line in read_suite(text.as_bytes()) {
                    let line = line.expect(shipped.name);
                    let placement = Placement::read(&card, &line.fen).expect(&line.fen);
                    let asked = candidates(&card, &placement);
                    assert_eq!(line.moves.is_some(), is_gold, "{}", line.fen);
                    for mv in line.moves.iter().flatten() {
                        assert!(
                            asked.iter().any(|one| one.text == *mv),
                            "{mv} in {}",
                            line.fen
                        );
                        assert_eq!(canonical(&card, &placement, mv).as_ref(), Ok(mv));
                    }
                }
            }
        }
    }
}
