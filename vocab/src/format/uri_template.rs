//! `uri-template`: RFC 6570 §2, all four levels.
//!
//! ```text
//! template    = *( literals / "{" [ operator ] variable *( "," variable ) "}" )
//! variable    = name [ ":" length / "*" ]           name   first.name   name:3   list*
//! ```
//!
//! The operators `=`, `,`, `!`, `@` and `|` are reserved for extensions (§2.2). No processor
//! expands them, but they are in the grammar, and a text that follows the grammar is a template.

use super::uri;

pub(super) fn is_uri_template(text: &str) -> bool {
    let mut rest = text;
    while let Some((literals, after)) = rest.split_once('{') {
        let Some((expression, after)) = after.split_once('}') else { return false };
        if !is_literal(literals) || !is_expression(expression) {
            return false;
        }
        rest = after;
    }
    is_literal(rest)
}

/// Whether the text is copied as it is. The apostrophe is allowed by erratum 6937: the grammar left
/// it out by mistake.
fn is_literal(text: &str) -> bool {
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        let allowed = match c {
            '%' => uri::skip_hex_pair(&mut chars),
            '"' | '<' | '>' | '\\' | '^' | '`' | '{' | '|' | '}' => false,
            '!'..='~' => true,
            _ => uri::is_ucs(c) || uri::is_private(c),
        };
        if !allowed {
            return false;
        }
    }
    true
}

fn is_expression(text: &str) -> bool {
    let variables =
        text.strip_prefix(['+', '#', '.', '/', ';', '?', '&', '=', ',', '!', '@', '|']).unwrap_or(text);
    variables.split(',').all(is_variable)
}

fn is_variable(text: &str) -> bool {
    match text.split_once(':') {
        Some((name, length)) => is_name(name) && is_length(length),
        None => is_name(text.strip_suffix('*').unwrap_or(text)),
    }
}

/// Whether the text is a variable name. Single dots may separate its characters, so no piece
/// between dots is empty.
fn is_name(text: &str) -> bool {
    text.split('.').all(is_name_piece)
}

fn is_name_piece(text: &str) -> bool {
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        let allowed = match c {
            '%' => uri::skip_hex_pair(&mut chars),
            _ => c == '_' || c.is_ascii_alphanumeric(),
        };
        if !allowed {
            return false;
        }
    }
    !text.is_empty()
}

/// Whether the text is a number from 1 to 9999 without leading zeros.
fn is_length(text: &str) -> bool {
    (1..=4).contains(&text.len()) && !text.starts_with('0') && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions() {
        for text in ["{a}", "{+a,b.c}", "{?a:1,b*}", "{%41_.b}", "{&x:9999}", "{!a}", "{|a,b}", "{,a}"] {
            assert!(is_uri_template(text), "{text}");
        }
        for text in [
            "{}", "{+}", "{a,}", "{.a.}", "{a:}", "{a:0}", "{a**}", "{!}", "{,}", "{,,a}", "{!!a}", "{{a}}",
            "{a b}", "}{",
        ] {
            assert!(!is_uri_template(text), "{text}");
        }
    }
}
