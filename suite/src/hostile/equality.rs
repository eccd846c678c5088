//! `uniqueItems`, `enum` and `const`: many values that are almost equal, and equal ones that look different.

use super::{Attack, Expected, Family, object, wrap};
use serde_json::{Value, json};

pub(super) fn families() -> Vec<Family> {
    vec![unique(), choices()]
}

/// Builds an array of unique items, and the same array with its first item again at the end.
fn unique_and_not(items: Vec<Value>) -> Attack {
    let mut repeated = items.clone();
    repeated.push(items[0].clone());
    Attack::new(json!({"uniqueItems": true})).valid(items).invalid(repeated)
}

fn unique() -> Family {
    let mut family = Family::new("uniqueItems");
    family
        .add("100,000 integers", 10, 100_000, |count| unique_and_not((0..count).map(Value::from).collect()));
    family.add("50,000 fractions", 10, 50_000, |count| {
        unique_and_not((0..count).map(|index| json!(index as f64 + 0.5)).collect())
    });
    family.add("1 and 1.0, after 20,000 others", 10, 20_000, |count| {
        let numbers: Vec<String> = (2..count).map(|number| format!("{number}.0")).collect();
        let text = |last: &str| format!("[1,{},{last}]", numbers.join(","));
        Attack::new(json!({"uniqueItems": true}))
            .text(Expected::Valid, text("0.5"))
            .text(Expected::Invalid, text("1.0"))
            .text(Expected::Invalid, text("10e-1"))
    });
    family.add("large numbers in several forms", 1, 3_000, |count| {
        // 2⁵³ and the odd number after it differ, but not as doubles.
        let numbers: Vec<String> =
            (0..count).map(|index| (9_007_199_254_740_992 + index).to_string()).collect();
        let text = |last: &str| format!("[{},{last}]", numbers.join(","));
        Attack::new(json!({"uniqueItems": true}))
            .text(Expected::Valid, text("9007199254740991"))
            .text(Expected::Invalid, text("9007199254740992.0"))
    });
    family.add("deep and almost equal", 5, 300, |count| {
        unique_and_not((0..count).map(|leaf| wrap(50, leaf.into(), |inner| json!([inner]))).collect())
    });
    family.add("deep objects, almost equal", 5, 300, |count| {
        let deep = |leaf: usize| wrap(50, leaf.into(), |inner| json!({"a": 1, "next": inner, "z": null}));
        unique_and_not((0..count).map(deep).collect())
    });
    family.add("long and equal up to the last item", 5, 300, |count| {
        let long = |last: usize| -> Value { (0..300).chain([1000 + last]).map(Value::from).collect() };
        unique_and_not((0..count).map(long).collect())
    });
    family.add("arrays that differ in nesting alone", 4, 9, |leaves| unique_and_not(shapes(leaves)));
    family.add("empty arrays in empty arrays", 5, 120, |count| {
        unique_and_not((0..count).map(|depth| wrap(depth, json!([]), |inner| json!([inner]))).collect())
    });
    family.add("objects that differ in nesting alone", 4, 8, |leaves| {
        fn as_objects(value: Value) -> Value {
            match value {
                Value::Array(items) => object(
                    items
                        .into_iter()
                        .enumerate()
                        .map(|(index, item)| (format!("k{index}"), as_objects(item))),
                ),
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => {
                    value
                }
            }
        }
        unique_and_not(shapes(leaves).into_iter().map(as_objects).collect())
    });
    family.add("names and values that trade places", 3, 60, |count| {
        let pair = |a: usize, b: usize| json!({format!("n{a}"): format!("n{b}")});
        unique_and_not((0..count).flat_map(|a| (0..count).map(move |b| pair(a, b))).collect())
    });
    family.add("texts with the same ends", 5, 10_000, |count| {
        let text = |index: usize| format!("beginning{index:06}the-end-").into();
        unique_and_not((0..count).map(text).collect())
    });
    family.add("texts with the same hash in many languages", 3, 13, |blocks| {
        // "Aa" and "BB" collide in hashes that multiply by 31 and add.
        let text = |bits: usize| -> String {
            (0..blocks).map(|block| if bits >> block & 1 == 0 { "Aa" } else { "BB" }).collect()
        };
        unique_and_not((0..1 << blocks).map(|bits| text(bits).into()).collect())
    });
    family.add("kinds that look alike", 1, 1, |_| {
        let alike = json!([1, "1", true, "true", null, "null", 0, false, "", [], {}, [1], [[1]], {"1": 1}, ["1"], [null], {"a": null}]);
        let again = |value: Value| -> Value {
            alike.as_array().into_iter().flatten().cloned().chain([value]).collect()
        };
        Attack::new(json!({"uniqueItems": true}))
            .valid(alike.clone())
            .invalid(again(json!({})))
            .invalid(again(json!([])))
            .invalid(again(json!(false)))
            .invalid(again(json!([1.0])))
    });
    family.add("members in another order", 5, 2_000, |count| {
        let forward = |index: usize| format!("{{\"a\":{index},\"b\":[{index}],\"c\":null}}");
        let objects: Vec<String> = (0..count).map(forward).collect();
        let text = |last: &str| format!("[{},{last}]", objects.join(","));
        Attack::new(json!({"uniqueItems": true}))
            .text(Expected::Valid, text("{\"c\":null,\"b\":[2],\"a\":1}"))
            .text(Expected::Invalid, text("{\"c\":null,\"b\":[1],\"a\":1}"))
    });
    family.add("unique at each level of a tree", 3, 11, |levels| {
        fn tree(levels: usize, first: usize, twin: bool) -> Value {
            match levels {
                0 => first.into(),
                1 if twin => json!([first, first]),
                _ => json!([tree(levels - 1, 2 * first, twin), tree(levels - 1, 2 * first + 1, false)]),
            }
        }
        Attack::new(json!({"uniqueItems": true, "items": {"$ref": "#"}}))
            .valid(tree(levels, 1, false))
            .invalid(tree(levels, 1, true))
    });
    family.add("100 times on 3,000 items", 3, 100, |count| {
        let branches: Vec<Value> =
            (0..count).map(|index| json!({"uniqueItems": true, "maxItems": 10_000 + index})).collect();
        let items: Vec<Value> = (0..30 * count).map(|index| format!("item {index}").into()).collect();
        let mut repeated = items.clone();
        repeated.push(items[0].clone());
        Attack::new(json!({"allOf": branches})).valid(items).invalid(repeated)
    });
    family
}

/// Returns all binary trees of arrays with this many empty arrays as leaves.
fn shapes(leaves: usize) -> Vec<Value> {
    let mut by_size: Vec<Vec<Value>> = vec![Vec::new(), vec![json!([])]];
    for size in 2..=leaves {
        let mut trees = Vec::new();
        for left in 1..size {
            for a in &by_size[left] {
                trees.extend(by_size[size - left].iter().map(|b| json!([a, b])));
            }
        }
        by_size.push(trees);
    }
    by_size.pop().unwrap_or_default()
}

fn choices() -> Family {
    let mut family = Family::new("large enum and const");
    family.add("10,000 texts, 5,000 items", 5, 10_000, |count| {
        let texts: Vec<Value> = (0..count).map(|index| format!("choice number {index}").into()).collect();
        let good: Vec<Value> = texts.iter().step_by(2).cloned().collect();
        let mut bad = good.clone();
        bad.push("choice number -1".into());
        Attack::new(json!({"items": {"enum": texts}})).valid(good).invalid(bad)
    });
    family.add("10,000 texts with the same ends", 5, 10_000, |count| {
        let text = |index: usize| format!("beginning{index:06}the-end-");
        let texts: Vec<Value> = (0..count).map(|index| text(index).into()).collect();
        let good: Vec<Value> = texts.iter().rev().take(1_000).cloned().collect();
        let mut bad = good.clone();
        bad.push(text(count).into());
        Attack::new(json!({"items": {"enum": texts}})).valid(good).invalid(bad)
    });
    family.add("3,000 objects, 500 items", 5, 3_000, |count| {
        let value = |index: usize| json!({"a": [1, 2, 3], "b": {"c": "text", "d": index}});
        let values: Vec<Value> = (0..count).map(value).collect();
        let good: Vec<Value> = values.iter().rev().take(500).cloned().collect();
        let mut bad = good.clone();
        bad.push(value(count));
        Attack::new(json!({"items": {"enum": values}})).valid(good).invalid(bad)
    });
    family.add("arrays that differ in nesting alone", 4, 8, |leaves| {
        let mut values = shapes(leaves);
        let missing = values.pop().unwrap_or_default();
        Attack::new(json!({"items": {"enum": values}}))
            .valid(values.clone())
            .invalid(json!([values[0], missing]))
    });
    family.add("5,000 numbers in other forms", 5, 5_000, |count| {
        let numbers: Vec<Value> = (0..count).map(Value::from).collect();
        let forms: Vec<String> = (0..count).map(|number| format!("{number}.0")).collect();
        let text = |last: &str| format!("[{},{last}]", forms.join(","));
        Attack::new(json!({"items": {"enum": numbers}}))
            .text(Expected::Valid, text("1e0"))
            .text(Expected::Invalid, text("1e-1"))
    });
    family.add("a constant of 50,000 items", 5, 50_000, |count| {
        let constant: Vec<Value> = (0..count).map(Value::from).collect();
        let mut other = constant.clone();
        other[count - 1] = "last".into();
        Attack::new(json!({"const": constant})).valid(constant).invalid(other)
    });
    family.add("1,000 constants with a long common beginning", 5, 1_000, |count| {
        let value =
            |last: usize| -> Value { (0..100).map(Value::from).chain([(1_000 + last).into()]).collect() };
        let branches: Vec<Value> = (0..count).map(|index| json!({"const": value(index)})).collect();
        Attack::new(json!({"anyOf": branches})).valid(value(count - 1)).invalid(value(count))
    });
    family.add("deep constants", 5, 55, |depth| {
        let value = |leaf: Value| wrap(depth, leaf, |inner| json!({"a": [1], "b": inner}));
        Attack::new(json!({"const": value(1.into())})).valid(value(json!(1.0))).invalid(value("1".into()))
    });
    family.add("a text of 1 MB", 10, 1_000_000, |length| {
        let text = "x".repeat(length);
        Attack::new(json!({"anyOf": [{"const": text.clone() + "y"}, {"enum": [text.clone() + "z", text]}]}))
            .valid("x".repeat(length))
            .invalid("x".repeat(length - 1))
    });
    family
}
