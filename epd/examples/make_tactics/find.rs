//! Finds the positions of every suite in the games.

use anyhow::Result;
use chess::rules::{Move, Position};
use epd::mate::MateSearch;
use kit::{Exit, output};

use crate::Args;
use crate::games::{self, Seen};
use crate::judge::{Pair, TO_FIND};
use crate::stockfish::{Stockfish, is_mate_within};
use crate::themes::{is_trivial, material};
use crate::variety::Variety;
use crate::write::{self, Found, Proof};

/// How many mates in 1, 2, 3 and 4 moves, and how many tactics.
const MATES_WANTED: [usize; 4] = [60, 60, 60, 40];
const TACTICS_WANTED: usize = 60;
/// A position has at least so many moves, and the side to move is at most so many pawns ahead.
const LEAST_MOVES: u32 = 6;
const MOST_AHEAD: u32 = 9;
/// Two positions of one suite from one game are at least so many plies apart.
const APART: usize = 40;
/// Mates in three and four are looked for where a player thinks itself ahead by this.
const DEEP_MATE_CP: i32 = 300;
/// Where the mate search gives up: the position is then passed over.
const MATE_NODES: u64 = 10_000_000;
/// Tactics are looked for where a player thinks itself ahead by this, and looked at so first.
const HINT_CP: i32 = 100;
const FIRST_LOOK_NODES: u64 = 5_000;

struct Making {
    found: Vec<Found>,
    variety: Variety,
}

impl Making {
    fn new(wanted: usize) -> Self {
        let (found, variety) = (Vec::new(), Variety::new(wanted));
        Self { found, variety }
    }

    /// Takes the position in if it is unlike the others; whether it did.
    fn offer(&mut self, found: Found) -> bool {
        let admitted = self.variety.admit(&found.position, found.first);
        if admitted {
            self.found.push(found);
        }
        admitted
    }
}

/// Plays games until the suites are full, and writes them.
pub(crate) fn make(args: &Args, stockfish: &mut Stockfish) -> Result<Exit> {
    let mut mates = MATES_WANTED.map(Making::new);
    let mut tactics = Making::new(TACTICS_WANTED);
    for number in 0..args.games {
        let is_full = |making: &Making| making.variety.is_full();
        if mates.iter().all(is_full) && is_full(&tactics) {
            break;
        }
        let seen = games::play(stockfish, args.seed, number)?;
        add_mates(&seen, &mut mates);
        if !is_full(&tactics) {
            add_tactics(&seen, &args.nodes, &mut tactics, stockfish)?;
        }
        let counts = mates.each_ref().map(|making| making.found.len());
        eprintln!(
            "game {number}: mates {counts:?}, tactics {}",
            tactics.found.len()
        );
    }
    write_all(args, stockfish.name(), &mates, &tactics)
}

/// Whether a position is worth asking about: some choice, and not won already by counting.
fn is_open(position: &Position) -> bool {
    let us = position.side_to_move();
    position.legal_move_count() >= LEAST_MOVES
        && material(position, us) <= material(position, !us) + MOST_AHEAD
}

fn add_mates(seen: &[Seen], mates: &mut [Making; 4]) {
    let mut next_from = [0; 4];
    let mut search = MateSearch::new(MATE_NODES);
    for (index, one) in seen.iter().enumerate() {
        let color = one.position.side_to_move();
        let is_wanted = |moves: u8| {
            let slot = usize::from(moves) - 1;
            next_from[slot] <= index && mates[slot].variety.wants(color)
        };
        let longest = if one.score_cp >= DEEP_MATE_CP { 4 } else { 2 };
        let Some(longest) = (1..=longest).rev().find(|&moves| is_wanted(moves)) else {
            continue;
        };
        if !is_open(&one.position) {
            continue;
        }
        let Some((first, moves)) = only_mate(&mut search, &one.position, longest) else {
            continue;
        };
        let (position, proof) = (one.position, Proof::Mate(moves));
        let found = Found {
            position,
            first,
            proof,
        };
        if is_wanted(moves) && mates[usize::from(moves) - 1].offer(found) {
            next_from[usize::from(moves) - 1] = index + APART;
        }
    }
}

/// The one first move of the shortest mate, where no other mates as fast.
fn only_mate(search: &mut MateSearch, position: &Position, longest: u8) -> Option<(Move, u8)> {
    let shortest = search.shortest(position, longest).ok()??;
    match search.first_moves(position, shortest).ok()?[..] {
        [only] => Some((only.first, only.moves)),
        _ => None,
    }
}

fn add_tactics(
    seen: &[Seen],
    nodes: &[u64],
    tactics: &mut Making,
    stockfish: &mut Stockfish,
) -> Result<()> {
    let mut next_from = 0;
    for (index, one) in seen.iter().enumerate() {
        let is_wanted = tactics.variety.wants(one.position.side_to_move());
        let worth_a_look = one.score_cp >= HINT_CP && is_open(&one.position);
        if !is_wanted || !worth_a_look || index < next_from {
            continue;
        }
        if let Some(found) = tactic(one, nodes, stockfish)?
            && tactics.offer(found)
        {
            next_from = index + APART;
        }
    }
    Ok(())
}

/// The position as a tactic, where one move alone wins at every number of nodes.
fn tactic(one: &Seen, nodes: &[u64], stockfish: &mut Stockfish) -> Result<Option<Found>> {
    let position = &one.position;
    let Some(look) = Pair::ask(stockfish, position, FIRST_LOOK_NODES)? else {
        return Ok(None);
    };
    let first = look.best.first;
    if is_trivial(position, first, one.captured_on) || !look.alone_wins(first, TO_FIND) {
        return Ok(None);
    }
    let mut last = None;
    for &nodes in nodes {
        match Pair::ask(stockfish, position, nodes)? {
            // Short mates have suites of their own.
            Some(pair)
                if pair.alone_wins(first, TO_FIND) && !is_mate_within(pair.best.score_cp, 4) =>
            {
                last = Some(Proof::Stockfish { pair, nodes });
            }
            _ => return Ok(None),
        }
    }
    let position = *position;
    Ok(last.map(|proof| Found {
        position,
        first,
        proof,
    }))
}

fn write_all(args: &Args, oracle: &str, mates: &[Making; 4], tactics: &Making) -> Result<Exit> {
    let command = format!(
        "  cargo run --release -p touchstone-epd --example make_tactics -- --seed {}",
        args.seed
    );
    let games = format!(
        "Positions of games that {oracle} played against itself with few nodes and random\nblunders. \
         The side to move has {LEAST_MOVES} moves or more and is at most {MOST_AHEAD} pawns ahead; no two\nhave the \
         same pieces or the same pattern. Found, proved and written by\n{command}"
    );
    let mut all_full = true;
    for (moves, making) in (1..).zip(mates) {
        let name = format!("mate-in-{moves}");
        let head = mate_head(moves, making.found.len(), &games);
        all_full &= making.variety.is_full();
        write_one(args, &name, &head, making)?;
    }
    let head = tactics_head(args, oracle, tactics.found.len(), &games);
    all_full &= tactics.variety.is_full();
    write_one(args, "tactics", &head, tactics)?;
    let exit = if all_full {
        Exit::Agreed
    } else {
        Exit::Differs
    };
    Ok(exit)
}

fn write_one(args: &Args, name: &str, head: &str, making: &Making) -> Result<()> {
    let path = args.out.join(format!("{name}.epd"));
    let text = write::file(head, name, &making.found)?;
    output::to_file(&path, &text)?;
    println!("{}: {} positions", path.display(), making.found.len());
    Ok(())
}

fn mate_head(moves: u32, count: usize, games: &str) -> String {
    format!(
        "Tactical suite `mate-in-{moves}`: {count} positions in which one first move alone forces mate in\n\
         {moves}, and nothing mates faster.\n\n{games}\n\n\
         Each is proved by exhaustive search (`epd::mate`): all moves of both sides, checks or not. The\n\
         tests prove it again; so does, with the other suites,\n{VERIFY}"
    )
}

fn tactics_head(args: &Args, oracle: &str, count: usize, games: &str) -> String {
    let nodes: Vec<String> = args.nodes.iter().map(|&n| output::grouped(n)).collect();
    let nodes = nodes.join(" and ");
    format!(
        "Tactical suite `tactics`: {count} positions in which one move alone wins, and is no mere capture\n\
         of a piece that hangs, no recapture, and no mate in four or less.\n\n{games}\n\n\
         Judged by {oracle}, one thread, two lines, from an empty table: the same move is best after\n\
         {nodes} nodes, worth at least 3 pawns, the next best at most 1, and 2.5\n\
         less. `ce` and `c0` are what it says after `acn` nodes. It is asked again by\n{VERIFY}"
    )
}

const VERIFY: &str = "  cargo run --release -p touchstone-epd --example make_tactics -- --verify epd/suites/tactics/*.epd";
