"""``check()``: whether isolation levels can explain a history.

    >>> import elapid
    >>> history = [{"type": "ok", "process": 0, "value": [["append", "x", 1]]}]
    >>> elapid.check(history, levels=["serializable", "snapshot-isolation"]).valid
    True
"""

from __future__ import annotations

import os
from typing import Dict, Iterable, List, Mapping, Union

from ._library import Checker
from .errors import UsageError
from .histories import History, Option, flag_name, flag_value, lines_of
from .result import Result, result_of

Levels = Union[None, str, Iterable[str]]


def check(history: History, levels: Levels = None, **options: Option) -> Result:
    """Checks one history.

    ``history``: a path, bytes, or dicts: see ``elapid.History``. An iterator is consumed once.
    ``levels``: names as ``"serializable"``, several of them, or ``"all"`` for the ladder. Without
    levels strict serializability is demanded, or strong session serializability of whole
    transactions without real time, as after a header with ``"clock": "none"``. Events that are
    completions alone tell no real time either: strict serializability of these is at best unknown.
    ``options``: those of ``elapid.h``, which are flags of ``elapid check``, with ``_`` for ``-``:
    ``timeout="30s"``, ``memory="2G"``, ``engine="solver"``, ``clock_skew=5``, ``threads=2``.

    Raises UsageError, MalformedError or UnreadableError if there is no verdict. Threads may check
    at the same time, and the GIL is free meanwhile. In the main thread Ctrl-C ends a check.
    """
    results = _checked(history, levels, options)
    if results[0].key:
        raise UsageError("independent keys have a verdict each: call check_keys()")
    return results[0]


def check_keys(history: History, levels: Levels = None, **options: Option) -> Dict[str, Result]:
    """Checks a history whose values are ``[key value]``: each key is a history of its own.

    The results by key, which is EDN. Arguments and errors as of ``check()``.

    >>> import elapid
    >>> values = [["a", [["append", "x", 1]]], ["b", [["r", "x", [2]]]]]
    >>> events = [{"type": "ok", "process": 0, "f": "txn", "value": value} for value in values]
    >>> {key: result.valid for key, result in elapid.check_keys(events, levels="serializable").items()}
    {'"a"': True, '"b"': False}
    """
    results = _checked(history, levels, {**options, "independent": True})
    return {result.key: result for result in results}


def _checked(history: History, levels: Levels, options: Mapping[str, Option]) -> List[Result]:
    checker = Checker()
    asked: Dict[str, Option] = {"levels": levels, **options}
    for name, value in asked.items():
        if value is not None:
            checker.set(flag_name(name), flag_value(name, value))
    if isinstance(history, (str, os.PathLike)):
        checker.check_file(os.fsencode(history))
    elif isinstance(history, (bytes, bytearray, memoryview)):
        checker.check_memory(bytes(history))
    else:
        for line in lines_of(history):
            checker.line(line)
        checker.check_lines()
    return [result_of(checker, number) for number in range(checker.count())]
