"""JSON Schema for Ray Data: columns of JSON text, validated by the workers.

>>> from stanchion import ray as stanchion_ray
>>> valid, rejected = stanchion_ray.split(dataset, "text", schema)

Schemas travel as text, and each worker compiles a schema once. Workers need this package. Rows are handed over as Arrow tables.
"""

from ._workers import Job

__all__ = ["split", "validate"]


def validate(dataset, column, schema, *, into="validation", batch_size=None, **options):
    """A dataset with a column of answers appended: a struct of verdict, error, instance_path and schema_path.

    ``column`` names a column of strings or binary. ``schema`` and ``options`` are those of stanchion.Validator. A null has a null answer.
    """
    return _map(dataset, _append, batch_size, {"job": Job(schema, options), "column": column, "into": into})


def split(dataset, column, schema, *, into="validation", batch_size=None, **options):
    """Two datasets: the rows that are valid, as they were, and all others with the reasons in a column of answers.

    Every row is in one of the two. A null is among the others, with a null answer. Rows are validated once: the answers are
    computed when this is called, and kept in the object store.
    """
    found = validate(dataset, column, schema, into=into, batch_size=batch_size, **options).materialize()
    valid = _map(found, _keep, batch_size, {"into": into, "valid": True})
    return valid, _map(found, _keep, batch_size, {"into": into, "valid": False})


def _map(dataset, work, batch_size, arguments):
    return dataset.map_batches(
        work, batch_format="pyarrow", batch_size=batch_size, zero_copy_batch=True, fn_kwargs=arguments
    )


def _append(table, job, column, into):
    return job.append(table, column, into)


def _keep(table, into, valid):
    import pyarrow.compute as compute

    verdicts = compute.struct_field(table.column(into), "verdict")
    is_valid = compute.fill_null(compute.equal(verdicts, "valid"), False)
    return table.filter(is_valid).drop_columns([into]) if valid else table.filter(compute.invert(is_valid))
