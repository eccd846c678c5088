//! `contains` with its bounds, over long and nested arrays.

use super::{Attack, Family, wrap};
use serde_json::{Value, json};

pub(super) fn families() -> Vec<Family> {
    vec![contains()]
}

/// Every third item is 1, the others are 0.
fn thirds(count: usize) -> Vec<Value> {
    (0..count).map(|index| u8::from(index.is_multiple_of(3)).into()).collect()
}

fn contains() -> Family {
    let mut family = Family::new("contains");
    family.add("an exact number of 60,000 items", 6, 60_000, |count| {
        let wanted = count / 3;
        let schema = json!({"contains": {"const": 1}, "minContains": wanted, "maxContains": wanted});
        let mut more = thirds(count);
        more.push(1.into());
        let mut fewer = thirds(count);
        fewer[0] = 0.into();
        Attack::new(schema).valid(thirds(count)).invalid(more).invalid(fewer)
    });
    family.add("only at the end", 6, 60_000, |count| {
        let mut items = vec![Value::from("text"); count];
        let without = items.clone();
        items.push(1.into());
        Attack::new(json!({"contains": {"type": "integer"}})).valid(items).invalid(without)
    });
    family.add("contains in contains", 4, 50, |levels| {
        // Two items at each level, and only the last leads on.
        let schema = wrap(levels, json!({"const": 1}), |inner| json!({"contains": inner, "type": "array"}));
        let instance = |leaf: Value| wrap(levels, leaf, |inner| json!([[], inner]));
        Attack::new(schema).valid(instance(1.into())).invalid(instance(2.into()))
    });
    family.add("contains in contains, two ways", 4, 35, |levels| {
        let schema = json!({
            "anyOf": [
                {"const": 1},
                {"type": "array", "contains": {"$ref": "#"}},
                {"type": "array", "contains": {"$ref": "#"}, "maxItems": 9}
            ]
        });
        let instance = |leaf: Value| wrap(levels, leaf, |inner| json!([0, inner]));
        Attack::new(schema).valid(instance(1.into())).invalid(instance(2.into()))
    });
    family.add("exactly two of three, at each level of a tree", 3, 9, |levels| {
        // The number of ones is counted by both bounds of every node.
        let schema = json!({
            "anyOf": [
                {"const": 1},
                {"type": "array", "contains": {"$ref": "#"}, "minContains": 2, "maxContains": 2},
            ]
        });
        fn tree(levels: usize, last: u8) -> Value {
            match levels {
                0 => last.into(),
                _ => json!([tree(levels - 1, 1), tree(levels - 1, last), 0]),
            }
        }
        Attack::new(schema).valid(tree(levels, 1)).invalid(tree(levels, 0))
    });
    family.add("300 of them, 2,000 items", 3, 300, |count| {
        let all: Vec<Value> =
            (0..count).map(|index| json!({"contains": {"const": index}, "maxContains": 7})).collect();
        let items = |count: usize| -> Vec<Value> { (0..2_000).map(|index| (index % count).into()).collect() };
        let attack = Attack::new(json!({"allOf": all}));
        // In small arrays each number is there too often.
        if count < 300 {
            return attack.invalid(items(count)).valid((0..count).map(Value::from).collect::<Vec<_>>());
        }
        attack.valid(items(count)).invalid(items(count - 1))
    });
    family.add("a constant each, in 500 branches", 3, 500, |count| {
        let branch = |index: usize| json!({"contains": {"const": 10 * index}, "minContains": 2});
        let branches: Vec<Value> = (0..count).map(branch).collect();
        let mut items: Vec<Value> = (0..10 * count).map(Value::from).collect();
        let none = items.clone();
        items.push((10 * (count - 1)).into());
        Attack::new(json!({"anyOf": branches})).valid(items).invalid(none)
    });
    family.add("a text each, in 500 branches that evaluate", 3, 500, |count| {
        let text = |index: usize| Value::from(format!("text{index}"));
        let branches: Vec<Value> =
            (0..count).map(|index| json!({"contains": {"const": text(index)}})).collect();
        let items: Vec<Value> = (0..10 * count).map(|index| text(index % count)).collect();
        let mut more = items.clone();
        more.push("other".into());
        Attack::new(json!({"anyOf": branches, "unevaluatedItems": false})).valid(items).invalid(more)
    });
    family.add("nothing is enough", 6, 50_000, |count| {
        Attack::new(json!({"contains": false, "minContains": 0, "maxContains": 0}))
            .valid(thirds(count))
            .valid(json!([]))
    });
    family
}
