"""``record()``: what clients see, recorded while they see it, and checked in the end.

    >>> import elapid
    >>> with elapid.record(levels="serializable") as recorder:
    ...     with recorder.begin("alice") as txn:      # before the transaction is begun
    ...         txn.append("x", 1)
    ...     with recorder.begin("bob") as txn:
    ...         txn.read("x", [1])
    >>> recorder.result.valid
    True

A session has one transaction at a time, as a connection has. The end of its ``with`` must come after
the database has answered the commit.
"""

from __future__ import annotations

import json
import os
import threading
import time
from types import TracebackType
from typing import Any, Dict, List, Optional, Set, Type, Union

from .checking import Levels, check
from .errors import MalformedError, UsageError
from .histories import Option
from .result import Result

Session = Union[int, str]


class RecordedTransaction:
    """A transaction that has begun; ``Recorder.begin()`` makes it.

    At the end of its ``with`` it is committed. An exception out of the ``with`` leaves it undecided,
    since the database may have committed all the same, unless ``abort()`` was called before.
    """

    def __init__(self, recorder: Recorder, session: Session, process: Session, begun: int) -> None:
        self._recorder = recorder
        self._session = session
        self._process = process
        self._begun = begun
        self._ops: List[str] = []
        self._is_open = True

    def append(self, key: Any, value: Any) -> None:
        """Appended a value, which no other transaction appends to that key."""
        self.operation("append", key, value)

    def write(self, key: Any, value: Any) -> None:
        """Wrote a value, which no other transaction writes to that key."""
        self.operation("w", key, value)

    def read(self, key: Any, value: Any) -> None:
        """Read a value, of lists the whole list; None if there was none."""
        self.operation("r", key, value)

    def operation(self, *operation: Any) -> None:
        """Any operation of the recorder format, as ``operation("rp", ["=", "age", 15], {"rows": []})``.

        It is written down at once, so that its values may change later. MalformedError: it cannot be
        JSON.
        """
        self._must_be_open()
        try:
            self._ops.append(json.dumps(operation, allow_nan=False))
        except (TypeError, ValueError, RecursionError) as problem:
            raise MalformedError(f"an operation cannot be JSON: {problem}") from problem

    def commit(self) -> None:
        """The database has said that it committed."""
        self._end("ok")

    def abort(self) -> None:
        """It certainly did not commit: it was rolled back, or refused with an error that says so."""
        self._end("fail")

    def unknown(self) -> None:
        """Whether it committed is not known, as after a connection that broke."""
        self._end("info")

    def __enter__(self) -> RecordedTransaction:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        if self._is_open:
            self._end("ok" if error is None else "info")

    def _must_be_open(self) -> None:
        if not self._is_open:
            raise UsageError(f"the transaction of session {self._session!r} has ended")

    def _line(self, outcome: str) -> str:
        line = (
            f'{{"type": "{outcome}", "process": {json.dumps(self._process)}, '
            f'"value": [{", ".join(self._ops)}], "invoked": {self._begun}'
        )
        return line + ("}" if outcome == "info" else f', "completed": {time.monotonic_ns()}}}')

    def _end(self, outcome: str) -> None:
        self._must_be_open()
        self._is_open = False
        self._recorder._ended(self._session, self._line(outcome), outcome)


class Recorder:
    """What ``record()`` gives: sessions of any threads, and in the end their verdict."""

    result: Optional[Result]
    """None until the end."""

    def __init__(
        self,
        levels: Levels = None,
        *,
        path: Union[None, str, os.PathLike[str]] = None,
        require: bool = True,
        **options: Option,
    ) -> None:
        self.result = None
        self._levels = levels
        self._options = options
        self._path = path
        self._require = require
        self._lock = threading.Lock()
        self._open: Dict[Session, RecordedTransaction] = {}
        self._processes: Dict[Session, Session] = {}
        self._names: Set[str] = set()  # of all processes
        self._lines = ['{"format": "elapid/1", "clock": "monotonic-ns"}']

    def begin(self, session: Session) -> RecordedTransaction:
        """Begins a transaction of a session, a number or a name. To be called before the database is
        asked for anything of it. UsageError: the session has one that has not ended."""
        if isinstance(session, bool) or not isinstance(session, (int, str)):
            raise UsageError(f"a session is a number or a name, not {session!r}")
        if session in ("", "nemesis", ":nemesis"):
            raise UsageError(f"a session cannot be called {session!r}: the name is reserved")
        with self._lock:
            if session in self._open:
                raise UsageError(f"session {session!r} has a transaction that has not ended")
            if session not in self._processes:
                self._processes[session] = self._new_process(session)
            process = self._processes[session]
            begun = RecordedTransaction(self, session, process, time.monotonic_ns())
            self._open[session] = begun
            return begun

    def history(self) -> bytes:
        """What was recorded, as lines of the recorder format; open transactions are undecided."""
        with self._lock:
            lines = self._lines + [begun._line("info") for begun in self._open.values()]
        return "".join(line + "\n" for line in lines).encode()

    def check(self) -> Result:
        """The verdict on what was recorded so far. To be called while no session is at work: a
        transaction that is open is undecided, and what it has not recorded yet is not known."""
        history = self.history()
        if self._path is not None:
            with open(self._path, "wb") as file:
                file.write(history)
        self.result = check(history, self._levels, **self._options)
        return self.result

    def __enter__(self) -> Recorder:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        if error is None:
            result = self.check()
            if self._require:
                result.require()

    def _new_process(self, session: Session) -> Session:
        """A process that no session has had, called as the session if that is free."""
        process, lives = session, 1
        while str(process) in self._names:
            lives += 1
            process = f"{session} ({lives})"
        self._names.add(str(process))
        return process

    def _ended(self, session: Session, line: str, outcome: str) -> None:
        with self._lock:
            del self._open[session]
            if outcome == "info":
                # It may go on, so the session's next transaction needs another process.
                del self._processes[session]
            self._lines.append(line)


def record(
    levels: Levels = None,
    *,
    path: Union[None, str, os.PathLike[str]] = None,
    require: bool = True,
    **options: Option,
) -> Recorder:
    """Records in a ``with``, and checks at its end, unless an exception ends it.

    ``levels`` and ``options`` as of ``check()``. ``path``: a file that gets the record, too, when it
    is checked. With ``require`` the end raises Violation if the levels cannot explain what was
    recorded, and Undecided if that was not shown; else ``result`` tells.
    """
    return Recorder(levels, path=path, require=require, **options)
