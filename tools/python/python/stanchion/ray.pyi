from typing import Literal

from ray.data import Dataset
from typing_extensions import Unpack

from ._stanchion import Options, Schema

def validate(
    dataset: Dataset,
    column: str,
    schema: Schema,
    *,
    into: str = "validation",
    batch_size: int | Literal["auto"] | None = None,
    **options: Unpack[Options],
) -> Dataset: ...
def split(
    dataset: Dataset,
    column: str,
    schema: Schema,
    *,
    into: str = "validation",
    batch_size: int | Literal["auto"] | None = None,
    **options: Unpack[Options],
) -> tuple[Dataset, Dataset]: ...
