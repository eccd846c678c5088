//! Lookaround as patterns without it, joined by and, or and not. Each has an engine like any other pattern; small tables become one.

use super::Engine;
use super::product::product;
use super::work::Work;
use crate::limits::{Budget, Stopped};
use stanchion_vocab::ecma;

/// The conditions that a text has to satisfy.
#[derive(Debug)]
pub(super) enum Parts {
    One(Box<Engine>),
    Not(Box<Parts>),
    All(Box<[Parts]>),
    Any(Box<[Parts]>),
}

impl Engine {
    /// The engine for all parts.
    pub(super) fn from_parts(parts: &ecma::Parts, work: &mut Work) -> Engine {
        if let ecma::Parts::Regular(syntax) = parts {
            return Engine::new(syntax, work);
        }
        let parts = Parts::new(parts, work);
        match product(&parts, work) {
            Some(table) => Engine::Table(Box::new(table)),
            None => Engine::Parts(parts),
        }
    }
}

impl Parts {
    pub(super) fn new(parts: &ecma::Parts, work: &mut Work) -> Parts {
        match parts {
            ecma::Parts::Regular(syntax) => Parts::One(Box::new(Engine::new_part(syntax, work))),
            ecma::Parts::Not(part) => Parts::Not(Box::new(Parts::new(part, work))),
            ecma::Parts::All(parts) => Parts::All(parts.iter().map(|part| Parts::new(part, work)).collect()),
            ecma::Parts::Any(parts) => Parts::Any(parts.iter().map(|part| Parts::new(part, work)).collect()),
        }
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
