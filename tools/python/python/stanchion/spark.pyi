from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import StructType
from typing_extensions import Unpack

from ._stanchion import Options, Schema

ANSWER: StructType

def validate(df: DataFrame, column: str, schema: Schema, *, into: str = "validation", **options: Unpack[Options]) -> DataFrame: ...
def split(df: DataFrame, column: str, schema: Schema, *, into: str = "validation", **options: Unpack[Options]) -> tuple[DataFrame, DataFrame]: ...
def register(session: SparkSession, **options: Unpack[Options]) -> None: ...
