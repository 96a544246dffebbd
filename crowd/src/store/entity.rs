//! The tables; `migration` creates them.

/// Declares a module for each table, with the parts that `SeaORM` wants of an entity. Relations are not declared:
/// queries name their joins.
macro_rules! tables {
    ($($(#[$doc:meta])* $module:ident = $table:tt { $($columns:tt)* })+) => {$(
        pub mod $module {
            #[allow(unused_imports, reason = "not every table has a column of these types")]
            use crate::model::{
                Act, AwardKind, CampaignKind, FlagKind, MoveClass, Op, PositionState, Progress, Purpose, QueueState, Resolution,
                Reveal, Timestamp,
            };
            use sea_orm::entity::prelude::*;

            $(#[$doc])*
            #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
            #[sea_orm(table_name = $table)]
            pub struct Model {
                $($columns)*
            }

            #[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
            pub enum Relation {}

            impl ActiveModelBehavior for ActiveModel {}
        }
    )+};
}

tables! {
    /// Lists of moves: who lists which position, for what.
    list = "list" {
        #[sea_orm(primary_key)]
        pub id: i64,
        pub token: String,
        pub contributor_id: i64,
        pub position_id: i64,
        pub purpose: Purpose,
        /// The time limit in milliseconds, by the contributor's own clock.
        pub limit_ms: Option<i64>,
        pub reveal: Reveal,
        pub state: Progress,
        pub issued_at: i64,
        pub expires_at: i64,
        pub finished_at: Option<i64>,
        pub event_count: i32,
        /// The moves of a second look, separated by blanks.
        pub asked: Option<String>,
        /// When finished: the moves on the list or answered yes, separated by blanks.
        pub moves: Option<String>,
        /// When finished: the moves answered no, separated by blanks.
        pub refused: Option<String>,
        pub complete: bool,
        pub checked: bool,
        /// Whether it was scored against a known answer.
        pub scored: bool,
        /// Whether its owner has seen the result that there was when it was finished.
        pub seen: bool,
        /// The campaign that was asked for; empty if any.
        pub wanted: String,
        /// Whether it looks like a program's, so that it does not count until a moderator allows it.
        pub held: bool,
        /// A keyed hash of the network it was asked for from, until the position is closed.
        pub network: Option<i64>,
    }

    award = "award" {
        #[sea_orm(primary_key, auto_increment = false)]
        pub list_id: i64,
        #[sea_orm(primary_key, auto_increment = false)]
        pub kind: AwardKind,
        pub contributor_id: i64,
        pub purpose: Purpose,
        pub points: i64,
        pub correct: i64,
        pub total: i64,
        pub given_at: i64,
    }

    campaign = "campaign" {
        #[sea_orm(primary_key)]
        pub id: i64,
        pub name: String,
        pub title: Option<String>,
        pub created_at: i64,
        pub kind: CampaignKind,
    }

    contributor = "contributor" {
        #[sea_orm(primary_key)]
        pub id: i64,
        pub name: Option<String>,
        pub created_at: i64,
        #[sea_orm(column_name = "set_aside")]
        pub quarantined: bool,
        /// What makes the name unique ([`crate::model::PlayerName::key`]); none for a name that someone had first.
        pub name_key: Option<String>,
        /// The hash of the recovery phrase, if there is one.
        pub phrase_hash: Option<String>,
        /// When they last looked at the results of their lists.
        pub results_seen_at: i64,
    }

    /// Sets of positions for classes: campaigns with students.
    class = "class" {
        /// That of the campaign, whose title is the class's.
        #[sea_orm(primary_key, auto_increment = false)]
        pub campaign_id: i64,
        pub code: String,
        pub teacher_hash: String,
        pub time_limit_s: Option<i32>,
        pub reveal: Reveal,
        pub created_at: i64,
        pub students: i32,
    }

    student = "student" {
        #[sea_orm(primary_key, auto_increment = false)]
        pub class_id: i64,
        #[sea_orm(primary_key, auto_increment = false)]
        pub contributor_id: i64,
        pub name: String,
        /// What no other student of the class may have: the name in small letters.
        pub same_as: String,
        pub joined_at: i64,
    }

    /// How probable each move is by the crowd's labels.
    estimate = "estimate" {
        #[sea_orm(primary_key, auto_increment = false)]
        pub position_id: i64,
        #[sea_orm(primary_key, auto_increment = false)]
        pub mv: String,
        pub class: MoveClass,
        pub yes: i32,
        pub no: i32,
        pub dawid_skene: f64,
    }

    event = "event" {
        #[sea_orm(primary_key, auto_increment = false)]
        pub list_id: i64,
        #[sea_orm(primary_key, auto_increment = false)]
        pub seq: i32,
        pub op: Op,
        pub mv: String,
        pub at_ms: i64,
        pub received_at: i64,
    }

    /// Indications that a list is not a person's own work.
    flag = "flag" {
        #[sea_orm(primary_key)]
        pub id: i64,
        pub list_id: i64,
        pub contributor_id: i64,
        pub position_id: i64,
        pub kind: FlagKind,
        /// The contributor whose list it resembles; 0 if none.
        pub other: i64,
        pub detail: String,
        /// From 0 to 1.
        pub score: f64,
        pub created_at: Timestamp,
    }

    deed = "deed" {
        #[sea_orm(primary_key)]
        pub id: i64,
        pub at: Timestamp,
        pub moderator: String,
        pub act: Act,
        /// The number of the item, position or contributor.
        pub subject: Option<i64>,
        pub detail: String,
    }

    gold_answer = "gold_answer" {
        #[sea_orm(primary_key, auto_increment = false)]
        pub position_id: i64,
        #[sea_orm(primary_key, auto_increment = false)]
        pub mv: String,
    }

    /// The moderators' queue, open and resolved items.
    moderation = "moderation" {
        #[sea_orm(primary_key)]
        pub id: i64,
        pub position_id: i64,
        pub moves: String,
        pub state: QueueState,
        pub resolution: Option<Resolution>,
        pub note: Option<String>,
        pub created_at: i64,
        pub resolved_at: Option<i64>,
        pub decided_by: Option<String>,
        /// If reversed: when the answer that was shown until then had become public.
        pub shown_at: Option<i64>,
        pub reversed_at: Option<i64>,
        pub reversed_by: Option<String>,
    }

    moderator_session = "moderator_session" {
        #[sea_orm(primary_key, auto_increment = false)]
        pub token_hash: String,
        pub moderator: String,
        /// Changes when the moderator's token does, which ends the session.
        pub key: String,
        pub created_at: i64,
        pub expires_at: i64,
    }

    pair = "pair" {
        #[sea_orm(primary_key)]
        pub id: i64,
        pub position_id: i64,
        pub first_list: i64,
        pub second_list: Option<i64>,
        pub created_at: i64,
    }

    position = "position" {
        #[sea_orm(primary_key)]
        pub id: i64,
        pub campaign_id: i64,
        pub name: String,
        pub fen: String,
        pub chess960: bool,
        /// The first four fields of its EPD and the castling mode: equal for equal positions.
        pub same_as: String,
        pub state: PositionState,
        pub created_at: i64,
        /// Whether it measures people while it is open, without their knowledge; none until it is drawn.
        pub hidden: Option<bool>,
    }

    /// The reliability of each contributor in each class of moves.
    reliability = "reliability" {
        #[sea_orm(primary_key, auto_increment = false)]
        pub contributor_id: i64,
        #[sea_orm(primary_key, auto_increment = false)]
        pub class: MoveClass,
        pub reliability: f64,
        pub labels: i32,
    }

    session = "session" {
        #[sea_orm(primary_key, auto_increment = false)]
        pub token_hash: String,
        pub contributor_id: i64,
        pub created_at: i64,
    }

    /// Positions on whose legal moves the crowd and the generators agree.
    test_case = "test_case" {
        #[sea_orm(primary_key, auto_increment = false)]
        pub position_id: i64,
        /// JSON: a list of moves with their votes.
        pub moves: String,
        pub lists: i64,
        pub first_list_at: i64,
        pub last_list_at: i64,
        pub certified_at: i64,
        pub method: String,
        pub version: String,
    }
}
