from typing import Any, Protocol

from typing_extensions import Unpack

from ._stanchion import Column as Column
from ._stanchion import Options, Schema, Validator
from ._stanchion import Stream as Stream

class _Array(Protocol):
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...

class _Stream(Protocol):
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

def validate(column: _Array | _Stream, schema: Schema | Validator, *, threads: int | None = None, **options: Unpack[Options]) -> Any: ...
def validate_stream(stream: _Array | _Stream, schema: Schema | Validator, *, threads: int | None = None, **options: Unpack[Options]) -> Stream: ...
