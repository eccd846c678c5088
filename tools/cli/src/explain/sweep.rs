//! The steps of our own layout: layers, the order within each, and heights.

use super::picture::Picture;

/// Gap between two items of a layer, in pixels.
const GAP_Y: f64 = 22.0;

/// Number of sweeps over the layers, for order and for place.
const SWEEPS: usize = 12;

/// A box, or a bend of a line.
pub(super) struct Item {
    pub(super) layer: usize,
    pub(super) y: f64,
    pub(super) height: f64,
    pub(super) width: f64,
}

/// A part of a line, from one layer to the next, with the heights at which it leaves and arrives.
pub(super) struct Link {
    pub(super) from: (usize, f64),
    pub(super) to: (usize, f64),
}

/// Returns the layer of each box: one more than that of the furthest box that leads to it. Lines
/// back to a box that is still open do not count.
pub(super) fn layers(picture: &Picture) -> Vec<usize> {
    let count = picture.boxes.len();
    let mut ways = vec![Vec::new(); count];
    for line in &picture.lines {
        ways[line.from.0].push(line.to);
    }
    // Depth first, without recursion. The reversed order of completion has callers first.
    let mut state = vec![0u8; count];
    let mut done = Vec::with_capacity(count);
    let mut forward = vec![Vec::new(); count];
    for start in 0..count {
        if state[start] != 0 {
            continue;
        }
        let mut open = vec![(start, 0)];
        state[start] = 1;
        while let Some((at, next)) = open.pop() {
            match ways[at].get(next) {
                None => {
                    state[at] = 2;
                    done.push(at);
                }
                Some(&to) => {
                    open.push((at, next + 1));
                    if state[to] != 1 {
                        forward[at].push(to);
                    }
                    if state[to] == 0 {
                        state[to] = 1;
                        open.push((to, 0));
                    }
                }
            }
        }
    }
    let mut layers = vec![0; count];
    for &at in done.iter().rev() {
        for &to in &forward[at] {
            layers[to] = layers[to].max(layers[at] + 1);
        }
    }
    layers
}

/// Returns the items of each layer in an order with few crossings.
pub(super) fn order(items: &mut [Item], links: &[Link]) -> Vec<Vec<usize>> {
    let count = items.iter().map(|item| item.layer + 1).max().unwrap_or(0);
    let mut columns = vec![Vec::new(); count];
    for (index, item) in items.iter().enumerate() {
        columns[item.layer].push(index);
    }
    let mut position = vec![0.0; items.len()];
    let settle = |columns: &[Vec<usize>], position: &mut [f64]| {
        columns.iter().flatten().zip(columns.iter().flat_map(|column| 0..column.len())).for_each(
            |(&item, at)| {
                position[item] = at as f64;
            },
        );
    };
    settle(&columns, &mut position);
    let (mut best, mut fewest) = (columns.clone(), crossings(items, links, &position));
    for sweep in 0..SWEEPS {
        let rightwards = sweep % 2 == 0;
        let wanted = barycenters(items, links, &position, rightwards);
        for column in &mut columns {
            column.sort_by(|&a, &b| wanted[a].total_cmp(&wanted[b]));
        }
        settle(&columns, &mut position);
        let now = crossings(items, links, &position);
        if now < fewest {
            (best, fewest) = (columns.clone(), now);
        }
    }
    best
}

/// Returns, for each item, the mean position of its neighbors on one side, refined by the height at
/// which their lines leave.
fn barycenters(items: &[Item], links: &[Link], position: &[f64], rightwards: bool) -> Vec<f64> {
    let mut sums = vec![(0.0, 0.0); items.len()];
    for link in links {
        let ((from, leaves), (to, arrives)) = (link.from, link.to);
        let (item, other, height) = if rightwards { (to, from, leaves) } else { (from, to, arrives) };
        let (sum, weight) = &mut sums[item];
        *sum += position[other] + height / items[other].height.max(1.0);
        *weight += 1.0;
    }
    let mean = |(item, (sum, weight)): (usize, &(f64, f64))| {
        if *weight > 0.0 { sum / weight } else { position[item] }
    };
    sums.iter().enumerate().map(mean).collect()
}

/// Returns how many pairs of links between two layers cross.
fn crossings(items: &[Item], links: &[Link], position: &[f64]) -> usize {
    let mut by_layer: Vec<Vec<(f64, f64)>> = Vec::new();
    for link in links {
        let layer = items[link.from.0].layer;
        if by_layer.len() <= layer {
            by_layer.resize(layer + 1, Vec::new());
        }
        let fine =
            |(item, height): (usize, f64)| position[item] + height / (items[item].height.max(1.0) + 1.0);
        by_layer[layer].push((fine(link.from), fine(link.to)));
    }
    let mut count = 0;
    for ends in &mut by_layer {
        ends.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        // Insertion into a sorted list counts the items that are passed.
        let mut sorted: Vec<f64> = Vec::with_capacity(ends.len());
        for &(_, to) in ends.iter() {
            let at = sorted.partition_point(|&other| other <= to);
            count += sorted.len() - at;
            sorted.insert(at, to);
        }
    }
    count
}

/// Moves items towards their neighbors, layer by layer, back and forth.
pub(super) fn place(items: &mut [Item], columns: &mut [Vec<usize>], links: &[Link]) {
    for column in columns.iter() {
        let mut y = 0.0;
        for &index in column {
            items[index].y = y;
            y += items[index].height + GAP_Y;
        }
    }
    for sweep in 0..SWEEPS {
        let both = sweep + 2 >= SWEEPS;
        let rightwards = sweep % 2 == 0;
        let layers: Vec<usize> =
            if rightwards { (0..columns.len()).collect() } else { (0..columns.len()).rev().collect() };
        for layer in layers {
            let mut wanted: Vec<Vec<f64>> = vec![Vec::new(); columns[layer].len()];
            let place_of: std::collections::HashMap<usize, usize> =
                columns[layer].iter().enumerate().map(|(place, &item)| (item, place)).collect();
            for link in links {
                let ((from, leaves), (to, arrives)) = (link.from, link.to);
                if let (Some(&place), true) = (place_of.get(&to), rightwards || both) {
                    wanted[place].push(items[from].y + leaves - arrives);
                }
                if let (Some(&place), true) = (place_of.get(&from), !rightwards || both) {
                    wanted[place].push(items[to].y + arrives - leaves);
                }
            }
            settle(items, &columns[layer], &wanted);
        }
    }
}

/// Puts the items of a layer as near to their wanted heights as their order and the gaps allow.
/// Groups of items that touch share the mean of what they want.
fn settle(items: &mut [Item], column: &[usize], wanted: &[Vec<f64>]) {
    struct Group {
        start: f64,
        height: f64,
        weight: f64,
        members: Vec<usize>,
    }
    let mut groups: Vec<Group> = Vec::new();
    for (&index, wanted) in column.iter().zip(wanted) {
        let (goal, weight) = match median(wanted) {
            Some(goal) => (goal, wanted.len() as f64),
            None => (items[index].y, 0.01),
        };
        let height = items[index].height + GAP_Y;
        let mut group = Group { start: goal, height, weight, members: vec![index] };
        while let Some(above) = groups.pop_if(|above| above.start + above.height > group.start) {
            let weight = above.weight + group.weight;
            let start = (above.start * above.weight + (group.start - above.height) * group.weight) / weight;
            let mut members = above.members;
            members.append(&mut group.members);
            group = Group { start, height: above.height + group.height, weight, members };
        }
        groups.push(group);
    }
    for group in groups {
        let mut y = group.start;
        for index in group.members {
            items[index].y = y;
            y += items[index].height + GAP_Y;
        }
    }
}

fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    match sorted.len() {
        0 => None,
        count if count % 2 == 1 => Some(sorted[count / 2]),
        count => Some((sorted[count / 2 - 1] + sorted[count / 2]) / 2.0),
    }
}
