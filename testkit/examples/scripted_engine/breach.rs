//! Small breaches of UCI or chess, one at a time. A crash is an exit with code 1.

use clap::ValueEnum;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Breach {
    /// Do not print `id name`
    NoName,
    /// Do not print `id author`
    NoAuthor,
    /// Declare an option of a type that UCI does not have
    OddType,
    /// Declare a default below the minimum
    DefaultOutOfRange,
    /// Do not declare Threads
    NoThreads,
    /// Print `readyok` twice
    DoubleReadyok,
    /// Crash on a second `ucinewgame` in a row
    SecondNewGame,
    /// Obey only the first line of each read
    FirstLineOnly,
    /// Take each read for a line
    HalfLines,
    /// Crash on unknown commands
    Strict,
    /// Ignore commands with blanks around them or two in a row
    ExactWords,
    /// Crash on an empty line
    NoEmptyLines,
    /// Ignore lines that end with CR LF
    NoCarriageReturn,
    /// Crash on `debug`
    NoDebug,
    /// Print `bestmove` on a `stop` without a search
    IdleStop,
    /// Print `bestmove` on a `ponderhit` without a search
    IdlePonderhit,
    /// Keep the first position until `ucinewgame`
    FirstPosition,
    /// Search forever on `go depth`
    DeafToDepth,
    /// Search forever on `go depth` beyond 4
    Slow,
    /// Search forever on `go nodes`
    DeafToNodes,
    /// Search forever on `go movetime`
    DeafToMovetime,
    /// Search forever with a clock
    DeafToWtime,
    /// Search forever with an increment
    DeafToWinc,
    /// Search forever on `go movestogo`
    DeafToMovestogo,
    /// Search forever on `go mate`
    DeafToMate,
    /// Hang on a `go` without a clock
    ClockOnly,
    /// Answer `go infinite` at once
    Impatient,
    /// Answer `go infinite` at once if one move is legal
    ImpatientIfForced,
    /// Ignore `searchmoves`
    NoSearchmoves,
    /// Answer `stop` 400 ms late
    SlowStop,
    /// Ignore a `stop` in the first 20 ms of a search
    LostStop,
    /// Print no `readyok` during a search
    Busy,
    /// Take whatever comes during a search for `stop`
    AnyStop,
    /// Print an illegal move, and no info, if a search is stopped in its first 20 ms, or has 100 ms at most
    NoMoveYet,
    /// Print an illegal move, and no info, if a search has 100 ms at most
    NoMoveInTime,
    /// Repeat `bestmove` 100 ms later
    DoubleBestmove,
    /// Crash on a `go` during a search
    NoSecondGo,
    /// Answer `go ponder` at once
    ImpatientPonderer,
    /// Print `time` with a decimal point
    DecimalTime,
    /// Print an info `temperature`
    OddInfo,
    /// Print no score
    NoScore,
    /// Print infos only with `bestmove`
    HeldBack,
    /// Print an info after `bestmove`
    Afterthought,
    /// Print lines that are not UCI
    Chatty,
    /// Write to standard error
    Complaining,
    /// Give an illegal ponder move
    IllegalPonder,
    /// Print a PV with an illegal move
    IllegalPv,
    /// Print the PV of another move than the best move
    OtherPv,
    /// Print one PV whatever `MultiPV` is
    NoMultipv,
    /// Know no en passant
    NoEnPassant,
    /// Write promotions with capital letters
    CapitalPromotion,
    /// Write castling in the notation of the other mode
    OtherCastling,
    /// Leave the rook behind when castling is received
    LeftRook,
    /// Read only 1024 bytes of a line
    ShortLines,
    /// Crash where no move is legal
    NoEnd,
    /// Crash when Hash is set
    NoResize,
    /// Search 400 times the nodes, three times as deep
    Wasteful,
    /// Report another score in each search
    Moody,
    /// Answer 400 ms late if there is a clock or `movetime`
    Unpunctual,
    /// Ignore `quit` during a search, and the end of the input
    Tenacious,
    /// Exit with code 3 on `quit`
    Failing,
    /// Take any word that starts with `go` for `go`
    Prefixes,
    /// Crash on `go nodes 1`
    NoOneNode,
    /// Crash on a double check
    NoDoubleCheck,
    /// Crash on a position with fewer moves than the last
    NoTakeback,
    /// Crash on a repeated position
    NoRepetition,
    /// Crash after 98 plies without a capture or pawn move
    NoFiftyMoves,
    /// Give no move where a draw may be claimed
    NoDraws,
    /// Crash on insufficient material
    NoBareKings,
    /// Crash where more than 100 moves are legal
    ShortList,
    /// Find no mates
    Blind,
    /// Crash when `UCI_Chess960` is set
    #[value(name = "no-chess960")]
    NoChess960,
    /// Crash when Clear Hash is pressed
    NoButton,
    /// Crash when Threads is set
    OneThread,
    /// Crash when an option is set that was not declared
    OnlyItsOptions,
    /// Crash when Ponder is set to false
    NoDefault,
    /// Know options only in the case they were declared in
    ExactOptions,
    /// Crash when Hash is set to anything but a positive number
    Trusting,
    /// Search only after `ucinewgame`
    NeedsNewGame,
    /// Move from a book at the start position, and crash in a search
    BookOnly,
    /// Think for a thirtieth of the clock and the whole increment
    SpendsIncrement,
    /// Answer `go movetime` at once
    Hasty,
    /// Ignore everything before `uci`
    UciFirst,
}
