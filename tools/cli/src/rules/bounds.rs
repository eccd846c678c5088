//! Rules for bounds that exclude every value.

use serde_json::{Number, Value};
use stanchion::{Dialect, Type};

use super::walk::{self, Site};
use super::{EMPTY_RANGE, Findings, words};

/// Counts: the keyword for the least, the keyword for the most, and what they count.
const COUNTS: [(&str, &str, &str); 4] = [
    ("minLength", "maxLength", "text has a length"),
    ("minItems", "maxItems", "array has a length"),
    ("minProperties", "maxProperties", "object has a size"),
    ("minContains", "maxContains", "array has a count"),
];

pub(super) fn look(site: &Site<'_>, found: &mut Findings) {
    for (least, most, what) in COUNTS {
        let is_idle =
            least == "minContains" && (!site.has("contains") || site.dialect < Dialect::Draft201909);
        let (low, high) = (site.get(least).and_then(number), site.get(most).and_then(number));
        if let (Some(low), Some(high), false) = (low, high, is_idle)
            && is_less(high, low)
        {
            found.push(
                &EMPTY_RANGE,
                site.at(&[least]),
                format!("no {what} of at least {low} and at most {high}"),
                format!("swap `{least}` and `{most}`, or correct one of them"),
            );
        }
    }
    numbers(site, found);
    contains(site, found);
    members(site, found);
    items(site, found);
}

fn number(value: &Value) -> Option<&Number> {
    match value {
        Value::Number(number) => Some(number),
        Value::Null | Value::Bool(_) | Value::String(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

/// Whether one number is less than another: exact for integers, and by doubles for others.
fn is_less(a: &Number, b: &Number) -> bool {
    match (integer(a), integer(b)) {
        (Some(a), Some(b)) => a < b,
        _ => a.as_f64() < b.as_f64(),
    }
}

fn integer(number: &Number) -> Option<i128> {
    number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from))
}

/// A bound on numbers.
struct Bound<'s> {
    keyword: &'static str,
    value: &'s Number,
    is_exclusive: bool,
}

/// Returns the bounds on one side; draft-04 has the exclusive one as a flag.
fn bounds_on<'s>(site: &Site<'s>, keyword: &'static str, exclusive: &'static str) -> Vec<Bound<'s>> {
    let flag = site.get(exclusive).and_then(Value::as_bool) == Some(true) && site.dialect == Dialect::Draft04;
    let plain = site.get(keyword).and_then(number);
    let plain = plain.map(|value| Bound { keyword, value, is_exclusive: flag });
    let strict = site.get(exclusive).and_then(number).filter(|_| site.dialect != Dialect::Draft04);
    let strict = strict.map(|value| Bound { keyword: exclusive, value, is_exclusive: true });
    plain.into_iter().chain(strict).collect()
}

fn numbers(site: &Site<'_>, found: &mut Findings) {
    let lows = bounds_on(site, "minimum", "exclusiveMinimum");
    let highs = bounds_on(site, "maximum", "exclusiveMaximum");
    let integers_only =
        walk::types(site.value).is_some_and(|types| types.has(Type::Integer) && !types.has(Type::Number));
    for (low, high) in lows.iter().flat_map(|low| highs.iter().map(move |high| (low, high))) {
        let is_strict = low.is_exclusive || high.is_exclusive;
        let touches = !is_less(low.value, high.value) && !is_less(high.value, low.value);
        let sides = format!(
            "{} {} and {} {}",
            if low.is_exclusive { "more than" } else { "at least" },
            low.value,
            if high.is_exclusive { "less than" } else { "at most" },
            high.value
        );
        if is_less(high.value, low.value) || (touches && is_strict) {
            found.push(
                &EMPTY_RANGE,
                site.at(&[low.keyword]),
                format!("no number is {sides}"),
                format!("swap `{}` and `{}`, or correct one of them", low.keyword, high.keyword),
            );
            return;
        }
        if integers_only && !has_integer(low, high) {
            found.push(
                &EMPTY_RANGE,
                site.at(&[low.keyword]),
                format!("no integer is {sides}"),
                "widen the bounds, or let `type` be \"number\"",
            );
            return;
        }
    }
}

/// Whether there is an integer between two bounds; `true` if doubles are too coarse.
fn has_integer(low: &Bound<'_>, high: &Bound<'_>) -> bool {
    let (Some(least), Some(most)) = (low.value.as_f64(), high.value.as_f64()) else { return true };
    if least.abs().max(most.abs()) > 1e15 {
        return true;
    }
    let first = if low.is_exclusive && least.fract() == 0.0 { least + 1.0 } else { least.ceil() };
    let last = if high.is_exclusive && most.fract() == 0.0 { most - 1.0 } else { most.floor() };
    first <= last
}

/// Finds `maxContains: 0` without `minContains`, which is 1 then.
fn contains(site: &Site<'_>, found: &mut Findings) {
    let is_zero = site.get("maxContains").and_then(Value::as_u64) == Some(0);
    if is_zero && site.has("contains") && !site.has("minContains") && site.dialect >= Dialect::Draft201909 {
        found.push(
            &EMPTY_RANGE,
            site.at(&["maxContains"]),
            "`contains` wants one item, and `maxContains` allows none".to_owned(),
            "add `\"minContains\": 0`, or put what is in `contains` under `not`",
        );
    }
}

/// Finds objects with more required members, or a greater minimum, than allowed.
fn members(site: &Site<'_>, found: &mut Findings) {
    let required = site.texts("required").count() as u64;
    if let Some(most) = site.get("maxProperties").and_then(Value::as_u64)
        && required > most
    {
        found.push(
            &EMPTY_RANGE,
            site.at(&["maxProperties"]),
            format!("{required} members are required, and at most {most} allowed"),
            "raise `maxProperties`, or require fewer",
        );
    }
    let is_closed =
        site.get("additionalProperties") == Some(&Value::Bool(false)) && !site.has("patternProperties");
    if let (Some(least), true) = (site.get("minProperties").and_then(Value::as_u64), is_closed) {
        let declared = site.map("properties").map_or(0, |map| map.len()) as u64;
        if least > declared {
            found.push(
                &EMPTY_RANGE,
                site.at(&["minProperties"]),
                format!("at least {least} members are wanted, and {declared} names allowed"),
                "lower `minProperties`, or declare more properties",
            );
        }
    }
}

/// Finds a minimum of items above the length of a closed tuple.
fn items(site: &Site<'_>, found: &mut Findings) {
    let (tuple, rest) = match site.dialect {
        Dialect::Draft202012 => ("prefixItems", "items"),
        Dialect::Draft04 | Dialect::Draft06 | Dialect::Draft07 | Dialect::Draft201909 => {
            ("items", "additionalItems")
        }
    };
    let length = site.list(tuple).map(Vec::len).filter(|_| site.get(rest) == Some(&Value::Bool(false)));
    if let (Some(length), Some(least)) = (length, site.get("minItems").and_then(Value::as_u64))
        && least > length as u64
    {
        found.push(
            &EMPTY_RANGE,
            site.at(&["minItems"]),
            format!("at least {least} items are wanted, and `{rest}` allows no more than {length}"),
            format!("lower `minItems`, or let `{rest}` allow more ({})", words::value(&Value::from(length))),
        );
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::tests::check;

    #[test]
    fn bounds_that_leave_nothing() {
        for (schema, pointer) in [
            (r#"{"minimum": 5, "maximum": 4}"#, "/minimum"),
            (r#"{"exclusiveMinimum": 5, "maximum": 5}"#, "/exclusiveMinimum"),
            (r#"{"minimum": 9007199254740993, "maximum": 9007199254740992}"#, "/minimum"),
            (r#"{"type": "integer", "minimum": 1.2, "maximum": 1.8}"#, "/minimum"),
            (r#"{"type": "integer", "exclusiveMinimum": 1, "exclusiveMaximum": 2}"#, "/exclusiveMinimum"),
            (r#"{"minLength": 2, "maxLength": 1}"#, "/minLength"),
            (r#"{"minItems": 2, "maxItems": 1}"#, "/minItems"),
            (r#"{"minProperties": 2, "maxProperties": 1}"#, "/minProperties"),
            (r#"{"contains": true, "minContains": 2, "maxContains": 1}"#, "/minContains"),
            (r#"{"contains": true, "maxContains": 0}"#, "/maxContains"),
            (r#"{"required": ["a", "b"], "maxProperties": 1}"#, "/maxProperties"),
            (
                r#"{"properties": {"a": true}, "additionalProperties": false, "minProperties": 2}"#,
                "/minProperties",
            ),
            (r#"{"prefixItems": [true], "items": false, "minItems": 2}"#, "/minItems"),
        ] {
            check(schema, &[&format!("empty-range {pointer}")]);
        }
        let draft04 = r#"{"$schema": "http://json-schema.org/draft-04/schema#", "minimum": 1, "exclusiveMinimum": true, "maximum": 1}"#;
        check(draft04, &["empty-range /minimum"]);
    }

    #[test]
    fn bounds_that_leave_something() {
        for schema in [
            r#"{"minimum": 5, "maximum": 5}"#,
            r#"{"type": "number", "minimum": 1.2, "maximum": 1.8}"#,
            r#"{"type": "integer", "minimum": 1.2, "maximum": 2}"#,
            r#"{"minLength": 1, "maxLength": 1}"#,
            r#"{"contains": true, "minContains": 0, "maxContains": 0}"#,
            r#"{"required": ["a"], "maxProperties": 1}"#,
            r#"{"patternProperties": {"^x": true}, "additionalProperties": false, "minProperties": 2}"#,
            r#"{"prefixItems": [true], "minItems": 2}"#,
        ] {
            check(schema, &[]);
        }
    }
}
