//! Patterns of which it matters only whether one matches become one pattern.
//!
//! ```text
//! {"anyOf": [{"pattern": "^a"}, {"pattern": "^b"}, …]}                   Matches "^a|^b|…"
//! {"patternProperties": {"^a": {"$ref": "#/d"}, "^b": {"$ref": "#/d"}}}    "^a|^b" → d
//! ```
//!
//! A thousand patterns are then asked until one matches, and those that begin with a text by one search, see
//! [`Pattern::any`]. Explanations read plain code, where all of them are as the schema has them.

use crate::program::{
    Assertion, BlockId, Fast, Gate, Id, Pattern, PatternBlocks, PatternSet, Plain, Program,
};
use stanchion_vocab::{Type, TypeSet};
use std::collections::HashMap;

/// Up to so many patterns are left as they are.
const UNMERGED_PATTERNS: usize = 4;

/// The patterns of `patternProperties` with those that lead to the same block as one, if that makes them much fewer.
pub(super) fn group(program: &mut Program, id: Id<PatternBlocks>) -> Id<PatternBlocks> {
    let patterned = &program.pattern_blocks[id];
    if patterned.blocks.len() <= UNMERGED_PATTERNS {
        return id;
    }
    // In the order of their first pattern. Where types decide everything, it does not matter which block they lead to.
    let mut groups: Vec<(BlockId, Vec<Id<Pattern>>)> = Vec::new();
    let mut places = HashMap::with_hasher(program.seeds.clone());
    for (pattern, block) in patterned.iter() {
        let gate = program.gate(block);
        let asked = (!gate.asks().is_empty()).then_some(gate.block);
        let place = *places.entry((gate.passes(), gate.asks(), asked)).or_insert(groups.len());
        match groups.get_mut(place) {
            Some((_, patterns)) => patterns.push(pattern),
            None => groups.push((block, vec![pattern])),
        }
    }
    if groups.len() + UNMERGED_PATTERNS > patterned.blocks.len() {
        return id;
    }
    let blocks = groups.iter().map(|&(block, _)| block).collect();
    let patterns: Vec<_> = groups.into_iter().map(|(_, patterns)| any(program, &patterns)).collect();
    program.pattern_blocks.push(PatternBlocks { set: PatternSet::new(patterns), blocks })
}

/// One instruction for a union of patterns, for texts alone.
pub(super) fn union(program: &mut Program, blocks: &[BlockId], gate: Gate) -> Option<Fast> {
    if blocks.len() <= UNMERGED_PATTERNS || gate.asks() != TypeSet::NONE.with(Type::String) {
        return None;
    }
    let patterns = blocks.iter().map(|&block| only_pattern(program, block)).collect::<Option<Vec<_>>>()?;
    Some(Fast::Assert(Assertion::Matches(any(program, &patterns))))
}

/// The pattern of a block that asks nothing else of a text.
fn only_pattern(program: &Program, block: BlockId) -> Option<Id<Pattern>> {
    let block = program.gate(block).block;
    let code = program.block(block).plain.clone().map(|at| program.code[at as usize]);
    // INVARIANT: the types let texts pass, or the branch would be left out.
    let mut asked = code.filter(|instruction| {
        instruction.for_verdicts().is_some() && !matches!(instruction, Plain::Assert(Assertion::Type(_)))
    });
    let Some(Plain::Assert(Assertion::Matches(pattern))) = asked.next() else { return None };
    asked.next().is_none().then_some(pattern)
}

fn any(program: &mut Program, patterns: &[Id<Pattern>]) -> Id<Pattern> {
    if let &[only] = patterns {
        return only;
    }
    let patterns: Vec<&Pattern> = patterns.iter().map(|&id| &program.patterns[id]).collect();
    let any = Pattern::any(&patterns);
    program.patterns.push(any)
}

#[cfg(test)]
mod tests {
    use crate::Validator;
    use serde_json::json;

    #[track_caller]
    fn check(schema: &serde_json::Value, wanted: &str) {
        let listing = format!("{:#}", Validator::new(schema).expect("a schema").program());
        assert!(listing.contains(wanted), "{wanted} is not in\n{listing}");
    }

    #[test]
    fn patterns_become_one() {
        let patterns: Vec<_> = ["^a", "^b", "c", "d$", "e"].map(|source| json!({"pattern": source})).into();
        check(&json!({"anyOf": patterns}), r#"Matches "^a|^b|c|d$|e""#);
        for definition in [json!({"type": "integer"}), json!({"minimum": 3})] {
            let same = json!({"$ref": "#/$defs/d"});
            check(
                &json!({
                    "$defs": {"d": definition},
                    "patternProperties": {"^a": same, "^b": same, "c": same, "d$": same, "e": same, "^f": false}
                }),
                "^a|^b|c|d$|e",
            );
        }
    }
}
