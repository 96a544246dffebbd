use std::collections::HashMap;
use std::hash::Hash;

/// A bounded cache of the most recently used values.
#[derive(Debug)]
pub(super) struct Recent<K, V> {
    most: usize,
    clock: u64,
    values: HashMap<K, (u64, V)>,
}

impl<K: Clone + Eq + Hash, V: Clone> Recent<K, V> {
    pub(super) fn new(most: usize) -> Self {
        Self {
            most,
            clock: 0,
            values: HashMap::new(),
        }
    }

    pub(super) fn get<Q>(&mut self, key: &Q) -> Option<V>
    where
        K: std::borrow::Borrow<Q>,
        Q: Eq + Hash + ?Sized,
    {
        self.clock += 1;
        let (asked, value) = self.values.get_mut(key)?;
        *asked = self.clock;
        Some(value.clone())
    }

    pub(super) fn put(&mut self, key: K, value: V) {
        if self.values.len() >= self.most {
            self.forget_older_half();
        }
        self.clock += 1;
        self.values.insert(key, (self.clock, value));
    }

    pub(super) fn forget(&mut self, is_stale: impl Fn(&V) -> bool) {
        self.values.retain(|_, (_, value)| !is_stale(value));
    }

    /// Evicts half at once, so that the cost of finding the oldest is amortised.
    fn forget_older_half(&mut self) {
        let mut times: Vec<u64> = self.values.values().map(|(asked, _)| *asked).collect();
        let middle = times.len() / 2;
        let (_, &mut median, _) = times.select_nth_unstable(middle);
        self.values.retain(|_, (asked, _)| *asked > median);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_are_forgotten() {
        let mut recent = Recent::new(4);
        for key in 0..4 {
            recent.put(key, key * 10);
        }
        assert_eq!(recent.get(&0), Some(0));
        recent.put(4, 40);
        assert_eq!(recent.get(&1), None);
        assert_eq!(recent.get(&0), Some(0));
        assert_eq!(recent.get(&4), Some(40));
        recent.forget(|value| *value == 40);
        assert_eq!(recent.get(&4), None);
    }
}
