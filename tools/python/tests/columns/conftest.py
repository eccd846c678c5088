"""Rows with their answers, for the tests of every library and engine."""

import stanchion

SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string", "minLength": 2}, "days": {"type": "integer", "minimum": 1}},
    "required": ["city"],
}

TEXTS = [
    '{"city": "Turin", "days": 3}',
    '{"city": "Turin", "days": 0}',
    '{"citty": "Turin"}',
    ' {"city": "Zürich"} ',
    '{"city": "Turin"',
    "",
    "[]",
    None,
    '{"city": "\\ud83d\\ude00 x"}',
]


def expected(texts, schema=SCHEMA, **options):
    """The answers by the methods of a validator, row by row."""
    validator = stanchion.Validator(schema, **options)
    return [None if text is None else one(validator, text) for text in texts]


def one(validator, text):
    answer = dict.fromkeys(("verdict", "error", "instance_path", "schema_path"))
    try:
        validator.validate_json(text)
    except stanchion.NotJSONError as error:
        return {**answer, "verdict": "not_json", "error": f"{error.message} at line {error.line} column {error.column}"}
    except stanchion.ValidationError as error:
        verdict = "undecided" if isinstance(error, stanchion.UndecidedError) else "invalid"
        return {
            "verdict": verdict,
            "error": error.message,
            "instance_path": error.pointer,
            "schema_path": error.schema_pointer,
        }
    return {**answer, "verdict": "valid"}


def rows(count):
    """Generated texts, of which one in a hundred is bad and one in a thousand null."""

    def text(row):
        if row % 1000 == 7:
            return None
        if row % 200 == 50:
            return f'{{"city": "Turin", "days": -{row}}}'
        if row % 200 == 150:
            return f'{{"city": "Turin", "days": {row}'
        return f'{{"city": "Turin", "days": {row + 1}}}'

    return [text(row) for row in range(count)]
