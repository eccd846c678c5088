//! Profiles by SDK: the behavior of each where the specification leaves a choice, or where it
//! differs.
//!
//! The README of this crate shows them side by side, and a test has a line for each cell of that table.

use super::{MissingType, Profile, Told, Words};
use crate::bounds::Counting;
use crate::content::{Mirror, MirrorNumbers};
use crate::legacy::Wrapping;
use stanchion::Dialect;

/// An SDK whose behavior a profile can reproduce.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sdk {
    /// TypeScript 2.4
    TypeScript,
    /// Python 2.3
    Python,
    /// Ruby 1.3
    Ruby,
    /// C# 2.2
    CSharp,
    /// Java 2.1
    Java,
    /// Go 1.7
    Go,
}

impl Sdk {
    /// All SDKs.
    pub const ALL: [Sdk; 6] = [Sdk::TypeScript, Sdk::Python, Sdk::Ruby, Sdk::CSharp, Sdk::Java, Sdk::Go];

    /// Returns its name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Sdk::TypeScript => "typescript",
            Sdk::Python => "python",
            Sdk::Ruby => "ruby",
            Sdk::CSharp => "csharp",
            Sdk::Java => "java",
            Sdk::Go => "go",
        }
    }

    /// Returns the profile with the behavior of this SDK.
    pub fn profile(self) -> Profile {
        match self {
            Sdk::TypeScript => Profile::typescript(),
            Sdk::Python => Profile::python(),
            Sdk::Ruby => Profile::ruby(),
            Sdk::CSharp => Profile::csharp(),
            Sdk::Java => Profile::java(),
            Sdk::Go => Profile::go(),
        }
    }
}

impl Profile {
    /// Returns the behavior of the TypeScript SDK 2.4: formats are asserted, draft-04 and unknown
    /// dialects are refused in its words, an input schema without `type` is that of an object,
    /// numbers in mirrors are written as in JavaScript.
    pub fn typescript() -> Profile {
        Profile::default()
            .missing_type(MissingType::Object)
            .assert_formats(true)
            .refuse_dialect(Dialect::Draft04)
            .wrapping(Wrapping::TypeScript)
            .mirror_numbers(MirrorNumbers::JavaScript)
            .words(Words::TypeScript)
    }

    /// Returns the behavior of the Python SDK 2.3: `null` counts as missing, only the best error is
    /// reported, unknown dialects are read as 2020-12.
    pub fn python() -> Profile {
        Profile::default()
            .unknown_dialect(Dialect::Draft202012)
            .null_is_missing(true)
            .told(Told::Best)
            .mirror(Mirror::All)
            .words(Words::Python)
    }

    /// Returns the behavior of the Ruby SDK 1.3: `$schema` at the root is ignored; a root without
    /// `type` is that of an object, also in output schemas; every object counts as a subschema;
    /// `null` has no mirror and counts as missing arguments.
    pub fn ruby() -> Profile {
        Profile::default()
            .missing_type(MissingType::Object)
            .shorthand_output(true)
            .ignore_dialect(true)
            .counting(Counting::Ruby)
            .mirror(Mirror::NonObjectsUnlessContent)
            .null_is_missing(true)
            .null_arguments(true)
            .words(Words::Ruby)
    }

    /// Returns the behavior of the C# SDK 2.2: a nullable object is an object for older clients,
    /// `$schema` is not repeated in the envelope, and there is no mirror.
    pub fn csharp() -> Profile {
        Profile::default().wrapping(Wrapping::CSharp).mirror(Mirror::Never)
    }

    /// Returns the behavior of the Java SDK 2.1: unknown dialects are read as 2020-12, and errors
    /// begin with its words.
    pub fn java() -> Profile {
        Profile::default()
            .unknown_dialect(Dialect::Draft202012)
            .null_is_missing(true)
            .mirror(Mirror::All)
            .words(Words::Java)
    }

    /// Returns the behavior of the Go SDK 1.7: `null` arguments are `{}`, structured content of any
    /// kind is mirrored if there is no content, and only the first error is reported, with `want`.
    pub fn go() -> Profile {
        Profile::default()
            .null_arguments(true)
            .mirror(Mirror::UnlessContent)
            .told(Told::Best)
            .words(Words::Go)
    }
}
