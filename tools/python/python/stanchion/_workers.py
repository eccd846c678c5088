"""What workers of distributed engines run. Schemas travel to them as text, and each process compiles a schema once."""

import functools
import json
import pickle

from ._stanchion import Validator, validate_column


class Job:
    """A schema and its options, as they travel."""

    __slots__ = ("options", "schema")

    def __init__(self, schema, options):
        validator = Validator(schema, **options)  # A schema that is refused is refused before the job starts.
        self.schema = json.dumps(validator.schema, ensure_ascii=False)
        self.options = pickle.dumps(options)

    def append(self, batch, column, into):
        """A batch or table with the answers for a column appended."""
        return batch.append_column(into, answer(batch.column(column), self.schema, self.options))


def answer(texts, schema, options):
    """The answers for an array or chunked array of pyarrow, by the thread that calls: engines have tasks for all cores."""
    import pyarrow

    found = validate_column(texts, compiled(schema, options), 1)
    return pyarrow.array(found) if isinstance(texts, pyarrow.Array) else pyarrow.chunked_array(found)


def answers(texts, schemas, options):
    """The answers for an array with a schema for each row. Neighbours with the same one are validated together."""
    import pyarrow
    import pyarrow.compute

    parts, start = [], 0
    runs = pyarrow.compute.run_end_encode(schemas)
    for end, schema in zip(runs.run_ends.to_pylist(), runs.values.to_pylist()):
        part = texts.slice(start, end - start)
        if schema is None:  # Nothing is known of these rows, as if they were null.
            schema, part = "true", pyarrow.nulls(len(part))
        parts.append(answer(part, schema, options))
        start = end
    return pyarrow.concat_arrays(parts or [answer(texts, "true", options)])


@functools.lru_cache(maxsize=256)
def compiled(schema, options):
    """The validator for a schema, compiled once for each process."""
    return Validator(schema, **pickle.loads(options))
