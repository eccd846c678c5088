//! Checks that `Validator::cost` is an upper bound: no verdict takes more steps, whatever the
//! schema and the instance, in every representation. Schemas and instances are random, with names,
//! texts and numbers of all sizes.

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use stanchion::{Limits, Reader, TapeNode, Validator};

/// A random number generator with a seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }

    /// Returns a size: mostly small, sometimes large.
    fn size(&mut self, most: usize) -> usize {
        let bound = [3, 3, 5, 10, most][self.below(5)];
        self.below(bound.max(1))
    }

    /// Returns a name or a text, with a common prefix for each length.
    fn text(&mut self) -> String {
        let length = [1, 1, 2, 8, 40, 70, 3_000][self.below(7)];
        format!("{}{}", "n".repeat(length - 1), self.below(4))
    }

    fn names(&mut self) -> Vec<String> {
        let mut names: Vec<String> = (0..=self.size(40)).map(|_| self.text()).collect();
        names.sort();
        names.dedup();
        let turned = self.below(names.len());
        names.rotate_left(turned);
        names
    }

    fn object(&mut self, mut value: impl FnMut(&mut Dice) -> Value) -> Value {
        let names = self.names();
        names.into_iter().map(|name| (name, value(self))).collect::<Map<_, _>>().into()
    }

    fn value(&mut self, depth: usize) -> Value {
        match self.below(if depth == 0 { 5 } else { 8 }) {
            0 => json!(null),
            1 => json!(self.below(5)),
            2 => json!(self.below(40) as f64 / 4.0),
            3 | 4 => json!(self.text()),
            5 | 6 => (0..self.size(80)).map(|_| self.value(depth - 1)).collect(),
            _ => self.object(|dice| dice.value(depth - 1)),
        }
    }

    fn schema(&mut self, depth: usize) -> Value {
        let mut schema = Map::new();
        for _ in 0..=self.below(3) {
            let (keyword, value) = self.keyword(depth);
            schema.insert(keyword.to_owned(), value);
        }
        schema.into()
    }

    fn keyword(&mut self, depth: usize) -> (&'static str, Value) {
        const ASSERTIONS: usize = 11;
        match self.below(if depth == 0 { ASSERTIONS } else { ASSERTIONS + 16 }) {
            0 => ("const", self.value(2)),
            1 => ("enum", (0..=self.size(30)).map(|_| self.value(2)).collect()),
            2 => ("required", self.names().into()),
            3 => ("dependentRequired", self.object(|dice| dice.names().into())),
            4 => ("uniqueItems", true.into()),
            5 => ("minLength", self.below(3).into()),
            6 => ("pattern", ["^n*[0-9]$", "(n|nn)*3", "[0-2]", "^(?!n)\\d"][self.below(4)].into()),
            7 => ("format", ["uri", "date", "regex", "idn-email"][self.below(4)].into()),
            8 => ("multipleOf", ["2", "0.25", "7e9"][self.below(3)].parse::<f64>().unwrap_or(1.0).into()),
            9 => ("minimum", self.below(4).into()),
            10 => ("type", ["object", "array", "string", "integer"][self.below(4)].into()),
            11 => ("properties", self.object(|dice| dice.schema(depth - 1))),
            12 => ("additionalProperties", self.schema(depth - 1)),
            13 => {
                ("patternProperties", json!({"^n": self.schema(depth - 1), "[01]$": self.schema(depth - 1)}))
            }
            14 => ("propertyNames", self.schema(depth - 1)),
            15 => ("items", self.schema(depth - 1)),
            16 => ("contains", self.schema(depth - 1)),
            17 => ("not", self.schema(depth - 1)),
            18 => ("if", self.schema(depth - 1)),
            19 => ("then", self.schema(depth - 1)),
            20 => ("dependentSchemas", self.object(|dice| dice.schema(depth - 1))),
            21 => ("unevaluatedProperties", self.schema(depth - 1)),
            22 => ("unevaluatedItems", self.schema(depth - 1)),
            23 => ("oneOf", self.tagged(depth)),
            24 => ("allOf", (0..=self.below(4)).map(|_| self.schema(depth - 1)).collect()),
            25 => ("anyOf", (0..=self.below(4)).map(|_| self.schema(depth - 1)).collect()),
            _ => ("$ref", "#/$defs/d".into()),
        }
    }

    /// Returns a union whose branches a member distinguishes.
    fn tagged(&mut self, depth: usize) -> Value {
        let tag = self.text();
        let mut branch = |_| {
            let text = self.text();
            json!({"properties": {&tag: {"const": text}, "n": self.schema(depth - 1)}, "required": [&tag]})
        };
        (0..4).map(&mut branch).collect()
    }
}

fn count(value: &Value) -> u64 {
    1 + match value {
        Value::Array(items) => items.iter().map(count).sum(),
        Value::Object(map) => map.values().map(count).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    }
}

/// Returns the text of a value, with the members of its objects in another order than in maps.
fn turned(value: &Value) -> String {
    match value {
        Value::Object(members) => {
            let members: Vec<String> = members
                .iter()
                .rev()
                .map(|(name, value)| format!("{}:{}", json!(name), turned(value)))
                .collect();
            format!("{{{}}}", members.join(","))
        }
        Value::Array(items) => format!("[{}]", items.iter().map(turned).collect::<Vec<_>>().join(",")),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.to_string(),
    }
}

/// Measures a verdict in every representation, and compares it with the bound.
#[track_caller]
fn check(validator: &Validator, instance: &Value) {
    let (text, nodes) = (turned(instance), count(instance));
    let bound = validator.cost().steps(nodes, text.len() as u64);
    let mut reader = Reader::new();
    let read = reader.parse_str(&text).expect("JSON");
    let mut bytes = text.clone().into_bytes();
    let tape = simd_json::to_tape(&mut bytes).expect("JSON");
    let measured = [
        ("value", validator.measure(instance).steps),
        ("text", validator.measure(read.root()).steps),
        ("tape", validator.measure(TapeNode::from(&tape)).steps),
    ];
    for (entry_point, steps) in measured {
        assert!(steps <= bound, "{entry_point}: {steps} steps, bound {bound}: {instance}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_verdict_takes_more_than_the_cost(seed in any::<u64>()) {
        let mut dice = Dice(seed);
        let mut schema = dice.schema(3);
        schema["$defs"] = json!({"d": dice.schema(2)});
        let optimize = dice.below(2) == 0;
        // Enough memory for runs without a memo, so that no run is cut short before it would exceed
        // the bound.
        let builder = Validator::builder().assert_formats(true).optimize(optimize);
        // Rings are refused.
        if let Ok(validator) = builder.limits(Limits::default().memory(64 << 20)).build(&schema) {
            for _ in 0..4 {
                check(&validator, &dice.value(3));
            }
        }
    }
}

#[test]
fn a_long_constant_costs_what_the_instance_has() {
    let validator = Validator::new(&json!({"const": "c".repeat(640_000)})).expect("a schema");
    check(&validator, &json!("x"));
    check(&validator, &json!("d".repeat(640_000)));
}

#[test]
fn constants_are_paid_for_in_any_order() {
    let members: Map<String, Value> =
        (0..20_000).map(|index| (format!("{}{index}", "n".repeat(90)), 1.into())).collect();
    for schema in [
        json!({"const": members}),
        json!({"enum": [members, [members]]}),
        json!({"required": members.keys().collect::<Vec<_>>()}),
    ] {
        let validator = Validator::new(&schema).expect("a schema");
        check(&validator, &members.clone().into());
    }
}

#[test]
fn large_tables_are_paid_for() {
    let names: Vec<String> = (0..70_000).map(|index| format!("n{index}")).collect();
    let members: Map<String, Value> = names.iter().map(|name| (name.clone(), json!("n1"))).collect();
    let schemas = [
        json!({"required": names}),
        json!({"additionalProperties": {"enum": names}}),
        json!({"propertyNames": {"enum": names}}),
    ];
    for schema in schemas {
        let validator = Validator::new(&schema).expect("a schema");
        check(&validator, &members.clone().into());
    }
}
