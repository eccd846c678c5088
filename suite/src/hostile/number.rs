//! Extreme numbers, on which conversion to a double or arithmetic on all digits fails.

use super::{Attack, Expected, Family};
use serde_json::{Value, json};

pub(super) fn families() -> Vec<Family> {
    vec![numbers()]
}

fn numbers() -> Family {
    let mut family = Family::new("numbers");
    family.add("multipleOf 1e-300, on 1e300 and more", 3, 5_000, |count| {
        let items = vec![json!(1e300); count];
        let mut bad = items.clone();
        bad.push(json!(1e-301));
        Attack::new(json!({"items": {"multipleOf": 1e-300}})).valid(items).invalid(bad)
    });
    family.add("multipleOf 1e308, on small numbers", 3, 5_000, |count| {
        let items = vec![json!(0); count];
        let mut bad = items.clone();
        bad.push(json!(5e-324));
        Attack::new(json!({"items": {"multipleOf": 1e308}})).valid(items).invalid(bad)
    });
    family.add("multipleOf hundredths", 100, 10_000, |count| {
        let text = |last: &str| {
            let cents: Vec<String> =
                (0..count).map(|cent| format!("{}.{:02}", cent / 100, cent % 100)).collect();
            format!("[{},{last}]", cents.join(","))
        };
        Attack::new(json!({"items": {"multipleOf": 0.01}}))
            .text(Expected::Valid, text("0.07"))
            .text(Expected::Invalid, text("0.075"))
    });
    family.add("multipleOf with no common power of ten", 3, 5_000, |count| {
        // 2⁶⁴ − 1 is a multiple of 3 and not of 7.
        Attack::new(json!({"items": {"multipleOf": 3}}))
            .valid(vec![json!(u64::MAX); count])
            .invalid(vec![json!(u64::MAX), json!(u64::MAX - 1)])
    });
    family.add("2⁶⁴ − 1 and 7", 1, 1, |_| {
        Attack::new(json!({"multipleOf": 7})).valid(u64::MAX - 1).invalid(u64::MAX)
    });
    family.add("neighbors of 2⁵³", 3, 5_000, |count| {
        let items = vec![json!(9_007_199_254_740_993_u64); count];
        let mut bad = items.clone();
        bad.push(json!(9_007_199_254_740_992_u64));
        Attack::new(json!({"items": {"minimum": 9_007_199_254_740_993_u64}})).valid(items).invalid(bad)
    });
    family.add("the ends of 64 bits", 1, 1, |_| {
        Attack::new(json!({"items": {"minimum": i64::MIN, "exclusiveMaximum": u64::MAX, "type": "integer"}}))
            .valid(json!([i64::MIN, i64::MAX, u64::MAX - 1, -0.0, 1e18]))
            .invalid(json!([u64::MAX]))
            .invalid(json!([-1e19]))
    });
    family.add("1e308 is an integer", 3, 5_000, |count| {
        Attack::new(json!({"items": {"type": "integer", "enum": [1e308, 1.7976931348623157e308]}}))
            .valid(vec![json!(1e308); count])
            .invalid(vec![json!(1e307); count])
    });
    family.add("a fraction of 100,000 digits", 10, 100_000, |digits| {
        Attack::new(json!({"type": "number", "exclusiveMinimum": 0.1, "maximum": 0.2}))
            .text(Expected::Valid, format!("0.1{}", "5".repeat(digits)))
            .text(Expected::Invalid, format!("0.2{}", "5".repeat(digits)))
    });
    family.add("an exponent with 10,000 zeros", 10, 10_000, |digits| {
        Attack::new(json!({"type": "integer", "maximum": 1_000}))
            .text(Expected::Valid, format!("1e{}3", "0".repeat(digits)))
            .text(Expected::Invalid, format!("1e{}4", "0".repeat(digits)))
    });
    family.add("smaller than any double", 10, 10_000, |digits| {
        // Too small for a double: zero in every validator that reads doubles, and negative in none.
        Attack::new(json!({"minimum": 0, "exclusiveMaximum": 1e-300}))
            .text(Expected::Valid, format!("0.{}1", "0".repeat(digits + 400)))
            .text(Expected::Invalid, String::from("1e-299"))
    });
    family.add("2,000 bounds on 100 numbers", 5, 2_000, |count| {
        let branches: Vec<Value> = (0..count)
            .map(|index| json!({"minimum": -1e300, "exclusiveMaximum": 1e300 + index as f64 * 1e290}))
            .collect();
        let mut bad = vec![json!(1e299); 100];
        bad.push(json!(1e300));
        Attack::new(json!({"items": {"allOf": branches}})).valid(vec![json!(1e299); 100]).invalid(bad)
    });
    // Each check of a long number is charged by its digits.
    let many_digits = |count: usize| format!("0.{}", "5".repeat(125 * count));
    family.add("the type of a million digits, 8,000 times", 5, 8_000, move |count| {
        let branches: Vec<Value> =
            (0..count).map(|index| json!({"type": "integer", "maximum": index})).collect();
        Attack::new(json!({"anyOf": branches})).text(Expected::Invalid, many_digits(count)).beyond("steps")
    });
    family.add("the bounds of a million digits, 8,000 times", 5, 8_000, move |count| {
        let branches: Vec<Value> =
            (1..=count).map(|index| json!({"minimum": 1.0 / index as f64 - 0.5})).collect();
        Attack::new(json!({"oneOf": branches, "minimum": 0.1}))
            .text(Expected::Invalid, many_digits(count))
            .beyond("steps")
    });
    family.add("divisors of a million digits, 8,000 times", 5, 8_000, move |count| {
        let branches: Vec<Value> =
            (1..=count).map(|index| json!({"multipleOf": index as f64 * 0.25})).collect();
        Attack::new(json!({"anyOf": branches})).text(Expected::Invalid, many_digits(count)).beyond("steps")
    });
    family.add("the equals of a million digits, 8,000 times", 5, 8_000, move |count| {
        let branches: Vec<Value> =
            (0..count).map(|index| json!({"enum": [index, [index], 0.25], "uniqueItems": true})).collect();
        let digits = many_digits(count);
        Attack::new(json!({"anyOf": branches}))
            .text(Expected::Invalid, format!("[{digits},{digits}]"))
            .beyond("steps")
    });
    family.add("a thousand numbers of a thousand digits, all next to one float", 5, 1_000, move |count| {
        let number = |index: usize| format!("1.{:0>1$}", index + 1, 2 * count);
        let text = |last: usize| {
            let numbers: Vec<String> = (0..count).chain([last]).map(number).collect();
            format!("[{}]", numbers.join(","))
        };
        Attack::new(json!({"uniqueItems": true, "items": {"maximum": 2}}))
            .text(Expected::Invalid, text(count / 2))
            .beyond("steps")
    });
    family
}
