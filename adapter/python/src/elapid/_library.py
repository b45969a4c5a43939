"""The C library ``libelapid.so.0`` by ctypes, which releases the GIL in every call.

    >>> from elapid import _library
    >>> _library.version()
    '0.1.0'
"""

from __future__ import annotations

import ctypes
import functools
import os
import sys
import threading
from typing import Callable, List, Optional, Union

from ._version import __version__
from .errors import MissingError, UsageError, error_of

_NAME = "libelapid.0.dylib" if sys.platform == "darwin" else "libelapid.so.0"

# elapid.h: name, result, arguments.
_TEXT, _HANDLE, _SIZE, _STATUS = ctypes.c_char_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int
_FUNCTIONS = (
    ("elapid_version", _TEXT, ()),
    ("elapid_open", _HANDLE, ()),
    ("elapid_close", None, (_HANDLE,)),
    ("elapid_set", _STATUS, (_HANDLE, _TEXT, _TEXT)),
    ("elapid_line", _STATUS, (_HANDLE, _TEXT, _SIZE)),
    ("elapid_check", _STATUS, (_HANDLE,)),
    ("elapid_check_file", _STATUS, (_HANDLE, _TEXT)),
    ("elapid_check_memory", _STATUS, (_HANDLE, _TEXT, _SIZE)),
    ("elapid_cancel", None, (_HANDLE,)),
    ("elapid_error", _TEXT, (_HANDLE,)),
    ("elapid_history_count", _SIZE, (_HANDLE,)),
    ("elapid_validity", _STATUS, (_HANDLE, _SIZE)),
    ("elapid_json", _TEXT, (_HANDLE, _SIZE)),
    ("elapid_explanation", _TEXT, (_HANDLE, _SIZE)),
    ("elapid_report", _TEXT, (_HANDLE, _SIZE, _TEXT)),
    ("elapid_key", _TEXT, (_HANDLE, _SIZE)),
)


def places() -> List[str]:
    """Where the library is looked for: ``ELAPID_LIBRARY`` alone if it is set, else beside the package,
    then where the system looks."""
    told = os.environ.get("ELAPID_LIBRARY")
    if told:
        return [told]
    beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), _NAME)
    return ([beside] if os.path.exists(beside) else []) + [_NAME]


@functools.lru_cache(maxsize=None)
def library() -> ctypes.CDLL:
    """The library, loaded at its first use. MissingError: there is none, or one of another version."""
    problems = []
    for place in places():
        try:
            loaded = ctypes.CDLL(place)
        except OSError as problem:
            problems.append(str(problem))
            continue
        for name, result, arguments in _FUNCTIONS:
            function = getattr(loaded, name, None)
            if function is None:
                raise MissingError(f"{place} has no {name}: it is not the library of elapid {__version__}")
            function.restype = result
            function.argtypes = list(arguments)
        theirs = loaded.elapid_version().decode()
        if theirs.split(".")[:2] != __version__.split(".")[:2]:
            raise MissingError(f"{place} is elapid {theirs}, and this package is for {__version__}")
        return loaded
    raise MissingError(
        f"the library of elapid is not there ({'; '.join(problems)}): install libelapid0, or set "
        "ELAPID_LIBRARY to its path"
    )


def version() -> str:
    """The version of the library."""
    text: bytes = library().elapid_version()
    return text.decode()


def c_text(what: str, text: bytes) -> bytes:
    """Bytes that C takes whole. UsageError: a zero byte is among them."""
    if b"\0" in text:
        raise UsageError(f"{what} has a zero byte")
    return text


class _Handle:
    """An ``elapid_checker``, which is closed when no thread has it any more."""

    def __init__(self) -> None:
        self._library = library()
        self.value: Optional[int] = self._library.elapid_open()
        if not self.value:
            raise MemoryError("no memory for a checker")

    def __del__(self) -> None:
        if getattr(self, "value", None):
            self._library.elapid_close(self.value)


class Checker:
    """An ``elapid_checker``, for one thread at a time."""

    def __init__(self) -> None:
        self._library = library()
        self._owned = _Handle()
        self._handle = self._owned.value

    def _done(self, status: int) -> None:
        if status != 0:
            raise error_of(status, self._library.elapid_error(self._handle).decode("utf-8", "replace"))

    def set(self, name: str, value: str) -> None:
        text = c_text(f"the option {name}", value.encode("utf-8", "surrogateescape"))
        self._done(self._library.elapid_set(self._handle, name.encode(), text))

    def line(self, line: bytes) -> None:
        self._done(self._library.elapid_line(self._handle, line, len(line)))

    def _check(self, function: Callable[..., int], *arguments: Union[bytes, int]) -> None:
        """Python hears of signals in the main thread alone, and between two of its own steps: that
        thread waits while another one checks. When the handler of a signal raises, the check is
        cancelled, and what does not end soon is left to the other thread."""
        if threading.current_thread() is not threading.main_thread():
            self._done(function(self._handle, *arguments))
            return
        statuses: List[int] = []
        ended = threading.Event()

        def work(owned: _Handle) -> None:
            statuses.append(function(owned.value, *arguments))
            ended.set()

        threading.Thread(target=work, args=(self._owned,), name="elapid-check", daemon=True).start()
        try:
            ended.wait()
        except BaseException:
            self._library.elapid_cancel(self._handle)
            ended.wait(0.5)
            raise
        self._done(statuses[0])

    def check_lines(self) -> None:
        self._check(self._library.elapid_check)

    def check_file(self, path: bytes) -> None:
        self._check(self._library.elapid_check_file, c_text("the path", path))

    def check_memory(self, data: bytes) -> None:
        self._check(self._library.elapid_check_memory, data, len(data))

    def count(self) -> int:
        return int(self._library.elapid_history_count(self._handle))

    def validity(self, history: int) -> Optional[bool]:
        """None if unknown."""
        return {0: True, 1: False}.get(self._library.elapid_validity(self._handle, history))

    def text(self, kind: str, history: int) -> str:
        """``json``, ``explanation`` or ``key``."""
        text = getattr(self._library, "elapid_" + kind)(self._handle, history)
        if text is None:
            raise MemoryError(f"no memory for {kind}")
        decoded: str = text.decode("utf-8", "replace")
        return decoded

    def report(self, history: int, file: str) -> Optional[str]:
        text = self._library.elapid_report(self._handle, history, file.encode())
        return None if text is None else text.decode("utf-8", "replace")
