//! The networks that people come from, as keyed hashes: no address is stored.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use web::secret;

use super::{ContributorId, Service};

impl Service {
    /// Notes the address of a contributor's request. Positions that they get from now on carry its
    /// network, until the position is closed.
    pub fn seen_from(&self, id: ContributorId, address: IpAddr) {
        if let Some(network) = network(address) {
            // Without a key, the hashes of all 2 to the 24th networks of IPv4 could be compared.
            let hash = secret::hash(&format!("{} {network}", self.secret()));
            // The column is a number of 64 bits, among which a crowd's networks hardly collide.
            let short = *hash.first_chunk().expect("a hash has 32 bytes");
            self.networks().put(id.0, i64::from_be_bytes(short));
        }
    }

    pub(super) fn network_of(&self, id: ContributorId) -> Option<i64> {
        self.networks().get(&id.0).copied()
    }
}

/// The first 24 bits of an IPv4 address, 48 of an IPv6 address; `None` if the address is not of the
/// internet, as behind a proxy that is not trusted: then everybody has the same.
fn network(address: IpAddr) -> Option<IpAddr> {
    // A socket for both protocols shows IPv4 addresses as ::ffff:a.b.c.d.
    match address.to_canonical() {
        IpAddr::V4(v4) => {
            let [a, b, c, _] = v4.octets();
            // Behind a proxy that is not trusted, everybody comes from such an address.
            let is_local = v4.is_loopback() || v4.is_private() || v4.is_link_local();
            (!is_local).then_some(IpAddr::V4(Ipv4Addr::new(a, b, c, 0)))
        }
        IpAddr::V6(v6) => {
            // A /48 is the most that one site gets as a rule (RFC 6177).
            let [a, b, c, ..] = v6.segments();
            let is_local = v6.is_loopback() || v6.is_unique_local() || v6.is_unicast_link_local();
            (!is_local).then_some(IpAddr::V6(Ipv6Addr::new(a, b, c, 0, 0, 0, 0, 0)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn networks_are_prefixes_of_public_addresses() {
        for (address, expected) in [
            ("203.0.113.77", Some("203.0.113.0")),
            ("::ffff:203.0.113.77", Some("203.0.113.0")),
            ("2001:db8:1:2:3:4:5:6", Some("2001:db8:1::")),
            ("127.0.0.1", None),
            ("10.1.2.3", None),
            ("172.17.0.2", None),
            ("169.254.1.1", None),
            ("::1", None),
            ("fd00::1", None),
            ("fe80::1", None),
        ] {
            let found = network(address.parse().expect("an address"));
            let expected = expected.map(|text: &str| text.parse().expect("an address"));
            assert_eq!(found, expected, "{address}");
        }
    }
}
