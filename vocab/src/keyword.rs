//! The keyword table: each keyword's name, vocabulary, dialects, and where its subschemas are.
//!
//! A keyword is a row here and a file in the engine. Names are looked up once, when a schema is
//! read; from then on a keyword is a byte.

use crate::dialect::{Dialect, Vocabulary};

/// Places of the subschemas in a keyword's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subschemas {
    /// There are none.
    None,
    /// The value is a subschema.
    One,
    /// The value is an array of subschemas.
    List,
    /// The value is an object whose members are subschemas.
    Map,
    /// The value is a subschema, or an array of them.
    OneOrList,
    /// The value is an object whose members are subschemas or arrays of names.
    MapOrNames,
}

/// A keyword's row in the table.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The name, as written in a schema.
    pub name: &'static str,
    /// The vocabulary that switches it on.
    pub vocabulary: Vocabulary,
    /// Where the value holds subschemas.
    pub subschemas: Subschemas,
    /// The first dialect that has it.
    pub since: Dialect,
    /// The last dialect that has it.
    pub until: Dialect,
}

/// A keyword of some dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Keyword {
    /// `$schema`: the dialect
    Schema,
    /// `$id`: the URI of a resource
    Id,
    /// `id`: the URI of a resource, in draft-04
    LegacyId,
    /// `$anchor`: a name for a place
    Anchor,
    /// `$dynamicAnchor`: a name that `$dynamicRef` can find by dynamic scope
    DynamicAnchor,
    /// `$recursiveAnchor`: 2019-09's one dynamic anchor
    RecursiveAnchor,
    /// `$vocabulary`: what a metaschema switches on
    Vocabulary,
    /// `$comment`: for readers of the schema
    Comment,
    /// `$defs`: subschemas to refer to
    Defs,
    /// `definitions`: subschemas to refer to, before 2019-09
    Definitions,
    /// `type`: one of some types
    Type,
    /// `const`: equal to a value
    Const,
    /// `enum`: equal to one of some values
    Enum,
    /// `multipleOf`: a multiple of a number
    MultipleOf,
    /// `maximum`: at most a number
    Maximum,
    /// `exclusiveMaximum`: less than a number
    ExclusiveMaximum,
    /// `minimum`: at least a number
    Minimum,
    /// `exclusiveMinimum`: more than a number
    ExclusiveMinimum,
    /// `maxLength`: upper bound for the number of code points
    MaxLength,
    /// `minLength`: lower bound for the number of code points
    MinLength,
    /// `pattern`: text that matches
    Pattern,
    /// `maxItems`: upper bound for the number of items
    MaxItems,
    /// `minItems`: lower bound for the number of items
    MinItems,
    /// `uniqueItems`: no two items equal
    UniqueItems,
    /// `maxContains`: upper bound for the number of items that `contains` accepts
    MaxContains,
    /// `minContains`: lower bound for the number of items that `contains` accepts
    MinContains,
    /// `maxProperties`: upper bound for the number of members
    MaxProperties,
    /// `minProperties`: lower bound for the number of members
    MinProperties,
    /// `required`: members that must be there
    Required,
    /// `dependentRequired`: members that must be there if another is
    DependentRequired,
    /// `format`: the kind of text, such as a date
    Format,
    /// `$ref`: applies another subschema
    Ref,
    /// `$dynamicRef`: applies the subschema that the dynamic scope chooses
    DynamicRef,
    /// `$recursiveRef`: 2019-09's dynamic reference
    RecursiveRef,
    /// `allOf`: all of some subschemas
    AllOf,
    /// `anyOf`: at least one of some subschemas
    AnyOf,
    /// `oneOf`: exactly one of some subschemas
    OneOf,
    /// `not`: a subschema that must not hold
    Not,
    /// `if`: the condition of `then` and `else`
    If,
    /// `then`: a subschema for instances that `if` accepts
    Then,
    /// `else`: a subschema for instances that `if` rejects
    Else,
    /// `dependentSchemas`: a subschema for the object if a member is there
    DependentSchemas,
    /// `dependencies`: `dependentSchemas` and `dependentRequired` in one, before 2019-09
    Dependencies,
    /// `prefixItems`: a subschema for each of the first items
    PrefixItems,
    /// `items`: a subschema for the items (a list of them before 2020-12)
    Items,
    /// `additionalItems`: a subschema for the items after a list in `items`
    AdditionalItems,
    /// `contains`: a subschema that some item must satisfy
    Contains,
    /// `properties`: subschemas for members by name
    Properties,
    /// `patternProperties`: subschemas for members by pattern
    PatternProperties,
    /// `additionalProperties`: a subschema for all other members
    AdditionalProperties,
    /// `propertyNames`: a subschema for the names of members
    PropertyNames,
    /// `unevaluatedItems`: a subschema for items that no other keyword evaluated
    UnevaluatedItems,
    /// `unevaluatedProperties`: a subschema for members that no other keyword evaluated
    UnevaluatedProperties,
    /// `contentEncoding`: how the text encodes bytes
    ContentEncoding,
    /// `contentMediaType`: what the text holds
    ContentMediaType,
    /// `contentSchema`: a subschema for what the text holds; never applied
    ContentSchema,
    /// `title`: a short name for readers
    Title,
    /// `description`: a text for readers
    Description,
    /// `default`: a value to assume
    Default,
    /// `deprecated`: not to be used any more
    Deprecated,
    /// `readOnly`: set by the owner alone
    ReadOnly,
    /// `writeOnly`: never read back
    WriteOnly,
    /// `examples`: values for readers
    Examples,
}

use Dialect::{Draft04, Draft06, Draft07, Draft201909, Draft202012};
use Subschemas::{List, Map, MapOrNames, None as Nowhere, One};
use Vocabulary::{Applicator, Content, Core, FormatAnnotation, MetaData, Unevaluated, Validation};

const fn row(
    name: &'static str,
    vocabulary: Vocabulary,
    subschemas: Subschemas,
    since: Dialect,
    until: Dialect,
) -> Row {
    Row { name, vocabulary, subschemas, since, until }
}

/// The rows, in the order of [`Keyword`].
#[rustfmt::skip]
const ROWS: [Row; Keyword::ALL.len()] = [
    row("$schema", Core, Nowhere, Draft04, Draft202012),
    row("$id", Core, Nowhere, Draft06, Draft202012),
    row("id", Core, Nowhere, Draft04, Draft04),
    row("$anchor", Core, Nowhere, Draft201909, Draft202012),
    row("$dynamicAnchor", Core, Nowhere, Draft202012, Draft202012),
    row("$recursiveAnchor", Core, Nowhere, Draft201909, Draft202012),
    row("$vocabulary", Core, Nowhere, Draft201909, Draft202012),
    row("$comment", Core, Nowhere, Draft07, Draft202012),
    row("$defs", Core, Map, Draft201909, Draft202012),
    row("definitions", Core, Map, Draft04, Draft202012),
    row("type", Validation, Nowhere, Draft04, Draft202012),
    row("const", Validation, Nowhere, Draft06, Draft202012),
    row("enum", Validation, Nowhere, Draft04, Draft202012),
    row("multipleOf", Validation, Nowhere, Draft04, Draft202012),
    row("maximum", Validation, Nowhere, Draft04, Draft202012),
    row("exclusiveMaximum", Validation, Nowhere, Draft04, Draft202012),
    row("minimum", Validation, Nowhere, Draft04, Draft202012),
    row("exclusiveMinimum", Validation, Nowhere, Draft04, Draft202012),
    row("maxLength", Validation, Nowhere, Draft04, Draft202012),
    row("minLength", Validation, Nowhere, Draft04, Draft202012),
    row("pattern", Validation, Nowhere, Draft04, Draft202012),
    row("maxItems", Validation, Nowhere, Draft04, Draft202012),
    row("minItems", Validation, Nowhere, Draft04, Draft202012),
    row("uniqueItems", Validation, Nowhere, Draft04, Draft202012),
    row("maxContains", Validation, Nowhere, Draft201909, Draft202012),
    row("minContains", Validation, Nowhere, Draft201909, Draft202012),
    row("maxProperties", Validation, Nowhere, Draft04, Draft202012),
    row("minProperties", Validation, Nowhere, Draft04, Draft202012),
    row("required", Validation, Nowhere, Draft04, Draft202012),
    row("dependentRequired", Validation, Nowhere, Draft201909, Draft202012),
    row("format", FormatAnnotation, Nowhere, Draft04, Draft202012),
    row("$ref", Core, Nowhere, Draft04, Draft202012),
    row("$dynamicRef", Core, Nowhere, Draft202012, Draft202012),
    row("$recursiveRef", Core, Nowhere, Draft201909, Draft202012),
    row("allOf", Applicator, List, Draft04, Draft202012),
    row("anyOf", Applicator, List, Draft04, Draft202012),
    row("oneOf", Applicator, List, Draft04, Draft202012),
    row("not", Applicator, One, Draft04, Draft202012),
    row("if", Applicator, One, Draft07, Draft202012),
    row("then", Applicator, One, Draft07, Draft202012),
    row("else", Applicator, One, Draft07, Draft202012),
    row("dependentSchemas", Applicator, Map, Draft201909, Draft202012),
    row("dependencies", Applicator, MapOrNames, Draft04, Draft202012),
    row("prefixItems", Applicator, List, Draft202012, Draft202012),
    row("items", Applicator, One, Draft04, Draft202012),
    row("additionalItems", Applicator, One, Draft04, Draft201909),
    row("contains", Applicator, One, Draft06, Draft202012),
    row("properties", Applicator, Map, Draft04, Draft202012),
    row("patternProperties", Applicator, Map, Draft04, Draft202012),
    row("additionalProperties", Applicator, One, Draft04, Draft202012),
    row("propertyNames", Applicator, One, Draft06, Draft202012),
    row("unevaluatedItems", Unevaluated, One, Draft201909, Draft202012),
    row("unevaluatedProperties", Unevaluated, One, Draft201909, Draft202012),
    row("contentEncoding", Content, Nowhere, Draft07, Draft202012),
    row("contentMediaType", Content, Nowhere, Draft07, Draft202012),
    row("contentSchema", Content, One, Draft201909, Draft202012),
    row("title", MetaData, Nowhere, Draft04, Draft202012),
    row("description", MetaData, Nowhere, Draft04, Draft202012),
    row("default", MetaData, Nowhere, Draft04, Draft202012),
    row("deprecated", MetaData, Nowhere, Draft201909, Draft202012),
    row("readOnly", MetaData, Nowhere, Draft07, Draft202012),
    row("writeOnly", MetaData, Nowhere, Draft07, Draft202012),
    row("examples", MetaData, Nowhere, Draft06, Draft202012),
];

impl Keyword {
    /// Every keyword, in the order of the table.
    #[rustfmt::skip]
    pub const ALL: [Keyword; 63] = [
        Keyword::Schema, Keyword::Id, Keyword::LegacyId, Keyword::Anchor, Keyword::DynamicAnchor,
        Keyword::RecursiveAnchor, Keyword::Vocabulary, Keyword::Comment, Keyword::Defs,
        Keyword::Definitions, Keyword::Type, Keyword::Const, Keyword::Enum, Keyword::MultipleOf,
        Keyword::Maximum, Keyword::ExclusiveMaximum, Keyword::Minimum, Keyword::ExclusiveMinimum,
        Keyword::MaxLength, Keyword::MinLength, Keyword::Pattern, Keyword::MaxItems,
        Keyword::MinItems, Keyword::UniqueItems, Keyword::MaxContains, Keyword::MinContains,
        Keyword::MaxProperties, Keyword::MinProperties, Keyword::Required, Keyword::DependentRequired,
        Keyword::Format, Keyword::Ref, Keyword::DynamicRef, Keyword::RecursiveRef,
        Keyword::AllOf, Keyword::AnyOf, Keyword::OneOf, Keyword::Not, Keyword::If,
        Keyword::Then, Keyword::Else, Keyword::DependentSchemas, Keyword::Dependencies,
        Keyword::PrefixItems, Keyword::Items, Keyword::AdditionalItems, Keyword::Contains,
        Keyword::Properties, Keyword::PatternProperties, Keyword::AdditionalProperties,
        Keyword::PropertyNames, Keyword::UnevaluatedItems, Keyword::UnevaluatedProperties,
        Keyword::ContentEncoding, Keyword::ContentMediaType, Keyword::ContentSchema,
        Keyword::Title, Keyword::Description, Keyword::Default, Keyword::Deprecated,
        Keyword::ReadOnly, Keyword::WriteOnly, Keyword::Examples,
    ];

    /// Returns the keyword of this name, in any dialect.
    #[rustfmt::skip]
    pub fn from_name(name: &str) -> Option<Keyword> {
        // By length first: the compiler turns each inner match into a few comparisons of words.
        Some(match name.len() {
            2 => match name {
                "id" => Keyword::LegacyId,
                "if" => Keyword::If,
                _ => return None,
            },
            3 => match name {
                "$id" => Keyword::Id,
                "not" => Keyword::Not,
                _ => return None,
            },
            4 => match name {
                "type" => Keyword::Type,
                "enum" => Keyword::Enum,
                "$ref" => Keyword::Ref,
                "then" => Keyword::Then,
                "else" => Keyword::Else,
                _ => return None,
            },
            5 => match name {
                "$defs" => Keyword::Defs,
                "const" => Keyword::Const,
                "allOf" => Keyword::AllOf,
                "anyOf" => Keyword::AnyOf,
                "oneOf" => Keyword::OneOf,
                "items" => Keyword::Items,
                "title" => Keyword::Title,
                _ => return None,
            },
            6 => match name {
                "format" => Keyword::Format,
                _ => return None,
            },
            7 => match name {
                "$schema" => Keyword::Schema,
                "$anchor" => Keyword::Anchor,
                "maximum" => Keyword::Maximum,
                "minimum" => Keyword::Minimum,
                "pattern" => Keyword::Pattern,
                "default" => Keyword::Default,
                _ => return None,
            },
            8 => match name {
                "$comment" => Keyword::Comment,
                "maxItems" => Keyword::MaxItems,
                "minItems" => Keyword::MinItems,
                "required" => Keyword::Required,
                "contains" => Keyword::Contains,
                "readOnly" => Keyword::ReadOnly,
                "examples" => Keyword::Examples,
                _ => return None,
            },
            9 => match name {
                "maxLength" => Keyword::MaxLength,
                "minLength" => Keyword::MinLength,
                "writeOnly" => Keyword::WriteOnly,
                _ => return None,
            },
            10 => match name {
                "multipleOf" => Keyword::MultipleOf,
                "properties" => Keyword::Properties,
                "deprecated" => Keyword::Deprecated,
                _ => return None,
            },
            11 => match name {
                "$vocabulary" => Keyword::Vocabulary,
                "definitions" => Keyword::Definitions,
                "uniqueItems" => Keyword::UniqueItems,
                "maxContains" => Keyword::MaxContains,
                "minContains" => Keyword::MinContains,
                "$dynamicRef" => Keyword::DynamicRef,
                "prefixItems" => Keyword::PrefixItems,
                "description" => Keyword::Description,
                _ => return None,
            },
            12 => match name {
                "dependencies" => Keyword::Dependencies,
                _ => return None,
            },
            13 => match name {
                "maxProperties" => Keyword::MaxProperties,
                "minProperties" => Keyword::MinProperties,
                "$recursiveRef" => Keyword::RecursiveRef,
                "propertyNames" => Keyword::PropertyNames,
                "contentSchema" => Keyword::ContentSchema,
                _ => return None,
            },
            14 => match name {
                "$dynamicAnchor" => Keyword::DynamicAnchor,
                _ => return None,
            },
            15 => match name {
                "additionalItems" => Keyword::AdditionalItems,
                "contentEncoding" => Keyword::ContentEncoding,
                _ => return None,
            },
            16 => match name {
                "$recursiveAnchor" => Keyword::RecursiveAnchor,
                "exclusiveMaximum" => Keyword::ExclusiveMaximum,
                "exclusiveMinimum" => Keyword::ExclusiveMinimum,
                "dependentSchemas" => Keyword::DependentSchemas,
                "unevaluatedItems" => Keyword::UnevaluatedItems,
                "contentMediaType" => Keyword::ContentMediaType,
                _ => return None,
            },
            17 => match name {
                "dependentRequired" => Keyword::DependentRequired,
                "patternProperties" => Keyword::PatternProperties,
                _ => return None,
            },
            20 => match name {
                "additionalProperties" => Keyword::AdditionalProperties,
                _ => return None,
            },
            21 => match name {
                "unevaluatedProperties" => Keyword::UnevaluatedProperties,
                _ => return None,
            },
            _ => return None,
        })
    }

    /// Returns the keyword's row of the table.
    pub const fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }

    /// Returns the name, as written in a schema.
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// Returns the vocabulary that switches the keyword on.
    pub const fn vocabulary(self) -> Vocabulary {
        self.row().vocabulary
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_go_both_ways() {
        for keyword in Keyword::ALL {
            assert_eq!(Keyword::from_name(keyword.name()), Some(keyword));
        }
        assert_eq!(Keyword::from_name("requried"), None);
        assert_eq!(Keyword::from_name(""), None);
    }

    #[test]
    fn rows_are_in_the_order_of_the_enum() {
        for (index, keyword) in Keyword::ALL.into_iter().enumerate() {
            assert_eq!(keyword as usize, index);
        }
    }
}
