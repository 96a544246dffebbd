//! What people do with tests: submit, approve, reject, stop, resume, submit again.

use std::collections::BTreeSet;

use selfplay::lab::spec::{EngineSpec, SpecFault, TestKind, TestSpec};
use selfplay::lab::summary::TestSummary;
use serde::Serialize;
use serde_json::{Map, Value};
use sqlx::types::Json;
use sqlx::{PgConnection, PgExecutor};

use super::blocking::blocking;
use super::error::ConductError;
use super::{repositories, searches, training};
use crate::model::{Account, AccountId, JobNumber, JobStage};
use crate::people::{Right, audit};
use crate::store::Database;

type Result<T> = std::result::Result<T, ConductError>;

/// Number of unfinished tests of an author.
const MOST_OF_AN_AUTHOR: i64 = 100;
/// A count of more leaf nodes than this waits for approval: some minutes on one core.
const LARGE_COUNT: f64 = 2e11;
/// A test of more games times nodes a move than this waits for approval, too: some hours on one core.
const LARGE_TRAINING: u64 = 100_000_000;
/// The longest note about a test, in characters.
const LONGEST_NOTE: usize = 2_000;
/// Number of tests in one answer.
const MOST_LISTED: i64 = 500;

/// A test of a lab.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
pub struct Test {
    /// Its unique name.
    pub id: String,
    /// The line in lists.
    pub title: String,
    /// `pending`, `waiting`, `running`, `done`, `stopped`, `flagged` or `rejected`.
    pub state: String,
    /// Why it was stopped, flagged or rejected, or what its preparation waits for.
    pub reason: Option<String>,
    /// Who submitted it.
    pub owner: String,
    /// What was submitted; revisions are commits once it is prepared.
    pub spec: TestSpec,
    /// What is known so far; final if `is_final`.
    pub summary: TestSummary,
    /// Whether the summary is final.
    pub is_final: bool,
    /// Whether it passed, if it could.
    pub passed: Option<bool>,
    /// The test that must pass before this one begins.
    pub follows: Option<String>,
    /// The test that begins when this one has passed.
    pub followed_by: Option<String>,
}

#[derive(sqlx::FromRow)]
struct SubmittedRow {
    id: String,
    title: String,
    state: String,
    reason: Option<String>,
    owner: String,
    spec: Json<TestSpec>,
    summary: Option<Json<TestSummary>>,
    is_final: bool,
    passed: Option<bool>,
    follows: Option<String>,
    followed_by: Option<String>,
}

const SELECT: &str = "select j.id, j.title, j.state, j.reason, a.name as owner, j.spec, j.summary,
    j.concluded_at is not null as is_final, j.passed, f.id as follows,
    (select n.id from lab.jobs n where n.follows = j.number order by n.number limit 1) as followed_by
    from lab.jobs j join lab.accounts a on a.id = j.owner left join lab.jobs f on f.number = j.follows";

impl From<SubmittedRow> for Test {
    fn from(row: SubmittedRow) -> Self {
        Self {
            id: row.id,
            title: row.title,
            state: row.state,
            reason: row.reason,
            owner: row.owner,
            spec: without_network(row.spec.0),
            summary: row.summary.unwrap_or_default().0,
            is_final: row.is_final,
            passed: row.passed,
            follows: row.follows,
            followed_by: row.followed_by,
        }
    }
}

/// The specification without its network: it has half a megabyte, and the author of the test has it.
fn without_network(mut spec: TestSpec) -> TestSpec {
    if let TestKind::TrainingGames { training } = &mut spec.kind {
        training.network.clear();
    }
    spec
}

/// The test with this name.
///
/// # Errors
/// There is none; the database failed.
pub async fn get(database: &Database, id: &str) -> Result<Test> {
    let sql = format!("{SELECT} where j.id = $1 and j.spec is not null");
    let found = sqlx::query_as::<_, SubmittedRow>(sqlx::AssertSqlSafe(sql)).bind(id);
    let found = found.fetch_optional(&database.pool).await?;
    let found = found.ok_or_else(|| ConductError::NoTest(id.to_owned()))?;
    Ok(found.into())
}

/// Tests, the newest first; of one state, and after skipping `skip`, if given.
///
/// # Errors
/// The database failed.
pub async fn list(
    database: &Database,
    state: Option<&str>,
    skip: u32,
    limit: u32,
) -> Result<Vec<Test>> {
    let sql = format!(
        "{SELECT} where j.spec is not null and ($1::text is null or j.state = $1)
        order by j.number desc offset $2 limit $3"
    );
    let rows = sqlx::query_as::<_, SubmittedRow>(sqlx::AssertSqlSafe(sql))
        .bind(state)
        .bind(i64::from(skip))
        .bind(i64::from(limit).min(MOST_LISTED));
    let rows = rows.fetch_all(&database.pool).await?;
    Ok(rows.into_iter().map(Test::from).collect())
}

/// A test as an author sends it: fields that a preset of the repository gives may be missing.
///
/// # Errors
/// A field is unknown or of another type; there is no such preset or repository; the database
/// failed.
pub async fn read(database: &Database, mut sent: Map<String, Value>) -> Result<TestSpec> {
    let fault = |field: &str, message: String| {
        let field = field.to_owned();
        ConductError::Spec(vec![SpecFault { field, message }])
    };
    match sent.remove("preset") {
        None | Some(Value::Null) => {}
        Some(Value::String(name)) => {
            let own = match sent.get("repository").and_then(Value::as_str) {
                Some(repository) => repositories::get(database, repository).await?.presets.0,
                None => std::collections::BTreeMap::new(),
            };
            sent = repositories::apply_preset(&own, &name, &sent)?;
        }
        Some(_) => return Err(fault("preset", "expected a name".to_owned())),
    }
    sent.entry("schema")
        .or_insert_with(|| selfplay::lab::spec::SCHEMA.into());
    serde_json::from_value(Value::Object(sent)).map_err(|error| fault("test", error.to_string()))
}

/// Submits a test, and the one that follows it. Tests of maintainers need no approval, nor do those that run nobody's
/// program, unless they are large. Returns the name of the test.
///
/// # Errors
/// The test has faults, a repository is not registered, the account may not, or has too many
/// unfinished tests; the database failed.
pub async fn submit(database: &Database, account: &Account, spec: &TestSpec) -> Result<String> {
    repositories::require(account, Right::Submit, "submit tests")?;
    let runs_no_program = spec.kind.runs_no_program();
    let mut faults = spec.check();
    if !account.may(Right::ManageTests) {
        faults.extend(check_turn(spec));
    }
    if let TestKind::TrainingGames { training } = &spec.kind {
        let training = training.clone();
        let checked = blocking(move || training::job("", training)).await?;
        faults.extend(checked.err().map(|message| SpecFault {
            field: "training".to_owned(),
            message,
        }));
    }
    if faults.is_empty() && !spec.kind.is_of_pairs() && !runs_no_program {
        let spec = spec.clone();
        let read = blocking(move || searches::run_of(&spec));
        faults.extend(read.await?.err());
    }
    if !faults.is_empty() {
        return Err(ConductError::Spec(faults));
    }
    let mut transaction = database.pool.begin().await?;
    check_room(&mut transaction, account).await?;
    let repository = check_repositories(&mut transaction, spec).await?;
    let is_harmless = runs_no_program && !is_large(spec);
    let state = if is_harmless || account.may(Right::SubmitApproved) {
        JobStage::Waiting
    } else {
        JobStage::Pending
    };
    let new = NewTest {
        account,
        state,
        repository,
    };
    let (number, id) = new.insert(&mut transaction, spec, None).await?;
    if let Some(next) = spec.following() {
        new.insert(&mut transaction, &next, Some(number)).await?;
    }
    audit(
        &mut *transaction,
        Some(account.id),
        "submit test",
        &id,
        &title_of(spec),
    )
    .await?;
    transaction.commit().await?;
    Ok(id)
}

struct NewTest<'a> {
    account: &'a Account,
    state: JobStage,
    repository: Option<i32>,
}

impl NewTest<'_> {
    async fn insert(
        &self,
        connection: &mut PgConnection,
        spec: &TestSpec,
        follows: Option<JobNumber>,
    ) -> Result<(JobNumber, String)> {
        // The name contains the number, which only the insertion gives: until then it is a random one.
        let sql = "insert into lab.jobs (id, kind, title, spec, repository, owner, state, priority, weight,
                follows, approved_by, approved_at)
            values (gen_random_uuid()::text, $1, $2, $3, $4, $5, $6, $7, $8, $9,
                case when $6 = 'waiting' then $5 end, case when $6 = 'waiting' then clock_timestamp() end)
            returning number";
        let number: JobNumber = sqlx::query_scalar(sql)
            .bind(spec.kind.name())
            .bind(title_of(spec))
            .bind(Json(spec))
            .bind(self.repository)
            .bind(self.account.id)
            .bind(self.state)
            .bind(spec.priority)
            .bind(spec.weight)
            .bind(follows)
            .fetch_one(&mut *connection)
            .await?;
        let sql = "update lab.jobs set id = $2 where number = $1 returning id";
        let id = format!("test-{}", number.0);
        let id = sqlx::query_scalar(sql).bind(number).bind(id);
        Ok((number, id.fetch_one(&mut *connection).await?))
    }
}

/// The title, by default made from the engines.
fn title_of(spec: &TestSpec) -> String {
    if !spec.title.is_empty() {
        return spec.title.clone();
    }
    if let TestKind::Perft { perft } = &spec.kind {
        return format!("perft {}", perft.depth);
    }
    if let TestKind::TrainingGames { training } = &spec.kind {
        let files = training.seeds.len();
        return format!("{files} files of {} training games", training.games);
    }
    let name = |engine: &EngineSpec| {
        let named = engine.name.clone().or_else(|| engine.revision.clone());
        named.unwrap_or_else(|| {
            engine
                .sha256
                .iter()
                .flat_map(|sum| sum.chars().take(10))
                .collect()
        })
    };
    let names: Vec<String> = spec.engines.iter().map(name).collect();
    names.join(" - ")
}

async fn check_room(connection: &mut PgConnection, account: &Account) -> Result<()> {
    // The limit within bounds the rows that are read, whatever an author has submitted.
    let sql = "select count(*) from (select from lab.jobs
        where owner = $1 and state in ('pending', 'waiting', 'running') limit $2) unfinished";
    let unfinished: i64 = sqlx::query_scalar(sql)
        .bind(account.id)
        .bind(MOST_OF_AN_AUTHOR)
        .fetch_one(connection)
        .await?;
    if unfinished < MOST_OF_AN_AUTHOR {
        return Ok(());
    }
    let text = format!(
        "{unfinished} tests of {} are not finished; stop one first",
        account.name
    );
    Err(ConductError::TooMany(text))
}

/// The number of the test's repository; all that its engines name must be registered.
async fn check_repositories(connection: &mut PgConnection, spec: &TestSpec) -> Result<Option<i32>> {
    let named = spec
        .engines
        .iter()
        .filter(|engine| engine.revision.is_some());
    let named: BTreeSet<&str> = named
        .filter_map(|engine| spec.repository_of(engine))
        .collect();
    let mut of_test = None;
    for name in named {
        let sql = "select id from lab.repositories where name = $1";
        let id: Option<i32> = sqlx::query_scalar(sql)
            .bind(name)
            .fetch_optional(&mut *connection)
            .await?;
        let id = id.ok_or_else(|| ConductError::NoRepository(name.to_owned()))?;
        of_test = of_test.or(Some(id));
        if spec.repository.as_deref() == Some(name) {
            of_test = Some(id);
        }
    }
    Ok(of_test)
}

/// Approves a test that waits for it, and the one that follows it.
///
/// # Errors
/// There is no such test, it is not pending, the account may not; the database failed.
pub async fn approve(database: &Database, account: &Account, id: &str) -> Result<()> {
    repositories::require(account, Right::ApproveTests, "approve tests")?;
    let sql = "update lab.jobs set state = 'waiting', approved_by = $2, approved_at = clock_timestamp()
        where state = 'pending' and spec is not null and (id = $1 or follows = (select number from lab.jobs where id = $1))";
    decide(database, account, id, sql, "approve test", "").await
}

/// Rejects a test that waits for approval, and the one that follows it.
///
/// # Errors
/// There is no such test, it is not pending, the account may not; the database failed.
pub async fn reject(database: &Database, account: &Account, id: &str, reason: &str) -> Result<()> {
    repositories::require(account, Right::ApproveTests, "reject tests")?;
    // `$2 is not null` gives a type to a parameter that this statement does not need otherwise.
    let sql = "update lab.jobs set state = 'rejected', reason = $3, finished_at = clock_timestamp()
        where $2 is not null and state = 'pending' and spec is not null
            and (id = $1 or follows = (select number from lab.jobs where id = $1))";
    decide(database, account, id, sql, "reject test", reason).await
}

async fn decide(
    database: &Database,
    account: &Account,
    id: &str,
    sql: &'static str,
    action: &str,
    reason: &str,
) -> Result<()> {
    let mut transaction = database.pool.begin().await?;
    let mut query = sqlx::query(sql).bind(id).bind(account.id);
    // PostgreSQL rejects a value without a parameter of the statement.
    if sql.contains("$3") {
        query = query.bind(reason);
    }
    if query.execute(&mut *transaction).await?.rows_affected() == 0 {
        let state = state_of(&mut *transaction, id).await?.1;
        let expected = "expected one that waits for approval";
        return Err(ConductError::State { state, expected });
    }
    audit(&mut *transaction, Some(account.id), action, id, reason).await?;
    Ok(transaction.commit().await?)
}

async fn state_of(executor: impl PgExecutor<'_>, id: &str) -> Result<(AccountId, String)> {
    let sql = "select owner, state from lab.jobs where id = $1 and spec is not null";
    let found = sqlx::query_as(sql).bind(id);
    let found: Option<(AccountId, String)> = found.fetch_optional(executor).await?;
    found.ok_or_else(|| ConductError::NoTest(id.to_owned()))
}

/// Stops a test that is not finished, one's own or, for maintainers, any, and the one that follows
/// it.
///
/// # Errors
/// There is no such test, it is finished, the account may not; the database failed.
pub async fn stop(database: &Database, account: &Account, id: &str, reason: &str) -> Result<()> {
    let mut transaction = database.pool.begin().await?;
    let (owner, state) = state_of(&mut *transaction, id).await?;
    if owner != account.id {
        repositories::require(account, Right::ManageTests, "stop tests of others")?;
    }
    let sql = "update lab.jobs set state = 'stopped', reason = $2, finished_at = clock_timestamp()
        where state in ('pending', 'waiting', 'running', 'flagged') and concluded_at is null and spec is not null
            and number in (select j.number from lab.jobs f join lab.jobs j on j.number = f.number or j.follows = f.number
                where f.id = $1 and f.state in ('pending', 'waiting', 'running', 'flagged') and f.concluded_at is null)";
    let stopped = sqlx::query(sql).bind(id).bind(reason);
    if stopped.execute(&mut *transaction).await?.rows_affected() == 0 {
        let expected = "expected one that is not finished";
        return Err(ConductError::State { state, expected });
    }
    audit(&mut *transaction, Some(account.id), "stop test", id, reason).await?;
    Ok(transaction.commit().await?)
}

/// Faults of a priority or weight that would put an author's test before those of others.
fn check_turn(spec: &TestSpec) -> Vec<SpecFault> {
    let mut faults = Vec::new();
    let mut add = |field: &str, found: String, most: u8| {
        faults.push(SpecFault {
            field: field.to_owned(),
            message: format!("{found}, expected at most {most}: maintainers give others"),
        });
    };
    if spec.priority > 0 {
        add("priority", spec.priority.to_string(), 0);
    }
    if spec.weight > 1.0 {
        add("weight", spec.weight.to_string(), 1);
    }
    faults
}

/// Whether a test that runs nobody's program takes machines for so long that a maintainer is asked.
fn is_large(spec: &TestSpec) -> bool {
    match &spec.kind {
        // A rough estimate: as many moves in each position as in the first one.
        TestKind::Perft { perft } => {
            let position = perft.fen.as_deref().map(chess::notation::fen::parse);
            let position = position
                .and_then(std::result::Result::ok)
                .unwrap_or_default();
            let moves = u32::try_from(position.legal_moves().len()).unwrap_or(u32::MAX);
            f64::from(moves).powf(f64::from(perft.depth)) > LARGE_COUNT
        }
        TestKind::TrainingGames { training } => {
            let moves = training.games.saturating_mul(training.seeds.len() as u64);
            moves.saturating_mul(training.nodes) > LARGE_TRAINING
        }
        _ => false,
    }
}

/// Lets a flagged test go on: those that could not do it may try again, and what workers disagreed about stands.
///
/// # Errors
/// There is no such test, it is not flagged, the account may not; the database failed.
pub async fn resume(database: &Database, account: &Account, id: &str) -> Result<()> {
    repositories::require(account, Right::ManageTests, "resume tests")?;
    let sql =
        "update lab.jobs set state = 'running', reason = null, vouched = decided_at is not null,
            finished_at = null, settled_at = null
        where id = $1 and state = 'flagged' and spec is not null returning number";
    let mut transaction = database.pool.begin().await?;
    let resumed = sqlx::query_scalar(sql).bind(id);
    let resumed: Option<JobNumber> = resumed.fetch_optional(&mut *transaction).await?;
    let Some(number) = resumed else {
        let state = state_of(&mut *transaction, id).await?.1;
        let expected = "expected one that is flagged";
        return Err(ConductError::State { state, expected });
    };
    for sql in [
        "delete from lab.inabilities where job = $1",
        "update lab.leases set silent = '{}', until = case when worker is null
                then coalesce(since, clock_timestamp()) else until end
            where job = $1 and silent <> '{}'",
        "select lab.open_queue($1)",
    ] {
        sqlx::query(sql)
            .bind(number)
            .execute(&mut *transaction)
            .await?;
    }
    audit(&mut *transaction, Some(account.id), "resume test", id, "").await?;
    Ok(transaction.commit().await?)
}

/// Writes a note about a test, in place of the one before: authors about their own, maintainers about all.
///
/// # Errors
/// There is no such test, the account may not, the note is too long; the database failed.
pub async fn annotate(database: &Database, account: &Account, id: &str, note: &str) -> Result<()> {
    may_manage(database, account, id).await?;
    // PostgreSQL stores every character but NUL in a text, and rejects the note or its entry in the audit log
    // for one.
    let note = note.replace('\0', "");
    let length = note.chars().count();
    if length > LONGEST_NOTE {
        let field = "note".to_owned();
        let message = format!("{length} characters, expected at most {LONGEST_NOTE}");
        return Err(ConductError::Spec(vec![SpecFault { field, message }]));
    }
    let mut transaction = database.pool.begin().await?;
    sqlx::query("update lab.jobs set note = $2 where id = $1")
        .bind(id)
        .bind(&note)
        .execute(&mut *transaction)
        .await?;
    audit(&mut *transaction, Some(account.id), "note test", id, &note).await?;
    Ok(transaction.commit().await?)
}

/// Whether the account may look after a test: authors their own, maintainers all.
///
/// # Errors
/// It may not; there is no such test; the database failed.
pub async fn may_manage(database: &Database, account: &Account, id: &str) -> Result<()> {
    let (owner, _) = state_of(&database.pool, id).await?;
    if owner == account.id {
        return Ok(());
    }
    repositories::require(account, Right::ManageTests, "look after tests of others")
}

/// Submits a copy of a test, with the revisions as they are now: commits. Returns its name.
///
/// # Errors
/// Those of [`submit`]; there is no such test.
pub async fn resubmit(database: &Database, account: &Account, id: &str) -> Result<String> {
    let sql = "select spec from lab.jobs where id = $1 and spec is not null";
    let found = sqlx::query_scalar(sql).bind(id);
    let found: Option<Json<TestSpec>> = found.fetch_optional(&database.pool).await?;
    let Json(spec) = found.ok_or_else(|| ConductError::NoTest(id.to_owned()))?;
    submit(database, account, &spec).await
}

/// Changes priority and share of a test that is not finished.
///
/// # Errors
/// There is no such test, it is finished, a value is out of range, the account may not; the
/// database failed.
pub async fn reschedule(
    database: &Database,
    account: &Account,
    id: &str,
    (priority, weight): (i32, f32),
) -> Result<()> {
    repositories::require(account, Right::ManageTests, "change priorities")?;
    let mut spec = get(database, id).await?.spec;
    (spec.priority, spec.weight) = (priority, weight);
    let faults = spec.check();
    if !faults.is_empty() {
        return Err(ConductError::Spec(faults));
    }
    let mut transaction = database.pool.begin().await?;
    let sql = "update lab.jobs set priority = $2, weight = $3
        where id = $1 and state in ('pending', 'waiting', 'running', 'flagged')";
    let changed = sqlx::query(sql).bind(id).bind(priority).bind(weight);
    if changed.execute(&mut *transaction).await?.rows_affected() == 0 {
        let state = state_of(&mut *transaction, id).await?.1;
        let expected = "expected one that is not finished";
        return Err(ConductError::State { state, expected });
    }
    let detail = format!("priority {priority}, weight {weight}");
    audit(
        &mut *transaction,
        Some(account.id),
        "reschedule test",
        id,
        &detail,
    )
    .await?;
    Ok(transaction.commit().await?)
}
