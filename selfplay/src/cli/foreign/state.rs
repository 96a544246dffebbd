//! What was read of a line, and what follows from all of it. Pure.

use std::collections::BTreeSet;

use super::Program;
use super::group::{GroupValue, OptionGroup};
use super::plan::{
    ForeignBook, ForeignEngine, ForeignMachine, ForeignPlan, GameCount, System, Translation,
};

/// When cutechess-cli takes a new opening.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Policy {
    /// For each pair of engines, and after the repetitions.
    #[default]
    Default,
    /// For each pair of engines.
    Encounter,
    /// For each round.
    Round,
}

/// The extra keys of an engine of cutechess-cli.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ExtraKeys {
    pub(super) book: Option<String>,
    /// In full moves.
    pub(super) book_depth: Option<u64>,
    pub(super) is_white_pov: bool,
}

/// What was read.
pub(super) struct ForeignState {
    pub(super) program: Program,
    pub(super) plan: ForeignPlan,
    pub(super) machine: ForeignMachine,
    /// One for each engine of the plan.
    pub(super) extras: Vec<ExtraKeys>,
    /// The words of all `-each`.
    pub(super) each: Vec<String>,
    /// Games of each round, or encounter, as given.
    pub(super) games: u64,
    pub(super) rounds: Option<u64>,
    /// How often cutechess-cli plays each opening.
    pub(super) repetitions: u64,
    pub(super) policy: Policy,
    /// Games of a run that fastchess has begun.
    pub(super) games_before: u64,
    /// The options that were given.
    pub(super) given: BTreeSet<&'static str>,
    /// Words of ours for options that end the line: help and version.
    pub(super) ends: Option<Vec<String>>,
}

impl ForeignState {
    pub(super) fn new(program: Program, machine: ForeignMachine) -> Self {
        Self {
            program,
            plan: ForeignPlan::default(),
            machine,
            extras: Vec::new(),
            each: Vec::new(),
            games: if program == Program::Fastchess { 2 } else { 1 },
            rounds: None,
            repetitions: 1,
            policy: Policy::Default,
            games_before: 0,
            given: BTreeSet::new(),
            ends: None,
        }
    }

    pub(super) fn is_fastchess(&self) -> bool {
        self.program == Program::Fastchess
    }

    /// Adds an engine without extra keys.
    pub(super) fn add(&mut self, engine: ForeignEngine) {
        self.plan.engines.push(engine);
        self.extras.push(ExtraKeys::default());
    }

    /// The keys of a group with their values, which may be missing in cutechess-cli.
    pub(super) fn key_values<'a>(
        &self,
        group: &OptionGroup<'a>,
    ) -> Result<Vec<(&'a str, GroupValue<'a>)>, String> {
        match self.program {
            Program::Fastchess => group.pairs(),
            Program::Cutechess => Ok(group.values().map(GroupValue::split).collect()),
        }
    }

    /// The values of the first `known` of these keys. In cutechess-cli, each may stand once; in fastchess
    /// the last counts.
    pub(super) fn values<'a, const N: usize>(
        &self,
        group: &OptionGroup<'a>,
        keys: [&'static str; N],
        known: usize,
    ) -> Result<[Option<GroupValue<'a>>; N], String> {
        let mut found = [None; N];
        for (key, value) in group.pairs()? {
            let Some(index) = keys[..known].iter().position(|known| *known == key) else {
                return Err(value.unknown_key(&keys[..known]));
            };
            if found[index].replace(value).is_some() && !self.is_fastchess() {
                return Err(value.error("each key once"));
            }
        }
        Ok(found)
    }

    /// What follows from the whole line, once its engines are known.
    pub(super) fn finish(mut self) -> Result<Translation, String> {
        let name = self.program.name();
        self.take_books()?;
        let is_adjudicated = ["--draw", "--resign"].map(|name| self.plan.has_option(name));
        if is_adjudicated.contains(&true) && self.extras.iter().any(|extra| extra.is_white_pov) {
            return Err(
                "whitepov has no counterpart: -draw and -resign would see scores with the wrong \
                 sign; expected a line without it, or without them"
                    .to_owned(),
            );
        }
        if self.is_fastchess() && self.plan.is_chess960 && self.plan.book.is_none() {
            return Err(
                "-variant fischerandom without -openings: expected a book; `selfplay match \
                 --variant chess960` plays the 960 start positions without one"
                    .to_owned(),
            );
        }
        if let Some(book) = &mut self.plan.book {
            let is_cut = book.plies.is_some();
            book.settle()?;
            if is_cut && book.plies.is_none() {
                let text = "-openings plies= has no effect on positions (EPD), as there";
                self.plan.notes.push(text.to_owned());
            }
            if book.is_random && !self.given.contains("-srand") {
                self.plan.note(format!(
                    "without -srand, {name} shuffles the book anew each time; here the seed is 1, or \
                     that of --seed"
                ));
            }
        }
        if !self.is_fastchess() {
            self.count_games()?;
        }
        self.note_differences();
        self.plan.finish()
    }

    /// From the games and rounds of fastchess to rounds of one or two games.
    pub(super) fn count_rounds(&mut self) -> Result<(), String> {
        let plan = &mut self.plan;
        if self.rounds.is_none() && plan.sprt.is_some() {
            plan.note("without -rounds, fastchess plays 2 rounds, also with -sprt");
        }
        let [mut rounds, mut games] = [self.rounds.unwrap_or(2), self.games];
        // Exchanged by fastchess, too.
        if games > 2 {
            std::mem::swap(&mut games, &mut rounds);
            plan.note(format!(
                "-games {rounds} is -rounds {rounds}, as there: a round has 1 or 2 games"
            ));
        }
        if !(1..=2).contains(&games) {
            return Err(format!(
                "-games {rounds} -rounds {games}: expected 1 or 2 games in a round"
            ));
        }
        if rounds == 0 {
            if plan.sprt.is_none() {
                return Err("-rounds 0: expected 1 or more".to_owned());
            }
            rounds = 500_000;
        }
        if self.games_before > 0 {
            let count = self.games_before;
            if plan.sprt.is_some() {
                return Err(format!(
                    "-config: the test of the file has {count} games, which have to be played here: \
                     expected stats=false, which begins it anew"
                ));
            }
            let engines = plan.engines.len() as u64;
            let seeds = plan.seeds.unwrap_or(1);
            let pairings = match plan.system {
                // Each seed with every engine after the seeds.
                System::Gauntlet => seeds * engines.saturating_sub(seeds),
                System::RoundRobin | System::Knockout => engines * engines.saturating_sub(1) / 2,
            };
            // A round has all pairings; each takes the next opening of the book.
            let played = count / (games * pairings.max(1));
            let Some(left) = rounds.checked_sub(played).filter(|&left| left > 0) else {
                return Err(format!(
                    "-config: all {rounds} rounds of the file are played"
                ));
            };
            rounds = left;
            if let Some(book) = &mut plan.book {
                book.start += count / games;
            }
            plan.note(format!(
                "-config: the {count} games of the file do not count here; {rounds} rounds are left"
            ));
        }
        plan.games = Some(GameCount {
            rounds,
            are_single: games == 1,
        });
        Ok(())
    }

    /// A Polyglot book of all engines is the book of the run.
    fn take_books(&mut self) -> Result<(), String> {
        let book = |extra: &ExtraKeys| (extra.book.clone(), extra.book_depth);
        if self.extras.iter().all(|extra| extra.book.is_none()) {
            return Ok(());
        }
        let (file, depth) = book(&self.extras[0]);
        let is_shared = self
            .extras
            .iter()
            .all(|extra| book(extra) == book(&self.extras[0]));
        let Some(file) = file.filter(|_| is_shared) else {
            return Err(
                "book has no counterpart for some engines only: expected the same book= and \
                 bookdepth= for all, as in -each"
                    .to_owned(),
            );
        };
        if self.plan.book.is_some() {
            return Err(
                "book and -openings together have no counterpart: expected one of them".to_owned(),
            );
        }
        self.plan.polyglot = Some((file, depth.map(|moves| moves.saturating_mul(2))));
        Ok(())
    }

    /// From games per encounter, rounds and repetitions to rounds of one or two games.
    fn count_games(&mut self) -> Result<(), String> {
        let is_match = self.plan.engines.len() == 2 && self.plan.system != System::Knockout;
        let has_openings = self.plan.book.is_some() || self.plan.polyglot.is_some();
        let encounters = self.rounds.unwrap_or(1);
        let total = self.games.saturating_mul(encounters);
        // In a match, repetitions run across encounters.
        let series = if is_match { total } else { self.games };
        let repetitions = match self.policy {
            Policy::Default => self.repetitions.min(series),
            Policy::Encounter => series,
            Policy::Round => self.games,
        };
        let is_random = self.plan.is_chess960;
        let repetitions = if has_openings || is_random {
            repetitions
        } else {
            // Every game begins with the start position, so that only the number counts.
            repetitions.min(2)
        };
        // A pairing that meets again takes a new opening there.
        if repetitions > 2 && !is_match && !self.games.is_multiple_of(repetitions) {
            return Err(format!(
                "-repeat {repetitions} has no counterpart with -games {}: expected a multiple of it",
                self.games
            ));
        }
        let are_pairs = repetitions.is_multiple_of(2);
        let pairs = |games: u64| games.div_ceil(2);
        let rounds = if !are_pairs {
            total
        } else if is_match {
            pairs(total)
        } else {
            pairs(self.games).saturating_mul(encounters)
        };
        if are_pairs && series % 2 == 1 {
            self.plan.note(format!(
                "{series} games with each opening {} is an odd number: one more is played",
                if repetitions == 2 {
                    "twice".to_owned()
                } else {
                    format!("{repetitions} times")
                },
            ));
        }
        let repeat = if are_pairs {
            repetitions / 2
        } else {
            repetitions
        };
        if repeat > 1 {
            self.plan.option("--repeat", repeat.to_string());
        }
        self.plan.games = Some(GameCount {
            rounds,
            are_single: !are_pairs,
        });
        Ok(())
    }

    /// What is otherwise than in the other program.
    fn note_differences(&mut self) {
        let (name, is_fastchess) = (self.program.name(), self.is_fastchess());
        let count = self.plan.engines.len();
        let plan = &mut self.plan;
        if plan.system == System::Knockout {
            plan.note(
                "-tournament knockout: the first seed meets the last engine (cutechess-cli has another \
                 bracket), the lots behind the seeds are drawn by --seed, and all games of a meeting are \
                 played",
            );
            plan.seeds = Some(plan.seeds.unwrap_or(0).min(count as u64));
        } else if count > 2 && self.policy != Policy::Round {
            plan.note(format!(
                "all pairings of a round play the same opening{}; {name} takes a new one for each pairing",
                if is_fastchess { "" } else { " (as with policy=round)" },
            ));
        }
        let seeds = plan.seeds.unwrap_or(1);
        if is_fastchess && plan.system == System::Gauntlet && seeds > 1 {
            plan.note(format!(
                "-seeds {seeds}: fastchess's seeds play each other too; here each plays the other \
                 engines only"
            ));
        }
        if plan.polyglot.is_some() {
            plan.note(
                "book=: cutechess-cli's engines draw their moves from the book by weight, to its end \
                 without bookdepth=; here both follow a line, each line as often, 8 plies without it",
            );
        }
        let is_of_games =
            plan.book.as_ref().is_some_and(ForeignBook::has_moves) || plan.polyglot.is_some();
        if !is_fastchess && is_of_games {
            if plan.has_option("--max-moves") {
                plan.note(
                    "-maxmoves: cutechess-cli counts the moves of the opening, here they do not count",
                );
            }
            if plan.has_option("--draw") {
                plan.note(
                    "-draw movenumber: cutechess-cli counts from the end of the opening, here its moves \
                     count",
                );
            }
        }
        if !is_fastchess && plan.sprt.is_some() {
            plan.note(
                "-sprt: the test counts pairs of games (pentanomial); cutechess-cli counts games",
            );
        }
        if !self.given.contains("-recover") {
            plan.note(format!(
                "without -recover, {name} stops after a crash; here the engine loses the game, and the \
                 run continues"
            ));
        }
    }
}
