//! The misbehaviours, and how to ask for them.

use std::path::PathBuf;
use std::time::Duration;

/// The flags.
pub(crate) const HELP: &str = "\
How it plays:
  --seed=N           which of the legal moves it chooses
  --sleep=MS         thinks so long about each move
  --score=CP         claims this score; 0 unless given
  --ponder           names the move it expects with each of its own
  --optimum=N        has an option Margin, from 0 to 100, that is best at N: goes for material,
                     blunders the more often the farther the option is from there, and claims as
                     its score what is on the board

When it misbehaves:
  --at=N             at the N-th move it is asked for; the first unless given
  --once=FILE        only if FILE is not there; then writes its number to FILE

How it misbehaves, one of:
  --crash-at-start   ends with exit code 3 before it says anything
  --no-uciok         never says uciok
  --no-readyok       never says readyok
  --deaf             reads nothing and says nothing
  --crash            on go: ends with exit code 3
  --abort            on go: is killed by SIGABRT
  --exit-after-move  answers, and ends
  --illegal-move     answers a1a1
  --null-move        answers 0000
  --no-move          answers (none)
  --empty-move       answers bestmove and nothing else
  --garbage-move     answers bestmove and bytes that are no text
  --hang             on go: does nothing for ever
  --late=MS          answers so many milliseconds late
  --flood            on go: prints lines of info for ever
  --endless-line     on go: prints one line for ever
  --long-line=BYTES  on go: prints one line of so many bytes, then answers
  --no-newline       answers without an end of line, and does nothing for ever
  --garbage          on go: prints bytes that are no text, then answers
  --stderr=BYTES     on go: prints so many bytes on standard error, then answers
  --close-stdin      on go: answers, closes its input, and lives on
  --close-stdout     on go: closes its output, and lives on
  --leave-group      on go: goes over to the process group of its parent, and does nothing for ever
  --leave-child      on go: starts a child that outlives it, then answers
  --ignore-limits    searches until it is stopped, whatever the limit, and says how far it has come; with
                     =quiet it does not say
  --ignore-stop      goes on pondering after stop, for ever
  --early            answers while it ponders, before it is asked
  --double           answers twice when it is stopped
  --repeat           answers twice, each time
  --repeat-late      answers once more as soon as it is asked for the next move
  --ignore-quit      goes on after quit, and after the end of its input";

/// How to play, and what to do wrong.
#[derive(Default)]
pub(crate) struct Flags {
    pub(crate) seed: u64,
    pub(crate) sleep: Duration,
    pub(crate) score: i32,
    pub(crate) ponder: bool,
    pub(crate) optimum: Option<u64>,
    pub(crate) at: u64,
    pub(crate) once: Option<PathBuf>,
    pub(crate) misbehaviour: Option<Misbehaviour>,
}

/// A misbehaviour.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Misbehaviour {
    CrashAtStart,
    NoUciok,
    NoReadyok,
    Deaf,
    Crash,
    Abort,
    ExitAfterMove,
    /// An answer in place of the move.
    Answer(&'static [u8]),
    Hang,
    Late(Duration),
    Flood,
    EndlessLine,
    LongLine(usize),
    NoNewline,
    Garbage,
    Stderr(usize),
    CloseStdin,
    CloseStdout,
    LeaveGroup,
    LeaveChild,
    IgnoreLimits(Aloud),
    IgnoreStop,
    Early,
    Double,
    Repeat,
    RepeatLate,
    IgnoreQuit,
}

/// Whether it says how far a search has come.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Aloud {
    Yes,
    No,
}

impl Flags {
    pub(crate) fn parse(arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut flags = Self {
            at: 1,
            ..Self::default()
        };
        for argument in arguments {
            let (flag, value) = argument.split_once('=').unwrap_or((&argument, ""));
            flags
                .set(flag, value)
                .ok_or_else(|| format!("cannot understand '{argument}'"))?;
        }
        Ok(flags)
    }

    fn set(&mut self, flag: &str, value: &str) -> Option<()> {
        match flag {
            "--seed" => self.seed = value.parse().ok()?,
            "--sleep" => self.sleep = milliseconds(value)?,
            "--score" => self.score = value.parse().ok()?,
            "--ponder" => self.ponder = true,
            "--optimum" => self.optimum = Some(value.parse().ok()?),
            "--at" => self.at = value.parse().ok()?,
            "--once" => self.once = Some(value.into()),
            misbehaviour => self.misbehaviour = Some(Misbehaviour::parse(misbehaviour, value)?),
        }
        Some(())
    }
}

impl Misbehaviour {
    fn parse(flag: &str, value: &str) -> Option<Self> {
        Some(match flag {
            "--crash-at-start" => Self::CrashAtStart,
            "--no-uciok" => Self::NoUciok,
            "--no-readyok" => Self::NoReadyok,
            "--deaf" => Self::Deaf,
            "--crash" => Self::Crash,
            "--abort" => Self::Abort,
            "--exit-after-move" => Self::ExitAfterMove,
            "--illegal-move" => Self::Answer(b"bestmove a1a1\n"),
            "--null-move" => Self::Answer(b"bestmove 0000\n"),
            "--no-move" => Self::Answer(b"bestmove (none)\n"),
            "--empty-move" => Self::Answer(b"bestmove\n"),
            "--garbage-move" => Self::Answer(b"bestmove \xff\xfe\0\x80\n"),
            "--hang" => Self::Hang,
            "--late" => Self::Late(milliseconds(value)?),
            "--flood" => Self::Flood,
            "--endless-line" => Self::EndlessLine,
            "--long-line" => Self::LongLine(value.parse().ok()?),
            "--no-newline" => Self::NoNewline,
            "--garbage" => Self::Garbage,
            "--stderr" => Self::Stderr(value.parse().ok()?),
            "--close-stdin" => Self::CloseStdin,
            "--close-stdout" => Self::CloseStdout,
            "--leave-group" => Self::LeaveGroup,
            "--leave-child" => Self::LeaveChild,
            "--ignore-limits" if value == "quiet" => Self::IgnoreLimits(Aloud::No),
            "--ignore-limits" => Self::IgnoreLimits(Aloud::Yes),
            "--ignore-stop" => Self::IgnoreStop,
            "--early" => Self::Early,
            "--double" => Self::Double,
            "--repeat" => Self::Repeat,
            "--repeat-late" => Self::RepeatLate,
            "--ignore-quit" => Self::IgnoreQuit,
            _ => return None,
        })
    }

    /// Whether it shows before the first move.
    pub(crate) fn is_at_start(self) -> bool {
        matches!(
            self,
            Self::CrashAtStart | Self::NoUciok | Self::NoReadyok | Self::Deaf
        )
    }
}

fn milliseconds(text: &str) -> Option<Duration> {
    text.parse().ok().map(Duration::from_millis)
}
