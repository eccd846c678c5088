//! Filling: a walk over the arguments along the plan.
//!
//! A default may contain itself: `"next": {"$ref": "#/$defs/node", "default": {}}` in a node. Each
//! time it is filled, it would get one level deeper. So a default in which the walk reaches the
//! same default again is not applied anywhere, and the walk starts over.

use super::plan::{Plan, Site, SiteId};
use crate::text::READER_DEPTH;
use crate::words;
use serde_json::{Map, Value};
use std::collections::HashSet;

/// Most defaults that are filled in.
const MAX_DEFAULTS: usize = 10_000;
/// Most bytes of all defaults together.
const MAX_BYTES: usize = 1 << 20;
/// Most subschemas, members and items that are visited.
const MAX_VISITS: usize = 1_000_000;

/// A walk. Its functions return `None` if a limit was reached.
pub(super) struct Fill<'p> {
    plan: &'p Plan,
    left_out: &'p HashSet<String>,
    places: Vec<String>,
    /// For each site, how many fills of its default are in progress.
    open: Vec<u32>,
    /// Sites whose defaults contain themselves.
    endless: HashSet<SiteId>,
    found_endless: bool,
    /// The current place.
    path: String,
    depth: usize,
    visits: usize,
    bytes: usize,
}

impl<'p> Fill<'p> {
    /// Fills in all defaults except those to leave out, and returns their places. `None` if a limit
    /// was reached.
    pub(super) fn run(
        plan: &'p Plan,
        left_out: &'p HashSet<String>,
        arguments: &mut Value,
    ) -> Option<Vec<String>> {
        let mut endless = HashSet::new();
        let mut visits = 0;
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
                visits,
                bytes: 0,
            };
            let mut filled = arguments.clone();
            fill.value(&[0], &mut filled)?;
            if !fill.found_endless {
                *arguments = filled;
                return Some(fill.places);
            }
            (endless, visits) = (fill.endless, fill.visits);
        }
    }

    fn site(&self, id: SiteId) -> &'p Site {
        &self.plan.sites[id]
    }

    /// Charges for visits.
    fn visit(&mut self, visits: usize) -> Option<()> {
        self.visits += visits;
        (self.visits <= MAX_VISITS).then_some(())
    }

    /// Fills a value to which these sites apply.
    fn value(&mut self, sites: &[SiteId], value: &mut Value) -> Option<()> {
        let sites = self.in_place(sites)?;
        if sites.is_empty() {
            return Some(());
        }
        self.depth += 1;
        if self.depth > READER_DEPTH {
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

    /// Returns the sites and all others that apply to the same value, each once, if something is to
    /// be filled in there or below.
    fn in_place(&mut self, sites: &[SiteId]) -> Option<Vec<SiteId>> {
        let mut all: Vec<SiteId> = Vec::new();
        let mut seen = HashSet::new();
        // The first one is processed first: its defaults win.
        let mut open: Vec<SiteId> = sites.iter().rev().copied().collect();
        while let Some(id) = open.pop() {
            self.visit(1)?;
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
            self.visit(1 + sites.len())?;
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

    /// Adds the absent members that have a default. Returns their names.
    fn fill_members(
        &mut self,
        sites: &[SiteId],
        members: &mut Map<String, Value>,
    ) -> Option<HashSet<String>> {
        let mut filled = HashSet::new();
        for id in sites {
            for (name, member) in &self.site(*id).properties {
                self.visit(1)?;
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
                if self.bytes > MAX_BYTES
                    || self.places.len() > MAX_DEFAULTS
                    || self.depth + depth(default) > READER_DEPTH
                {
                    return None;
                }
                members.insert(name.clone(), default.clone());
                filled.insert(name.clone());
            }
        }
        Some(filled)
    }

    /// Returns the default of a site: its own, or the first one of the sites that apply to the same
    /// value.
    fn default(&mut self, id: SiteId) -> Option<Option<&'p Value>> {
        if let Some(default) = &self.site(id).default {
            return Some(Some(default));
        }
        let all = self.in_place(&[id])?;
        Some(all.into_iter().find_map(|id| self.site(id).default.as_ref()))
    }

    fn array(&mut self, sites: &[SiteId], items: &mut [Value]) -> Option<()> {
        for (index, item) in items.iter_mut().enumerate() {
            self.visit(1 + sites.len())?;
            let below: Vec<SiteId> = sites.iter().filter_map(|id| self.site(*id).item(index)).collect();
            if !below.is_empty() {
                self.below(&format!("/{index}"), &below, item)?;
            }
        }
        Some(())
    }

    /// Descends one step.
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

/// Returns how deep arrays and objects nest in a value.
fn depth(value: &Value) -> usize {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Value::Object(members) => 1 + members.values().map(depth).max().unwrap_or(0),
    }
}

/// Returns the approximate size of a value in bytes. Values of a schema nest no deeper than the
/// schema may.
fn size(value: &Value) -> usize {
    8 + match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(size).sum(),
        Value::Object(members) => members.iter().map(|(name, value)| name.len() + size(value)).sum(),
    }
}
