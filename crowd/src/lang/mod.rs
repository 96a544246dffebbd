//! The languages of the pages: one Fluent file each in `lang/`, named by its language tag.
//!
//! English is complete; what another language lacks is taken from it. Scripts get those that they
//! name, by [`Language::for_scripts`].

mod reason;
mod script;

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use fluent_langneg::{NegotiationStrategy, negotiate_languages};
use rust_embed::RustEmbed;
use unic_langid::LanguageIdentifier;

pub(crate) use script::NamedTexts;

#[derive(RustEmbed)]
#[folder = "lang/"]
struct Files;

const ENGLISH: &str = "en";

pub(crate) struct Language {
    /// Its tag, as in `lang` and `Content-Language`.
    pub(crate) code: String,
    tag: LanguageIdentifier,
    texts: FluentBundle<Arc<FluentResource>>,
    /// Of English and of the language itself; later ones have precedence.
    sources: Vec<Arc<FluentResource>>,
}

/// All languages by their tags; English is the first.
static ALL: LazyLock<Vec<Language>> = LazyLock::new(|| {
    let english = read(ENGLISH);
    let mut others: Vec<String> = Files::iter()
        .filter_map(|name| Some(name.strip_suffix(".ftl")?.to_owned()))
        .filter(|code| code != ENGLISH)
        .collect();
    // Embedded files come in no fixed order.
    others.sort();
    let others = others.into_iter().map(|code| {
        let own = read(&code);
        Language::new(code, vec![Arc::clone(&english), own])
    });
    let first = Language::new(ENGLISH.to_owned(), vec![Arc::clone(&english)]);
    std::iter::once(first).chain(others).collect()
});

/// Parses the file of a language, all of which are embedded in the program.
fn read(code: &str) -> Arc<FluentResource> {
    let file = Files::get(&format!("{code}.ftl")).expect("the name is one of those embedded");
    let text = String::from_utf8_lossy(&file.data).into_owned();
    let (resource, errors) = match FluentResource::try_new(text) {
        Ok(resource) => (resource, Vec::new()),
        // Fluent skips entries that it cannot read; the rest of the file can be used.
        Err(partly) => partly,
    };
    for error in errors {
        tracing::error!("{code}.ftl: {error}");
    }
    Arc::new(resource)
}

impl Language {
    fn new(code: String, sources: Vec<Arc<FluentResource>>) -> Self {
        let tag: LanguageIdentifier = code.parse().unwrap_or_default();
        let mut texts = FluentBundle::new_concurrent(vec![tag.clone()]);
        // The marks around what is put in would show when a text is copied or compared.
        texts.set_use_isolating(false);
        for source in &sources {
            texts.add_resource_overriding(Arc::clone(source));
        }
        Self {
            code,
            tag,
            texts,
            sources,
        }
    }

    pub(crate) fn all() -> &'static [Self] {
        &ALL
    }

    pub(crate) fn english() -> &'static Self {
        &ALL[0]
    }

    pub(crate) fn is_english(&self) -> bool {
        self.code == ENGLISH
    }

    pub(crate) fn name(&self) -> String {
        self.text("language-name", &[])
    }

    pub(crate) fn of_code(code: &str) -> Option<&'static Self> {
        ALL.iter().find(|language| language.code == code)
    }

    /// The best for a header `Accept-Language`; English if none fits.
    pub(crate) fn accepted(header: &str) -> &'static Self {
        let mut wanted: Vec<(f32, LanguageIdentifier)> = header
            .split(',')
            .filter_map(|range| {
                let mut parts = range.split(';').map(str::trim);
                let tag = parts.next()?.parse().ok()?;
                // Weights are 1 by default, and 0 excludes a language (RFC 9110, 12.4.2).
                let weight = parts.find_map(|part| part.strip_prefix("q=")?.parse().ok());
                Some((weight.unwrap_or(1.0), tag))
            })
            .filter(|(weight, _)| *weight > 0.0)
            .collect();
        // The sort is stable, so that of equal weights the first language wins.
        wanted.sort_by(|(one, _), (other, _)| other.total_cmp(one));
        let wanted: Vec<LanguageIdentifier> = wanted.into_iter().map(|(_, tag)| tag).collect();
        let there: Vec<&LanguageIdentifier> = ALL.iter().map(|language| &language.tag).collect();
        // `Lookup` finds at most one language (RFC 4647, 3.4).
        let best = negotiate_languages(&wanted, &there, None, NegotiationStrategy::Lookup);
        let best = best.first().and_then(|best| {
            let is_best = |language: &&Language| language.tag == ***best;
            ALL.iter().find(is_best)
        });
        best.unwrap_or_else(Self::english)
    }

    pub(crate) fn has(&self, key: &str) -> bool {
        self.texts.has_message(key)
    }

    pub(crate) fn text(&self, key: &str, values: &[(&str, FluentValue<'_>)]) -> String {
        let Some(pattern) = self.texts.get_message(key).and_then(|text| text.value()) else {
            tracing::error!("there is no text '{key}'");
            // A text that is missing must not take its page down; a test finds it.
            return key.to_owned();
        };
        let values: FluentArgs = values.iter().cloned().collect();
        let mut errors = Vec::new();
        let text = self
            .texts
            .format_pattern(pattern, Some(&values), &mut errors);
        for error in errors {
            tracing::error!("the text '{key}' in {}: {error}", self.code);
        }
        text.into_owned()
    }

    /// These texts as JSON, for `texts.js`; it can stand in a page.
    pub(crate) fn for_scripts(&self, named: &NamedTexts) -> String {
        let entries = self.sources.iter().flat_map(|source| source.entries());
        let texts: BTreeMap<&str, serde_json::Value> = entries
            .filter_map(script::text)
            .filter(|(name, _)| named.has(name))
            .collect();
        let texts = serde_json::to_value(texts).expect("texts by their names are JSON");
        // Otherwise a text could end the element that it stands in.
        texts.to_string().replace('<', "\\u003c")
    }
}

#[cfg(test)]
mod tests;
