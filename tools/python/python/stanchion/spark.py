"""JSON Schema for Apache Spark: columns of JSON text, validated by the workers.

>>> from stanchion import spark as stanchion_spark
>>> valid, rejected = stanchion_spark.split(df, "text", schema)
>>> rejected.select("text", "validation.error", "validation.instance_path")

>>> stanchion_spark.register(session)
>>> session.sql("SELECT * FROM t WHERE json_schema_valid(text, '{\\"required\\": [\\"city\\"]}')")

Schemas travel as text, and each Python worker compiles a schema once. Workers need this package, and pyarrow. Rows are handed over as
Arrow batches, so no row becomes a Python object.
"""

import functools
import pickle

from pyspark.sql import functions
from pyspark.sql.types import StringType, StructField, StructType

from ._workers import Job, answers

__all__ = ["ANSWER", "register", "split", "validate"]

#: The type of an answer.
ANSWER = StructType([StructField(name, StringType()) for name in ("verdict", "error", "instance_path", "schema_path")])


def validate(df, column, schema, *, into="validation", **options):
    """A data frame with a column of answers appended: a struct of verdict, error, instance_path and schema_path.

    ``column`` names a column of strings or binary. ``schema`` and ``options`` are those of stanchion.Validator. A null has a null answer.
    """
    if column not in df.columns:
        raise ValueError(f"there is no column {column!r}: there are {', '.join(df.columns)}")
    if into in df.columns:
        raise ValueError(f"there is a column {into!r} already: choose another name by into=")
    work = functools.partial(_append, job=Job(schema, options), column=column, into=into)
    return df.mapInArrow(work, StructType([*df.schema.fields, StructField(into, ANSWER)]))


def split(df, column, schema, *, into="validation", **options):
    """Two data frames: the rows that are valid, as they were, and all others with the reasons in a column of answers.

    Every row is in one of the two. A null is among the others, with a null answer. Each of the two validates when it is computed: to
    validate once, use ``validate``, cache that, and filter by its verdict.
    """
    found = validate(df, column, schema, into=into, **options)
    is_valid = functions.coalesce(functions.col(f"`{into}`.verdict") == "valid", functions.lit(False))
    return found.where(is_valid).drop(into), found.where(~is_valid)


def register(session, **options):
    """Adds SQL functions of a column and a schema to a session.

    json_schema_valid     whether a row was proven valid: false also if it is not JSON
    json_schema_error     why it is not valid, as text; null if it is
    json_schema_validate  a struct of verdict, error, instance_path and schema_path

    A null in the column or the schema gives null. The schema is sent along with each row: for a large one, ``validate`` is better.
    """
    options = pickle.dumps(options)
    for name, answer, kind in (
        ("json_schema_valid", _is_valid, "boolean"),
        ("json_schema_error", _error, "string"),
        ("json_schema_validate", None, ANSWER),
    ):
        session.udf.register(name, functions.arrow_udf(_function(answer, options), kind, functions.ArrowUDFType.SCALAR))


def _append(batches, job, column, into):
    for batch in batches:
        yield job.append(batch, column, into)


def _function(answer, options):
    def run(texts, schemas):
        found = answers(texts, schemas, options)
        return answer(found) if answer else found

    return run


def _is_valid(found):
    import pyarrow.compute

    return pyarrow.compute.equal(found.field("verdict"), "valid")


def _error(found):
    import pyarrow.compute as compute

    error, path = found.field("error"), found.field("instance_path")
    place = compute.if_else(compute.equal(path, ""), "/", path)
    place = compute.fill_null(place, "not JSON")
    return compute.binary_join_element_wise(place, error, ": ")
