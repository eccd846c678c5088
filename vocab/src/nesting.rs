//! How deep the brackets of a JSON text nest, known before the text is parsed.
//!
//! A parser that recurses needs a bound on the depth of a text. These functions find it without
//! recursion, whether or not the text is JSON.

/// Returns the brackets of a text outside of strings: for each its place, and how many are open
/// after it.
pub fn brackets(text: &[u8]) -> impl Iterator<Item = (usize, usize)> {
    let (mut at, mut open, mut in_string) = (0, 0_usize, false);
    std::iter::from_fn(move || {
        while let Some(byte) = text.get(at) {
            let place = at;
            at += 1;
            match byte {
                b'"' => in_string = !in_string,
                b'\\' if in_string => at += 1,
                b'{' | b'[' if !in_string => {
                    open += 1;
                    return Some((place, open));
                }
                b'}' | b']' if !in_string => {
                    open = open.saturating_sub(1);
                    return Some((place, open));
                }
                _ => {}
            }
        }
        None
    })
}

/// Returns the place of the first bracket inside more than `limit` others.
pub fn too_deep(text: &[u8], limit: usize) -> Option<usize> {
    brackets(text).find(|&(_, open)| open > limit).map(|(place, _)| place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_in_strings_are_not_counted() {
        let text = br#"{"a[": ["\"{", {}]}"#;
        let found: Vec<_> = brackets(text).map(|(place, open)| (char::from(text[place]), open)).collect();
        assert_eq!(found, [('{', 1), ('[', 2), ('{', 3), ('}', 2), (']', 1), ('}', 0)]);
        assert_eq!((too_deep(text, 3), too_deep(text, 2)), (None, Some(15)));
    }

    #[test]
    fn the_text_need_not_be_json() {
        assert_eq!(brackets(b"]]{").collect::<Vec<_>>(), [(0, 0), (1, 0), (2, 1)]);
        assert_eq!(brackets(br#"["[\"#).count(), 1);
        assert_eq!(too_deep(&b"[".repeat(1_000_000), 256), Some(256));
    }
}
