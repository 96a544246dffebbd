//! Classes: making a set, joining it, the teacher's table, and deletion. Its lists are as all others, of positions that
//! are no evidence.

use std::collections::HashMap;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use chess::notation::fen;
use chess::rules::{CastlingMode, Position};
use serde::Serialize;
use utoipa::ToSchema;
use web::secret;

use super::core::on_a_thread;
use super::error::from_store;
use super::import::positions_of;
use super::positions::KnownPosition;
use super::results::{ListOutcome, is_late, listed};
use super::rows::read;
use super::{ClassToken, ContributorId, ImportProblem, ListToken, Service, ServiceError};
use crate::class::{
    ClassAnswer, ClassCode, ClassStudent, ClassTable, KEPT_DAYS, MOST_POSITIONS, Theme, draw, table,
};
use crate::model::{PlayerName, Progress, Reveal, Timestamp};
use crate::score::{Answer, count};
use crate::store::entity::{campaign, class, student};
use crate::store::{Joined, StoreError};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassTitle(String);

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

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClassSource {
    /// FENs or EPD records, one a line.
    Lines(String),
    /// A number of built-in positions on a theme.
    Theme(Theme, usize),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewClass {
    pub title: ClassTitle,
    pub source: ClassSource,
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
    pub fn deleted_at(&self) -> Timestamp {
        self.created_at.after(KEPT)
    }
}

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
    /// The identifier of the list.
    #[schema(value_type = String)]
    pub list: ListToken,
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
    pub limit_ms: Option<i64>,
    /// When answers are shown.
    pub reveal: Reveal,
    /// The lists that were begun, by position.
    pub answers: Vec<StudentAnswer>,
}

#[derive(Debug, thiserror::Error)]
pub enum ClassError {
    #[error("{} of the lines cannot be used", .0.len())]
    BadLines(Vec<ImportProblem>),
    #[error("there is no such class: the code may be misspelt, or the class was deleted")]
    NoClass,
    #[error("you are not in this class: join it first")]
    NotJoined,
    #[error("you have finished every position of the class")]
    AllFinished,
    #[error("another student of this class has that name")]
    NameTaken,
    #[error("the class is full")]
    Full,
    #[error("the class has {count} positions, and none has the number {number}")]
    NoPosition { number: usize, count: usize },
    #[error(transparent)]
    Service(#[from] ServiceError),
}

from_store!(ClassError);

fn reveal(at_end: bool) -> Reveal {
    if at_end {
        Reveal::AtEnd
    } else {
        Reveal::AtOnce
    }
}

const KEPT: Duration = Duration::from_hours(24 * KEPT_DAYS as u64);

struct Class {
    id: i64,
    info: ClassInfo,
    /// In the order of their numbers.
    positions: Vec<Arc<KnownPosition>>,
}

impl Class {
    /// The position with this number, from 1.
    fn position(&self, number: usize) -> Result<&Arc<KnownPosition>, ClassError> {
        let position = number.checked_sub(1).and_then(|at| self.positions.get(at));
        position.ok_or(ClassError::NoPosition {
            number,
            count: self.positions.len(),
        })
    }

    fn ids(&self) -> Vec<i64> {
        self.positions.iter().map(|known| known.id).collect()
    }

    /// The number of a position, from 1.
    fn number_of(&self, position: i64) -> usize {
        let at = self.positions.iter().position(|known| known.id == position);
        at.map_or(0, |at| at + 1)
    }

    fn limit_ms(&self) -> Option<i64> {
        let limit = self.info.time_limit?;
        Some(i64::try_from(limit.as_millis()).unwrap_or(i64::MAX))
    }
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
            let made = crate::store::NewClass {
                class: class::Model {
                    campaign_id: 0, // The database gives it one.
                    code: code.as_str().to_owned(),
                    teacher_hash: teacher.hash(),
                    time_limit_s: limit.and_then(|s| i32::try_from(s).ok()),
                    reveal: reveal(new.at_end),
                    created_at: now.0,
                    students: 0,
                },
                title: new.title.0.clone(),
                fens: fens.clone(),
            };
            if self.store().add_class(&made).await? {
                return Ok((code, teacher));
            }
        }
    }

    async fn class(&self, code: &ClassCode) -> Result<Class, ClassError> {
        let row = self.store().class_by_code(code.as_str()).await?;
        self.read_class(row).await
    }

    async fn read_class(&self, row: Option<class::Model>) -> Result<Class, ClassError> {
        let row = row.ok_or(ClassError::NoClass)?;
        let campaign = self
            .store()
            .find::<campaign::Entity>(row.campaign_id)
            .await?;
        let positions = self.store().positions_of(row.campaign_id).await?;
        let positions = positions.into_iter().map(|row| self.lesson(row));
        let positions = positions.collect::<Result<Vec<_>, StoreError>>()?;
        let limit = row.time_limit_s.and_then(|s| u64::try_from(s).ok());
        Ok(Class {
            id: row.campaign_id,
            info: ClassInfo {
                code: read("the code of a class", &row.code)?,
                title: campaign.and_then(|one| one.title).unwrap_or_default(),
                positions: positions.len(),
                time_limit: limit.map(Duration::from_secs),
                at_end: row.reveal == Reveal::AtEnd,
                students: row.students,
                created_at: Timestamp(row.created_at),
            },
            positions,
        })
    }

    pub async fn class_info(&self, code: &ClassCode) -> Result<ClassInfo, ClassError> {
        Ok(self.class(code).await?.info)
    }

    /// Joins a class under a name that nobody there has; somebody who has joined keeps their name.
    pub async fn join_class(
        &self,
        id: ContributorId,
        code: &ClassCode,
        name: &PlayerName,
        now: Timestamp,
    ) -> Result<(), ClassError> {
        let class = self.class(code).await?;
        if self
            .store()
            .find::<student::Entity>((class.id, id.0))
            .await?
            .is_some()
        {
            return Ok(());
        }
        let student = student::Model {
            class_id: class.id,
            contributor_id: id.0,
            name: name.as_str().to_owned(),
            // Names that differ in capitals alone would be mistaken for each other.
            same_as: name.as_str().to_lowercase(),
            joined_at: now.0,
        };
        match self.store().join_class(student).await? {
            Joined::Yes => Ok(()),
            Joined::NameTaken => Err(ClassError::NameTaken),
            Joined::Full => Err(ClassError::Full),
        }
    }

    async fn student(
        &self,
        code: &ClassCode,
        id: ContributorId,
    ) -> Result<(Class, student::Model), ClassError> {
        let class = self.class(code).await?;
        let student = self
            .store()
            .find::<student::Entity>((class.id, id.0))
            .await?;
        Ok((class, student.ok_or(ClassError::NotJoined)?))
    }

    /// A student's progress.
    pub async fn student_state(
        &self,
        id: ContributorId,
        code: &ClassCode,
    ) -> Result<StudentState, ClassError> {
        let (class, student) = self.student(code, id).await?;
        let rows = self.store().lists_on(&class.ids(), Some(id.0)).await?;
        let mut answers = Vec::with_capacity(rows.len());
        for row in rows {
            let number = class.number_of(row.position_id);
            let known = class.position(number)?;
            let mut one = StudentAnswer {
                number,
                list: read("a token", &row.token)?,
                finished: row.state == Progress::Finished,
                late: row.state == Progress::Finished && is_late(&row, known),
                found: None,
                wrong: None,
                legal: None,
            };
            if self.outcome(&row, known).await? == ListOutcome::Known {
                let answer = Answer::by_rules(known.position);
                let compared = answer.compare(&listed(&row)?.0);
                one.found = Some(compared.found.len());
                one.wrong = Some(compared.wrong.len());
                one.legal = Some(count(answer.legal.len()));
            }
            answers.push(one);
        }
        Ok(StudentState {
            limit_ms: class.limit_ms(),
            reveal: reveal(class.info.at_end),
            positions: class.positions.len(),
            title: class.info.title,
            name: student.name,
            answers,
        })
    }

    /// What a list of a position of a class needs: its number, or that of the first one that is not finished; its time
    /// limit; when its result is shown.
    pub(super) async fn class_position(
        &self,
        id: ContributorId,
        code: &ClassCode,
        number: Option<usize>,
    ) -> Result<(i64, Option<i64>, Reveal), ClassError> {
        let (class, _) = self.student(code, id).await?;
        let known = if let Some(number) = number {
            class.position(number)?
        } else {
            let rows = self.store().lists_on(&class.ids(), Some(id.0)).await?;
            let is_finished = |known: &KnownPosition| {
                let mut of_it = rows.iter().filter(|row| row.position_id == known.id);
                of_it.any(|row| row.state == Progress::Finished)
            };
            let open = class.positions.iter().find(|known| !is_finished(known));
            open.ok_or(ClassError::AllFinished)?
        };
        Ok((known.id, class.limit_ms(), reveal(class.info.at_end)))
    }

    /// Whether a student has finished all lists of a class, by the number of its campaign.
    pub(super) async fn is_class_finished(
        &self,
        campaign: i64,
        contributor: i64,
    ) -> Result<bool, ServiceError> {
        let positions = self.store().positions_of(campaign).await?;
        let ids: Vec<i64> = positions.iter().map(|row| row.id).collect();
        let rows = self.store().lists_on(&ids, Some(contributor)).await?;
        let finished = rows.iter().filter(|row| row.state == Progress::Finished);
        Ok(finished.count() >= ids.len())
    }

    pub async fn class_overview(&self, teacher: &ClassToken) -> Result<ClassOverview, ClassError> {
        let class = self.taught(teacher).await?;
        let mut answers: HashMap<i64, Vec<ClassAnswer>> = HashMap::new();
        for row in self.store().lists_on(&class.ids(), None).await? {
            let number = class.number_of(row.position_id);
            if row.state != Progress::Finished || number == 0 {
                continue;
            }
            answers
                .entry(row.contributor_id)
                .or_default()
                .push(ClassAnswer {
                    position: number - 1,
                    moves: listed(&row)?.0,
                    took_ms: row.took_ms(),
                    late: is_late(&row, class.position(number)?),
                });
        }
        let students = self.store().students(class.id).await?.into_iter();
        let students: Vec<ClassStudent> = students
            .map(|row| ClassStudent {
                answers: answers.remove(&row.contributor_id).unwrap_or_default(),
                name: row.name,
            })
            .collect();
        let Class {
            info, positions, ..
        } = class;
        let work = move || {
            let positions = positions.iter().map(|known| known.position);
            let positions: Vec<Answer> = positions.map(Answer::by_rules).collect();
            table(&positions, &students)
        };
        Ok(ClassOverview {
            table: on_a_thread(work).await?,
            info,
        })
    }

    async fn taught(&self, teacher: &ClassToken) -> Result<Class, ClassError> {
        let row = self.store().class_by_teacher(&teacher.hash()).await?;
        self.read_class(row).await
    }

    /// Removes a student with all their lists; the name is free again. Returns false if there is none of that name.
    pub async fn remove_student(
        &self,
        teacher: &ClassToken,
        name: &str,
    ) -> Result<bool, ClassError> {
        let class = self.taught(teacher).await?;
        let same_as = name.to_lowercase();
        let removed = self.store().remove_student(class.id, &same_as);
        Ok(removed.await?)
    }

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
