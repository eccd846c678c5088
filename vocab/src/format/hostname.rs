//! `hostname` and `idn-hostname`: RFC 1123 §2.1 and RFC 5890 §2.3. Labels between dots.
//!
//! ```text
//! plain label   www   3com   a--b           letters, digits and hyphens, no hyphen at either end
//! A-label       xn--mnchen-3ya              a plain label that stands for a U-label
//! U-label       münchen                     what it stands for
//! ```
//!
//! A `hostname` is made of plain labels. One that begins with `xn--` must be an A-label: the Punycode of a U-label
//! that [`idna`] accepts, and exactly the one that encoding gives.
//!
//! An `idn-hostname` may have U-labels too. Each label is first mapped to its canonical spelling,
//! as the official suite demands and as RFC 5895 and UTS #46 advise for typed input; the rules
//! apply to the result. Therefore every `hostname` is an `idn-hostname`.
//!
//! Labels such as `ab--cd`, with hyphens in third and fourth place but without `xn`, are reserved
//! by RFC 5890. They were always valid under RFC 1123 and are in use, so both formats accept them.
//! A U-label must not have that form.
//!
//! A name has at most 253 octets and a label 63, in the form with A-labels. No dot ends a name.

use super::{bidi, idna, punycode};

const NAME_OCTETS: usize = 253;
const LABEL_OCTETS: usize = 63;
const ACE_PREFIX: &str = "xn--";

/// A valid label: its Unicode form, and how many octets it takes in a name.
struct Label {
    unicode: String,
    octets: usize,
}

pub(super) fn is_hostname(text: &str) -> bool {
    text.len() <= NAME_OCTETS && is_name(text.split('.').map(ascii_label))
}

/// Whether the text is an internationalized host name. Any of the four dots of RFC 3490 §3.1
/// separates labels; no other character that resembles or contains a dot does.
pub(super) fn is_idn_hostname(text: &str) -> bool {
    let dots = ['.', '\u{3002}', '\u{FF0E}', '\u{FF61}'];
    is_name(text.split(dots).map(|raw| label(&idna::map(raw)?)))
}

/// Whether the text is a name of plain labels. A-labels are not decoded.
pub(super) fn is_plain_name(text: &str) -> bool {
    text.len() <= NAME_OCTETS && text.split('.').all(is_plain_label)
}

/// Whether the labels form a name. Stops at the first label that is wrong or too long.
fn is_name(labels: impl Iterator<Item = Option<Label>>) -> bool {
    let mut name = Vec::new();
    // Each label is followed by a dot, save the last.
    let mut room = NAME_OCTETS + 1;
    for label in labels {
        let Some(label) = label else { return false };
        match room.checked_sub(label.octets + 1) {
            Some(left) => room = left,
            None => return false,
        }
        name.push(label.unicode);
    }
    !is_dotted_decimal(&name) && bidi::allows(&name)
}

/// Whether the labels read as an IPv4 address, which is never a host name (RFC 1123 §2.1).
fn is_dotted_decimal(labels: &[String]) -> bool {
    let is_number = |label: &String| label.bytes().all(|byte| byte.is_ascii_digit());
    labels.len() == 4 && labels.iter().all(is_number)
}

fn label(text: &str) -> Option<Label> {
    if text.is_ascii() {
        return ascii_label(text);
    }
    let octets = ACE_PREFIX.len() + punycode::encode(text)?.len();
    let fits = octets <= LABEL_OCTETS;
    (fits && idna::is_u_label(text)).then(|| Label { unicode: text.to_owned(), octets })
}

fn ascii_label(text: &str) -> Option<Label> {
    if !is_plain_label(text) {
        return None;
    }
    let lower = text.to_ascii_lowercase();
    let unicode = match lower.strip_prefix(ACE_PREFIX) {
        Some(code) => decode(code)?,
        None => lower,
    };
    Some(Label { unicode, octets: text.len() })
}

/// Decodes an A-label into its U-label. Encoding the result must give the A-label back.
fn decode(code: &str) -> Option<String> {
    let text = punycode::decode(code)?;
    let valid = !text.is_ascii() && idna::is_u_label(&text) && punycode::encode(&text)? == code;
    valid.then_some(text)
}

fn is_plain_label(text: &str) -> bool {
    (1..=LABEL_OCTETS).contains(&text.len())
        && !text.starts_with('-')
        && !text.ends_with('-')
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_labels_decode_and_encode_again() {
        assert!(is_hostname("xn--mnchen-3ya.de"));
        assert!(is_hostname("XN--MNCHEN-3YA.de"));
        // No Punycode at all; of nothing; of plain letters; of a capital letter; of a symbol.
        for name in ["xn--99999999", "xn---", "xn--abc-", "xn--mnchen-psa", "xn--g28h"] {
            assert!(!is_hostname(name), "{name}");
        }
    }

    #[test]
    fn addresses_are_no_names() {
        for check in [is_hostname, is_idn_hostname] {
            assert!(!check("192.168.0.1"));
            assert!(!check("999.1.2.3"));
            assert!(check("192.168.0.1a"));
            assert!(check("1.2.3"));
            assert!(check("1.2.3.4.5"));
        }
    }

    #[test]
    fn lengths_are_those_of_a_labels() {
        let name = |last: usize| format!("{0}.{0}.{0}.{1}", "a".repeat(63), "b".repeat(last));
        for check in [is_hostname, is_idn_hostname, is_plain_name] {
            assert!(check(&name(61)));
            assert!(!check(&name(62)));
        }
        // Mapping drops soft hyphens, so they take no room.
        assert!(is_idn_hostname(&format!("{}b", "\u{AD}".repeat(1000))));
    }

    #[test]
    fn every_dot_separates_but_nothing_else_does() {
        assert!(is_idn_hostname("a\u{3002}b\u{FF0E}c\u{FF61}d.e"));
        // One dot leader, horizontal ellipsis, digit one full stop: all of them contain a dot when mapped.
        for name in ["a\u{2024}b", "a\u{2026}b", "\u{2488}b"] {
            assert!(!is_idn_hostname(name), "{name}");
        }
    }
}
