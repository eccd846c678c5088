//! References that make no progress: rings of blocks that all look at the same node.
//!
//! A block that comes back to itself through `$ref`, `allOf`, `anyOf`, `oneOf`, `not`, `if` or
//! `dependentSchemas` would run forever. Through `properties` or `items` it would not: the node gets
//! smaller. So the rings are the strongly connected components of the graph of in-place edges, found
//! by Tarjan's algorithm with a stack of its own.
//!
//! Where the dynamic scope chooses among several blocks, a ring in the graph need not be one in a
//! run. Those edges are left out, and the depth of a run bounds them.

use crate::document::SubschemaId;
use crate::error::{SchemaError, SchemaErrorKind};
use crate::program::{BlockId, Instruction, Program, Reach};
use crate::resolve::Resolved;
use smallvec::SmallVec;

/// Refuses a program that has a ring.
pub(crate) fn check(resolved: &Resolved<'_>, program: &Program) -> Result<(), SchemaError> {
    let Some(block) = find_ring(program) else { return Ok(()) };
    let id = SubschemaId(block.0);
    let document = &resolved.document;
    // Name the reference, if the ring comes by this block through one.
    let reference = document.entries(id).iter().find_map(|entry| {
        let keyword = entry.keyword.filter(|&keyword| resolved.targets.contains_key(&(id, keyword)))?;
        Some((keyword.name(), format!("reference \"{}\"", entry.value.as_str()?)))
    });
    Err(match reference {
        Some((keyword, reference)) => {
            document.error(id, &format!("/{keyword}"), SchemaErrorKind::Ring { reference })
        }
        None => document.error(id, "", SchemaErrorKind::Ring { reference: "this subschema".to_owned() }),
    })
}

/// A block on a ring, preferably one that has a call.
fn find_ring(program: &Program) -> Option<BlockId> {
    let count = program.blocks.len();
    let mut search = Search {
        order: vec![0; count],
        low: vec![0; count],
        on_stack: vec![false; count],
        stack: Vec::new(),
        next: 1,
    };
    (0..count).find_map(|root| {
        if search.order[root] == 0 { search.from(program, BlockId(root as u32)) } else { None }
    })
}

struct Search {
    /// The order in which blocks were visited; 0 for not yet.
    order: Vec<u32>,
    low: Vec<u32>,
    on_stack: Vec<bool>,
    stack: Vec<BlockId>,
    next: u32,
}

type Edges = SmallVec<[BlockId; 4]>;

impl Search {
    fn from(&mut self, program: &Program, root: BlockId) -> Option<BlockId> {
        let mut open: Vec<(BlockId, Edges)> = vec![(root, self.visit(program, root))];
        while let Some((block, edges)) = open.last_mut() {
            let block = *block;
            let at = block.0 as usize;
            match edges.pop() {
                Some(next) if next == block => return Some(block),
                Some(next) if self.order[next.0 as usize] == 0 => {
                    let edges = self.visit(program, next);
                    open.push((next, edges));
                }
                Some(next) => {
                    if self.on_stack[next.0 as usize] {
                        self.low[at] = self.low[at].min(self.order[next.0 as usize]);
                    }
                }
                None => {
                    open.pop();
                    if let Some((parent, _)) = open.last() {
                        let parent = parent.0 as usize;
                        self.low[parent] = self.low[parent].min(self.low[at]);
                    }
                    if self.low[at] == self.order[at] {
                        let component = self.close(block);
                        if component.len() > 1 {
                            return Some(most_telling(program, &component));
                        }
                    }
                }
            }
        }
        None
    }

    fn visit(&mut self, program: &Program, block: BlockId) -> Edges {
        let at = block.0 as usize;
        self.order[at] = self.next;
        self.low[at] = self.next;
        self.next += 1;
        self.on_stack[at] = true;
        self.stack.push(block);
        in_place_edges(program, block)
    }

    /// Takes a finished component off the stack.
    fn close(&mut self, root: BlockId) -> Vec<BlockId> {
        let start = self.stack.iter().rposition(|&block| block == root).unwrap_or(0);
        let component = self.stack.split_off(start);
        for block in &component {
            self.on_stack[block.0 as usize] = false;
        }
        component
    }
}

/// The block of a ring with the lowest number among those that have a reference.
fn most_telling(program: &Program, ring: &[BlockId]) -> BlockId {
    let has_call = |block: &&BlockId| {
        let code = program.block(**block).plain.clone();
        code.into_iter().any(|at| matches!(program.code[at as usize], Instruction::Call(_)))
    };
    ring.iter().filter(has_call).min().or(ring.iter().min()).copied().unwrap_or(BlockId(0))
}

/// The blocks that a block runs on its own node.
fn in_place_edges(program: &Program, block: BlockId) -> Edges {
    let mut edges = Edges::new();
    for at in program.block(block).plain.clone() {
        program.visit_edges(program.code[at as usize], |reach, block| {
            if reach == Reach::Node {
                edges.push(block);
            }
        });
    }
    edges
}
