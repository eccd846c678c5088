//! Chains and circuits of thousands of subschemas over one value: deep nesting in the schema alone.

use super::{Attack, Dice, Family, object, to};
use serde_json::{Value, json};

pub(super) fn families() -> Vec<Family> {
    vec![chains(), circuits()]
}

/// Builds definitions `g0` to `g{count}`, the last of which is the leaf. `gate` makes one from its
/// number. The root refers to the first.
fn gates(count: usize, leaf: Value, gate: impl Fn(usize) -> Value) -> Value {
    let gates = (0..count).map(|index| (format!("g{index}"), gate(index)));
    let leaf = [(format!("g{count}"), leaf)];
    json!({"$ref": "#/$defs/g0", "$defs": object(gates.chain(leaf))})
}

fn gate(index: usize) -> Value {
    to(&format!("g{index}"))
}

/// A gate over the next one.
type Link = fn(Value) -> Value;

fn chains() -> Family {
    let mut family = Family::new("chains over one value");
    let links: [(&str, bool, Link); 6] = [
        ("not", true, |next| json!({"not": next})),
        ("if", false, |next| json!({"if": next, "else": false})),
        ("anyOf", false, |next| json!({"anyOf": [next, {"required": ["missing"]}]})),
        ("oneOf", false, |next| json!({"oneOf": [{"minProperties": 9}, next]})),
        ("dependentSchemas", false, |next| json!({"dependentSchemas": {"a": next}})),
        ("allOf", false, |next| json!({"allOf": [{"maxProperties": 9}, next], "minProperties": 1})),
    ];
    for (what, turns, link) in links {
        family.add(what, 4, 3_000, move |count| {
            let schema = gates(count, json!({"properties": {"a": {"type": "integer"}}}), |index| {
                link(gate(index + 1))
            });
            let attack = Attack::new(schema);
            assert!(!turns || count.is_multiple_of(2), "an even number of turns");
            attack.valid(json!({"a": 1})).invalid(json!({"a": "text"}))
        });
    }
    family.add("anyOf that is asked what it evaluates", 4, 2_000, |count| {
        let link = |index| json!({"anyOf": [gate(index + 1), {"required": ["missing"]}]});
        let mut schema = gates(count, json!({"properties": {"a": true}}), link);
        schema["unevaluatedProperties"] = false.into();
        Attack::new(schema).valid(json!({"a": 1})).invalid(json!({"a": 1, "b": 2}))
    });
    family.add("at every level of the instance", 4, 1_000, |count| {
        let leaf = json!({"type": ["array", "integer"], "items": {"$ref": "#/$defs/g0"}});
        let schema = gates(count, leaf, |index| json!({"not": gate(index + 1)}));
        let nested = |leaf: Value| (0..8).fold(leaf, |inner, _| json!([inner]));
        Attack::new(schema).valid(nested(1.into())).invalid(nested("text".into()))
    });
    family
}

fn circuits() -> Family {
    let mut family = Family::new("circuits over one value");
    family.add("each gate over the next two", 6, 2_000, |count| {
        let circuit = |index: usize| {
            let (next, after) = (gate(index + 1), gate((index + 2).min(count)));
            match index % 3 {
                0 => json!({"if": next, "then": after, "else": {"not": after}}),
                1 => json!({"oneOf": [next, after]}),
                _ => json!({"not": {"anyOf": [next, after]}}),
            }
        };
        let verdict = |leaf: bool| {
            let mut wires = vec![leaf; count + 1];
            for index in (0..count).rev() {
                let (next, after) = (wires[index + 1], wires[(index + 2).min(count)]);
                wires[index] = match index % 3 {
                    0 => next == after,
                    1 => next != after,
                    _ => !(next || after),
                };
            }
            wires[0]
        };
        judged(gates(count, json!({"type": "integer"}), circuit), &verdict)
    });
    family.add("each gate over two of the gates behind it", 6, 1_900, |count| {
        let mut dice = Dice(count as u64);
        let wires: Vec<(usize, usize)> = (0..count)
            .map(|index| {
                let mut behind = || index + 1 + dice.below((count - index).min(40));
                (behind(), behind())
            })
            .collect();
        let circuit = |index: usize| {
            let (one, other) = wires[index];
            json!({"if": gate(one), "then": {"not": gate(other)}, "else": gate(other)})
        };
        let verdict = |leaf: bool| {
            let mut verdicts = vec![leaf; count + 1];
            for index in (0..count).rev() {
                let (one, other) = wires[index];
                verdicts[index] = verdicts[one] != verdicts[other];
            }
            verdicts[0]
        };
        judged(gates(count, json!({"type": "integer"}), circuit), &verdict)
    });
    family
}

/// Builds an attack with a value that the leaf accepts and one that it rejects.
fn judged(schema: Value, verdict: &dyn Fn(bool) -> bool) -> Attack {
    [(json!(1), true), (json!("text"), false)].into_iter().fold(
        Attack::new(schema),
        |attack, (value, leaf)| {
            if verdict(leaf) { attack.valid(value) } else { attack.invalid(value) }
        },
    )
}
