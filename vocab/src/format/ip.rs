//! `ipv4` and `ipv6`: RFC 2673 §3.2 and RFC 4291 §2.2. An address alone: no port, no prefix length, no zone.
//!
//! The standard library reads exactly these grammars. It refuses leading zeros in decimal octets,
//! also in the IPv4 tail of an IPv6 address, because some parsers take them for octal.

use core::net::{Ipv4Addr, Ipv6Addr};

pub(super) fn is_ipv4(text: &str) -> bool {
    text.parse::<Ipv4Addr>().is_ok()
}

pub(super) fn is_ipv6(text: &str) -> bool {
    text.parse::<Ipv6Addr>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Properties of the standard library's parsers that we rely on.
    #[test]
    fn the_standard_library_is_strict() {
        assert!(is_ipv4("192.0.2.1"));
        for text in ["192.0.2.01", "192.0.2", "192.0.2.1 ", "0x7f.0.0.1", "192.0.2.1/24", "١.٢.٣.٤"] {
            assert!(!is_ipv4(text), "{text}");
        }
        assert!(is_ipv6("2001:db8::192.0.2.1"));
        for text in ["::192.0.2.01", "fe80::1%eth0", "[::1]", "::1/128", ":::", "1:2:3:4:5:6:7:8::"] {
            assert!(!is_ipv6(text), "{text}");
        }
    }
}
