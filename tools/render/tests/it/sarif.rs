//! Checks a SARIF log as CI reads it.

use expect_test::expect;
use serde_json::{Value, json};
use stanchion::Validator;
use stanchion_render::sarif::{self, Rules};
use stanchion_render::{Finding, Level, Schema, Source};

#[test]
fn a_log_names_rules_files_and_regions() {
    let schema = "{\n  \"properties\": { \"days\": { \"minimum\": 1 } }\n}";
    let validator = Validator::new(&serde_json::from_str(schema).unwrap()).unwrap();
    let instance = "{\n  \"é\": 1, \"days\": 0\n}";
    let errors: Vec<_> = validator.iter_errors(&serde_json::from_str::<Value>(instance).unwrap()).collect();
    let (schema, instance) = (Source::new("/etc/a b.json", schema), Source::new("./calls/ü.json", instance));
    let schema = Schema::new(&schema, None);
    let mut findings = Finding::of_errors(&errors, &instance, Some(&schema));
    let mut own = Finding::new(Level::Note, "own-rule", "-", "a note");
    own.help.push("do so".to_owned());
    findings.push(own);
    let described = Rules::from([("own-rule".to_owned(), "A rule of our own".to_owned())]);
    let log: Value = serde_json::from_str(&sarif::log(&findings, &described, "1.2.3", 1)).unwrap();
    expect![[r#"
        {
          "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
          "version": "2.1.0",
          "runs": [
            {
              "results": [
                {
                  "ruleId": "minimum",
                  "level": "error",
                  "message": {
                    "text": "0 is less than the minimum 1"
                  },
                  "locations": [
                    {
                      "physicalLocation": {
                        "artifactLocation": {
                          "uri": "calls/%C3%BC.json",
                          "uriBaseId": "%SRCROOT%"
                        },
                        "region": {
                          "startLine": 2,
                          "startColumn": 19,
                          "endLine": 2,
                          "endColumn": 20
                        }
                      },
                      "logicalLocations": [
                        {
                          "fullyQualifiedName": "/days"
                        }
                      ]
                    }
                  ],
                  "relatedLocations": [
                    {
                      "physicalLocation": {
                        "artifactLocation": {
                          "uri": "file:///etc/a%20b.json"
                        },
                        "region": {
                          "startLine": 2,
                          "startColumn": 29,
                          "endLine": 2,
                          "endColumn": 41
                        }
                      },
                      "id": 0,
                      "message": {
                        "text": "/properties/days/minimum"
                      }
                    }
                  ]
                },
                {
                  "ruleId": "own-rule",
                  "level": "note",
                  "message": {
                    "text": "a note; do so"
                  },
                  "locations": [
                    {
                      "physicalLocation": {
                        "artifactLocation": {
                          "uri": "stdin"
                        }
                      }
                    }
                  ]
                }
              ],
              "columnKind": "unicodeCodePoints",
              "tool": {
                "driver": {
                  "name": "stanchion",
                  "semanticVersion": "1.2.3",
                  "rules": [
                    {
                      "id": "minimum",
                      "shortDescription": {
                        "text": "The instance does not satisfy the keyword `minimum`"
                      }
                    },
                    {
                      "id": "own-rule",
                      "shortDescription": {
                        "text": "A rule of our own"
                      }
                    }
                  ]
                }
              },
              "invocations": [
                {
                  "executionSuccessful": true,
                  "exitCode": 1
                }
              ]
            }
          ]
        }"#]]
    .assert_eq(&serde_json::to_string_pretty(&log).unwrap());
}

#[test]
fn an_empty_log_is_whole() {
    let log: Value = serde_json::from_str(&sarif::log(&[], &Rules::new(), "1.2.3", 2)).unwrap();
    assert_eq!(log["runs"][0]["results"], json!([]));
    assert_eq!(log["runs"][0]["invocations"], json!([{"executionSuccessful": false, "exitCode": 2}]));
}
