"""Apache Spark, on two executors of their own: ``local-cluster[2,1,1024]``."""

import functools
import json
import os
import sys

import pyspark
import pytest
from pyspark.sql import SparkSession

import stanchion
from conftest import SCHEMA, TEXTS, expected, rows
from stanchion import spark as stanchion_spark


@pytest.fixture(scope="module")
def session():
    os.environ["SPARK_HOME"] = os.path.dirname(pyspark.__file__)
    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = (
        SparkSession.builder.master("local-cluster[2,1,1024]")
        .config("spark.ui.enabled", "false")
        .config("spark.executorEnv.PYTHONPATH", os.path.dirname(__file__))
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.sql.shuffle.partitions", "4")
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", "500")
        .getOrCreate()
    )
    yield session
    session.stop()


def frame(session, texts, partitions):
    rows = list(enumerate(texts))
    return session.createDataFrame(rows, "row INT, text STRING").repartition(partitions, "row")


def answers(df):
    """The answers in the order of the rows."""
    return [row.validation and row.validation.asDict() for row in df.orderBy("row").collect()]


def test_validate(session):
    df = frame(session, TEXTS, 3)
    found = stanchion_spark.validate(df, "text", SCHEMA)
    assert found.columns == ["row", "text", "validation"]
    assert answers(found) == expected(TEXTS)
    binary = df.selectExpr("row", "CAST(text AS BINARY) AS text")
    assert answers(stanchion_spark.validate(binary, "text", SCHEMA)) == expected(TEXTS)


def test_split(session):
    texts = rows(5_000)
    valid, rejected = stanchion_spark.split(frame(session, texts, 8), "text", SCHEMA, into="why")
    wanted = expected(texts)
    assert valid.columns == ["row", "text"]
    assert [tuple(row) for row in valid.orderBy("row").collect()] == [
        (row, text) for row, text in enumerate(texts) if wanted[row] and wanted[row]["verdict"] == "valid"
    ]
    assert [(row.row, row.text, row.why and row.why.asDict()) for row in rejected.orderBy("row").collect()] == [
        (row, text, wanted[row])
        for row, text in enumerate(texts)
        if not wanted[row] or wanted[row]["verdict"] != "valid"
    ]


def test_options_and_errors(session):
    df = frame(session, ['"2026-02-31"', '"2026-02-28"'], 1)
    found = answers(stanchion_spark.validate(df, "text", '{"format": "date"}', assert_formats=True))
    assert [row["verdict"] for row in found] == ["invalid", "valid"]
    with pytest.raises(stanchion.SchemaError):
        stanchion_spark.validate(df, "text", {"minimum": "1"})
    with pytest.raises(ValueError, match="no column 'json'"):
        stanchion_spark.validate(df, "json", SCHEMA)
    with pytest.raises(ValueError, match="'row' already"):
        stanchion_spark.validate(df, "text", SCHEMA, into="row")


def test_sql(session):
    stanchion_spark.register(session)
    frame(session, TEXTS, 3).createOrReplaceTempView("texts")
    literal = json.dumps(SCHEMA)
    found = session.sql(
        f"SELECT row, json_schema_valid(text, '{literal}') AS valid, json_schema_error(text, '{literal}') AS error, "
        f"json_schema_validate(text, '{literal}') AS validation FROM texts ORDER BY row"
    ).collect()
    wanted = expected(TEXTS)
    assert [row.validation and row.validation.asDict() for row in found] == wanted
    assert [row.valid for row in found] == [answer and answer["verdict"] == "valid" for answer in wanted]

    def line(answer):
        if not answer or not answer["error"]:
            return None
        place = "not JSON" if answer["instance_path"] is None else answer["instance_path"] or "/"
        return f"{place}: {answer['error']}"

    assert [row.error for row in found] == [line(answer) for answer in wanted]


def test_sql_with_a_schema_in_each_row(session):
    stanchion_spark.register(session)
    rows = [(0, "1", '{"type": "integer"}'), (1, '"a"', '{"type": "integer"}'), (2, '"a"', "true"), (3, "1", None)]
    session.createDataFrame(rows, "row INT, text STRING, schema STRING").createOrReplaceTempView("pairs")
    found = session.sql("SELECT json_schema_valid(text, schema) AS valid FROM pairs ORDER BY row").collect()
    assert [row.valid for row in found] == [True, False, True, None]


def compiled_times(batches):
    """How often this worker has compiled the schema of the batches that it validates."""
    import pyarrow

    from stanchion import _workers

    job = _workers.Job(SCHEMA, {})
    for batch in batches:
        job.append(batch, "text", "validation")
        info = _workers.compiled.cache_info()
        yield pyarrow.record_batch({"pid": [os.getpid()], "misses": [info.misses], "hits": [info.hits]})


def test_a_worker_compiles_a_schema_once(session):
    df = frame(session, rows(8_000), 4)
    found = df.mapInArrow(compiled_times, "pid LONG, misses LONG, hits LONG").collect()
    by_worker = {}
    for row in found:
        by_worker.setdefault(row.pid, []).append(row)
    for seen in by_worker.values():
        # Others may have compiled schemas of their own before.
        assert max(row.misses for row in seen) - min(row.misses for row in seen) == 0
        assert max(row.hits for row in seen) >= len(seen) - 1


def kill_executor_once(batches, flag):
    """Passes batches on. The first worker that has passed two of them kills its executor."""
    for number, batch in enumerate(batches):
        yield batch
        if number == 1:
            try:
                os.close(os.open(flag, os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                continue
            os.kill(executor_pid(), 9)


def executor_pid():
    """The executor above this Python worker."""
    pid = os.getpid()
    while pid > 1:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            if b"CoarseGrainedExecutorBackend" in file.read():
                return pid
        with open(f"/proc/{pid}/stat") as file:
            pid = int(file.read().rpartition(")")[2].split()[1])
    raise AssertionError("there is no executor above this process")


def test_an_executor_that_is_killed_loses_nothing(session, tmp_path):
    flag = str(tmp_path / "killed")
    texts = rows(20_000)
    df = frame(session, texts, 4)
    df = df.mapInArrow(functools.partial(kill_executor_once, flag=flag), df.schema)
    found = stanchion_spark.validate(df, "text", SCHEMA)
    assert answers(found) == expected(texts)
    assert os.path.exists(flag), "no executor was killed"
