//! Checks pictures of errors, byte by byte.

use expect_test::{Expect, expect};
use serde_json::{Value, json};
use stanchion::{Limits, Reader, Validator};
use stanchion_render::{Finding, Pictures, Schema, Source};

const SCHEMA: &str = r#"{
  "type": "object",
  "properties": {
    "days": { "type": "integer", "minimum": 1, "maximum": 14 },
    "units": { "enum": ["metric", "imperial"] },
    "include": {
      "type": "array",
      "items": { "type": "string" },
      "uniqueItems": true
    },
    "place": {
      "type": "object",
      "required": ["city"]
    }
  },
  "additionalProperties": false
}
"#;

/// Draws all errors of an instance, with the schema's text.
fn draw(pictures: &Pictures, schema: &str, instance: &str) -> String {
    let value: Value = serde_json::from_str(schema).unwrap();
    let validator = Validator::new(&value).unwrap();
    let errors: Vec<_> =
        validator.iter_errors(Reader::new().parse(instance.as_bytes()).unwrap().root()).collect();
    let schema = Source::new("schema.json", schema);
    let schema = Schema::new(&schema, value["$id"].as_str());
    let instance = Source::new("instance.json", instance);
    let findings = Finding::of_errors(&errors, &instance, Some(&schema));
    findings.iter().map(|finding| pictures.draw(finding)).collect::<Vec<_>>().join("\n")
}

#[track_caller]
fn check(instance: &str, expected: Expect) {
    expected.assert_eq(&draw(&Pictures::plain(), SCHEMA, instance));
}

#[test]
fn values_and_their_keywords() {
    check(
        "{\n  \"days\": 0,\n  \"units\": \"kelvin\"\n}\n",
        expect![[r#"
            error[minimum]: 0 is less than the minimum 1
              ┌─ instance.json:2:11
              │
            2 │   "days": 0,
              │           ^ /days
              │
              ┌─ schema.json:4:34
              │
            4 │     "days": { "type": "integer", "minimum": 1, "maximum": 14 },
              │                                  ------------ /properties/days/minimum

            error[enum]: "kelvin" is not one of "metric", "imperial"
              ┌─ instance.json:3:12
              │
            3 │   "units": "kelvin"
              │            ^^^^^^^^ /units
              │
              ┌─ schema.json:5:16
              │
            5 │     "units": { "enum": ["metric", "imperial"] },
              │                ------------------------------ /properties/units/enum
        "#]],
    );
}

#[test]
fn equal_items_are_both_marked() {
    check(
        r#"{ "include": ["wind", "rain", "wind"] }"#,
        expect![[r#"
            error[uniqueItems]: items 0 and 2 are equal
              ┌─ instance.json:1:31
              │
            1 │ { "include": ["wind", "rain", "wind"] }
              │               ------          ^^^^^^ /include
              │               │
              │               equal to this
              │
              ┌─ schema.json:9:7
              │
            9 │       "uniqueItems": true
              │       ------------------- /properties/include/uniqueItems
        "#]],
    );
    check(
        "{ \"include\": [\n  \"wind\",\n  \"wind\"\n] }",
        expect![[r#"
            error[uniqueItems]: items 0 and 1 are equal
              ┌─ instance.json:3:3
              │
            3 │   "wind"
              │   ^^^^^^ /include
              │
              ┌─ instance.json:2:3
              │
            2 │   "wind",
              │   ------ equal to this
              │
              ┌─ schema.json:9:7
              │
            9 │       "uniqueItems": true
              │       ------------------- /properties/include/uniqueItems
        "#]],
    );
}

#[test]
fn a_member_that_may_not_be_there_is_marked_by_its_name() {
    check(
        "{\n  \"verbose\": { \"a\": 1 }\n}",
        expect![[r#"
            error[additionalProperties]: unknown property "verbose"
               ┌─ instance.json:2:3
               │
             2 │   "verbose": { "a": 1 }
               │   ^^^^^^^^^ /
               │
               ┌─ schema.json:16:3
               │
            16 │   "additionalProperties": false
               │   ----------------------------- /additionalProperties
               │
               = help: expected {"days"?: integer 1..14, "units"?: "metric"|"imperial", "include"?: string[], "place"?: {"city": any}}
        "#]],
    );
}

#[test]
fn of_a_value_on_many_lines_the_beginning() {
    check(
        "{\n  \"place\": {\n    \"town\": \"Turin\"\n  }\n}",
        expect![[r#"
            error[required]: missing required property "city"
               ┌─ instance.json:2:12
               │
             2 │   "place": {
               │            ^ /place
               │
               ┌─ schema.json:13:7
               │
            13 │       "required": ["city"]
               │       -------------------- /properties/place/required
               │
               = help: expected {"city": any}
        "#]],
    );
}

#[test]
fn a_megabyte_on_one_line() {
    let many = "\"wind\", ".repeat(125_000);
    check(
        &format!("{{ \"include\": [{many}7, {many}8], \"days\": 20 }}"),
        expect![[r#"
            error[uniqueItems]: items 0 and 1 are equal
              ┌─ instance.json:1:23
              │
            1 │ { "include": ["wind", "wind", "wind", "wind", "wind", "wind", "wind", "wind", "wind", "wind", "wind"…
              │               ------  ^^^^^^ /include
              │               │
              │               equal to this
              │
              ┌─ schema.json:9:7
              │
            9 │       "uniqueItems": true
              │       ------------------- /properties/include/uniqueItems

            error[type]: expected a string, found 7
              ┌─ instance.json:1:1000015
              │
            1 │ …, "wind", "wind", "wind", "wind", "wind", "wind", 7, "wind", "wind", "wind", "wind", "wind", "wind",…
              │                                                    ^ /include/125000
              │
              ┌─ schema.json:8:18
              │
            8 │       "items": { "type": "string" },
              │                  ---------------- /properties/include/items/type

            error[type]: expected a string, found 8
              ┌─ instance.json:1:2000018
              │
            1 │ …d", "wind", "wind", "wind", "wind", "wind", "wind", "wind", "wind", "wind", "wind", 8], "days": 20 }
              │                                                                                      ^ /include/250001
              │
              ┌─ schema.json:8:18
              │
            8 │       "items": { "type": "string" },
              │                  ---------------- /properties/include/items/type

            error[maximum]: 20 is more than the maximum 14
              ┌─ instance.json:1:2000030
              │
            1 │ …d", "wind", "wind", "wind", "wind", "wind", "wind", "wind", "wind", "wind", "wind", 8], "days": 20 }
              │                                                                                                  ^^ /days
              │
              ┌─ schema.json:4:48
              │
            4 │     "days": { "type": "integer", "minimum": 1, "maximum": 14 },
              │                                                ------------- /properties/days/maximum
        "#]],
    );
}

#[test]
fn hostile_text_is_shown_and_not_obeyed() {
    let schema = "{ \"additionalProperties\": { \"pattern\": \"\u{1b}]0;title\u{7}\" } }";
    let schema = schema.replace('\u{1b}', "\\u001b").replace('\u{7}', "\\u0007");
    let instance = "{ \"\u{202e}\u{200b}\": \"\u{9b}2J\u{7f}\", \"\\u001b[31m\": \"x\" }";
    let shown = draw(&Pictures::plain(), &schema, instance);
    expect![[r#"
        error[pattern]: "\u009b2J\u007f" does not match the pattern "\u001b]0;title\u0007"
          ┌─ instance.json:1:9
          │
        1 │ { "\u{202e}\u{200b}": "\u{9b}2J\u{7f}", "\u001b[31m": "x" }
          │                       ^^^^^^^^^^^^^^^^ /\u{202e}\u{200b}
          │
          ┌─ schema.json:1:29
          │
        1 │ { "additionalProperties": { "pattern": "\u001b]0;title\u0007" } }
          │                             --------------------------------- /additionalProperties/pattern

        error[pattern]: "x" does not match the pattern "\u001b]0;title\u0007"
          ┌─ instance.json:1:31
          │
        1 │ { "\u{202e}\u{200b}": "\u{9b}2J\u{7f}", "\u001b[31m": "x" }
          │                                                       ^^^ /\u{1b}[31m
          │
          ┌─ schema.json:1:29
          │
        1 │ { "additionalProperties": { "pattern": "\u001b]0;title\u0007" } }
          │                             --------------------------------- /additionalProperties/pattern
    "#]]
    .assert_eq(&shown);
    assert!(shown.chars().all(|c| c == '\n' || !c.is_control()), "{shown:?}");
}

#[test]
fn letters_of_two_columns() {
    check(
        "{ \"日本語\": 1, \"days\": \"🌦\" }",
        expect![[r#"
            error[additionalProperties]: unknown property "日本語"
               ┌─ instance.json:1:3
               │
             1 │ { "日本語": 1, "days": "🌦" }
               │   ^^^^^^^^ /
               │
               ┌─ schema.json:16:3
               │
            16 │   "additionalProperties": false
               │   ----------------------------- /additionalProperties
               │
               = help: expected {"days"?: integer 1..14, "units"?: "metric"|"imperial", "include"?: string[], "place"?: {"city": any}}

            error[type]: expected an integer, found the string "🌦"
              ┌─ instance.json:1:21
              │
            1 │ { "日本語": 1, "days": "🌦" }
              │                        ^^^ /days
              │
              ┌─ schema.json:4:15
              │
            4 │     "days": { "type": "integer", "minimum": 1, "maximum": 14 },
              │               ----------------- /properties/days/type
        "#]],
    );
}

#[test]
fn in_colors() {
    let shown = draw(&Pictures::colored(), SCHEMA, r#"{ "days": 0 }"#);
    expect![[r#"
        ESC[0mESC[1mESC[38;5;9merror[minimum]ESC[0mESC[1m: 0 is less than the minimum 1ESC[0m
          ESC[0mESC[36m┌─ESC[0m instance.json:1:11
          ESC[0mESC[36m│ESC[0m
        ESC[0mESC[36m1ESC[0m ESC[0mESC[36m│ESC[0m { "days": ESC[0mESC[31m0ESC[0m }
          ESC[0mESC[36m│ESC[0m           ESC[0mESC[31m^ESC[0m ESC[0mESC[31m/daysESC[0m
          ESC[0mESC[36m│ESC[0m
          ESC[0mESC[36m┌─ESC[0m schema.json:4:34
          ESC[0mESC[36m│ESC[0m
        ESC[0mESC[36m4ESC[0m ESC[0mESC[36m│ESC[0m     "days": { "type": "integer", "minimum": 1, "maximum": 14 },
          ESC[0mESC[36m│ESC[0m                                  ESC[0mESC[36m------------ESC[0m ESC[0mESC[36m/properties/days/minimumESC[0m
    "#]].assert_eq(&shown.replace('\u{1b}', "ESC"));
}

#[test]
fn a_schema_that_is_refused() {
    let text = "{\n  \"properties\": { \"age\": { \"minimum\": \"x\" } }\n}";
    let error = Validator::new(&serde_json::from_str(text).unwrap()).unwrap_err();
    let source = Source::new("schema.json", text);
    let finding = Finding::of_schema_error(&error, &source);
    expect![[r#"
        error[schema]: expected a number, found a string
          ┌─ schema.json:2:39
          │
        2 │   "properties": { "age": { "minimum": "x" } }
          │                                       ^^^ /properties/age/minimum
    "#]]
    .assert_eq(&Pictures::plain().draw(&finding));
    expect!["schema.json:2:39: /properties/age/minimum: expected a number, found a string"]
        .assert_eq(&finding.line());

    let validator = Validator::builder().limits(Limits::default().subschemas(1));
    let error = validator.build(&serde_json::from_str(text).unwrap()).unwrap_err();
    expect![[r#"
        error[schema]: schema.json: schema has 2 subschemas, the limit is 1
    "#]]
    .assert_eq(&Pictures::plain().draw(&Finding::of_schema_error(&error, &source)));
}

#[test]
fn text_that_is_no_json() {
    for (text, expected) in [
        (
            "{\n  \"a\": 1,\n  \"b\": oops\n}",
            expect![[r#"
                error[json]: not JSON: expected value
                  ┌─ broken.json:3:8
                  │
                3 │   "b": oops
                  │        ^
            "#]],
        ),
        (
            "",
            expect![[r#"
                error[json]: not JSON: EOF while parsing a value
                  ┌─ broken.json:1:1
                  │
                1 │
                  │ ^
            "#]],
        ),
        (
            "[1, 2",
            expect![[r#"
                error[json]: not JSON: EOF while parsing a list
                  ┌─ broken.json:1:5
                  │
                1 │ [1, 2
                  │     ^
            "#]],
        ),
        (
            "[1, 2]\n\n]",
            expect![[r#"
                error[json]: not JSON: trailing characters
                  ┌─ broken.json:3:1
                  │
                3 │ ]
                  │ ^
            "#]],
        ),
    ] {
        let error = Reader::new().parse(text.as_bytes()).map(drop).unwrap_err();
        let source = Source::new("broken.json", text);
        expected.assert_eq(&Pictures::plain().draw(&Finding::of_text_error(&error, &source)));
    }
}

#[test]
fn a_run_that_gave_up() {
    let validator = Validator::builder()
        .limits(Limits::default().steps(3))
        .build(&json!({"items": {"minimum": 1}}))
        .unwrap();
    let errors: Vec<_> = validator.iter_errors(&json!([1, 2, 3, 4, 5, 6])).collect();
    let source = Source::new("long.json", "[1, 2, 3, 4, 5, 6]");
    let findings = Finding::of_errors(&errors, &source, None);
    expect![[r#"
        warning[undecided]: long.json: the run exceeded its budget of steps
    "#]]
    .assert_eq(&Pictures::plain().draw(&findings[0]));
}

#[test]
fn the_schema_is_marked_only_where_it_made_the_error() {
    let item: Value = json!({"$id": "https://example.com/item", "properties": {"a": {"type": "string"}}});
    let text = r##"{ "properties": { "a": { "$ref": "https://example.com/item" } } }"##;
    let validator = Validator::builder()
        .references(stanchion::References::Bundled)
        .resource("https://example.com/item", &item)
        .build(&serde_json::from_str(text).unwrap())
        .unwrap();
    let errors: Vec<_> = validator.iter_errors(&json!({"a": {"a": 1}})).collect();
    let (schema, instance) =
        (Source::new("schema.json", text), Source::new("instance.json", r#"{"a": {"a": 1}}"#));
    let schema = Schema::new(&schema, None);
    let findings = Finding::of_errors(&errors, &instance, Some(&schema));
    assert_eq!(findings[0].marks.len(), 1);
}
