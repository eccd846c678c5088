//! References against a base: [RFC 3986 §5.2](https://www.rfc-editor.org/rfc/rfc3986#section-5.2).
//!
//! Texts are taken apart, not judged: `$id`s in the wild are not always URIs, and a lookup
//! among the URIs that were handed over needs only that equal references resolve to equal texts.

/// A URI reference in its five parts.
#[derive(Clone, Copy, Debug)]
struct Parts<'a> {
    scheme: Option<&'a str>,
    authority: Option<&'a str>,
    path: &'a str,
    query: Option<&'a str>,
}

/// Splits off the fragment: what stands behind the first `#`, if there is one.
pub(crate) fn split_fragment(reference: &str) -> (&str, Option<&str>) {
    match reference.split_once('#') {
        Some((uri, fragment)) => (uri, Some(fragment)),
        None => (reference, None),
    }
}

/// What `reference` (without a fragment) means where `base` is the base URI.
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

    /// The text with `path` in place of the path, dot segments removed.
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

fn remove_dot_segments(path: &str) -> String {
    if !path.contains("./") && !path.ends_with('.') {
        return path.to_owned();
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
    if rooted { format!("/{joined}") } else { joined }
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
}
