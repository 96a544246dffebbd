//! Repositories that engines come from, approved once by a maintainer.

use std::collections::BTreeMap;

use queue::program::Recipe;
use selfplay::lab::spec::SpecFault;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use sqlx::types::Json;

use super::error::ConductError;
use crate::model::Account;
use crate::people::{Right, audit};
use crate::recipe;
use crate::store::Database;

type Result<T> = std::result::Result<T, ConductError>;

/// A registered repository.
#[derive(Clone, Debug, Serialize, Deserialize, sqlx::FromRow, utoipa::ToSchema)]
pub struct Repository {
    /// Its unique name.
    pub name: String,
    /// Where it is fetched from.
    pub url: String,
    /// How engines are built; an empty build command stands for `touchstone.toml` of the commit.
    #[schema(value_type = Object)]
    pub recipe: Json<Recipe>,
    /// What tests have by default, by name: parts of a test, such as bounds and limits.
    #[schema(value_type = Object)]
    pub presets: Json<BTreeMap<String, Value>>,
    /// Who added it.
    pub added_by: String,
    /// Who approved it; nobody yet if nothing.
    pub approved_by: Option<String>,
}

/// A repository as it is registered.
#[derive(Clone, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewRepository {
    /// Its unique name: letters, digits, `-`, `_` and `.`.
    pub name: String,
    /// `https://`, `http://`, `ssh://` or `git://`.
    pub url: String,
    /// How engines are built; by default as `touchstone.toml` of the commit says.
    #[serde(default)]
    #[schema(value_type = Object)]
    pub recipe: Recipe,
    /// What tests have by default, by name.
    #[serde(default)]
    #[schema(value_type = Object)]
    pub presets: BTreeMap<String, Value>,
}

const SELECT: &str =
    "select r.name, r.url, r.recipe, r.presets, a.name as added_by, b.name as approved_by
    from lab.repositories r join lab.accounts a on a.id = r.added_by
    left join lab.accounts b on b.id = r.approved_by";
const SCHEMES: [&str; 4] = ["https://", "http://", "ssh://", "git://"];
/// The longest URL and command, in bytes.
const LONGEST: usize = 2000;
const MOST_PRESETS: usize = 50;

/// What every repository has, unless it has its own of the same name: fishtest's bounds in
/// normalised Elo, for gains and for simplifications.
pub fn common_presets() -> BTreeMap<String, Value> {
    let preset = |tc: &str, hash: u32, elo0: f64, elo1: f64| {
        json!({
            "limits": {"tc": tc},
            "hash_mib": hash,
            "bounds": {"elo0": elo0, "elo1": elo1},
        })
    };
    let mut stc = preset("10+0.1", 16, 0.0, 2.0);
    stc["then"] = json!({
        "limits": {"tc": "60+0.6"}, "hash_mib": 64, "bounds": {"elo0": 0.5, "elo1": 2.5}
    });
    [
        ("stc", preset("10+0.1", 16, 0.0, 2.0)),
        ("ltc", preset("60+0.6", 64, 0.5, 2.5)),
        ("stc-then-ltc", stc),
        ("stc-simplification", preset("10+0.1", 16, -1.75, 0.25)),
        ("ltc-simplification", preset("60+0.6", 64, -1.75, 0.25)),
    ]
    .into_iter()
    .map(|(name, preset)| (name.to_owned(), preset))
    .collect()
}

/// All repositories, by name.
///
/// # Errors
/// The database failed.
pub async fn list(database: &Database) -> Result<Vec<Repository>> {
    let sql = format!("{SELECT} order by r.name limit 1000");
    let found = sqlx::query_as(sqlx::AssertSqlSafe(sql));
    Ok(found.fetch_all(&database.pool).await?)
}

/// The repository with this name.
///
/// # Errors
/// There is none; the database failed.
pub async fn get(database: &Database, name: &str) -> Result<Repository> {
    let sql = format!("{SELECT} where r.name = $1");
    let found = sqlx::query_as(sqlx::AssertSqlSafe(sql)).bind(name);
    let found: Option<Repository> = found.fetch_optional(&database.pool).await?;
    found.ok_or_else(|| ConductError::NoRepository(name.to_owned()))
}

/// Registers a repository. Nobody builds it before a maintainer approves it, who may do both.
///
/// # Errors
/// A value is not valid, the name is taken, the account may not; the database failed.
pub async fn add(database: &Database, account: &Account, new: &NewRepository) -> Result<()> {
    require(account, Right::AddRepositories, "register repositories")?;
    check(new)?;
    let approves = account.may(Right::ApproveRepositories);
    let mut transaction = database.pool.begin().await?;
    let sql = "insert into lab.repositories (name, url, recipe, presets, added_by, approved_by, approved_at)
        values ($1, $2, $3, $4, $5, $6, case when $6 is null then null else clock_timestamp() end)
        on conflict (name) do nothing";
    let added = sqlx::query(sql)
        .bind(&new.name)
        .bind(&new.url)
        .bind(Json(&new.recipe))
        .bind(Json(&new.presets))
        .bind(account.id)
        .bind(approves.then_some(account.id))
        .execute(&mut *transaction)
        .await?;
    if added.rows_affected() == 0 {
        return Err(ConductError::NameTaken(new.name.clone()));
    }
    let (id, action) = (Some(account.id), "register repository");
    audit(&mut *transaction, id, action, &new.name, &new.url).await?;
    Ok(transaction.commit().await?)
}

/// Changes how a repository is built and its presets, which a maintainer may do.
///
/// # Errors
/// A value is not valid, there is no such repository, the account may not; the database failed.
pub async fn change(database: &Database, account: &Account, new: &NewRepository) -> Result<()> {
    require(account, Right::ApproveRepositories, "change repositories")?;
    check(new)?;
    let mut transaction = database.pool.begin().await?;
    // Who may change a repository may also approve it, so that its approval stays.
    let sql = "update lab.repositories set url = $2, recipe = $3, presets = $4 where name = $1";
    let changed = sqlx::query(sql)
        .bind(&new.name)
        .bind(&new.url)
        .bind(Json(&new.recipe))
        .bind(Json(&new.presets))
        .execute(&mut *transaction)
        .await?;
    if changed.rows_affected() == 0 {
        return Err(ConductError::NoRepository(new.name.clone()));
    }
    let (id, action) = (Some(account.id), "change repository");
    audit(&mut *transaction, id, action, &new.name, &new.url).await?;
    Ok(transaction.commit().await?)
}

/// Approves a repository: workers build its engines from now on.
///
/// # Errors
/// There is no such repository, the account may not; the database failed.
pub async fn approve(database: &Database, account: &Account, name: &str) -> Result<()> {
    require(account, Right::ApproveRepositories, "approve repositories")?;
    let mut transaction = database.pool.begin().await?;
    let sql = "update lab.repositories
        set approved_by = coalesce(approved_by, $2), approved_at = coalesce(approved_at, clock_timestamp())
        where name = $1";
    let changed = sqlx::query(sql)
        .bind(name)
        .bind(account.id)
        .execute(&mut *transaction)
        .await?;
    if changed.rows_affected() == 0 {
        return Err(ConductError::NoRepository(name.to_owned()));
    }
    audit(
        &mut *transaction,
        Some(account.id),
        "approve repository",
        name,
        "",
    )
    .await?;
    Ok(transaction.commit().await?)
}

pub(super) fn require(account: &Account, right: Right, what: &str) -> Result<()> {
    if account.may(right) {
        return Ok(());
    }
    let needed = right.least_role().name();
    let (name, role) = (&account.name, account.role.name());
    let text = format!("only a {needed} may {what}; {name} is {role}");
    Err(ConductError::Denied(text))
}

fn check(new: &NewRepository) -> Result<()> {
    let mut faults = Vec::new();
    let mut add = |field: &str, message: &str| {
        faults.push(SpecFault {
            field: field.to_owned(),
            message: message.to_owned(),
        });
    };
    let is_name = |b: u8| b.is_ascii_alphanumeric() || b"-_.".contains(&b);
    if !(1..=64).contains(&new.name.len()) || !new.name.bytes().all(is_name) {
        add("name", "expected 1 to 64 letters, digits, '-', '_' and '.'");
    }
    // `git` takes some addresses for commands (`ext::`), and words with a dash for options.
    let is_url = SCHEMES.iter().any(|scheme| new.url.starts_with(scheme))
        && new.url.len() <= LONGEST
        && new.url.bytes().all(|b| b.is_ascii_graphic());
    if !is_url {
        add(
            "url",
            "expected an address that begins with https://, http://, ssh:// or git://",
        );
    }
    if new.url.split_once("://").is_some_and(|(scheme, rest)| {
        let host = rest.split('/').next().unwrap_or_default();
        // By SSH, the user's name is no secret; by HTTP, a token often stands there.
        let user = host.rsplit_once('@').map(|(user, _)| user);
        user.is_some_and(|user| scheme != "ssh" || user.contains(':'))
    }) {
        add(
            "url",
            "it contains a password or a token, which every worker could read",
        );
    }
    // Without a recipe at the lab, that of each commit counts.
    if new.recipe != Recipe::default()
        && let Err(fault) = recipe::check(&new.recipe)
    {
        add(&format!("recipe.{}", fault.field), fault.expected);
    }
    if new.presets.len() > MOST_PRESETS || !new.presets.values().all(Value::is_object) {
        add("presets", "expected at most 50 parts of tests, by name");
    }
    if faults.is_empty() {
        Ok(())
    } else {
        Err(ConductError::Spec(faults))
    }
}

/// A test with what a preset gives it: fields of the test itself come first.
///
/// # Errors
/// There is no such preset.
pub fn apply_preset(
    presets: &BTreeMap<String, Value>,
    name: &str,
    test: &Map<String, Value>,
) -> Result<Map<String, Value>> {
    let common = common_presets();
    let Some(Value::Object(preset)) = presets.get(name).or_else(|| common.get(name)) else {
        let mut known: Vec<_> = presets
            .keys()
            .chain(common.keys())
            .map(String::as_str)
            .collect();
        known.sort_unstable();
        known.dedup();
        return Err(ConductError::Spec(vec![SpecFault {
            field: "preset".to_owned(),
            message: format!("'{name}', expected {}", known.join(", ")),
        }]));
    };
    let mut merged = preset.clone();
    merged.extend(test.clone());
    Ok(merged)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_names_are_checked() {
        let new = |name: &str, url: &str| NewRepository {
            name: name.to_owned(),
            url: url.to_owned(),
            recipe: Recipe::default(),
            presets: BTreeMap::new(),
        };
        assert!(check(&new("a.b-c_1", "https://example.org/a.git")).is_ok());
        assert!(check(&new("a", "ssh://git@example.org/a.git")).is_ok());
        for (name, url, field) in [
            ("", "https://example.org/a", "name"),
            ("a b", "https://example.org/a", "name"),
            ("a", "ext::sh -c true", "url"),
            ("a", "--upload-pack=x", "url"),
            ("a", "/etc", "url"),
            ("a", "file:///srv/a.git", "url"),
            ("a", "https://me:secret@example.org/a", "url"),
            ("a", "https://ghp_secret@example.org/a", "url"),
            ("a", "ssh://git:secret@example.org/a", "url"),
        ] {
            let error = check(&new(name, url)).expect_err(url).to_string();
            assert!(error.starts_with(field), "{error}");
        }
    }

    #[test]
    fn presets_are_defaults() {
        let test =
            |text: &str| serde_json::from_str::<Map<String, Value>>(text).expect("an object");
        let own = BTreeMap::from([(
            "quick".to_owned(),
            json!({"limits": {"nodes": 500}, "threads": 2}),
        )]);
        let merged = apply_preset(&own, "quick", &test(r#"{"threads": 1, "kind": "sprt"}"#));
        let merged = Value::Object(merged.expect("it is there"));
        assert_eq!(
            merged,
            json!({"limits": {"nodes": 500}, "threads": 1, "kind": "sprt"})
        );
        let ltc = apply_preset(&own, "ltc", &Map::new()).expect("a common one");
        assert_eq!(ltc["bounds"]["elo1"], 2.5);
        let error = apply_preset(&own, "mtc", &Map::new())
            .expect_err("none")
            .to_string();
        assert!(
            error.starts_with("preset: 'mtc', expected ltc, ltc-simplification, quick, stc"),
            "{error}"
        );
    }
}
