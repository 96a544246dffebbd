//! Addresses of commits on the sites that host repositories. Pure.

/// A repository on a site whose addresses are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Forge {
    /// `https://HOST/OWNER/NAME`.
    root: String,
    /// What GitLab has before its own parts of an address.
    infix: &'static str,
}

impl Forge {
    /// The site of a repository by its address, as `git` has it; none if the site is not known.
    pub(crate) fn from_url(url: &str) -> Option<Self> {
        let rest = url
            .strip_prefix("https://")
            .or_else(|| url.strip_prefix("ssh://git@"))
            .map(str::to_owned)
            .or_else(|| Some(url.strip_prefix("git@")?.replacen(':', "/", 1)))?;
        let (host, path) = rest.split_once('/')?;
        let host = host.to_ascii_lowercase();
        let path = path.trim_end_matches('/');
        let path = path.strip_suffix(".git").unwrap_or(path);
        let infix = match host.as_str() {
            // Codeberg runs Forgejo, whose addresses of commits are those of GitHub.
            "github.com" | "codeberg.org" => "",
            host if host == "gitlab.com" || host.starts_with("gitlab.") => "/-",
            _ => return None,
        };
        // Authors register the address: a user or `..` in it could lead the link of a commit elsewhere.
        let is_plain = |part: &str| {
            !part.is_empty()
                && !part.starts_with('.')
                && part
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
        };
        let is_known = host.split('.').all(is_plain)
            && path.split('/').count() >= 2
            && path.split('/').all(is_plain);
        is_known.then(|| Self {
            root: format!("https://{host}/{path}"),
            infix,
        })
    }

    /// The page of a commit.
    pub(crate) fn commit(&self, commit: &str) -> Option<String> {
        let (root, infix) = (&self.root, self.infix);
        is_commit(commit).then(|| format!("{root}{infix}/commit/{commit}"))
    }

    /// The page of the difference between two commits of this repository.
    pub(crate) fn diff(&self, base: &str, new: &str) -> Option<String> {
        let (root, infix) = (&self.root, self.infix);
        let are_known = is_commit(base) && is_commit(new);
        // With three dots, only what is new since the common ancestor is shown (`git-diff(1)`).
        are_known.then(|| format!("{root}{infix}/compare/{base}...{new}"))
    }
}

fn is_commit(text: &str) -> bool {
    (7..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_commits_and_differences() {
        let rows = [
            (
                "https://github.com/o/r.git",
                "https://github.com/o/r/compare/aaaaaaa...bbbbbbb",
            ),
            (
                "git@github.com:o/r",
                "https://github.com/o/r/compare/aaaaaaa...bbbbbbb",
            ),
            (
                "ssh://git@codeberg.org/o/r.git",
                "https://codeberg.org/o/r/compare/aaaaaaa...bbbbbbb",
            ),
            (
                "https://gitlab.com/g/sub/r/",
                "https://gitlab.com/g/sub/r/-/compare/aaaaaaa...bbbbbbb",
            ),
        ];
        for (url, expected) in rows {
            let forge = Forge::from_url(url).expect(url);
            let diff = forge.diff("aaaaaaa", "bbbbbbb");
            assert_eq!(diff.as_deref(), Some(expected));
            assert_eq!(forge.commit("main"), None);
        }
    }

    #[test]
    fn other_addresses_have_no_links() {
        for url in [
            "https://example.org/o/r",
            "/srv/git/r.git",
            "https://github.com/o",
            "https://github.com/o/r?x=<script>",
            "https://github.com/../r",
            "javascript:alert(1)",
        ] {
            assert_eq!(Forge::from_url(url), None, "{url}");
        }
    }
}
