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
use crate::error::SchemaError;
use stanchion_vocab::{Dialect, Keyword};

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
