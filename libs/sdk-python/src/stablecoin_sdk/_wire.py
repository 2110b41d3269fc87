"""Arguments as they travel: fields that were left out, amounts as exact text, paths, queries, JSON and forms."""

from __future__ import annotations

import enum
import json
import os
import urllib.parse
import uuid
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import BinaryIO, Final, TypeAlias, cast


class Omitted(enum.Enum):
    """The default of an argument that is left out: other than None, which is sent as null."""

    OMITTED = "OMITTED"

    def __repr__(self) -> str:
        return "OMITTED"


OMITTED: Final = Omitted.OMITTED

Amount: TypeAlias = str | Decimal
"""An amount: decimal text, or a Decimal, which is written as it is. Never a float, which is not exact."""

Upload: TypeAlias = bytes | BinaryIO | os.PathLike[str]
"""A file to upload: its bytes, an opened file, or its path."""


def path_of(template: str, parameters: Mapping[str, str]) -> str:
    """A path with its parameters in place. An empty one would name another route."""
    path = template
    for name, value in parameters.items():
        if value in ("", ".", ".."):
            raise ValueError(f"{name} must not be {value!r}")
        path = path.replace("{" + name + "}", urllib.parse.quote(value, safe=""))
    return path


def query_of(parameters: Mapping[str, object]) -> str:
    given = {name: value for name, value in parameters.items() if value is not None}
    return urllib.parse.urlencode({name: _parameter_text(value) for name, value in given.items()})


def _parameter_text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def given_of(fields: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in fields.items() if value is not OMITTED}


def json_of(fields: Mapping[str, object], amount_fields: frozenset[str]) -> bytes:
    """A body. ``amount_fields`` are the names under which exact text is sent, at any depth."""
    return json.dumps(_exact(fields, "", amount_fields), ensure_ascii=False, allow_nan=False).encode()


def _exact(value: object, name: str, amount_fields: frozenset[str]) -> object:
    if isinstance(value, Mapping):
        fields = cast("Mapping[str, object]", value)
        return {key: _exact(inner, key, amount_fields) for key, inner in fields.items()}
    if isinstance(value, Sequence) and not isinstance(value, (str, bytes)):
        return [_exact(item, name, amount_fields) for item in cast("Sequence[object]", value)]
    if name in amount_fields and value is not None:
        return amount_text(name, value)
    return _decimal_text(name, value) if isinstance(value, Decimal) else value


def amount_text(name: str, value: object) -> str:
    """The amount as the service takes it. An int is refused as well: 10 may mean ten, or ten cents."""
    if isinstance(value, str):
        return value
    if isinstance(value, Decimal):
        return _decimal_text(name, value)
    kind = type(value).__name__
    raise TypeError(f"{name} must be a str or a Decimal, such as '10.50' or Decimal('10.50'), not {kind}")


def _decimal_text(name: str, value: Decimal) -> str:
    if not value.is_finite():
        raise ValueError(f"{name} must be a number, not {value}")
    # "f": never an exponent.
    return format(value, "f")


def form_of(file: Upload, filename: str | None) -> tuple[str, bytes]:
    """One file as multipart/form-data: its content type and body."""
    name, content = _file_of(file)
    quoted = (filename or name).replace("\\", "_").replace('"', "_").replace("\r", "_").replace("\n", "_")
    boundary = uuid.uuid4().hex
    head = f'--{boundary}\r\ncontent-disposition: form-data; name="file"; filename="{quoted}"\r\n'
    media_type = "content-type: application/octet-stream\r\n\r\n"
    return (
        f"multipart/form-data; boundary={boundary}",
        head.encode() + media_type.encode() + content + f"\r\n--{boundary}--\r\n".encode(),
    )


def _file_of(file: Upload) -> tuple[str, bytes]:
    if isinstance(file, bytes):
        return "document", file
    if isinstance(file, os.PathLike):
        with open(file, "rb") as opened:
            return os.path.basename(os.fspath(file)), opened.read()
    # Read once: what an attempt sends is what all of them send.
    return os.path.basename(str(getattr(file, "name", "document"))), file.read()
