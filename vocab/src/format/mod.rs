//! Formats: [validation §7.3]. Each check decides whether a text is a date, an address, a pointer
//! and so on.
//!
//! A format's check is a plain function from text to answer, found by the format's name:
//!
//! ```
//! use stanchion_vocab::format;
//!
//! let is_date = format::check("date").expect("a format that every dialect since draft-07 defines");
//! assert!(is_date("2024-02-29"));
//! assert!(!is_date("2023-02-29"));
//! assert!(format::check("shoe-size").is_none());
//! ```
//!
//! Each file holds the formats which one family of documents defines, and follows their grammar to the letter.
//! Where the grammar leaves room, the official suite decides, and the file says so.
//!
//! | file | formats | documents |
//! |---|---|---|
//! | `date_time` | `date-time`, `date`, `time`, `duration` | RFC 3339 §5.6, appendix A |
//! | `email` | `email`, `idn-email` | RFC 5321 §4.1.2, RFC 6531 §3.3 |
//! | `hostname` | `hostname`, `idn-hostname` | RFC 1123 §2.1, RFC 5890 §2.3 |
//! | `idna`, `bidi`, `punycode` | what a label of such a name may hold | RFC 5891–5893, RFC 3492 |
//! | `ip` | `ipv4`, `ipv6` | RFC 2673 §3.2, RFC 4291 §2.2 |
//! | `uri` | `uri`, `uri-reference`, `iri`, `iri-reference` | RFC 3986, RFC 3987 |
//! | `uri_template` | `uri-template` | RFC 6570 |
//! | `pointer` | `json-pointer`, `relative-json-pointer` | RFC 6901, draft-bhutton-relative-json-pointer-00 |
//! | `uuid` | `uuid` | RFC 4122 §3 |
//!
//! `regex` belongs to [`ecma`](crate::ecma), which reads patterns for the keywords too.
//!
//! # Untrusted input
//!
//! A check reads its text once or twice, front to back, and ends: its time grows with the text's length and with
//! nothing else. Checks of names hold copies of at most a few hundred characters; the others allocate nothing.
//! No text makes a check panic.
//!
//! [validation §7.3]: https://json-schema.org/draft/2020-12/json-schema-validation#section-7.3

mod bidi;
mod date_time;
mod email;
mod hostname;
mod idna;
mod ip;
mod pointer;
mod punycode;
mod uri;
mod uri_template;
mod uuid;

/// A format's check: whether a text is of that format.
pub type Check = fn(&str) -> bool;

/// The names that some dialect since draft-04 defines.
pub const NAMES: [&str; 19] = [
    "date-time",
    "date",
    "time",
    "duration",
    "email",
    "idn-email",
    "hostname",
    "idn-hostname",
    "ipv4",
    "ipv6",
    "uri",
    "uri-reference",
    "iri",
    "iri-reference",
    "uuid",
    "uri-template",
    "json-pointer",
    "relative-json-pointer",
    "regex",
];

/// Returns the check for a format, or `None` for a name that no dialect since draft-04 defines.
///
/// One table serves every dialect. The caller decides which names its dialect has.
pub fn check(name: &str) -> Option<Check> {
    let check: Check = match name {
        "date-time" => date_time::is_date_time,
        "date" => date_time::is_date,
        "time" => date_time::is_time,
        "duration" => date_time::is_duration,
        "email" => email::is_email,
        "idn-email" => email::is_idn_email,
        "hostname" => hostname::is_hostname,
        "idn-hostname" => hostname::is_idn_hostname,
        "ipv4" => ip::is_ipv4,
        "ipv6" => ip::is_ipv6,
        "uri" => uri::is_uri,
        "uri-reference" => uri::is_uri_reference,
        "iri" => uri::is_iri,
        "iri-reference" => uri::is_iri_reference,
        "uuid" => uuid::is_uuid,
        "uri-template" => uri_template::is_uri_template,
        "json-pointer" => pointer::is_json_pointer,
        "relative-json-pointer" => pointer::is_relative_json_pointer,
        "regex" => crate::ecma::is_pattern,
        _ => return None,
    };
    Some(check)
}

/// Which characters a format is written in: its ASCII form, or the one that was internationalized later.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Alphabet {
    Ascii,
    Unicode,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_a_check() {
        for name in NAMES {
            assert!(check(name).is_some(), "{name}");
        }
    }
}
