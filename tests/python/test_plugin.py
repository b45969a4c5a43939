"""The fixtures for pytest, in runs of pytest of their own."""

from __future__ import annotations

import pytest

pytest_plugins = ["pytester"]

PLUGIN = ("-p", "elapid.pytest_plugin", "-p", "no:cacheprovider")

LOSES = """
        first, second = elapid_record.begin("alice"), elapid_record.begin("bob")
        for transaction, value in ((first, 1), (second, 2)):
            transaction.read("x", [])
            transaction.append("x", value)
            transaction.commit()
        with elapid_record.begin("carol") as third:
            third.read("x", [1, 2])
"""


def run(pytester: pytest.Pytester, test: str) -> pytest.RunResult:
    pytester.makepyfile("import pytest\n\n" + test)
    return pytester.runpytest_subprocess(*PLUGIN)


def test_a_record_that_is_invalid_fails_the_test(pytester: pytest.Pytester) -> None:
    result = run(
        pytester,
        f"""
@pytest.mark.elapid(levels="snapshot-isolation")
def test_it(elapid_record):
    if True: {LOSES}
""",
    )
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["Not snapshot isolation: *", "*a contradiction!*"])
    result.stdout.no_fnmatch_line("*pytest_plugin.py*")


def test_a_record_that_is_valid_passes(pytester: pytest.Pytester) -> None:
    result = run(
        pytester,
        f"""
@pytest.mark.elapid("read-committed")
def test_it(elapid_record):
    if True: {LOSES}
""",
    )
    result.assert_outcomes(passed=1)


def test_a_test_that_fails_says_why_itself(pytester: pytest.Pytester) -> None:
    result = run(
        pytester,
        f"""
@pytest.mark.elapid(levels="snapshot-isolation")
def test_it(elapid_record):
    if True: {LOSES}
    assert 1 == 2
""",
    )
    result.assert_outcomes(failed=1)
    result.stdout.no_fnmatch_line("*Not snapshot isolation*")


def test_check_fails_the_test_with_the_story(pytester: pytest.Pytester) -> None:
    result = run(
        pytester,
        """
def history(*reads):
    return [{"type": "ok", "process": 0, "value": [["append", "x", 1]]},
            {"type": "ok", "process": 1, "value": [["r", "x", list(reads)]]}]

def test_good(elapid_check):
    assert elapid_check(history(1), levels="serializable").valid

def test_bad(elapid_check):
    elapid_check(history(7), levels="serializable")

@pytest.mark.elapid(levels="strict-serializable")
def test_unknown(elapid_check):
    elapid_check(history(1))
""",
    )
    result.assert_outcomes(passed=1, failed=2)
    result.stdout.fnmatch_lines(["*garbage-read*", "*Unknown whether strict serializable*"])


def test_markers_are_known(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("import pytest\n@pytest.mark.elapid(levels='si')\ndef test_it(): pass\n")
    pytester.runpytest_subprocess(*PLUGIN, "--strict-markers").assert_outcomes(passed=1)
