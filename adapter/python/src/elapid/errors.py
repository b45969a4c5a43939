"""Exceptions: a request or a history that makes no sense, and a verdict that a test cannot pass with.

    >>> import elapid
    >>> try:
    ...     elapid.check(b'{"type": "ok", "process": 0, "value": [["w", "x", 1]}')
    ... except elapid.MalformedError as error:
    ...     print(error.file, error.line, error.column, error.message, sep=" | ")
    history | 1 | 53 | expected a comma or `]`, found `}`

The classes are those of the C library's statuses (``elapid.h``).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Optional

if TYPE_CHECKING:
    from .result import Result

_PLACE = re.compile(r"(?P<file>.+?):(?P<line>\d+)(?::(?P<column>\d+))?: (?P<message>.*)", re.S)


class ElapidError(Exception):
    """A call that gave no verdict. ``str()`` of it is one line that begins with the place."""

    message: str
    """What is wrong, without the place."""
    file: Optional[str]
    """The input, ``history`` if it came from memory; None if the error is of no input."""
    line: Optional[int]
    """From 1; of a list of dicts, the dict."""
    column: Optional[int]
    """In bytes, from 1."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        place = _PLACE.fullmatch(text)
        self.message = place["message"] if place else text
        self.file = place["file"] if place else None
        self.line = int(place["line"]) if place else None
        self.column = int(place["column"]) if place and place["column"] else None


class UsageError(ElapidError, ValueError):
    """The request makes no sense: an unknown option, a value that it does not take."""


class MalformedError(ElapidError, ValueError):
    """The history is not what its format promises."""


class UnreadableError(ElapidError):
    """The history cannot be opened or read."""


class InternalError(ElapidError):
    """A bug of Elapid, or the memory ran out."""


class MissingError(ElapidError):
    """The library or the program is not installed, or is of another version."""


BY_STATUS = {64: UsageError, 65: MalformedError, 66: UnreadableError}
"""Classes by the status of the library and the exit code of the program."""


def error_of(status: int, text: str) -> ElapidError:
    """The exception for a status that is none of success."""
    return BY_STATUS.get(status, InternalError)(text)


class NotValid(AssertionError):
    """A history that was to be valid and is not. The message is its story."""

    result: Result

    def __init__(self, result: Result) -> None:
        super().__init__(result.story)
        self.result = result


class Violation(NotValid):
    """The levels demanded cannot explain the history."""


class Undecided(NotValid):
    """Neither was shown; the story says which limit was reached, or what is not known."""
