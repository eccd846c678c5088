from typing import Any

from typing_extensions import Unpack

from ._errors import InstanceError as InstanceError
from ._errors import NotJSONError as NotJSONError
from ._errors import OptionError as OptionError
from ._errors import SchemaError as SchemaError
from ._errors import ToolError as ToolError
from ._errors import UndecidedError as UndecidedError
from ._errors import ValidationError as ValidationError
from ._stanchion import Cache as Cache
from ._stanchion import Evaluation as Evaluation
from ._stanchion import Options, Schema
from ._stanchion import Validator as Validator
from ._stanchion import diagnose as diagnose

__version__: str

def is_valid(schema: Schema, instance: Any, /, **options: Unpack[Options]) -> bool: ...
def validate(schema: Schema, instance: Any, /, **options: Unpack[Options]) -> None: ...
