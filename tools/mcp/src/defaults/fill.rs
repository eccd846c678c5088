//! Filling: a walk over the arguments along the plan.
//!
//! A default may lead to itself: `"next": {"$ref": "#/$defs/node", "default": {}}` in a node. Filled once, it would be one level deep, and each further
//! time one level deeper. So a default in which the walk comes to the same default again is not applied anywhere, and the walk starts over.

use super::plan::{Plan, Site, SiteId};
use crate::words;
use serde_json::{Map, Value};
use std::collections::HashSet;

/// How many defaults are filled in, at most.
const DEFAULTS: usize = 10_000;
/// How many bytes they may have together.
const BYTES: usize = 1 << 20;
/// How many subschemas, members and items are looked at.
const LOOKS: usize = 1_000_000;
/// How deep arguments are followed.
const DEPTH: usize = 128;

/// One walk. `None` from its functions says that something ran out.
pub(super) struct Fill<'p> {
    plan: &'p Plan,
    left_out: &'p HashSet<String>,
    places: Vec<String>,
    /// How often the default of a site is being filled in turn.
    open: Vec<u32>,
    /// Sites whose defaults lead to themselves.
    endless: HashSet<SiteId>,
    found_endless: bool,
    /// The place that the walk is at.
    path: String,
    depth: usize,
    looks: usize,
    bytes: usize,
}

impl<'p> Fill<'p> {
    /// Fills in all defaults but those that are to be left out, and tells their places. `None` if something ran out.
    pub(super) fn run(
        plan: &'p Plan,
        left_out: &'p HashSet<String>,
        arguments: &mut Value,
    ) -> Option<Vec<String>> {
        let mut endless = HashSet::new();
        let mut looks = 0;
        loop {
            let mut fill = Fill {
                plan,
                left_out,
                places: Vec::new(),
                open: vec![0; plan.sites.len()],
                endless,
                found_endless: false,
                path: String::new(),
                depth: 0,
                looks,
                bytes: 0,
            };
            let mut filled = arguments.clone();
            fill.value(&[0], &mut filled)?;
            if !fill.found_endless {
                *arguments = filled;
                return Some(fill.places);
            }
            (endless, looks) = (fill.endless, fill.looks);
        }
    }

    fn site(&self, id: SiteId) -> &'p Site {
        &self.plan.sites[id]
    }

    /// Pays for so many looks.
    fn look(&mut self, looks: usize) -> Option<()> {
        self.looks += looks;
        (self.looks <= LOOKS).then_some(())
    }

    /// A value that those sites apply to.
    fn value(&mut self, sites: &[SiteId], value: &mut Value) -> Option<()> {
        let sites = self.in_place(sites)?;
        if sites.is_empty() {
            return Some(());
        }
        self.depth += 1;
        if self.depth > DEPTH {
            return None;
        }
        match value {
            Value::Object(members) => self.object(&sites, members)?,
            Value::Array(items) => self.array(&sites, items)?,
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
        self.depth -= 1;
        Some(())
    }

    /// The sites and all that apply to the same value, each once, if something is to be filled in there or below.
    fn in_place(&mut self, sites: &[SiteId]) -> Option<Vec<SiteId>> {
        let mut all: Vec<SiteId> = Vec::new();
        let mut seen = HashSet::new();
        // The first comes first: its defaults win.
        let mut open: Vec<SiteId> = sites.iter().rev().copied().collect();
        while let Some(id) = open.pop() {
            self.look(1)?;
            if self.site(id).matters && seen.insert(id) {
                all.push(id);
                open.extend(self.site(id).in_place.iter().rev());
            }
        }
        Some(all)
    }

    fn object(&mut self, sites: &[SiteId], members: &mut Map<String, Value>) -> Option<()> {
        let filled = self.fill_members(sites, members)?;
        for (name, value) in members.iter_mut() {
            self.look(1 + sites.len())?;
            let below: Vec<SiteId> = sites.iter().filter_map(|id| self.site(*id).member(name)).collect();
            if below.is_empty() {
                continue;
            }
            let opened: &[SiteId] = if filled.contains(name) { &below } else { &[] };
            opened.iter().for_each(|id| self.open[*id] += 1);
            self.below(&words::step(name), &below, value)?;
            opened.iter().for_each(|id| self.open[*id] -= 1);
        }
        Some(())
    }

    /// Adds the members that are absent and have a default. Tells their names.
    fn fill_members(
        &mut self,
        sites: &[SiteId],
        members: &mut Map<String, Value>,
    ) -> Option<HashSet<String>> {
        let mut filled = HashSet::new();
        for id in sites {
            for (name, member) in &self.site(*id).properties {
                self.look(1)?;
                if members.contains_key(name) || self.endless.contains(member) {
                    continue;
                }
                let Some(default) = self.default(*member)? else { continue };
                if self.open[*member] > 0 {
                    self.endless.insert(*member);
                    self.found_endless = true;
                    continue;
                }
                let place = format!("{}{}", self.path, words::step(name));
                if self.left_out.contains(&place) {
                    continue;
                }
                self.bytes += place.len() + size(default);
                self.places.push(place);
                if self.bytes > BYTES || self.places.len() > DEFAULTS {
                    return None;
                }
                members.insert(name.clone(), default.clone());
                filled.insert(name.clone());
            }
        }
        Some(filled)
    }

    /// The default of a site: its own, or the first of those that apply to the same value.
    fn default(&mut self, id: SiteId) -> Option<Option<&'p Value>> {
        if let Some(default) = &self.site(id).default {
            return Some(Some(default));
        }
        let all = self.in_place(&[id])?;
        Some(all.into_iter().find_map(|id| self.site(id).default.as_ref()))
    }

    fn array(&mut self, sites: &[SiteId], items: &mut [Value]) -> Option<()> {
        for (index, item) in items.iter_mut().enumerate() {
            self.look(1 + sites.len())?;
            let below: Vec<SiteId> = sites.iter().filter_map(|id| self.site(*id).item(index)).collect();
            if !below.is_empty() {
                self.below(&format!("/{index}"), &below, item)?;
            }
        }
        Some(())
    }

    /// One step down.
    fn below(&mut self, step: &str, sites: &[SiteId], value: &mut Value) -> Option<()> {
        let length = self.path.len();
        self.path.push_str(step);
        self.value(sites, value)?;
        self.path.truncate(length);
        Some(())
    }
}

impl Site {
    fn member(&self, name: &str) -> Option<SiteId> {
        self.properties.get(name).copied().or(self.additional)
    }

    fn item(&self, index: usize) -> Option<SiteId> {
        self.prefix.get(index).copied().or(self.items)
    }
}

/// About how many bytes a value takes. Values of a schema are not nested deeper than it may be.
fn size(value: &Value) -> usize {
    8 + match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(size).sum(),
        Value::Object(members) => members.iter().map(|(name, value)| name.len() + size(value)).sum(),
    }
}
