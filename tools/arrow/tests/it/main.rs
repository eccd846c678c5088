//! Columns of every type, against the engine row by row.

use arrow_array::cast::AsArray;
use arrow_array::types::{Int8Type, Int32Type, UInt64Type};
use arrow_array::{
    Array, ArrayRef, BinaryArray, BinaryViewArray, DictionaryArray, Int32Array, LargeBinaryArray,
    LargeStringArray, NullArray, StringArray, StringViewArray, StructArray, UInt64Array,
};
use serde_json::{Value, json};
use stanchion::{Limits, Messages, Validator};
use stanchion_arrow::{ColumnError, ColumnValidator, answer_type};
use std::num::NonZeroUsize;
use std::sync::Arc;

type Row = Option<[Option<String>; 4]>;

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {"city": {"type": "string", "minLength": 2}, "days": {"type": "integer", "minimum": 1}},
        "required": ["city"],
        "additionalProperties": false
    })
}

/// Texts of all kinds. The first rows are short, the last one is longer than what readers keep.
fn texts() -> Vec<Option<String>> {
    let mut texts: Vec<Option<String>> = [
        r#"{"city": "Turin", "days": 3}"#,
        r#"{"city": "Turin", "days": 0}"#,
        r#"{"citty": "Turin"}"#,
        r#" {"city": "Zürich"} "#,
        r#"{"city": "Turin""#,
        "",
        "[]",
        "null",
    ]
    .map(|text| Some(text.to_owned()))
    .to_vec();
    texts.push(None);
    texts.push(Some(format!(r#"{{"city": "{}"}}"#, "x".repeat(2 << 20))));
    texts.push(Some(r#"{"city": "after a long one", "days": -1}"#.to_owned()));
    texts
}

fn rows(answer: &StructArray) -> Vec<Row> {
    assert_eq!(answer.data_type(), &answer_type());
    let row = |row: usize| {
        let field = |field: usize| {
            let column = answer.column(field).as_string::<i32>();
            column.is_valid(row).then(|| column.value(row).to_owned())
        };
        answer.is_valid(row).then(|| [0, 1, 2, 3].map(field))
    };
    (0..answer.len()).map(row).collect()
}

/// The answer by the engine alone, text by text.
fn expected(validator: &Validator, texts: &[Option<String>]) -> Vec<Row> {
    let row = |text: &Option<String>| {
        let text = text.as_ref()?;
        let Ok(value) = serde_json::from_str::<Value>(text) else {
            let error = validator.verdict_json(text.as_bytes()).expect_err("the text is not JSON");
            return Some([Some("not_json".to_owned()), Some(error.to_string()), None, None]);
        };
        Some(match validator.validate(&value) {
            Ok(()) => [Some("valid".to_owned()), None, None, None],
            Err(error) => [
                Some(if error.exhausted().is_some() { "undecided" } else { "invalid" }.to_owned()),
                Some(error.message()),
                Some(error.instance_path().to_owned()),
                Some(error.schema_path().to_owned()),
            ],
        })
    };
    texts.iter().map(row).collect()
}

#[track_caller]
fn check(column: &dyn Array, texts: &[Option<String>]) {
    let validator = Validator::new(&schema()).expect("a schema");
    let expected = expected(&validator, texts);
    for threads in [1, 2, 7] {
        let threads = NonZeroUsize::new(threads).expect("a number");
        let columns = ColumnValidator::new(&validator).threads(threads);
        assert_eq!(rows(&columns.validate(column).expect("a column")), expected);

        let is_valid = columns.is_valid(column).expect("a column");
        let valid = |row: &Row| row.as_ref().map(|[verdict, ..]| verdict.as_deref() == Some("valid"));
        assert_eq!(is_valid.iter().collect::<Vec<_>>(), expected.iter().map(valid).collect::<Vec<_>>());

        let errors = columns.error(column).expect("a column");
        let line = |row: &Row| match row.as_ref()? {
            [_, None, ..] => None,
            [_, Some(error), None, _] => Some(format!("not JSON: {error}")),
            [_, Some(error), Some(path), _] if path.is_empty() => Some(format!("/: {error}")),
            [_, Some(error), Some(path), _] => Some(format!("{path}: {error}")),
        };
        assert_eq!(
            errors.iter().map(|error| error.map(str::to_owned)).collect::<Vec<_>>(),
            expected.iter().map(line).collect::<Vec<_>>()
        );
    }
}

fn bytes(texts: &[Option<String>]) -> Vec<Option<&[u8]>> {
    texts.iter().map(|text| text.as_ref().map(String::as_bytes)).collect()
}

#[test]
fn every_type_of_column() {
    let texts = texts();
    check(&StringArray::from(texts.clone()), &texts);
    check(&LargeStringArray::from(texts.clone()), &texts);
    check(&StringViewArray::from(texts.clone()), &texts);
    check(&BinaryArray::from(bytes(&texts)), &texts);
    check(&LargeBinaryArray::from(bytes(&texts)), &texts);
    check(&BinaryViewArray::from(bytes(&texts)), &texts);
    check(&NullArray::new(3), &[None, None, None]);
}

#[test]
fn a_slice_starts_where_it_says() {
    let texts = texts();
    let arrays: [ArrayRef; 3] = [
        Arc::new(StringArray::from(texts.clone())),
        Arc::new(BinaryViewArray::from(bytes(&texts))),
        Arc::new(texts.iter().map(Option::as_deref).collect::<DictionaryArray<Int32Type>>()),
    ];
    for array in arrays {
        check(&array.slice(2, 7), &texts[2..9]);
        check(&array.slice(4, 0), &[]);
    }
}

#[test]
fn dictionaries() {
    let texts = texts();
    let mut repeated = texts.clone();
    repeated.extend(texts.iter().rev().cloned());
    check(&repeated.iter().map(Option::as_deref).collect::<DictionaryArray<Int8Type>>(), &repeated);

    // A null may be a key or a value, and a value need not have a row.
    let values: ArrayRef =
        Arc::new(StringArray::from(vec![Some("{}"), None, Some("not used"), Some("{\"city\":\"ab\"}")]));
    let keys = UInt64Array::from(vec![Some(3), None, Some(1), Some(0), Some(3)]);
    let column = DictionaryArray::<UInt64Type>::new(keys, values);
    let [bad, good] = ["{}", "{\"city\":\"ab\"}"].map(|text| Some(text.to_owned()));
    check(&column, &[good.clone(), None, None, bad, good]);

    let none: ArrayRef = Arc::new(StringArray::from(Vec::<Option<&str>>::new()));
    check(&DictionaryArray::<Int32Type>::new(Int32Array::from(vec![None, None]), none), &[None, None]);
}

#[test]
fn many_rows_stay_in_order() {
    let texts: Vec<Option<String>> = (0..20_000)
        .map(|row| match row % 100 {
            7 => None,
            13 => Some(format!("{{\"city\": {row}")),
            50 => Some(format!("{{\"city\": \"Turin\", \"days\": -{row}}}")),
            _ => Some(format!("{{\"city\": \"Turin\", \"days\": {}}}", row + 1)),
        })
        .collect();
    check(&StringArray::from(texts.clone()), &texts);
}

#[test]
fn few_long_rows_are_shared_out() {
    let row = |row: usize| Some(format!("{{\"city\": \"{}\", \"days\": {row}}}", "y".repeat(40_000)));
    let texts: Vec<Option<String>> = (0..6).map(row).collect();
    check(&StringArray::from(texts.clone()), &texts);
}

#[test]
fn bytes_that_are_no_text() {
    let column = BinaryArray::from(vec![b"\"\xff\"".as_slice(), b"{\"city\": \"ab\"}"]);
    let validator = Validator::new(&schema()).expect("a schema");
    let rows = rows(&ColumnValidator::new(&validator).validate(&column).expect("a column"));
    let [verdict, error, path, _] = rows[0].as_ref().expect("a row");
    assert_eq!((verdict.as_deref(), path), (Some("not_json"), &None));
    assert!(error.as_ref().is_some_and(|error| error.contains("line 1 column")), "{error:?}");
    assert_eq!(rows[1].as_ref().expect("a row")[0].as_deref(), Some("valid"));
}

#[test]
fn a_run_that_reaches_a_limit_is_undecided() {
    let limits = Limits::default().steps(50).steps_per_value(0);
    let validator =
        Validator::builder().limits(limits).build(&json!({"uniqueItems": true})).expect("a schema");
    let long = format!("[{}]", (0..1000).map(|number| number.to_string()).collect::<Vec<_>>().join(","));
    let column = StringArray::from(vec![long.as_str(), "[1, 2]"]);
    let columns = ColumnValidator::new(&validator);
    let found = rows(&columns.validate(&column).expect("a column"));
    let first = found[0].as_ref().expect("a row");
    assert_eq!(first[0].as_deref(), Some("undecided"));
    assert!(first[1].is_some(), "{first:?}");
    assert_eq!(found[1].as_ref().expect("a row")[0].as_deref(), Some("valid"));
    assert!(!columns.is_valid(&column).expect("a column").value(0));
}

#[test]
fn messages_as_the_caller_wants_them() {
    let validator = Validator::new(&schema()).expect("a schema");
    let columns = ColumnValidator::new(&validator).messages(Messages::new().mask_values(true));
    let column = StringArray::from(vec![r#"{"city": "x"}"#]);
    let error = columns.error(&column).expect("a column");
    assert_eq!(error.value(0), "/city: a string has 1 character, fewer than the minimum 2");
}

#[test]
fn other_columns_are_refused() {
    let validator = Validator::new(&schema()).expect("a schema");
    let columns = ColumnValidator::new(&validator);
    let error = columns.validate(&Int32Array::from(vec![1])).expect_err("no texts");
    assert!(matches!(error, ColumnError::Type(_)));
    assert!(error.to_string().ends_with("found Int32"), "{error}");
    let values: ArrayRef = Arc::new(Int32Array::from(vec![1]));
    let dictionary = DictionaryArray::<Int8Type>::new(vec![0i8].into(), values);
    assert!(columns.is_valid(&dictionary).expect_err("no texts").to_string().ends_with("found Int32"));
}
