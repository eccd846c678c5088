"""Ray Data, on two workers of this machine."""

import pytest
import ray

import stanchion
from conftest import SCHEMA, TEXTS, expected, rows
from stanchion import ray as stanchion_ray


@pytest.fixture(scope="module")
def cluster():
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, object_store_memory=200 << 20)
    yield
    ray.shutdown()


def dataset(texts, blocks):
    return ray.data.from_items([{"row": row, "text": text} for row, text in enumerate(texts)], override_num_blocks=blocks)


def taken(found):
    return sorted(found.take_all(), key=lambda row: row["row"])


def answers(found):
    return [row["validation"] for row in taken(found)]


def plain(answer):
    """Ray gives a null struct as a struct of nulls or as None."""
    return answer if answer and answer["verdict"] else None


def test_validate(cluster):
    found = stanchion_ray.validate(dataset(TEXTS, 3), "text", SCHEMA)
    assert [plain(answer) for answer in answers(found)] == expected(TEXTS)


def test_split(cluster):
    texts = rows(5_000)
    valid, rejected = stanchion_ray.split(dataset(texts, 8), "text", SCHEMA, into="why", batch_size=300)
    wanted = expected(texts)
    assert taken(valid) == [
        {"row": row, "text": text} for row, text in enumerate(texts) if wanted[row] and wanted[row]["verdict"] == "valid"
    ]
    assert [(row["row"], plain(row["why"])) for row in taken(rejected)] == [
        (row, wanted[row]) for row in range(len(texts)) if not wanted[row] or wanted[row]["verdict"] != "valid"
    ]


def test_a_schema_that_is_refused(cluster):
    with pytest.raises(stanchion.SchemaError):
        stanchion_ray.validate(dataset(TEXTS, 1), "text", {"minimum": "1"})
