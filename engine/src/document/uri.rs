//! Resolves references against a base ([RFC 3986 §5.2]), and normalizes URIs for comparison
//! ([§6.2.2, §6.2.3]).
//!
//! Texts are split, not validated: `$id`s in the wild are not always URIs, and a lookup among the
//! registered URIs only needs equivalent references to have one form.
//!
//! [RFC 3986 §5.2]: https://www.rfc-editor.org/rfc/rfc3986#section-5.2
//! [§6.2.2, §6.2.3]: https://www.rfc-editor.org/rfc/rfc3986#section-6.2.2

use std::borrow::Cow;

/// A URI reference in its five parts.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Parts<'a> {
    scheme: Option<&'a str>,
    authority: Option<&'a str>,
    path: &'a str,
    query: Option<&'a str>,
}

/// Splits off the fragment: the text after the first `#`, if there is one.
pub(crate) fn split_fragment(reference: &str) -> (&str, Option<&str>) {
    match reference.split_once('#') {
        Some((uri, fragment)) => (uri, Some(fragment)),
        None => (reference, None),
    }
}

/// Resolves `reference` (without a fragment) against the base URI `base`.
pub(crate) fn resolve(base: &str, reference: &str) -> String {
    let target = Parts::split(reference);
    if target.scheme.is_some() || base.is_empty() {
        return target.with_path(target.path);
    }
    let base = Parts::split(base);
    if target.authority.is_some() {
        return Parts { scheme: base.scheme, ..target }.with_path(target.path);
    }
    if target.path.is_empty() {
        let query = target.query.or(base.query);
        return Parts { query, ..base }.to_text(base.path);
    }
    let joined = Parts { query: target.query, ..base };
    if target.path.starts_with('/') {
        return joined.with_path(target.path);
    }
    let folder = match base.path.rfind('/') {
        Some(slash) => &base.path[..=slash],
        None if base.authority.is_some() => "/",
        None => "",
    };
    joined.with_path(&format!("{folder}{}", target.path))
}

/// Returns an upper bound on the length of the result of [`resolve`], without building it.
pub(crate) fn resolved_length(base: &str, reference: &str) -> usize {
    let is_absolute = reference.split_once(':').is_some_and(|(scheme, _)| is_scheme(scheme));
    if is_absolute { reference.len() } else { base.len() + 1 + reference.len() }
}

/// Normalizes a URI (without a fragment) for comparison: scheme and host in lower case, no default
/// port, no dot segments, nothing percent-encoded without need, and other percent-encoding in upper
/// case.
///
/// ```text
/// HTTP://Example.com:80/a/./%7eb%c3    →    http://example.com/a/~b%C3
/// ```
pub(crate) fn normalize(uri: &str) -> Cow<'_, str> {
    let parts = Parts::split(uri);
    let scheme = parts.scheme.map(lower_case);
    let authority = parts.authority.map(|authority| normal_authority(scheme.as_deref(), authority));
    let path = normal_percents(parts.path);
    let path = match remove_dot_segments(&path) {
        Cow::Owned(path) => Cow::Owned(path),
        Cow::Borrowed(_) => path,
    };
    let is_server =
        authority.is_some() && scheme.as_deref().is_some_and(|scheme| default_port(scheme).is_some());
    let path = if path.is_empty() && is_server { Cow::Borrowed("/") } else { path };
    let query = parts.query.map(normal_percents);
    let normal = Parts {
        scheme: scheme.as_deref(),
        authority: authority.as_deref(),
        path: &path,
        query: query.as_deref(),
    };
    if normal == parts { Cow::Borrowed(uri) } else { Cow::Owned(normal.to_text(&path)) }
}

fn lower_case(text: &str) -> Cow<'_, str> {
    if text.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(text.to_ascii_lowercase())
    } else {
        Cow::Borrowed(text)
    }
}

/// Returns the authority with its host in lower case and without a default port.
fn normal_authority<'a>(scheme: Option<&str>, authority: &'a str) -> Cow<'a, str> {
    let host = authority.rfind('@').map_or(0, |at| at + 1);
    // A colon inside brackets is part of an address.
    let after_brackets = authority[host..].rfind(']').map_or(host, |at| host + at);
    let (end, port) = match authority[after_brackets..].rfind(':') {
        Some(at) => (after_brackets + at, Some(&authority[after_brackets + at + 1..])),
        None => (authority.len(), None),
    };
    let is_default = port.is_some_and(|port| port.is_empty() || scheme.and_then(default_port) == Some(port));
    let kept = if is_default { &authority[..end] } else { authority };
    let plain = normal_percents(kept);
    if plain[host.min(plain.len())..].bytes().any(|byte| byte.is_ascii_uppercase()) {
        // Percent-encoded triplets stay in upper case, and the user name is unchanged.
        let mut text = plain.into_owned();
        let host = text.rfind('@').map_or(0, |at| at + 1);
        text[host..].make_ascii_lowercase();
        return Cow::Owned(normal_percents(&text).into_owned());
    }
    plain
}

fn default_port(scheme: &str) -> Option<&'static str> {
    Some(match scheme {
        "http" | "ws" => "80",
        "https" | "wss" => "443",
        "ftp" => "21",
        _ => return None,
    })
}

/// Decodes what is percent-encoded without need, and puts other percent-encoding in upper case.
/// Malformed escapes stay.
fn normal_percents(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    let mut normal = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('%') {
        normal.push_str(before);
        let code = after.get(..2).filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        let Some(code) = code else {
            normal.push('%');
            rest = after;
            continue;
        };
        let byte = u8::from_str_radix(code, 16).unwrap_or(0);
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            normal.push(char::from(byte));
        } else {
            normal.push('%');
            normal.extend(code.chars().map(|digit| digit.to_ascii_uppercase()));
        }
        rest = &after[2..];
    }
    normal.push_str(rest);
    if normal == text { Cow::Borrowed(text) } else { Cow::Owned(normal) }
}

impl<'a> Parts<'a> {
    fn split(reference: &'a str) -> Parts<'a> {
        let (rest, query) = match reference.split_once('?') {
            Some((rest, query)) => (rest, Some(query)),
            None => (reference, None),
        };
        let (scheme, rest) = match rest.split_once(':') {
            Some((scheme, after)) if is_scheme(scheme) => (Some(scheme), after),
            Some(_) | None => (None, rest),
        };
        let (authority, path) = match rest.strip_prefix("//") {
            Some(rest) => {
                let end = rest.find('/').unwrap_or(rest.len());
                (Some(&rest[..end]), &rest[end..])
            }
            None => (None, rest),
        };
        Parts { scheme, authority, path, query }
    }

    /// Returns the text with `path` as its path, dot segments removed.
    fn with_path(self, path: &str) -> String {
        self.to_text(&remove_dot_segments(path))
    }

    fn to_text(self, path: &str) -> String {
        let mut text = String::with_capacity(path.len() + 32);
        if let Some(scheme) = self.scheme {
            text.push_str(scheme);
            text.push(':');
        }
        if let Some(authority) = self.authority {
            text.push_str("//");
            text.push_str(authority);
        }
        text.push_str(path);
        if let Some(query) = self.query {
            text.push('?');
            text.push_str(query);
        }
        text
    }
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
}

fn remove_dot_segments(path: &str) -> Cow<'_, str> {
    if !path.contains("./") && !path.ends_with('.') {
        return Cow::Borrowed(path);
    }
    let rooted = path.starts_with('/');
    let mut kept: Vec<&str> = Vec::new();
    let mut segments = path.split('/').skip(usize::from(rooted)).peekable();
    while let Some(segment) = segments.next() {
        let last = segments.peek().is_none();
        match segment {
            "." | ".." => {
                if segment == ".." {
                    kept.pop();
                }
                if last {
                    kept.push("");
                }
            }
            _ => kept.push(segment),
        }
    }
    let joined = kept.join("/");
    let joined = if rooted { format!("/{joined}") } else { joined };
    if joined == path { Cow::Borrowed(path) } else { Cow::Owned(joined) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of RFC 3986 §5.4, those without a fragment.
    #[test]
    fn rfc_examples() {
        let base = "http://a/b/c/d;p?q";
        for (reference, want) in [
            ("g:h", "g:h"),
            ("g", "http://a/b/c/g"),
            ("./g", "http://a/b/c/g"),
            ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"),
            ("//g", "http://g"),
            ("?y", "http://a/b/c/d;p?y"),
            ("g?y", "http://a/b/c/g?y"),
            (";x", "http://a/b/c/;x"),
            ("", "http://a/b/c/d;p?q"),
            (".", "http://a/b/c/"),
            ("./", "http://a/b/c/"),
            ("..", "http://a/b/"),
            ("../g", "http://a/b/g"),
            ("../..", "http://a/"),
            ("../../../g", "http://a/g"),
            ("/./g", "http://a/g"),
            ("g.", "http://a/b/c/g."),
            ("..g", "http://a/b/c/..g"),
            ("./g/.", "http://a/b/c/g/"),
            ("g;x=1/../y", "http://a/b/c/y"),
            ("g?y/./x", "http://a/b/c/g?y/./x"),
        ] {
            assert_eq!(resolve(base, reference), want, "{reference}");
        }
    }

    #[test]
    fn bases_that_are_no_hierarchy() {
        assert_eq!(resolve("urn:uuid:1", "urn:uuid:2"), "urn:uuid:2");
        assert_eq!(resolve("", "item.json"), "item.json");
        assert_eq!(resolve("folder/root.json", "item.json"), "folder/item.json");
        assert_eq!(resolve("file:///folder/root.json", "item.json"), "file:///folder/item.json");
        assert_eq!(resolve("http://a", "item"), "http://a/item");
    }

    /// RFC 3986 §6.2.2 and §6.2.3.
    #[test]
    fn equivalent_uris_have_one_form() {
        for (uri, want) in [
            ("HTTP://Example.com:80/a%7eb", "http://example.com/a~b"),
            ("http://example.com", "http://example.com/"),
            ("http://example.com:/", "http://example.com/"),
            ("https://example.com:443/%c3%a9?q=%7E%2f", "https://example.com/%C3%A9?q=~%2F"),
            ("https://example.com:80/", "https://example.com:80/"),
            ("http://Me:Pw@Example.com:8080/", "http://Me:Pw@example.com:8080/"),
            ("http://[2001:DB8::1]:80/", "http://[2001:db8::1]/"),
            ("http://[2001:DB8::1]/", "http://[2001:db8::1]/"),
            ("http://ex%41mple%2Fx/", "http://example%2Fx/"),
            ("http://a/b/%2E%2e/c/./d", "http://a/c/d"),
            ("URN:UUID:AB", "urn:UUID:AB"),
            ("file://HOST/a", "file://host/a"),
            ("file:///a", "file:///a"),
            ("Item.json", "Item.json"),
            ("a%", "a%"),
            ("a%zz%4", "a%zz%4"),
            ("a%é", "a%é"),
            ("", ""),
        ] {
            assert_eq!(normalize(uri), want, "{uri}");
            assert_eq!(normalize(want), want, "{uri}, twice");
        }
    }

    #[test]
    fn a_resolved_uri_is_no_longer_than_was_said() {
        for base in ["", "http://a", "http://a/b/c?q", "urn:x", "folder/x"] {
            for reference in ["", "x", "/x", "//x", "?y", "urn:y", "../..", "a:b/c"] {
                assert!(
                    resolve(base, reference).len() <= resolved_length(base, reference),
                    "{base} {reference}"
                );
            }
        }
    }
}
