//! Random schemas and values: what holds for all of them. The seed is printed by a failure, and `STANCHION_SEED` sets another.

use serde_json::{Map, Value, json};
use stanchion_mcp::stanchion::{Dialect, Verdict};
use stanchion_mcp::{InputSchema, OutputSchema, Profile, Tool, legacy};

const SEED: u64 = 20_260_728;
const ROUNDS: usize = 3_000;

fn seed() -> u64 {
    let given = std::env::var("STANCHION_SEED").ok().and_then(|seed| seed.parse().ok());
    given.unwrap_or(SEED)
}

/// A generator of SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut value = self.0;
        value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        value ^ (value >> 31)
    }

    fn below(&mut self, count: usize) -> usize {
        usize::try_from(self.next() % count as u64).expect("a small number")
    }

    fn pick<T: Clone>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())].clone()
    }

    fn name(&mut self) -> String {
        self.pick(&["a", "b", "const", "$ref", "items", "~/%"]).to_owned()
    }

    /// Returns a value of few levels.
    fn value(&mut self, depth: usize) -> Value {
        match self.below(if depth == 0 { 5 } else { 7 }) {
            0 => Value::Null,
            1 => json!(self.below(2) == 0),
            2 => json!(self.below(4)),
            3 => json!(self.pick(&["", "a", "bb"])),
            4 => json!(1.5),
            5 => (0..self.below(3)).map(|_| self.value(depth - 1)).collect(),
            _ => (0..self.below(3))
                .map(|_| (self.pick(&["a", "b", "items"]).to_owned(), self.value(depth - 1)))
                .collect(),
        }
    }

    fn reference(&mut self) -> &'static str {
        self.pick(&[
            "#",
            "#/$defs/a",
            "#/$defs/b",
            "#%2F$defs%2Fa",
            "#/properties",
            "#/properties/a",
            "#/examples/0",
            "#/default",
            "#/allOf/0",
            "#/const",
            "#/enum/0",
            "#/x-more/a",
            "#/definitions/a",
            "#/%24defs/b",
            "#anchor",
        ])
    }

    /// Returns a schema that may refer to strange places.
    fn schema(&mut self, depth: usize) -> Value {
        let mut members = Map::new();
        for _ in 0..=self.below(3) {
            let (name, value) = self.keyword(depth);
            members.insert(name.to_owned(), value);
        }
        Value::Object(members)
    }

    fn keyword(&mut self, depth: usize) -> (&'static str, Value) {
        let leaf = depth == 0;
        match self.below(if leaf { 6 } else { 18 }) {
            0 => ("type", json!(self.pick(&["string", "number", "array", "object"]))),
            1 => ("$ref", json!(self.reference())),
            2 => ("minimum", json!(self.below(3))),
            3 => ("minProperties", json!(self.below(3))),
            4 => ("default", self.value(1)),
            5 => ("maxLength", json!(self.below(2))),
            6 => ("const", self.schema(0)),
            7 => ("enum", json!([self.schema(0), self.value(1)])),
            8 => ("examples", json!([self.schema(depth - 1)])),
            9 | 10 => ("properties", self.map(depth)),
            11 => ("$defs", self.map(depth)),
            12 => ("definitions", self.map(depth)),
            13 => ("items", self.schema(depth - 1)),
            14 => ("allOf", json!([self.schema(depth - 1)])),
            15 => ("additionalProperties", self.schema(depth - 1)),
            16 => ("x-more", self.map(depth)),
            _ => ("not", self.schema(depth - 1)),
        }
    }

    fn map(&mut self, depth: usize) -> Value {
        (0..=self.below(2)).map(|_| (self.name(), self.schema(depth - 1))).collect()
    }

    /// Returns the text of a value with numbers and orders that a reader could lose.
    fn text(&mut self, depth: usize) -> String {
        let numbers =
            ["1.0", "1E2", "18446744073709551616", "-0.0", "0.10", "123456789012345678901234567890"];
        match self.below(if depth == 0 { 2 } else { 4 }) {
            0 => self.pick(&numbers).to_owned(),
            1 => self.pick(&["\"a\\u0041\"", "null", "true", "\"\""]).to_owned(),
            2 => format!(
                "[{}]",
                (0..self.below(4)).map(|_| self.text(depth - 1)).collect::<Vec<_>>().join(", ")
            ),
            _ => {
                let names = ["z", "a", "m", "b"];
                let member =
                    |random: &mut Random, name: &str| format!("\"{name}\": {}", random.text(depth - 1));
                let count = self.below(5);
                let members: Vec<String> = names[..count].iter().map(|name| member(self, name)).collect();
                format!("{{{}}}", members.join(","))
            }
        }
    }
}

#[test]
fn a_wrapped_schema_accepts_a_wrapped_value_exactly_if_the_schema_accepts_the_value() {
    let seed = seed();
    let mut random = Random(seed);
    let (mut compared, mut valid) = (0, 0);
    for round in 0..ROUNDS {
        let schema = random.schema(3);
        let dialect = random.pick(&Dialect::ALL);
        let profile = Profile::default().dialect(dialect);
        let Ok(output) = OutputSchema::with(&profile, schema.clone()) else { continue };
        let projected = output.schema_for("2025-11-25");
        let envelope =
            projected.unwrap_or_else(|refusal| panic!("seed {seed}, round {round}: {refusal}\n{schema}"));
        if !output.is_wrapped_for("2025-11-25") {
            continue;
        }
        let wrapped = OutputSchema::with(&profile, envelope.clone()).expect("it was compiled before");
        let back = legacy::unwrap_schema_as(envelope, dialect).map(|back| OutputSchema::with(&profile, back));
        let back = back.map(|back| {
            back.unwrap_or_else(|refusal| panic!("seed {seed}, round {round}: {refusal}\n{envelope}"))
        });
        for _ in 0..5 {
            let value = random.value(2);
            let expected = output.validator().verdict(&value);
            let enveloped = legacy::wrap_value(value.clone());
            let context =
                || format!("seed {seed}, round {round}, {dialect:?}: {value}\n{schema}\n{envelope}");
            assert_eq!(wrapped.validator().verdict(&enveloped), expected, "{}", context());
            if let Some(back) = &back {
                assert_eq!(back.validator().verdict(&value), expected, "{}", context());
            }
            assert_eq!(legacy::unwrap_value(enveloped), Ok(value.clone()));
            compared += 1;
            valid += usize::from(expected == Verdict::Valid);
        }
    }
    assert!(compared > 2_000 && valid > 500, "{compared} compared, {valid} valid");
}

#[test]
fn unwrapping_gives_a_value_back_with_its_order_and_digits() {
    let seed = seed();
    let mut random = Random(seed);
    let definition = r#"{"name": "t", "inputSchema": {"type": "object"}, "outputSchema": {}}"#;
    let server = Tool::from_definition_text(&Profile::default(), definition).unwrap();
    let listed = server.definition_text_for("2025-11-25").unwrap().into_owned();
    let client = Tool::from_definition_text(&Profile::default(), &listed).unwrap();
    for round in 0..ROUNDS {
        let text = random.text(3);
        let result = format!("{{\"structuredContent\":{text},\"content\":[]}}");
        let sent = server.send_result_text("2025-11-25", &result).unwrap();
        assert!(sent.contains(&format!("{{\"result\":{text}}}")), "seed {seed}, round {round}: {sent}");
        let received = client.receive_result_text("2025-11-25", &sent).unwrap();
        assert!(
            received.starts_with(&format!("{{\"structuredContent\":{text},")),
            "seed {seed}, round {round}: {received}"
        );
    }
}

#[test]
fn filling_defaults_overwrites_nothing_is_idempotent_and_leaves_a_valid_call_valid() {
    let seed = seed();
    let mut random = Random(seed);
    let mut filled_some = 0;
    for round in 0..2 * ROUNDS {
        let Value::Object(mut members) = random.schema(3) else { continue };
        members.insert("type".to_owned(), "object".into());
        let schema = Value::Object(members);
        let profile = Profile::default().dialect(random.pick(&Dialect::ALL));
        let Ok(input) = InputSchema::with(&profile, schema.clone()) else { continue };
        for _ in 0..3 {
            let arguments: Value = (0..random.below(3)).map(|_| (random.name(), random.value(2))).collect();
            let is_valid = input.validate_arguments(&arguments).is_ok();
            let context = || format!("seed {seed}, round {round}: {arguments}\n{schema}");
            let filled = match input.fill_defaults(arguments.clone()) {
                Ok(filled) => filled,
                Err(_) => {
                    assert!(!is_valid, "{}", context());
                    continue;
                }
            };
            assert!(input.validate_arguments(&filled.arguments).is_ok(), "{}", context());
            assert!(is_part_of(&arguments, &filled.arguments), "{}\n{}", context(), filled.arguments);
            if filled.is_complete {
                let again = input.fill_defaults(filled.arguments.clone()).expect("what is valid stays valid");
                assert_eq!(again.arguments, filled.arguments, "{}", context());
                assert!(again.places.is_empty(), "{}", context());
            }
            let tool = Tool::with(&profile, "t", input.clone(), None);
            let text = tool.fill_call_text(Some(&arguments.to_string())).unwrap().expect("as the value was");
            assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), filled.arguments, "{}", context());
            filled_some += usize::from(!filled.places.is_empty());
        }
    }
    assert!(filled_some > 100, "{filled_some}");
}

/// Whether all that is in one value is in another.
fn is_part_of(part: &Value, whole: &Value) -> bool {
    match (part, whole) {
        (Value::Object(part), Value::Object(whole)) => {
            part.iter().all(|(name, value)| whole.get(name).is_some_and(|other| is_part_of(value, other)))
        }
        (Value::Array(part), Value::Array(whole)) => {
            part.len() == whole.len() && part.iter().zip(whole).all(|(part, whole)| is_part_of(part, whole))
        }
        (part, whole) => part == whole,
    }
}
