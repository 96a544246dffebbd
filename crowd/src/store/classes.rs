//! Sets of positions for classes, their students, and the students' lists.

use sea_orm::sea_query::{Expr, ExprTrait as _};
use sea_orm::{
    ActiveValue::NotSet, ColumnTrait as _, EntityTrait as _, QueryFilter as _, QueryOrder as _,
    QuerySelect as _,
};

use super::entity::{class_answer, class_set, class_student};
use super::positions::do_nothing;
use super::{Result, Store};
use crate::class::MOST_STUDENTS;

/// Maximum number of values per query; both databases limit them.
const AT_ONCE: usize = 1_000;

/// What became of a student who wants to join.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Joined {
    Yes,
    /// Another student of the class has the name.
    NameTaken,
    /// The class has as many students as it may.
    Full,
}

impl Store {
    /// Inserts a set, whose `id` is ignored; returns false if another has its code.
    pub(crate) async fn add_class(&self, set: class_set::Model) -> Result<bool> {
        let row = class_set::ActiveModel {
            id: NotSet,
            ..class_set::ActiveModel::from(set)
        };
        let added = class_set::Entity::insert(row).on_conflict(do_nothing());
        let added = added.exec_without_returning(self.writer()).await?;
        Ok(added == 1)
    }

    pub(crate) async fn class_by_code(&self, code: &str) -> Result<Option<class_set::Model>> {
        let found = class_set::Entity::find().filter(class_set::Column::Code.eq(code));
        Ok(found.one(self.readers()).await?)
    }

    pub(crate) async fn class_by_teacher(&self, hash: &str) -> Result<Option<class_set::Model>> {
        let found = class_set::Entity::find().filter(class_set::Column::TeacherHash.eq(hash));
        Ok(found.one(self.readers()).await?)
    }

    /// Inserts a student, whose `id` is ignored.
    pub(crate) async fn join_class(&self, student: class_student::Model) -> Result<Joined> {
        let transaction = self.begin().await?;
        // Counting and its limit are one statement, so students who come at once cannot exceed it.
        let counted = class_set::Entity::update_many()
            .col_expr(
                class_set::Column::Students,
                Expr::col(class_set::Column::Students).add(1),
            )
            .filter(class_set::Column::Id.eq(student.class_id))
            .filter(class_set::Column::Students.lt(MOST_STUDENTS))
            .exec(&transaction)
            .await?;
        if counted.rows_affected == 0 {
            return Ok(Joined::Full);
        }
        let row = class_student::ActiveModel {
            id: NotSet,
            ..class_student::ActiveModel::from(student)
        };
        let added = class_student::Entity::insert(row).on_conflict(do_nothing());
        let added = added.exec_without_returning(&transaction).await?;
        if added == 0 {
            // Dropping the transaction takes the count back.
            return Ok(Joined::NameTaken);
        }
        transaction.commit().await?;
        Ok(Joined::Yes)
    }

    pub(crate) async fn class_student(
        &self,
        class: i64,
        hash: &str,
    ) -> Result<Option<class_student::Model>> {
        let found = class_student::Entity::find()
            .filter(class_student::Column::TokenHash.eq(hash))
            .filter(class_student::Column::ClassId.eq(class));
        Ok(found.one(self.readers()).await?)
    }

    /// The students of a class, in the order in which they came.
    pub(crate) async fn class_students(&self, class: i64) -> Result<Vec<class_student::Model>> {
        let found = class_student::Entity::find()
            .filter(class_student::Column::ClassId.eq(class))
            .order_by_asc(class_student::Column::Id);
        Ok(found.all(self.readers()).await?)
    }

    /// The lists of students, begun and finished, by student and position.
    pub(crate) async fn class_answers(&self, students: &[i64]) -> Result<Vec<class_answer::Model>> {
        let mut answers = Vec::new();
        for few in students.chunks(AT_ONCE) {
            let found = class_answer::Entity::find()
                .filter(class_answer::Column::StudentId.is_in(few.iter().copied()))
                .order_by_asc(class_answer::Column::StudentId)
                .order_by_asc(class_answer::Column::Number);
            answers.extend(found.all(self.readers()).await?);
        }
        Ok(answers)
    }

    /// Begins a student's list, unless it is begun; returns it as it is then.
    pub(crate) async fn begin_class_answer(
        &self,
        student: i64,
        number: i32,
        now: i64,
    ) -> Result<Option<class_answer::Model>> {
        let new = class_answer::Model {
            student_id: student,
            number,
            started_at: now,
            finished_at: None,
            moves: None,
        };
        let added = class_answer::Entity::insert(class_answer::ActiveModel::from(new));
        let added = added.on_conflict_do_nothing();
        added.exec_without_returning(self.writer()).await?;
        // The writer's connection is asked: it sees what it has just written.
        let found = class_answer::Entity::find_by_id((student, number));
        Ok(found.one(self.writer()).await?)
    }

    /// Finishes a student's list; returns false if none is open.
    pub(crate) async fn finish_class_answer(
        &self,
        student: i64,
        number: i32,
        moves: String,
        now: i64,
    ) -> Result<bool> {
        use class_answer::Column;
        let finished = class_answer::Entity::update_many()
            .col_expr(Column::FinishedAt, Expr::value(Some(now)))
            .col_expr(Column::Moves, Expr::value(Some(moves)))
            .filter(Column::StudentId.eq(student))
            .filter(Column::Number.eq(number))
            // Only the first of two requests to finish finds the list open.
            .filter(Column::FinishedAt.is_null())
            .exec(self.writer())
            .await?;
        Ok(finished.rows_affected == 1)
    }

    /// The sets made before then, a few at a time.
    pub(crate) async fn classes_before(&self, then: i64) -> Result<Vec<i64>> {
        let found = class_set::Entity::find()
            .select_only()
            .column(class_set::Column::Id)
            .filter(class_set::Column::CreatedAt.lt(then))
            // Deleting the lists of 500 students blocks other writers, so a round deletes few
            // classes.
            .limit(10)
            .into_tuple::<i64>();
        Ok(found.all(self.readers()).await?)
    }

    /// Deletes a student with their lists; returns false if the class has none of that name, in small letters.
    pub(crate) async fn remove_class_student(&self, class: i64, same_as: &str) -> Result<bool> {
        let transaction = self.begin().await?;
        let student = class_student::Entity::find()
            .filter(class_student::Column::ClassId.eq(class))
            .filter(class_student::Column::SameAs.eq(same_as));
        let Some(student) = student.one(&transaction).await? else {
            return Ok(false);
        };
        class_answer::Entity::delete_many()
            .filter(class_answer::Column::StudentId.eq(student.id))
            .exec(&transaction)
            .await?;
        let deleted = class_student::Entity::delete_by_id(student.id);
        if deleted.exec(&transaction).await?.rows_affected == 0 {
            return Ok(false);
        }
        class_set::Entity::update_many()
            .col_expr(
                class_set::Column::Students,
                Expr::col(class_set::Column::Students).sub(1),
            )
            .filter(class_set::Column::Id.eq(class))
            .exec(&transaction)
            .await?;
        transaction.commit().await?;
        Ok(true)
    }

    /// Deletes a set with its students and their lists.
    pub(crate) async fn delete_class(&self, class: i64) -> Result<()> {
        let transaction = self.begin().await?;
        let students = class_student::Entity::find()
            .select_only()
            .column(class_student::Column::Id)
            .filter(class_student::Column::ClassId.eq(class));
        let students = students.into_tuple::<i64>().all(&transaction).await?;
        for few in students.chunks(AT_ONCE) {
            class_answer::Entity::delete_many()
                .filter(class_answer::Column::StudentId.is_in(few.iter().copied()))
                .exec(&transaction)
                .await?;
        }
        class_student::Entity::delete_many()
            .filter(class_student::Column::ClassId.eq(class))
            .exec(&transaction)
            .await?;
        class_set::Entity::delete_by_id(class)
            .exec(&transaction)
            .await?;
        Ok(transaction.commit().await?)
    }
}
