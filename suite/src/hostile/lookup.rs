//! Names that are long, many, or both, so that comparing them is expensive.

use super::{Attack, Expected, Family, object, tower};
use serde_json::{Value, json};

pub(super) fn families() -> Vec<Family> {
    vec![long_names(), many_names(), large_objects()]
}

/// Returns an object whose values are all 1.
fn ones(names: impl IntoIterator<Item = String>) -> Value {
    object(names.into_iter().map(|name| (name, 1.into())))
}

/// Returns names with a common prefix, in an order that no map has.
fn shuffled(prefix: &str, count: usize) -> Vec<String> {
    // A step that shares no factor with a power of ten visits every index once.
    (0..count).map(|index| format!("{prefix}{}", (index * 7_919 + 13) % count)).collect()
}

/// Returns the JSON text of an object whose values are all 1, in the given order.
fn text_of_ones(names: &[String]) -> String {
    let members: Vec<String> = names.iter().map(|name| format!("\"{name}\":1")).collect();
    format!("{{{}}}", members.join(","))
}

/// Makes a schema that contains a name.
type Leaf = fn(&str) -> Value;

fn long_names() -> Family {
    let mut family = Family::new("long names");
    let leaves: [(&str, Leaf); 4] = [
        ("required", |name| json!({"required": [name]})),
        ("a property", |name| json!({"properties": {name: {"type": "integer"}}, "required": [name]})),
        ("a dependency", |name| json!({"dependentRequired": {name: [name]}, "required": [name]})),
        (
            "a property of a closed object",
            |name| json!({"properties": {name: true}, "additionalProperties": false, "minProperties": 1}),
        ),
    ];
    for (what, leaf) in leaves {
        family.add(format!("{what}, compared 65,536 times"), 10, 1_000_000, move |length| {
            let name = "n".repeat(length);
            let levels = if length > 100 { 16 } else { 4 };
            let twice = |_, first, second| json!({"if": first, "then": second, "else": false});
            Attack::new(tower(levels, leaf(&name), twice)).valid(json!({&name: 1})).invalid(
                json!({format!("{}m{}", "n".repeat(length / 2), "n".repeat(length - length / 2 - 1)): 1}),
            )
        });
    }
    family.add("2,000 names that differ in their ends", 3, 2_000, |count| {
        let names = || shuffled(&"p".repeat(1_000), count);
        let branch = |index: usize| json!({"not": {"$ref": "#/$defs/r", "maxProperties": 10_000 + index}});
        let branches: Vec<Value> = (0..100).map(branch).collect();
        Attack::new(json!({"anyOf": branches, "$defs": {"r": {"required": names()}}}))
            .beyond("steps")
            .invalid(ones(names()))
    });
    family.add("names with the same ends as those of the schema", 3, 200, |count| {
        let name = |index: usize| format!("{}{index:06}{}", "a".repeat(5_000), "z".repeat(5_000));
        let properties = object((0..count).map(|index| (name(index), json!({"type": "integer"}))));
        Attack::new(json!({"properties": properties, "additionalProperties": false}))
            .valid(ones((0..count).map(name)))
            .invalid(ones((1..=count).map(name)))
    });
    family
}

fn many_names() -> Family {
    let mut family = Family::new("many names");
    family.add("100,000 required names, 100 times over", 3, 100_000, |count| {
        let names = shuffled("common_prefix_of_all_", count);
        let branch =
            |index: usize| json!({"not": {"$ref": "#/$defs/r", "maxProperties": 10_000_000 + index}});
        let branches: Vec<Value> = (0..100).map(branch).collect();
        Attack::new(json!({"anyOf": branches, "$defs": {"r": {"required": names}}}))
            .beyond("steps")
            .text(Expected::Invalid, text_of_ones(&shuffled("common_prefix_of_all_", count)))
    });
    family.add("a property of 100,000, 1,000 times over", 3, 100_000, |count| {
        let branch = |index: usize| {
            let kind = json!({"properties": {"kind": {"const": index}}, "required": ["kind"]});
            json!({"not": {"allOf": [kind, {"required": [format!("name{index}")]}]}})
        };
        let branches: Vec<Value> = (0..1_000).map(branch).collect();
        let mut names = shuffled("name", count);
        names.push("kind".to_owned());
        Attack::new(json!({"allOf": branches})).beyond("steps").text(Expected::Invalid, text_of_ones(&names))
    });
    family
}

fn large_objects() -> Family {
    let mut family = Family::new("large objects");
    family.add("a constant of 100,000 members in another order", 5, 100_000, |count| {
        let names = shuffled("name", count);
        let mut other = names.clone();
        other[0] = "other".to_owned();
        Attack::new(json!({"const": ones(names.clone())}))
            .text(Expected::Valid, text_of_ones(&names))
            .text(Expected::Invalid, text_of_ones(&other))
    });
    family.add("one of some objects of 20,000 members in another order", 5, 20_000, |count| {
        let value = |last: usize| object(shuffled("name", count).into_iter().map(|name| (name, last.into())));
        let values: Vec<Value> = (0..8).map(value).collect();
        let text = |last: usize| text_of_ones(&shuffled("name", count)).replace(":1", &format!(":{last}"));
        Attack::new(json!({"enum": values})).text(Expected::Valid, text(7)).text(Expected::Invalid, text(8))
    });
    family.add("600,000 members where one is asked for", 5, 600_000, |count| {
        Attack::new(json!({"enum": [{"a": 1}, [1], {"b": 2, "c": 3}]}))
            .valid(json!({"a": 1}))
            .invalid(ones(shuffled("name", count)))
    });
    family.add("two items that are equal in another order", 5, 10_000, |count| {
        let (names, mut others) = (shuffled("name", count), shuffled("name", count));
        others.reverse();
        let text = |first: &[String], second: &[String]| {
            format!("[{},{}]", text_of_ones(first), text_of_ones(second))
        };
        let mut different = others.clone();
        different[0] = "different".to_owned();
        Attack::new(json!({"uniqueItems": true}))
            .text(Expected::Invalid, text(&names, &others))
            .text(Expected::Valid, text(&names, &different))
    });
    family
}
