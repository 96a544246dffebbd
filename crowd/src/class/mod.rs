//! Classes and quizzes: a set of positions whose moves people list and whose answers are known. Pure: no I/O, no clock.
//!
//! | module | question |
//! |---|---|
//! | `code` | by which short code do students find a class? |
//! | `sets` | which built-in positions practise a theme? |
//! | `table` | what did each student find, and which moves does a class overlook? |
//!
//! A list of a class is scored as a board of the day is, by `score`. It is never a list of the crowd: a student who
//! finishes it sees the answer.

mod code;
mod sets;
mod table;

pub use code::{ClassCode, ParseCodeError};
pub use sets::{Theme, draw};
pub use table::{
    Cell, ClassAnswer, ClassStudent, ClassTable, CountedMove, PositionRow, StudentRow, table,
    write_csv,
};

pub const MOST_POSITIONS: usize = 50;

pub const MOST_STUDENTS: i32 = 500;

/// Number of days after which a class is deleted.
pub const KEPT_DAYS: u32 = 180;

pub const QUIZ_POSITIONS: usize = 10;
