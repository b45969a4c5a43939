"""``generate()``, ``convert()`` and ``minimize()``, which the program ``elapid`` does.

The C library checks only; these run the program as a process.

    >>> import elapid
    >>> history = elapid.generate("serializable", seed=1, transactions=50)
    >>> elapid.check(history, levels="serializable").valid
    True
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from typing import Any, Dict, List, Mapping, Tuple, Union

from ._library import places
from .checking import Levels
from .errors import BY_STATUS, ElapidError, MissingError, UsageError, error_of
from .histories import History, Option, bytes_of, flag_name, flag_value

Events = List[Dict[str, Any]]
Output = Union[None, str, "os.PathLike[str]"]


def program() -> str:
    """The program: that of ``ELAPID_PROGRAM``, else one beside the library, else the one on the PATH."""
    told = os.environ.get("ELAPID_PROGRAM")
    if told:
        return told
    for place in places():
        folder = os.path.dirname(place)
        for beside in (folder, os.path.join(folder, "..", "bin")) if folder else ():
            path = os.path.join(beside, "elapid")
            if os.path.isfile(path) and os.access(path, os.X_OK):
                return path
    found = shutil.which("elapid")
    if found is None:
        raise MissingError(
            "the program elapid is not there: install elapid, or set ELAPID_PROGRAM to its path"
        )
    return found


def generate(level: Union[None, str] = None, *, output: Output = None, **options: Option) -> Events:
    """A history of a simulated database that keeps this level, as dicts that ``check()`` takes.

    ``options``: the flags of ``elapid generate``, as ``seed=7``, ``transactions=1000``, ``keys=10``,
    ``inject="lost-update:2"``. ``output``: a file that gets it as well, in the recorder format.
    """
    return _events("generate", {"levels": level, **options}, [], b"", output)


def minimize(
    history: History, levels: Levels = None, *, output: Output = None, **options: Option
) -> Events:
    """A small part of an anomalous history that is still anomalous, as dicts that ``check()`` takes.

    ``options``: the flags of ``elapid minimize``, as ``anomaly="lost-update"``, ``timeout="1m"``.
    ``output``: a file that gets it as well, in the recorder format. UsageError: nothing is wrong with
    the history.
    """
    inputs, data = _input(history)
    return _events("minimize", {"levels": levels, **options}, inputs, data, output)


def convert(history: History, to: str, *, output: Output = None, **options: Option) -> bytes:
    """A history in another format, ``to``, as ``"edn"`` or ``"dbcop:json"`` (docs/formats.md).

    ``options``: the flags of ``elapid convert``, as ``lossy=True``. ``output``: a file that gets it as
    well. UsageError: the format cannot hold it, or not without losses that were not allowed.
    """
    inputs, data = _input(history)
    return _run("convert", {"to": to, **options}, inputs, data, output)


def _input(history: History) -> Tuple[List[str], bytes]:
    """The arguments and the standard input that give the history to the program."""
    if isinstance(history, (str, os.PathLike)):
        path = os.fspath(history)
        if "\0" in path:
            raise UsageError("the path has a zero byte")
        return [path if os.path.isabs(path) else os.path.join(".", path)], b""
    return ["-"], bytes_of(history)


def _flags(options: Mapping[str, Option]) -> List[str]:
    flags: List[str] = []
    for name, value in options.items():
        if value is None or value is False:
            continue
        flag = "--" + flag_name(name)
        flags += [flag] if value is True else [flag, flag_value(name, value)]
    for flag in flags:
        if "\0" in flag:
            raise UsageError("an option has a zero byte")
    return flags


def _events(
    command: str, options: Dict[str, Option], inputs: List[str], data: bytes, output: Output
) -> Events:
    text = _run(command, {**options, "to": "jsonl"}, inputs, data, output)
    return [json.loads(line) for line in text.splitlines()]


def _run(
    command: str, options: Dict[str, Option], inputs: List[str], data: bytes, output: Output
) -> bytes:
    """What the program writes. Raises what the exit code says, with the last line of its errors."""
    with tempfile.TemporaryDirectory(prefix="elapid-") as folder:
        made = os.path.join(folder, "history")
        arguments = [program(), command, *_flags(options), "--output", made, *inputs]
        try:
            done = subprocess.run(arguments, input=data, capture_output=True)
        except OSError as problem:
            raise MissingError(f"the program elapid cannot be run: {problem}") from problem
        if done.returncode not in (0, 1, 2) or not os.path.exists(made):
            raise _problem(done)
        with open(made, "rb") as file:
            content = file.read()
    if output is not None:
        with open(output, "wb") as file:
            file.write(content)
    return content


def _problem(done: "subprocess.CompletedProcess[bytes]") -> ElapidError:
    told = done.stderr.decode("utf-8", "replace").strip().splitlines()
    text = told[0] if told else f"the program ended with {done.returncode}"
    text = text[len("elapid: ") :] if text.startswith("elapid: ") else text
    text = "history" + text[1:] if text.startswith("-:") else text  # standard input
    status = done.returncode if done.returncode in BY_STATUS else 64 if done.returncode < 3 else 70
    return error_of(status, text)
