//! Jobs of the worker thread: searches, perft, bench.

use std::sync::Arc;

use chess::perft::{CountError, MAX_DEPTH};
use engine::search::touchstone::Config;
use engine::search::{self, Profile, SearchLimits, SearchUpdate, Searcher};
use tablebase::Probing;
use uci::grammar::{Go, Message};

use super::{AfterLine, NO_POSITION, Session};
use crate::board::SessionBoard;
use crate::control::{JobControl, JobEnd};
use crate::go::{SearchPlan, keep_tablebase_result, may_use_book};
use crate::opening;
use crate::report::{NO_MOVE, ReportWriter, end_of_game};
use crate::worker::{JobOutput, SinceLine};
use crate::{bench, count};

/// Jobs that may wait for those before. A longer input waits with its next one, so that it takes no
/// more memory.
const MOST_JOBS: usize = 64;

impl Session {
    /// Starts a search or a count, or lets it wait for a search that ends by itself.
    pub(super) fn go(&mut self, go: &Go, read: SinceLine) -> AfterLine {
        let must_wait = self.is_busy();
        if must_wait && !self.may_queue() {
            let why = format!("go: {}", self.not_now());
            // The search that must be stopped answers, even if it ends by itself right now: whether
            // it is still under way is asked once, or the answer would depend on the moment.
            return if go.perft.is_some() || self.owes_move() {
                self.reject(why)
            } else {
                self.reject_search(why)
            };
        }
        if let Some(depth) = go.perft {
            return self.perft(depth);
        }
        let Some(board) = self.board.clone() else {
            return self.reject_search(format_args!("go: {NO_POSITION}"));
        };
        let plan = match SearchPlan::new(go, &board, &self.options) {
            Ok(plan) => plan,
            Err(error) => return self.reject_search(format_args!("go: {error}")),
        };
        for remark in &plan.remarks {
            self.output.info(format_args!("go: {remark}"));
        }
        if self.options.own_book && may_use_book(go) && self.play_from_book(&board) {
            return AfterLine::Continue;
        }
        // A search that has waited has its time still before it.
        self.search(board, plan, (!must_wait).then_some(read));
        AfterLine::Continue
    }

    /// Prints the answer of a `go` that needs no search, after those of the searches before.
    pub(super) fn answer(&mut self, best_move: String) {
        let is_owed = |job: &Arc<JobControl>| job.owes_move() && !job.is_done();
        if self.is_busy() && self.jobs.iter().any(is_owed) {
            let control = JobControl::of_search(JobEnd::Itself, false);
            self.begin(control, move |_, _| Ok(Some(best_move)));
        } else {
            self.output.say(best_move);
        }
    }

    /// Plays a book move if there is one; returns whether it did.
    fn play_from_book(&mut self, board: &SessionBoard) -> bool {
        let random = self.random.next();
        let Some(choice) = opening::choose(&self.book, board.position(), random) else {
            self.debug(|| "book: the position is not in it".to_owned());
            return false;
        };
        let m = board.write_move(choice.m);
        self.output.info(format_args!(
            "book {m}, weight {} of {}, seed {}",
            choice.weight,
            choice.total,
            self.random.seed()
        ));
        self.answer(format!("bestmove {m}"));
        true
    }

    /// The tablebases, if a search should probe them: not when reproducing `ChessBin`, nor with
    /// limited strength, mate search or `MultiPV`.
    fn probing(&self, limits: &SearchLimits) -> Option<Probing> {
        let is_plain = self.options.profile() == Profile::Touchstone
            && limits.strength.is_none()
            && limits.mate.is_none()
            && limits.multipv <= 1;
        let tables = self.tables.as_ref().filter(|_| is_plain)?;
        Some(self.options.probing(Arc::clone(tables)))
    }

    /// Searches; the clock began when the line was `read`, or else begins with the search.
    fn search(&mut self, board: SessionBoard, mut plan: SearchPlan, read: Option<SinceLine>) {
        let output = Arc::clone(&self.output);
        let shows_wdl = self.options.show_wdl;
        let profile = self.options.profile();
        let features = self.options.features();
        let features = features.expect("setoption keeps only known features");
        let parameters = self.options.parameters;
        let network = self.network.clone();
        let probing = self.probing(&plan.limits);
        let control = JobControl::of_search(plan.end, plan.pondering);
        self.begin(control, move |searcher, control| {
            let clock = read.unwrap_or_else(SinceLine::start);
            let say = |info| output.say(Message::Info(Box::new(info)));
            let best_move = if board.position().legal_moves().is_empty() {
                say(end_of_game(board.position()));
                NO_MOVE
            } else {
                let writer = ReportWriter {
                    board: &board,
                    shows_wdl,
                };
                let kept = keep_tablebase_result(&mut plan.limits, probing.as_ref(), &board);
                if let Some(text) = kept {
                    output.info(text);
                }
                let request = search::SearchRequest {
                    game: board.game(),
                    limits: &plan.limits,
                    signals: control.signals(),
                    clock: &clock,
                };
                let mut report = |report: &SearchUpdate| say(writer.info(report));
                let config = Config {
                    features,
                    parameters,
                    tables: probing.as_ref(),
                };
                let found = match profile {
                    Profile::ChessBin => searcher.search(profile, request, &mut report),
                    Profile::Touchstone => {
                        searcher.search_selectively(&network, config, request, &mut report)
                    }
                };
                // A damaged table is treated as missing; the user can replace it.
                for error in probing.iter().flat_map(|it| it.tables.errors()) {
                    output.info(error);
                }
                writer.best_move(&found)
            };
            control.wait_until_free();
            Ok(Some(Message::BestMove(best_move).to_string()))
        });
    }

    fn perft(&mut self, depth: u32) -> AfterLine {
        let Some(board) = self.board.clone() else {
            return self.reject(format_args!("go perft: {NO_POSITION}"));
        };
        if depth > MAX_DEPTH {
            return self.reject(format_args!("go perft: {}", CountError::Depth(depth)));
        }
        let threads = self.options.threads();
        self.begin(JobControl::of_chore(), move |_, control| {
            count::perft(&board, depth, threads, control).map(Some)
        });
        AfterLine::Continue
    }

    pub(super) fn bench(&mut self, depth: Option<u32>) -> AfterLine {
        if self.is_busy() {
            return self.reject(format_args!("bench: {}", self.not_now()));
        }
        let profile = self.options.profile();
        self.begin(JobControl::of_chore(), move |_, control| {
            bench::run(profile, depth, control).map(Some)
        });
        AfterLine::Continue
    }

    fn begin(
        &mut self,
        control: JobControl,
        work: impl FnOnce(&mut Searcher, &JobControl) -> JobOutput + Send + 'static,
    ) {
        self.jobs.retain(|job| !job.is_done());
        if self.jobs.len() == MOST_JOBS {
            self.jobs.remove(0).wait();
        }
        let control = Arc::new(control);
        self.worker.begin(&control, work);
        self.jobs.push(control);
    }

    /// Stops the running job and those that wait for it.
    pub(super) fn stop(&self) {
        self.jobs.iter().for_each(|job| job.stop());
    }

    pub(super) fn ponderhit(&self) -> AfterLine {
        let is_hit = self.jobs.last().is_some_and(|it| it.ponderhit());
        if is_hit {
            AfterLine::Continue
        } else {
            self.reject("ponderhit: nothing is being pondered on")
        }
    }

    /// Why a command cannot be executed while the worker thread is busy.
    pub(super) fn not_now(&self) -> &'static str {
        if self.owes_move() {
            "not during a search, stop it first"
        } else {
            "not during a count or a bench, stop it first"
        }
    }

    /// Whether the latest job must end with a `bestmove`.
    pub(super) fn owes_move(&self) -> bool {
        self.jobs.last().is_some_and(|it| it.owes_move())
    }

    /// Whether a `go` may wait for the latest job: a search that ends by itself.
    pub(super) fn may_queue(&self) -> bool {
        self.owes_move() && self.jobs.last().is_some_and(|it| it.ends_by_itself())
    }

    /// Whether the worker thread is busy and has not been stopped. If it is about to finish, waits
    /// for it, so that later output comes after its answer.
    pub(super) fn is_busy(&mut self) -> bool {
        let Some(latest) = self.jobs.last() else {
            return false;
        };
        if latest.is_working() && !latest.is_stopped() {
            return true;
        }
        latest.wait();
        self.jobs.clear();
        false
    }
}
