//! `stanchion explain`: shows the compiled program of a schema as a listing, as a picture, or as a
//! page with both.

mod dot;
mod html;
mod layout;
mod picture;
mod svg;
mod sweep;
mod tree;

use std::error::Error;
use std::fs;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use stanchion::graph::Code;
use stanchion_render::visible;

use crate::settings::{self, Settings};
use crate::{Outcome, console, source};
use html::Page;
use picture::Picture;

/// Show what a schema is compiled to
///
/// Prints the listing. Each subschema is a block: first its plain instructions, one for each
/// keyword, which reports run; then, under `fast`, the instructions that verdicts run. These show
/// for which types a value passes or is checked at all, keywords that were merged into one pass,
/// and what that pass requires of each member. Exits with 0, or with 2 if the schema is refused.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The schema: a file, or `-` for standard input
    schema: String,

    /// Draw the blocks and their connections, as SVG
    #[arg(long, conflicts_with = "html")]
    graph: bool,

    /// Write a page with the schema, the listing and the graph side by side
    #[arg(long)]
    html: bool,

    /// Show the program without the optimizer
    #[arg(long)]
    plain: bool,

    /// The layout of the graph: by graphviz's `dot`, or our own
    #[arg(long, value_enum, default_value_t = Layout::Auto)]
    layout: Layout,

    /// Most blocks to draw, nearest to the root first
    #[arg(long, value_name = "N", default_value_t = 200)]
    blocks: usize,

    /// Write to this file, not to standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    settings: Settings,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Layout {
    /// `dot` if it is installed and fast enough, otherwise our own
    Auto,
    /// `dot`
    Dot,
    /// Our own
    Own,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, Box<dyn Error>> {
    let Arguments { schema, settings, plain, .. } = arguments;
    source::read_once(settings.files().chain([schema.as_str()]))?;
    let document = source::read_json(schema)?;
    let builder = settings.builder()?.optimize(!plain);
    let validator =
        builder.build(&document.value).map_err(|error| format!("{schema}: {}", settings::refusal(&error)))?;
    let program = validator.program();
    let code = if *plain { Code::Plain } else { Code::Fast };
    let made = if arguments.graph || arguments.html {
        let blocks = program.blocks(code);
        let picture = Picture::of(&blocks, code, arguments.blocks);
        let graph = draw(&picture, arguments)?;
        if arguments.html {
            let listing = format!("{program:#}");
            let tree = serde_json::from_str(&document.text)?;
            let page = Page {
                name: &document.name,
                schema: &tree,
                blocks: &blocks,
                listing: &listing,
                graph: &graph,
            };
            page.write()
        } else {
            graph
        }
    } else {
        listing(&format!("{program:#}"))
    };
    match &arguments.output {
        Some(file) => fs::write(file, made).map_err(|error| format!("{}: {error}", file.display()))?,
        None => console::write(made.as_bytes())?,
    }
    Ok(Outcome::Good)
}

/// Draws the picture, with the layout that was chosen.
fn draw(picture: &Picture, arguments: &Arguments) -> Result<String, String> {
    let layout = match arguments.layout {
        Layout::Own => layout::lay_out(picture),
        Layout::Dot => dot::lay_out(picture)?,
        Layout::Auto => dot::lay_out(picture).unwrap_or_else(|_| layout::lay_out(picture)),
    };
    Ok(svg::draw(picture, &layout, arguments.html))
}

/// Makes a listing safe to print: names and values in it are untrusted.
fn listing(text: &str) -> String {
    text.lines().map(|line| visible(line) + "\n").collect()
}
