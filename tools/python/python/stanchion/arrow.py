"""Columns of JSON text, of pyarrow, polars, duckdb, nanoarrow, or any other library that speaks the Arrow PyCapsule interface.

>>> import pyarrow
>>> from stanchion.arrow import validate
>>> texts = pyarrow.array(['{"days": 3}', '{"days": 0}', '{days}', None])
>>> validate(texts, {"properties": {"days": {"minimum": 1}}}).to_pylist()[1]
{'verdict': 'invalid', 'error': '0 is less than the minimum 1', 'instance_path': '/days', 'schema_path': '/properties/days/minimum'}

The answer is a struct column with a row for each row of the column:

verdict        "valid", "invalid", "undecided" (a limit was reached) or "not_json"
error          the most helpful error; null if the row is valid
instance_path  where in the row the error is, as a JSON Pointer; null if the row is valid or not JSON
schema_path    the keyword that failed, as a JSON Pointer into the schema; null as above

A row that is null stays null. Rows are validated on all cores with the GIL released. Columns may be of strings, large strings,
string views, binary, large binary, binary views, or dictionaries of these.
"""

from ._stanchion import Column, Stream, Validator, validate_column
from ._stanchion import validate_stream as _validate_stream

__all__ = ["Column", "Stream", "validate", "validate_stream"]


def validate(column, schema, *, threads=None, **options):
    """Validates each row of a column of JSON texts.

    ``column`` is an array, a chunked array, a series, or a table or relation of one column. ``schema`` is a Validator, or what one is
    made of, with its options. ``threads`` is all cores unless given; a validator with formats of the caller's own runs on one.

    A column of pyarrow, polars or nanoarrow gets an answer of the same library. Any other gets a Column, which such libraries can
    read. It has as many chunks as the column.
    """
    found = validate_column(column, _validator(schema, options), threads)
    return _like(column, found)


def validate_stream(stream, schema, *, threads=None, **options):
    """Validates a stream of columns while somebody reads the answers, so that memory holds one chunk at a time.

    The answer is a stream of tables of four columns, where a null is a row of nulls. It can be read once, by whatever takes a stream of the
    PyCapsule interface, such as ``pyarrow.RecordBatchReader.from_stream``.
    """
    return _validate_stream(stream, _validator(schema, options), threads)


def _validator(schema, options):
    if not isinstance(schema, Validator):
        return Validator(schema, **options)
    if options:
        raise TypeError("a Validator has its options already: pass them where it is made")
    return schema


def _like(column, found):
    """The answer as a column of the library that the column is of. That library has been imported by who made the column."""
    library = type(column).__module__.partition(".")[0]
    if library == "pyarrow":
        import pyarrow

        # Arrays and batches come as one chunk, and all others as a stream.
        if isinstance(column, (pyarrow.Array, pyarrow.RecordBatch)):
            return pyarrow.array(found)
        return pyarrow.chunked_array(found)
    if library == "polars":
        import polars

        return polars.Series(found)
    if library == "nanoarrow":
        import nanoarrow

        return nanoarrow.Array(found)
    return found
