//! Classes: making a set, joining it, listing its positions, the teacher's table, and deletion.
//!
//! Lists of a class are kept apart from those of the crowd, in tables of their own: they never become evidence for a
//! test case.

use std::str::FromStr;
use std::time::Duration;

use chess::notation::fen;
use chess::rules::{CastlingMode, Position};
use serde::Serialize;
use utoipa::ToSchema;
use web::secret;

use super::core::on_a_thread;
use super::error::from_store;
use super::import::positions_of;
use super::rows::{moves, text_of};
use super::{ClassToken, ImportProblem, Service, ServiceError};
use crate::class::{
    ClassAnswer, ClassCode, ClassPosition, ClassStudent, ClassTable, KEPT_DAYS, MOST_POSITIONS,
    Theme, draw, table,
};
use crate::daily::{DailyScore, score};
use crate::model::{MoveText, PlayerName, Side, Timestamp};
use crate::store::entity::{class_answer, class_set, class_student};
use crate::store::{Joined, StoreError};

/// How long after its time limit a list is not late: it takes a moment to arrive.
const GRACE: Duration = Duration::from_secs(10);

/// The title of a class: 1 to 80 characters, none of them a control character.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassTitle(String);

/// The text is not a title.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a title has 1 to 80 characters, and no control characters")]
pub struct TitleError;

impl FromStr for ClassTitle {
    type Err = TitleError;

    fn from_str(text: &str) -> Result<Self, TitleError> {
        let title = text.trim();
        let is_good =
            (1..=80).contains(&title.chars().count()) && !title.contains(char::is_control);
        is_good.then(|| Self(title.to_owned())).ok_or(TitleError)
    }
}

/// Where the positions of a new class come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClassSource {
    /// FENs or EPD records, one a line.
    Lines(String),
    /// A number of built-in positions on a theme.
    Theme(Theme, usize),
}

/// A class as a teacher wants it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewClass {
    pub title: ClassTitle,
    pub source: ClassSource,
    /// The time limit for each position.
    pub time_limit: Option<Duration>,
    /// Whether answers are shown when all lists are finished, and not after each.
    pub at_end: bool,
}

/// What anyone who has the code may see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassInfo {
    pub code: ClassCode,
    pub title: String,
    pub positions: usize,
    pub time_limit: Option<Duration>,
    pub at_end: bool,
    pub students: i32,
    pub created_at: Timestamp,
}

impl ClassInfo {
    /// When it is deleted.
    pub fn deleted_at(&self) -> Timestamp {
        self.created_at.after(KEPT)
    }
}

/// What the teacher sees.
#[derive(Clone, Debug)]
pub struct ClassOverview {
    pub info: ClassInfo,
    pub table: ClassTable,
}

/// A student's list in their own overview.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct StudentAnswer {
    /// The number of the position, from 1.
    pub number: usize,
    /// Whether the list is finished.
    pub finished: bool,
    /// Whether it came after the time limit.
    pub late: bool,
    /// Legal moves found; none while the answer is not shown.
    pub found: Option<usize>,
    /// Illegal moves listed; none while the answer is not shown.
    pub wrong: Option<usize>,
    /// Number of legal moves; none while the answer is not shown.
    pub legal: Option<u32>,
}

/// A student's progress.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct StudentState {
    /// The title of the class.
    pub title: String,
    /// The student's name.
    pub name: String,
    /// Number of positions.
    pub positions: usize,
    /// The time limit for each position, in milliseconds, if there is one.
    pub time_limit_ms: Option<u64>,
    /// Whether answers are shown when all lists are finished, and not after each.
    pub at_end: bool,
    /// The lists that were begun, by position.
    pub answers: Vec<StudentAnswer>,
}

/// A position that is handed out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ClassGiven {
    /// Its number, from 1.
    pub number: usize,
    /// Its FEN.
    pub fen: String,
    /// The side whose moves are to be listed.
    pub side_to_move: Side,
    /// Milliseconds since it was first handed out to the student.
    pub elapsed_ms: i64,
    /// The time limit in milliseconds, if there is one.
    pub time_limit_ms: Option<u64>,
}

/// The result of one list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ClassResult {
    /// The number of the position, from 1.
    pub number: usize,
    /// Its FEN.
    pub fen: String,
    /// The time the list took by the server's clock, in milliseconds; none in a quiz.
    pub took_ms: Option<i64>,
    /// Whether it came after the time limit.
    pub late: bool,
    /// What was found, missed and wrong.
    #[serde(flatten)]
    pub score: DailyScore,
}

impl ClassResult {
    /// The result of a list without a time.
    pub fn untimed(number: usize, position: &Position, given: &[MoveText]) -> Self {
        Self {
            number,
            fen: fen::write(position),
            took_ms: None,
            late: false,
            score: score(position, given),
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum ClassError {
    #[error("{} of the lines cannot be taken", .0.len())]
    BadLines(Vec<ImportProblem>),
    #[error("there is no such class: the code may be misspelt, or the class was deleted")]
    NoClass,
    #[error("the class does not know you: join it first")]
    NotJoined,
    #[error("another student of this class has that name")]
    NameTaken,
    #[error("the class is full")]
    Full,
    #[error("the class has {count} positions, and none has the number {number}")]
    NoPosition { number: usize, count: usize },
    #[error("the position was not handed out to you: ask for it first")]
    NotStarted,
    #[error("the answer is not shown yet")]
    NotShown,
    #[error(transparent)]
    Service(#[from] ServiceError),
}

from_store!(ClassError);

const KEPT: Duration = Duration::from_hours(24 * KEPT_DAYS as u64);

/// A set as it is read from the database.
struct Class {
    id: i64,
    info: ClassInfo,
    positions: Vec<Position>,
}

impl TryFrom<class_set::Model> for Class {
    type Error = StoreError;

    fn try_from(row: class_set::Model) -> Result<Self, StoreError> {
        let unreadable = |what, found: &str| StoreError::Value {
            what,
            found: format!("'{found}'"),
        };
        let read =
            |text: &str| fen::parse(text).map_err(|_| unreadable("the FEN of a class", text));
        let positions: Vec<Position> = row.positions.lines().map(read).collect::<Result<_, _>>()?;
        let code = row.code.parse();
        let limit = row.time_limit_s.and_then(|s| u64::try_from(s).ok());
        Ok(Self {
            id: row.id,
            info: ClassInfo {
                code: code.map_err(|_| unreadable("the code of a class", &row.code))?,
                title: row.title,
                positions: positions.len(),
                time_limit: limit.map(Duration::from_secs),
                at_end: row.at_end,
                students: row.students,
                created_at: Timestamp(row.created_at),
            },
            positions,
        })
    }
}

impl Class {
    /// The position with this number, from 1, and the number as the database has it.
    fn position(&self, number: usize) -> Result<(i32, &Position), ClassError> {
        let position = number.checked_sub(1).and_then(|at| self.positions.get(at));
        let number_there = i32::try_from(number).ok();
        position
            .zip(number_there)
            .map(|(p, n)| (n, p))
            .ok_or(ClassError::NoPosition {
                number,
                count: self.positions.len(),
            })
    }

    fn time_limit_ms(&self) -> Option<u64> {
        self.info
            .time_limit
            .map(|limit| u64::try_from(limit.as_millis()).unwrap_or(u64::MAX))
    }

    fn is_late(&self, answer: &class_answer::Model) -> bool {
        let took = Timestamp(answer.finished_at.unwrap_or(answer.started_at))
            .since(Timestamp(answer.started_at));
        self.info
            .time_limit
            .is_some_and(|limit| took > limit + GRACE)
    }

    /// Whether the student with these lists may see the answers of those that are finished.
    fn shows(&self, answers: &[class_answer::Model]) -> bool {
        let finished = answers.iter().filter(|answer| answer.finished_at.is_some());
        !self.info.at_end || finished.count() >= self.positions.len()
    }
}

fn took_ms(answer: &class_answer::Model) -> i64 {
    let end = answer.finished_at.unwrap_or(answer.started_at);
    end.saturating_sub(answer.started_at).max(0)
}

impl Service {
    /// Makes a class; returns the students' code and the teacher's token.
    pub async fn make_class(
        &self,
        new: &NewClass,
        now: Timestamp,
    ) -> Result<(ClassCode, ClassToken), ClassError> {
        let teacher = ClassToken::random().map_err(ServiceError::from)?;
        let hash = secret::hash(teacher.as_str());
        let positions = match &new.source {
            ClassSource::Lines(text) => checked(text).map_err(ClassError::BadLines)?,
            ClassSource::Theme(theme, count) => {
                let (theme, count) = (*theme, (*count).min(MOST_POSITIONS));
                // Students see the positions that follow from the seed; nothing of the token
                // follows from its hash.
                let seed = hash
                    .first_chunk()
                    .map_or(0, |bytes| u32::from_be_bytes(*bytes));
                on_a_thread(move || draw(theme, count, seed)).await?
            }
        };
        let fens: Vec<String> = positions.iter().map(fen::write).collect();
        let limit = new.time_limit.map(|limit| limit.as_secs());
        // A code may be taken, which is rare: then another one is tried.
        loop {
            let random = secret::random().map_err(ServiceError::from)?;
            let Some(code) = ClassCode::from_random(&secret::hash(&random)) else {
                continue;
            };
            let row = class_set::Model {
                id: 0, // The database gives it one.
                code: code.as_str().to_owned(),
                teacher_hash: teacher.hash(),
                title: new.title.0.clone(),
                positions: fens.join("\n"),
                time_limit_s: limit.and_then(|s| i32::try_from(s).ok()),
                at_end: new.at_end,
                created_at: now.0,
                students: 0,
            };
            if self.store().add_class(row).await? {
                return Ok((code, teacher));
            }
        }
    }

    async fn class(&self, code: &ClassCode) -> Result<Class, ClassError> {
        let row = self.store().class_by_code(code.as_str()).await?;
        Ok(row.ok_or(ClassError::NoClass)?.try_into()?)
    }

    pub async fn class_info(&self, code: &ClassCode) -> Result<ClassInfo, ClassError> {
        Ok(self.class(code).await?.info)
    }

    /// Joins a class under a name that nobody there has; returns the student's token.
    pub async fn join_class(
        &self,
        code: &ClassCode,
        name: &PlayerName,
        now: Timestamp,
    ) -> Result<ClassToken, ClassError> {
        let class = self.class(code).await?;
        let token = ClassToken::random().map_err(ServiceError::from)?;
        let student = class_student::Model {
            id: 0, // The database gives it one.
            class_id: class.id,
            name: name.as_str().to_owned(),
            // Names that differ in capitals alone would be mistaken for each other.
            same_as: name.as_str().to_lowercase(),
            token_hash: token.hash(),
            joined_at: now.0,
        };
        match self.store().join_class(student).await? {
            Joined::Yes => Ok(token),
            Joined::NameTaken => Err(ClassError::NameTaken),
            Joined::Full => Err(ClassError::Full),
        }
    }

    async fn student(
        &self,
        code: &ClassCode,
        token: &ClassToken,
    ) -> Result<(Class, class_student::Model), ClassError> {
        let class = self.class(code).await?;
        let student = self.store().class_student(class.id, &token.hash()).await?;
        Ok((class, student.ok_or(ClassError::NotJoined)?))
    }

    pub async fn student_state(
        &self,
        code: &ClassCode,
        token: &ClassToken,
    ) -> Result<StudentState, ClassError> {
        let (class, student) = self.student(code, token).await?;
        let answers = self.store().class_answers(&[student.id]).await?;
        let shows = class.shows(&answers);
        let shown = answers.iter().map(|answer| {
            let number = usize::try_from(answer.number).unwrap_or(0);
            let mut one = StudentAnswer {
                number,
                finished: answer.finished_at.is_some(),
                late: class.is_late(answer),
                found: None,
                wrong: None,
                legal: None,
            };
            if shows && one.finished {
                let (_, position) = class.position(number)?;
                let list = moves(answer.moves.as_deref().unwrap_or(""))?;
                let score = score(position, &list);
                one.found = Some(score.found.len());
                one.wrong = Some(score.wrong.len());
                one.legal = Some(score.legal);
            }
            Ok(one)
        });
        Ok(StudentState {
            answers: shown.collect::<Result<_, ClassError>>()?,
            time_limit_ms: class.time_limit_ms(),
            title: class.info.title,
            name: student.name,
            positions: class.positions.len(),
            at_end: class.info.at_end,
        })
    }

    /// Hands out a position; its time begins with the first call.
    pub async fn start_class_position(
        &self,
        code: &ClassCode,
        token: &ClassToken,
        number: usize,
        now: Timestamp,
    ) -> Result<ClassGiven, ClassError> {
        let (class, student) = self.student(code, token).await?;
        let (number_there, position) = class.position(number)?;
        let begun = self
            .store()
            .begin_class_answer(student.id, number_there, now.0);
        let started = begun.await?.map_or(now.0, |answer| answer.started_at);
        Ok(ClassGiven {
            number,
            fen: fen::write(position),
            side_to_move: position.side_to_move().into(),
            elapsed_ms: now.0.saturating_sub(started).max(0),
            time_limit_ms: class.time_limit_ms(),
        })
    }

    /// Takes the list of a position. The first one counts and cannot be changed. Returns its result, if answers are
    /// shown now.
    pub async fn finish_class_position(
        &self,
        code: &ClassCode,
        token: &ClassToken,
        number: usize,
        given: &[MoveText],
        now: Timestamp,
    ) -> Result<Option<ClassResult>, ClassError> {
        let (class, student) = self.student(code, token).await?;
        let (number_there, _) = class.position(number)?;
        let list = text_of(given);
        let finished = self
            .store()
            .finish_class_answer(student.id, number_there, list, now.0);
        // To repeat a request is no error: the first list stays, and its result is the answer.
        if !finished.await? {
            let answers = self.store().class_answers(&[student.id]).await?;
            if !answers.iter().any(|answer| answer.number == number_there) {
                return Err(ClassError::NotStarted);
            }
        }
        match self.result_of(&class, &student, number).await {
            Ok(result) => Ok(Some(result)),
            Err(ClassError::NotShown) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The result of a finished list, once answers are shown.
    pub async fn class_result(
        &self,
        code: &ClassCode,
        token: &ClassToken,
        number: usize,
    ) -> Result<ClassResult, ClassError> {
        let (class, student) = self.student(code, token).await?;
        self.result_of(&class, &student, number).await
    }

    async fn result_of(
        &self,
        class: &Class,
        student: &class_student::Model,
        number: usize,
    ) -> Result<ClassResult, ClassError> {
        let (number_there, position) = class.position(number)?;
        let answers = self.store().class_answers(&[student.id]).await?;
        let answer = answers.iter().find(|answer| answer.number == number_there);
        match answer.and_then(|answer| Some((answer, answer.moves.as_deref()?))) {
            Some((answer, list)) if class.shows(&answers) => Ok(ClassResult {
                took_ms: Some(took_ms(answer)),
                late: class.is_late(answer),
                ..ClassResult::untimed(number, position, &moves(list)?)
            }),
            _ => Err(ClassError::NotShown),
        }
    }

    /// The teacher's table.
    pub async fn class_overview(&self, teacher: &ClassToken) -> Result<ClassOverview, ClassError> {
        let class = self.taught(teacher).await?;
        let rows = self.store().class_students(class.id).await?;
        let ids: Vec<i64> = rows.iter().map(|row| row.id).collect();
        let mut students = Vec::with_capacity(rows.len());
        let mut answers = self
            .store()
            .class_answers(&ids)
            .await?
            .into_iter()
            .peekable();
        // Both are ordered by student.
        for row in rows {
            let mut finished = Vec::new();
            while let Some(answer) = answers.next_if(|answer| answer.student_id <= row.id) {
                let Some(list) = answer.moves.as_deref() else {
                    continue;
                };
                finished.push(ClassAnswer {
                    position: usize::try_from(answer.number - 1).unwrap_or(usize::MAX),
                    moves: moves(list)?,
                    took_ms: took_ms(&answer),
                    late: class.is_late(&answer),
                });
            }
            students.push(ClassStudent {
                name: row.name,
                answers: finished,
            });
        }
        let Class {
            info, positions, ..
        } = class;
        let work = move || {
            let positions: Vec<_> = positions.into_iter().map(ClassPosition::new).collect();
            table(&positions, &students)
        };
        Ok(ClassOverview {
            table: on_a_thread(work).await?,
            info,
        })
    }

    async fn taught(&self, teacher: &ClassToken) -> Result<Class, ClassError> {
        let row = self.store().class_by_teacher(&teacher.hash()).await?;
        Ok(row.ok_or(ClassError::NoClass)?.try_into()?)
    }

    /// Removes a student with all their lists; the name is free again. Returns false if there is none of that name.
    pub async fn remove_student(
        &self,
        teacher: &ClassToken,
        name: &str,
    ) -> Result<bool, ClassError> {
        let class = self.taught(teacher).await?;
        let same_as = name.to_lowercase();
        let removed = self.store().remove_class_student(class.id, &same_as);
        Ok(removed.await?)
    }

    /// Deletes a class with all that its students did.
    pub async fn delete_class(&self, teacher: &ClassToken) -> Result<(), ClassError> {
        let class = self.taught(teacher).await?;
        Ok(self.store().delete_class(class.id).await?)
    }

    /// Deletes some of the classes whose time is over; the next round deletes more.
    pub(super) async fn delete_old_classes(&self, now: Timestamp) -> Result<(), ServiceError> {
        let kept = i64::try_from(KEPT.as_millis()).unwrap_or(i64::MAX);
        for id in self
            .store()
            .classes_before(now.0.saturating_sub(kept))
            .await?
        {
            self.store().delete_class(id).await?;
        }
        Ok(())
    }
}

/// The positions of a text, or everything that is wrong with it.
fn checked(text: &str) -> Result<Vec<Position>, Vec<ImportProblem>> {
    let (positions, mut problems) = positions_of(text);
    let problem = |line: usize, reason: String| ImportProblem {
        line,
        column: 1,
        reason,
    };
    for (at, (line, position)) in positions.iter().enumerate() {
        if position.castling_mode() == CastlingMode::Chess960 {
            let reason = "its castling rights are those of Chess960; a class is standard chess";
            problems.push(problem(*line, reason.to_owned()));
        }
        // Only the first line that is too many is reported: one fault says it all.
        if at == MOST_POSITIONS {
            let reason = format!("a class has at most {MOST_POSITIONS} positions");
            problems.push(problem(*line, reason));
        }
    }
    if positions.is_empty() && problems.is_empty() {
        problems.push(problem(1, "there is no position".to_owned()));
    }
    problems.sort_by_key(|problem| (problem.line, problem.column));
    if problems.is_empty() {
        Ok(positions
            .into_iter()
            .map(|(_, position)| position)
            .collect())
    } else {
        Err(problems)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_short_and_plain() {
        assert_eq!("  Pins  ".parse(), Ok(ClassTitle("Pins".to_owned())));
        for text in ["", "  ", "a\nb", &"x".repeat(81)] {
            assert_eq!(text.parse::<ClassTitle>(), Err(TitleError), "{text}");
        }
    }

    #[test]
    fn every_line_is_checked() {
        let good = "4k3/8/8/8/8/8/8/4K2R w K - 0 1\n";
        assert_eq!(checked(good).map(|set| set.len()).ok(), Some(1));
        let text = format!(
            "{good}junk\n1k6/8/8/8/8/8/8/RK6 w A - 0 1\n{}",
            good.repeat(49)
        );
        let problems = checked(&text).expect_err("three faults");
        let lines: Vec<usize> = problems.iter().map(|problem| problem.line).collect();
        assert_eq!(lines, [2, 3, 52], "{problems:?}");
        assert_eq!(checked("# nothing\n").expect_err("nothing")[0].line, 1);
    }
}
