//! The strongly connected components of the graph of blocks: which blocks lead back to themselves.
//!
//! Tarjan's algorithm, with a stack of its own: a chain of references may be as long as a schema is large.

use super::{BlockId, Program, Reach};

/// Components, numbered so that each comes before those that lead to it.
#[derive(Debug)]
pub(crate) struct Components {
    /// By block: its component.
    pub(crate) of: Vec<u32>,
    /// By component: whether its blocks lead back to themselves.
    pub(crate) is_recursive: Vec<bool>,
    /// The blocks, by component.
    blocks: Vec<BlockId>,
    /// By component: where its blocks start; one more for the end.
    starts: Vec<u32>,
}

impl Components {
    /// The components of a program's plain code, by the edges that `follows` picks.
    pub(crate) fn of(program: &Program, follows: impl Fn(Reach) -> bool) -> Components {
        let graph = Graph::of(program, follows);
        let count = program.blocks.len();
        let mut search = Search {
            order: vec![0; count],
            low: vec![0; count],
            stack: Vec::new(),
            next: 1,
            found: Components {
                of: vec![OPEN; count],
                is_recursive: Vec::new(),
                blocks: Vec::with_capacity(count),
                starts: vec![0],
            },
        };
        for root in 0..count as u32 {
            if search.order[root as usize] == 0 {
                search.from(&graph, root);
            }
        }
        search.found
    }

    pub(crate) fn len(&self) -> usize {
        self.is_recursive.len()
    }

    /// The blocks of a component.
    pub(crate) fn members(&self, component: usize) -> &[BlockId] {
        &self.blocks[self.starts[component] as usize..self.starts[component + 1] as usize]
    }
}

/// A block that is in no component yet.
const OPEN: u32 = u32::MAX;

/// Edges from each block, in one array.
struct Graph {
    starts: Vec<u32>,
    targets: Vec<u32>,
}

impl Graph {
    fn of(program: &Program, follows: impl Fn(Reach) -> bool) -> Graph {
        let mut graph = Graph { starts: vec![0], targets: Vec::new() };
        for block in &program.blocks {
            for at in block.plain.clone() {
                program.visit_edges(program.code[at as usize], |reach, target| {
                    if follows(reach) {
                        graph.targets.push(target.0);
                    }
                });
            }
            graph.starts.push(graph.targets.len() as u32);
        }
        graph
    }
}

struct Search {
    /// The order in which blocks were visited; 0 for not yet.
    order: Vec<u32>,
    low: Vec<u32>,
    stack: Vec<u32>,
    next: u32,
    found: Components,
}

impl Search {
    fn from(&mut self, graph: &Graph, root: u32) {
        self.visit(root);
        // Each open block with its next edge.
        let mut open: Vec<(u32, u32)> = vec![(root, graph.starts[root as usize])];
        while let Some((block, edge)) = open.last_mut() {
            let at = *block as usize;
            if *edge < graph.starts[at + 1] {
                let target = graph.targets[*edge as usize];
                *edge += 1;
                if self.order[target as usize] == 0 {
                    self.visit(target);
                    open.push((target, graph.starts[target as usize]));
                } else if self.found.of[target as usize] == OPEN {
                    self.low[at] = self.low[at].min(self.order[target as usize]);
                }
                continue;
            }
            open.pop();
            if let Some(&(parent, _)) = open.last() {
                let parent = parent as usize;
                self.low[parent] = self.low[parent].min(self.low[at]);
            }
            if self.low[at] == self.order[at] {
                self.close(graph, at as u32);
            }
        }
    }

    fn visit(&mut self, block: u32) {
        self.order[block as usize] = self.next;
        self.low[block as usize] = self.next;
        self.next += 1;
        self.stack.push(block);
    }

    /// Takes a finished component off the stack.
    fn close(&mut self, graph: &Graph, root: u32) {
        let component = self.found.is_recursive.len() as u32;
        let first = self.found.blocks.len();
        while let Some(block) = self.stack.pop() {
            self.found.of[block as usize] = component;
            self.found.blocks.push(BlockId(block));
            if block == root {
                break;
            }
        }
        let edges = graph.starts[root as usize] as usize..graph.starts[root as usize + 1] as usize;
        let is_recursive = self.found.blocks.len() > first + 1 || graph.targets[edges].contains(&root);
        self.found.is_recursive.push(is_recursive);
        self.found.starts.push(self.found.blocks.len() as u32);
    }
}
