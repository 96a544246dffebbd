//! The protocol as a state machine, like [`crate::Session`]: lines and times in, commands and
//! events out. Its events are those of UCI, so that callers need not know which protocol it is.
//!
//! Unlike UCI, the engine knows the game: only new moves are sent, and the engine's own moves are
//! followed on a board. That board also gives moves in SAN their meaning.

use std::time::{Duration, Instant};

use chess::notation::san::{self, ParseSanError};
use chess::notation::uci_move::UciMove;
use chess::rules::{CastlingMode, Color, Move, Piece, Position, Setup, Square};

use super::grammar::{self, ClaimedResult, Thinking, XboardCommand, XboardMessage};
use crate::grammar::{
    BestMove, EngineOption, Go, Info, Message, OptionKind, PositionCommand, Reply, StartPosition,
};
use crate::session::{Claim, Deadline, longest_name};
use crate::{ClaimKind, Identity, SessionError, SessionEvent, SessionState, Wait};

/// Time for the move that a claim of a result may precede.
const CLAIM_GRACE: Duration = Duration::from_secs(1);

/// How much longer the first `feature` may take than the others.
const UNTIL_FIRST_FEATURE: u32 = 5;

/// Time of a search without a time limit: more than a caller will wait.
const UNLIMITED_MS: u64 = 10 * 60 * 60 * 1000;

/// Features that are known. Unknown ones are rejected, as the protocol asks.
const FEATURES: &str = "\
    ping setboard usermove san time reuse analyze myname variants colors name sigint sigterm debug \
    memory smp nps egt option exclude setscore highlight draw playother pause ics done";

/// What an engine has declared by `feature`; the defaults are those of the protocol.
#[derive(Clone, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a feature of its own"
)]
struct Features {
    ping: bool,
    setboard: bool,
    usermove: bool,
    san: bool,
    time: bool,
    reuse: bool,
    nps: bool,
    fischerandom: bool,
}

/// The state of the conversation with an `XBoard` engine; by default, nothing has been sent.
#[derive(Clone, Debug)]
pub struct XboardSession {
    state: SessionState,
    deadline: Option<Deadline>,
    identity: Identity,
    features: Features,
    options: Vec<EngineOption>,
    /// Until when the handshake may last.
    handshake_end: Option<Deadline>,
    /// How long an engine may be silent during the handshake.
    silence: Duration,
    /// Whether `done=0` has come, and `done=1` has not.
    is_busy: bool,
    /// `accepted` and `rejected`, to be sent.
    replies: Vec<XboardCommand>,
    ping: u32,
    mode: CastlingMode,
    /// The game as the engine knows it.
    start: Option<StartPosition>,
    moves: Vec<UciMove>,
    position: Position,
    /// The moves sent, as they were written.
    sent: Vec<String>,
    /// The engine's side, while it plays; `None` in force mode.
    color: Option<Color>,
    /// A claim that has not been reported yet, and when it is to be.
    claim: Option<(Claim, Instant)>,
}

impl Default for XboardSession {
    fn default() -> Self {
        Self {
            state: SessionState::New,
            deadline: None,
            identity: Identity::default(),
            features: Features {
                ping: false,
                setboard: false,
                usermove: false,
                san: false,
                time: true,
                reuse: true,
                nps: false,
                fischerandom: false,
            },
            options: Vec::new(),
            handshake_end: None,
            silence: Duration::ZERO,
            is_busy: false,
            replies: Vec::new(),
            ping: 0,
            mode: CastlingMode::Standard,
            start: None,
            moves: Vec::new(),
            position: Position::startpos(),
            sent: Vec::new(),
            color: None,
            claim: None,
        }
    }
}

impl XboardSession {
    /// The current state.
    pub fn state(&self) -> SessionState {
        self.state
    }

    /// The engine's name, once it has declared one.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// The engine's options, in its order. `memory`, `cores` and `egtpath KIND`, which are commands
    /// of their own, are among them.
    pub fn options(&self) -> &[EngineOption] {
        &self.options
    }

    /// Whether the engine can play several games.
    pub fn can_be_reused(&self) -> bool {
        self.features.reuse
    }

    /// The awaited answer.
    pub fn waiting(&self) -> Option<Wait> {
        match self.state {
            SessionState::Handshaking => Some(Wait::Features),
            SessionState::Synchronising => Some(Wait::Pong),
            SessionState::Searching => Some(Wait::Move),
            SessionState::Stopping => Some(Wait::MoveAfterStop),
            SessionState::Quitting => Some(Wait::Exit),
            SessionState::New | SessionState::Idle | SessionState::Failed | SessionState::Ended => {
                None
            }
        }
    }

    /// When to call [`XboardSession::tick`] if no line has come.
    pub fn deadline(&self) -> Option<Instant> {
        let claim = self.claim.as_ref().filter(|_| self.is_searching());
        let claim = claim.map(|(_, due)| *due);
        let deadline = self.deadline.map(|deadline| deadline.at);
        deadline.into_iter().chain(claim).min()
    }

    fn is_searching(&self) -> bool {
        matches!(self.state, SessionState::Searching | SessionState::Stopping)
    }

    /// Starts the handshake. An engine that sends no `feature` for `silence` after its last one, or
    /// for five times as long at first, since it may still be starting, is taken for one that has
    /// said all, unless it asks for more time with `done=0`; at once, if it rejects `protover`.
    ///
    /// # Errors
    ///
    /// When something has been sent already.
    pub fn handshake(
        &mut self,
        now: Instant,
        silence: Duration,
        timeout: Duration,
    ) -> Result<[XboardCommand; 2], SessionError> {
        self.require(&[SessionState::New], "xboard")?;
        self.enter(SessionState::Handshaking, now, timeout);
        self.handshake_end = self.deadline;
        self.silence = silence;
        self.extend_handshake(now, silence.saturating_mul(UNTIL_FIRST_FEATURE));
        Ok([XboardCommand::Xboard, XboardCommand::Protover])
    }

    fn extend_handshake(&mut self, now: Instant, silence: Duration) {
        let end = self.handshake_end;
        let silent = now.checked_add(silence).map(|at| Deadline {
            at: end.map_or(at, |end| end.at.min(at)),
            after: silence,
        });
        self.deadline = if self.is_busy { end } else { silent.or(end) };
    }

    /// Returns an error if the engine lacks what games need: the variant `fischerandom`, or the
    /// feature `nps` for a node limit.
    ///
    /// # Errors
    ///
    /// As said.
    pub fn check(&self, chess960: bool, needs_nps: bool) -> Result<(), SessionError> {
        if chess960 && !self.features.fischerandom {
            return Err(SessionError::NoFischerandom);
        }
        if needs_nps && !self.features.nps {
            return Err(SessionError::NoNodeLimit);
        }
        Ok(())
    }

    /// Announces a game. If the engine can be pinged, it is ready once [`SessionEvent::Ready`] comes, else
    /// at once.
    ///
    /// # Errors
    ///
    /// When the engine is not idle.
    pub fn announce_game(
        &mut self,
        chess960: bool,
        ponder: bool,
        now: Instant,
        timeout: Duration,
    ) -> Result<Vec<XboardCommand>, SessionError> {
        self.require(&[SessionState::Idle], "new")?;
        self.mode = if chess960 {
            CastlingMode::Chess960
        } else {
            CastlingMode::Standard
        };
        self.start = Some(StartPosition::Startpos);
        self.position = Position::startpos();
        self.moves.clear();
        self.sent.clear();
        self.color = None;
        self.claim = None;
        let mut commands = vec![XboardCommand::New];
        if chess960 {
            // Which of the 960 it is will be set up.
            commands.push(XboardCommand::Variant("fischerandom"));
            self.start = None;
        }
        commands.extend([
            // After `new`, the engine would play Black (CECP).
            XboardCommand::Force,
            XboardCommand::Post,
            XboardCommand::Ponder(ponder),
        ]);
        if self.features.ping {
            // A number of its own tells its answer from those to earlier ones.
            self.ping += 1;
            commands.push(XboardCommand::Ping(self.ping));
            self.enter(SessionState::Synchronising, now, timeout);
        }
        Ok(commands)
    }

    /// Tells the engine what it does not know of the game, and lets it think. An engine that plays
    /// already thinks as soon as it gets the move of its opponent. `level`, `st`, `sd` and `nps`
    /// are sent with the first move of a game, from the limits in `go`.
    ///
    /// # Errors
    ///
    /// When the engine is not idle, the moves are not legal, or the position cannot be set up.
    pub fn go(
        &mut self,
        command: &PositionCommand,
        go: &Go,
        now: Instant,
        timeout: Duration,
    ) -> Result<Vec<XboardCommand>, SessionError> {
        self.require(&[SessionState::Idle], "go")?;
        let mut commands = Vec::new();
        let is_known =
            self.start.as_ref() == Some(&command.start) && command.moves.starts_with(&self.moves);
        let count = command.moves.len() - if is_known { self.moves.len() } else { 0 };
        let is_playing = self.color.is_some() && is_known && count == 1;
        if !is_playing {
            // An engine that plays would take these moves for its opponent's and answer them.
            if self.color.take().is_some() {
                commands.push(XboardCommand::Force);
            } else {
                self.limit(go, &command.start, command.moves.len(), &mut commands);
            }
            if !is_known {
                self.set_up(&command.start, &mut commands)?;
            }
        }
        let mut moves = Vec::new();
        for m in &command.moves[command.moves.len() - count..] {
            moves.push(self.send_move(*m)?);
        }
        // An engine that plays thinks as soon as it gets the last move, so the clocks go before it.
        let last = if is_playing { moves.pop() } else { None };
        commands.extend(moves);
        let side = self.position.side_to_move();
        if self.features.time {
            commands.extend(self.times(go, side));
        }
        commands.push(last.unwrap_or(XboardCommand::Go));
        self.color = Some(side);
        self.enter(SessionState::Searching, now, timeout);
        Ok(commands)
    }

    /// The limits of a game's searches.
    fn limit(
        &self,
        go: &Go,
        start: &StartPosition,
        plies: usize,
        commands: &mut Vec<XboardCommand>,
    ) {
        let first = match start {
            StartPosition::Startpos => Color::White,
            StartPosition::Fen(fen) => fen.position().side_to_move(),
        };
        let side = if plies.is_multiple_of(2) {
            first
        } else {
            !first
        };
        let (time, increment) = match side {
            Color::White => (go.wtime_ms, go.winc_ms),
            Color::Black => (go.btime_ms, go.binc_ms),
        };
        let counts_nodes = go.nodes.filter(|_| self.features.nps);
        match (go.movetime_ms, time, counts_nodes) {
            // `st` takes whole seconds.
            (Some(ms), ..) => commands.push(XboardCommand::Seconds((ms / 1000).max(1))),
            (None, Some(time), _) => commands.push(XboardCommand::Level {
                moves: go.movestogo.unwrap_or(0),
                base_ms: u64::try_from(time).unwrap_or(0),
                increment_ms: increment.unwrap_or(0),
            }),
            // CECP has no limit of nodes: `nps` makes nodes the clock, so many for one second.
            (None, None, Some(nodes)) => commands.extend([
                XboardCommand::NodesPerSecond(nodes),
                XboardCommand::Seconds(1),
            ]),
            (None, None, None) => commands.push(XboardCommand::Level {
                moves: 0,
                base_ms: UNLIMITED_MS,
                increment_ms: 0,
            }),
        }
        commands.extend(go.depth.map(XboardCommand::Depth));
    }

    /// The clocks before a move.
    fn times(&self, go: &Go, side: Color) -> [XboardCommand; 2] {
        let (own, other) = match side {
            Color::White => (go.wtime_ms, go.btime_ms),
            Color::Black => (go.btime_ms, go.wtime_ms),
        };
        let ms = |time: Option<i64>| time.and_then(|time| u64::try_from(time).ok());
        let counts_nodes = go.nodes.is_some() && self.features.nps;
        let without_clock = if counts_nodes { 1000 } else { UNLIMITED_MS };
        let own = ms(own).or(go.movetime_ms).unwrap_or(without_clock);
        let other = ms(other).unwrap_or(own);
        [
            // CECP: `time` and `otim` are in hundredths of a second.
            XboardCommand::Time(own / 10),
            XboardCommand::OpponentTime(other / 10),
        ]
    }

    /// Sets up the start of a game, in force mode.
    fn set_up(
        &mut self,
        start: &StartPosition,
        commands: &mut Vec<XboardCommand>,
    ) -> Result<(), SessionError> {
        let (position, text) = match start {
            StartPosition::Fen(fen) => (*fen.position(), fen.as_str().to_owned()),
            StartPosition::Startpos => {
                let position = Position::startpos();
                (position, chess::notation::fen::write(&position))
            }
        };
        if self.features.setboard {
            commands.push(XboardCommand::SetBoard(text));
        } else {
            let what = not_editable(&position);
            if let Some(what) = what {
                return Err(SessionError::NoSetboard { fen: text, what });
            }
            edit(&position, self.features.usermove, commands);
        }
        self.start = Some(start.clone());
        self.moves.clear();
        self.position = position;
        Ok(())
    }

    /// Plays a move and writes it as the engine wants it.
    fn send_move(&mut self, text: UciMove) -> Result<XboardCommand, SessionError> {
        let Some(m) = text.to_move(&self.position, self.mode) else {
            let fen = chess::notation::fen::write(&self.position);
            let text = text.to_string();
            return Err(SessionError::IllegalMove { text, fen });
        };
        // CECP: castling in Chess960 is written as `O-O` or `O-O-O`.
        let is_castling = self.mode == CastlingMode::Chess960 && self.position.is_castling(m);
        let written = if self.features.san || is_castling {
            san::write(m, &self.position)
        } else {
            text.to_string()
        };
        self.sent.push(written.clone());
        self.play(m);
        Ok(XboardCommand::Move {
            text: written,
            usermove: self.features.usermove,
        })
    }

    fn play(&mut self, m: Move) {
        self.moves
            .push(UciMove::from_move(m, &self.position, self.mode));
        self.position = self.position.play_unchecked(m);
    }

    /// Lets the engine move now; the move is due within `grace`.
    ///
    /// # Errors
    ///
    /// When no search is running, or it has been stopped already.
    pub fn stop(&mut self, now: Instant, grace: Duration) -> Result<XboardCommand, SessionError> {
        self.require(&[SessionState::Searching], "?")?;
        self.enter(SessionState::Stopping, now, grace);
        Ok(XboardCommand::MoveNow)
    }

    /// Ends a game, which also ends pondering. Nothing is to be sent if the engine has not played.
    pub fn end_game(&mut self, result: &str) -> Vec<XboardCommand> {
        if self.state != SessionState::Idle || self.color.take().is_none() {
            return Vec::new();
        }
        vec![
            XboardCommand::Force,
            XboardCommand::Result(result.to_owned()),
        ]
    }

    /// Returns the commands that lines have made necessary since the last call.
    pub fn take_replies(&mut self) -> Vec<XboardCommand> {
        std::mem::take(&mut self.replies)
    }

    /// Processes a line from the engine, read at `now`.
    pub fn line(&mut self, line: &str, now: Instant) -> SessionEvent {
        match XboardMessage::parse(line) {
            XboardMessage::Features(features) => self.declare(features, now),
            XboardMessage::Pong(number)
                if self.state == SessionState::Synchronising && number == self.ping =>
            {
                self.rest();
                // Claims before it are about the game before.
                self.claim = None;
                SessionEvent::Ready
            }
            XboardMessage::Move(text) => {
                let best_move = BestMove {
                    reply: self.moved(&text),
                    ponder: None,
                };
                if !self.is_searching() {
                    return SessionEvent::Surprise(Message::BestMove(best_move));
                }
                let stopped = self.state == SessionState::Stopping;
                self.rest();
                if let Some((_, due)) = &mut self.claim {
                    *due = now;
                }
                SessionEvent::BestMove { best_move, stopped }
            }
            XboardMessage::Thinking(thinking) => SessionEvent::Info(Box::new(self.info(*thinking))),
            XboardMessage::Resign if self.color.is_some() => {
                self.claims(ClaimKind::Resigned, line, now)
            }
            XboardMessage::Result(result) if self.color.is_some() => {
                let lost = match self.color {
                    Some(Color::White) => ClaimedResult::BlackWins,
                    _ => ClaimedResult::WhiteWins,
                };
                let kind = if result == lost {
                    ClaimKind::Resigned
                } else {
                    ClaimKind::Result
                };
                self.claims(kind, line, now)
            }
            // An engine of version 1 of the protocol, which has no features.
            XboardMessage::Rejection(text)
                if self.state == SessionState::Handshaking && has_word(&text, "protover") =>
            {
                self.rest();
                SessionEvent::HandshakeDone
            }
            // Older engines also take commands that they do not know for moves, and moves that they do
            // not know for commands.
            XboardMessage::Rejection(text) if self.has_sent_a_move_of(&text) => {
                self.claims(ClaimKind::RejectedMove, line, now)
            }
            _ => SessionEvent::Other(Message::Other(line.trim_ascii().to_owned())),
        }
    }

    /// Returns true if one of the words of a text is a move that was sent.
    fn has_sent_a_move_of(&self, text: &str) -> bool {
        self.sent.iter().any(|one| has_word(text, one))
    }

    fn declare(&mut self, features: Vec<(String, String)>, now: Instant) -> SessionEvent {
        let mut is_done = false;
        for (name, value) in features {
            let is_on = value == "1";
            match &*name {
                "ping" => self.features.ping = is_on,
                "setboard" => self.features.setboard = is_on,
                "usermove" => self.features.usermove = is_on,
                "san" => self.features.san = is_on,
                "time" => self.features.time = is_on,
                "reuse" => self.features.reuse = is_on,
                "nps" => self.features.nps = is_on,
                "variants" => {
                    let mut variants = value.split(',').map(str::trim_ascii);
                    self.features.fischerandom = variants.any(|one| one == "fischerandom");
                }
                "myname" => self.identity.name = Some(value),
                // CECP sets these two by commands of their own, not by `option`.
                "memory" if is_on => self.options.push(spin("memory")),
                "smp" if is_on => self.options.push(spin("cores")),
                "egt" => {
                    let kinds = value.split(',').map(str::trim_ascii);
                    self.options.extend(kinds.map(|kind| EngineOption {
                        name: format!("egtpath {kind}"),
                        kind: OptionKind::String { default: None },
                    }));
                }
                "option" => self.options.extend(grammar::option(&value)),
                "done" => {
                    is_done = is_on;
                    self.is_busy = !is_on;
                }
                _ => {}
            }
            // CECP wants an answer to each feature.
            let is_known = FEATURES.split_ascii_whitespace().any(|known| known == name);
            self.replies.push(if is_known {
                XboardCommand::Accepted(name)
            } else {
                XboardCommand::Rejected(name)
            });
        }
        if self.state != SessionState::Handshaking {
            return SessionEvent::Declared;
        }
        if is_done {
            self.rest();
            return SessionEvent::HandshakeDone;
        }
        self.extend_handshake(now, self.silence);
        SessionEvent::Declared
    }

    /// The meaning of a move on the board. The move is played if it is the engine's turn.
    fn moved(&mut self, text: &str) -> Reply {
        let word = text.split_ascii_whitespace().next().unwrap_or_default();
        match san::parse_lenient(word, &self.position) {
            Ok(m) => {
                let reply = UciMove::from_move(m, &self.position, self.mode);
                if self.color == Some(self.position.side_to_move()) {
                    self.play(m);
                }
                Reply::Move(reply)
            }
            Err(error) => match (word.parse(), error) {
                (Ok(m), _) => Reply::Move(m),
                (Err(_), ParseSanError::Syntax { .. }) => Reply::Unreadable(text.to_owned()),
                (Err(_), _) => Reply::Illegal(word.to_owned()),
            },
        }
    }

    /// The info as in UCI, with the moves of the PV up to the first that cannot be understood.
    fn info(&self, thinking: Thinking) -> Info {
        let Thinking { mut info, line } = thinking;
        let mut position = self.position;
        // Lines may have move numbers and dots; castling may be written with zeros.
        let is_number = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit() || c == '.');
        let words = line.split_ascii_whitespace();
        for word in words.filter(|word| !is_number(word) || word.starts_with("0-0")) {
            let Ok(m) = san::parse_lenient(word, &position) else {
                break;
            };
            info.pv.push(UciMove::from_move(m, &position, self.mode));
            position = position.play_unchecked(m);
        }
        info
    }

    /// Handles a claim. A result may be claimed right before the move that leads to it, or after
    /// it: it is reported only if the game goes on all the same.
    fn claims(&mut self, kind: ClaimKind, line: &str, now: Instant) -> SessionEvent {
        let text = line.trim_ascii().to_owned();
        let claim = Claim { kind, text };
        if self.is_searching() && kind != ClaimKind::Result {
            self.rest();
            return SessionEvent::Claim(claim);
        }
        let other = SessionEvent::Other(Message::Other(claim.text.clone()));
        let due = now
            + if self.is_searching() {
                CLAIM_GRACE
            } else {
                Duration::ZERO
            };
        self.claim.get_or_insert((claim, due));
        other
    }

    /// Postpones the deadline, see [`crate::Session::put_off`].
    pub fn put_off(&mut self, now: Instant, grace: Duration) {
        if let Some(deadline) = &mut self.deadline {
            deadline.at = deadline.at.max(now + grace.min(deadline.after));
        }
    }

    /// What the time has brought about: a claim to be reported, the end of the handshake with an
    /// engine without features. An overdue answer is an error: what it is, and its time limit.
    ///
    /// # Errors
    ///
    /// As said.
    pub fn tick(&mut self, now: Instant) -> Result<Option<SessionEvent>, (Wait, Duration)> {
        let is_searching = self.is_searching();
        if let Some((claim, _)) = self.claim.take_if(|(_, due)| is_searching && *due <= now) {
            self.rest();
            return Ok(Some(SessionEvent::Claim(claim)));
        }
        let Some(deadline) = self.deadline.filter(|deadline| deadline.at <= now) else {
            return Ok(None);
        };
        if self.state == SessionState::Handshaking && !self.is_busy {
            self.rest();
            return Ok(Some(SessionEvent::HandshakeDone));
        }
        self.deadline = None;
        let Some(wait) = self.waiting() else {
            return Ok(None);
        };
        // A search can still be stopped by `?`; otherwise, what comes could answer anything.
        if wait != Wait::Move {
            self.state = SessionState::Failed;
        }
        Err((wait, deadline.after))
    }

    /// Sets an option. A check takes `true`, `false`, 1 or 0; a button takes no value or an empty
    /// one. `Hash` and `Threads` are other names of `memory` and `cores`, unless the engine has
    /// options of these names.
    ///
    /// # Errors
    ///
    /// As for [`crate::Session::set_option`].
    pub fn set_option(
        &self,
        name: &str,
        value: Option<&str>,
    ) -> Result<XboardCommand, SessionError> {
        self.require(&[SessionState::Idle], "option")?;
        let (name, value) = longest_name(name, value, |name| self.option(name).is_some());
        let Some(option) = self.option(&name) else {
            return Err(SessionError::UnknownOption { name });
        };
        let value = match (&option.kind, value) {
            (OptionKind::Check { .. }, Some("1")) => Some("true"),
            (OptionKind::Check { .. }, Some("0")) => Some("false"),
            (_, value) => value,
        };
        let accepted = option.kind.accept(value);
        let value = accepted.map_err(|expected| SessionError::BadValue {
            name: option.name.clone(),
            value: value.unwrap_or_default().to_owned(),
            expected,
        })?;
        let value = match (&option.kind, value) {
            (OptionKind::Check { .. }, Some(on)) => Some(u8::from(on == "true").to_string()),
            (_, value) => value,
        };
        Ok(match (&*option.name, value) {
            ("memory", Some(size)) => XboardCommand::Memory(size),
            ("cores", Some(count)) => XboardCommand::Cores(count),
            (name, value) => match (name.strip_prefix("egtpath "), value) {
                (Some(kind), Some(path)) => XboardCommand::TablePath {
                    kind: kind.to_owned(),
                    path,
                },
                (_, value) => XboardCommand::SetOption {
                    name: name.to_owned(),
                    value,
                },
            },
        })
    }

    /// Finds an option by name, ignoring case, or by the name that UCI has for it.
    pub fn option(&self, name: &str) -> Option<&EngineOption> {
        let find = |name: &str| {
            let mut options = self.options.iter();
            options.find(|option| option.name.to_lowercase() == name.to_lowercase())
        };
        find(name).or_else(|| match &*name.to_ascii_lowercase() {
            "hash" => find("memory"),
            "threads" => find("cores"),
            _ => None,
        })
    }

    fn enter(&mut self, state: SessionState, now: Instant, after: Duration) {
        self.state = state;
        self.deadline = now.checked_add(after).map(|at| Deadline { at, after });
    }

    fn rest(&mut self) {
        self.state = SessionState::Idle;
        self.deadline = None;
    }

    fn require(&self, states: &[SessionState], command: &'static str) -> Result<(), SessionError> {
        if states.contains(&self.state) {
            return Ok(());
        }
        let state = self.state;
        Err(SessionError::OutOfTurn { command, state })
    }
}

/// Returns true if one of the words of a text is a move or command.
fn has_word(text: &str, expected: &str) -> bool {
    let is_between = |c: char| !c.is_ascii_alphanumeric() && !"-=+#".contains(c);
    text.split(is_between).any(|word| word == expected)
}

fn spin(name: &str) -> EngineOption {
    EngineOption {
        name: name.to_owned(),
        kind: OptionKind::Spin {
            default: None,
            min: Some(1),
            max: None,
        },
    }
}

/// What `edit` cannot express of a position, if anything: it implies that a king and a rook at home
/// may castle.
fn not_editable(position: &Position) -> Option<&'static str> {
    if position.ep_square().is_some() {
        return Some("the en passant square");
    }
    let is = |square, color, kind| position.piece_at(square) == Some(Piece::new(color, kind));
    let sides = [
        (Color::White, Square::E1, [Square::A1, Square::H1]),
        (Color::Black, Square::E8, [Square::A8, Square::H8]),
    ];
    let implied = sides.into_iter().flat_map(|(color, king, rooks)| {
        let has_king = is(king, color, chess::rules::PieceType::King);
        let rooks = rooks.into_iter();
        rooks.filter(move |&rook| has_king && is(rook, color, chess::rules::PieceType::Rook))
    });
    (implied.collect::<chess::rules::Bitboard>() != position.castling_rooks())
        .then_some("these castling rights")
}

/// The commands that put the pieces of a position on the board.
fn edit(position: &Position, usermove: bool, commands: &mut Vec<XboardCommand>) {
    let setup: Setup = position.to_setup();
    if position.side_to_move() == Color::Black {
        // Editing does not change the side to move, so White makes any move before.
        commands.push(XboardCommand::Move {
            text: "a2a3".to_owned(),
            usermove,
        });
    }
    commands.extend([XboardCommand::Edit, XboardCommand::ClearBoard]);
    for color in Color::ALL {
        if color == Color::Black {
            commands.push(XboardCommand::OtherColor);
        }
        for square in Square::ALL {
            if let Some(piece) = setup.piece_at(square).filter(|piece| piece.color == color) {
                commands.push(XboardCommand::Put(piece.piece_type, square));
            }
        }
    }
    commands.push(XboardCommand::EndEdit);
}
