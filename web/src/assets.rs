//! Files that pages load, embedded in the program. They are looked up by exact name only, so that no path
//! leads anywhere else.
//!
//! Their addresses contain a fingerprint of all files of the folder, `/static/v0123456789abcdef/site.css`,
//! so that browsers keep them for ever and load them anew after an update. It is in the folder and not in
//! the name, so that a script that imports `./board.js` gets the one of its own version.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use axum::extract::Request;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse as _, Response};
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use rust_embed::RustEmbed;
use sha2::{Digest as _, Sha256};

use crate::problem::{NOT_FOUND, Problem};

/// The style that all pages begin with, as the file `base.css`; its head says what it needs.
pub const BASE_STYLE: (&str, &str) = ("base.css", include_str!("../static/base.css"));

/// A file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asset {
    /// Its contents.
    pub bytes: Cow<'static, [u8]>,
    /// Its media type.
    pub mime: &'static str,
    /// A hash of the contents, in quotes, for `ETag`.
    pub etag: String,
}

impl Asset {
    fn new(name: &str, bytes: Cow<'static, [u8]>) -> Self {
        let hash = Sha256::digest(&bytes);
        Self {
            bytes,
            mime: mime_of(name),
            // A hash of 128 bits has no collision by chance, and nobody gains by making one.
            etag: format!("\"{}\"", BASE64_URL_SAFE_NO_PAD.encode(&hash[..16])),
        }
    }

    /// The response to a request for it: all of it, or that the client's copy is good.
    fn answer(&self, headers: &HeaderMap, cache: &'static str) -> Response {
        let kept = [
            (header::ETAG, self.etag.clone()),
            (header::CACHE_CONTROL, cache.to_owned()),
        ];
        if is_known(headers, &self.etag) {
            return (axum::http::StatusCode::NOT_MODIFIED, kept).into_response();
        }
        let kind = [(header::CONTENT_TYPE, self.mime)];
        (kept, kind, self.bytes.clone()).into_response()
    }
}

/// The files of a folder.
#[derive(Clone, Debug)]
pub struct Assets {
    root: &'static str,
    fingerprint: String,
    files: BTreeMap<String, Asset>,
    /// The files that each script imports.
    imports: BTreeMap<String, Vec<String>>,
}

impl Assets {
    /// The files that `rust-embed` put into the program, and `texts`, each a name and a text, served
    /// under `root`, such as `/static`.
    pub fn embedded<E: RustEmbed>(root: &'static str, texts: &[(&str, &'static str)]) -> Self {
        let files = E::iter().filter_map(|name| {
            let bytes = E::get(&name)?.data;
            Some((name.into_owned(), bytes))
        });
        let texts = texts.iter().map(|&(name, text)| {
            let bytes = Cow::Borrowed(text.as_bytes());
            (name.to_owned(), bytes)
        });
        Self::new(root, files.chain(texts))
    }

    /// These files, by their names, served under `root`.
    pub fn new(
        root: &'static str,
        files: impl IntoIterator<Item = (String, Cow<'static, [u8]>)>,
    ) -> Self {
        let files = files.into_iter();
        let files: BTreeMap<String, Asset> = files
            .map(|(name, bytes)| {
                let asset = Asset::new(&name, bytes);
                (name, asset)
            })
            .collect();
        let mut all = Sha256::new();
        for (name, asset) in &files {
            all.update(name.as_bytes());
            // A name cannot contain a zero byte, so no name runs into the hash behind it.
            all.update([0]);
            all.update(asset.etag.as_bytes());
        }
        let digest = all.finalize();
        let hex: Vec<String> = digest[..8].iter().map(|b| format!("{b:02x}")).collect();
        let is_script = |asset: &Asset| asset.mime.starts_with("text/javascript");
        let scripts = files.iter().filter(|(_, asset)| is_script(asset));
        let imports = scripts
            .map(|(name, asset)| (name.clone(), imports_of(name, &asset.bytes, &files)))
            .collect();
        Self {
            root,
            fingerprint: format!("v{}", hex.concat()),
            files,
            imports,
        }
    }

    /// The address of a file, for pages. It is kept by browsers for ever.
    pub fn url(&self, name: &str) -> String {
        debug_assert!(self.files.contains_key(name), "no file '{name}'");
        format!("{}/{}/{name}", self.root, self.fingerprint)
    }

    /// The scripts that a module imports, directly or through others, sorted; not the module itself.
    /// A page that names them all loads them at once, and not one level after the other.
    ///
    /// Found are `from "./x.js"`, `import "./x.js"` and `import("./x.js")`, the name in either quotes.
    pub fn imports(&self, module: &str) -> Vec<&str> {
        let mut found = BTreeSet::new();
        let mut open = vec![module];
        while let Some(name) = open.pop() {
            for import in self.imports.get(name).into_iter().flatten() {
                if import != module && found.insert(import.as_str()) {
                    open.push(import);
                }
            }
        }
        found.into_iter().collect()
    }

    /// The file of this name, such as `board.js` or `board/table.js`.
    pub fn get(&self, name: &str) -> Option<&Asset> {
        self.files.get(name)
    }

    /// Returns true if there are no files.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// The response to a request for a file, with or without a fingerprint.
    ///
    /// # Errors
    /// `not-found`.
    pub fn answer(&self, request: &Request) -> Result<Response, Problem> {
        // Names are taken literally, never decoded: none of our files needs it.
        let path = request.uri().path().strip_prefix(self.root);
        let path = path.and_then(|path| path.strip_prefix('/')).unwrap_or("");
        let (name, cache) = match path.split_once('/') {
            Some((first, name)) if first == self.fingerprint => {
                // A year, in seconds.
                (name, "public, max-age=31536000, immutable")
            }
            // A page of another version, while servers are being updated.
            Some((first, name)) if is_fingerprint(first) => (name, "no-cache"),
            _ => (path, "no-cache"),
        };
        let asset = self.get(name);
        let asset = asset.ok_or_else(|| Problem::new(NOT_FOUND, "there is no such file"))?;
        Ok(asset.answer(request.headers(), cache))
    }

    /// The response to a request for this file under another address, such as `/favicon.ico`.
    ///
    /// # Errors
    /// `not-found`.
    pub fn answer_as(&self, request: &Request, name: &str) -> Result<Response, Problem> {
        let asset = self.get(name);
        let asset = asset.ok_or_else(|| Problem::new(NOT_FOUND, "there is no such file"))?;
        Ok(asset.answer(request.headers(), "no-cache"))
    }
}

/// The files that a script imports itself.
fn imports_of(module: &str, text: &[u8], files: &BTreeMap<String, Asset>) -> Vec<String> {
    let folder = module.rsplit_once('/').map_or("", |(folder, _)| folder);
    let text = String::from_utf8_lossy(text);
    let mut named = Vec::new();
    // Whether a quoted text is imported is said by what is before its first quote.
    let mut before = "";
    for part in text.split(['"', '\'']) {
        let words = before.trim_end().trim_end_matches('(');
        let is_imported = words.ends_with("from") || words.ends_with("import");
        let file = joined(folder, part);
        if is_imported && part.starts_with('.') && files.contains_key(&file) {
            named.push(file);
        }
        before = part;
    }
    named
}

/// The name of a file that is named relative to a folder, as `../board.js`.
fn joined(folder: &str, relative: &str) -> String {
    let mut steps: Vec<&str> = folder.split('/').filter(|step| !step.is_empty()).collect();
    for step in relative.split('/') {
        match step {
            "." => {}
            ".." => drop(steps.pop()),
            step => steps.push(step),
        }
    }
    steps.join("/")
}

fn is_fingerprint(text: &str) -> bool {
    let hex = text.strip_prefix('v');
    hex.is_some_and(|hex| hex.len() == 16 && hex.bytes().all(|b| b.is_ascii_hexdigit()))
}

/// Whether the browser has the file cached; compression makes the tag a weak one.
fn is_known(headers: &HeaderMap, etag: &str) -> bool {
    let tags = headers
        .get(header::IF_NONE_MATCH)
        .and_then(|value| value.to_str().ok());
    tags.is_some_and(|tags| {
        tags.split(',')
            .any(|tag| tag.trim().trim_start_matches("W/") == etag)
    })
}

fn mime_of(path: &str) -> &'static str {
    match path.rsplit_once('.').map(|(_, ending)| ending) {
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("map" | "json") => "application/json",
        _ => "text/plain; charset=utf-8",
    }
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use axum::http::StatusCode;

    use super::*;

    fn assets(sheet: &'static str) -> Assets {
        let file = |name: &str, text: &'static str| (name.to_owned(), text.as_bytes().into());
        Assets::new(
            "/static",
            [file("site.css", sheet), file("board/table.js", "// table")],
        )
    }

    fn ask(assets: &Assets, path: &str, known: Option<&str>) -> Option<Response> {
        let mut request = Request::builder().uri(path);
        if let Some(tag) = known {
            request = request.header(header::IF_NONE_MATCH, tag);
        }
        let request = request.body(Body::empty()).expect("a request");
        assets.answer(&request).ok()
    }

    #[test]
    fn fingerprinted_files_are_kept_for_ever() {
        let assets = assets("a{}");
        let url = assets.url("site.css");
        let answer = ask(&assets, &url, None).expect("a file");
        let headers = answer.headers();
        assert_eq!(headers[header::CONTENT_TYPE], "text/css; charset=utf-8");
        let cache = headers[header::CACHE_CONTROL].to_str().expect("ASCII");
        assert!(cache.contains("immutable"), "{cache}");
        // What a script of this version imports is of this version, too.
        let folder = url.strip_suffix("site.css").expect("the name is last");
        assert!(ask(&assets, &format!("{folder}board/table.js"), None).is_some());
    }

    #[test]
    fn other_addresses_are_checked_each_time() {
        let (old, new) = (assets("a{}"), assets("b{}"));
        assert_ne!(old.url("site.css"), new.url("site.css"));
        for path in [old.url("site.css").as_str(), "/static/site.css"] {
            let answer = ask(&new, path, None).expect("a file");
            assert_eq!(answer.headers()[header::CACHE_CONTROL], "no-cache");
            let tag = answer.headers()[header::ETAG].to_str().expect("ASCII");
            let again = ask(&new, path, Some(&format!("\"x\", W/{tag}")));
            assert_eq!(again.expect("known").status(), StatusCode::NOT_MODIFIED);
        }
    }

    #[test]
    fn imports_are_followed() {
        let files = [
            (
                "page.js",
                "import { a as b } from './board/a.js';\nimport \"./c.js\";",
            ),
            (
                "board/a.js",
                "export const x = await import(\"../d.js\"); // it's from \"./no.js\"",
            ),
            (
                "c.js",
                "export {\n  x,\n} from\n  \"./page.js\";\nconst text = \"./e.js\";",
            ),
            (
                "d.js",
                "import \"https://elsewhere.example/x.js\"; import './c.js'",
            ),
            ("e.js", ""),
        ];
        let files = files.map(|(name, text)| (name.to_owned(), text.as_bytes().into()));
        let assets = Assets::new("/static", files);
        assert_eq!(assets.imports("page.js"), ["board/a.js", "c.js", "d.js"]);
        assert!(assets.imports("no.js").is_empty());
    }

    #[test]
    fn no_path_leads_elsewhere() {
        let assets = assets("a{}");
        for path in [
            "/static",
            "/static/",
            "/static/board",
            "/static/board/",
            "/static//site.css",
            "/static/./site.css",
            "/static/board/../site.css",
            "/static/..%2fsite.css",
            "/static/SITE.CSS",
            "/other/site.css",
        ] {
            assert!(ask(&assets, path, None).is_none(), "{path}");
        }
    }
}
