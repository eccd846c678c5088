//! The subschemas of a schema, with the paths to them.
//!
//! Paths are links from child to parent. Their texts are built only on demand.

use crate::dialect::declared;
use crate::words;
use serde_json::{Map, Value};
use stanchion::Dialect;
use stanchion_vocab::{Keyword, Subschemas};
use std::ops::Range;

/// All subschemas, each after the one that it is in.
pub(super) struct Tree<'s> {
    sites: Vec<Site<'s>>,
}

#[derive(Clone, Copy)]
struct Site<'s> {
    schema: &'s Value,
    parent: usize,
    step: Step<'s>,
    /// Whether only `properties` lead here.
    is_reachable: bool,
}

/// A step from a subschema to one below it.
#[derive(Clone, Copy)]
enum Step<'s> {
    Root,
    /// `/not`
    Keyword(Keyword),
    /// `/allOf/0`
    Item(Keyword, usize),
    /// `/properties/name`
    Member(Keyword, &'s str),
}

impl<'s> Tree<'s> {
    pub(super) fn new(schema: &'s Value, dialect: Dialect) -> Tree<'s> {
        let dialect = declared(schema).unwrap_or(dialect);
        let mut sites: Vec<Site<'s>> = Vec::new();
        let mut open = vec![Site { schema, parent: 0, step: Step::Root, is_reachable: true }];
        while let Some(site) = open.pop() {
            let id = sites.len();
            sites.push(site);
            let from = open.len();
            for (name, value) in site.schema.as_object().into_iter().flatten() {
                let Some(keyword) = Keyword::from_name(name) else { continue };
                let child = |schema, step| {
                    let is_reachable =
                        site.is_reachable && matches!(step, Step::Member(Keyword::Properties, _));
                    Site { schema, parent: id, step, is_reachable }
                };
                // Keywords of other dialects count as well, so that nothing is hidden in them.
                let shape = dialect.subschemas(keyword).unwrap_or(keyword.row().subschemas);
                match (shape, value) {
                    (Subschemas::None, _) => {}
                    (Subschemas::Map | Subschemas::MapOrNames, Value::Object(map)) => {
                        open.extend(
                            map.iter().map(|(name, schema)| child(schema, Step::Member(keyword, name))),
                        );
                    }
                    (_, Value::Array(items)) => {
                        let items = items.iter().enumerate();
                        open.extend(items.map(|(index, schema)| child(schema, Step::Item(keyword, index))));
                    }
                    (_, schema) => open.push(child(schema, Step::Keyword(keyword))),
                }
            }
            // The first one is processed first.
            open[from..].reverse();
        }
        Tree { sites }
    }

    /// Returns the indices of all subschemas.
    pub(super) fn sites(&self) -> Range<usize> {
        0..self.sites.len()
    }

    pub(super) fn schema(&self, site: usize) -> &'s Value {
        self.sites[site].schema
    }

    /// Returns the subschema, if it describes a statically reachable argument. The root does not.
    pub(super) fn arguments(&self, site: usize) -> Option<&'s Map<String, Value>> {
        let is_argument = site > 0 && self.sites[site].is_reachable;
        self.schema(site).as_object().filter(|_| is_argument)
    }

    /// Returns the steps to a subschema, the last first.
    fn steps(&self, site: usize) -> impl Iterator<Item = Step<'s>> {
        let mut at = site;
        std::iter::from_fn(move || {
            let site = self.sites[at];
            at = site.parent;
            (!matches!(site.step, Step::Root)).then_some(site.step)
        })
    }

    /// Returns the names of the members that lead to an argument, if there is room for them.
    pub(super) fn path(&self, site: usize, room: &mut usize) -> Option<Vec<String>> {
        let mut path = Vec::new();
        for step in self.steps(site) {
            let Step::Member(_, name) = step else { continue };
            *room = room.checked_sub(name.len())?;
            path.push(name.to_owned());
        }
        path.reverse();
        Some(path)
    }

    /// Returns the place of a subschema, as a JSON Pointer.
    pub(super) fn place(&self, site: usize) -> String {
        let mut steps: Vec<String> = self.steps(site).map(Step::text).collect();
        steps.reverse();
        steps.concat()
    }
}

impl Step<'_> {
    fn text(self) -> String {
        match self {
            Step::Root => String::new(),
            Step::Keyword(keyword) => format!("/{}", keyword.name()),
            Step::Item(keyword, index) => format!("/{}/{index}", keyword.name()),
            Step::Member(keyword, name) => format!("/{}{}", keyword.name(), words::step(name)),
        }
    }
}
