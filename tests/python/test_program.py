"""``generate()``, ``minimize()`` and ``convert()``: the program run as a process, and how it is found."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Dict

import pytest

import elapid
from elapid import program
from histories import LOST_UPDATE, SOUND, as_lines


def test_generated_histories_keep_their_level(tmp_path: Path) -> None:
    path = tmp_path / "made.jsonl"
    made = elapid.generate("snapshot-isolation", output=path, seed=3, transactions=300, keys=3)
    assert made == elapid.generate("snapshot-isolation", seed=3, transactions=300, keys=3)
    assert elapid.check(made, levels="snapshot-isolation").valid is True
    assert elapid.check(path, levels="serializable").valid is False


@pytest.mark.parametrize("given", ["dicts", "bytes", "path", "path of a flag's form"])
def test_minimized_histories_are_small_and_still_wrong(
    given: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sound = [{**SOUND[0], "process": 100 + n, "value": [["append", n, n]]} for n in range(100)]
    events = [*sound, *LOST_UPDATE]
    monkeypatch.chdir(tmp_path)
    Path("--help").write_bytes(as_lines(events))
    ways: Dict[str, elapid.History] = {
        "dicts": events,
        "bytes": as_lines(events),
        "path": tmp_path / "--help",
        "path of a flag's form": "--help",
    }
    small = elapid.minimize(ways[given], levels="snapshot-isolation")
    result = elapid.check(small, levels="snapshot-isolation")
    assert result.valid is False
    assert result.to_dict()["elapid/counts"]["transactions"] < 5


def test_converted_histories_have_the_same_verdict(tmp_path: Path) -> None:
    path = tmp_path / "history.edn"
    edn = elapid.convert(LOST_UPDATE, "edn", output=path)
    assert path.read_bytes() == edn
    assert elapid.check(path, levels="snapshot-isolation").valid is False
    assert elapid.check(edn, levels="snapshot-isolation").valid is False
    registers = elapid.generate("serializable", model="rw-register", seed=1, transactions=40)
    assert elapid.check(elapid.convert(registers, "dbcop:json", lossy=True)).to_dict()


def test_errors_are_those_of_a_check() -> None:
    with pytest.raises(elapid.MalformedError) as caught:
        elapid.convert(b'{"type" 1}', "edn", format="jsonl")
    assert (caught.value.file, caught.value.line) == ("history", 1)
    with pytest.raises(elapid.UnreadableError):
        elapid.convert("/nowhere/history.edn", "edn")
    with pytest.raises(elapid.UsageError, match="unknown format"):
        elapid.convert(SOUND, "no-format")
    with pytest.raises(elapid.UsageError, match="would lose"):
        elapid.convert(LOST_UPDATE, "dbcop:json")
    with pytest.raises(elapid.UsageError, match="nothing to minimize"):
        elapid.minimize(SOUND, levels="serializable")
    with pytest.raises(elapid.UsageError):
        elapid.generate("no-level")
    for zero in ({"to": "e\0dn"}, {"to": "edn", "format": "\0"}):
        with pytest.raises(elapid.UsageError, match="zero byte"):
            elapid.convert(SOUND, **zero)


def test_the_program_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    real = os.environ["ELAPID_PROGRAM"]
    monkeypatch.delenv("ELAPID_PROGRAM")
    # Beside the library, whether in its folder or in `bin` beside it.
    (tmp_path / "lib").mkdir()
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("ELAPID_LIBRARY", str(tmp_path / "lib" / "libelapid.so.0"))
    (tmp_path / "bin" / "elapid").symlink_to(real)
    assert os.path.samefile(program.program(), real)
    (tmp_path / "bin" / "elapid").unlink()
    # On the PATH.
    (tmp_path / "elapid").symlink_to(real)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert program.program() == str(tmp_path / "elapid")
    # Nowhere.
    (tmp_path / "elapid").unlink()
    with pytest.raises(elapid.MissingError, match="ELAPID_PROGRAM"):
        elapid.generate()
    monkeypatch.setenv("ELAPID_PROGRAM", str(tmp_path / "gone"))
    with pytest.raises(elapid.MissingError, match="cannot be run"):
        elapid.generate()
