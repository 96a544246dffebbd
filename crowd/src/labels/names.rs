use std::collections::HashMap;

/// Texts, each once, numbered from 0 in order of first sight.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    texts: Vec<String>,
    indices: HashMap<String, usize>,
}

impl Names {
    /// The number of a text; it gets the next where it has none.
    pub fn intern(&mut self, text: &str) -> usize {
        if let Some(&index) = self.indices.get(text) {
            return index;
        }
        let index = self.texts.len();
        self.texts.push(text.to_owned());
        self.indices.insert(text.to_owned(), index);
        index
    }

    /// The number of a text that has one.
    pub fn find(&self, text: &str) -> Option<usize> {
        self.indices.get(text).copied()
    }

    /// All texts; the number of each is its place.
    pub fn texts(&self) -> &[String] {
        &self.texts
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// The numbers in the order of the texts by their bytes.
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
