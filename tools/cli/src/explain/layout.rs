//! Where boxes and lines go, in layers from left to right: a plain form of what is known by Sugiyama's name.
//!
//! 1. Every box is put right of all that lead to it; lines that come back (recursion) are left out of this.
//! 2. Lines over more than one layer get a bend in each layer between, which takes room as boxes do.
//! 3. Within a layer, boxes and bends are ordered by where their neighbours are, back and forth, for fewer crossings.
//! 4. They are moved towards their neighbours as far as those beside them let them.

use super::picture::{Box, Picture, RowKind};

/// Sizes in pixels.
pub(crate) const ROW: f64 = 18.0;
pub(crate) const HEAD: f64 = 36.0;
pub(crate) const PAD: f64 = 10.0;
const LETTER: f64 = 6.7;
const GAP_X: f64 = 70.0;
const GAP_Y: f64 = 22.0;
const BEND: f64 = 8.0;
pub(crate) const MARGIN: f64 = 24.0;

/// Sweeps over the layers, for order and for place.
const SWEEPS: usize = 12;

/// Where everything is.
pub(crate) struct Layout {
    pub(crate) boxes: Vec<Rectangle>,
    /// By line of the picture, from the row to the box: the points of cubic curves, each of which ends where the next begins.
    pub(crate) lines: Vec<Vec<Point>>,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Rectangle {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Point {
    pub(crate) x: f64,
    pub(crate) y: f64,
}

/// The width of a text, in a font in which letters are alike.
pub(crate) fn text_width(text: &str) -> f64 {
    unicode_width::UnicodeWidthStr::width(text) as f64 * LETTER
}

/// Where the middle of a row is, from the top of its box.
pub(crate) fn row_middle(row: usize) -> f64 {
    HEAD + ROW * (row as f64 + 0.5)
}

/// Where lines arrive, from the top of the box.
const ARRIVAL: f64 = 13.0;

/// A box, or a bend of a line.
struct Item {
    layer: usize,
    y: f64,
    height: f64,
    width: f64,
}

/// A part of a line, from one layer to the next, with the heights at which it leaves and arrives.
struct Link {
    from: (usize, f64),
    to: (usize, f64),
}

/// Finds a place for everything.
pub(crate) fn lay_out(picture: &Picture) -> Layout {
    let layers = layers(picture);
    let mut items: Vec<Item> =
        picture.boxes.iter().zip(&layers).map(|(shown, &layer)| item(shown, layer)).collect();
    let mut links = Vec::new();
    // By line: its bends, from the left to the right.
    let mut bends: Vec<Vec<usize>> = Vec::new();
    for line in &picture.lines {
        let ((from, row), to) = (line.from, line.to);
        let leaves = row_middle(row);
        let is_back = layers[to] < layers[from];
        let (left, right) =
            if is_back { ((to, ARRIVAL), (from, leaves)) } else { ((from, leaves), (to, ARRIVAL)) };
        let mut own = Vec::new();
        let mut last = left;
        for layer in layers[left.0] + 1..layers[right.0] {
            let bend = items.len();
            items.push(Item { layer, y: 0.0, height: BEND, width: 0.0 });
            links.push(Link { from: last, to: (bend, BEND / 2.0) });
            last = (bend, BEND / 2.0);
            own.push(bend);
        }
        if from != to {
            links.push(Link { from: last, to: right });
        }
        bends.push(own);
    }
    let mut columns = order(&mut items, &links);
    place(&mut items, &mut columns, &links);
    finish(picture, &items, &columns, &layers, &bends)
}

fn item(shown: &Box, layer: usize) -> Item {
    let (width, height) = size(shown);
    Item { layer, y: 0.0, height, width }
}

/// The width and the height of a box.
pub(crate) fn size(shown: &Box) -> (f64, f64) {
    let head = text_width(&shown.title).max(text_width(&shown.pointer) * 0.92) + badges_width(shown);
    let rows = shown.rows.iter().map(|row| {
        let gap = if row.detail.is_empty() { 0.0 } else { 3.0 * LETTER };
        indent(row.kind) + text_width(&row.label) + gap + text_width(&row.detail)
    });
    let width = rows.fold(head, f64::max).max(90.0) + 2.0 * PAD;
    let foot = if shown.rows.is_empty() { 0.0 } else { 6.0 };
    (width.ceil(), HEAD + ROW * shown.rows.len() as f64 + foot)
}

/// How far a row stands in.
pub(crate) fn indent(kind: RowKind) -> f64 {
    match kind {
        RowKind::Way | RowKind::More => 8.0,
        RowKind::Types | RowKind::Instruction | RowKind::Fused => 0.0,
    }
}

/// The room for what is noted beside a title.
fn badges_width(shown: &Box) -> f64 {
    let words = [(shown.remembers, "memo"), (shown.keeps_marks, "marks")];
    words.iter().filter(|(is_on, _)| *is_on).map(|(_, word)| text_width(word) + 18.0).sum()
}

/// The layer of each box: one more than that of the furthest box that leads to it. Lines back to a box that is being looked at
/// do not count.
fn layers(picture: &Picture) -> Vec<usize> {
    let count = picture.boxes.len();
    let mut ways = vec![Vec::new(); count];
    for line in &picture.lines {
        ways[line.from.0].push(line.to);
    }
    // Depth first, without recursion; the order in which boxes are done with, backwards, has callers first.
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

/// The items of each layer in an order with few crossings.
fn order(items: &mut [Item], links: &[Link]) -> Vec<Vec<usize>> {
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

/// By item: where its neighbours on one side are, on average, finer by the height at which their lines leave.
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

/// How many pairs of links between two layers cross.
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
        // Insertion into a sorted list counts those that have to be passed.
        let mut sorted: Vec<f64> = Vec::with_capacity(ends.len());
        for &(_, to) in ends.iter() {
            let at = sorted.partition_point(|&other| other <= to);
            count += sorted.len() - at;
            sorted.insert(at, to);
        }
    }
    count
}

/// Moves items towards their neighbours, layer by layer, back and forth.
fn place(items: &mut [Item], columns: &mut [Vec<usize>], links: &[Link]) {
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

/// Puts the items of a layer as near to where they want to be as their order and the gaps allow: groups of items that are
/// pushed together share the mean of what they want.
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

/// From heights to places: columns get their x, and everything is moved to the corner.
fn finish(
    picture: &Picture,
    items: &[Item],
    columns: &[Vec<usize>],
    layers: &[usize],
    bends: &[Vec<usize>],
) -> Layout {
    let top = items.iter().map(|item| item.y).fold(f64::INFINITY, f64::min);
    let top = if top.is_finite() { top } else { 0.0 };
    let bottom = items.iter().map(|item| item.y + item.height).fold(0.0, f64::max);
    let widths: Vec<f64> = columns
        .iter()
        .map(|column| column.iter().map(|&item| items[item].width).fold(0.0, f64::max))
        .collect();
    let mut x = MARGIN;
    let lefts: Vec<f64> = widths
        .iter()
        .map(|width| {
            let left = x;
            x += width + GAP_X;
            left
        })
        .collect();
    let y = |item: usize| items[item].y - top + MARGIN;
    let boxes: Vec<Rectangle> = (0..picture.boxes.len())
        .map(|index| {
            let Item { width, height, layer, .. } = items[index];
            Rectangle { x: lefts[layer], y: y(index), width, height }
        })
        .collect();
    let lines = picture.lines.iter().zip(bends).map(|(line, bends)| {
        let ((from, row), to) = (line.from, line.to);
        let (source, target) = (boxes[from], boxes[to]);
        let leaves = source.y + row_middle(row);
        let arrives = target.y + ARRIVAL;
        let mut between: Vec<Point> = Vec::new();
        for &bend in bends {
            let layer = items[bend].layer;
            let height = y(bend) + BEND / 2.0;
            between.extend([lefts[layer], lefts[layer] + widths[layer]].map(|x| Point { x, y: height }));
        }
        if layers[to] < layers[from] {
            between.reverse();
        }
        // A line back leaves on the left and arrives on the right; one to its own box goes round on the right.
        let (start, end) = match layers[to].cmp(&layers[from]) {
            std::cmp::Ordering::Greater => (source.x + source.width, target.x),
            std::cmp::Ordering::Equal => (source.x + source.width, target.x + target.width),
            std::cmp::Ordering::Less => (source.x, target.x + target.width),
        };
        let mut points = vec![Point { x: start, y: leaves }];
        points.extend(between);
        points.push(Point { x: end, y: arrives });
        smooth(&points)
    });
    let lines = lines.collect();
    Layout {
        boxes,
        lines,
        width: (x - GAP_X).max(MARGIN) + MARGIN + 20.0,
        height: bottom - top + 2.0 * MARGIN,
    }
}

/// Curves through points, level at each of them.
fn smooth(points: &[Point]) -> Vec<Point> {
    let (first, last) = (points[0], points[points.len() - 1]);
    let mut curves = vec![first];
    for pair in points.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        // To its own box: out, round, and back in.
        let is_loop = points.len() == 2 && (first.x - last.x).abs() < 1.0;
        let middle = if is_loop { first.x + 26.0 } else { (from.x + to.x) / 2.0 };
        curves.extend([Point { x: middle, y: from.y }, Point { x: middle, y: to.y }, to]);
    }
    curves
}

#[cfg(test)]
mod tests {
    use super::*;
    use stanchion::Validator;
    use stanchion::graph::Code;

    fn picture(schema: &str) -> Picture {
        let schema = serde_json::from_str(schema).expect("JSON");
        let validator = Validator::new(&schema).expect("a schema");
        Picture::of(&validator.program().blocks(Code::Plain), Code::Plain, 200)
    }

    #[test]
    fn boxes_do_not_overlap() {
        let many: Vec<String> = (0..30)
            .map(|index| {
                format!(
                    r##""p{index}": {{"anyOf": [{{"items": {{"$ref": "#/properties/p{}"}}}}, true]}}"##,
                    index / 2
                )
            })
            .collect();
        let schema = format!(r#"{{"properties": {{{}}}}}"#, many.join(","));
        let picture = picture(&schema);
        let layout = lay_out(&picture);
        assert!(layout.boxes.len() > 60);
        for (index, a) in layout.boxes.iter().enumerate() {
            assert!(
                a.x >= 0.0 && a.y >= 0.0 && a.x + a.width <= layout.width && a.y + a.height <= layout.height
            );
            for b in &layout.boxes[..index] {
                let apart = a.x + a.width <= b.x
                    || b.x + b.width <= a.x
                    || a.y + a.height <= b.y
                    || b.y + b.height <= a.y;
                assert!(apart, "{a:?} and {b:?}");
            }
        }
    }

    #[test]
    fn a_line_goes_right_and_one_back_goes_left() {
        let picture = picture(r##"{"items": {"not": {"$ref": "#"}}}"##);
        let layout = lay_out(&picture);
        for (line, points) in picture.lines.iter().zip(&layout.lines) {
            let (first, last) = (points[0], points[points.len() - 1]);
            assert_eq!(last.x > first.x, line.to != 0, "{points:?}");
        }
    }
}
