//! Recorded answers of other SDKs, for bounds, envelopes and text mirrors.

use crate::shared::vectors;
use serde_json::{Value, json};
use stanchion_mcp::bounds::{self, DEPTH, OutOfBounds, SUBSCHEMAS};
use stanchion_mcp::stanchion::Dialect;
use stanchion_mcp::{Counting, OutputSchema, Profile, Reason, Wrapping, content, legacy};

/// Converts an answer to the form of the vectors.
fn answer(counted: Result<usize, OutOfBounds>) -> Value {
    match counted {
        Ok(subschemas) => json!({"ok": true, "subschemas": subschemas}),
        Err(OutOfBounds::Depth { .. }) => json!({"ok": false, "why": "depth"}),
        Err(OutOfBounds::Subschemas { .. }) => json!({"ok": false, "why": "count"}),
        Err(OutOfBounds::Reference { .. }) => json!({"ok": false, "why": "ref"}),
        Err(other) => panic!("{other}"),
    }
}

#[test]
fn bounds_are_counted_as_recorded() {
    let Some(cases) = vectors("bounds") else { return };
    assert_eq!(cases.len(), 107);
    for case in &cases {
        let schema = &case["schema"];
        let typescript = answer(bounds::typescript(schema, DEPTH, SUBSCHEMAS));
        assert_eq!(typescript, case["ts_pr2249"], "{}, TypeScript", case["name"]);
        let ruby = answer(bounds::ruby(schema, DEPTH, SUBSCHEMAS));
        assert_eq!(ruby, case["ruby_1_3_0"], "{}, Ruby", case["name"]);
    }
}

/// A reference that the TypeScript reference overlooks, since it takes `default` for data wherever it stands. The engine does not.
const OVERLOOKED: &str = "dependencies.default ext ref (draft-07)";

/// The mode decides alone: what it accepts the engine's own bounds do not refuse.
#[test]
fn a_mode_accepts_what_was_accepted() {
    let Some(cases) = vectors("bounds") else { return };
    for case in &cases {
        for (counting, recorded) in
            [(Counting::TypeScript, &case["ts_pr2249"]), (Counting::Ruby, &case["ruby_1_3_0"])]
        {
            let profile = Profile::default().counting(counting);
            let refusal = OutputSchema::with(&profile, case["schema"].clone()).err();
            let is_out =
                refusal.as_ref().is_some_and(|refusal| matches!(refusal.reason(), Reason::Bounds(_)));
            assert_eq!(!is_out, recorded["ok"] == true, "{}, {counting:?}: {refusal:?}", case["name"]);
            let is_overlooked = case["name"] == OVERLOOKED && counting == Counting::TypeScript;
            assert_eq!(refusal.is_some(), is_out || is_overlooked, "{}, {counting:?}", case["name"]);
        }
    }
}

#[test]
fn envelopes_are_as_recorded() {
    let Some(cases) = vectors("legacy-wrap") else { return };
    assert_eq!(cases.len(), 23);
    for case in &cases {
        let (name, schema) = (&case["name"], &case["in"]);
        assert_eq!(Wrapping::Envelope.wraps(schema), case["needsWrap"] == true, "{name}");
        let typescript = Wrapping::TypeScript.wrap(schema, Dialect::default()).unwrap();
        assert_eq!(typescript, case["ts_2_4_0"], "{name}");
        // Ours is the same, but where theirs changes the verdict.
        if name != "d2019_recursive_anchor" {
            assert_eq!(legacy::wrap_schema(schema).unwrap(), case["ts_2_4_0"], "{name}");
        }
        assert!(legacy::is_envelope(&case["ts_2_4_0"]), "{name}");
    }
}

#[test]
fn mirrors_are_as_recorded() {
    let Some(cases) = vectors("text-fallback") else { return };
    assert_eq!(cases.len(), 36);
    for case in &cases {
        let mut result = case["in"].as_object().expect("a result").clone();
        result.retain(|_, value| value != "__absent__");
        content::add_mirror(&mut result);
        let content = result.remove("content").unwrap_or_else(|| json!("__absent__"));
        assert_eq!(content, case["out"], "{}", case["in"]);
    }
}
