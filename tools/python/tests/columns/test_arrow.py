"""Columns of pyarrow, polars, duckdb and nanoarrow."""

import subprocess
import sys
import threading

import duckdb
import nanoarrow
import polars
import pyarrow
import pytest

import stanchion
from conftest import SCHEMA, TEXTS, expected, rows
from stanchion import arrow

KINDS = [
    pyarrow.string(),
    pyarrow.large_string(),
    pyarrow.string_view(),
    pyarrow.binary(),
    pyarrow.large_binary(),
    pyarrow.binary_view(),
]


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_kinds(kind):
    found = arrow.validate(pyarrow.array(TEXTS).cast(kind), SCHEMA)
    assert isinstance(found, pyarrow.StructArray)
    found.validate(full=True)
    assert found.to_pylist() == expected(TEXTS)
    assert found[7].as_py() is None and found.null_count == 1


def test_dictionary():
    texts = TEXTS + TEXTS[::-1]
    assert arrow.validate(pyarrow.array(texts).dictionary_encode(), SCHEMA).to_pylist() == expected(texts)


def test_nulls():
    assert arrow.validate(pyarrow.nulls(3), SCHEMA).to_pylist() == [None] * 3
    assert arrow.validate(pyarrow.array([], pyarrow.string()), SCHEMA).to_pylist() == []


def test_slices():
    column = pyarrow.array(TEXTS)
    assert arrow.validate(column[2:6], SCHEMA).to_pylist() == expected(TEXTS[2:6])
    assert arrow.validate(column[7:], SCHEMA).to_pylist() == expected(TEXTS[7:])


def test_chunks():
    column = pyarrow.chunked_array([TEXTS[:4], [], TEXTS[4:]], pyarrow.string())
    found = arrow.validate(column, SCHEMA)
    assert isinstance(found, pyarrow.ChunkedArray)
    assert [len(chunk) for chunk in found.chunks] == [4, 0, 5]
    assert found.to_pylist() == expected(TEXTS)
    assert arrow.validate(pyarrow.chunked_array([], pyarrow.string()), SCHEMA).to_pylist() == []


def test_tables_of_one_column():
    table = pyarrow.table({"text": TEXTS, "row": range(len(TEXTS))})
    assert arrow.validate(table.select(["text"]), SCHEMA).to_pylist() == expected(TEXTS)
    with pytest.raises(ValueError, match="found 2 columns: select"):
        arrow.validate(table, SCHEMA)
    batch = table.select(["text"]).to_batches()[0]
    assert arrow.validate(batch.column(0), SCHEMA).to_pylist() == expected(TEXTS)


def test_polars():
    found = arrow.validate(polars.Series("text", TEXTS), SCHEMA)
    assert isinstance(found, polars.Series)
    assert found.to_list() == expected(TEXTS)
    frame = polars.DataFrame({"text": TEXTS}).with_columns(polars.col("text").cast(polars.Categorical).alias("kind"))
    assert arrow.validate(frame["kind"], SCHEMA).to_list() == expected(TEXTS)


def test_duckdb():
    connection = duckdb.connect()
    connection.execute("CREATE TABLE t (row INTEGER, text VARCHAR)")
    connection.executemany("INSERT INTO t VALUES (?, ?)", list(enumerate(TEXTS)))
    found = arrow.validate(connection.sql("SELECT text FROM t ORDER BY row"), SCHEMA)
    assert isinstance(found, arrow.Column)
    assert found.to_pylist() == expected(TEXTS)
    counts = connection.sql("SELECT verdict, count(*) FROM found GROUP BY verdict ORDER BY verdict NULLS LAST").fetchall()
    assert counts == [("invalid", 3), ("not_json", 2), ("valid", 3), (None, 1)]


def test_nanoarrow():
    column = nanoarrow.Array(TEXTS, nanoarrow.string())
    found = arrow.validate(column, SCHEMA)
    assert isinstance(found, nanoarrow.Array)
    # It gives a null struct as a struct of nulls.
    assert [row if row["verdict"] else None for row in found.iter_py()] == expected(TEXTS)
    assert pyarrow.array(found).to_pylist() == expected(TEXTS)


class OnlyCapsules:
    """A library of which nobody has heard."""

    def __init__(self, column):
        self.column = column

    def __arrow_c_array__(self, requested_schema=None):
        return self.column.__arrow_c_array__()


def test_any_library():
    found = arrow.validate(OnlyCapsules(pyarrow.array(TEXTS)), SCHEMA)
    assert (type(found), len(found), found.num_chunks) == (arrow.Column, len(TEXTS), 1)
    assert found.to_pylist() == expected(TEXTS)
    assert pyarrow.array(found).to_pylist() == pyarrow.chunked_array(found).to_pylist() == expected(TEXTS)
    assert pyarrow.schema(found).names == ["verdict", "error", "instance_path", "schema_path"]


def test_many_rows_on_any_number_of_threads():
    texts = rows(30_000)
    wanted = expected(texts)
    for threads in (None, 1, 2, 5):
        assert arrow.validate(pyarrow.array(texts), SCHEMA, threads=threads).to_pylist() == wanted


def test_options_and_validators():
    validator = stanchion.Validator({"format": "date"}, assert_formats=True)
    column = pyarrow.array(['"2026-02-31"', '"2026-02-28"'])
    verdicts = [row["verdict"] for row in arrow.validate(column, validator).to_pylist()]
    assert verdicts == ["invalid", "valid"]
    assert verdicts == [r["verdict"] for r in arrow.validate(column, {"format": "date"}, assert_formats=True).to_pylist()]
    with pytest.raises(TypeError, match="has its options already"):
        arrow.validate(column, validator, assert_formats=True)
    many = pyarrow.array(["[" + ",".join(['"x"'] * 10_000) + "]"])
    found = arrow.validate(many, {"items": {"type": "string"}}, limits={"steps": 10}).to_pylist()[0]
    assert found["verdict"] == "undecided" and "budget of steps" in found["error"]


def test_formats_of_the_caller():
    threads = set()

    def check(text):
        threads.add(threading.get_ident())
        if text == "raise":
            raise KeyError("a format's own")
        return text == "EUR"

    validator = stanchion.Validator({"format": "currency"}, assert_formats=True, formats={"currency": check})
    found = arrow.validate(pyarrow.array(['"EUR"', '"eur"'] * 20_000), validator)
    assert [row["verdict"] for row in found.to_pylist()[:2]] == ["valid", "invalid"]
    assert len(threads) == 1
    with pytest.raises(KeyError, match="a format's own"):
        arrow.validate(pyarrow.array(['"raise"']), validator)


def test_what_is_no_column():
    for column, says in [([1], "found list"), ("{}", "found str"), (None, "found NoneType")]:
        with pytest.raises(TypeError, match=says):
            arrow.validate(column, SCHEMA)
    with pytest.raises(ValueError, match="found Int64"):
        arrow.validate(pyarrow.array([1]), SCHEMA)
    with pytest.raises(ValueError, match="threads"):
        arrow.validate(pyarrow.array(TEXTS), SCHEMA, threads=0)
    with pytest.raises(stanchion.SchemaError):
        arrow.validate(pyarrow.array(TEXTS), {"minimum": "1"})


def test_capsules_that_are_empty_or_wrong():
    class Wrong:
        def __init__(self, capsules):
            self.capsules = capsules

        def __arrow_c_array__(self, requested_schema=None):
            return self.capsules

    capsules = pyarrow.array(TEXTS).__arrow_c_array__()
    assert len(arrow.validate(Wrong(capsules), SCHEMA)) == len(TEXTS)
    with pytest.raises(ValueError, match="taken the column already"):
        arrow.validate(Wrong(capsules), SCHEMA)
    with pytest.raises(ValueError, match="name"):
        arrow.validate(Wrong(pyarrow.array(TEXTS).__arrow_c_array__()[::-1]), SCHEMA)
    with pytest.raises(TypeError, match="expected a capsule"):
        arrow.validate(Wrong((1, 2)), SCHEMA)


def test_a_stream_is_validated_while_it_is_read():
    read = []

    def batches():
        for number in range(4):
            read.append(number)
            yield pyarrow.record_batch({"text": TEXTS})

    reader = pyarrow.RecordBatchReader.from_batches(pyarrow.schema({"text": pyarrow.string()}), batches())
    found = arrow.validate_stream(reader, SCHEMA)
    assert read == []
    answers = pyarrow.RecordBatchReader.from_stream(found)
    nulls = dict.fromkeys(("verdict", "error", "instance_path", "schema_path"))
    wanted = [row or nulls for row in expected(TEXTS)]
    assert answers.read_next_batch().to_pylist() == wanted
    assert read == [0]
    assert answers.read_all().to_pylist() == wanted * 3
    with pytest.raises(ValueError, match="read already"):
        pyarrow.RecordBatchReader.from_stream(found)


def test_what_a_stream_raises():
    def batches():
        yield pyarrow.record_batch({"text": TEXTS})
        raise KeyError("from the source")

    schema = pyarrow.schema({"text": pyarrow.string()})
    with pytest.raises(ValueError, match="from the source"):
        arrow.validate(pyarrow.RecordBatchReader.from_batches(schema, batches()), SCHEMA)
    found = arrow.validate_stream(pyarrow.RecordBatchReader.from_batches(schema, batches()), SCHEMA)
    with pytest.raises(Exception, match="from the source"):
        pyarrow.RecordBatchReader.from_stream(found).read_all()


def test_the_gil_is_released():
    """Another thread runs Python code while a column is validated."""
    column = pyarrow.array(['{"city": "' + "x" * 1000 + '"}'] * 50_000)
    done, counts = threading.Event(), []

    def count():
        counted = 0
        while not done.is_set():
            counted += 1
        counts.append(counted)

    thread = threading.Thread(target=count)
    thread.start()
    arrow.validate(column, SCHEMA, threads=1)
    done.set()
    thread.join()
    assert counts[0] > 1000


def test_no_library_is_needed():
    code = "import stanchion.arrow, sys; assert not {'pyarrow', 'polars', 'pandas', 'numpy'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_validators_are_shared_between_threads():
    validator = stanchion.Validator(SCHEMA)
    column, wanted = pyarrow.array(TEXTS * 500), expected(TEXTS) * 500
    found = []
    threads = [
        threading.Thread(target=lambda: found.append(arrow.validate(column, validator).to_pylist() == wanted))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 8
