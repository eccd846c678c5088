//! How large an instance is, for a budget that grows with it.

use super::{Array, MemberName, Node, Object, View};

/// Containers are measured by recursion up to so many levels. Deeper ones are put aside and measured in turn.
const MAX_NESTED: u32 = 24;

/// So many containers may be aside. What is in more of them does not count.
const MAX_ASIDE: usize = 1 << 16;

/// Counts the values of an instance, where eight bytes of names and texts count as a value.
pub(crate) fn size<'a, N: Node<'a>>(node: N) -> u64 {
    let mut aside = vec![node];
    let (mut values, mut bytes) = (0, 0);
    while let Some(node) = aside.pop() {
        measure(node, MAX_NESTED, &mut aside, &mut values, &mut bytes);
    }
    values + bytes / 8
}

fn measure<'a, N: Node<'a>>(node: N, levels: u32, aside: &mut Vec<N>, values: &mut u64, bytes: &mut u64) {
    if let Some(text) = node.text_bytes() {
        *values += 1;
        *bytes += text.len() as u64;
        return;
    }
    let view = node.view();
    if levels == 0
        && let View::Array(_) | View::Object(_) = view
    {
        if aside.len() < MAX_ASIDE {
            aside.push(node);
        }
        return;
    }
    *values += 1;
    match view {
        View::Array(items) => items.iter().for_each(|item| measure(item, levels - 1, aside, values, bytes)),
        View::Object(members) => members.iter_names().for_each(|(name, member)| {
            *bytes += name.bytes().len() as u64;
            measure(member, levels - 1, aside, values, bytes);
        }),
        View::Null | View::Bool(_) | View::Number(_) | View::String(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn values_and_bytes_count() {
        assert_eq!(size(&json!(1)), 1);
        assert_eq!(size(&json!([1, [], {}])), 4);
        assert_eq!(size(&json!({"name": "text"})), 2 + 1);
        assert_eq!(size(&json!("x".repeat(800))), 1 + 100);
    }

    #[test]
    fn every_level_counts() {
        let deep = (0..200).fold(json!(1), |inner: Value, _| json!([inner, 0]));
        assert_eq!(size(&deep), 1 + 2 * 200);
    }
}
