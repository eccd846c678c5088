//! The metaschemas, by URI.
//!
//! References such as `{"$ref": "https://json-schema.org/draft/2020-12/schema"}` need them, and
//! tests use them as an oracle. The engine does not validate schemas with them: its compile
//! functions enforce the same rules, and a test compares the two.

/// A metaschema: its URI without a fragment, and its text.
#[derive(Clone, Copy, Debug)]
pub struct Metaschema {
    /// The URI that names it, without a fragment.
    pub uri: &'static str,
    /// JSON text.
    pub text: &'static str,
}

/// Every metaschema that we know, those of the vocabularies included.
pub const ALL: &[Metaschema] = &[
    Metaschema {
        uri: "https://json-schema.org/draft/2020-12/schema",
        text: include_str!("../metaschemas/draft2020-12/schema.json"),
    },
    Metaschema {
        uri: "https://json-schema.org/draft/2020-12/meta/core",
        text: include_str!("../metaschemas/draft2020-12/meta/core.json"),
    },
    Metaschema {
        uri: "https://json-schema.org/draft/2020-12/meta/applicator",
        text: include_str!("../metaschemas/draft2020-12/meta/applicator.json"),
    },
    Metaschema {
        uri: "https://json-schema.org/draft/2020-12/meta/unevaluated",
        text: include_str!("../metaschemas/draft2020-12/meta/unevaluated.json"),
    },
    Metaschema {
        uri: "https://json-schema.org/draft/2020-12/meta/validation",
        text: include_str!("../metaschemas/draft2020-12/meta/validation.json"),
    },
    Metaschema {
        uri: "https://json-schema.org/draft/2020-12/meta/meta-data",
        text: include_str!("../metaschemas/draft2020-12/meta/meta-data.json"),
    },
    Metaschema {
        uri: "https://json-schema.org/draft/2020-12/meta/format-annotation",
        text: include_str!("../metaschemas/draft2020-12/meta/format-annotation.json"),
    },
    Metaschema {
        uri: "https://json-schema.org/draft/2020-12/meta/format-assertion",
        text: include_str!("../metaschemas/draft2020-12/meta/format-assertion.json"),
    },
    Metaschema {
        uri: "https://json-schema.org/draft/2020-12/meta/content",
        text: include_str!("../metaschemas/draft2020-12/meta/content.json"),
    },
    Metaschema {
        uri: "https://json-schema.org/draft/2019-09/schema",
        text: include_str!("../metaschemas/draft2019-09/schema.json"),
    },
    Metaschema {
        uri: "https://json-schema.org/draft/2019-09/meta/core",
        text: include_str!("../metaschemas/draft2019-09/meta/core.json"),
    },
    Metaschema {
        uri: "https://json-schema.org/draft/2019-09/meta/applicator",
        text: include_str!("../metaschemas/draft2019-09/meta/applicator.json"),
    },
    Metaschema {
        uri: "https://json-schema.org/draft/2019-09/meta/validation",
        text: include_str!("../metaschemas/draft2019-09/meta/validation.json"),
    },
    Metaschema {
        uri: "https://json-schema.org/draft/2019-09/meta/meta-data",
        text: include_str!("../metaschemas/draft2019-09/meta/meta-data.json"),
    },
    Metaschema {
        uri: "https://json-schema.org/draft/2019-09/meta/format",
        text: include_str!("../metaschemas/draft2019-09/meta/format.json"),
    },
    Metaschema {
        uri: "https://json-schema.org/draft/2019-09/meta/content",
        text: include_str!("../metaschemas/draft2019-09/meta/content.json"),
    },
    Metaschema {
        uri: "http://json-schema.org/draft-07/schema",
        text: include_str!("../metaschemas/draft7.json"),
    },
    Metaschema {
        uri: "http://json-schema.org/draft-06/schema",
        text: include_str!("../metaschemas/draft6.json"),
    },
    Metaschema {
        uri: "http://json-schema.org/draft-04/schema",
        text: include_str!("../metaschemas/draft4.json"),
    },
];

/// Returns the index in [`ALL`] of the metaschema with this URI (without a fragment).
pub fn position(uri: &str) -> Option<usize> {
    ALL.iter().position(|metaschema| metaschema.uri == uri)
}
