"""Elapid: whether isolation levels can explain what a database did.

    >>> import elapid
    >>> result = elapid.check("skew.jsonl", levels="serializable")
    >>> result.valid, result.headline
    (False, 'Not serializable')

``check()`` gives a verdict, ``record()`` records what clients see and checks it in the end,
``generate()``, ``convert()`` and ``minimize()`` make histories. docs/python.md tells the rest.
"""

from ._library import version
from ._version import __version__
from .checking import check, check_keys
from .errors import (
    ElapidError,
    InternalError,
    MalformedError,
    MissingError,
    NotValid,
    Undecided,
    UnreadableError,
    UsageError,
    Violation,
)
from .histories import History, Option
from .program import convert, generate, minimize
from .recorder import RecordedTransaction, Recorder, record
from .result import Anomaly, Result, Transaction

__all__ = [
    "Anomaly",
    "ElapidError",
    "History",
    "InternalError",
    "MalformedError",
    "MissingError",
    "NotValid",
    "Option",
    "RecordedTransaction",
    "Recorder",
    "Result",
    "Transaction",
    "Undecided",
    "UnreadableError",
    "UsageError",
    "Violation",
    "__version__",
    "check",
    "check_keys",
    "convert",
    "generate",
    "minimize",
    "record",
    "version",
]
