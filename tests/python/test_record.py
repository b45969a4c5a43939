"""``elapid.record()``: what is recorded, what is checked in the end, and what is refused."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any, Callable, Dict, List, Union

import pytest

import elapid


def lines(recorder: elapid.Recorder) -> List[Dict[str, Any]]:
    return [json.loads(line) for line in recorder.history().splitlines()[1:]]


def lose_an_update(recorder: elapid.Recorder) -> None:
    first, second = recorder.begin("alice"), recorder.begin("bob")
    for transaction, value in ((first, 1), (second, 2)):
        transaction.read("x", [])
        transaction.append("x", value)
    first.commit()
    second.commit()
    with recorder.begin("carol") as third:
        third.read("x", [1, 2])


def test_a_violation_is_raised_in_the_end_with_its_story() -> None:
    with pytest.raises(elapid.Violation, match="read skew"):
        with elapid.record(levels="snapshot-isolation") as recorder:
            lose_an_update(recorder)
    assert recorder.result is not None and recorder.result.valid is False


def test_or_the_result_tells() -> None:
    with elapid.record(levels="snapshot-isolation", require=False) as recorder:
        lose_an_update(recorder)
    assert recorder.result is not None and recorder.result.valid is False
    with elapid.record(levels="read-committed") as weaker:
        lose_an_update(weaker)
    assert weaker.result is not None and weaker.result.valid is True


def test_real_time_is_recorded() -> None:
    recorder = elapid.record(require=False)
    with recorder:
        with recorder.begin(0) as transaction:
            transaction.write("x", 1)
        with recorder.begin(1) as transaction:
            transaction.read("x", None)  # stale
    assert recorder.result is not None and recorder.result.valid is False
    assert recorder.check().levels["strong-serializable"] is False


def test_outcomes() -> None:
    recorder = elapid.record(levels="serializable")
    with recorder.begin(0) as transaction:
        transaction.write("x", 1)
    with recorder.begin(0) as transaction:
        transaction.write("x", 2)
        transaction.abort()
    with pytest.raises(ConnectionError):
        with recorder.begin(0) as transaction:
            transaction.write("x", 3)
            raise ConnectionError("gone")
    recorder.begin(0).unknown()
    recorder.begin(0).write("x", 4)
    assert recorder.check().valid is True
    recorded = lines(recorder)
    assert [line["type"] for line in recorded] == ["ok", "fail", "info", "info", "info"]
    # After an undecided transaction the session goes on as another process.
    assert [line["process"] for line in recorded] == [0, 0, 0, "0 (2)", "0 (3)"]
    assert ["completed" in line for line in recorded] == [True, True, False, False, False]


def test_processes_of_sessions_are_never_the_same() -> None:
    recorder = elapid.record()
    sessions: List[Union[int, str]] = [0, "0", "0 (2)", 0, "0 (3)"]
    for session in sessions:
        recorder.begin(session).unknown()
    assert len({str(line["process"]) for line in lines(recorder)}) == 5


def test_what_is_open_is_in_the_record_as_undecided() -> None:
    recorder = elapid.record(levels="serializable")
    writer = recorder.begin("writer")
    writer.write("x", 1)
    with recorder.begin("reader") as reader:
        reader.read("x", 1)
    assert recorder.check().valid is True
    writer.commit()  # it may still end
    assert [line["type"] for line in lines(recorder)] == ["ok", "ok"]


def test_an_undecided_write_may_be_read() -> None:
    with elapid.record(levels="strict-serializable") as recorder:
        lost = recorder.begin("alice")
        lost.write("x", 1)
        lost.unknown()
        with recorder.begin("bob") as transaction:
            transaction.read("x", 1)
        with recorder.begin("alice") as transaction:
            transaction.read("x", 1)


def test_the_record_is_a_file_too(tmp_path: Path) -> None:
    path = tmp_path / "record.jsonl"
    with elapid.record(levels="serializable", path=path) as recorder:
        with recorder.begin("a") as transaction:
            transaction.append("é\n", 1)
    assert path.read_bytes() == recorder.history()
    assert elapid.check(path, levels="serializable").valid is True


def test_values_may_change_after_they_were_recorded() -> None:
    values = [1]
    with elapid.record(levels="serializable") as recorder:
        with recorder.begin(0) as transaction:
            transaction.append("x", 1)
        with recorder.begin(0) as transaction:
            transaction.read("x", values)
            values.append(2)


def test_rows_and_predicates() -> None:
    with elapid.record(levels="serializable", require=False) as recorder:
        first, second = recorder.begin(1), recorder.begin(2)
        for number, transaction in enumerate((first, second)):
            transaction.operation("rp", ["=", "age", 15], {"rows": []})
            transaction.operation("insert", number, {"age": 15})
        first.commit()
        second.commit()
    assert recorder.result is not None and recorder.result.valid is False


def test_sessions_of_threads() -> None:
    recorder = elapid.record(levels="strict-serializable")
    lock = threading.Lock()
    values: List[int] = []

    def client(session: int) -> None:
        for number in range(50):
            with recorder.begin(session) as transaction:
                with lock:
                    transaction.read("x", list(values))
                    values.append(session * 1000 + number)
                    transaction.append("x", values[-1])

    threads = [threading.Thread(target=client, args=(session,)) for session in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    result = recorder.check()
    assert result.valid is True
    assert result.to_dict()["elapid/counts"]["transactions"] == 400


def test_what_is_refused() -> None:
    recorder = elapid.record()
    transaction = recorder.begin("a")
    with pytest.raises(elapid.UsageError, match="has not ended"):
        recorder.begin("a")
    with pytest.raises(elapid.MalformedError, match="cannot be JSON"):
        transaction.write("x", object())
    transaction.commit()
    ends: List[Callable[[], None]] = [transaction.commit, transaction.abort, transaction.unknown]
    for late in ends:
        with pytest.raises(elapid.UsageError, match="has ended"):
            late()
    for session in (True, None, 1.5):
        with pytest.raises(elapid.UsageError, match="number or a name"):
            recorder.begin(session)  # type: ignore[arg-type]
    for name in ("", "nemesis", ":nemesis"):
        with pytest.raises(elapid.UsageError, match="cannot be called"):
            recorder.begin(name)


def test_an_exception_is_not_hidden_by_a_verdict() -> None:
    with pytest.raises(KeyError):
        with elapid.record(levels="snapshot-isolation") as recorder:
            lose_an_update(recorder)
            raise KeyError("x")
    assert recorder.result is None


def test_nothing_recorded_proves_nothing() -> None:
    with pytest.raises(elapid.MalformedError):
        with elapid.record():
            pass
