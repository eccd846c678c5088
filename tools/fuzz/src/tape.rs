//! Text is read as `serde_json` reads it.

use stanchion_suite::{law, regression};

use crate::seeds::Seed;

/// Reads the bytes both ways.
pub fn target(bytes: &[u8]) {
    if let Err(why) = law::text(bytes) {
        let kept = regression::keep_text("fuzz-tape", bytes);
        panic!("{:?}: {why}; kept in {kept:?}", String::from_utf8_lossy(bytes));
    }
}

/// Schemas and instances of the suite, and texts with all that can be written in more than one way.
#[must_use]
pub fn seeds(seeds: &[Seed]) -> Vec<Vec<u8>> {
    let mut texts: Vec<Vec<u8>> = seeds.iter().map(|seed| seed.instance.clone().into_bytes()).collect();
    texts.extend(seeds.iter().step_by(20).map(|seed| seed.schema.to_string().into_bytes()));
    for text in [
        r#""\u00e4\ud83d\ude00\n\/""#,
        r#"{"a":1,"b":[true,false,null],"a":{"a":"b","a":"c"}}"#,
        "[-0,-0.0,1e400,1E-7,0.1,9223372036854775808,18446744073709551616,123456789012345678901234567890]",
        " \t\r\n[ 1 , 2 ]\n",
        "\"\u{2028}\u{10ffff}\"",
        r#"{"\u0061":1,"a":2}"#,
    ] {
        texts.push(text.as_bytes().to_vec());
    }
    texts
}
