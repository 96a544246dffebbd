//! The address of the repository, which nothing but its owner knows: it stands in the manifest, and the
//! pages say `YOUR-FORK` until the first release.

#![expect(
    clippy::disallowed_methods,
    reason = "git is asked, and files are written"
)]

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, ensure};

/// The owner that stands for the real one.
const PLACEHOLDER: &str = "YOUR-FORK";
/// Instructions between these lines are comments, hidden until there is a release that they work with.
const HIDDEN: [&str; 2] = [
    "<!-- once there is a release",
    "once there is a release -->",
];
/// What is changed: the manifest, the pages and the workflows in them.
const CHANGED: [&str; 3] = ["*.md", "*.toml", "*.yml"];

/// Writes the address of the repository, such as `https://github.com/somebody/touchstone`, wherever it
/// is needed, and shows the instructions for users of releases. Returns the changed files.
///
/// # Errors
///
/// The address is of another form, git cannot list the files, or a file cannot be read or written.
pub fn set_address(root: &Path, address: &str) -> anyhow::Result<Vec<String>> {
    let rest = address.strip_prefix("https://");
    let parts = rest.map(|rest| rest.split('/').filter(|part| !part.is_empty()).count());
    ensure!(
        parts == Some(3) && !address.ends_with('/'),
        "'{address}' is not of the form https://HOST/OWNER/NAME"
    );
    let listed = Command::new("git")
        // Only files of the repository: built ones and those of dependencies are nobody's to
        // change.
        .arg("ls-files")
        .args(CHANGED)
        .current_dir(root)
        .output();
    let listed = listed.context("cannot start git")?;
    ensure!(listed.status.success(), "git cannot list the files");
    let mut changed = Vec::new();
    for name in String::from_utf8(listed.stdout)?.lines() {
        let path = root.join(name);
        if !path.is_file() {
            continue;
        }
        let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {name}"))?;
        let new = with_address(&text, address);
        if new != text {
            std::fs::write(&path, new).with_context(|| format!("cannot write {name}"))?;
            changed.push(name.to_owned());
        }
    }
    Ok(changed)
}

/// A text with the address in place of the placeholder, and with what was hidden.
fn with_address(text: &str, address: &str) -> String {
    let (host, repository) = address
        .trim_start_matches("https://")
        .split_once('/')
        .expect("the address has been checked");
    let mut new = String::new();
    for line in text.split_inclusive('\n') {
        if !HIDDEN.contains(&line.trim()) {
            // The longest form first: the others are parts of it.
            let place = format!("{PLACEHOLDER}/touchstone");
            let line = line.replace(&format!("https://github.com/{place}"), address);
            let line = line.replace(
                &format!("github.com/{place}"),
                &format!("{host}/{repository}"),
            );
            new += &line.replace(&place, repository);
        }
    }
    new
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_stands_everywhere_and_nothing_is_hidden() {
        let page = "# Install\n\
                    <!-- once there is a release\n\
                    $ curl https://github.com/YOUR-FORK/touchstone/releases\n\
                    once there is a release -->\n\
                    <!-- a comment -->\n\
                    - uses: YOUR-FORK/touchstone@v0.1.0\n";
        let expected = "# Install\n\
                        $ curl https://git.example/some/chess/releases\n\
                        <!-- a comment -->\n\
                        - uses: some/chess@v0.1.0\n";
        assert_eq!(
            with_address(page, "https://git.example/some/chess"),
            expected
        );
        assert_eq!(
            with_address(expected, "https://git.example/other/name"),
            expected
        );
    }

    #[test]
    fn an_address_has_a_host_an_owner_and_a_name() {
        for bad in [
            "",
            "some/chess",
            "http://git.example/some/chess",
            "https://git.example/some",
            "https://git.example/some/chess/",
        ] {
            let error = set_address(Path::new("."), bad).expect_err(bad).to_string();
            assert!(
                error.starts_with(&format!("'{bad}' is not of the form")),
                "{error}"
            );
        }
    }
}
