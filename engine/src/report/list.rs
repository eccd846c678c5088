//! A trace read as a list of errors.
//!
//! Errors come in the order of a run that looks for them, which is made for that: what a block says of a node before what its children
//! say, and properties that are not known before those that are missing. A union that fails is represented by the errors of its closest
//! branch, where there is one, see [`closest`](super::closest); else it is one error.

use super::closest::{Closest, Union, Unions, is_union, is_unknown};
use super::tagged::Folded;
use super::tree::{OwnedStep, Unit};
use super::{EdgeFrom, Place, Tree, UnitKind, errors, sketch};
use crate::error::text::ShortText;
use crate::error::{Branch, ErrorKind, Found, Paths, ValidationError};
use crate::program::{BlockId, Instruction, Program};
use smallvec::SmallVec;
use std::cell::Cell;
use std::sync::{Arc, OnceLock};

/// What a run did, with its program: what errors are read from.
#[derive(Debug)]
pub(crate) struct Findings {
    pub(crate) program: Arc<Program>,
    pub(crate) tree: Tree,
    /// What stands for each union, found out when it is first asked for.
    unions: OnceLock<Unions>,
    folded: Option<Box<Unfolding>>,
}

/// Branches of a union that are not in a tree, and the same with these, once someone asks.
#[derive(Debug)]
struct Unfolding {
    folded: Folded,
    whole: OnceLock<Arc<Findings>>,
}

/// The errors of a tree, up to a limit and as far as their paths fit into the memory of a run; and whether some
/// were left out.
pub(crate) fn list(findings: &Arc<Findings>, limit: usize) -> (Found, bool) {
    let mut errors = Found::new();
    let is_cut = list_into(findings, limit, &Room::new(findings.tree.memory), &mut errors);
    (errors, is_cut)
}

/// Adds the errors of a tree to others, up to a limit for all of them and as far as their paths fit; and says whether some were
/// left out.
pub(crate) fn list_into(findings: &Arc<Findings>, limit: usize, room: &Room, errors: &mut Found) -> bool {
    if findings.tree.units.is_empty() {
        return false;
    }
    let limit = limit.saturating_sub(errors.len());
    findings.add_errors(0, limit, room, errors) || findings.tree.is_cut
}

/// Whether a tree has an error.
pub(crate) fn has_errors(findings: &Findings) -> bool {
    let is_cause = |unit: &Unit| !unit.valid && matches!(unit.kind, UnitKind::Keyword { error: Some(_), .. });
    findings.tree.units.iter().any(is_cause)
}

/// An error: its unit, and its kind where that is not the unit's own.
type Leaf<'u> = (usize, Option<&'u ErrorKind>);

type Leaves<'u> = SmallVec<[Leaf<'u>; 4]>;

/// The errors inside a block's unit, up to a limit, and whether there are more. Unions inside it have been judged.
pub(crate) fn leaves<'u>(
    program: &Program,
    tree: &Tree,
    unions: &'u Unions,
    block: usize,
    limit: usize,
) -> (Leaves<'u>, bool) {
    let mut lister =
        Lister { program, tree, unions, limit, leaves: Leaves::new(), is_full: false, is_cut: false };
    lister.block(block);
    (lister.leaves, lister.is_cut)
}

/// The bytes that may still be written.
#[derive(Debug)]
pub(crate) struct Room(Cell<usize>);

impl Room {
    pub(crate) fn new(bytes: usize) -> Room {
        Room(Cell::new(bytes))
    }

    /// Takes room, if there is so much. If there is not, there is none for anything after.
    pub(crate) fn take(&self, bytes: usize) -> bool {
        let left = self.0.get().checked_sub(bytes);
        self.0.set(left.unwrap_or(0));
        left.is_some()
    }

    /// Whether there is none left.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.get() == 0
    }
}

struct Lister<'t, 'u> {
    program: &'t Program,
    tree: &'t Tree,
    unions: &'u Unions,
    limit: usize,
    leaves: Leaves<'u>,
    is_full: bool,
    is_cut: bool,
}

impl<'u> Lister<'_, 'u> {
    /// Adds the errors inside a block's unit.
    fn block(&mut self, index: usize) {
        let tree = self.tree;
        if tree.units[index].valid {
            return;
        }
        let first =
            if tree.is_in_order { None } else { tree.children(index).find(|&child| self.is_first(child)) };
        for child in first.into_iter().chain(tree.children(index).filter(|&child| Some(child) != first)) {
            self.keyword(child);
        }
    }

    fn is_first(&self, unit: usize) -> bool {
        match self.tree.units[unit].kind {
            UnitKind::Keyword { at, .. } => self.program.is_told_first(self.program.code[at as usize]),
            UnitKind::Block { .. } => false,
        }
    }

    /// Adds the error of an instruction's unit, or those inside it.
    fn keyword(&mut self, index: usize) {
        let tree = self.tree;
        let unit = &tree.units[index];
        let UnitKind::Keyword { at, error, .. } = &unit.kind else { return self.block(index) };
        if unit.valid || self.is_full {
            return;
        }
        match (self.program.code[*at as usize], error) {
            (Instruction::EachName(_), _) => {
                for child in tree.children(index).filter(|&child| !tree.units[child].valid) {
                    self.add(child, None);
                }
            }
            (_, Some(_)) => match self.unions.get(index) {
                Some(Union { closest: Closest::Branch(branch), .. }) => {
                    self.is_cut |= tree.units[*branch].is_cut;
                    self.block(*branch);
                }
                Some(Union { closest: Closest::Tag(leaf, kind), .. }) => self.add(*leaf, Some(kind)),
                Some(Union { closest: Closest::Several, .. }) | None => self.add(index, None),
            },
            // What has a cause of its own was left out whole, if that was.
            (
                Instruction::AnyOf(_)
                | Instruction::OneOf(_)
                | Instruction::Not(_)
                | Instruction::Contains(_),
                None,
            ) => {}
            (_, None) => {
                let program = self.program;
                for child in tree.children(index).filter(|&child| !is_test(program, tree, child)) {
                    self.block(child);
                }
            }
        }
    }

    fn add(&mut self, unit: usize, kind: Option<&'u ErrorKind>) {
        if self.leaves.len() < self.limit {
            self.leaves.push((unit, kind));
        } else {
            (self.is_full, self.is_cut) = (true, true);
        }
    }
}

/// The way from the root of an instance to an error.
pub(crate) struct WayTo<'f> {
    findings: &'f Findings,
    unit: usize,
    /// Outwards.
    steps: SmallVec<[&'f OwnedStep; 16]>,
    /// About how many bytes all paths to the error take.
    bytes: usize,
}

impl WayTo<'_> {
    /// The place in the instance. A member that is not known is a fault of its object.
    pub(crate) fn paths(&self) -> Paths {
        let is_unknown = is_unknown(&self.findings.tree, self.unit);
        let mut text = ShortText::new();
        for step in self.steps.iter().skip(usize::from(is_unknown)).rev() {
            step.push_to(&mut text);
        }
        let rest = text.len();
        Paths { text, rest }
    }
}

impl Findings {
    pub(crate) fn new(program: Arc<Program>, tree: Tree) -> Arc<Findings> {
        Findings::without(program, tree, None)
    }

    /// What a run did, without some branches of a union.
    pub(crate) fn without(program: Arc<Program>, tree: Tree, folded: Option<Folded>) -> Arc<Findings> {
        let folded = folded.map(|folded| Box::new(Unfolding { folded, whole: OnceLock::new() }));
        Arc::new(Findings { program, tree, unions: OnceLock::new(), folded })
    }

    /// The facts of a union that lacks branches, or of the error that stands for it: both are of all branches.
    fn unfolded_kind(&self, unit: u32) -> Option<ErrorKind> {
        let Unfolding { folded, whole } = self.folded.as_deref()?;
        if Some(unit) == folded.leaf {
            return folded.kind(&self.program, &self.tree);
        }
        if unit != folded.union {
            return None;
        }
        let unfold = || Findings::new(Arc::clone(&self.program), folded.unfold(&self.program, &self.tree));
        Some(whole.get_or_init(unfold).kind(unit))
    }

    /// The error that stands for a union which lacks branches, if no branch is clearly the closest.
    fn folded_leaf(&self) -> Option<u32> {
        self.folded.as_ref()?.folded.leaf
    }

    fn unions(&self) -> &Unions {
        static NONE: Unions = Unions::NONE;
        if !self.tree.has_unions {
            return &NONE;
        }
        self.unions.get_or_init(|| Unions::of(&self.program, &self.tree))
    }

    /// Adds the errors inside a block's unit, up to a limit and as far as there is room for their paths; says whether some were
    /// left out.
    fn add_errors(self: &Arc<Self>, unit: usize, limit: usize, room: &Room, errors: &mut Found) -> bool {
        if let (0, Some(leaf)) = (unit, self.folded_leaf()) {
            let error = if limit > 0 { self.error((leaf as usize, None), room) } else { None };
            let is_cut = error.is_none();
            errors.extend(error);
            return is_cut;
        }
        let (leaves, is_cut) = leaves(&self.program, &self.tree, self.unions(), unit, limit);
        for leaf in leaves {
            let Some(error) = self.error(leaf, room) else { return true };
            errors.push(error);
        }
        is_cut
    }

    /// An error, if there is room for its paths.
    fn error(self: &Arc<Self>, (leaf, kind): Leaf<'_>, room: &Room) -> Option<ValidationError> {
        let way = self.way_to(leaf);
        let has_room = room.take(way.bytes + size_of::<ValidationError>());
        has_room.then(|| ValidationError::at(self, leaf as u32, way.paths(), kind.cloned()))
    }

    /// The instruction that an error is of: that of a refused name is the one that looked at it.
    fn instruction_of(&self, unit: usize) -> usize {
        match self.tree.units[unit].kind {
            UnitKind::Block { .. } => self.tree.units[unit].parent as usize,
            UnitKind::Keyword { .. } => unit,
        }
    }

    /// Where the error of a unit is; its place in the instance is that of [`Findings::paths`].
    pub(crate) fn place(&self, unit: usize) -> Place {
        Place::of(&self.program, &self.tree, self.instruction_of(unit))
    }

    /// The keyword that was not satisfied: for a `false`, the one that applied it.
    pub(crate) fn keyword(&self, unit: usize) -> &str {
        let unit = self.instruction_of(unit);
        let own = match &self.tree.units[unit].kind {
            UnitKind::Keyword { at, .. } => self.program.keyword_name(*at),
            UnitKind::Block { .. } => None,
        };
        let applied = || match self.tree.units[self.tree.units[unit].parent as usize].kind {
            UnitKind::Block { from: EdgeFrom::Instruction(at), .. } => {
                Some(self.program.origins[at as usize].name())
            }
            UnitKind::Block { from: EdgeFrom::Keyword(keyword), .. } => Some(keyword.name()),
            UnitKind::Block { from: EdgeFrom::Root, .. } | UnitKind::Keyword { .. } => None,
        };
        own.or_else(applied).unwrap_or_default()
    }

    /// The way to the error of a unit.
    pub(crate) fn way_to(&self, unit: usize) -> WayTo<'_> {
        /// What a step takes besides names.
        const STEP: usize = 16;
        let mut way = WayTo { findings: self, unit, steps: SmallVec::new(), bytes: 0 };
        for around in self.tree.chain(unit) {
            way.bytes += STEP;
            let UnitKind::Block { token, step, .. } = &self.tree.units[around].kind else { continue };
            way.bytes += 3 * token.len() + 4 * step.len();
            if let OwnedStep::Item(_) | OwnedStep::Member(_) = step {
                way.steps.push(step);
            }
        }
        way
    }

    /// The keyword's place in its document, unless that is long.
    pub(crate) fn keyword_pointer(&self, unit: usize) -> Option<&str> {
        let unit = &self.tree.units[self.instruction_of(unit)];
        let (UnitKind::Keyword { at, .. }, UnitKind::Block { block, .. }) =
            (&unit.kind, &self.tree.units[unit.parent as usize].kind)
        else {
            return None;
        };
        self.program.keyword_pointer(*block, *at)
    }

    /// Puts into the usual words why a unit failed, where that is told without the facts of [`Findings::kind`]. Says whether it has.
    pub(crate) fn put_sentence(&self, text: &mut ShortText, unit: usize) -> bool {
        let Unit { parent, kind: UnitKind::Keyword { at, error: Some(cause), .. }, .. } =
            &self.tree.units[unit]
        else {
            return false;
        };
        if self.folded_leaf() == Some(unit as u32) {
            return false;
        }
        let member = match &self.tree.units[*parent as usize].kind {
            UnitKind::Block { step: OwnedStep::Member(name), .. } => Some(&**name),
            UnitKind::Block { .. } | UnitKind::Keyword { .. } => None,
        };
        errors::put_sentence(text, &self.program, self.program.code[*at as usize], cause, member)
    }

    /// Why a unit failed, with the errors inside it.
    pub(crate) fn kind(self: &Arc<Self>, unit: u32) -> ErrorKind {
        if let Some(kind) = self.unfolded_kind(unit) {
            return kind;
        }
        let unit = unit as usize;
        match &self.tree.units[unit].kind {
            UnitKind::Block { step: OwnedStep::Name(name), .. } => {
                ErrorKind::PropertyNames { name: name.to_string(), errors: self.errors_in(unit) }
            }
            UnitKind::Block { .. } => ErrorKind::Not,
            UnitKind::Keyword { error: Some(cause), .. } if !cause.is_open_union() => {
                errors::kind(&self.program, &self.tree, unit).unwrap_or(ErrorKind::Not)
            }
            UnitKind::Keyword { at, .. } => {
                let ranked = self.unions().get(unit).map_or(&[][..], |union| &union.ranked);
                let branch =
                    |&(index, child): &(usize, usize)| Branch { index, errors: self.errors_in(child) };
                let branches = ranked.iter().map(branch).collect();
                match matches!(self.program.code[*at as usize], Instruction::OneOf(_)) {
                    true => ErrorKind::OneOf { accepted: Vec::new(), branches },
                    false => ErrorKind::AnyOf { branches },
                }
            }
        }
    }

    /// The errors inside a block's unit, a few of them.
    fn errors_in(self: &Arc<Self>, unit: usize) -> Vec<ValidationError> {
        const FEW: usize = 8;
        let mut errors = Found::new();
        self.add_errors(unit, FEW, &Room::new(self.tree.memory / 16), &mut errors);
        errors.into_vec()
    }

    /// The innermost union that a unit is in.
    pub(crate) fn union_around(&self, unit: u32) -> Option<u32> {
        let mut around = self.tree.chain(unit as usize).skip(1);
        around.find(|&index| is_union(&self.tree, index)).map(|index| index as u32)
    }

    /// A sketch of what the schema wants of the node that a unit failed on.
    pub(crate) fn sketch(&self, unit: usize, characters: usize) -> Option<String> {
        sketch::sketch(&self.program, self.block_of_error(unit)?, characters)
    }

    /// The block that speaks of the node with the error; where others call it for the same node, the outermost.
    fn block_of_error(&self, unit: usize) -> Option<BlockId> {
        let is_unknown = is_unknown(&self.tree, unit);
        let is_name = matches!(self.tree.units[unit].kind, UnitKind::Block { .. });
        let blocks = self.tree.chain(unit).skip(usize::from(is_name));
        let mut blocks = blocks.filter(|&unit| matches!(self.tree.units[unit].kind, UnitKind::Block { .. }));
        let mut found = blocks.nth(usize::from(is_unknown))?;
        loop {
            let UnitKind::Block { block, from, step, .. } = &self.tree.units[found].kind else {
                return None;
            };
            let is_called = if let EdgeFrom::Instruction(at) = *from {
                matches!(self.program.code[at as usize], Instruction::Call(_) | Instruction::AllOf(_))
            } else {
                false
            };
            match blocks.next() {
                Some(outer) if is_called && matches!(step, OwnedStep::Here) => found = outer,
                Some(_) | None => return Some(*block),
            }
        }
    }
}

/// Whether a block was run for `if`, where failing is no error.
pub(crate) fn is_test(program: &Program, tree: &Tree, index: usize) -> bool {
    let UnitKind::Block { from: EdgeFrom::Instruction(at), .. } = tree.units[index].kind else {
        return false;
    };
    matches!(program.code[at as usize], Instruction::If(_))
}
