//! Splits a file into parts.

use std::collections::HashMap;
use std::io;

use chacha20::ChaCha8Rng;
use chess::rules::Color;
use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;

use super::classify::phase;
use super::items::{ItemSpool, StoredItem, StoredItems};
use crate::stream::numbers::Numbers;
use crate::stream::sorter::{Sorted, Sorter, entry, number};
use crate::text::Record;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Division {
    /// This many records per part, fewer in the last.
    Records(usize),
    /// This many parts, whose sizes differ by at most one.
    Parts(usize),
    /// One part per value of a property.
    By(Quality),
}

/// A property of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Quality {
    /// First word of the opcode tag, or `untagged`
    Tag,
    /// Side to move: `white` or `black`
    Side,
    /// `opening`, `middlegame` or `endgame`
    Phase,
}

impl Quality {
    pub(crate) fn of(self, record: &Record) -> String {
        match self {
            Self::Tag => record.tags().next().unwrap_or("untagged").to_owned(),
            Self::Side => match record.position().side_to_move() {
                Color::White => "white".to_owned(),
                Color::Black => "black".to_owned(),
            },
            Self::Phase => phase(record.position()).to_string(),
        }
    }
}

/// Collects items, to be split into parts.
pub(crate) struct Splitter {
    items: ItemSpool,
    /// The place of each item.
    places: Numbers,
    /// The comments above the first record, which every part begins with.
    pub(crate) head: String,
    /// The values of the property, in the order of their first occurrence, and the index of that of each
    /// item.
    names: Vec<String>,
    known: HashMap<String, u64>,
    values: Numbers,
}

impl Splitter {
    pub(crate) fn new() -> Self {
        Self {
            items: ItemSpool::new(),
            places: Numbers::new(),
            head: String::new(),
            names: Vec::new(),
            known: HashMap::new(),
            values: Numbers::new(),
        }
    }

    /// Number of items.
    pub(crate) fn len(&self) -> u64 {
        self.places.len()
    }

    /// Adds an item, with the value of the property that decides on its part.
    pub(crate) fn add(&mut self, mut item: StoredItem, value: Option<String>) -> io::Result<()> {
        if self.len() == 0 {
            self.head = std::mem::take(&mut item.above);
        }
        let place = self.items.push(&item)?;
        self.places.push(place)?;
        if let Some(value) = value {
            let index = match self.known.get(&value) {
                Some(&index) => index,
                None => self.add_value(value),
            };
            self.values.push(index)?;
        }
        Ok(())
    }

    fn add_value(&mut self, value: String) -> u64 {
        let index = self.names.len() as u64;
        self.names.push(value.clone());
        self.known.insert(value, index);
        index
    }

    /// Divides the items, which are shuffled before if there is a seed: the order depends on the seed
    /// alone, and comments move with the record below them. No part is empty.
    ///
    /// # Errors
    ///
    /// When there are too many records to be shuffled, or a temporary file fails.
    pub(crate) fn split(self, division: Division, seed: Option<u64>) -> io::Result<Parts> {
        let order = match seed {
            None => None,
            Some(seed) => {
                let count = u32::try_from(self.len());
                let count = count.map_err(|_| io::Error::other("too many records to shuffle"))?;
                let mut order: Vec<u32> = (0..count).collect();
                order.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
                Some(order)
            }
        };
        let total = self.len();
        let sizes: Vec<u64> = match division {
            Division::Records(size) => {
                let size = size as u64;
                let whole = std::iter::repeat_n(size, usize(total / size));
                whole
                    .chain(Some(total % size).filter(|&rest| rest > 0))
                    .collect()
            }
            Division::Parts(count) => {
                let count = count as u64;
                let (size, longer) = (total / count, total % count);
                let sizes = (0..count.min(total)).map(|part| size + u64::from(part < longer));
                sizes.collect()
            }
            Division::By(_) => return self.by_value(order.as_deref()),
        };
        let width = sizes.len().to_string().len();
        let name = |(index, size)| (format!("{:0width$}", index + 1), size);
        Ok(Parts {
            sizes: sizes.into_iter().enumerate().map(name).collect(),
            order: Order::Places(order, 0),
            places: self.places,
            items: self.items.finish()?,
        })
    }

    /// One part per value, in the order of their first occurrence among the shuffled items.
    fn by_value(mut self, order: Option<&[u32]>) -> io::Result<Parts> {
        let mut parts: Vec<(String, u64)> = Vec::new();
        let mut ranks: Vec<Option<u64>> = vec![None; self.names.len()];
        let mut sorter = Sorter::new();
        for position in 0..self.len() {
            let index = at(order, position);
            let value = usize(self.values.get(index)?);
            let rank = *ranks[value].get_or_insert_with(|| {
                parts.push((self.names[value].clone(), 0));
                parts.len() as u64 - 1
            });
            parts[usize(rank)].1 += 1;
            sorter.push(entry(&[], &[rank, position, self.places.get(index)?]))?;
        }
        Ok(Parts {
            sizes: parts,
            order: Order::Sorted(sorter.sorted()?),
            places: self.places,
            items: self.items.finish()?,
        })
    }
}

fn usize(number: u64) -> usize {
    usize::try_from(number).expect("it counts something in memory")
}

fn at(order: Option<&[u32]>, position: u64) -> u64 {
    order.map_or(position, |order| u64::from(order[usize(position)]))
}

/// Where the items of the parts are, one part after the other.
enum Order {
    /// The indices of the items, if they are shuffled, and the number of those already read.
    Places(Option<Vec<u32>>, u64),
    /// Part, position, place.
    Sorted(Sorted<24>),
}

/// The parts of a file.
pub(crate) struct Parts {
    /// Their names (a number with leading zeros, or the value of the property) and sizes.
    pub(crate) sizes: Vec<(String, u64)>,
    order: Order,
    places: Numbers,
    items: StoredItems,
}

impl Parts {
    /// The next item: those of the first part come first.
    pub(crate) fn next(&mut self) -> io::Result<Option<StoredItem>> {
        let place = match &mut self.order {
            Order::Places(order, read) => {
                if *read == self.places.len() {
                    return Ok(None);
                }
                let index = at(order.as_deref(), *read);
                *read += 1;
                self.places.get(index)?
            }
            Order::Sorted(sorted) => match sorted.next().transpose()? {
                Some(entry) => number(&entry, 16),
                None => return Ok(None),
            },
        };
        self.items.get(place).map(Some)
    }
}
