//! Positions that are no evidence: the boards of the day, and the sets of classes with their students.

use std::collections::HashSet;

use sea_orm::sea_query::{Expr, ExprTrait as _, SelectStatement};
use sea_orm::{
    ColumnTrait as _, ConnectionTrait, DatabaseTransaction, EntityTrait as _, PaginatorTrait as _,
    QueryFilter as _, QueryOrder as _, QuerySelect as _, Set,
};

use super::entity::{award, campaign, class, event, flag, list, position, student};
use super::migration::{key_in_class, key_of_day, name_of_class};
use super::positions::{campaign_id, do_nothing};
use super::{Result, Store, delete, select};
use crate::class::MOST_STUDENTS;
use crate::model::{AwardKind, CampaignKind, PositionState, Timestamp};

/// Maximum number of values per query; both databases limit them.
const AT_ONCE: usize = 1_000;

/// The campaign of the boards of the day.
const DAYS: &str = "Days";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Joined {
    Yes,
    NameTaken,
    Full,
}

#[derive(Clone, Debug)]
pub(crate) struct NewClass {
    /// Its campaign's number is ignored.
    pub(crate) class: class::Model,
    pub(crate) title: String,
    /// In the order of their numbers.
    pub(crate) fens: Vec<String>,
}

fn lesson(campaign: i64, name: String, fen: &str, key: String, now: i64) -> position::ActiveModel {
    position::ActiveModel {
        campaign_id: Set(campaign),
        name: Set(name),
        fen: Set(fen.to_owned()),
        chess960: Set(false),
        same_as: Set(key),
        state: Set(PositionState::Lesson),
        created_at: Set(now),
        hidden: Set(Some(false)),
        ..Default::default()
    }
}

impl Store {
    /// The boards of these days, both included, with their days.
    pub(crate) async fn daily_boards(
        &self,
        from: i64,
        to: i64,
    ) -> Result<Vec<(i64, position::Model)>> {
        let days: Vec<i64> = (from..=to).collect();
        let mut boards = Vec::new();
        for few in days.chunks(AT_ONCE) {
            let keys = few.iter().map(|&day| key_of_day(day));
            let found = position::Entity::find().filter(position::Column::SameAs.is_in(keys));
            boards.extend(found.all(self.readers()).await?);
        }
        let with_days = boards.into_iter().filter_map(|board| {
            let day = board.same_as.strip_prefix("day ")?.parse().ok()?;
            Some((day, board))
        });
        Ok(with_days.collect())
    }

    /// Which of these keys of equal positions the campaigns' positions have.
    pub(crate) async fn keys_of_positions(&self, keys: &[String]) -> Result<HashSet<String>> {
        let mut taken = HashSet::new();
        for few in keys.chunks(AT_ONCE) {
            let found = position::Entity::find()
                .select_only()
                .column(position::Column::SameAs)
                .filter(position::Column::SameAs.is_in(few.iter().map(String::as_str)))
                .into_tuple::<String>();
            taken.extend(found.all(self.readers()).await?);
        }
        Ok(taken)
    }

    /// Keeps the board of a day, unless it has one.
    pub(crate) async fn add_daily_board(&self, day: i64, name: &str, fen: &str) -> Result<()> {
        let transaction = self.begin().await?;
        let campaign = campaign_id(&transaction, (DAYS, CampaignKind::Daily), None, 0).await?;
        let at = Timestamp::DAY_MS.saturating_mul(day);
        let board = lesson(campaign, name.to_owned(), fen, key_of_day(day), at);
        let added = position::Entity::insert(board).on_conflict(do_nothing());
        added.try_insert().exec(&transaction).await?;
        Ok(transaction.commit().await?)
    }

    /// The number of lists of a board of the day that were finished in time.
    pub(crate) async fn count_daily_lists(&self, position: i64) -> Result<u64> {
        let found = award::Entity::find()
            .filter(award::Column::Kind.eq(AwardKind::Daily))
            .filter(award::Column::ListId.in_subquery(lists_at(&[position])));
        self.count(found).await
    }

    /// How a finished list compares with those of the other people of its day: how many these are, how many have fewer
    /// points, or as many in more time, and the upper median of the numbers of moves that they found.
    pub(crate) async fn daily_ranking(
        &self,
        list: &list::Model,
        points: i64,
    ) -> Result<(u64, u64, Option<i64>)> {
        let took = list.took_ms();
        let db = self.readers();
        let others = award::Entity::find()
            .filter(award::Column::Kind.eq(AwardKind::Daily))
            .filter(award::Column::ListId.in_subquery(lists_at(&[list.position_id])))
            .filter(award::Column::ListId.ne(list.id));
        let count = others.clone().count(db).await?;
        let is_slower = Expr::col(list::Column::FinishedAt)
            .sub(Expr::col(list::Column::IssuedAt))
            .gt(took);
        let is_there = list::Column::PositionId.eq(list.position_id);
        let slower = select(list::Column::Id, is_there.and(is_slower));
        let worse = award::Column::Points.lt(points).or(award::Column::Points
            .eq(points)
            .and(award::Column::ListId.in_subquery(slower)));
        let middle = others
            .clone()
            .select_only()
            .column(award::Column::Correct)
            .order_by_asc(award::Column::Correct)
            .offset(count / 2)
            .limit(1)
            .into_tuple::<i64>();
        let beaten = others.filter(worse).count(db).await?;
        Ok((count, beaten, middle.one(db).await?))
    }
}

/// The numbers of the lists of these positions.
fn lists_at(positions: &[i64]) -> SelectStatement {
    let is_there = list::Column::PositionId.is_in(positions.iter().copied());
    select(list::Column::Id, is_there)
}

impl Store {
    /// Makes a class; returns false if another has its code.
    pub(crate) async fn add_class(&self, new: &NewClass) -> Result<bool> {
        let class = &new.class;
        let transaction = self.begin().await?;
        let name = name_of_class(&class.code);
        let taken = campaign::Entity::find().filter(campaign::Column::Name.eq(name.as_str()));
        if taken.count(&transaction).await? > 0 {
            return Ok(false);
        }
        let named = (name.as_str(), CampaignKind::Class);
        let title = Some(new.title.as_str());
        let campaign = campaign_id(&transaction, named, title, class.created_at).await?;
        let row = class::ActiveModel::from(class::Model {
            campaign_id: campaign,
            ..class.clone()
        });
        let added = class::Entity::insert(row);
        added.exec_without_returning(&transaction).await?;
        let positions = (1..).zip(&new.fens).map(|(number, fen)| {
            let key = key_in_class(&class.code, number);
            lesson(campaign, number.to_string(), fen, key, class.created_at)
        });
        let added = position::Entity::insert_many(positions);
        added.exec_without_returning(&transaction).await?;
        transaction.commit().await?;
        Ok(true)
    }

    pub(crate) async fn class_by_code(&self, code: &str) -> Result<Option<class::Model>> {
        self.one(class::Entity::find().filter(class::Column::Code.eq(code)))
            .await
    }

    pub(crate) async fn class_by_teacher(&self, hash: &str) -> Result<Option<class::Model>> {
        self.one(class::Entity::find().filter(class::Column::TeacherHash.eq(hash)))
            .await
    }

    /// The positions of a campaign, in the order in which they were added.
    pub(crate) async fn positions_of(&self, campaign: i64) -> Result<Vec<position::Model>> {
        let found = position::Entity::find()
            .filter(position::Column::CampaignId.eq(campaign))
            .order_by_asc(position::Column::Id);
        self.all(found).await
    }

    pub(crate) async fn join_class(&self, student: student::Model) -> Result<Joined> {
        let transaction = self.begin().await?;
        // Counting and its limit are one statement, so students who come at once cannot exceed it.
        let counted = change_students(&transaction, student.class_id, 1).await?;
        if counted == 0 {
            return Ok(Joined::Full);
        }
        let row = student::ActiveModel::from(student);
        let added = student::Entity::insert(row).on_conflict(do_nothing());
        let added = added.exec_without_returning(&transaction).await?;
        if added == 0 {
            // Dropping the transaction takes the count back.
            return Ok(Joined::NameTaken);
        }
        transaction.commit().await?;
        Ok(Joined::Yes)
    }

    /// The students of a class, in the order in which they came.
    pub(crate) async fn students(&self, class: i64) -> Result<Vec<student::Model>> {
        let found = student::Entity::find()
            .filter(student::Column::ClassId.eq(class))
            .order_by_asc(student::Column::JoinedAt)
            .order_by_asc(student::Column::ContributorId);
        self.all(found).await
    }

    /// The lists of these positions, those of one contributor if given, by position.
    pub(crate) async fn lists_on(
        &self,
        positions: &[i64],
        contributor: Option<i64>,
    ) -> Result<Vec<list::Model>> {
        use list::Column;
        let mut found = list::Entity::find()
            .filter(Column::PositionId.is_in(positions.iter().copied()))
            .order_by_asc(Column::PositionId);
        if let Some(contributor) = contributor {
            found = found.filter(Column::ContributorId.eq(contributor));
        }
        self.all(found).await
    }

    /// The classes made before then, a few at a time.
    pub(crate) async fn classes_before(&self, then: i64) -> Result<Vec<i64>> {
        let found = class::Entity::find()
            .select_only()
            .column(class::Column::CampaignId)
            .filter(class::Column::CreatedAt.lt(then))
            // Deleting the lists of 500 students blocks other writers, so a round deletes few
            // classes.
            .limit(10)
            .into_tuple::<i64>();
        Ok(found.all(self.readers()).await?)
    }

    /// Deletes a student with their lists; returns false if the class has none of that name, in small letters.
    pub(crate) async fn remove_student(&self, class: i64, same_as: &str) -> Result<bool> {
        let transaction = self.begin().await?;
        let student = student::Entity::find()
            .filter(student::Column::ClassId.eq(class))
            .filter(student::Column::SameAs.eq(same_as));
        let Some(student) = student.one(&transaction).await? else {
            return Ok(false);
        };
        delete_lists(&transaction, class, Some(student.contributor_id)).await?;
        let deleted = student::Entity::delete_by_id((class, student.contributor_id));
        if deleted.exec(&transaction).await?.rows_affected == 0 {
            return Ok(false);
        }
        change_students(&transaction, class, -1).await?;
        transaction.commit().await?;
        Ok(true)
    }

    pub(crate) async fn delete_class(&self, class: i64) -> Result<()> {
        let transaction = self.begin().await?;
        delete_lists(&transaction, class, None).await?;
        let db = &transaction;
        delete::<student::Entity>(db, student::Column::ClassId.eq(class)).await?;
        delete::<position::Entity>(db, position::Column::CampaignId.eq(class)).await?;
        class::Entity::delete_by_id(class).exec(db).await?;
        campaign::Entity::delete_by_id(class).exec(db).await?;
        Ok(transaction.commit().await?)
    }
}

/// Adds to the number of students of a class, as far as it is not full; returns the number of rows changed.
pub(super) async fn change_students(db: &DatabaseTransaction, class: i64, by: i32) -> Result<u64> {
    let students = || Expr::col(class::Column::Students);
    let changed = class::Entity::update_many()
        .col_expr(class::Column::Students, students().add(by))
        .filter(class::Column::CampaignId.eq(class))
        .filter(students().lt(MOST_STUDENTS).or(Expr::value(by < 0)))
        .exec(db)
        .await?;
    Ok(changed.rows_affected)
}

/// Deletes the lists of a class, or those of one student, with all that refers to them.
async fn delete_lists(
    db: &impl ConnectionTrait,
    class: i64,
    contributor: Option<i64>,
) -> Result<()> {
    let positions = select(position::Column::Id, position::Column::CampaignId.eq(class));
    let is_of_class = list::Column::PositionId.in_subquery(positions);
    let is_of_class = match contributor {
        Some(contributor) => is_of_class.and(list::Column::ContributorId.eq(contributor)),
        None => is_of_class,
    };
    let lists = select(list::Column::Id, is_of_class.clone());
    let events = event::Column::ListId.in_subquery(lists.clone());
    delete::<event::Entity>(db, events).await?;
    let flags = flag::Column::ListId.in_subquery(lists);
    delete::<flag::Entity>(db, flags).await?;
    delete::<list::Entity>(db, is_of_class).await?;
    Ok(())
}
