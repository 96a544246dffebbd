//! Every page, light and dark, on a phone and wide: axe-core finds nothing, nothing is wider than the
//! screen, and nothing is asked of other hosts.

use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};

use super::driver::pretty;
use super::lab::Scene;

/// Pages that anybody may see.
const PUBLIC: [(&str, &str); 16] = [
    ("tests", "/tests"),
    ("finished", "/tests?state=finished"),
    ("test-running", "/tests/stc-7"),
    ("test-failed", "/tests/simplify-3"),
    ("test-perft", "/tests/perft-7"),
    ("test-tune", "/tests/tune-1"),
    ("machines", "/machines"),
    ("perft", "/perft"),
    ("throughput", "/throughput"),
    ("games", "/tests/stc-7/games"),
    ("game", "/tests/stc-7/games/0/1?ply=3"),
    ("api", "/api"),
    ("problem", "/problems/not-leased"),
    ("sign-in", "/sign-in"),
    ("nothing", "/there-is-no-such-page"),
    ("no-test", "/tests/none"),
];

/// Pages as a maintainer sees them.
const MAINTAINERS: [(&str, &str); 6] = [
    ("test-pending", "/tests/pending-1"),
    ("machines-maintainer", "/machines"),
    ("submit", "/submit?repository=touchstone"),
    ("repositories", "/repositories"),
    ("account", "/account"),
    ("account-machines", "/account/machines"),
];

/// Pages as an administrator sees them.
const ADMINISTRATORS: [(&str, &str); 2] = [("people", "/people"), ("audit", "/audit")];

/// Width, height and whether it is a phone.
const SCREENS: [(&str, u32, u32, bool); 2] =
    [("wide", 1280, 900, false), ("phone", 360, 740, true)];

/// Colours, and the rules of axe-core that are checked in them: the page is the same in both but for these.
const SCHEMES: [(&str, &str); 2] = [
    ("light", ""),
    ("dark", "runOnly: ['color-contrast', 'link-in-text-block']"),
];

#[tokio::test(flavor = "multi_thread")]
async fn every_page() {
    let page = Scene::at("/").await;
    let mut found = Vec::new();
    for (name, path) in PUBLIC {
        page.go(path).await;
        found.extend(look_at(&page, name).await);
    }
    page.sign_in("grace").await;
    for (name, path) in MAINTAINERS {
        page.go(path).await;
        found.extend(look_at(&page, name).await);
    }
    page.sign_in("root").await;
    for (name, path) in ADMINISTRATORS {
        page.go(path).await;
        found.extend(look_at(&page, name).await);
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// What is wrong with a page, light and wide, dark and on a phone; among the long tests, in every combination.
pub(crate) async fn look_at(page: &Scene, name: &str) -> Vec<String> {
    let mut found = Vec::new();
    page.until("document.readyState === 'complete'").await;
    page.eval(&axe()).await;
    let is_long = testkit::number("TOUCHSTONE_LONG").is_some();
    for (number, (screen, width, height, phone)) in SCREENS.into_iter().enumerate() {
        page.size(width, height, phone).await;
        for (other, (scheme, rules)) in SCHEMES.into_iter().enumerate() {
            if !is_long && number != other {
                continue;
            }
            page.colours(scheme).await;
            let name = format!("{name}-{screen}-{scheme}");
            found.extend(faults(page, &name, width, rules).await);
            keep_picture(page, &name).await;
        }
    }
    page.size(1280, 900, false).await;
    page.colours("light").await;
    found
}

async fn faults(page: &Scene, name: &str, width: u32, rules: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let run = format!(
        "axe.run(document, {{ resultTypes: ['violations'], {rules} }}).then(({{ violations }}) => violations
            .map(({{ id, help, nodes }}) => ({{ id, help, where: nodes.map((node) => `${{node.target}}: ${{node.failureSummary}}`) }})))",
    );
    let found: Value = page.eval(&run).await;
    if found != json!([]) {
        faults.push(format!("{name}: {}", pretty(&found)));
    }
    // Not that of the window, which grows with what it shows on a phone.
    let needed = page.eval("document.scrollingElement.scrollWidth").await;
    let needed = needed.as_u64().expect("a number");
    if needed > width.into() {
        faults.push(format!(
            "{name}: {needed} pixels wide, on a screen of {width}"
        ));
    }
    let elsewhere = page.eval(
        "performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => !name.startsWith(location.origin))",
    );
    let elsewhere = elsewhere.await;
    if elsewhere != json!([]) {
        faults.push(format!("{name}: asks other hosts: {elsewhere}"));
    }
    let of_scripts = page.eval("window.faults").await;
    if of_scripts != json!([]) {
        faults.push(format!("{name}: {of_scripts}"));
    }
    faults
}

#[expect(
    clippy::disallowed_methods,
    reason = "axe-core is a file that npm installed"
)]
fn axe() -> String {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = package.join("../crowd/npm/node_modules/axe-core/axe.min.js");
    let script = std::fs::read_to_string(path);
    // As a statement whose value is nothing, which is what comes back.
    script.expect("axe-core is installed by `npm ci --prefix crowd/npm`") + ";undefined"
}

/// Into the folder that the environment names, if it does.
#[expect(
    clippy::disallowed_methods,
    reason = "pictures are written for people who ask for them"
)]
async fn keep_picture(page: &Scene, name: &str) {
    let Some(folder) = std::env::var_os("FLEET_SCREENSHOTS").map(PathBuf::from) else {
        return;
    };
    std::fs::create_dir_all(&folder).expect("the folder is made");
    let picture = BASE64_STANDARD
        .decode(page.picture().await)
        .expect("base64");
    std::fs::write(folder.join(format!("{name}.png")), picture).expect("the picture is written");
}
