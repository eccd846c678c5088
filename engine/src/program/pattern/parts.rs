//! Lookaround as patterns without, joined by and, or and not. Each has an engine like any other pattern; small tables become one.

use super::Engine;
use super::product::product;
use crate::limits::{Budget, Stopped};
use stanchion_vocab::ecma;

/// What has to hold of a text.
#[derive(Debug)]
pub(super) enum Parts {
    One(Box<Engine>),
    Not(Box<Parts>),
    All(Box<[Parts]>),
    Any(Box<[Parts]>),
}

impl Engine {
    /// The engine for all parts, or nothing if one would be too large.
    pub(super) fn from_parts(parts: &ecma::Parts) -> Option<Engine> {
        if let ecma::Parts::Regular(syntax) = parts {
            return Engine::new(syntax);
        }
        let parts = Parts::new(parts)?;
        Some(match product(&parts) {
            Some(table) => Engine::Table(Box::new(table)),
            None => Engine::Parts(parts),
        })
    }
}

impl Parts {
    pub(super) fn new(parts: &ecma::Parts) -> Option<Parts> {
        let all = |parts: &[ecma::Parts]| parts.iter().map(Parts::new).collect::<Option<_>>();
        Some(match parts {
            ecma::Parts::Regular(syntax) => Parts::One(Box::new(Engine::new_part(syntax)?)),
            ecma::Parts::Not(part) => Parts::Not(Box::new(Parts::new(part)?)),
            ecma::Parts::All(parts) => Parts::All(all(parts)?),
            ecma::Parts::Any(parts) => Parts::Any(all(parts)?),
        })
    }

    /// Whether they hold. Only those are asked, and paid, that matter.
    pub(super) fn is_match(&self, budget: &mut Budget, text: &str) -> Result<bool, Stopped> {
        match self {
            Parts::One(engine) => engine.is_match(budget, text),
            Parts::Not(part) => Ok(!part.is_match(budget, text)?),
            Parts::All(parts) => Ok(!Self::has(parts, false, budget, text)?),
            Parts::Any(parts) => Self::has(parts, true, budget, text),
        }
    }

    /// Whether the answer of one of them is this.
    fn has(parts: &[Parts], answer: bool, budget: &mut Budget, text: &str) -> Result<bool, Stopped> {
        for part in parts {
            if part.is_match(budget, text)? == answer {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
