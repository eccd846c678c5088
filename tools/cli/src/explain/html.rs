//! A page with a schema, its listing and its graph side by side. It is self-contained: no other
//! file, no network, and a content policy that enforces this. Without its small script, links still
//! connect the three parts.

use std::collections::HashMap;
use std::fmt::Write;

use stanchion::graph::Block;

use super::picture::number_places;
use super::svg::escape;
use super::tree::{self, Tree};

/// Script that highlights what belongs to the place under the pointer, and scrolls it into view on
/// a click.
pub(crate) const SCRIPT: &str = include_str!("page.js");

const STYLE: &str = include_str!("page.css");

/// Hash of [`SCRIPT`]; the page's content policy allows no other script.
const SCRIPT_HASH: &str = "sha256-pD/X5znF2aewz8fKNNG9MhlliYBbPCzMEipPlr54ZcM=";

/// Content of the page.
pub(crate) struct Page<'p> {
    pub(crate) name: &'p str,
    pub(crate) schema: &'p Tree,
    pub(crate) blocks: &'p [Block],
    /// The listing, as text.
    pub(crate) listing: &'p str,
    /// The graph, as an `svg` element.
    pub(crate) graph: &'p str,
}

impl Page<'_> {
    /// Writes the page.
    pub(crate) fn write(&self) -> String {
        let places = number_places(self.blocks);
        let own = self.blocks.iter().zip(&places).filter(|(block, _)| block.document.is_empty());
        let by_pointer: HashMap<&str, usize> =
            own.map(|(block, &place)| (block.pointer.as_str(), place)).collect();
        let name = escape(self.name);
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src '{SCRIPT_HASH}'\">\n\
             <meta name=\"viewport\" content=\"width=device-width\">\n<title>{name} - stanchion explain</title>\n\
             <style>\n{STYLE}</style>\n</head>\n<body>\n<header><h1>{name}</h1><p>{}</p></header>\n<main>\n\
             <section id=\"schema\"><h2>Schema</h2><pre>{}</pre></section>\n\
             <section id=\"listing\"><h2>Listing</h2><pre>{}</pre></section>\n\
             <section id=\"graph\"><h2>Graph</h2><div>{}</div></section>\n</main>\n<script>{SCRIPT}</script>\n</body>\n</html>\n",
            self.summary(),
            tree::write(self.schema, &by_pointer),
            self.listing(&places),
            self.graph,
        )
    }

    fn summary(&self) -> String {
        let instructions: usize = self.blocks.iter().map(|block| block.steps.len()).sum();
        format!("{} blocks, {instructions} instructions", self.blocks.len())
    }

    /// Returns the listing with an element for each block, which links to the place in the schema.
    fn listing(&self, places: &[usize]) -> String {
        let mut html = String::new();
        let mut is_open = false;
        let mut next = 0;
        for line in self.listing.lines() {
            let block = line.strip_prefix("block ").filter(|_| next < self.blocks.len());
            let Some(rest) = block else {
                let _ = writeln!(html, "{}", instruction(line));
                continue;
            };
            if is_open {
                html.push_str("</span>");
            }
            is_open = true;
            let place = places[next];
            let number = next.to_string();
            let rest = rest.strip_prefix(&number).unwrap_or(rest);
            let link = if self.blocks[next].document.is_empty() {
                format!(" href=\"#schema-{place}\"")
            } else {
                String::new()
            };
            let _ = writeln!(
                html,
                "<span class=\"block place-{place}\" id=\"listing-{number}\" data-place=\"{place}\" data-block=\"{number}\"><a{link}>block {number}</a><span class=\"pointer\">{}</span>",
                escape(rest)
            );
            next += 1;
        }
        if is_open {
            html.push_str("</span>");
        }
        html
    }
}

/// Formats a line of the listing below a block's head: the number, the instruction, and the
/// keyword.
fn instruction(line: &str) -> String {
    let class = if line.starts_with("  fast") {
        "fast"
    } else if line.starts_with("       ") {
        "way"
    } else {
        "code"
    };
    format!("<span class=\"{class}\">{}</span>", escape(line))
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::Engine as _;
    use sha2::{Digest, Sha256};

    #[test]
    fn the_policy_lets_the_script_run() {
        let hash = base64::engine::general_purpose::STANDARD.encode(Sha256::digest(SCRIPT));
        assert_eq!(SCRIPT_HASH, format!("sha256-{hash}"));
    }
}
