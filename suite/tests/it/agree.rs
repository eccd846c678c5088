//! Random schemas with references, and random instances: verdict and errors are the same with and
//! without memo, sharing and optimizer.

use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use serde_json::{Map, Value, json};
use stanchion::{
    Evaluation, Limits, Node, Reader, References, Remember, SchemaError, TapeNode, ValidationError,
    Validator, ValidatorBuilder, Verdict,
};

use crate::property::{Built, Case, Property, check};

/// Names of members, of definitions, and texts: few, so that they coincide.
const NAMES: [&str; 4] = ["a", "b", "ab", "c"];

fn name() -> impl Strategy<Value = &'static str> {
    prop::sample::select(&NAMES[..])
}

fn instance() -> impl Strategy<Value = Value> {
    let scalar = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (0..4i32).prop_map(Value::from),
        Just(json!(1.0)),
        Just(json!(0.5)),
        name().prop_map(Value::from),
    ];
    scalar.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((name(), inner), 0..4).prop_map(object),
        ]
    })
}

fn object(members: Vec<(&'static str, Value)>) -> Value {
    members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect::<Map<_, _>>().into()
}

/// Targets of references in the root's document: definitions, and two resources with the same
/// dynamic anchor.
const REFERENCES: [(&str, &str); 6] = [
    ("$ref", "#/$defs/a"),
    ("$ref", "#/$defs/b"),
    ("$ref", "#/$defs/ab"),
    ("$ref", "#/$defs/c"),
    ("$ref", "https://example.com/one"),
    ("$ref", "https://example.com/two"),
];

/// Targets of references inside those resources.
const DYNAMIC_REFERENCES: [(&str, &str); 3] =
    [("$dynamicRef", "#node"), ("$ref", "https://example.com/one"), ("$ref", "https://example.com/two")];

/// References of one document.
type Targets = &'static [(&'static str, &'static str)];

/// Returns a keyword and its value, over subschemas from `inner`.
fn keyword(inner: BoxedStrategy<Value>, targets: Targets) -> BoxedStrategy<(&'static str, Value)> {
    let list = prop::collection::vec(inner.clone(), 1..4).prop_map(Value::from).boxed();
    let map = prop::collection::vec((name(), inner.clone()), 1..4).prop_map(object).boxed();
    let with = |keyword: &'static str, value: &BoxedStrategy<Value>| {
        value.clone().prop_map(move |value| (keyword, value)).boxed()
    };
    let types =
        prop::sample::select(&["null", "boolean", "integer", "number", "string", "array", "object"][..]);
    let applicators = ["allOf", "anyOf", "oneOf", "prefixItems"].map(|keyword| with(keyword, &list));
    let maps = ["properties", "dependentSchemas"].map(|keyword| with(keyword, &map));
    let ones = [
        "not",
        "if",
        "then",
        "else",
        "items",
        "contains",
        "additionalProperties",
        "propertyNames",
        "unevaluatedProperties",
        "unevaluatedItems",
    ]
    .map(|keyword| with(keyword, &inner));
    // Two walks over the same children, which are merged.
    let twice = |keyword: &'static str| {
        let both = (inner.clone(), inner.clone());
        both.prop_map(move |(one, other)| ("allOf", json!([{ keyword: one }, { keyword: other }]))).boxed()
    };
    let twice = ["items", "additionalProperties"].map(twice);
    // A union that a member distinguishes, mostly, or a type.
    let tagged = (prop::collection::vec((0..3i32, name(), inner.clone()), 2..4), any::<bool>()).prop_map(
        |(branches, is_closed)| {
            let branch = |(tag, name, value): (i32, &str, Value)| {
                let mut branch = json!({"properties": {name: value}});
                branch["properties"]["c"] = json!({"const": tag});
                if is_closed {
                    branch["additionalProperties"] = json!(false);
                }
                branch
            };
            ("oneOf", branches.into_iter().map(branch).collect())
        },
    );
    let target = prop::sample::select(targets);
    let branches = prop::collection::vec((types.clone(), name(), target, any::<bool>()), 2..4);
    let typed = branches.prop_map(|branches| {
        let branch = |(kind, name, (keyword, target), is_elsewhere): (&str, &str, (&str, &str), bool)| {
            match is_elsewhere {
                true => json!({ keyword: target }),
                false => json!({"type": kind, "required": [name], "minItems": 2}),
            }
        };
        ("anyOf", branches.into_iter().map(branch).collect())
    });
    let patterns = inner.clone().prop_map(|value| ("patternProperties", json!({"^a": value}))).boxed();
    let reference =
        prop::sample::select(targets).prop_map(|(keyword, target)| (keyword, target.into())).boxed();
    let assertions = prop_oneof![
        types.clone().prop_map(|name| ("type", name.into())),
        types.prop_filter_map("two types", |name| (name != "object")
            .then(|| ("type", json!([name, "object"])))),
        (0..4i32).prop_map(|number| ("minimum", number.into())),
        (0..4i32).prop_map(|number| ("const", number.into())),
        (0..3i32).prop_map(|number| ("minItems", number.into())),
        (0..3i32).prop_map(|number| ("maxContains", number.into())),
        (0..3i32).prop_map(|number| ("maxProperties", number.into())),
        Just(("uniqueItems", true.into())),
        name().prop_map(|name| ("required", json!([name]))),
        name().prop_map(|name| ("title", name.into())),
    ]
    .boxed();
    let mut choices: Vec<(u32, BoxedStrategy<(&'static str, Value)>)> =
        vec![(12, assertions), (8, reference), (1, patterns), (2, tagged.boxed()), (2, typed.boxed())];
    choices.extend(applicators.into_iter().map(|choice| (2, choice)));
    choices.extend(maps.into_iter().chain(twice).map(|choice| (2, choice)));
    choices.extend(ones.into_iter().map(|choice| (1, choice)));
    prop::strategy::Union::new_weighted(choices).boxed()
}

fn subschema(targets: Targets) -> BoxedStrategy<Value> {
    let leaf = prop_oneof![
        1 => any::<bool>().prop_map(Value::from),
        3 => prop::sample::select(targets).prop_map(|(keyword, target)| json!({ keyword: target })),
        2 => Just(json!({"type": "object"})),
        2 => Just(json!({"const": 1})),
        1 => Just(json!({"type": "string"})),
        1 => Just(json!({"type": ["string", "object"], "properties": {"a": true, "b": {"const": 1}}})),
    ];
    leaf.prop_recursive(3, 24, 4, move |inner| {
        prop_oneof![
            4 => prop::collection::vec(keyword(inner.clone().boxed(), targets), 1..5).prop_map(object),
            1 => record(inner.boxed()),
        ]
    })
    .boxed()
}

/// Returns a schema like those of tool arguments: named members, some of them required, and mostly
/// no others.
fn record(inner: BoxedStrategy<Value>) -> impl Strategy<Value = Value> {
    let members = prop::collection::vec((name(), inner), 1..4).prop_map(object);
    (members, name(), any::<bool>(), 0..3).prop_map(|(members, required, is_required, others)| {
        let mut record = json!({"type": "object", "properties": members});
        if is_required {
            record["required"] = json!([required]);
        }
        if others > 0 {
            record["additionalProperties"] = json!(false);
        }
        record
    })
}

fn schema() -> impl Strategy<Value = Value> {
    let definitions = prop::collection::vec(subschema(&REFERENCES), NAMES.len());
    let resources = (subschema(&DYNAMIC_REFERENCES), subschema(&DYNAMIC_REFERENCES));
    (subschema(&REFERENCES), definitions, resources).prop_map(|(root, definitions, resources)| {
        let mut root = into_object(root);
        let mut definitions = object(NAMES.into_iter().zip(definitions).collect());
        for (name, resource) in [("one", resources.0), ("two", resources.1)] {
            let mut resource = into_object(resource);
            resource.insert("$id".to_owned(), format!("https://example.com/{name}").into());
            resource.insert("$dynamicAnchor".to_owned(), "node".into());
            definitions[name] = resource.into();
        }
        root.insert("$defs".to_owned(), definitions);
        root.into()
    })
}

/// Returns a subschema to which keywords can be added.
fn into_object(schema: Value) -> Map<String, Value> {
    if let Value::Object(schema) = schema { schema } else { Map::from_iter([("not".to_owned(), schema)]) }
}

fn builder() -> ValidatorBuilder {
    Validator::builder().references(References::Bundled)
}

/// Compiles a schema in every mode, plain and without a memo first.
fn validators(schema: &Value) -> Result<Vec<Validator>, SchemaError> {
    let mut all = Vec::new();
    for optimize in [false, true] {
        for remember in [Remember::Never, Remember::Always, Remember::Auto] {
            // A run that takes more is undecided without a memo, too, and tests nothing.
            let limits = Limits::default().steps(50_000).errors(10_000).memory(64 << 20);
            all.push(builder().optimize(optimize).remember(remember).limits(limits).build(schema)?);
        }
    }
    Ok(all)
}

/// The parts that distinguish errors.
type Facts = (String, String, String);

fn facts(error: &ValidationError) -> Facts {
    (error.instance_path().to_owned(), error.evaluation_path().to_owned(), error.to_string())
}

/// Returns all errors, in order.
fn errors(validator: &Validator, instance: &Value) -> Vec<Facts> {
    validator.iter_errors(instance).as_slice().iter().map(facts).collect()
}

fn is_decided(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::Valid | Verdict::Invalid)
}

/// Whether the budget ended before all errors were found.
fn is_cut_short(validator: &Validator, instance: &Value) -> bool {
    validator.iter_errors(instance).any(|error| error.exhausted().is_some())
}

/// Formats all parts of an error, with the union that it is in.
fn whole(error: &ValidationError) -> String {
    format!("{error:?} in {:?}", error.union())
}

/// Returns all errors of a node, with all their parts.
fn whole_errors<'a>(validator: &Validator, node: impl Node<'a>) -> Vec<String> {
    validator.iter_errors(node).map(|error| whole(&error)).collect()
}

/// Returns a schema with some instances and a number.
fn cases(instances: usize, numbers: std::ops::Range<u64>) -> impl Strategy<Value = Case> {
    let parts = (schema(), prop::collection::vec(instance(), instances), numbers);
    parts.prop_map(|(schema, instances, number)| Case { schema, instances, number })
}

/// All properties of this file, by name.
pub(crate) const PROPERTIES: [(&str, Property); 5] = [
    ("same-answer", same_answer),
    ("few-errors", few_errors),
    ("evaluation", evaluation),
    ("few-steps", few_steps),
    ("cost", cost),
];

/// Percentage of random schemas that must be built. Others have references in a ring.
const MIN_BUILT_PERCENT: u32 = 50;

#[test]
fn every_way_gives_the_same_answer() {
    check("same-answer", same_answer, cases(6, 0..1), MIN_BUILT_PERCENT);
}

#[test]
fn few_errors_are_the_first() {
    check("few-errors", few_errors, cases(1, 1..4), MIN_BUILT_PERCENT);
}

#[test]
fn an_evaluation_has_the_same_errors() {
    check("evaluation", evaluation, cases(1, 0..1), MIN_BUILT_PERCENT);
}

#[test]
fn few_steps_change_no_verdict() {
    check("few-steps", few_steps, cases(4, 4..400), MIN_BUILT_PERCENT);
}

#[test]
fn steps_stay_below_the_cost() {
    check("cost", cost, cases(1, 0..1), MIN_BUILT_PERCENT);
}

fn same_answer(case: &Case) -> Result<Built, TestCaseError> {
    let Ok(validators) = validators(&case.schema) else { return Ok(Built::No) };
    for instance in &case.instances {
        let verdict = validators[0].verdict(instance);
        let found = whole_errors(&validators[0], instance);
        // A run near the limit may end in one mode and not in another.
        let is_near = validators[0].measure(instance).steps > 2_000;
        if !is_decided(verdict) || is_near || is_cut_short(&validators[0], instance) {
            continue;
        }
        prop_assert_eq!(verdict == Verdict::Valid, found.is_empty());
        let mut text = serde_json::to_vec(instance).unwrap();
        let mut reader = Reader::new();
        let own_text = text.clone();
        let own_tape = reader.parse(&own_text).unwrap();
        let tape = simd_json::to_tape(&mut text).unwrap();
        for validator in &validators {
            // Rings of references through dynamic scopes end by depth, if a run reaches them.
            if is_cut_short(validator, instance) {
                continue;
            }
            prop_assert_eq!(validator.verdict(instance), verdict);
            prop_assert_eq!(validator.verdict(TapeNode::from(&tape)), verdict);
            prop_assert_eq!(&whole_errors(validator, instance), &found);
            let first = validator.validate(instance).err().map(|error| whole(&error));
            prop_assert_eq!(first.as_ref(), found.first());
        }
        // The last one has the default settings.
        let usual = &validators[validators.len() - 1];
        if is_cut_short(usual, instance) {
            continue;
        }
        prop_assert_eq!(&whole_errors(usual, TapeNode::from(&tape)), &found);
        prop_assert_eq!(&whole_errors(usual, own_tape.root()), &found);
    }
    Ok(Built::Yes)
}

/// With a lower limit there are fewer errors, the first ones are the same, and a note says that
/// some are left out.
fn few_errors(case: &Case) -> Result<Built, TestCaseError> {
    let Ok(validators) = validators(&case.schema) else { return Ok(Built::No) };
    let limits = Limits::default().errors(case.number as usize);
    let few = builder().limits(limits).build(&case.schema).unwrap();
    for instance in &case.instances {
        if is_cut_short(&validators[0], instance) || is_cut_short(&few, instance) {
            continue;
        }
        let all = errors(&validators[0], instance);
        let found = few.iter_errors(instance);
        prop_assert!(found.len() as u64 <= case.number);
        prop_assert_eq!(found.len() == 0, all.is_empty());
        prop_assert!(found.is_cut() || found.len() == all.len());
        let found: Vec<Facts> = found.as_slice().iter().map(facts).collect();
        prop_assert_eq!(&found[..], &all[..found.len()]);
    }
    Ok(Built::Yes)
}

/// An evaluation has the same verdict and the same errors, also inside unions.
fn evaluation(case: &Case) -> Result<Built, TestCaseError> {
    let Ok(validators) = validators(&case.schema) else { return Ok(Built::No) };
    for instance in &case.instances {
        for validator in &validators {
            let evaluation = validator.evaluate(instance);
            prop_assert_eq!(evaluation.verdict(), validator.verdict(instance));
            let evaluated: Vec<String> = evaluation.errors().map(|error| whole(&error)).collect();
            prop_assert_eq!(&evaluated, &whole_errors(validator, instance));
        }
        // Outputs take long to write, so they are those of one validator: the last one, as most people have it.
        let usual = &validators[validators.len() - 1];
        let evaluation = usual.evaluate(instance);
        let text = serde_json::to_vec(instance).unwrap();
        let mut reader = Reader::new();
        let parsed = usual.evaluate(reader.parse(&text).unwrap().root());
        let parsed: Vec<String> = parsed.errors().map(|error| whole(&error)).collect();
        prop_assert_eq!(&parsed, &evaluation.errors().map(|error| whole(&error)).collect::<Vec<_>>());
        outputs(&evaluation)?;
    }
    Ok(Built::Yes)
}

/// Checks that all output formats have the verdict, and that `basic` has every error which no union stands around.
fn outputs(evaluation: &Evaluation) -> Result<(), TestCaseError> {
    let valid = evaluation.verdict() == Verdict::Valid;
    let basic = evaluation.basic();
    let others = [evaluation.flag(), evaluation.detailed(), evaluation.verbose()];
    for output in others.iter().chain([&basic, &evaluation.list(), &evaluation.hierarchical()]) {
        prop_assert_eq!(output["valid"].as_bool(), Some(valid));
    }
    if !is_decided(evaluation.verdict()) || basic.get("incomplete").is_some() {
        return Ok(());
    }
    // An unknown member is an error of its object, and a name one of its keyword; the output has both where the subschema was applied.
    let elsewhere = ["additionalProperties", "unevaluatedProperties", "propertyNames"];
    let units = basic["errors"].as_array().map_or(&[][..], Vec::as_slice);
    for error in evaluation.errors() {
        if error.union().is_some() || error.exhausted().is_some() || elsewhere.contains(&error.keyword()) {
            continue;
        }
        let (place, path) = (error.instance_path(), error.evaluation_path());
        let has = |unit: &Value| unit["instanceLocation"] == place && unit["keywordLocation"] == path;
        prop_assert!(units.iter().any(has), "{} at {} is not in {}", path, place, basic);
    }
    Ok(())
}

/// With few steps, a run starts its memo halfway, or gives up; it is never wrong.
fn few_steps(case: &Case) -> Result<Built, TestCaseError> {
    let Ok(validators) = validators(&case.schema) else { return Ok(Built::No) };
    let limits = Limits::default().steps(case.number);
    for optimize in [false, true] {
        let hurried = builder().optimize(optimize).limits(limits).build(&case.schema).unwrap();
        for instance in &case.instances {
            let (verdict, unhurried) = (hurried.verdict(instance), validators[0].verdict(instance));
            prop_assert!(!is_decided(verdict) || !is_decided(unhurried) || verdict == unhurried);
        }
    }
    Ok(Built::Yes)
}

/// A verdict takes no more steps than the schema's cost says.
fn cost(case: &Case) -> Result<Built, TestCaseError> {
    let Ok(validators) = validators(&case.schema) else { return Ok(Built::No) };
    for instance in &case.instances {
        let (nodes, bytes) = (count(instance), instance.to_string().len() as u64);
        for validator in &validators {
            let measured = validator.measure(instance);
            prop_assert!(measured.steps <= validator.cost().steps(nodes, bytes));
        }
    }
    Ok(Built::Yes)
}

fn count(value: &Value) -> u64 {
    1 + match value {
        Value::Array(items) => items.iter().map(count).sum(),
        Value::Object(map) => map.values().map(count).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    }
}
