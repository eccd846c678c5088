//! The keywords, a file for each family: how it compiles, how it runs, and what its error says.
//!
//! [`compiler`] is the table. The order of running is that of [`Keyword`]: cheap assertions before
//! applicators, and `unevaluated…` behind all that evaluates. Where a dialect gives a keyword another
//! meaning, it has a compile function of its own, onto the same instructions.

pub(crate) mod annotation;
pub(crate) mod apply;
pub(crate) mod array;
pub(crate) mod condition;
pub(crate) mod contains;
pub(crate) mod content;
pub(crate) mod core;
pub(crate) mod dependent;
pub(crate) mod equality;
pub(crate) mod format;
pub(crate) mod items;
pub(crate) mod logic;
pub(crate) mod members;
pub(crate) mod number;
pub(crate) mod object;
pub(crate) mod properties;
pub(crate) mod property_names;
pub(crate) mod reference;
pub(crate) mod string;
pub(crate) mod types;
pub(crate) mod unevaluated;

use crate::compile::{Builder, Site};
use crate::error::{ErrorKind, SchemaError};
use crate::explain::{Detail, Excerpt, Walker};
use crate::instance::Node;
use crate::limits::Stopped;
use crate::program::{Assertion, BlockId, Bound, Id, Program};
use stanchion_vocab::{Dialect, Keyword, Type};

/// Checks a keyword's value and emits its instructions.
pub(crate) type Compile = fn(&mut Builder<'_>, &Site<'_>) -> Result<(), SchemaError>;

/// The compile function of a keyword in a dialect that has it.
pub(crate) fn compiler(keyword: Keyword, dialect: Dialect) -> Compile {
    use Dialect::{Draft04, Draft06, Draft201909};
    match (keyword, dialect) {
        (Keyword::Schema, _) => core::text,
        (Keyword::Id, Dialect::Draft201909 | Dialect::Draft202012) => core::id,
        (Keyword::Id | Keyword::LegacyId, _) => core::text,
        (Keyword::Anchor, Draft201909) => core::anchor_2019,
        (Keyword::Anchor | Keyword::DynamicAnchor | Keyword::RecursiveAnchor, Dialect::Draft202012) => {
            core::anchor
        }
        (Keyword::Anchor | Keyword::DynamicAnchor, _) => core::anchor,
        (Keyword::RecursiveAnchor, _) => core::flag,
        (Keyword::Vocabulary, _) => core::vocabulary,
        (Keyword::Comment, _) => core::text,
        (Keyword::Defs | Keyword::Definitions, _) => core::definitions,

        (Keyword::Type, Draft04) => types::compile_as_written,
        (Keyword::Type, _) => types::compile,
        (Keyword::Const, _) => equality::compile_const,
        (Keyword::Enum, Draft04 | Draft06) => equality::compile_enum_of_distinct,
        (Keyword::Enum, _) => equality::compile_enum,
        (Keyword::MultipleOf, _) => number::compile_multiple_of,
        (Keyword::Maximum, Draft04) => number::compile_maximum_with_flag,
        (Keyword::Maximum, _) => number::compile_maximum,
        (Keyword::ExclusiveMaximum, Draft04) => number::compile_maximum_flag,
        (Keyword::ExclusiveMaximum, _) => number::compile_exclusive_maximum,
        (Keyword::Minimum, Draft04) => number::compile_minimum_with_flag,
        (Keyword::Minimum, _) => number::compile_minimum,
        (Keyword::ExclusiveMinimum, Draft04) => number::compile_minimum_flag,
        (Keyword::ExclusiveMinimum, _) => number::compile_exclusive_minimum,
        (Keyword::MaxLength, _) => string::compile_max_length,
        (Keyword::MinLength, _) => string::compile_min_length,
        (Keyword::Pattern, _) => string::compile_pattern,
        (Keyword::MaxItems, _) => array::compile_max_items,
        (Keyword::MinItems, _) => array::compile_min_items,
        (Keyword::UniqueItems, _) => array::compile_unique_items,
        (Keyword::MaxContains | Keyword::MinContains, _) => contains::compile_bound,
        (Keyword::MaxProperties, _) => object::compile_max_properties,
        (Keyword::MinProperties, _) => object::compile_min_properties,
        (Keyword::Required, Draft04) => object::compile_required_not_empty,
        (Keyword::Required, _) => object::compile_required,
        (Keyword::DependentRequired, _) => dependent::compile_required,
        (Keyword::Format, _) => format::compile,

        (Keyword::Ref, Draft04) => reference::compile_if_text,
        (Keyword::Ref, _) => reference::compile,
        (Keyword::DynamicRef, _) => reference::compile_dynamic,
        (Keyword::RecursiveRef, Draft201909) => reference::compile_recursive,
        (Keyword::RecursiveRef, _) => core::text,
        (Keyword::AllOf, _) => logic::compile_all_of,
        (Keyword::AnyOf, _) => logic::compile_any_of,
        (Keyword::OneOf, _) => logic::compile_one_of,
        (Keyword::Not, _) => logic::compile_not,
        (Keyword::If, _) => condition::compile,
        (Keyword::Then | Keyword::Else, _) => condition::compile_branch,
        (Keyword::DependentSchemas, _) => dependent::compile_schemas,
        (Keyword::Dependencies, Draft04) => dependent::compile_mixed_not_empty,
        (Keyword::Dependencies, _) => dependent::compile_mixed,
        (Keyword::PrefixItems, _) => items::compile_prefix,
        (Keyword::Items, Dialect::Draft202012) => items::compile,
        (Keyword::Items, Draft04 | Draft06 | Dialect::Draft07 | Draft201909) => items::compile_one_or_list,
        (Keyword::AdditionalItems, _) => items::compile_additional,
        (Keyword::Contains, Dialect::Draft202012) => contains::compile,
        (Keyword::Contains, _) => contains::compile_without_marks,
        (Keyword::Properties, _) => properties::compile_named,
        (Keyword::PatternProperties, _) => properties::compile_patterned,
        (Keyword::AdditionalProperties, _) => properties::compile_additional,
        (Keyword::PropertyNames, _) => property_names::compile,
        (Keyword::UnevaluatedItems, _) => unevaluated::compile_items,
        (Keyword::UnevaluatedProperties, _) => unevaluated::compile_properties,

        (Keyword::ContentEncoding, Dialect::Draft07) => content::compile_asserted_encoding,
        (Keyword::ContentMediaType, Dialect::Draft07) => content::compile_asserted_media_type,
        (Keyword::ContentEncoding | Keyword::ContentMediaType, _) => content::compile_text,
        (Keyword::ContentSchema, _) => content::compile_schema,
        (Keyword::Title | Keyword::Description, _) => annotation::text,
        (Keyword::Default, _) => annotation::any,
        (Keyword::Deprecated | Keyword::ReadOnly | Keyword::WriteOnly, _) => annotation::flag,
        (Keyword::Examples, _) => annotation::list,
    }
}

/// Finds the facts that the error of an assertion has besides the value. It runs while the instance is at hand.
pub(crate) fn failure_detail<'a, N: Node<'a>>(
    walker: &mut Walker<'_>,
    block: BlockId,
    assertion: Assertion,
    node: N,
) -> Result<Detail, Stopped> {
    let program = walker.program;
    Ok(match assertion {
        Assertion::Type(expected) => Detail::Type(node.view().kind(), walker.advise(block, expected, node)?),
        Assertion::TypeAsWritten(expected) => {
            Detail::Type(types::kind_as_written(node), walker.advise(block, expected, node)?)
        }
        Assertion::IsOneOf(id) => {
            Detail::Meant(equality::probably_meant(program, &mut walker.suggestions, id, node))
        }
        Assertion::LengthAtLeast(_) | Assertion::LengthAtMost(_) => {
            Detail::Length(string::length(walker.ask.budget(), node)?)
        }
        Assertion::UniqueItems => {
            let (first, second) = array::equal_items(program, walker.ask.budget(), node)?;
            Detail::Equal(first, second)
        }
        Assertion::Required(id) => {
            Detail::Missing(Box::new(walker.missing(block, &program.names[id], node)?))
        }
        Assertion::DependentRequired(id) => {
            let missing = dependent::missing_names(program, walker.ask.budget(), id, node)?;
            Detail::MissingFor(Box::new(missing))
        }
        Assertion::Never
        | Assertion::Equals(_)
        | Assertion::AtLeast(_)
        | Assertion::AtMost(_)
        | Assertion::Above(_)
        | Assertion::Below(_)
        | Assertion::MultipleOf(_)
        | Assertion::Matches(_)
        | Assertion::HasFormat(_)
        | Assertion::HasContent(_)
        | Assertion::ItemsAtLeast(_)
        | Assertion::ItemsAtMost(_)
        | Assertion::MembersAtLeast(_)
        | Assertion::MembersAtMost(_) => Detail::None,
    })
}

/// The facts of an assertion's error: what the schema says, and what was found.
pub(crate) fn error_kind(
    program: &Program,
    assertion: Assertion,
    value: &Excerpt,
    detail: &Detail,
) -> ErrorKind {
    let bound = |id: Id<Bound>| program.numbers[id].to_string();
    let found = || value.to_string();
    let count = if let Detail::Length(length) = detail { *length } else { value.count() };
    match assertion {
        Assertion::Never => ErrorKind::Never { name: None },
        Assertion::Type(expected) | Assertion::TypeAsWritten(expected) => {
            let kind = if let Detail::Type(kind, _) = detail { *kind } else { Type::Null };
            ErrorKind::Type { expected, found: kind, value: found() }
        }
        Assertion::Equals(id) => ErrorKind::Const { found: found(), expected: program.constants[id].clone() },
        Assertion::IsOneOf(id) => {
            let values = &program.enumerations[id];
            let meant = if let Detail::Meant(meant) = detail { *meant } else { None };
            let suggestion = meant.map(|place| values.texts.get(place as usize).to_owned());
            ErrorKind::Enum { found: found(), expected: values.listed().to_vec(), suggestion }
        }
        Assertion::AtLeast(id) => ErrorKind::Minimum { limit: bound(id), found: found() },
        Assertion::AtMost(id) => ErrorKind::Maximum { limit: bound(id), found: found() },
        Assertion::Above(id) => ErrorKind::ExclusiveMinimum { limit: bound(id), found: found() },
        Assertion::Below(id) => ErrorKind::ExclusiveMaximum { limit: bound(id), found: found() },
        Assertion::MultipleOf(id) => {
            ErrorKind::MultipleOf { divisor: program.multiples[id].number.to_string(), found: found() }
        }
        Assertion::LengthAtLeast(id) => {
            ErrorKind::MinLength { limit: program.counts[id], found: count, value: found() }
        }
        Assertion::LengthAtMost(id) => {
            ErrorKind::MaxLength { limit: program.counts[id], found: count, value: found() }
        }
        Assertion::Matches(id) => {
            ErrorKind::Pattern { pattern: program.patterns[id].source().to_owned(), found: found() }
        }
        Assertion::HasFormat(id) => {
            ErrorKind::Format { format: program.formats[id].name.to_string(), found: found() }
        }
        Assertion::HasContent(content) => {
            ErrorKind::Content { expected: if content.json { "application/json" } else { "base64" } }
        }
        Assertion::ItemsAtLeast(id) => ErrorKind::MinItems { limit: program.counts[id], found: count },
        Assertion::ItemsAtMost(id) => ErrorKind::MaxItems { limit: program.counts[id], found: count },
        Assertion::UniqueItems => {
            let equal = if let Detail::Equal(first, second) = detail { (*first, *second) } else { (0, 0) };
            ErrorKind::UniqueItems { equal }
        }
        Assertion::MembersAtLeast(id) => ErrorKind::MinProperties { limit: program.counts[id], found: count },
        Assertion::MembersAtMost(id) => ErrorKind::MaxProperties { limit: program.counts[id], found: count },
        Assertion::Required(id) => {
            let (mut places, mut misspelt): (&[u32], _) = (&[], Vec::new());
            if let Detail::Missing(missing) = detail {
                (places, misspelt) = (&missing.places, missing.misspelt.clone());
            }
            ErrorKind::Required { missing: object::named(&program.names[id], places), misspelt }
        }
        Assertion::DependentRequired(id) => dependent::error_kind(&program.dependent_names[id], detail),
    }
}
