//! The results as text: a table for each group and stage, and the means.

use super::results::{Group, Mean, Results, Row, Stage};
use super::validators::Peer;

/// Returns all tables.
pub(crate) fn text(results: &Results) -> String {
    let mut text = format!(
        "What others cost, in times of what stanchion costs: above 1, stanchion is faster or smaller.\n\
         The map of serde_json is {}.\n",
        if Results::map() == "sorted" { "sorted" } else { "in the order of the text (preserve_order)" }
    );
    for &group in Group::ALL {
        for &stage in Stage::ALL {
            text += &table(results, group, stage);
        }
    }
    text += &summary(results);
    for row in results.rows.iter().filter(|row| !row.notes.is_empty()) {
        text += &format!("\n{}/{}:\n", row.group.name(), row.name);
        for note in &row.notes {
            text += &format!("  {note}\n");
        }
    }
    text
}

/// Returns the validators other than Stanchion that were measured.
fn others(means: &[Mean]) -> Vec<Peer> {
    Peer::ALL.iter().copied().filter(|peer| means.iter().any(|mean| mean.peer == *peer)).collect()
}

fn table(results: &Results, group: Group, stage: Stage) -> String {
    let means: Vec<Mean> = Peer::ALL
        .iter()
        .filter(|peer| **peer != Peer::Stanchion)
        .filter_map(|peer| results.mean(group, stage, *peer))
        .collect();
    if means.is_empty() {
        return String::new();
    }
    let others = others(&means);
    let mut text = format!("\n{}: {}\n", group.name(), stage.title());
    text += &format!(
        "{:28} {:>9} {:>12}",
        "set",
        if group == Group::Tools { "schemas" } else { "instances" },
        "stanchion"
    );
    for peer in &others {
        text += &format!(" {:>11}", peer.name());
    }
    text.push('\n');
    for row in results.group(group) {
        let Some(ours) = row.cost(stage, Peer::Stanchion) else { continue };
        text += &format!("{:28} {:>9} {:>12}", row.name, counted(row, stage), amount(stage, ours));
        for &peer in &others {
            text += &cell(row.ratio(stage, peer));
        }
        text.push('\n');
    }
    text += &format!("{:51}", "geometric mean");
    for mean in &means {
        text += &cell(Some(mean.mean));
    }
    text += &format!("\n{:51}", "worst");
    for mean in &means {
        text += &cell(Some(mean.worst.0));
    }
    text.push('\n');
    text
}

/// Returns the number of instances behind a figure.
fn counted(row: &Row, stage: Stage) -> usize {
    if stage.is_of_invalid() { row.invalid } else { row.instances }
}

fn cell(ratio: Option<f64>) -> String {
    match ratio {
        Some(ratio) => format!(" {ratio:>11.2}"),
        None => format!(" {:>11}", "-"),
    }
}

/// Formats nanoseconds or bytes.
fn amount(stage: Stage, amount: f64) -> String {
    match stage.is_heap() {
        true if amount >= 1e6 => format!("{:.2} MB", amount / 1e6),
        true => format!("{:.1} kB", amount / 1e3),
        false if amount >= 1e6 => format!("{:.2} ms", amount / 1e6),
        false => format!("{:.2} µs", amount / 1e3),
    }
}

/// Returns the means, in one table.
fn summary(results: &Results) -> String {
    let mut text = format!(
        "\n{:8} {:11} {:12} {:>5} {:>10} {:>8}  worst set\n",
        "group", "stage", "peer", "sets", "geo. mean", "worst"
    );
    for mean in results.means() {
        let (worst, set) = &mean.worst;
        let slower = if *worst < 1.0 { "  (below 1)" } else { "" };
        text += &format!(
            "{:8} {:11} {:12} {:>5} {:>10.2} {worst:>8.2}  {set}{slower}\n",
            mean.group.name(),
            mean.stage.name(),
            mean.peer.name(),
            mean.sets,
            mean.mean
        );
    }
    text
}
