//! Traps: schemas on which a stored verdict must not be reused, because it depended on more than
//! the subschema and the node.
//!
//! A validator may start its memo only when a run has become expensive. So each trap runs on every
//! item of a long array, below a tower of references that reaches it by many paths.

use super::{Attack, Family, to, tower};
use serde_json::{Value, json};

pub(super) fn families() -> Vec<Family> {
    vec![marks(), places(), unions(), scopes()]
}

/// A trap: a schema with definitions, an instance that it accepts, and one that it rejects.
struct Trap {
    name: &'static str,
    schema: Value,
    valid: Vec<Value>,
    invalid: Vec<Value>,
}

/// Levels of the tower above a trap; each doubles the number of paths.
const LEVELS: usize = 6;

impl Trap {
    /// Applies the trap to every item of an array of this length. All items are right, except
    /// perhaps the last.
    fn on_items(&self, count: usize) -> Attack {
        let mut levels = tower(LEVELS, json!({}), |level, a, b| match level % 2 {
            0 => json!({"allOf": [a, b]}),
            _ => json!({"anyOf": [{"allOf": [a, {"not": {}}]}, b]}),
        });
        let mut definitions = levels["$defs"].take();
        let mut trap = self.schema.clone();
        if let Value::Object(members) = &mut trap {
            for (name, definition) in
                members.remove("$defs").as_ref().and_then(Value::as_object).into_iter().flatten()
            {
                definitions[name] = definition.clone();
            }
        }
        definitions[format!("l{LEVELS}")] = trap;
        let schema = json!({"items": to("l0"), "$defs": definitions});
        let right: Vec<Value> = self.valid.iter().cycle().take(count).cloned().collect();
        let mut attack = Attack::new(schema);
        for wrong in &self.invalid {
            let mut items = right.clone();
            items.push(wrong.clone());
            attack = attack.invalid(items).invalid(vec![wrong.clone()]);
        }
        if self.valid.is_empty() { attack } else { attack.valid(right) }
    }
}

fn family(name: &'static str, traps: impl Fn() -> Vec<Trap> + Copy + 'static) -> Family {
    let mut family = Family::new(name);
    for (index, trap) in traps().into_iter().enumerate() {
        family.add(trap.name, 2, 600, move |count| traps()[index].on_items(count));
    }
    family
}

/// Traps with one subschema on one node, with and without a caller that needs its evaluated
/// members.
fn marks() -> Family {
    family("traps: evaluated marks", || {
        let part = || json!({"part": {"properties": {"a": true}}});
        vec![
            Trap {
                name: "first without marks, then with them",
                schema: json!({
                    "allOf": [to("part"), {"$ref": "#/$defs/part", "unevaluatedProperties": false}],
                    "$defs": part()
                }),
                valid: vec![json!({"a": 1}), json!({})],
                invalid: vec![json!({"a": 1, "b": 1}), json!({"b": 1})],
            },
            Trap {
                name: "first below not, then above",
                schema: json!({
                    "not": {"not": to("part")},
                    "$ref": "#/$defs/part",
                    "unevaluatedProperties": false,
                    "$defs": part()
                }),
                valid: vec![json!({"a": 1}), json!({})],
                invalid: vec![json!({"b": 1})],
            },
            Trap {
                name: "below not alone, where marks are dropped",
                schema: json!({
                    "not": {"not": to("part")},
                    "anyOf": [{"$ref": "#/$defs/part", "required": ["z"]}, true],
                    "unevaluatedProperties": false,
                    "$defs": part()
                }),
                valid: vec![json!({})],
                invalid: vec![json!({"a": 1}), json!({"b": 1})],
            },
            Trap {
                name: "in a branch that fails, then in one that holds",
                schema: json!({
                    "anyOf": [
                        {"$ref": "#/$defs/part", "required": ["z"]},
                        {"$ref": "#/$defs/part", "required": ["a"]},
                        {"required": ["c"]}
                    ],
                    "unevaluatedProperties": false,
                    "$defs": part()
                }),
                valid: vec![json!({"a": 1})],
                invalid: vec![json!({"a": 1, "c": 1}), json!({"c": 1}), json!({"z": 1}), json!({})],
            },
            Trap {
                name: "cousins do not see each other",
                schema: json!({
                    "allOf": [to("part"), {"allOf": [true], "unevaluatedProperties": false}],
                    "$defs": part()
                }),
                valid: vec![json!({})],
                invalid: vec![json!({"a": 1})],
            },
            Trap {
                name: "a condition that fails has evaluated nothing",
                schema: json!({
                    "if": {"$ref": "#/$defs/part", "required": ["b"]},
                    "then": {"properties": {"b": true}},
                    "unevaluatedProperties": false,
                    "$defs": part()
                }),
                valid: vec![json!({"a": 1, "b": 1}), json!({"b": 1}), json!({})],
                invalid: vec![json!({"a": 1}), json!({"a": 1, "b": 1, "c": 1})],
            },
            Trap {
                name: "two owners of the same node",
                schema: json!({
                    "allOf": [
                        {"$ref": "#/$defs/part", "unevaluatedProperties": {"type": "integer"}},
                        {"$ref": "#/$defs/part", "unevaluatedProperties": {"type": ["integer", "string"]}}
                    ],
                    "unevaluatedProperties": false,
                    "$defs": part()
                }),
                valid: vec![json!({"a": null, "b": 1}), json!({"a": 1})],
                invalid: vec![json!({"a": null, "b": "text"}), json!({"b": null})],
            },
            Trap {
                name: "the same definition for a node and its child",
                schema: json!({
                    "$ref": "#/$defs/node",
                    "$defs": {"node": {
                        "allOf": [{"properties": {"next": to("node")}}],
                        "anyOf": [{"properties": {"a": true}}, {"required": ["never"]}],
                        "unevaluatedProperties": false
                    }}
                }),
                valid: vec![json!({"next": {"a": 1}, "a": 1}), json!({"next": {"next": {}}})],
                invalid: vec![json!({"next": {"b": 1}, "a": 1}), json!({"next": {}, "b": 1})],
            },
            Trap {
                name: "items: first without marks, then with them",
                schema: json!({
                    "allOf": [to("pair"), {"$ref": "#/$defs/pair", "unevaluatedItems": false}],
                    "$defs": {"pair": {"prefixItems": [true, {"type": "integer"}]}}
                }),
                valid: vec![json!([1, 2]), json!([1]), json!([])],
                invalid: vec![json!([1, 2, 3]), json!([1, "2"])],
            },
            Trap {
                name: "items: what contains has matched",
                schema: json!({
                    "contains": to("one"),
                    "unevaluatedItems": {"not": to("one"), "type": "integer"},
                    "$defs": {"one": {"const": 1}}
                }),
                valid: vec![json!([1, 2]), json!([1, 1]), json!([3, 1])],
                invalid: vec![json!([2]), json!([1, "1"]), json!([])],
            },
            Trap {
                name: "dependentSchemas of an absent name",
                schema: json!({
                    "dependentSchemas": {"a": to("part"), "b": {"properties": {"b": true}}},
                    "unevaluatedProperties": false,
                    "$defs": {"part": {"properties": {"a": true, "c": true}}}
                }),
                valid: vec![json!({"a": 1, "c": 1}), json!({"a": 1, "b": 1, "c": 1})],
                invalid: vec![json!({"c": 1}), json!({"b": 1, "c": 1})],
            },
        ]
    })
}

/// Traps with nodes that an incomplete memo key confuses.
fn places() -> Family {
    family("traps: which node", || {
        let list =
            || json!({"list": {"type": "array"}, "filled": {"minItems": 1}, "text": {"type": "string"}});
        vec![
            Trap {
                name: "an array and its first item",
                schema: json!({"allOf": [to("list")], "prefixItems": [{"not": to("list")}], "$defs": list()}),
                valid: vec![json!([1]), json!([{}]), json!([null])],
                invalid: vec![json!([[]]), json!([[1]])],
            },
            Trap {
                name: "an array and its first item, which is empty",
                schema: json!({"allOf": [to("filled")], "prefixItems": [{"not": to("filled")}], "$defs": list()}),
                valid: vec![json!([[]]), json!([[], 1])],
                invalid: vec![json!([]), json!([[[]]]), json!([1])],
            },
            Trap {
                name: "empty values of all kinds",
                schema: json!({
                    "prefixItems": [to("list"), {"not": to("list")}, {"not": to("list")}, to("list"), to("text")],
                    "$defs": list()
                }),
                valid: vec![json!([[], {}, "", [], ""])],
                invalid: vec![
                    json!([[], [], "", [], ""]),
                    json!([{}, {}, "", [], ""]),
                    json!([[], {}, [], [], ""]),
                    json!([[], {}, "", "", ""]),
                    json!([[], {}, "", [], []]),
                ],
            },
            Trap {
                name: "an object and its first member",
                schema: json!({
                    "type": "object",
                    "minProperties": 1,
                    "additionalProperties": {"not": to("one")},
                    "allOf": [to("one")],
                    "$defs": {"one": {"type": "object", "minProperties": 1}}
                }),
                valid: vec![json!({"a": {}}), json!({"a": 1})],
                invalid: vec![json!({"a": {"a": 1}}), json!({})],
            },
            Trap {
                name: "equal scalars in different places",
                schema: json!({
                    "properties": {"a": to("text"), "b": {"not": to("text")}, "c": to("text")},
                    "$defs": list()
                }),
                valid: vec![json!({"a": "x", "b": 1, "c": "x"}), json!({"a": "x", "b": null})],
                invalid: vec![
                    json!({"a": "x", "b": "x", "c": "x"}),
                    json!({"a": 1, "b": 1}),
                    json!({"c": 1}),
                ],
            },
            Trap {
                name: "a name and a value of the same text",
                schema: json!({
                    "propertyNames": to("short"),
                    "additionalProperties": {"anyOf": [{"not": to("short")}, {"type": "null"}]},
                    "$defs": {"short": {"maxLength": 2}}
                }),
                valid: vec![json!({"ab": "abc", "": "abc"}), json!({"n": null})],
                invalid: vec![json!({"ab": "ab"}), json!({"abc": "abc"}), json!({"": ""})],
            },
            Trap {
                name: "a name and its own member",
                schema: json!({
                    "propertyNames": to("key"),
                    "additionalProperties": to("key"),
                    "$defs": {"key": {"enum": ["key", 1]}}
                }),
                valid: vec![json!({"key": "key"}), json!({"key": 1})],
                invalid: vec![json!({"key": "other"}), json!({"other": "key"}), json!({"1": 1})],
            },
            Trap {
                name: "names of several objects",
                schema: json!({
                    "properties": {"x": {"propertyNames": to("short")}, "y": {"propertyNames": {"not": to("short")}}},
                    "$defs": {"short": {"maxLength": 2}}
                }),
                valid: vec![json!({"x": {"ab": 1}, "y": {"abc": 1}})],
                invalid: vec![
                    json!({"x": {"ab": 1}, "y": {"ab": 1}}),
                    json!({"x": {"abc": 1}, "y": {"abc": 1}}),
                ],
            },
            Trap {
                name: "equal numbers in different forms",
                schema: json!({
                    "prefixItems": [{"type": "integer"}, to("one"), {"not": to("one")}],
                    "$defs": {"one": {"const": 1}}
                }),
                valid: vec![json!([1.0, 1.0, 1.5]), json!([1, 1, "1"])],
                invalid: vec![json!([1.0, 1, 1.0]), json!([1, 1.5, 1]), json!([1.5, 1, 2])],
            },
            Trap {
                name: "the same members at two depths",
                schema: json!({
                    "$ref": "#/$defs/even",
                    "$defs": {
                        "even": {"type": "object", "properties": {"n": to("odd")}},
                        "odd": {"type": "object", "properties": {"n": to("even")}, "required": ["n"]}
                    }
                }),
                valid: vec![json!({}), json!({"n": {"n": {}}}), json!({"n": {"n": {"n": {"n": {}}}}})],
                invalid: vec![json!({"n": {}}), json!({"n": {"n": {"n": {}}}})],
            },
        ]
    })
}

/// Traps with one subschema inside and outside of a keyword that inverts or counts verdicts.
fn unions() -> Family {
    family("traps: unions", || {
        let number = || json!({"number": {"type": "integer"}, "small": {"maximum": 5}});
        vec![
            Trap {
                name: "inside and outside of not",
                schema: json!({
                    "allOf": [{"anyOf": [to("number"), true]}, {"not": to("number")}],
                    "$defs": number()
                }),
                valid: vec![json!("text"), json!(null)],
                invalid: vec![json!(1)],
            },
            Trap {
                name: "both a thing and its opposite",
                schema: json!({"allOf": [to("number"), {"not": to("number")}], "$defs": number()}),
                valid: vec![],
                invalid: vec![json!(1), json!("text")],
            },
            Trap {
                name: "two branches that are the same",
                schema: json!({"oneOf": [to("number"), to("number"), {"type": ["string", "boolean"]}], "$defs": number()}),
                valid: vec![json!("text"), json!(true)],
                invalid: vec![json!(1), json!(null)],
            },
            Trap {
                name: "one branch inside another",
                schema: json!({
                    "oneOf": [to("number"), {"allOf": [to("number"), to("small")]}, {"anyOf": [to("small")]}],
                    "$defs": number()
                }),
                valid: vec![json!(6), json!("text")],
                invalid: vec![json!(5), json!(1)],
            },
            Trap {
                name: "the condition is its own consequence",
                schema: json!({
                    "if": to("small"),
                    "then": {"not": {"not": to("small")}, "$ref": "#/$defs/number"},
                    "else": {"not": to("number")},
                    "$defs": number()
                }),
                valid: vec![json!(5), json!(6.5)],
                invalid: vec![json!(6), json!("text"), json!(4.5)],
            },
            Trap {
                name: "contains of what must not be",
                schema: json!({
                    "contains": to("number"),
                    "minContains": 0,
                    "maxContains": 1,
                    "items": {"anyOf": [{"not": to("number")}, to("small")]},
                    "$defs": number()
                }),
                valid: vec![json!([]), json!(["text", 5]), json!([null, true])],
                invalid: vec![json!([1, 2]), json!([6]), json!(["text", 5, 4])],
            },
            Trap {
                name: "forgiven first, counted after",
                schema: json!({"anyOf": [to("number"), true], "allOf": [to("number")], "$defs": number()}),
                valid: vec![json!(1)],
                invalid: vec![json!("text"), json!([])],
            },
        ]
    })
}

/// Traps with one subschema on one node, reached through different resources.
fn scopes() -> Family {
    let mut family = Family::new("traps: dynamic scope");
    let traps = || {
        let resources = || {
            json!({
                "texts": {"$id": "texts", "$ref": "list", "$defs": {"x": {"$dynamicAnchor": "item", "type": "string"}}},
                "numbers": {"$id": "numbers", "$ref": "list", "$defs": {"x": {"$dynamicAnchor": "item", "type": "integer"}}},
                "list": {"$id": "list", "items": {"$dynamicRef": "#item"}, "$defs": {"x": {"$dynamicAnchor": "item"}}}
            })
        };
        vec![
            Trap {
                name: "one and not the other",
                schema: json!({"allOf": [{"$ref": "texts"}, {"not": {"$ref": "numbers"}}], "$defs": resources()}),
                valid: vec![json!(["text"])],
                invalid: vec![json!([1]), json!([]), json!([null])],
            },
            Trap {
                name: "first without anyone, then with one",
                schema: json!({"allOf": [{"$ref": "list"}, {"anyOf": [{"$ref": "numbers"}, {"$ref": "texts"}]}], "$defs": resources()}),
                valid: vec![json!(["text"]), json!([1]), json!([])],
                invalid: vec![json!(["text", 1]), json!([null])],
            },
            Trap {
                name: "exactly one",
                schema: json!({"oneOf": [{"$ref": "numbers"}, {"$ref": "texts"}], "$defs": resources()}),
                valid: vec![json!(["text"]), json!([1])],
                invalid: vec![json!([]), json!([null]), json!(["text", 1])],
            },
            Trap {
                name: "one for a node, the other for its items",
                schema: json!({
                    "properties": {"a": {"$ref": "texts"}, "b": {"$ref": "numbers"}, "c": {"$ref": "list"}},
                    "$defs": resources()
                }),
                valid: vec![json!({"a": ["1"], "b": [1], "c": [null]}), json!({"a": [], "b": []})],
                invalid: vec![json!({"a": [1], "b": [1]}), json!({"a": ["1"], "b": ["1"]})],
            },
        ]
    };
    for (index, trap) in traps().into_iter().enumerate() {
        family.add(trap.name, 2, 600, move |count| {
            let mut attack = traps()[index].on_items(count).bundled();
            attack.schema["$id"] = "https://example.com/trap".into();
            attack
        });
    }
    family
}
