//! The proxy by which a build fetches what it needs: it reaches the internet, the host of the repository and those that the
//! machine's owner names, and no other address of this machine or of its networks. For HTTP alone, which git, cargo, go, curl and wget speak with a proxy.
#![expect(
    clippy::disallowed_methods,
    reason = "the edge reads the proxies of the environment"
)]

use std::collections::{BTreeSet, HashMap};
use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::net::ToSocketAddrs as _;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use axum::http::Uri;
use axum::http::uri::Authority;
use base64::Engine as _;

/// Time for the head of a request, and for a connection.
const PATIENCE: Duration = Duration::from_secs(20);
/// The longest head of a request, in bytes.
const LONGEST_HEAD: usize = 1 << 14;
/// Number of connections at a time; cargo makes some dozens.
const MOST_CONNECTIONS: usize = 256;
/// Number of refused hosts that are listed.
const MOST_REFUSALS: usize = 10;

/// A proxy that runs as long as this exists.
#[derive(Debug)]
pub(super) struct FetchProxy {
    port: u16,
    shared: Arc<ProxyState>,
    accepting: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct ProxyState {
    /// The host of the repository, which a maintainer has approved, and its port: it may be in the machine's network.
    repository: Option<(String, u16)>,
    /// Other hosts that may be.
    named: Vec<String>,
    /// The proxies of the machine: `http_proxy`, `https_proxy` and `no_proxy`, in lower case.
    environment: Vec<(&'static str, String)>,
    is_over: AtomicBool,
    /// Hosts that were refused, for the log of the build: tools print the status alone.
    refused: Mutex<BTreeSet<String>>,
    /// The streams of each connection.
    open: Mutex<HashMap<u64, Vec<TcpStream>>>,
}

/// Why a request is not answered by a server: a status and the reason, which tools print.
type ProxyRefusal = (&'static str, String);

impl FetchProxy {
    /// Starts a proxy for the build of a repository.
    ///
    /// # Errors
    /// No port can be listened at.
    pub(super) fn start(repository: &str, named: &[String]) -> io::Result<Self> {
        let names = ["http_proxy", "https_proxy", "no_proxy"];
        let environment = names.into_iter().filter_map(|name| {
            let value = std::env::var(name).or_else(|_| std::env::var(name.to_uppercase()));
            Some((name, value.ok()?))
        });
        Self::with_environment(repository, named, environment.collect())
    }

    fn with_environment(
        repository: &str,
        named: &[String],
        environment: Vec<(&'static str, String)>,
    ) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let port = listener.local_addr()?.port();
        let shared = Arc::new(ProxyState {
            repository: host_of(repository),
            named: named.to_vec(),
            environment,
            is_over: AtomicBool::new(false),
            refused: Mutex::default(),
            open: Mutex::default(),
        });
        let accepting = Arc::clone(&shared);
        let accepting = std::thread::spawn(move || accepting.accept(&listener));
        Ok(Self {
            port,
            shared,
            accepting: Some(accepting),
        })
    }

    /// A line for each host that was refused.
    pub(super) fn refusals(&self) -> String {
        let refused = self.shared.refused.lock();
        let refused = refused.unwrap_or_else(PoisonError::into_inner);
        let line = |host: &String| {
            format!(
                "\n{host} is this machine, or in its networks: expected --fetch-from {host} of the worker"
            )
        };
        refused.iter().map(line).collect()
    }

    /// The port of the loopback interface at which it listens.
    pub(super) const fn port(&self) -> u16 {
        self.port
    }

    /// The variables by which programs find it.
    pub(super) fn variables(&self) -> Vec<(OsString, OsString)> {
        let address = format!("http://127.0.0.1:{}", self.port);
        // curl reads `http_proxy` in lower case alone, as servers set `HTTP_PROXY` from a header (httpoxy, CVE-2016-5385).
        let names = [
            "http_proxy",
            "https_proxy",
            "HTTP_PROXY",
            "HTTPS_PROXY",
            "ALL_PROXY",
        ];
        names
            .map(|name| (name.into(), address.clone().into()))
            .to_vec()
    }
}

impl Drop for FetchProxy {
    fn drop(&mut self) {
        self.shared.is_over.store(true, Ordering::Release);
        // It waits for a client, and this is one.
        let woken = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port));
        // Without that, it may wait for as long as this program runs.
        if let (Ok(_), Some(accepting)) = (woken, self.accepting.take()) {
            let _ = accepting.join();
        }
        let open = std::mem::take(&mut *self.shared.open());
        for stream in open.into_values().flatten() {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

impl ProxyState {
    fn open(&self) -> std::sync::MutexGuard<'_, HashMap<u64, Vec<TcpStream>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn accept(self: &Arc<Self>, listener: &TcpListener) {
        for (number, client) in (0..).zip(listener.incoming()) {
            if self.is_over.load(Ordering::Acquire) {
                return;
            }
            let Ok(client) = client else { continue };
            if self.open().len() >= MOST_CONNECTIONS || !self.note(number, &client) {
                continue;
            }
            let shared = Arc::clone(self);
            std::thread::spawn(move || {
                // A connection that breaks is the client's to notice.
                let _ = shared.serve(number, client);
                shared.open().remove(&number);
            });
        }
    }

    /// Keeps a stream of a connection, so that it ends with the proxy.
    fn note(&self, number: u64, stream: &TcpStream) -> bool {
        let Ok(stream) = stream.try_clone() else {
            return false;
        };
        let mut open = self.open();
        // What comes after the proxy has ended its streams would be ended by nobody.
        if self.is_over.load(Ordering::Acquire) {
            return false;
        }
        open.entry(number).or_default().push(stream);
        true
    }

    fn serve(&self, number: u64, mut client: TcpStream) -> io::Result<()> {
        client.set_read_timeout(Some(PATIENCE))?;
        let (head, rest) = read_head(&mut client)?;
        let connected = ProxyRequest::parse(&head).and_then(|request| {
            let (server, head) = self.connect(&request)?;
            Ok((request, server, head))
        });
        let (request, mut server, head) = match connected {
            Ok(connected) => connected,
            Err((status, reason)) => {
                let length = reason.len();
                let answer = format!(
                    "HTTP/1.1 {status}\r\nContent-Type: text/plain\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{reason}"
                );
                return client.write_all(answer.as_bytes());
            }
        };
        if !self.note(number, &server) {
            return Ok(());
        }
        client.set_read_timeout(None)?;
        if request.is_tunnel && head.is_empty() {
            client.write_all(b"HTTP/1.1 200 Connection established\r\n\r\n")?;
        }
        server.write_all(&head)?;
        server.write_all(&rest)?;
        let (mut from, mut to) = (client.try_clone()?, server.try_clone()?);
        let sending = std::thread::spawn(move || {
            let _ = io::copy(&mut from, &mut to);
            // The server learns that no more comes; what it still sends is read.
            let _ = to.shutdown(Shutdown::Write);
        });
        let received = io::copy(&mut server, &mut client);
        let _ = client.shutdown(Shutdown::Both);
        let _ = sending.join();
        received.map(|_| ())
    }

    /// Connects to the server of a request, or to the machine's own proxy; returns what is to be sent to it first.
    fn connect(&self, request: &ProxyRequest) -> Result<(TcpStream, Vec<u8>), ProxyRefusal> {
        let ProxyRequest { host, port, .. } = request;
        let is_named = self.repository.as_ref() == Some(&(host.clone(), *port))
            || self.named.iter().any(|named| named == host);
        let found = (host.as_str(), *port).to_socket_addrs();
        let found: Vec<SocketAddr> = found.map(Iterator::collect).unwrap_or_default();
        let is_permitted = |address: &SocketAddr| is_named || is_public(address.ip());
        let own = || {
            let refused = self.refused.lock();
            let mut refused = refused.unwrap_or_else(PoisonError::into_inner);
            if refused.len() < MOST_REFUSALS {
                refused.insert(host.clone());
            }
            let reason = format!("{host} is this machine, or in its networks: not for builds\n");
            Err(("403 Forbidden", reason))
        };
        if found.iter().any(|address| !is_permitted(address)) {
            return own();
        }
        if let Some(upstream) = self.upstream(request) {
            // Where all goes through a proxy, names may be known to it alone.
            let addresses = upstream.address.to_socket_addrs();
            let addresses = addresses.map(Iterator::collect).unwrap_or_default();
            let server = connect(addresses, &upstream.address)?;
            return Ok((server, request.head_for(Some(&upstream))));
        }
        let server = connect(found, host)?;
        // Its own public address reaches services of this machine that listen at all addresses.
        let ends = (server.local_addr(), server.peer_addr());
        let is_own = matches!(ends, (Ok(from), Ok(to)) if from.ip() == to.ip());
        if is_own && !is_named {
            return own();
        }
        let head = if request.is_tunnel {
            Vec::new()
        } else {
            request.head_for(None)
        };
        Ok((server, head))
    }

    /// The proxy that the machine uses for a request.
    fn upstream(&self, request: &ProxyRequest) -> Option<Upstream> {
        let variable = |name: &str| {
            let found = self.environment.iter().find(|(found, _)| *found == name);
            found.map_or("", |(_, value)| value)
        };
        let direct = variable("no_proxy");
        let is_direct = direct.split(',').map(str::trim).any(|suffix| {
            let suffix = suffix.trim_start_matches('.');
            suffix == "*"
                || !suffix.is_empty()
                    && (request.host == suffix || request.host.ends_with(&format!(".{suffix}")))
        });
        let name = if request.is_tunnel {
            "https_proxy"
        } else {
            "http_proxy"
        };
        let proxy = variable(name);
        let is_used = !is_direct && !proxy.is_empty();
        is_used.then(|| proxy.parse().ok())?
    }
}

/// A proxy of the machine.
struct Upstream {
    /// Host and port.
    address: String,
    /// The value of `Proxy-Authorization`.
    authorization: Option<String>,
}

impl std::str::FromStr for Upstream {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let text = text.strip_prefix("http://").unwrap_or(text);
        let text = text.trim_end_matches('/');
        let (user, address) = match text.rsplit_once('@') {
            Some((user, address)) => (Some(user), address),
            None => (None, text),
        };
        let authority: Authority = address.parse().map_err(|_| ())?;
        let port = authority.port_u16().unwrap_or(80);
        let authorization = user.map(|user| {
            let user = percent_encoding::percent_decode_str(user).collect::<Vec<u8>>();
            let user = base64::prelude::BASE64_STANDARD.encode(user);
            format!("Basic {user}")
        });
        Ok(Self {
            address: format!("{}:{port}", authority.host()),
            authorization,
        })
    }
}

/// The head of a request.
struct ProxyRequest {
    method: String,
    /// As it was sent: a whole address, or host and port.
    target: String,
    /// In lower case, IPv6 without brackets.
    host: String,
    port: u16,
    path: String,
    headers: Vec<String>,
    /// Whether it asks for a connection to the server.
    is_tunnel: bool,
}

impl ProxyRequest {
    fn parse(head: &str) -> Result<Self, ProxyRefusal> {
        let invalid = || {
            (
                "400 Bad Request",
                "expected a request to a proxy\n".to_owned(),
            )
        };
        let mut lines = head.split("\r\n");
        let mut words = lines.next().unwrap_or_default().split(' ');
        let (method, target) = (words.next().unwrap_or_default(), words.next());
        let target = target.ok_or_else(invalid)?;
        let is_tunnel = method == "CONNECT";
        let (authority, path) = if is_tunnel {
            let authority: Authority = target.parse().map_err(|_| invalid())?;
            (authority, String::new())
        } else {
            let uri: Uri = target.parse().map_err(|_| invalid())?;
            let authority = uri.authority().filter(|_| uri.scheme_str() == Some("http"));
            let path = uri.path_and_query().map_or("/", |path| path.as_str());
            (authority.ok_or_else(invalid)?.clone(), path.to_owned())
        };
        let port = authority.port_u16();
        let port = port.or((!is_tunnel).then_some(80)).ok_or_else(invalid)?;
        Ok(Self {
            method: method.to_owned(),
            target: target.to_owned(),
            host: plain_host(authority.host()),
            port,
            path,
            headers: lines
                .take_while(|line| !line.is_empty())
                .map(str::to_owned)
                .collect(),
            is_tunnel,
        })
    }

    /// The head for the server, or for a proxy.
    fn head_for(&self, upstream: Option<&Upstream>) -> Vec<u8> {
        let target = if upstream.is_some() {
            &self.target
        } else {
            &self.path
        };
        let mut head = format!("{} {target} HTTP/1.1\r\n", self.method);
        let is_of_proxy = |line: &&String| {
            let name = line.split(':').next().unwrap_or_default();
            let name = name.trim().to_lowercase();
            name.starts_with("proxy-") || name == "connection"
        };
        for line in self.headers.iter().filter(|line| !is_of_proxy(line)) {
            head.push_str(line);
            head.push_str("\r\n");
        }
        if let Some(authorization) = upstream.and_then(|one| one.authorization.as_ref()) {
            head.push_str("Proxy-Authorization: ");
            head.push_str(authorization);
            head.push_str("\r\n");
        }
        if !self.is_tunnel {
            // The next request may be for another host, and has to be looked at.
            head.push_str("Connection: close\r\n");
        }
        head.push_str("\r\n");
        head.into_bytes()
    }
}

/// The head of a request, and what came behind it.
fn read_head(client: &mut TcpStream) -> io::Result<(String, Vec<u8>)> {
    let mut read = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        if let Some(end) = read.windows(4).position(|four| four == b"\r\n\r\n") {
            let rest = read.split_off(end + 4);
            return Ok((String::from_utf8_lossy(&read).into_owned(), rest));
        }
        if read.len() > LONGEST_HEAD {
            return Err(io::ErrorKind::InvalidData.into());
        }
        match client.read(&mut buffer)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            count => read.extend_from_slice(&buffer[..count]),
        }
    }
}

fn connect(addresses: Vec<SocketAddr>, host: &str) -> Result<TcpStream, ProxyRefusal> {
    let mut why = "it has no address".to_owned();
    for address in addresses {
        match TcpStream::connect_timeout(&address, PATIENCE) {
            Ok(server) => return Ok(server),
            Err(error) => why = error.to_string(),
        }
    }
    Err(("502 Bad Gateway", format!("{host}: {why}\n")))
}

/// Host and port of a repository's address, if it is reached by HTTP.
fn host_of(repository: &str) -> Option<(String, u16)> {
    let uri: Uri = repository.parse().ok()?;
    let port = match uri.scheme_str()? {
        "https" => 443,
        "http" => 80,
        _ => return None,
    };
    let authority = uri.authority()?;
    Some((
        plain_host(authority.host()),
        authority.port_u16().unwrap_or(port),
    ))
}

/// A host that is named on the command line, without a port.
///
/// # Errors
/// It is none.
pub(super) fn host(text: &str) -> Result<String, String> {
    let host = plain_host(text);
    let is_address = host.parse::<Ipv6Addr>().is_ok();
    let is_name = || {
        host.parse::<Authority>()
            .is_ok_and(|found| found.host() == host)
    };
    if is_address || is_name() {
        Ok(host)
    } else {
        Err("expected a host, such as mirror.example".to_owned())
    }
}

fn plain_host(host: &str) -> String {
    let host = host.trim_start_matches('[').trim_end_matches(']');
    host.to_lowercase()
}

/// Whether an address is one of the internet: none of the registries for special purposes (RFC 6890, with those of IANA
/// since), which are of this machine, of its networks, or of nobody.
fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [first, second, third, _] = address.octets();
    let is_special = address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_documentation()
        || first == 0
        // Of the provider (RFC 6598).
        || (first == 100 && second & 0xc0 == 64)
        || (first == 192 && second == 0 && third == 0)
        // For benchmarks (RFC 2544).
        || (first == 198 && second & 0xfe == 18)
        // Multicast, reserved and broadcast.
        || first >= 224;
    !is_special
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let parts = address.segments();
    let embedded = |high: u16, low: u16| {
        let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
        is_public_v4(Ipv4Addr::new(a, b, c, d))
    };
    match parts {
        // An address of IPv4, as it is or by NAT64 (RFC 4291, RFC 6052).
        [0, 0, 0, 0, 0, 0xffff, high, low] | [0x64, 0xff9b, 0, 0, 0, 0, high, low] => {
            embedded(high, low)
        }
        // By 6to4 (RFC 3056).
        [0x2002, high, low, ..] => embedded(high, low),
        // Teredo and other protocols; documentation.
        [0x2001, second, ..] if second < 0x200 || second == 0xdb8 => false,
        [first, ..] => first & 0xe000 == 0x2000,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A server that answers each connection with the head that it got, and its port.
    fn echo() -> u16 {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
        let port = listener.local_addr().expect("bound").port();
        std::thread::spawn(move || {
            for client in listener.incoming() {
                let mut client = client.expect("a client");
                let Ok((head, rest)) = read_head(&mut client) else {
                    continue;
                };
                let rest = String::from_utf8_lossy(&rest).into_owned();
                let _ = client.write_all(format!("echo {head}{rest}").as_bytes());
            }
        });
        port
    }

    fn ask(proxy: &FetchProxy, request: &str) -> String {
        let mut stream =
            TcpStream::connect((Ipv4Addr::LOCALHOST, proxy.port())).expect("it listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a time");
        stream.write_all(request.as_bytes()).expect("sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("text");
        answer
    }

    #[test]
    fn the_host_of_the_repository_is_reached_and_no_other_of_the_machine() {
        let (here, other) = (echo(), echo());
        let repository = format!("http://LOCALHOST:{here}/engine.git");
        let proxy = FetchProxy::with_environment(&repository, &[], Vec::new()).expect("a port");
        let request = format!(
            "GET http://localhost:{here}/x?y HTTP/1.1\r\nHost: localhost\r\nProxy-Connection: keep-alive\r\n\r\n"
        );
        let expected = "echo GET /x?y HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
        assert_eq!(ask(&proxy, &request), expected);
        let tunnelled = ask(
            &proxy,
            &format!("CONNECT localhost:{here} HTTP/1.1\r\n\r\nhello\r\n\r\n"),
        );
        let expected = "HTTP/1.1 200 Connection established\r\n\r\necho hello\r\n\r\n";
        assert_eq!(tunnelled, expected);
        // The same address under another name is not what a maintainer has approved.
        for host in [
            "localhost",
            "127.0.0.1",
            "[::1]",
            "[::ffff:127.0.0.1]",
            "0.0.0.0",
            "2130706433",
            "169.254.169.254",
        ] {
            for port in [here, other] {
                if (host, port) == ("localhost", here) {
                    continue;
                }
                for request in [
                    format!("CONNECT {host}:{port} HTTP/1.1\r\n\r\n"),
                    format!("GET http://{host}:{port}/ HTTP/1.1\r\n\r\n"),
                ] {
                    let answer = ask(&proxy, &request);
                    assert!(
                        answer.starts_with("HTTP/1.1 403 Forbidden\r\n"),
                        "{request}: {answer}"
                    );
                }
            }
        }
        let named = ["127.0.0.1".to_owned()];
        let proxy = FetchProxy::with_environment("", &named, Vec::new()).expect("a port");
        let request = format!("GET http://127.0.0.1:{other}/ HTTP/1.1\r\n\r\n");
        let answer = ask(&proxy, &request);
        assert!(answer.starts_with("echo GET / "), "{answer}");
        for request in [
            "GET / HTTP/1.1\r\n\r\n",
            "CONNECT localhost HTTP/1.1\r\n\r\n",
            "GET ftp://a/ HTTP/1.1\r\n\r\n",
            "\r\n\r\n",
        ] {
            let answer = ask(&proxy, request);
            assert!(
                answer.starts_with("HTTP/1.1 400 Bad Request\r\n"),
                "{request}: {answer}"
            );
        }
    }

    #[test]
    fn the_proxy_of_the_machine_is_asked_but_for_what_is_in_its_networks() {
        let upstream = echo();
        let address = format!("http://user:pass%20word@127.0.0.1:{upstream}/");
        let variables = vec![("http_proxy", address.clone()), ("https_proxy", address)];
        let proxy = FetchProxy::with_environment("git://x/y", &[], variables).expect("a port");
        let authorization = "Proxy-Authorization: Basic dXNlcjpwYXNzIHdvcmQ=\r\n";
        let request = "GET http://engine.invalid/x HTTP/1.1\r\nHost: engine.invalid\r\n\r\n";
        let expected = format!(
            "echo GET http://engine.invalid/x HTTP/1.1\r\nHost: engine.invalid\r\n{authorization}Connection: close\r\n\r\n"
        );
        assert_eq!(ask(&proxy, request), expected);
        let tunnel = "CONNECT engine.invalid:443 HTTP/1.1\r\n\r\n";
        let expected = format!("echo CONNECT engine.invalid:443 HTTP/1.1\r\n{authorization}\r\n");
        assert_eq!(ask(&proxy, tunnel), expected);
        let answer = ask(&proxy, "CONNECT 10.0.0.1:443 HTTP/1.1\r\n\r\n");
        assert!(answer.starts_with("HTTP/1.1 403"), "{answer}");
    }

    #[test]
    fn connections_end_with_the_proxy() {
        let proxy = FetchProxy::with_environment("", &[], Vec::new()).expect("a port");
        let mut stream =
            TcpStream::connect((Ipv4Addr::LOCALHOST, proxy.port())).expect("it listens");
        stream.write_all(b"CONNECT").expect("sent");
        // It is accepted before the one by which the proxy ends.
        drop(proxy);
        stream.set_read_timeout(Some(PATIENCE / 2)).expect("a time");
        let read = stream.read(&mut [0]);
        let is_over = |error: &io::Error| error.kind() == io::ErrorKind::ConnectionReset;
        assert!(
            matches!(&read, Ok(0)) || read.as_ref().is_err_and(is_over),
            "{read:?}"
        );
    }

    #[test]
    fn addresses_of_the_internet_are_known() {
        let public = [
            "1.1.1.1",
            "192.0.1.1",
            "100.128.0.1",
            "198.20.0.1",
            "2606:4700::1111",
            "64:ff9b::1.1.1.1",
            "2002:101:101::1",
        ];
        let special = [
            "0.0.0.0",
            "10.1.2.3",
            "100.64.0.1",
            "127.0.0.1",
            "127.8.8.8",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.8",
            "192.0.2.1",
            "192.168.1.1",
            "198.18.0.1",
            "198.51.100.1",
            "203.0.113.1",
            "224.0.0.1",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::7f00:1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "64:ff9b::127.0.0.1",
            "64:ff9b:1::1",
            "100::1",
            "2001::1",
            "2001:db8::1",
            "2002:7f00:1::1",
            "fc00::1",
            "fd12::1",
            "fe80::1",
            "ff02::1",
        ];
        for (addresses, expected) in [(&public[..], true), (&special[..], false)] {
            for address in addresses {
                let address: IpAddr = address.parse().expect("an address");
                assert_eq!(is_public(address), expected, "{address}");
            }
        }
    }

    #[test]
    fn hosts_are_named_without_a_port() {
        for (text, expected) in [
            ("Mirror.example", Some("mirror.example")),
            ("10.1.2.3", Some("10.1.2.3")),
            ("[FD00::1]", Some("fd00::1")),
            ("mirror.example:80", None),
            ("http://mirror.example", None),
            ("a b", None),
            ("", None),
        ] {
            assert_eq!(host(text).ok().as_deref(), expected, "{text}");
        }
    }
}
