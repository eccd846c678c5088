//! References: rings that make no progress, long chains, thousands of anchors, long and escaped pointers.

use super::{Attack, Family, object, to, with, wrap};
use serde_json::{Map, Value, json};
use stanchion_vocab::pointer;

pub(super) fn families() -> Vec<Family> {
    vec![rings(), unreached(), chains(), anchors(), pointers(), long_bases()]
}

/// A step from a subschema to the next, on the same node.
type Step = fn(Value) -> Value;

/// References that form a ring on one node. They have no meaning and are refused.
fn rings() -> Family {
    let mut family = Family::new("rings");
    let back: [(&str, Step); 9] = [
        ("$ref", |next| next),
        ("allOf", |next| json!({"allOf": [true, next]})),
        ("anyOf", |next| json!({"anyOf": [{"type": "integer"}, next]})),
        ("oneOf", |next| json!({"oneOf": [{"type": "integer"}, next]})),
        ("not", |next| json!({"not": next})),
        ("if", |next| json!({"if": next, "then": false})),
        ("then", |next| json!({"if": {"type": "integer"}, "then": next})),
        ("else", |next| json!({"if": {"type": "string"}, "else": next})),
        ("dependentSchemas", |next| json!({"dependentSchemas": {"a": next}})),
    ];
    for (name, way) in back {
        family.add(format!("back to itself through {name}"), 1, 1, move |_| {
            let schema = json!({"$ref": "#/$defs/a", "$defs": {"a": way(to("b")), "b": way(to("a"))}});
            Attack::new(schema).refused(1).refused(json!({"a": 1}))
        });
    }
    family.add("back to itself through $dynamicRef", 1, 1, |_| {
        Attack::new(json!({"$dynamicAnchor": "here", "anyOf": [{"$dynamicRef": "#here"}]})).refused(1)
    });
    family.add("the root", 1, 1, |_| Attack::new(json!({"$ref": "#"})).refused(1));
    family.add("9,000 references long", 5, 9_000, |count| {
        let next = |index: usize| (format!("r{index}"), to(&format!("r{}", (index + 1) % count)));
        Attack::new(json!({"$ref": "#/$defs/r0", "$defs": object((0..count).map(next))})).refused(1)
    });
    family.add("3,000 rings that share a definition", 3, 3_000, |count| {
        let ring = |index: usize| (format!("r{index}"), json!({"anyOf": [to("hub")]}));
        let mut definitions = object((0..count).map(ring));
        definitions["hub"] =
            json!({"allOf": (0..count).map(|index| to(&format!("r{index}"))).collect::<Vec<_>>()});
        Attack::new(json!({"$ref": "#/$defs/hub", "$defs": definitions})).refused(1)
    });
    family
}

/// Thousands of rings and dangling references that nothing reaches.
fn unreached() -> Family {
    let mut family = Family::new("references that nothing leads to");
    let unused = |definitions: Value| {
        Attack::new(json!({"type": "integer", "$defs": definitions})).valid(1).invalid("text")
    };
    family.add("a ring of 9,000 references", 5, 9_000, move |count| {
        unused(object(
            (0..count).map(|index| (format!("r{index}"), to(&format!("r{}", (index + 1) % count)))),
        ))
    });
    family.add("4,500 rings", 5, 4_500, move |count| {
        let ring = |index: usize| (format!("r{index}"), json!({"anyOf": [to(&format!("r{index}"))]}));
        unused(object((0..count).map(ring)))
    });
    family.add("9,000 dangling references below a long name", 5, 9_000, move |count| {
        let lost = |index: usize| (format!("r{index}"), to(&format!("s{index}")));
        unused(json!({"n".repeat(100 * count): {"properties": object((0..count).map(lost))}}))
    });
    family
}

/// Short names that resolve to long URIs.
fn long_bases() -> Family {
    let mut family = Family::new("relative names under a long base");
    let base = |count: usize| format!("http://example.com/{}/", "a".repeat(200 * count));
    family.add("1,000 resources under 200 kB", 3, 1_000, move |count| {
        let inner = |index: usize| (format!("d{index}"), json!({"$id": format!("x{index}")}));
        let schema = json!({"$id": base(count), "type": "integer", "$defs": object((0..count).map(inner))});
        Attack::new(schema).valid(1).invalid("text").beyond("document_bytes")
    });
    family.add("9,000 references under 1.8 MB", 3, 9_000, move |count| {
        let refer = |index: usize| json!({"$ref": format!("x?{index}#")});
        let schema = json!({"$id": base(count), "not": {"anyOf": (0..count).map(refer).collect::<Vec<_>>()}});
        Attack::new(schema).refused(1).bundled().beyond("document_bytes")
    });
    family
}

fn chains() -> Family {
    let mut family = Family::new("chains of references");
    let ends = |definitions: Value| {
        Attack::new(json!({"$ref": "#/$defs/r0", "$defs": definitions})).valid(1).invalid("text")
    };
    family.add("9,000 references", 5, 9_000, move |count| {
        let mut definitions =
            object((0..count).map(|index| (format!("r{index}"), to(&format!("r{}", index + 1)))));
        definitions[format!("r{count}")] = json!({"type": "integer"});
        ends(definitions)
    });
    family.add("9,000 references, the last one first", 5, 9_000, move |count| {
        // In document order, each refers to one that was read before.
        let name = |index: usize| if index == 0 { "r0".to_owned() } else { format!("r{}", 90_000 - index) };
        let mut definitions = object((0..count).map(|index| (name(index), to(&name(index + 1)))));
        definitions[name(count)] = json!({"type": "integer"});
        ends(definitions)
    });
    family.add("9,000 references with titles", 5, 9_000, move |count| {
        let link =
            |index: usize| with(to(&format!("r{}", index + 1)), json!({"title": format!("link {index}")}));
        let mut definitions = object((0..count).map(|index| (format!("r{index}"), link(index))));
        definitions[format!("r{count}")] = json!({"type": "integer"});
        ends(definitions)
    });
    family.add("4,500 references in allOf", 5, 4_500, move |count| {
        let link = |index: usize| json!({"allOf": [to(&format!("r{}", index + 1))]});
        let mut definitions = object((0..count).map(|index| (format!("r{index}"), link(index))));
        definitions[format!("r{count}")] = json!({"type": "integer"});
        ends(definitions)
    });
    family.add("9,000 references, each with a bound", 5, 9_000, move |count| {
        let link = |index: usize| with(to(&format!("r{}", index + 1)), json!({"maximum": index + 1}));
        let mut definitions = object((0..count).map(|index| (format!("r{index}"), link(index))));
        definitions[format!("r{count}")] = json!({"type": "integer"});
        ends(definitions)
    });
    family.add("200 references, each with a bound", 5, 200, move |count| {
        let link = |index: usize| with(to(&format!("r{}", index + 1)), json!({"maximum": index + 1}));
        let mut definitions = object((0..count).map(|index| (format!("r{index}"), link(index))));
        definitions[format!("r{count}")] = json!({"type": "integer"});
        ends(definitions)
    });
    family.add("3,000 references to the end of a chain of 3,000", 4, 3_000, |count| {
        let mut definitions =
            object((0..count).map(|index| (format!("r{index}"), to(&format!("r{}", index + 1)))));
        definitions[format!("r{count}")] = json!({"type": "integer"});
        let all: Vec<Value> = (0..count).map(|index| to(&format!("r{index}"))).collect();
        Attack::new(json!({"allOf": all, "$defs": definitions})).valid(1).invalid("text")
    });
    family.add("a chain for each member", 3, 90, |count| {
        let mut definitions = Map::new();
        for chain in 0..count {
            for link in 0..count {
                definitions.insert(format!("c{chain}_{link}"), to(&format!("c{chain}_{}", link + 1)));
            }
            definitions.insert(format!("c{chain}_{count}"), json!({"type": "integer"}));
        }
        let properties = (0..count).map(|chain| (format!("p{chain}"), to(&format!("c{chain}_0"))));
        let members = |last: Value| {
            object((1..count).map(|chain| (format!("p{chain}"), 1.into())).chain([("p0".to_owned(), last)]))
        };
        Attack::new(json!({"properties": object(properties), "$defs": definitions}))
            .valid(members(1.into()))
            .invalid(members("text".into()))
    });
    family
}

fn anchors() -> Family {
    let mut family = Family::new("anchors by the thousand");
    for keyword in ["$anchor", "$dynamicAnchor"] {
        family.add(format!("3,000 of {keyword}, a reference to each"), 5, 3_000, move |count| {
            let anchored = |index: usize| {
                (format!("d{index}"), json!({keyword: format!("anchor{index}"), "maximum": 10 + index}))
            };
            let all: Vec<Value> =
                (0..count).map(|index| json!({"$ref": format!("#anchor{index}")})).collect();
            Attack::new(json!({"allOf": all, "$defs": object((0..count).map(anchored))}))
                .valid(10)
                .invalid(11)
        });
    }
    family.add("one anchor, 9,000 references", 5, 9_000, |count| {
        let all = vec![json!({"$ref": "#here"}); count];
        Attack::new(json!({"allOf": all, "$defs": {"x": {"$anchor": "here", "type": "integer"}}}))
            .valid(1)
            .invalid("text")
    });
    family.add("long anchors that look alike", 3, 300, |count| {
        let name = |index: usize| format!("{}{index:04}{}", "a".repeat(2_000), "z".repeat(2_000));
        let anchored =
            |index: usize| (format!("d{index}"), json!({"$anchor": name(index), "maximum": 10 + index}));
        let all: Vec<Value> = (0..count).map(|index| json!({"$ref": format!("#{}", name(index))})).collect();
        Attack::new(json!({"allOf": all, "$defs": object((0..count).map(anchored))})).valid(10).invalid(11)
    });
    family
}

fn pointers() -> Family {
    let mut family = Family::new("long and escaped pointers");
    fn percent(text: &str) -> String {
        text.bytes().map(|byte| format!("%{byte:02X}")).collect()
    }
    family.add("every byte percent-encoded", 3, 1_000, |count| {
        let name = |index: usize| format!("name/{index}~ é%");
        let pointer = |index: usize| {
            let token = pointer::join("", &name(index));
            format!("#/{}/{}", percent("$defs"), percent(&token[1..]))
        };
        let all: Vec<Value> = (0..count).map(|index| json!({"$ref": pointer(index)})).collect();
        let definitions = object((0..count).map(|index| (name(index), json!({"maximum": 10 + index}))));
        Attack::new(json!({"allOf": all, "$defs": definitions})).valid(10).invalid(11)
    });
    family.add("names of 100 kB, percent-encoded", 10, 100_000, |length| {
        let name = "n".repeat(length);
        let all = vec![json!({"$ref": format!("#/$defs/{}", percent(&name))}); 3];
        Attack::new(json!({"allOf": all, "$defs": {name: {"type": "integer"}}})).valid(1).invalid("text")
    });
    family.add("60 levels of long names, from 100 places", 3, 60, |levels| {
        let name = "n".repeat(500);
        let nested =
            wrap(levels, json!({"type": "integer"}), |inner| json!({"properties": {name.as_str(): inner}}));
        let place = format!("#/$defs/top{}", format!("/properties/{name}").repeat(levels));
        let all = vec![json!({"$ref": place}); 100];
        Attack::new(json!({"allOf": all, "$defs": {"top": nested}})).valid(1).invalid("text")
    });
    family.add("to every one of 60 levels", 3, 60, |levels| {
        let nested = wrap(levels, json!({"type": "integer"}), |inner| json!({"items": inner}));
        // Deeper levels require fewer arrays.
        let all: Vec<Value> = (0..=levels)
            .map(|level| json!({"$ref": format!("#/$defs/top{}", "/items".repeat(level))}))
            .collect();
        Attack::new(json!({"allOf": all, "$defs": {"top": nested}}))
            .valid(1)
            .invalid(json!([[["text"]]]))
            .invalid(json!([]))
    });
    family.add("by index into 4,000 branches", 3, 4_000, |count| {
        let branches: Vec<Value> = (0..count).map(|index| json!({"maximum": 10 + index})).collect();
        let all: Vec<Value> =
            (0..count).map(|index| json!({"$ref": format!("#/$defs/x/anyOf/{index}")})).collect();
        Attack::new(json!({"allOf": all, "$defs": {"x": {"anyOf": branches}}})).valid(10).invalid(11)
    });
    family.add("into an unknown keyword", 3, 2_000, |count| {
        let branches: Vec<Value> = (0..count).map(|index| json!({"maximum": 10 + index})).collect();
        let all: Vec<Value> = (0..count).map(|index| json!({"$ref": format!("#/x-parts/{index}")})).collect();
        Attack::new(json!({"allOf": all, "x-parts": branches})).valid(10).invalid(11)
    });
    family
}
