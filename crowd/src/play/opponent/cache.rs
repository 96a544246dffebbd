use std::collections::{BTreeMap, HashMap};

/// Answers by position, with least-recently-used eviction.
#[derive(Debug)]
pub(super) struct Cache<V> {
    capacity: usize,
    /// A logical clock; it grows with every use.
    now: u64,
    values: HashMap<String, (u64, V)>,
    by_use: BTreeMap<u64, String>,
}

impl<V: Copy> Cache<V> {
    pub(super) fn new(capacity: usize) -> Self {
        Self {
            capacity,
            now: 0,
            values: HashMap::new(),
            by_use: BTreeMap::new(),
        }
    }

    pub(super) fn get(&mut self, key: &str) -> Option<V> {
        let (used, value) = self.values.get_mut(key)?;
        let text = self.by_use.remove(used).expect("every value has its use");
        self.now += 1;
        *used = self.now;
        self.by_use.insert(self.now, text);
        Some(*value)
    }

    pub(super) fn put(&mut self, key: String, value: V) {
        self.now += 1;
        if let Some((used, _)) = self.values.insert(key.clone(), (self.now, value)) {
            self.by_use.remove(&used);
        }
        self.by_use.insert(self.now, key);
        while self.values.len() > self.capacity {
            let (_, oldest) = self.by_use.pop_first().expect("there are values");
            self.values.remove(&oldest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_lately_used_is_forgotten() {
        let mut cache = Cache::new(2);
        cache.put("a".to_owned(), 1);
        cache.put("b".to_owned(), 2);
        assert_eq!(cache.get("a"), Some(1));
        cache.put("c".to_owned(), 3);
        assert_eq!(
            (cache.get("a"), cache.get("b"), cache.get("c")),
            (Some(1), None, Some(3))
        );
        cache.put("a".to_owned(), 4);
        cache.put("d".to_owned(), 5);
        assert_eq!((cache.get("a"), cache.get("c")), (Some(4), None));
        assert_eq!((cache.values.len(), cache.by_use.len()), (2, 2));
    }
}
