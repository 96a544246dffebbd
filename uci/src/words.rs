//! Splits and quotes the words of a command line.

/// Splits a text into words as a POSIX shell does: blanks separate words unless quoted or escaped,
/// `#` begins a comment. Variables and patterns are not expanded. On Windows, a backslash is part of
/// a path and escapes nothing. `None` if a quotation mark is not closed, or a backslash that escapes
/// ends the text.
pub fn split_words(text: &str) -> Option<Vec<String>> {
    if cfg!(windows) {
        split_with_paths(text)
    } else {
        shlex::split(text)
    }
}

/// Quotes a word, if necessary, such that [`split_words`] returns it.
pub fn quote_word(word: &str) -> String {
    if cfg!(windows) {
        quote_with_paths(word)
    } else {
        // Only a NUL cannot be quoted, and no program can be started with one.
        shlex::try_quote(word).map_or_else(|_| word.to_owned(), std::borrow::Cow::into_owned)
    }
}

/// Quotes words, and joins them with blanks.
pub fn join_words<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    words
        .into_iter()
        .map(quote_word)
        .collect::<Vec<_>>()
        .join(" ")
}

/// Splits like a shell in which a backslash is an ordinary character.
fn split_with_paths(text: &str) -> Option<Vec<String>> {
    let mut escaped = String::with_capacity(text.len());
    let mut quotation = None;
    for c in text.chars() {
        match (quotation, c) {
            (None, '\'' | '"') => quotation = Some(c),
            (Some(mark), _) if mark == c => quotation = None,
            // Between single quotation marks, shells take it as it is, too.
            (None | Some('"'), '\\') => escaped.push('\\'),
            _ => {}
        }
        escaped.push(c);
    }
    shlex::split(&escaped)
}

/// Quotes for [`split_with_paths`]: a word with both kinds of quotation marks is joined of parts.
fn quote_with_paths(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "\\:/._-+=,@%~()[]{}^!".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    if !word.contains('"') {
        return format!("\"{word}\"");
    }
    let parts = word.split('\'').map(|part| format!("'{part}'"));
    parts.collect::<Vec<_>>().join("\"'\"")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_backslash_is_part_of_a_path() {
        let split = |text| split_with_paths(text).expect("well formed");
        assert_eq!(
            split(r#"C:\engines\sf.exe --name "C:\My Engines\" '\\host\share\x y'"#),
            [
                r"C:\engines\sf.exe",
                "--name",
                r"C:\My Engines\",
                r"\\host\share\x y"
            ]
        );
        assert_eq!(split(r#"cmd="D:\ä b\e" a"b"'c'"#), [r"cmd=D:\ä b\e", "abc"]);
        assert_eq!(split_with_paths("a 'b"), None);
        for (word, expected) in rows![
            r"C:\engines\sf.exe" => r"C:\engines\sf.exe";
            r"C:\My Engines\" => r#""C:\My Engines\""#;
            "" => "\"\"";
            r#"say "it's""# => r#"'say "it'"'"'s"'"#;
        ] {
            assert_eq!(quote_with_paths(word), expected);
        }
    }

    proptest! {
        #[test]
        fn what_is_quoted_is_split_again(words in prop::collection::vec("[ -~äß\t\n]{0,8}", 0..4)) {
            let joined = words.iter().map(|word| quote_with_paths(word));
            let joined = joined.collect::<Vec<_>>().join(" ");
            prop_assert_eq!(split_with_paths(&joined), Some(words.clone()), "{}", joined);
            let joined = join_words(words.iter().map(String::as_str));
            prop_assert_eq!(split_words(&joined), Some(words), "{}", joined);
        }
    }
}
