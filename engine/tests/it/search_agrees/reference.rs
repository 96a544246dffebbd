//! Plain min-max: every line to its end, no bounds, no table, no order.

use std::fmt::Debug;

use chess::notation::fen;
use chess::rules::{Game, Move, PieceType, Position};
use engine::eval::{ChessBin, Evaluation, Network};
use engine::search::{
    MATE, PvLine, SearchLimits, SearchRequest, SearchResult, SearchUpdate, chessbin,
};

/// Nodes of min-max usually spent on one position; those that would need more are skipped.
pub(crate) const REFERENCE_NODES: u64 = 8_000;

/// A position too large for the reference.
struct TooLarge;

/// What the searches see differently.
#[derive(Clone, Copy)]
pub(crate) struct Rules {
    /// The value of a position for the side to move.
    evaluate: fn(&Position) -> i32,
    /// Lines are searched deeper once there are fewer pieces than this.
    end_game_pieces: u32,
    /// By so many plies.
    end_game_extension: u32,
    /// Whether leaves are searched on while captures hang.
    quiescence: bool,
    /// Whether leaves are those of profile Touchstone: a stalemate is not seen there, and captures
    /// that promote to anything but a queen are not tried.
    is_short_sighted: bool,
}

impl Rules {
    /// What the search of profile Touchstone sees.
    pub(crate) const TOUCHSTONE: Self = Self {
        evaluate: |position| Network::built_in().evaluate(position),
        end_game_pieces: 0,
        end_game_extension: 0,
        quiescence: true,
        is_short_sighted: true,
    };

    /// What the search of profile `ChessBin` sees.
    pub(crate) fn of(features: chessbin::ChessBinFeatures) -> Self {
        Self {
            evaluate: |position| ChessBin.evaluate(position),
            end_game_pieces: features.end_game_pieces,
            end_game_extension: features.end_game_extension,
            quiescence: features.quiescence,
            is_short_sighted: false,
        }
    }

    fn is_noisy(self, position: &Position, m: Move) -> bool {
        match m.promotion() {
            Some(PieceType::Queen) => true,
            Some(_) => !self.is_short_sighted && position.is_capture(m),
            None => position.is_capture(m),
        }
    }
}

/// Whether the last position is drawn by repetition, fifty moves or material.
pub(crate) fn is_draw(line: &[Position]) -> bool {
    let position = line[line.len() - 1];
    // With the same side to move; nothing from before a capture or a pawn move occurs again.
    let reversible = position.halfmove_clock() as usize + 1;
    let earlier = line.iter().rev().take(reversible).step_by(2);
    let same = earlier.filter(|p| position.is_repetition_of(p));
    same.count() >= 3 || position.halfmove_clock() >= 100 || position.is_insufficient_material()
}

/// The positions of a game.
pub(crate) fn line_of(game: &Game) -> Vec<Position> {
    let mut line = vec![*game.start()];
    for m in game.moves() {
        let last = line[line.len() - 1];
        line.push(last.play(m).expect("a game's moves are legal"));
    }
    line
}

/// Plain min-max with plain quiescence.
struct Reference {
    rules: Rules,
    line: Vec<Position>,
    /// Nodes that may still be spent.
    nodes: u64,
}

impl Reference {
    fn new(game: &Game, rules: Rules, nodes: u64) -> Self {
        Self {
            rules,
            line: line_of(game),
            nodes,
        }
    }

    /// The value of every move of the last position.
    fn root(&mut self, depth: u32) -> Result<Vec<(Move, i32)>, TooLarge> {
        let position = self.position();
        let extra = u32::from(position.occupied().count() < self.rules.end_game_pieces)
            * self.rules.end_game_extension;
        let moves = position.legal_moves();
        let (all, count) = (self.nodes, moves.len() as u64);
        let (mut spent, mut values) = (0, Vec::new());
        for (&m, number) in moves.iter().zip(1..) {
            // Three times its share is left to each move, so that it is soon seen what is too large.
            let limit = all.min(3 * all * number / count);
            self.nodes = limit - spent;
            values.push((m, self.after(m, depth + extra, 0)?));
            spent = limit - self.nodes;
        }
        Ok(values)
    }

    fn position(&self) -> Position {
        self.line[self.line.len() - 1]
    }

    /// The value of a move for the side that makes it.
    fn after(&mut self, m: Move, depth: u32, ply: i32) -> Result<i32, TooLarge> {
        let before = self.position();
        let next = before.play_unchecked(m);
        self.nodes = self.nodes.checked_sub(1).ok_or(TooLarge)?;
        let limit = self.rules.end_game_pieces;
        let enters = before.occupied().count() >= limit && next.occupied().count() < limit;
        let more = u32::from(enters) * self.rules.end_game_extension;
        self.line.push(next);
        let value = match depth {
            0 => self.value(0, ply + 1),
            _ => self.value(depth - 1 + more, ply + 1),
        };
        self.line.pop();
        value.map(|value| -value)
    }

    fn value(&mut self, depth: u32, ply: i32) -> Result<i32, TooLarge> {
        let position = self.position();
        let moves = position.legal_moves();
        let is_leaf = depth == 0;
        let is_check = position.is_check();
        if moves.is_empty() && is_check {
            return Ok(ply - MATE);
        }
        let sees_stalemate = !(is_leaf && self.rules.is_short_sighted);
        if moves.is_empty() && sees_stalemate || is_draw(&self.line) {
            return Ok(0);
        }
        if is_leaf && !self.rules.quiescence {
            return Ok((self.rules.evaluate)(&position));
        }
        let may_stay = is_leaf && !is_check;
        let mut best = if may_stay {
            (self.rules.evaluate)(&position)
        } else {
            -MATE
        };
        for &m in &moves {
            if !may_stay || self.rules.is_noisy(&position, m) {
                best = best.max(self.after(m, depth, ply)?);
            }
        }
        Ok(best)
    }
}

/// A search by somebody's features, given a request and what hears its reports.
type Search<'s> =
    &'s mut dyn FnMut(SearchRequest<'_>, &mut dyn FnMut(&SearchUpdate)) -> SearchResult;

/// Compares value, best move and line of a search to a depth with those of min-max, and gives the value;
/// `None` where min-max would need more nodes.
pub(crate) fn compare(
    game: &Game,
    limits: &SearchLimits,
    (rules, nodes): (Rules, u64),
    context: impl Debug,
    search: Search<'_>,
) -> Option<i32> {
    let depth = limits.depth.expect("a depth is given");
    let values = Reference::new(game, rules, nodes).root(depth).ok()?;
    let mut last = None;
    let found = search(SearchRequest::new(game, limits), &mut |report| {
        if let SearchUpdate::Line(line) = report {
            last = Some(line.clone());
        }
    });
    let line = last.expect("every iteration is reported");
    let text = fen::write(game.position());
    let context = format!("depth {depth}, {context:?}: {text}: {line:?}");
    assert_eq!(line.depth, depth, "{context}");
    let reported = (line.pv.first().copied(), line.value);
    assert_eq!((found.best, found.value), reported, "{context}");
    let best = values.iter().map(|&(_, value)| value).max();
    assert_eq!(Some(line.value), best, "{context}");
    let is_best = values.contains(&(line.pv[0], line.value));
    assert!(is_best, "not among the best: {context}");
    // A leaf that is not searched on is cut off by the table, and its line with it.
    if rules.quiescence {
        assert_eq!(
            value_of_line(game, &line, rules),
            Some(line.value),
            "{context}"
        );
    }
    Some(line.value)
}

/// The value of what stands at the end of a line, if it is a leaf.
fn value_of_line(game: &Game, line: &PvLine, rules: Rules) -> Option<i32> {
    let mut game = game.clone();
    for &m in &line.pv {
        game.play(m).expect("a line is legal");
    }
    let plies = i32::try_from(line.pv.len()).expect("lines are short");
    let position = game.position();
    let is_over = position.legal_move_count() == 0;
    let is_leaf = line.pv.len() >= line.depth as usize;
    let leaf = if is_over && position.is_check() {
        plies - MATE
    } else if is_draw(&line_of(&game)) || is_over && !(is_leaf && rules.is_short_sighted) {
        0
    } else {
        is_leaf.then(|| (rules.evaluate)(position))?
    };
    Some(if plies % 2 == 0 { leaf } else { -leaf })
}
