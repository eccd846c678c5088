//! Layout by graphviz: `dot` gets the sizes of boxes alone and returns their places. No text of a
//! schema is passed to it.

use std::fmt::Write as _;
use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use serde::Deserialize;

use super::layout::{HEAD, Layout, MARGIN, Point, ROW, Rectangle, size};
use super::picture::Picture;

/// Time limit for `dot`, which may take long for a large graph; after it, our own layout is used.
const TIME_LIMIT: Duration = Duration::from_secs(10);

/// The part of the answer that we read.
#[derive(Deserialize)]
struct Answer {
    /// The corners of the whole graph: `0,0,300,200`.
    bb: String,
    #[serde(default)]
    objects: Vec<Object>,
    #[serde(default)]
    edges: Vec<Edge>,
}

#[derive(Deserialize)]
struct Object {
    name: String,
    /// The center: `100,50`.
    pos: String,
}

#[derive(Deserialize)]
struct Edge {
    /// The number of the line.
    id: String,
    /// `e,`, the tip, and the points of curves.
    pos: String,
}

/// Finds a place for every box and line.
///
/// # Errors
///
/// If `dot` is missing, fails, takes too long, or gives an unexpected answer.
pub(crate) fn lay_out(picture: &Picture) -> Result<Layout, String> {
    let answer = ask(graph(picture))?;
    let answer: Answer = serde_json::from_str(&answer).map_err(|error| format!("dot: {error}"))?;
    read(picture, &answer).ok_or_else(|| "dot: a place is missing from its answer".to_owned())
}

/// Runs `dot`.
fn ask(graph: String) -> Result<String, String> {
    let failed = |error: std::io::Error| format!("dot: {error}");
    let mut child = Command::new("dot")
        .arg("-Tjson0")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(failed)?;
    let mut input = child.stdin.take().ok_or("dot: no standard input")?;
    let mut output = child.stdout.take().ok_or("dot: no standard output")?;
    // Written and read by separate threads, so that neither side blocks the other, and the time
    // limit holds.
    let writer = thread::spawn(move || input.write_all(graph.as_bytes()));
    let (send, receive) = mpsc::channel();
    let reader = thread::spawn(move || {
        let mut answer = String::new();
        drop(send.send(output.read_to_string(&mut answer).map(|_| answer)));
    });
    let answer = receive.recv_timeout(TIME_LIMIT);
    if answer.is_err() {
        drop(child.kill());
    }
    let status = child.wait().map_err(failed)?;
    drop((writer.join(), reader.join()));
    let answer =
        answer.map_err(|_| format!("dot: no answer within {} s", TIME_LIMIT.as_secs()))?.map_err(failed)?;
    if status.success() { Ok(answer) } else { Err(format!("dot: {status}")) }
}

/// Returns the graph in the language of `dot`: boxes as tables of empty cells, a cell for each row.
fn graph(picture: &Picture) -> String {
    let mut graph = String::from(
        "digraph program {\ngraph [rankdir=LR, nodesep=0.3, ranksep=0.8]\nnode [shape=plain]\nedge [arrowsize=0.5]\n",
    );
    for (index, shown) in picture.boxes.iter().enumerate() {
        let (width, height) = size(shown);
        let cell = |port: &str, height: f64| {
            format!(
                "<TR><TD PORT=\"{port}\" FIXEDSIZE=\"TRUE\" WIDTH=\"{width}\" HEIGHT=\"{height}\"></TD></TR>"
            )
        };
        let mut cells = cell("head", HEAD);
        for row in 0..shown.rows.len() {
            cells += &cell(&format!("r{row}"), ROW);
        }
        let rest = height - HEAD - ROW * shown.rows.len() as f64;
        if rest > 0.0 {
            cells += &cell("foot", rest);
        }
        let _ = writeln!(
            graph,
            "b{index} [label=<<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"0\" CELLPADDING=\"0\">{cells}</TABLE>>]"
        );
    }
    for (index, line) in picture.lines.iter().enumerate() {
        let ((from, row), to) = (line.from, line.to);
        let _ = writeln!(graph, "b{from}:r{row}:e -> b{to}:head [id=\"{index}\"]");
    }
    graph.push_str("}\n");
    graph
}

/// Converts from graphviz's coordinates, in which y goes up, to ours, in which it goes down.
fn read(picture: &Picture, answer: &Answer) -> Option<Layout> {
    let corners: Vec<f64> = answer.bb.split(',').map_while(|number| number.parse().ok()).collect();
    let &[left, bottom, right, top] = &corners[..] else { return None };
    let point = |text: &str| -> Option<Point> {
        let (x, y) = text.split_once(',')?;
        let (x, y): (f64, f64) = (x.parse().ok()?, y.parse().ok()?);
        Some(Point { x: x - left + MARGIN, y: top - y + MARGIN })
    };
    let mut boxes = vec![None; picture.boxes.len()];
    for Object { name, pos } in &answer.objects {
        let index: usize = name.strip_prefix('b')?.parse().ok()?;
        let (width, height) = size(picture.boxes.get(index)?);
        let Point { x, y } = point(pos)?;
        boxes[index] = Some(Rectangle { x: x - width / 2.0, y: y - height / 2.0, width, height });
    }
    let mut lines = vec![None; picture.lines.len()];
    for Edge { id, pos } in &answer.edges {
        let mut words = pos.split(' ');
        let tip = point(words.next()?.strip_prefix("e,")?)?;
        let mut points: Vec<Point> = words.map(point).collect::<Option<_>>()?;
        // The curve ends where the tip begins: the rest is straight.
        let last = *points.last()?;
        points.extend([last, tip, tip]);
        *lines.get_mut(id.parse::<usize>().ok()?)? = Some(points);
    }
    Some(Layout {
        boxes: boxes.into_iter().collect::<Option<_>>()?,
        lines: lines.into_iter().collect::<Option<_>>()?,
        width: right - left + 2.0 * MARGIN,
        height: top - bottom + 2.0 * MARGIN,
    })
}
