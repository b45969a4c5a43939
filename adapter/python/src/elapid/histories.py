"""What a history may be given as, and how the library gets it.

    >>> from elapid.histories import lines_of
    >>> list(lines_of([{"type": "ok", "process": 0, "value": [["w", "x", 1]]}]))
    [b'{"type": "ok", "process": 0, "value": [["w", "x", 1]]}']
"""

from __future__ import annotations

import json
import os
from typing import Any, Iterable, Iterator, Mapping, Union

from .errors import MalformedError, UsageError

History = Union[str, "os.PathLike[str]", bytes, bytearray, memoryview, Iterable[Mapping[str, Any]]]
"""A path (of a file, or of a folder that is a run), the bytes of a file, or dicts: events with
Jepsen's keys, or any lines of the recorder format (docs/recorder-format.md)."""

Option = Union[None, bool, int, str, Iterable[str]]
"""What stands behind a flag of ``elapid check``: names may be several, None is no flag at all."""


def lines_of(events: object) -> Iterator[bytes]:
    """A line of the recorder format for each dict. UsageError: these are no dicts. MalformedError: one of
    them cannot be JSON."""
    if isinstance(events, Mapping) or not isinstance(events, Iterable):
        raise UsageError(f"expected a path, bytes or dicts, found {type(events).__name__}")
    for number, event in enumerate(events, start=1):
        if not isinstance(event, Mapping):
            raise MalformedError(f"history:{number}: expected a dict, found {type(event).__name__}")
        try:
            yield json.dumps(dict(event), allow_nan=False).encode()
        except (TypeError, ValueError, RecursionError) as problem:
            raise MalformedError(f"history:{number}: cannot be JSON: {problem}") from problem


def is_path(history: History) -> bool:
    return isinstance(history, (str, os.PathLike))


def bytes_of(history: History) -> bytes:
    """The bytes of a history that is no path."""
    if isinstance(history, (bytes, bytearray, memoryview)):
        return bytes(history)
    return b"".join(line + b"\n" for line in lines_of(history))


def flag_name(option: str) -> str:
    return option.replace("_", "-")


def flag_value(name: str, value: Option) -> str:
    """The value as one would write it behind the flag."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (str, int)):
        return str(value)
    if isinstance(value, Iterable):
        values = list(value)
        if all(isinstance(one, str) for one in values):
            return ",".join(values)
    raise UsageError(f"{name} takes a text, a number, a truth or several texts, not {value!r}")
