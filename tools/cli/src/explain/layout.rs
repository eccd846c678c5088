//! Our own layout, in layers from left to right: a simple form of Sugiyama's method.
//!
//! 1. Every box is placed right of all boxes that lead to it; lines that go back (recursion) are
//!    ignored here.
//! 2. A line over more than one layer gets a bend in each layer between, which takes room like a
//!    box. Lines to the same box share it.
//! 3. Within a layer, boxes and bends are ordered by their neighbors, back and forth, for fewer
//!    crossings.
//! 4. They are moved towards their neighbors as far as the items beside them allow.

use std::collections::HashMap;

use stanchion::graph::Reach;

use super::picture::{Box, Picture, RowKind};
use super::sweep::{Item, Link, layers, order, place};

/// Sizes in pixels.
pub(crate) const ROW: f64 = 18.0;
pub(crate) const HEAD: f64 = 36.0;
pub(crate) const PAD: f64 = 10.0;
const LETTER: f64 = 6.7;
const GAP_X: f64 = 70.0;
const BEND: f64 = 8.0;
pub(crate) const MARGIN: f64 = 24.0;

/// Places of all boxes and lines.
pub(crate) struct Layout {
    pub(crate) boxes: Vec<Rectangle>,
    /// For each line of the picture, from the row to the box: the points of cubic curves, each of
    /// which ends where the next begins.
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

/// Returns the width of a text in a monospaced font.
pub(crate) fn text_width(text: &str) -> f64 {
    unicode_width::UnicodeWidthStr::width(text) as f64 * LETTER
}

/// Returns the middle of a row, from the top of its box.
pub(crate) fn row_middle(row: usize) -> f64 {
    HEAD + ROW * (row as f64 + 0.5)
}

/// Height at which lines arrive, from the top of the box.
const ARRIVAL: f64 = 13.0;

/// Finds a place for every box and line.
pub(crate) fn lay_out(picture: &Picture) -> Layout {
    let layers = layers(picture);
    let mut items: Vec<Item> =
        picture.boxes.iter().zip(&layers).map(|(shown, &layer)| item(shown, layer)).collect();
    let mut links = Vec::new();
    // For each line, its bends from left to right.
    let mut bends: Vec<Vec<usize>> = Vec::new();
    let mut shared = HashMap::new();
    for line in &picture.lines {
        let ((from, row), to) = (line.from, line.to);
        let leaves = row_middle(row);
        let is_back = layers[to] < layers[from];
        let (left, right) =
            if is_back { ((to, ARRIVAL), (from, leaves)) } else { ((from, leaves), (to, ARRIVAL)) };
        let mut own = Vec::new();
        let mut last = left;
        for layer in layers[left.0] + 1..layers[right.0] {
            // Lines of one kind to the same box share a bend.
            let bend = *shared.entry((to, is_back, line.reach == Reach::Below, layer)).or_insert_with(|| {
                items.push(Item { layer, y: 0.0, height: BEND, width: 0.0 });
                items.len() - 1
            });
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

/// Returns the width and the height of a box.
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

/// Returns the indentation of a row.
pub(crate) fn indent(kind: RowKind) -> f64 {
    match kind {
        RowKind::Target | RowKind::More => 8.0,
        RowKind::Types | RowKind::Instruction | RowKind::Fused => 0.0,
    }
}

/// Returns the width of the badges beside a title.
fn badges_width(shown: &Box) -> f64 {
    let words = [(shown.remembers, "memo"), (shown.keeps_marks, "marks")];
    words.iter().filter(|(is_on, _)| *is_on).map(|(_, word)| text_width(word) + 18.0).sum()
}

/// Turns heights into places: columns get their x, and everything is moved to the corner.
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
        // A line back leaves on the left and arrives on the right; one to its own box loops on the
        // right.
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

/// Returns curves through points, horizontal at each of them.
fn smooth(points: &[Point]) -> Vec<Point> {
    let (first, last) = (points[0], points[points.len() - 1]);
    let mut curves = vec![first];
    for pair in points.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        // To its own box: out, around, and back in.
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
