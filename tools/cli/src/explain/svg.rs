//! A picture of a program as SVG, once it has a layout.

use std::fmt::Write;

use stanchion::graph::{Code, Reach};

use super::layout::{HEAD, Layout, PAD, Point, ROW, Rectangle, indent, text_width};
use super::picture::{Box, Picture, RowKind};

/// Escapes text for XML. All untrusted text goes through here.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            // Not allowed in XML, or invisible. Characters that change the direction of text are
            // shown as well.
            '\u{0}'..='\u{1f}'
            | '\u{7f}'..='\u{9f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fffe}'
            | '\u{ffff}' => {
                let _ = write!(escaped, "\\u{{{:x}}}", u32::from(character));
            }
            plain => escaped.push(plain),
        }
    }
    escaped
}

/// Colors for light and dark themes. Without variables, which not every viewer knows.
const STYLE: &str = "\
.stanchion text{font-family:'DejaVu Sans Mono',Menlo,Consolas,monospace;font-size:11px;white-space:pre}
.stanchion .pointer,.stanchion .badge-text{font-size:10px}
.stanchion .title,.stanchion .fused-text{font-weight:bold}
.stanchion .memo .frame{stroke-width:1.8}
.stanchion .line{fill:none;stroke-width:1.2}
.stanchion .below{stroke-dasharray:5 3}
.stanchion .scope{stroke-dasharray:1.5 3}
.stanchion .paper,.stanchion .frame{fill:#fff}
.stanchion text{fill:#1c2330}
.stanchion .frame{stroke:#bcc4d2}
.stanchion .memo .frame{stroke:#13663a}
.stanchion .head{fill:#eef2f8}
.stanchion .pointer,.stanchion .detail,.stanchion .more,.stanchion .types{fill:#667085}
.stanchion .badge{fill:#d8f0e1}.stanchion .badge-text{fill:#13663a}
.stanchion .fused{fill:#fdf1d8}.stanchion .fused-text{fill:#8a5a00}
.stanchion .here{stroke:#5b6475}.stanchion .below{stroke:#2f6fd0}.stanchion .scope{stroke:#b0388f}
.stanchion .tip-here{fill:#5b6475}.stanchion .tip-below{fill:#2f6fd0}.stanchion .tip-scope{fill:#b0388f}
@media (prefers-color-scheme:dark){
.stanchion .paper,.stanchion .frame{fill:#14171d}
.stanchion text{fill:#e4e8f0}
.stanchion .frame{stroke:#3f495a}
.stanchion .memo .frame{stroke:#8fe0b0}
.stanchion .head{fill:#222936}
.stanchion .pointer,.stanchion .detail,.stanchion .more,.stanchion .types{fill:#98a2b5}
.stanchion .badge{fill:#173a27}.stanchion .badge-text{fill:#8fe0b0}
.stanchion .fused{fill:#3a2f16}.stanchion .fused-text{fill:#f0c777}
.stanchion .here{stroke:#9aa4b6}.stanchion .below{stroke:#7aaaf5}.stanchion .scope{stroke:#e58acb}
.stanchion .tip-here{fill:#9aa4b6}.stanchion .tip-below{fill:#7aaaf5}.stanchion .tip-scope{fill:#e58acb}
}
.stanchion .hot .frame{stroke:#e0662b;stroke-width:2.2}
";

/// Height of the legend below a drawing.
const LEGEND: f64 = 46.0;

/// Draws a picture. With links, each box leads to its place in the page's listing.
pub(crate) fn draw(picture: &Picture, layout: &Layout, with_links: bool) -> String {
    let legend = legend_entries(picture.code);
    let legend_width: f64 = legend.iter().map(|entry| text_width(entry.0) + 66.0).sum::<f64>() + 48.0;
    let remark_width = picture.remark().map_or(0.0, |remark| text_width(&remark) + 48.0);
    let width = layout.width.max(legend_width).max(remark_width).ceil();
    let height = (layout.height + LEGEND).ceil();
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"stanchion\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\">\n\
         <title>The program of a schema: its blocks and what leads where</title>\n<style>\n{STYLE}</style>\n\
         <defs>{}</defs>\n",
        ["here", "below", "scope"].map(marker).concat()
    );
    let _ = writeln!(svg, "<rect width=\"{width}\" height=\"{height}\" class=\"paper\"/>");
    for (line, points) in picture.lines.iter().zip(&layout.lines) {
        let class = reach_class(line.reach);
        let _ = writeln!(
            svg,
            "<path class=\"line {class}\" marker-end=\"url(#arrow-{class})\" d=\"{}\"/>",
            path(points)
        );
    }
    for (shown, &place) in picture.boxes.iter().zip(&layout.boxes) {
        draw_box(&mut svg, shown, place, with_links);
    }
    draw_legend(&mut svg, picture, layout, &legend);
    svg.push_str("</svg>\n");
    svg
}

fn marker(name: &str) -> String {
    format!(
        "<marker id=\"arrow-{name}\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path class=\"tip-{name}\" d=\"M0 0.8 8 4 0 7.2z\"/></marker>"
    )
}

fn reach_class(reach: Reach) -> &'static str {
    match reach {
        Reach::Node => "here",
        Reach::Below => "below",
        Reach::Scope => "scope",
    }
}

/// Returns a path of cubic curves.
fn path(points: &[Point]) -> String {
    let mut path = String::new();
    for (index, Point { x, y }) in points.iter().enumerate() {
        let sign = match index {
            0 => "M",
            _ if index % 3 == 1 => "C",
            _ => " ",
        };
        let _ = write!(path, "{sign}{x:.1} {y:.1}");
    }
    path
}

fn draw_box(svg: &mut String, shown: &Box, place: Rectangle, with_links: bool) {
    let Rectangle { x, y, width, height } = place;
    let memo = if shown.remembers { " memo" } else { "" };
    let _ = writeln!(
        svg,
        "<g class=\"block place-{}{memo}\" id=\"block-{}\" transform=\"translate({x:.1} {y:.1})\"><title>block {} {}</title>",
        shown.place,
        shown.block,
        shown.block,
        escape(&shown.whole_pointer)
    );
    if with_links {
        let _ = writeln!(svg, "<a href=\"#listing-{}\">", shown.block);
    }
    let _ = writeln!(svg, "<rect class=\"frame\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"5\"/>");
    let _ = writeln!(
        svg,
        "<path class=\"head\" d=\"M0.7 {HEAD}V5.7a5 5 0 0 1 5-5h{:.1}a5 5 0 0 1 5 5V{HEAD}z\"/>",
        width - 11.4
    );
    text(svg, "title", PAD, 15.0, &shown.title);
    text(svg, "pointer", PAD, 29.0, if shown.pointer.is_empty() { "the root" } else { &shown.pointer });
    let mut right = width - 6.0;
    for (is_on, word) in [(shown.remembers, "memo"), (shown.keeps_marks, "marks")] {
        if is_on {
            let badge = text_width(word) + 10.0;
            right -= badge;
            let _ = writeln!(
                svg,
                "<rect class=\"badge\" x=\"{right:.1}\" y=\"5\" width=\"{badge:.1}\" height=\"14\" rx=\"7\"/>"
            );
            text(svg, "badge-text", right + 6.0, 15.0, word);
            right -= 4.0;
        }
    }
    for (index, row) in shown.rows.iter().enumerate() {
        let top = HEAD + ROW * index as f64;
        let base = top + 13.0;
        let class = match row.kind {
            RowKind::Types => "types",
            RowKind::Instruction => "instruction",
            RowKind::Fused => "fused-text",
            RowKind::Target => "way",
            RowKind::More => "more",
        };
        if row.kind == RowKind::Fused {
            let _ = writeln!(
                svg,
                "<rect class=\"fused\" x=\"0.7\" y=\"{top}\" width=\"{:.1}\" height=\"{ROW}\"/>",
                width - 1.4
            );
        }
        text(svg, class, PAD + indent(row.kind), base, &row.label);
        if !row.detail.is_empty() {
            let _ = writeln!(
                svg,
                "<text class=\"detail\" x=\"{:.1}\" y=\"{base}\" text-anchor=\"end\">{}</text>",
                width - PAD,
                escape(&row.detail)
            );
        }
    }
    svg.push_str(if with_links { "</a></g>\n" } else { "</g>\n" });
}

fn text(svg: &mut String, class: &str, x: f64, y: f64, content: &str) {
    let _ = writeln!(svg, "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y}\">{}</text>", escape(content));
}

/// Returns the entries of the legend: the text, and the class of a line or a badge.
fn legend_entries(code: Code) -> Vec<(&'static str, &'static str)> {
    let mut entries = vec![
        ("asked of the same value", "here"),
        ("asked of members, items or names", "below"),
        ("chosen by the dynamic scope", "scope"),
    ];
    if code == Code::Fast {
        entries.push(("several keywords in one pass; * required", "fused"));
    }
    entries.push(("verdicts may be remembered", "memo"));
    entries
}

fn draw_legend(svg: &mut String, picture: &Picture, layout: &Layout, entries: &[(&str, &str)]) {
    let y = layout.height + 12.0;
    let mut x = 24.0;
    for &(words, class) in entries {
        let _ = match class {
            "fused" => writeln!(
                svg,
                "<rect class=\"fused\" x=\"{x:.1}\" y=\"{:.1}\" width=\"26\" height=\"12\"/>",
                y - 9.0
            ),
            "memo" => writeln!(
                svg,
                "<rect class=\"badge\" x=\"{x:.1}\" y=\"{:.1}\" width=\"26\" height=\"12\" rx=\"6\"/>",
                y - 9.0
            ),
            reach => writeln!(
                svg,
                "<path class=\"line {reach}\" marker-end=\"url(#arrow-{reach})\" d=\"M{x:.1} {0:.1}h26\"/>",
                y - 3.5
            ),
        };
        text(svg, "detail", x + 34.0, y, words);
        x += 34.0 + text_width(words) + 32.0;
    }
    if let Some(remark) = picture.remark() {
        text(svg, "types", 24.0, y + 20.0, &remark);
    }
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn what_a_stranger_wrote_stays_text() {
        assert_eq!(escape("<script>\"'&"), "&lt;script&gt;&quot;&#39;&amp;");
        assert_eq!(escape("a\u{1b}[31m\u{202e}b\n"), "a\\u{1b}[31m\\u{202e}b\\u{a}");
    }
}
