//! Draws the geometric means as a chart: a group of bars for each stage, a bar for each peer, on a
//! scale of doublings.

use super::results::{Group, Results, Stage};
use super::validators::Peer;

const LEFT: f64 = 250.0;
const RIGHT: f64 = 64.0;
const WIDTH: f64 = 860.0;
const TOP: f64 = 92.0;
const BAR: f64 = 17.0;
const GAP: f64 = 16.0;

/// Colors by class, so that they follow the reader's light or dark mode. The colors of the peers
/// suit both.
const STYLE: &str = "\
text{fill:#1f2328;font-family:system-ui,-apple-system,'Segoe UI',sans-serif;font-size:12px}\
.title{font-size:16px;font-weight:600}.small{font-size:11px;fill:#59636e}.stage{font-weight:600}\
.value{font-weight:600;font-variant-numeric:tabular-nums}.grid{stroke:#d1d9e0}.one{stroke:#1f2328;stroke-width:1.5}\
.back{fill:#ffffff}.corvus{fill:#2a78c2}.jsonschema{fill:#d9822b}.boon{fill:#8a63b8}\
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.small{fill:#9198a1}.grid{stroke:#3d444d}.one{stroke:#e6edf3}\
.back{fill:#0d1117}.corvus{fill:#4c9be8}.jsonschema{fill:#e39a4a}.boon{fill:#a98bd6}}";

/// A group of bars.
struct Bars {
    title: &'static str,
    unit: &'static str,
    bars: Vec<(Peer, f64)>,
}

/// Draws the chart as SVG. The group is the corpus if there is one, or else our own sets; tools are
/// beside it.
pub(crate) fn draw(results: &Results) -> String {
    let group = if results.group(Group::Corpus).next().is_some() { Group::Corpus } else { Group::Own };
    let groups = bars(results, group);
    let most = groups.iter().flat_map(|group| &group.bars).fold(2.0_f64, |most, (_, ratio)| most.max(*ratio));
    let least =
        groups.iter().flat_map(|group| &group.bars).fold(1.0_f64, |least, (_, ratio)| least.min(*ratio));
    let scale = Scale { first: least.log2().floor(), last: most.log2().ceil() };
    let rows: f64 = groups.iter().map(|group| group.bars.len() as f64 * BAR + GAP).sum();
    let height = TOP + rows + 40.0;

    let sets = results.group(group).count();
    let whose = if group == Group::Corpus { "sets of real schemas" } else { "sets of our own" };
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\">\n\
         <style>{STYLE}</style>\n<rect class=\"back\" width=\"{WIDTH}\" height=\"{height}\" rx=\"6\"/>\n"
    );
    svg += &text(16.0, 28.0, "title", "start", "What others take, in times of what Stanchion takes");
    let map = if Results::map() == "sorted" { "sorted map" } else { "preserve_order" };
    let note = format!(
        "geometric mean over {sets} {whose}; serde_json with {map}; right of 1× Stanchion takes less"
    );
    svg += &text(16.0, 47.0, "small", "start", &note);
    svg += &legend(results, group);
    svg += &grid(&scale, TOP + rows);
    let mut y = TOP + GAP / 2.0;
    for group in &groups {
        let middle = y + group.bars.len() as f64 * BAR / 2.0;
        svg += &text(LEFT - 14.0, middle, "stage", "end", group.title);
        svg += &text(LEFT - 14.0, middle + 14.0, "small", "end", group.unit);
        for (peer, ratio) in &group.bars {
            svg += &bar(&scale, y, *peer, *ratio);
            y += BAR;
        }
        y += GAP;
    }
    svg + "</svg>\n"
}

/// Returns the bars of each stage that was measured.
fn bars(results: &Results, group: Group) -> Vec<Bars> {
    let stages = [
        (group, Stage::Value, "is_valid, parsed value", "serde_json::Value, time"),
        (group, Stage::Invalid, "is_valid, invalid instances", "serde_json::Value, time"),
        (group, Stage::Validate, "validate", "serde_json::Value, time"),
        (group, Stage::Errors, "iter_errors", "serde_json::Value, time"),
        (group, Stage::Tape, "is_valid, parsed tape", "each one's own form, time"),
        (group, Stage::Text, "text to verdict", "with parsing, time"),
        (group, Stage::Compile, "compile", "time"),
        (Group::Tools, Stage::Compile, "compile, published tools", "time"),
        (group, Stage::HeapUsed, "heap of a validator", "bytes after all instances"),
    ];
    let mut groups = Vec::new();
    for (group, stage, title, unit) in stages {
        let mean = |peer: &Peer| Some((*peer, results.mean(group, stage, *peer)?.mean));
        let others = Peer::ALL.iter().filter(|peer| **peer != Peer::Stanchion);
        let bars: Vec<(Peer, f64)> = others.filter_map(mean).collect();
        if !bars.is_empty() {
            groups.push(Bars { title, unit, bars });
        }
    }
    groups
}

/// A scale from one power of two to another.
struct Scale {
    first: f64,
    last: f64,
}

impl Scale {
    fn x(&self, ratio: f64) -> f64 {
        LEFT + (ratio.log2() - self.first) / (self.last - self.first) * (WIDTH - LEFT - RIGHT)
    }
}

fn grid(scale: &Scale, bottom: f64) -> String {
    let mut svg = String::new();
    let mut power = scale.first;
    while power <= scale.last {
        let (x, ratio) = (scale.x(power.exp2()), power.exp2());
        let class = if ratio == 1.0 { "one" } else { "grid" };
        svg += &format!("<path class=\"{class}\" d=\"M{x:.1} {:.1}V{bottom:.1}\"/>\n", TOP - 6.0);
        svg += &text(x, bottom + 16.0, "small", "middle", &format!("{ratio}×"));
        power += 1.0;
    }
    svg
}

fn bar(scale: &Scale, y: f64, peer: Peer, ratio: f64) -> String {
    let (one, end) = (scale.x(1.0), scale.x(ratio));
    let (x, width) = (one.min(end), (end - one).abs().max(1.0));
    let (class, title) = (peer.name(), peer.title());
    let mut svg = format!(
        "<rect class=\"{class}\" x=\"{x:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"{:.1}\" rx=\"2\">\
         <title>{title}: {ratio:.2}×</title></rect>\n",
        y + 1.5,
        BAR - 3.0
    );
    let shown = if ratio < 1.0 { format!("{ratio:.2}×") } else { format!("{ratio:.1}×") };
    // Beside the bar, at its end. Labels of bars that end left of 1 go right of it, where there is
    // room.
    svg += &text(one.max(end) + 5.0, y + BAR - 4.5, "value", "start", &shown);
    svg
}

/// Draws the legend: the peers that were compared, and on how many sets if not on all.
fn legend(results: &Results, group: Group) -> String {
    let all = results.group(group).count();
    let mut svg = String::new();
    let mut x = 16.0;
    for &peer in Peer::ALL.iter().filter(|peer| **peer != Peer::Stanchion) {
        let means = Stage::ALL.iter().filter_map(|stage| results.mean(group, *stage, peer));
        let Some(sets) = means.filter(|mean| !mean.stage.is_of_invalid()).map(|mean| mean.sets).min() else {
            continue;
        };
        let mut label = peer.title().to_owned();
        if sets < all {
            label += &format!(" ({sets} sets)");
        }
        let class = peer.name();
        svg += &format!("<rect class=\"{class}\" x=\"{x}\" y=\"60\" width=\"12\" height=\"12\" rx=\"2\"/>\n");
        svg += &text(x + 18.0, 70.5, "", "start", &label);
        x += 42.0 + 7.0 * label.len() as f64;
    }
    svg
}

fn text(x: f64, y: f64, class: &str, anchor: &str, text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    format!("<text x=\"{x:.1}\" y=\"{y:.1}\" class=\"{class}\" text-anchor=\"{anchor}\">{text}</text>\n")
}
