//! Properties of characters in Unicode 16.0, for `\p{…}` in patterns and for internationalized
//! names; for the latter also [`classes`] and [`normalize`].
//!
//! The tables are one file, [`tables.bin`](TABLES). It stores the ranges of each property as gaps
//! and lengths, in numbers of seven bits a byte: a tenth of what the ranges take in memory. A table
//! is unpacked on first use, once for the process, from nothing but the file. A test compares all
//! tables with those of regex-syntax, from which they were made, and rewrites the file on request
//! (see `tests.rs`).
//!
//! Properties that others express are not stored: `L` is five categories, and `Assigned` is the
//! complement of `Cn`.

pub(crate) mod classes;
mod names;
pub(crate) mod normalize;
pub(crate) mod ranges;
#[cfg(test)]
mod tests;

use names::{BINARY, CATEGORIES, SCRIPTS};
use ranges::{Ranges, complement, difference, union};
use std::sync::OnceLock;

static TABLES: &[u8] = include_bytes!("tables.bin");

/// A property: an index into one list of all of them.
///
/// General categories come first, then binary properties, scripts, and extended scripts; each script list ends with
/// `Unknown`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Property(u16);

const FIRST_BINARY: usize = CATEGORIES.len();
const FIRST_SCRIPT: usize = FIRST_BINARY + BINARY.len();
const FIRST_EXTENDED: usize = FIRST_SCRIPT + SCRIPTS.len() + 1;
const PROPERTIES: usize = FIRST_EXTENDED + SCRIPTS.len() + 1;

/// A table, unpacked on first use.
type Unpacked = OnceLock<Box<[(char, char)]>>;

static UNPACKED: [Unpacked; PROPERTIES] = [const { OnceLock::new() }; PROPERTIES];

/// The source of a property's ranges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A stored table.
    Stored,
    /// Categories with this first letter; for `LC`, those of letters with case.
    Group(&'static str),
    /// A script and the characters that others share with it: its table has the differences.
    Extended,
    /// Characters in no script.
    Unknown,
    Any,
    Ascii,
    Assigned,
    /// Surrogates. No Rust text contains any.
    Nothing,
}

impl Property {
    /// Returns the property that ECMA-262 spells `name` or `name=value`.
    pub(crate) fn find(name: &str, value: Option<&str>) -> Option<Property> {
        match (name, value) {
            (_, None) => category(name).or_else(|| {
                let at = BINARY.iter().position(|(long, short)| name == *long || name == *short)?;
                Property::at(FIRST_BINARY + at)
            }),
            ("General_Category" | "gc", Some(value)) => category(value),
            ("Script" | "sc", Some(value)) => Property::at(FIRST_SCRIPT + script(value)?),
            ("Script_Extensions" | "scx", Some(value)) => Property::at(FIRST_EXTENDED + script(value)?),
            (_, Some(_)) => None,
        }
    }

    fn at(at: usize) -> Option<Property> {
        u16::try_from(at).ok().map(Property)
    }

    /// Returns the characters that have the property.
    pub(crate) fn ranges(self) -> &'static [(char, char)] {
        UNPACKED[usize::from(self.0)].get_or_init(|| self.unpack().into_vec().into())
    }

    pub(crate) fn contains(self, c: char) -> bool {
        ranges::contains(self.ranges(), c)
    }

    fn kind(self) -> Kind {
        let at = usize::from(self.0);
        if at < FIRST_BINARY {
            return match CATEGORIES[at].0 {
                "Cs" => Kind::Nothing,
                group @ ("C" | "L" | "LC" | "M" | "N" | "P" | "S" | "Z") => Kind::Group(group),
                _ => Kind::Stored,
            };
        }
        if at < FIRST_SCRIPT {
            return match BINARY[at - FIRST_BINARY].0 {
                "Any" => Kind::Any,
                "ASCII" => Kind::Ascii,
                "Assigned" => Kind::Assigned,
                _ => Kind::Stored,
            };
        }
        match at {
            _ if at + 1 == FIRST_EXTENDED || at + 1 == PROPERTIES => Kind::Unknown,
            _ if at >= FIRST_EXTENDED => Kind::Extended,
            _ => Kind::Stored,
        }
    }

    fn unpack(self) -> Ranges {
        let at = usize::from(self.0);
        match self.kind() {
            Kind::Stored => self.stored(),
            Kind::Group(group) => {
                let is_in = |short: &str| match group {
                    "LC" => matches!(short, "Ll" | "Lt" | "Lu"),
                    _ => short.len() == 2 && short != "LC" && short.starts_with(group),
                };
                let parts = CATEGORIES.iter().enumerate().filter(|(_, (short, _))| is_in(short));
                union(parts.filter_map(|(at, _)| Property::at(at)).map(Property::ranges))
            }
            Kind::Extended => {
                let script = Property((at - FIRST_EXTENDED + FIRST_SCRIPT) as u16).ranges();
                let differs = self.stored();
                let more = difference(&differs, script);
                union([&difference(script, &differs)[..], &more])
            }
            Kind::Unknown => {
                let scripts = (FIRST_SCRIPT..FIRST_EXTENDED - 1).filter_map(Property::at);
                complement(&union(scripts.map(Property::ranges)))
            }
            Kind::Any => complement(&[]),
            Kind::Ascii => Ranges::from_slice(&[('\0', '\u{7f}')]),
            Kind::Assigned => {
                let unassigned = Property::find("Cn", None).map_or(&[][..], Property::ranges);
                complement(unassigned)
            }
            Kind::Nothing => Ranges::new(),
        }
    }

    /// Unpacks the table of a property that has one.
    fn stored(self) -> Ranges {
        let tables = (0..self.0).filter(|&at| Property(at).has_table()).count();
        let mut bytes = TABLES;
        for _ in 0..tables {
            let length = number(&mut bytes) as usize;
            bytes = bytes.get(length..).unwrap_or_default();
        }
        let length = number(&mut bytes) as usize;
        let mut table = bytes.get(..length).unwrap_or_default();
        let mut ranges = Ranges::new();
        let mut from = 0;
        while !table.is_empty() {
            let start = from + number(&mut table);
            let end = start + number(&mut table);
            ranges::push_points(&mut ranges, start, end);
            from = end + 1;
        }
        ranges
    }

    fn has_table(self) -> bool {
        matches!(self.kind(), Kind::Stored | Kind::Extended)
    }
}

/// Returns the general category of this name.
fn category(name: &str) -> Option<Property> {
    let is_named = |&(short, long): &(&str, &str)| name == short || long.split(' ').any(|long| long == name);
    Property::at(CATEGORIES.iter().position(is_named)?)
}

/// Returns the index of a script among the scripts.
fn script(name: &str) -> Option<usize> {
    if matches!(name, "Unknown" | "Zzzz") {
        return Some(SCRIPTS.len());
    }
    let is_named =
        |&(long, short): &(&str, &str)| name == long || short.split(' ').any(|short| short == name);
    SCRIPTS.iter().position(is_named).filter(|_| !name.is_empty())
}

/// Reads a number of seven bits a byte, the lowest first.
fn number(bytes: &mut &[u8]) -> u32 {
    let mut value = 0;
    let mut shift = 0;
    while let Some((&byte, rest)) = bytes.split_first() {
        *bytes = rest;
        value |= u32::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            break;
        }
        shift += 7;
    }
    value
}
