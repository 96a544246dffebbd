//! Commands that prepare a search: options, game, position.

use std::sync::Arc;

use chess::notation::fen;
use tablebase::Tablebase;
use uci::grammar::{Message, PositionCommand};

use super::{AfterLine, NO_POSITION, Session};
use crate::board::SessionBoard;
use crate::file;
use crate::options::{self, Effect, Options, Setting};

impl Session {
    pub(super) fn introduce(&self) {
        let messages = [
            Message::IdName(concat!("Touchstone ", env!("CARGO_PKG_VERSION")).to_owned()),
            Message::IdAuthor("the Touchstone developers".to_owned()),
        ];
        let options = options::declarations().map(Message::Option);
        for message in messages.into_iter().chain(options) {
            self.output.say(message);
        }
        self.output.say(Message::UciOk);
    }

    /// Resets the state of the previous game.
    pub(super) fn new_game(&mut self) -> AfterLine {
        if self.is_busy() {
            return self.reject(format_args!("ucinewgame: {}", self.not_now()));
        }
        self.clear_hash();
        AfterLine::Continue
    }

    fn clear_hash(&self) {
        let cleared = self.worker.with_searcher(|searcher| {
            searcher.clear();
            Ok::<(), String>(())
        });
        cleared.expect("a table can always be cleared");
    }

    pub(super) fn set_option(&mut self, name: &str, value: Option<&str>) -> AfterLine {
        let setting = match Setting::read(name, value) {
            Ok(setting) => setting,
            Err(error) => return self.reject(error),
        };
        let definition = setting.definition();
        let mut changed = self.options.clone();
        setting.store(&mut changed);
        match self.apply(definition.effect, &changed) {
            Ok(()) => {
                self.options = changed;
                self.debug(|| format!("option {} is set", definition.name));
                AfterLine::Continue
            }
            Err(error) => self.reject(format_args!("option {}: {error}", definition.name)),
        }
    }

    /// Applies the effect of changed options. On an error nothing has changed.
    fn apply(&mut self, effect: Effect, changed: &Options) -> Result<(), String> {
        match effect {
            // The running search uses what these replace.
            Effect::ResizeHash | Effect::ClearHash | Effect::OpenTables | Effect::LoadNetwork
                if self.is_busy() =>
            {
                return Err(self.not_now().to_owned());
            }
            Effect::ResizeHash => {
                let mebibytes = changed.hash_mib();
                self.worker
                    .with_searcher(move |searcher| searcher.resize(mebibytes))?;
            }
            Effect::ClearHash => self.clear_hash(),
            Effect::LoadBook => {
                self.book = file::book(&changed.book)?;
            }
            Effect::LoadNetwork => {
                self.network = file::network(&changed.eval_file)?;
                // The TT holds scores of the old network.
                self.clear_hash();
            }
            Effect::OpenTables => self.open_tables(&changed.syzygy_path)?,
            Effect::CheckFeatures => {
                changed.features().map_err(|error| error.to_string())?;
            }
            Effect::ReportSeed if changed.own_book => {
                self.output
                    .info(format_args!("book seed {}", self.random.seed()));
            }
            Effect::None | Effect::ReportSeed => {}
            Effect::ChangeCastlingText => {
                if let Some(board) = &mut self.board {
                    board.set_mode(changed.castling_mode());
                }
            }
        }
        Ok(())
    }

    /// Replaces the open tablebases.
    fn open_tables(&mut self, path: &str) -> Result<(), String> {
        if path.is_empty() {
            self.tables = None;
            return Ok(());
        }
        let tables = Tablebase::open(path).map_err(|error| error.to_string())?;
        self.output.info(format_args!(
            "endgame tables: {}, of up to {} pieces",
            tables.tables(),
            tables.max_pieces()
        ));
        self.tables = Some(Arc::new(tables));
        Ok(())
    }

    /// Sets up a position for the next search; allowed during a search.
    pub(super) fn set_position(&mut self, command: &PositionCommand) -> AfterLine {
        let mode = self.options.castling_mode();
        match SessionBoard::from_command(command, mode) {
            Ok(board) => {
                if board.mode() != mode {
                    self.output.info(
                        "this position needs UCI_Chess960: castling is written as the king \
                         taking its rook",
                    );
                }
                self.debug(|| format!("position {}", fen::write(board.position())));
                self.board = Some(board);
                AfterLine::Continue
            }
            Err(error) => self.reject_position(error),
        }
    }

    pub(super) fn flip(&mut self) -> AfterLine {
        let Some(board) = &self.board else {
            return self.reject(NO_POSITION);
        };
        let flipped = board.flipped();
        let fen = fen::write(flipped.position());
        self.board = Some(flipped);
        self.output.info(format_args!("flipped to {fen}"));
        AfterLine::Continue
    }
}
