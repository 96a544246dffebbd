//! An index of the offsets of openings in a file, in little memory.
//!
//! At first every opening has an entry; once there are too many, every second one, then every
//! fourth, and so on. Others are found by skipping openings from the last entry before them.

/// Maximum number of entries: 0.2 MB.
const MAX_PLACES: usize = 1 << 13;

/// The location of an opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// Its number in the book, from 0.
    pub(super) number: u64,
    /// The byte offset of its line.
    pub(super) offset: u64,
    /// Its line, from 1.
    pub(super) line: u64,
}

/// The number of openings in a book, and the locations of some of them.
#[derive(Clone, Debug)]
pub(super) struct Index {
    places: Vec<Place>,
    len: u64,
    /// No two entries are closer than this number of openings.
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

    /// Number of openings.
    pub(super) fn len(&self) -> u64 {
        self.len
    }

    /// Adds the next opening. `offset` is `None` if it does not begin a line, since reading cannot
    /// start there.
    pub(super) fn push(&mut self, offset: Option<u64>, line: u64) {
        let number = self.len;
        self.len += 1;
        let is_due = self
            .places
            .last()
            .is_none_or(|last| number - last.number >= self.step);
        // Reading from the start of the file always works.
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

    /// The last entry at or before an opening.
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
