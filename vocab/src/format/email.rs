//! `email` and `idn-email`: the `Mailbox` of RFC 5321 §4.1.2, and what RFC 6531 §3.3 adds to it.
//!
//! ```text
//! mailbox     = local-part "@" ( domain / address-literal )
//! local-part  = atom *( "." atom )  /  quoted string          amy.lee   "amy lee"
//! domain      = label *( "." label )                          example.com
//! literal     = "[" IPv4 "]"  /  "[IPv6:" IPv6 "]"            [192.0.2.1]   [IPv6:2001:db8::1]
//! ```
//!
//! RFC 6531 lets characters outside ASCII into atoms, into quoted strings (but not behind their backslashes) and,
//! as U-labels, into domains.
//!
//! A local part has at most 64 octets (§4.5.3.1.1). The grammar's general address literal, `[tag:…]`, waits for
//! tags to be registered; there are none but `IPv6`, so we take no other.

use super::Alphabet;
use super::{hostname, ip};

const LOCAL_PART_OCTETS: usize = 64;

pub(super) fn is_email(text: &str) -> bool {
    is_mailbox(text, Alphabet::Ascii)
}

pub(super) fn is_idn_email(text: &str) -> bool {
    is_mailbox(text, Alphabet::Unicode)
}

fn is_mailbox(text: &str, alphabet: Alphabet) -> bool {
    let Some(rest) = after_local_part(text, alphabet) else { return false };
    let octets = text.len() - rest.len();
    let Some(domain) = rest.strip_prefix('@') else { return false };
    octets <= LOCAL_PART_OCTETS && is_domain(domain, alphabet)
}

fn after_local_part(text: &str, alphabet: Alphabet) -> Option<&str> {
    if let Some(quoted) = text.strip_prefix('"') {
        return after_quoted(quoted, alphabet);
    }
    // Neither an atom nor a domain contains `@`, so the first one is the only one.
    let at = text.find('@')?;
    let (local, rest) = text.split_at(at);
    local.split('.').all(|atom| is_atom(atom, alphabet)).then_some(rest)
}

fn is_atom(text: &str, alphabet: Alphabet) -> bool {
    !text.is_empty()
        && text.chars().all(|c| match c {
            '!' | '#' | '$' | '%' | '&' | '\'' | '*' | '+' | '-' | '/' | '=' | '?' => true,
            '^' | '_' | '`' | '{' | '|' | '}' | '~' => true,
            _ => c.is_ascii_alphanumeric() || is_beyond_ascii(c, alphabet),
        })
}

/// Returns what follows the closing quote. The opening quote has been read.
fn after_quoted(text: &str, alphabet: Alphabet) -> Option<&str> {
    let mut chars = text.chars();
    loop {
        match chars.next()? {
            '"' => return Some(chars.as_str()),
            '\\' => {
                chars.next().filter(|c| matches!(c, ' '..='~'))?;
            }
            ' '..='~' => {}
            c if is_beyond_ascii(c, alphabet) => {}
            _ => return None,
        }
    }
}

fn is_beyond_ascii(c: char, alphabet: Alphabet) -> bool {
    alphabet == Alphabet::Unicode && !c.is_ascii()
}

fn is_domain(text: &str, alphabet: Alphabet) -> bool {
    if let Some(literal) = text.strip_prefix('[') {
        return literal.strip_suffix(']').is_some_and(is_address);
    }
    // The grammar asks nothing of labels that begin with `xn--`, so they need not decode here.
    hostname::is_plain_name(text) || alphabet == Alphabet::Unicode && hostname::is_idn_hostname(text)
}

fn is_address(text: &str) -> bool {
    match text.split_at_checked(5) {
        Some((tag, address)) if tag.eq_ignore_ascii_case("IPv6:") => ip::is_ipv6(address),
        _ => ip::is_ipv4(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_strings_hide_anything_printable() {
        assert!(is_email(r#""a@b \"c\" \\"@example.com"#));
        assert!(!is_email(r#""a"b"@example.com"#));
        assert!(!is_email(r#""a\"@example.com"#));
        assert!(!is_email("\"a\tb\"@example.com"));
    }

    #[test]
    fn backslashes_stay_ascii() {
        assert!(is_idn_email("\"é\"@example.com"));
        assert!(!is_idn_email("\"\\é\"@example.com"));
    }

    #[test]
    fn local_parts_have_64_octets() {
        assert!(is_email(&format!("{}@example.com", "a".repeat(64))));
        assert!(!is_email(&format!("{}@example.com", "a".repeat(65))));
        assert!(!is_idn_email(&format!("{}@example.com", "é".repeat(33))));
    }
}
