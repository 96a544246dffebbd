//! Who holds the connections of a server, and which of them are idle: those are closed first when a
//! new one needs the place.

use std::collections::{BTreeSet, HashMap};
use std::future::Future;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

/// The places that connections hold; clones share them.
#[derive(Clone, Debug, Default)]
pub(crate) struct ConnectionSlots(Arc<SharedSlots>);

#[derive(Debug, Default)]
struct SharedSlots {
    table: Mutex<SlotTable>,
    /// Wakes those who wait for a connection to become idle.
    became_idle: Notify,
}

#[derive(Debug, Default)]
struct SlotTable {
    /// A logical clock: the number of the last connection, or of the last time that one became idle.
    now: u64,
    places: HashMap<u64, HeldSlot>,
    /// Number of open connections per address, without those that are to be closed.
    of_address: HashMap<IpAddr, usize>,
    /// Idle connections, longest first: since when, and their numbers.
    idle: BTreeSet<(u64, u64)>,
    /// The same for each address.
    idle_of: BTreeSet<(IpAddr, u64, u64)>,
}

#[derive(Debug)]
struct HeldSlot {
    address: IpAddr,
    idle_since: Option<u64>,
    /// Whether it has had neither a request nor time for one.
    is_new: bool,
    is_closing: bool,
    close: Arc<Notify>,
}

/// A place taken by a connection; dropping it frees the place.
#[derive(Debug)]
pub(crate) struct ConnectionSlot {
    places: ConnectionSlots,
    number: u64,
    close: Arc<Notify>,
}

/// A request of a connection, which is idle again when this is dropped.
#[derive(Debug)]
pub(crate) struct BusyConnection {
    places: ConnectionSlots,
    number: u64,
}

impl ConnectionSlots {
    fn table(&self) -> MutexGuard<'_, SlotTable> {
        self.0.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a place for a new connection, which counts as busy until it has [had time](ConnectionSlot::settle)
    /// for its first request. If the address has `most`, the one of them that has been idle longest is
    /// closed; without such a one, there is no place.
    pub(crate) fn take(&self, address: IpAddr, most: usize) -> Option<ConnectionSlot> {
        let mut table = self.table();
        if table
            .of_address
            .get(&address)
            .is_some_and(|open| *open >= most)
        {
            let first = (address, 0, 0);
            let &(found, _, idle) = table.idle_of.range(first..).next()?;
            if found != address {
                return None;
            }
            table.close(idle);
        }
        table.now += 1;
        let number = table.now;
        let close = Arc::new(Notify::new());
        let held = HeldSlot {
            address,
            idle_since: None,
            is_new: true,
            is_closing: false,
            close: Arc::clone(&close),
        };
        table.places.insert(number, held);
        *table.of_address.entry(address).or_default() += 1;
        Some(ConnectionSlot {
            places: self.clone(),
            number,
            close,
        })
    }

    /// Closes the connection that has been idle longest; returns whether there is one.
    pub(crate) fn close_idle(&self) -> bool {
        let mut table = self.table();
        let longest = table.idle.first().copied();
        if let Some((_, number)) = longest {
            table.close(number);
        }
        longest.is_some()
    }

    /// Completes when a connection has become idle after this call.
    pub(crate) fn became_idle(&self) -> impl Future<Output = ()> {
        self.0.became_idle.notified()
    }
}

impl SlotTable {
    fn set_idle(&mut self, number: u64, is_idle: bool) {
        let Some(held) = self.places.get_mut(&number) else {
            return;
        };
        held.is_new = false;
        if let Some(since) = held.idle_since.take() {
            self.idle.remove(&(since, number));
            self.idle_of.remove(&(held.address, since, number));
        }
        // One that is to be closed is nobody's to close any more.
        if is_idle && !held.is_closing {
            self.now += 1;
            held.idle_since = Some(self.now);
            self.idle.insert((self.now, number));
            self.idle_of.insert((held.address, self.now, number));
        }
    }

    /// Asks a connection to close, and no longer counts it for its address.
    fn close(&mut self, number: u64) {
        let Some(held) = self.places.get_mut(&number) else {
            return;
        };
        held.is_closing = true;
        // `notify_one` is remembered if the connection does not wait for it at this moment.
        held.close.notify_one();
        let address = held.address;
        self.set_idle(number, false);
        self.forget_one_of(address);
    }

    fn forget_one_of(&mut self, address: IpAddr) {
        if let Some(open) = self.of_address.get_mut(&address) {
            *open -= 1;
            if *open == 0 {
                self.of_address.remove(&address);
            }
        }
    }
}

impl ConnectionSlot {
    /// Notes that a request has begun.
    pub(crate) fn busy(&self) -> BusyConnection {
        self.places.table().set_idle(self.number, false);
        BusyConnection {
            places: self.places.clone(),
            number: self.number,
        }
    }

    /// Notes that the connection has had time for its first request: without one, it is idle.
    pub(crate) fn settle(&self) {
        let mut table = self.places.table();
        if table
            .places
            .get(&self.number)
            .is_some_and(|held| held.is_new)
        {
            table.set_idle(self.number, true);
            drop(table);
            self.places.0.became_idle.notify_waiters();
        }
    }

    /// Completes when the connection is to be closed.
    pub(crate) async fn closed(&self) {
        self.close.notified().await;
    }
}

impl Drop for BusyConnection {
    fn drop(&mut self) {
        self.places.table().set_idle(self.number, true);
        self.places.0.became_idle.notify_waiters();
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        let mut table = self.places.table();
        table.set_idle(self.number, false);
        if let Some(held) = table.places.remove(&self.number)
            && !held.is_closing
        {
            table.forget_one_of(held.address);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    #[test]
    fn an_address_has_so_many_places_and_its_longest_idle_one_goes_first() {
        let places = ConnectionSlots::default();
        let (one, other) = (address("192.0.2.1"), address("192.0.2.2"));
        let take = |from| places.take(from, 2);
        let (first, second) = (take(one).expect("a place"), take(one).expect("a place"));
        assert!(take(one).is_none(), "both may have a request on the way");
        let apart = take(other).expect("a place");
        for place in [&first, &second, &apart] {
            place.settle();
        }
        // The first has had a request meanwhile.
        drop(first.busy());
        let third = take(one).expect("the second is closed for it");
        let is_closing = |place: &ConnectionSlot| places.table().places[&place.number].is_closing;
        let closing = [&first, &second, &third, &apart].map(is_closing);
        assert_eq!(closing, [false, true, false, false]);
        let running = (first.busy(), third.busy());
        assert!(take(one).is_none(), "both have requests");
        assert!(take(other).is_some());
        drop(running);
        drop((first, second, third, apart));
        let table = places.table();
        assert!(table.places.is_empty() && table.of_address.is_empty());
        assert!(table.idle.is_empty() && table.idle_of.is_empty());
    }

    #[test]
    fn without_an_idle_connection_none_is_closed() {
        let places = ConnectionSlots::default();
        assert!(!places.close_idle());
        let place = places.take(address("2001:db8::"), 1).expect("a place");
        assert!(!places.close_idle());
        let request = place.busy();
        place.settle();
        assert!(!places.close_idle());
        drop(request);
        assert!(places.close_idle());
        assert!(!places.close_idle(), "it is being closed");
    }
}
