//! What a verdict has left behind about a container: how far its walks came, and so where there is something to tell.

use super::Way;
use crate::instance::{Array, Node, Object, View};
use crate::limits::{Budget, Stopped};
use crate::program::{Block, BlockId, Gate, Instruction, Leads, Members, Program};
use crate::report::{Container, End, Link, Step, Trail};

/// What is known of a container that a block refuses.
#[derive(Clone, Copy, Default)]
pub(super) struct Known<'s> {
    /// How many children satisfy what the block asks of them, before others.
    pub(super) children: usize,
    /// How many members, before others, have a name that the block speaks of, where it refuses others.
    pub(super) spoken_of: Option<usize>,
    /// Whether no name is missing, and none is there that the block refuses.
    pub(super) has_right_names: bool,
    /// Fast code of the block that holds.
    pub(super) code: &'s [Instruction],
}

/// How far to go by what is known.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Goes {
    Nowhere,
    /// Where a block calls another, and does nothing else.
    ToCalls,
    /// To the child that a walk ended at, too.
    ToChildren,
}

/// What there is to tell about a block that refuses a node.
pub(super) enum Next<'s, N> {
    /// Another block that it calls, and nothing else.
    Call(Link<'s>),
    /// A block on the child at a place, which refuses it, and nothing before that.
    Child(Link<'s>, N, usize),
    /// More than that. What is known of the node, if a walk is all that the block asks of it.
    Here(Option<Known<'s>>),
}

/// What there is to tell about a block that refuses a node, by what a trail knows.
#[inline(always)]
pub(super) fn next<'s, 'a: 's, N: Node<'a>>(
    program: &'s Program,
    budget: &mut Budget,
    trail: &Trail,
    goes: Goes,
    (id, block): (BlockId, &Block),
    node: N,
) -> Result<Next<'s, N>, Stopped> {
    if let Leads::Call(target) = block.leads {
        // It is all that can have refused.
        let link = Link { applied_at: block.plain.start, block: target, step: Step::Here };
        return Ok(if goes == Goes::Nowhere { Next::Here(None) } else { Next::Call(link) });
    }
    let (is_there, gate) = (goes == Goes::ToChildren, program.gate(id));
    match node.view() {
        View::Array(items) => {
            let Some(ended) = trail.end_of_only_walk(gate, id, Container::array(items)) else {
                return Ok(Next::Here(None));
            };
            let known = Known { children: ended.index, ..Known::default() };
            if let (true, Leads::Child(at)) = (is_there, block.leads)
                && let Instruction::EachItem(_, block) = program.code[at as usize]
                && let Some(item) = items.iter().nth(ended.index)
            {
                let link = Link { applied_at: at, block, step: Step::Item(ended.index) };
                return Ok(Next::Child(link, item, ended.index));
            }
            Ok(Next::Here(Some(known)))
        }
        View::Object(object) => {
            let walk = walk_by_names(program, gate, id);
            let ended = match (trail.end_of_only_walk(gate, id, Container::object(object)), walk) {
                (Some(ended), _) => ended,
                // There was no walk.
                (None, Some(walk)) if object.len() < walk.required.0 => End::at(0),
                (None, _) => return Ok(Next::Here(None)),
            };
            let (spoken_of, has_right_names) = match walk {
                Some(walk) => names_known::<N>(budget, walk, block, ended, object)?,
                None => (None, false),
            };
            // Where names do not matter, the walk does not look at them.
            let may_go = has_right_names || matches!(gate.then, Instruction::EachMember(_));
            if let (true, true, Leads::Child(at)) = (is_there, may_go, block.leads)
                && let Some((link, child)) = member::<N>(program, at, ended.index, object)
            {
                return Ok(Next::Child(link, child, ended.index));
            }
            let known = Known { children: ended.index, spoken_of, has_right_names, code: &[] };
            Ok(Next::Here(Some(known)))
        }
        View::Null | View::Bool(_) | View::Number(_) | View::String(_) => Ok(Next::Here(None)),
    }
}

/// The member at a place that an instruction goes to, and the block that it asks there.
#[inline(always)]
fn member<'s, 'a: 's, N: Node<'a>>(
    program: &'s Program,
    applied_at: u32,
    place: usize,
    object: N::Object,
) -> Option<(Link<'s>, N)> {
    let instruction = program.code[applied_at as usize];
    if let Instruction::Properties(named) = instruction {
        let named = &program.named_blocks[named];
        let (name, value) = object.iter_names().nth(place)?;
        let (index, ()) = named.names.look_up(name)?;
        let step = Step::Property(named.names.share(index));
        return Some((Link { applied_at, block: named.blocks[index], step }, value));
    }
    let Instruction::AdditionalProperties(additional) = instruction else { return None };
    let (name, value) = object.iter().nth(place)?;
    let block = program.additional[additional].block;
    Some((Link { applied_at, block, step: Step::Member(name) }, value))
}

/// The walk that is all that a block asks of objects, if it goes by names, and is not made of others.
#[inline(always)]
pub(super) fn walk_by_names<'p>(program: &'p Program, gate: &Gate, id: BlockId) -> Option<&'p Members> {
    let Instruction::Members(members) = gate.then else { return None };
    let members = &program.members[members];
    (gate.block == id && members.parts.is_none()).then_some(members)
}

/// How many members of an object, before others, have a name that a block speaks of, if it refuses others; and whether all have, and none
/// that it requires is missing. As far as that is seen by one table: that of the block's walk.
#[inline(always)]
pub(super) fn names_known<'a, N: Node<'a>>(
    budget: &mut Budget,
    walk: &Members,
    block: &Block,
    ended: End,
    object: N::Object,
) -> Result<(Option<usize>, bool), Stopped> {
    let is_closed = block.told_first.is_some();
    let missing = walk.required.1 & ended.missing;
    if !is_closed && missing == 0 {
        return Ok((None, true));
    }
    budget.spend(object.len() as u64)?;
    Ok(look_at_names::<N>(walk, is_closed, ended, object))
}

#[inline(never)]
fn look_at_names<'a, N: Node<'a>>(
    walk: &Members,
    is_closed: bool,
    ended: End,
    object: N::Object,
) -> (Option<usize>, bool) {
    let mut missing = walk.required.1 & ended.missing;
    let mut is_unknown = |name| match walk.names.look_up(name) {
        Some((_, member)) => {
            missing &= !(1 << member.bit);
            is_closed && !member.is_property
        }
        None => is_closed,
    };
    // If a name is not known, it is mostly that of the member that the verdict ended at.
    let unknown = object.iter_names().skip(ended.index).position(|(name, _)| is_unknown(name));
    if let Some(index) = unknown {
        return (Some(ended.index + index), false);
    }
    // What is missing up to there is known from the walk, unless nobody has looked.
    if ended.missing == u64::MAX {
        object.iter_names().take(ended.index).for_each(|(name, _)| {
            is_unknown(name);
        });
    }
    (is_closed.then(|| object.len()), missing == 0)
}

impl<'s> Way<'s, '_> {
    /// What is known of a container that a block refuses by more than a walk.
    #[inline(never)]
    pub(super) fn known_by_parts<'a: 's, N: Node<'a>>(
        &mut self,
        (id, block): (BlockId, &Block),
        node: N,
    ) -> Result<Known<'s>, Stopped> {
        let Some(container) = Container::of(node) else { return Ok(Known::default()) };
        let program = self.run.program;
        let mut known = Known { code: self.held_code(id, node), ..Known::default() };
        if let (Some(walk), false, Some(trail)) = (program.own_walk(id), container.is_array, &self.run.report)
        {
            known.children = trail.known_of_walk(program, walk, container).unwrap_or(0);
            known.has_right_names = known.children == usize::MAX;
            return Ok(known);
        }
        known.children = self.known(id, node).unwrap_or(0);
        if let (Some(walk), Some(object)) = (walk_by_names(program, program.gate(id), id), node.as_object()) {
            let ended = End::at(known.children);
            (known.spoken_of, known.has_right_names) =
                names_known::<N>(&mut self.run.budget, walk, block, ended, object)?;
        }
        Ok(known)
    }

    fn held_code<'a: 's, N: Node<'a>>(&self, block: BlockId, node: N) -> &'s [Instruction] {
        match &self.run.report {
            Some(trail) => trail.held_code(self.run.program, block, node),
            None => &[],
        }
    }

    pub(super) fn known<'a: 's, N: Node<'a>>(&self, block: BlockId, node: N) -> Option<usize> {
        self.run.report.as_ref()?.known_to_hold(self.run.program, block, node)
    }
}
