//! `stanchion explain`: what a schema was compiled to, as a listing, as a picture, or as a page with both.

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
/// Prints the listing: for each subschema a block, with its instructions as the keywords say them (reports run these),
/// and under `fast` what verdicts run: for which types a value passes or is asked at all, keywords that became one pass,
/// and what that pass wants of each member. Exits with 0, or with 2 if the schema is refused.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The schema: a file, or `-` for standard input
    schema: String,

    /// Draw the blocks and what leads where, as SVG
    #[arg(long, conflicts_with = "html")]
    graph: bool,

    /// Write a page with the schema, the listing and the graph side by side
    #[arg(long)]
    html: bool,

    /// The program as the keywords say it, without the optimizer
    #[arg(long)]
    plain: bool,

    /// Who finds the places of boxes and lines: graphviz's `dot`, or we
    #[arg(long, value_enum, default_value_t = Layout::Auto)]
    layout: Layout,

    /// How many blocks are drawn at most, nearest to the root first
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
    /// `dot` if it is there and quick enough, else our own
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

/// The picture, in the places that were asked for.
fn draw(picture: &Picture, arguments: &Arguments) -> Result<String, String> {
    let layout = match arguments.layout {
        Layout::Own => layout::lay_out(picture),
        Layout::Dot => dot::lay_out(picture)?,
        Layout::Auto => dot::lay_out(picture).unwrap_or_else(|_| layout::lay_out(picture)),
    };
    Ok(svg::draw(picture, &layout, arguments.html))
}

/// A listing as it may be printed: names and values in it are a stranger's.
fn listing(text: &str) -> String {
    text.lines().map(|line| visible(line) + "\n").collect()
}
