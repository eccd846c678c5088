"""Millions of rows of JSON text through Spark and DataFusion, beside jsonschema-rs in a Python UDF and beside one core's limit.

    python bench/columns.py [--rows 10000000] [--folder FOLDER] [--datafusion PROGRAM]

Rows are generated, one in a hundred bad. Each engine reads the same Parquet files and writes its answers to others, which have to be
the same column: that is checked. PROGRAM is the example `validate` of ../arrow/datafusion, built by
`cargo build --release --example validate`; without it, DataFusion is left out. Needs pyspark, pyarrow and jsonschema-rs.
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import pyarrow
import pyarrow.compute
import pyarrow.parquet

import stanchion
from stanchion import arrow

SCHEMA = {
    "type": "object",
    "properties": {
        "id": {"type": "integer", "minimum": 0},
        "user": {"type": "string", "minLength": 1, "maxLength": 40},
        "kind": {"enum": ["view", "search", "order", "return"]},
        "at": {"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$"},
        "items": {
            "type": "array",
            "maxItems": 50,
            "items": {
                "type": "object",
                "properties": {"sku": {"type": "string"}, "count": {"type": "integer", "minimum": 1}, "price": {"type": "number"}},
                "required": ["sku", "count"],
                "additionalProperties": False,
            },
        },
    },
    "required": ["id", "user", "kind", "at"],
    "additionalProperties": False,
}

KINDS = ["view", "search", "order", "return"]


def text(row):
    """A row of about 170 bytes. One in a hundred is bad, in one of four ways."""
    kind, count = KINDS[row % 4], row % 7 + 1
    if row % 100 == 99:
        kind, count = [("veiw", count), (kind, 0), (kind, "2"), (kind, count)][row // 100 % 4]
    items = f'[{{"sku": "A-{row % 997}", "count": {json.dumps(count)}, "price": {row % 5000 / 100}}}, {{"sku": "B", "count": 1}}]'
    whole = f'{{"id": {row}, "user": "user-{row % 10007}", "kind": "{kind}", "at": "2026-11-{row % 28 + 1:02}T12:{row % 60:02}:00Z", "items": {items}}}'
    return whole[:-2] if row % 400 == 399 else whole


def generate(folder, rows, files=8):
    """Parquet files with the columns row and text."""
    folder.mkdir(parents=True)
    step = -(-rows // files)
    for number in range(files):
        part = range(number * step, min(rows, (number + 1) * step))
        with pyarrow.parquet.ParquetWriter(
            folder / f"{number}.parquet", pyarrow.schema({"row": pyarrow.int64(), "text": pyarrow.string()}), compression="none"
        ) as writer:
            for start in range(part.start, part.stop, 250_000):
                chosen = range(start, min(part.stop, start + 250_000))
                writer.write_table(pyarrow.table({"row": chosen, "text": [text(row) for row in chosen]}))


def read(folder):
    """The answers of an engine in the order of the rows."""
    table = pyarrow.parquet.read_table(folder)
    return table.sort_by("row").column("validation").combine_chunks()


def processor_seconds():
    """Seconds of processor time that this process and all that it started have taken: JVMs, executors and Python workers."""
    parents, spent = {}, {}
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            parents[int(entry.name)] = int(fields[1])
            spent[int(entry.name)] = sum(map(int, fields[11:15]))

    def is_ours(pid):
        while pid in parents and pid != os.getpid():
            pid = parents[pid]
        return pid == os.getpid()

    return sum(ticks for pid, ticks in spent.items() if is_ours(pid)) / os.sysconf("SC_CLK_TCK")


def timed(run):
    """An answer, with the seconds that it took and those of processors."""
    start, processors = time.perf_counter(), processor_seconds()
    answer = run()
    return answer, (time.perf_counter() - start, processor_seconds() - processors)


def report(name, rows, seconds, note=""):
    wall, processors = seconds
    each = f"{rows / processors:12,.0f} a processor second" if processors else ""
    print(f"{name:50} {rows / wall:11,.0f} rows/s {each}   {rows:,} rows in {wall:.1f} s   {note}", flush=True)


def in_process(source, threads):
    """Validates file by file, and counts only the validation."""
    validator, wall, processors, found = stanchion.Validator(SCHEMA), 0.0, 0.0, []
    for file in sorted(source.iterdir(), key=lambda file: int(file.stem)):
        for batch in pyarrow.parquet.ParquetFile(file).iter_batches(batch_size=65_536, columns=["text"]):
            start = time.perf_counter(), time.process_time()
            found.append(arrow.validate(batch.column(0), validator, threads=threads))
            wall += time.perf_counter() - start[0]
            processors += time.process_time() - start[1]
    return pyarrow.chunked_array(found), (wall, processors)


def udf_of_jsonschema_rs(source, most):
    """What a Python UDF does with each row, on one core and without an engine around it."""
    import jsonschema_rs

    validator = jsonschema_rs.validator_for(SCHEMA)

    def check(text):
        try:
            value = json.loads(text)
        except ValueError:
            return "not_json"
        return "valid" if validator.is_valid(value) else "invalid"

    table = pyarrow.parquet.read_table(source, columns=["row", "text"]).slice(0, most)
    texts = table.column("text").to_pylist()
    verdicts, seconds = timed(lambda: [check(text) for text in texts])
    return table.column("row"), verdicts, seconds


def spark_session():
    import pyspark
    from pyspark.sql import SparkSession

    os.environ["SPARK_HOME"] = os.path.dirname(pyspark.__file__)
    os.environ["PYSPARK_PYTHON"] = sys.executable
    return (
        SparkSession.builder.master("local-cluster[2,1,1024]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.sql.parquet.compression.codec", "none")
        .getOrCreate()
    )


def jsonschema_rs_udf():
    """A Python UDF that validates row by row. It compiles the schema once for each worker."""
    from pyspark.sql.functions import udf

    schema = json.dumps(SCHEMA)

    def check(text):
        import jsonschema_rs

        try:
            value = json.loads(text)
        except ValueError:
            return "not_json"
        kept = check.__dict__
        if "validator" not in kept:
            kept["validator"] = jsonschema_rs.validator_for(json.loads(schema))
        return "valid" if kept["validator"].is_valid(value) else "invalid"

    return udf(check, "string")


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--folder", type=pathlib.Path, help="where rows and answers go; a temporary one unless given")
    parser.add_argument("--datafusion", type=pathlib.Path, metavar="PROGRAM")
    given = parser.parse_args()
    home = given.folder or pathlib.Path(tempfile.mkdtemp())
    source = home / f"rows-{given.rows}"
    if not source.exists():
        _, seconds = timed(lambda: generate(source, given.rows))
        print(f"generated {given.rows:,} rows in {seconds[0]:.0f} s", flush=True)
    for engine in ("spark", "datafusion", "udf"):
        shutil.rmtree(home / engine, ignore_errors=True)

    wanted, seconds = in_process(source, 1)
    wanted = wanted.combine_chunks()
    counts = {one["values"]: one["counts"] for one in wanted.field("verdict").value_counts().to_pylist()}
    report("one core's limit (stanchion.arrow, 1 thread)", given.rows, seconds, f"{counts}")
    found, seconds = in_process(source, None)
    report(f"stanchion.arrow, {os.cpu_count()} cores", given.rows, seconds, same(found.combine_chunks(), wanted))

    _, verdicts, seconds = udf_of_jsonschema_rs(source, 200_000)
    alike = verdicts == wanted.field("verdict").to_pylist()[: len(verdicts)]
    report("jsonschema-rs in a Python UDF, one core", len(verdicts), seconds, "verdicts " + ("identical" if alike else "DIFFER"))

    if given.datafusion:
        (home / "schema.json").write_text(json.dumps(SCHEMA))
        command = [given.datafusion, f"{source}/", "text", home / "schema.json", f"{home / 'datafusion'}/"]
        printed = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        note = same(read(home / "datafusion"), wanted)
        name = f"DataFusion, {printed['threads']} threads, Parquet to Parquet"
        report(name, printed["rows"], (printed["seconds"], printed["processorSeconds"]), note)

    from stanchion import spark

    session = spark_session()

    def by_stanchion(df, target):
        spark.validate(df, "text", SCHEMA).drop("text").write.parquet(str(target), mode="overwrite")

    def by_jsonschema_rs(df, target):
        df.select("row", jsonschema_rs_udf()("text").alias("verdict")).write.parquet(str(target), mode="overwrite")

    df = session.read.parquet(str(source))
    for job, target in ((by_stanchion, "spark"), (by_jsonschema_rs, "udf")):  # Starts the executors and their workers.
        job(df.where("row % 1000 = 0"), home / target)
    _, seconds = timed(lambda: by_stanchion(df, home / "spark"))
    report("Spark local-cluster[2,1,1024], Parquet to Parquet", given.rows, seconds, same(read(home / "spark"), wanted))
    _, seconds = timed(lambda: by_jsonschema_rs(df, home / "udf"))
    udf = pyarrow.parquet.read_table(home / "udf").sort_by("row").column("verdict").combine_chunks()
    alike = "verdicts " + ("identical" if udf.equals(wanted.field("verdict")) else "DIFFER")
    report("Spark, jsonschema-rs in a Python UDF", given.rows, seconds, alike)
    session.stop()
    if not given.folder:
        shutil.rmtree(home)


def same(found, wanted):
    """Whether two answers are the same column."""
    if not found.cast(wanted.type).equals(wanted):
        raise SystemExit("the columns differ")
    return "identical columns"


if __name__ == "__main__":
    main()
