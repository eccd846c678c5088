//! `uri`, `uri-reference`, `iri` and `iri-reference`: RFC 3986 and RFC 3987.
//!
//! ```text
//! URI reference  =  [ scheme ":" ]  [ "//" authority ]  path  [ "?" query ]  [ "#" fragment ]
//! authority      =  [ userinfo "@" ]  host  [ ":" port ]
//! ```
//!
//! A URI is a reference with a scheme. No part contains the delimiter that ends it, so we cut at
//! the first of each and then check the characters of every part. Nothing is decoded, and no scheme
//! gets rules of its own: a host that looks like a bad IPv4 address is still a registered name.
//!
//! An IRI has the same shape with more characters: `ucschar` wherever a letter may be, and
//! `iprivate` in the query alone. RFC 3987 §4.1 excludes the marks that change the direction of
//! text.

use super::Alphabet;
use super::ip;

/// The form of a valid reference.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Absolute,
    Relative,
}

/// A part of a reference, for the characters that it may hold.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    UserInfo,
    RegisteredName,
    Path,
    Query,
    Fragment,
}

pub(super) fn is_uri(text: &str) -> bool {
    form(text, Alphabet::Ascii) == Some(Form::Absolute)
}

pub(super) fn is_uri_reference(text: &str) -> bool {
    form(text, Alphabet::Ascii).is_some()
}

pub(super) fn is_iri(text: &str) -> bool {
    form(text, Alphabet::Unicode) == Some(Form::Absolute)
}

pub(super) fn is_iri_reference(text: &str) -> bool {
    form(text, Alphabet::Unicode).is_some()
}

/// Returns the form of a reference, or `None` if the text is not a reference.
fn form(text: &str, alphabet: Alphabet) -> Option<Form> {
    let (text, fragment) = cut(text, '#');
    let (text, query) = cut(text, '?');
    // A colon in the first segment ends a scheme. A relative reference may not have one there.
    let colon = text.find([':', '/']).filter(|&at| text[at..].starts_with(':'));
    let (form, rest) = match colon {
        Some(at) if is_scheme(&text[..at]) => (Form::Absolute, &text[at + 1..]),
        Some(_) => return None,
        None => (Form::Relative, text),
    };
    let (authority, path) = match rest.strip_prefix("//") {
        Some(rest) => {
            let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
            (Some(authority), path)
        }
        None => (None, rest),
    };
    let valid = authority.is_none_or(|text| is_authority(text, alphabet))
        && is_spelled(path, Part::Path, alphabet)
        && query.is_none_or(|text| is_spelled(text, Part::Query, alphabet))
        && fragment.is_none_or(|text| is_spelled(text, Part::Fragment, alphabet));
    valid.then_some(form)
}

/// Splits at the delimiter, if it occurs.
fn cut(text: &str, delimiter: char) -> (&str, Option<&str>) {
    match text.split_once(delimiter) {
        Some((before, after)) => (before, Some(after)),
        None => (text, None),
    }
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
}

fn is_authority(text: &str, alphabet: Alphabet) -> bool {
    let (user_info, address) = match text.split_once('@') {
        Some((user_info, address)) => (Some(user_info), address),
        None => (None, text),
    };
    if !user_info.is_none_or(|text| is_spelled(text, Part::UserInfo, alphabet)) {
        return false;
    }
    if let Some(rest) = address.strip_prefix('[') {
        let Some((literal, port)) = rest.split_once(']') else { return false };
        return (ip::is_ipv6(literal) || is_future_address(literal))
            && (port.is_empty() || port.strip_prefix(':').is_some_and(is_port));
    }
    let (name, port) = cut(address, ':');
    is_spelled(name, Part::RegisteredName, alphabet) && port.is_none_or(is_port)
}

/// Whether the text is a port. The grammar sets no bound, and the digits may be absent.
fn is_port(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether the text is an `IPvFuture`: a version in hexadecimal, and whatever that version defines.
fn is_future_address(text: &str) -> bool {
    let Some((version, address)) = text.strip_prefix(['v', 'V']).and_then(|rest| rest.split_once('.')) else {
        return false;
    };
    !version.is_empty()
        && version.bytes().all(|byte| byte.is_ascii_hexdigit())
        && !address.is_empty()
        && address.chars().all(|c| c == ':' || is_unreserved(c) || is_sub_delimiter(c))
}

/// Whether each character is allowed in the part, and each `%` begins an escape.
fn is_spelled(text: &str, part: Part, alphabet: Alphabet) -> bool {
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        let allowed = match c {
            '%' => skip_hex_pair(&mut chars),
            ':' => part != Part::RegisteredName,
            '@' | '/' => matches!(part, Part::Path | Part::Query | Part::Fragment),
            '?' => matches!(part, Part::Query | Part::Fragment),
            _ if c.is_ascii() => is_unreserved(c) || is_sub_delimiter(c),
            _ if alphabet == Alphabet::Ascii => false,
            _ => is_iri_character(c) || part == Part::Query && is_private(c),
        };
        if !allowed {
            return false;
        }
    }
    true
}

/// Reads the two digits of an escape whose `%` has been read.
pub(super) fn skip_hex_pair(chars: &mut std::str::Chars) -> bool {
    (0..2).all(|_| chars.next().is_some_and(|c| c.is_ascii_hexdigit()))
}

fn is_unreserved(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_' | '~')
}

fn is_sub_delimiter(c: char) -> bool {
    matches!(c, '!' | '$' | '&' | '\'' | '(' | ')' | '*' | '+' | ',' | ';' | '=')
}

fn is_iri_character(c: char) -> bool {
    let turns_text = matches!(c, '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}');
    is_ucs(c) && !turns_text
}

/// Whether a character is in `ucschar` of RFC 3987 §2.2: no private use, noncharacters, specials or
/// tags.
pub(super) fn is_ucs(c: char) -> bool {
    match c {
        '\u{A0}'..='\u{D7FF}' | '\u{F900}'..='\u{FDCF}' | '\u{FDF0}'..='\u{FFEF}' => true,
        '\u{10000}'..='\u{DFFFF}' | '\u{E1000}'..='\u{EFFFF}' => !ends_plane(c),
        _ => false,
    }
}

/// Whether a character is in `iprivate` of RFC 3987 §2.2.
pub(super) fn is_private(c: char) -> bool {
    match c {
        '\u{E000}'..='\u{F8FF}' => true,
        '\u{F0000}'..='\u{10FFFF}' => !ends_plane(c),
        _ => false,
    }
}

/// Whether a character is one of the last two code points of its plane, which are noncharacters.
fn ends_plane(c: char) -> bool {
    u32::from(c) & 0xFFFE == 0xFFFE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_colon_needs_a_scheme_before_it() {
        assert!(is_uri("a:b"));
        assert!(is_uri_reference("./a:b"));
        assert!(is_uri_reference("?a:b"));
        assert!(!is_uri_reference("1a:b"));
        assert!(!is_uri_reference(":b"));
    }

    #[test]
    fn brackets_hold_addresses() {
        assert!(is_uri("http://u:p@[::1]:80/"));
        assert!(is_uri("http://[v1F.a:b]"));
        assert!(!is_uri("http://[::1]80"));
        assert!(!is_uri("http://[::1"));
        assert!(!is_uri("http://[v.a]"));
        assert!(!is_uri("http://[fe80::1%25eth0]"));
    }

    #[test]
    fn private_use_is_for_queries() {
        assert!(is_iri("x:?\u{E000}"));
        assert!(!is_iri("x:\u{E000}"));
        assert!(!is_iri("x:#\u{E000}"));
        assert!(!is_iri("x:?\u{FFFFF}"));
        assert!(!is_iri("x:\u{202E}"));
    }
}
