//! Where in a file the openings stand, in little memory.
//!
//! Places are kept of every opening at first, of every second once those are too many, of every
//! fourth, and so forth. To get at one, those between it and the last place before it are passed over.

/// The most places that are kept: 0.2 MB.
const MAX_PLACES: usize = 1 << 13;

/// Where an opening stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// Its number in the book, from 0.
    pub(super) number: u64,
    /// The byte at which its line begins.
    pub(super) offset: u64,
    /// Its line, from 1.
    pub(super) line: u64,
}

/// How many openings a book has, and where some of them stand.
#[derive(Clone, Debug)]
pub(super) struct Index {
    places: Vec<Place>,
    len: u64,
    /// No two places are of openings nearer than this.
    step: u64,
    max_places: usize,
}

impl Index {
    pub(super) fn new() -> Self {
        Self::with_capacity(MAX_PLACES)
    }

    fn with_capacity(max_places: usize) -> Self {
        Self {
            places: Vec::new(),
            len: 0,
            step: 1,
            max_places,
        }
    }

    /// How many openings there are.
    pub(super) fn len(&self) -> u64 {
        self.len
    }

    /// Notes the next opening. `offset` is `None` where it does not begin a line: reading cannot
    /// begin there.
    pub(super) fn push(&mut self, offset: Option<u64>, line: u64) {
        let number = self.len;
        self.len += 1;
        let is_due = self
            .places
            .last()
            .is_none_or(|last| number - last.number >= self.step);
        // The first place is that of the file.
        let offset = if number == 0 { Some(0) } else { offset };
        let line = if number == 0 { 1 } else { line };
        let (true, Some(offset)) = (is_due, offset) else {
            return;
        };
        if self.places.len() == self.max_places {
            self.thin_out();
        }
        self.places.push(Place {
            number,
            offset,
            line,
        });
    }

    /// The last place that is not after an opening.
    ///
    /// # Panics
    ///
    /// If there is no such opening.
    pub(super) fn before(&self, number: u64) -> Place {
        assert!(number < self.len, "opening {number} of {}", self.len);
        let after = self.places.partition_point(|place| place.number <= number);
        self.places[after - 1]
    }

    fn thin_out(&mut self) {
        self.step *= 2;
        let mut index = 0;
        self.places.retain(|_| {
            index += 1;
            index % 2 == 1
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_near_and_few() {
        let mut index = Index::with_capacity(8);
        for number in 0..1000 {
            index.push(Some(number * 10), number + 1);
            assert!(index.places.len() <= 8);
        }
        assert_eq!((index.len(), index.step), (1000, 128));
        for number in 0..1000 {
            let place = index.before(number);
            assert!(
                place.number <= number && number - place.number < 256,
                "{number}: {place:?}"
            );
            assert_eq!(
                (place.offset, place.line),
                (place.number * 10, place.number + 1)
            );
        }
    }

    #[test]
    fn an_opening_within_a_line_has_no_place() {
        let mut index = Index::with_capacity(8);
        for (offset, line) in [(None, 1), (None, 1), (Some(70), 2), (None, 2)] {
            index.push(offset, line);
        }
        let places: Vec<_> = (0..4).map(|number| index.before(number)).collect();
        let first = Place {
            number: 0,
            offset: 0,
            line: 1,
        };
        let third = Place {
            number: 2,
            offset: 70,
            line: 2,
        };
        assert_eq!(places, [first, first, third, third]);
    }
}
