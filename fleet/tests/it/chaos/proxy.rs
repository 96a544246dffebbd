//! A balancer in front of the servers, over a bad network: it cuts, tears and delays.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use chacha20::ChaCha8Rng;
use rand::{RngExt as _, SeedableRng as _};

/// How the network treats each piece of data, in thousandths.
#[derive(Clone, Copy)]
pub(crate) struct Weather {
    pub(crate) cut: u32,
    pub(crate) torn: u32,
    pub(crate) delayed: u32,
    pub(crate) slow: u32,
}

/// A network without faults.
pub(crate) const CALM: Weather = Weather {
    cut: 0,
    torn: 0,
    delayed: 0,
    slow: 0,
};

/// The balancer, on a port of its own.
pub(crate) struct Balancer {
    pub(crate) port: u16,
    shared: Arc<Shared>,
}

struct Shared {
    servers: Vec<u16>,
    next: AtomicUsize,
    weather: Mutex<Weather>,
    /// Connections with lower numbers are dead, which neither end notices.
    dead: AtomicUsize,
    connections: AtomicUsize,
    random: Mutex<ChaCha8Rng>,
    is_over: AtomicBool,
}

impl Balancer {
    /// In front of servers on these ports.
    pub(crate) fn new(servers: Vec<u16>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("bound").port();
        let shared = Arc::new(Shared {
            servers,
            next: AtomicUsize::new(0),
            weather: Mutex::new(CALM),
            dead: AtomicUsize::new(0),
            connections: AtomicUsize::new(0),
            random: Mutex::new(ChaCha8Rng::seed_from_u64(0)),
            is_over: AtomicBool::new(false),
        });
        let accepting = Arc::clone(&shared);
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                if accepting.is_over.load(Ordering::Relaxed) {
                    return;
                }
                let shared = Arc::clone(&accepting);
                std::thread::spawn(move || shared.connect(client));
            }
        });
        Self { port, shared }
    }

    /// From now on, nothing comes through the connections that there are, and they stay open.
    pub(crate) fn go_silent(&self) {
        let connections = self.shared.connections.load(Ordering::Relaxed);
        self.shared.dead.store(connections, Ordering::Relaxed);
    }

    pub(crate) fn reseed(&self, seed: u64) {
        let mut random = self.shared.random.lock().expect("nobody panics");
        *random = ChaCha8Rng::seed_from_u64(seed);
    }

    pub(crate) fn set(&self, weather: Weather) {
        *self.shared.weather.lock().expect("nobody panics") = weather;
    }
}

impl Drop for Balancer {
    fn drop(&mut self) {
        self.shared.is_over.store(true, Ordering::Relaxed);
        // Wakes the thread that accepts.
        let _ = TcpStream::connect(("127.0.0.1", self.port));
    }
}

enum Fate {
    Pass,
    Cut,
    Torn,
    Delayed(Duration),
    Slow,
}

impl Shared {
    /// To the next server that takes the connection; one may be dead now.
    fn connect(self: &Arc<Self>, client: TcpStream) {
        let number = self.connections.fetch_add(1, Ordering::Relaxed);
        for _ in &self.servers {
            let next = self.next.fetch_add(1, Ordering::Relaxed) % self.servers.len();
            let Ok(server) = TcpStream::connect(("127.0.0.1", self.servers[next])) else {
                continue;
            };
            let (Ok(from_client), Ok(from_server)) = (client.try_clone(), server.try_clone())
            else {
                return;
            };
            let back = Arc::clone(self);
            let other = std::thread::spawn(move || back.carry(number, from_server, client));
            self.carry(number, from_client, server);
            let _ = other.join();
            return;
        }
    }

    fn carry(&self, number: usize, mut from: TcpStream, mut to: TcpStream) {
        let mut piece = [0; 4096];
        // A connection that nobody uses any more is given up.
        let _ = from.set_read_timeout(Some(Duration::from_mins(2)));
        while let Ok(length @ 1..) = from.read(&mut piece) {
            if number < self.dead.load(Ordering::Relaxed) {
                continue;
            }
            let sent = match self.fate() {
                Fate::Pass => to.write_all(&piece[..length]),
                Fate::Delayed(time) => {
                    std::thread::sleep(time);
                    to.write_all(&piece[..length])
                }
                Fate::Slow => piece[..length].chunks(64).try_for_each(|few| {
                    std::thread::sleep(Duration::from_millis(5));
                    to.write_all(few)
                }),
                Fate::Cut => break,
                Fate::Torn => {
                    let _ = to.write_all(&piece[..length / 2]);
                    break;
                }
            };
            if sent.is_err() {
                break;
            }
        }
        let _ = from.shutdown(Shutdown::Both);
        let _ = to.shutdown(Shutdown::Both);
    }

    fn fate(&self) -> Fate {
        let weather = *self.weather.lock().expect("nobody panics");
        let mut random = self.random.lock().expect("nobody panics");
        let drawn = random.random_range(0..1000);
        let milliseconds = random.random_range(0..400);
        let fates = [
            (weather.cut, Fate::Cut),
            (weather.torn, Fate::Torn),
            (
                weather.delayed,
                Fate::Delayed(Duration::from_millis(milliseconds)),
            ),
            (weather.slow, Fate::Slow),
        ];
        let mut below = 0;
        for (share, fate) in fates {
            below += share;
            if drawn < below {
                return fate;
            }
        }
        Fate::Pass
    }
}
