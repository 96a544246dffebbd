use std::collections::HashMap;

/// Interned strings, numbered from 0 in order of first occurrence.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    texts: Vec<String>,
    indices: HashMap<String, usize>,
}

impl Names {
    /// The index of a text; a new one is added.
    pub fn intern(&mut self, text: &str) -> usize {
        if let Some(&index) = self.indices.get(text) {
            return index;
        }
        let index = self.texts.len();
        self.texts.push(text.to_owned());
        self.indices.insert(text.to_owned(), index);
        index
    }

    /// The index of a text, if it has one.
    pub fn find(&self, text: &str) -> Option<usize> {
        self.indices.get(text).copied()
    }

    /// All texts, by index.
    pub fn texts(&self) -> &[String] {
        &self.texts
    }

    /// Number of texts.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// The indices in the byte order of the texts.
    pub fn sorted(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.len()).collect();
        order.sort_by(|&one, &other| self.texts[one].cmp(&self.texts[other]));
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_follow_first_sight() {
        let mut names = Names::default();
        assert_eq!(["b", "a", "b"].map(|text| names.intern(text)), [0, 1, 0]);
        assert_eq!(names.sorted(), [1, 0]);
        assert_eq!((names.find("a"), names.find("c")), (Some(1), None));
    }
}
