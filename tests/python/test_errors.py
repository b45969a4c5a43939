"""Bad input: each error is an exception of its class, with its place."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any, List

import pytest

import elapid
from histories import LOST_UPDATE, SOUND, txn


def test_malformed_bytes_have_file_line_and_column() -> None:
    with pytest.raises(elapid.MalformedError) as caught:
        elapid.check(b'{"type": "ok", "process": 0, "value": [["append", "x", 1]]}\n{"type" 1}\n')
    error = caught.value
    assert (error.file, error.line, error.column) == ("history", 2, 9)
    assert str(error) == f"history:2:9: {error.message}"


def test_malformed_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a: b.edn"
    path.write_text("{:type :ok, :process 0, :f :txn, :value [[:append :x 1]]}\n{:type :ok")
    with pytest.raises(elapid.MalformedError) as caught:
        elapid.check(path)
    assert caught.value.file == str(path)
    assert caught.value.line == 2


def test_a_dict_that_is_no_event_is_counted() -> None:
    with pytest.raises(elapid.MalformedError) as caught:
        elapid.check([*SOUND, {"process": 0, "value": []}])
    assert (caught.value.file, caught.value.line) == ("history", 3)


@pytest.mark.parametrize("value", [float("nan"), object(), {1, 2}, b"x"])
def test_a_dict_that_cannot_be_json_is_counted(value: Any) -> None:
    with pytest.raises(elapid.MalformedError, match="^history:2: cannot be JSON") as caught:
        elapid.check([SOUND[0], txn(1, ["append", "x", value])])
    assert caught.value.line == 2


@pytest.mark.parametrize("history", [{"type": "ok"}, 5, None])
def test_what_is_no_history_at_all(history: Any) -> None:
    with pytest.raises(elapid.UsageError, match="expected a path, bytes or dicts"):
        elapid.check(history)


@pytest.mark.parametrize("events", [["text"], [5], [[]]])
def test_items_that_are_no_dicts(events: Any) -> None:
    with pytest.raises(elapid.MalformedError, match="^history:1: expected a dict"):
        elapid.check(events)


def test_nothing_is_no_history() -> None:
    nothing: List[elapid.History] = [[], b"", iter(())]
    for empty in nothing:
        with pytest.raises(elapid.MalformedError, match="expected"):
            elapid.check(empty)


def test_what_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(elapid.UnreadableError) as caught:
        elapid.check(tmp_path / "missing.edn")
    assert "No such file" in caught.value.message


@pytest.mark.parametrize(
    "options",
    [
        {"levels": "serialisable"},
        {"levels": []},
        {"no_such_option": 1},
        {"timeout": "soon"},
        {"engine": "\0"},
        {"clock_skew": 1.5},
        {"anomalies": ["G0", 5]},
    ],
)
def test_options_that_make_no_sense(options: Any) -> None:
    with pytest.raises(elapid.UsageError):
        elapid.check(SOUND, **options)


def test_a_zero_byte_ends_no_path(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("")
    with pytest.raises(elapid.UsageError, match="zero byte"):
        elapid.check(str(tmp_path / "a") + "\0.edn")


def test_an_iterator_that_fails_fails_the_check() -> None:
    def events() -> Any:
        yield SOUND[0]
        raise ConnectionError("gone")

    with pytest.raises(ConnectionError, match="gone"):
        elapid.check(events())


def test_errors_are_value_errors_and_print_in_one_line() -> None:
    with pytest.raises(ValueError) as caught:
        elapid.check(b"\x1b[31m\n")
    assert "\x1b" not in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("library", "words"),
    [("/nowhere/libelapid.so.0", "install libelapid0"), ("libc.so.6", "has no elapid_version")],
)
def test_a_library_that_is_not_there(library: str, words: str) -> None:
    code = "import elapid\ntry: elapid.check([])\nexcept elapid.MissingError as error: print(error)"
    told = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "ELAPID_LIBRARY": library},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert words in told.stdout, told.stderr


def test_the_story_of_a_violation_is_its_message() -> None:
    violation = elapid.Violation(elapid.check(LOST_UPDATE, levels="snapshot-isolation"))
    assert isinstance(violation, AssertionError)
    assert str(violation).startswith("Not snapshot isolation")
