"""``elapid.check()``: the same verdict however a history is given, and all that a result says."""

from __future__ import annotations

import gc
import os
import random
import signal
import threading
import time
from pathlib import Path
from typing import Any, Callable, List
from xml.etree import ElementTree

import pytest

import elapid
from histories import Event, LOST_UPDATE, SOUND, WRITE_SKEW, as_lines, large, txn


def given_as(way: str, folder: Path) -> elapid.History:
    path = folder / "history.jsonl"
    path.write_bytes(as_lines(LOST_UPDATE))
    ways: dict[str, Callable[[], elapid.History]] = {
        "str": lambda: str(path),
        "path": lambda: path,
        "bytes": lambda: as_lines(LOST_UPDATE),
        "bytearray": lambda: bytearray(as_lines(LOST_UPDATE)),
        "memoryview": lambda: memoryview(as_lines(LOST_UPDATE)),
        "list": lambda: LOST_UPDATE,
        "iterator": lambda: iter(LOST_UPDATE),
        "generator": lambda: (dict(event) for event in LOST_UPDATE),
    }
    return ways[way]()


@pytest.mark.parametrize(
    "way", ["str", "path", "bytes", "bytearray", "memoryview", "list", "iterator", "generator"]
)
def test_one_history_has_one_verdict(way: str, tmp_path: Path) -> None:
    result = elapid.check(given_as(way, tmp_path), levels="snapshot-isolation")
    assert result.valid is False
    assert "cursor-stability" in result.to_dict()["not"]
    assert [anomaly.name for anomaly in result.anomalies] == ["G-single-item"]


def test_levels_hold_are_violated_or_stay_open() -> None:
    result = elapid.check(WRITE_SKEW, levels="all")
    assert result.valid is False
    assert result.levels["serializable"] is False
    assert result.levels["snapshot-isolation"] is True
    assert elapid.check(WRITE_SKEW, levels="snapshot-isolation").valid is True
    # One violation is an answer, and what else was asked may stay open.
    both = elapid.check(WRITE_SKEW, levels=["serializable", "snapshot-isolation"])
    assert both.valid is False
    assert both.levels["snapshot-isolation"] in (True, None)
    # Without times real time is not known.
    assert elapid.check(SOUND, levels="all").levels["strong-serializable"] is None


def test_unknown_is_none_and_says_why() -> None:
    result = elapid.check(SOUND, levels="strict-serializable")
    assert result.valid is None
    assert result.unknown_because and "real time" in result.unknown_because
    assert elapid.check(SOUND, levels="serializable").unknown_because is None


def test_an_anomaly_has_transactions_prose_and_picture() -> None:
    (anomaly,) = elapid.check(LOST_UPDATE, levels="snapshot-isolation").anomalies
    assert anomaly.meaning == "read skew"
    assert anomaly.keys == ('"x"',)
    assert anomaly.also == ("lost-update",)
    assert anomaly.rules_out
    assert {(t.file, t.line, t.status) for t in anomaly.transactions} == {
        ("history", line, "committed") for line in (2, 3, 4)
    }
    assert "a contradiction!" in anomaly.prose
    assert anomaly.picture is not None
    assert ElementTree.fromstring(anomaly.picture).tag.endswith("svg")


def test_single_operations_have_no_levels() -> None:
    locks = [
        {"type": kind, "process": process, "f": "acquire", "value": None}
        for process in (0, 1)
        for kind in ("invoke", "ok")
    ]
    result = elapid.check(locks, model="mutex")
    assert result.valid is False
    assert result.levels == {}
    assert result.anomalies[0].name == "not-linearizable"


def test_elle_compat_answers_as_elle() -> None:
    result = elapid.check(LOST_UPDATE, levels="snapshot-isolation", elle_compat=True)
    assert result.valid is False
    assert result.levels["snapshot-isolation"] is False
    assert result.anomalies == () and "G-single-item" in result.story
    assert elapid.check(SOUND, levels="serializable", elle_compat=True).to_dict() == {"valid?": True}


def test_independent_keys_have_a_verdict_each() -> None:
    events: List[Event] = [
        {**txn(0), "f": "txn", "value": ["a", [["append", "x", 1]]]},
        {**txn(1), "f": "txn", "value": ["b", [["r", "x", [1]]]]},
    ]
    results = elapid.check_keys(events, levels="serializable")
    assert {key: result.valid for key, result in results.items()} == {'"a"': True, '"b"': False}
    with pytest.raises(elapid.UsageError, match="check_keys"):
        elapid.check(events, independent=True)
    # Also where the values alone say that there are keys: the first one is fine, the second is not.
    events = [
        {"type": "invoke", "process": 0, "f": "read", "value": ["a", None]},
        {"type": "ok", "process": 0, "f": "read", "value": ["a", None]},
        {"type": "invoke", "process": 0, "f": "read", "value": ["b", None]},
        {"type": "ok", "process": 0, "f": "read", "value": ["b", 3]},
        {"type": "invoke", "process": 0, "f": "write", "value": ["a", 1]},
        {"type": "ok", "process": 0, "f": "write", "value": ["a", 1]},
    ]
    with pytest.raises(elapid.UsageError, match="check_keys"):
        elapid.check(events)
    assert [result.valid for result in elapid.check_keys(events).values()] == [True, False]


def test_notebooks_show_story_and_picture_and_nothing_of_the_history_is_markup() -> None:
    key = "<script>alert(1)</script>"
    events = [
        txn(0, ["append", key, 1]),
        txn(1, ["r", key, [1]], ["append", key, 2]),
        txn(2, ["r", key, [1]], ["append", key, 3]),
        txn(3, ["r", key, [1, 2, 3]]),
    ]
    result = elapid.check(events, levels="snapshot-isolation")
    for shown in (result._repr_html_(), result.anomalies[0]._repr_html_()):
        assert "<script" not in shown and "&lt;script" in shown
        assert 'src="data:image/svg+xml;base64,' in shown
        assert "http" not in shown
    assert result.to_html().startswith("<!DOCTYPE html>") or result.to_html().startswith("<!doctype html>")


def test_a_result_of_its_own() -> None:
    result = elapid.check(LOST_UPDATE, levels="snapshot-isolation")
    result.to_dict().clear()
    assert result.to_dict()["valid?"] is False
    assert str(result) == result.story and result.story.startswith("Not snapshot isolation: ")
    with pytest.raises(AttributeError):
        result.valid = True  # type: ignore[misc]


def test_require() -> None:
    sound = elapid.check(SOUND, levels="serializable")
    assert sound.require() is sound
    with pytest.raises(elapid.Violation, match="read skew") as violation:
        elapid.check(LOST_UPDATE, levels="snapshot-isolation").require()
    assert violation.value.result.valid is False
    with pytest.raises(elapid.Undecided, match="real time"):
        elapid.check(SOUND, levels="strict-serializable").require()


def test_threads_check_at_the_same_time() -> None:
    wanted = {
        "snapshot-isolation": elapid.check(LOST_UPDATE, levels="snapshot-isolation"),
        "read-committed": elapid.check(LOST_UPDATE, levels="read-committed"),
    }
    failures: List[Any] = []

    def check_often(level: str) -> None:
        for _ in range(20):
            if elapid.check(LOST_UPDATE, levels=level) != wanted[level]:
                failures.append(level)

    threads = [threading.Thread(target=check_often, args=(level,)) for level in list(wanted) * 4]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_other_threads_run_during_a_check() -> None:
    history = large(30_000)
    results: List[elapid.Result] = []
    thread = threading.Thread(
        target=lambda: results.append(elapid.check(history, levels="serializable"))
    )
    gc.disable()
    started = last = time.monotonic()
    longest = 0.0
    thread.start()
    while thread.is_alive():
        time.sleep(0.0005)
        now = time.monotonic()
        longest, last = max(longest, now - last), now
    gc.enable()
    thread.join()
    assert results[0].valid is True
    # Held, the lock would have stopped this loop for nearly the whole time.
    assert longest < (last - started) / 2


def undecided_for_long() -> List[Event]:
    """Whether the read is right is a question of sums: which adds that never returned had an effect?"""
    amounts = random.Random(1).sample(range(10**8, 10**9), 60)
    adds: List[Event] = [{"f": "add", "process": i, "value": n} for i, n in enumerate(amounts)]
    read: Event = {"f": "read", "process": 60, "value": None}
    return [
        *({**event, "type": "invoke"} for event in [*adds, read]),
        {**read, "type": "ok", "value": sum(amounts) // 2 + 1},
        *({**add, "type": "info"} for add in adds),
    ]


def test_ctrl_c_ends_a_check() -> None:
    history = undecided_for_long()
    sent: List[float] = []

    def interrupt() -> None:
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    for _ in range(2):
        timer = threading.Timer(0.3, interrupt)
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            elapid.check(history, levels="linearizable", model="counter", timeout="60s")
        assert time.monotonic() - sent[-1] < 1
        timer.join()
    assert elapid.check(LOST_UPDATE, levels="snapshot-isolation").valid is False


def test_a_history_of_its_time_limit() -> None:
    result = elapid.check(LOST_UPDATE, levels="serializable", timeout="30s", memory="1G", threads=1)
    assert result.valid is False


def test_versions_agree() -> None:
    assert elapid.version() == elapid.__version__
