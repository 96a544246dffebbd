//! A bounded cache.

use std::borrow::Borrow;
use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

/// A bounded cache, which evicts the least recently used value.
#[derive(Debug)]
pub(crate) struct Recent<K, V> {
    capacity: usize,
    /// A logical clock; it grows with every use.
    now: u64,
    values: HashMap<K, (u64, V)>,
    by_use: BTreeMap<u64, K>,
}

impl<K: Clone + Eq + Hash, V: Clone> Recent<K, V> {
    pub(crate) fn new(capacity: usize) -> Self {
        Self {
            capacity,
            now: 0,
            values: HashMap::new(),
            by_use: BTreeMap::new(),
        }
    }

    pub(crate) fn get<Q>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
        Q: Eq + Hash + ?Sized,
    {
        let (used, value) = self.values.get_mut(key)?;
        let key = self.by_use.remove(used).expect("every value has its use");
        self.now += 1;
        *used = self.now;
        self.by_use.insert(self.now, key);
        Some(value.clone())
    }

    pub(crate) fn put(&mut self, key: K, value: V) {
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

    pub(crate) fn remove<Q>(&mut self, key: &Q)
    where
        K: Borrow<Q>,
        Q: Eq + Hash + ?Sized,
    {
        if let Some((used, _)) = self.values.remove(key) {
            self.by_use.remove(&used);
        }
    }

    pub(crate) fn remove_if(&mut self, is_stale: impl Fn(&V) -> bool) {
        let Self { values, by_use, .. } = self;
        values.retain(|_, (used, value)| {
            let is_kept = !is_stale(value);
            if !is_kept {
                by_use.remove(used);
            }
            is_kept
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_recently_used_is_evicted() {
        let mut recent = Recent::new(2);
        recent.put("a", 1);
        recent.put("b", 2);
        assert_eq!(recent.get("a"), Some(1));
        recent.put("c", 3);
        let found = ["a", "b", "c"].map(|key| recent.get(key));
        assert_eq!(found, [Some(1), None, Some(3)]);
        recent.put("a", 4);
        recent.put("d", 5);
        assert_eq!((recent.get("a"), recent.get("c")), (Some(4), None));
        recent.remove_if(|value| *value == 4);
        assert_eq!((recent.get("a"), recent.get("d")), (None, Some(5)));
        assert_eq!((recent.values.len(), recent.by_use.len()), (1, 1));
        recent.remove("a");
        recent.remove("d");
        assert_eq!((recent.values.len(), recent.by_use.len()), (0, 0));
    }
}
