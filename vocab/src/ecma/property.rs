//! `\p{…}`: which Unicode properties ECMA-262 knows, and the characters that have them.
//!
//! ECMA-262 wants names exactly as Unicode writes them (`\p{Letter}`, not `\p{letter}`), with
//! `digit`, `punct`, `cntrl` and `Combining_Mark` among them. The characters come from
//! regex-syntax's tables, by a query in its own language.

use std::collections::BTreeMap;
use std::sync::Arc;

use regex_syntax::hir::{Class as HirClass, HirKind};

use super::class::find;
use super::error::{Kind, quote};
use super::size;

/// A Unicode property, or its absence, as a set of characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    set: Arc<Set>,
    negated: bool,
}

#[derive(Debug, PartialEq, Eq)]
struct Set {
    /// In the order in which a pattern mentions them.
    id: usize,
    ranges: Vec<(char, char)>,
    /// As `size.rs` counts.
    size: u64,
}

impl Property {
    /// Whether it is `\P{…}`: the characters that do not have the property.
    pub fn is_negated(&self) -> bool {
        self.negated
    }

    /// The characters that have the property, ascending; [negation](Property::is_negated) is not
    /// applied.
    pub fn ranges(&self) -> &[(char, char)] {
        &self.set.ranges
    }

    /// Whether the character is in the set, negation applied.
    pub fn contains(&self, c: char) -> bool {
        find(&self.set.ranges, c) != self.negated
    }

    pub(super) fn negate(self) -> Property {
        Property { negated: !self.negated, ..self }
    }

    /// Equal exactly for the equal properties of one pattern.
    pub(super) fn key(&self) -> (usize, bool) {
        (self.set.id, self.negated)
    }

    /// The size of the set, or of its complement.
    pub(super) fn size(&self, complement: bool) -> u64 {
        if self.negated == complement { self.set.size } else { size::of_complement(self.set.size) }
    }
}

/// The properties that a pattern mentions. Each is looked up once, however often it is mentioned: a
/// megabyte of `\p{L}` would otherwise be a gigabyte of ranges.
#[derive(Default)]
pub(super) struct Properties {
    known: BTreeMap<String, Property>,
}

impl Properties {
    /// The property `name`, or `name=value`.
    pub(super) fn find(&mut self, name: &str, value: Option<&str>) -> Result<Property, Kind> {
        let unknown = || {
            Kind::UnknownProperty(match value {
                None => quote(name),
                Some(value) => quote(&format!("{name}={}", quote(value))),
            })
        };
        // Binary properties are their own query; names of groups ask for the same two again and
        // again.
        if let (None, Some(property)) = (value, self.known.get(name)) {
            return Ok(property.clone());
        }
        let query = query(name, value).ok_or_else(unknown)?;
        if let Some(property) = self.known.get(&query) {
            return Ok(property.clone());
        }
        if let Some(missing) = MISSING.into_iter().find(|missing| query == *missing) {
            return Err(Kind::MissingTable(missing));
        }
        let ranges = ranges(&query).ok_or_else(unknown)?;
        let size = size::of_ranges(&ranges);
        let set = Set { id: self.known.len(), ranges, size };
        let property = Property { set: Arc::new(set), negated: false };
        self.known.insert(query, property.clone());
        Ok(property)
    }
}

/// The properties of ECMA-262 for which regex-syntax has no table.
const MISSING: [&str; 5] =
    ["Changes_When_NFKC_Casefolded", "sc=Unknown", "sc=Zzzz", "scx=Unknown", "scx=Zzzz"];

/// A property of ECMA-262 as a query of regex-syntax.
fn query(name: &str, value: Option<&str>) -> Option<String> {
    let category = |wanted: &str| {
        let (short, _) = CATEGORIES
            .iter()
            .find(|(short, long)| wanted == *short || long.split(' ').any(|n| n == wanted))?;
        Some(format!("gc={short}"))
    };
    match (name, value) {
        (_, None) => category(name).or_else(|| {
            let (long, _) = BINARY.iter().find(|(long, short)| name == *long || name == *short)?;
            Some((*long).to_owned())
        }),
        ("General_Category" | "gc", Some(value)) => category(value),
        ("Script" | "sc", Some(value)) => is_script_name(value).then(|| format!("sc={value}")),
        ("Script_Extensions" | "scx", Some(value)) => is_script_name(value).then(|| format!("scx={value}")),
        (_, Some(_)) => None,
    }
}

/// Scripts are many, and new ones come every year; so regex-syntax says which there are. It is
/// lenient about their spelling: we at least want capitals where Unicode has them.
fn is_script_name(name: &str) -> bool {
    name.len() <= 40
        && name.split('_').all(|word| {
            word.starts_with(|c: char| c.is_ascii_uppercase())
                && word.bytes().all(|b| b.is_ascii_alphabetic())
        })
}

/// The characters with a property. Surrogates have no table: there is nothing in it.
fn ranges(query: &str) -> Option<Vec<(char, char)>> {
    if query == "gc=Cs" {
        return Some(Vec::new());
    }
    let hir = regex_syntax::parse(&format!("\\p{{{query}}}")).ok()?;
    match hir.into_kind() {
        HirKind::Class(HirClass::Unicode(class)) => {
            Some(class.iter().map(|r| (r.start(), r.end())).collect())
        }
        // A property of a single character, if there is one.
        HirKind::Literal(literal) => {
            let c = std::str::from_utf8(&literal.0).ok()?.chars().next()?;
            Some(vec![(c, c)])
        }
        HirKind::Empty
        | HirKind::Class(HirClass::Bytes(_))
        | HirKind::Look(_)
        | HirKind::Repetition(_)
        | HirKind::Capture(_)
        | HirKind::Concat(_)
        | HirKind::Alternation(_) => None,
    }
}

/// General categories: the short name, then all long ones.
const CATEGORIES: &[(&str, &str)] = &[
    ("C", "Other"),
    ("Cc", "Control cntrl"),
    ("Cf", "Format"),
    ("Cn", "Unassigned"),
    ("Co", "Private_Use"),
    ("Cs", "Surrogate"),
    ("L", "Letter"),
    ("LC", "Cased_Letter"),
    ("Ll", "Lowercase_Letter"),
    ("Lm", "Modifier_Letter"),
    ("Lo", "Other_Letter"),
    ("Lt", "Titlecase_Letter"),
    ("Lu", "Uppercase_Letter"),
    ("M", "Mark Combining_Mark"),
    ("Mc", "Spacing_Mark"),
    ("Me", "Enclosing_Mark"),
    ("Mn", "Nonspacing_Mark"),
    ("N", "Number"),
    ("Nd", "Decimal_Number digit"),
    ("Nl", "Letter_Number"),
    ("No", "Other_Number"),
    ("P", "Punctuation punct"),
    ("Pc", "Connector_Punctuation"),
    ("Pd", "Dash_Punctuation"),
    ("Pe", "Close_Punctuation"),
    ("Pf", "Final_Punctuation"),
    ("Pi", "Initial_Punctuation"),
    ("Po", "Other_Punctuation"),
    ("Ps", "Open_Punctuation"),
    ("S", "Symbol"),
    ("Sc", "Currency_Symbol"),
    ("Sk", "Modifier_Symbol"),
    ("Sm", "Math_Symbol"),
    ("So", "Other_Symbol"),
    ("Z", "Separator"),
    ("Zl", "Line_Separator"),
    ("Zp", "Paragraph_Separator"),
    ("Zs", "Space_Separator"),
];

/// ECMA-262's table of binary properties: the name, and its alias or the name again.
const BINARY: &[(&str, &str)] = &[
    ("ASCII", "ASCII"),
    ("ASCII_Hex_Digit", "AHex"),
    ("Alphabetic", "Alpha"),
    ("Any", "Any"),
    ("Assigned", "Assigned"),
    ("Bidi_Control", "Bidi_C"),
    ("Bidi_Mirrored", "Bidi_M"),
    ("Case_Ignorable", "CI"),
    ("Cased", "Cased"),
    ("Changes_When_Casefolded", "CWCF"),
    ("Changes_When_Casemapped", "CWCM"),
    ("Changes_When_Lowercased", "CWL"),
    ("Changes_When_NFKC_Casefolded", "CWKCF"),
    ("Changes_When_Titlecased", "CWT"),
    ("Changes_When_Uppercased", "CWU"),
    ("Dash", "Dash"),
    ("Default_Ignorable_Code_Point", "DI"),
    ("Deprecated", "Dep"),
    ("Diacritic", "Dia"),
    ("Emoji", "Emoji"),
    ("Emoji_Component", "EComp"),
    ("Emoji_Modifier", "EMod"),
    ("Emoji_Modifier_Base", "EBase"),
    ("Emoji_Presentation", "EPres"),
    ("Extended_Pictographic", "ExtPict"),
    ("Extender", "Ext"),
    ("Grapheme_Base", "Gr_Base"),
    ("Grapheme_Extend", "Gr_Ext"),
    ("Hex_Digit", "Hex"),
    ("IDS_Binary_Operator", "IDSB"),
    ("IDS_Trinary_Operator", "IDST"),
    ("ID_Continue", "IDC"),
    ("ID_Start", "IDS"),
    ("Ideographic", "Ideo"),
    ("Join_Control", "Join_C"),
    ("Logical_Order_Exception", "LOE"),
    ("Lowercase", "Lower"),
    ("Math", "Math"),
    ("Noncharacter_Code_Point", "NChar"),
    ("Pattern_Syntax", "Pat_Syn"),
    ("Pattern_White_Space", "Pat_WS"),
    ("Quotation_Mark", "QMark"),
    ("Radical", "Radical"),
    ("Regional_Indicator", "RI"),
    ("Sentence_Terminal", "STerm"),
    ("Soft_Dotted", "SD"),
    ("Terminal_Punctuation", "Term"),
    ("Unified_Ideograph", "UIdeo"),
    ("Uppercase", "Upper"),
    ("Variation_Selector", "VS"),
    ("White_Space", "space"),
    ("XID_Continue", "XIDC"),
    ("XID_Start", "XIDS"),
];
