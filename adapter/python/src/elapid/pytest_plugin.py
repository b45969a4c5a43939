"""Fixtures for pytest, which finds them by itself where the package is installed.

``elapid_check`` is ``elapid.check()`` that fails the test unless the history is valid;
``elapid_record`` is a recorder that is checked when the test function has returned. The story is the
message of the failure. Levels and options are those of the marker, if there is one::

    @pytest.mark.elapid(levels="snapshot-isolation")
    def test_transfers(elapid_record):
        with elapid_record.begin("alice") as txn:
            txn.append("x", 1)
"""

from __future__ import annotations

from typing import Any, Callable, Dict, Generator

import pytest

from .checking import Levels, check
from .errors import NotValid
from .histories import History, Option
from .recorder import Recorder
from .result import Result


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "elapid(levels, **options): what elapid_check and elapid_record demand"
    )


def _demands(request: pytest.FixtureRequest) -> Dict[str, Any]:
    marker = request.node.get_closest_marker("elapid")
    if marker is None:
        return {}
    return {**dict(zip(("levels",), marker.args)), **marker.kwargs}


def _fail(problem: NotValid) -> None:
    pytest.fail(str(problem), pytrace=False)


@pytest.fixture
def elapid_check(request: pytest.FixtureRequest) -> Callable[..., Result]:
    """``elapid.check()``, which fails the test with the story unless the history is valid."""
    demands = _demands(request)

    def checked(history: History, levels: Levels = None, **options: Option) -> Result:
        asked = {**demands, **options}
        if levels is not None:
            asked["levels"] = levels
        result = check(history, **asked)
        try:
            return result.require()
        except NotValid as problem:
            _fail(problem)
            raise  # not reached: fail() raises

    return checked


@pytest.fixture
def elapid_record(request: pytest.FixtureRequest) -> Recorder:
    """A recorder; when the test has passed, the test fails all the same if the record is not valid."""
    return Recorder(**_demands(request))


@pytest.hookimpl(hookwrapper=True)  # type: ignore[misc]
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, Any, None]:
    outcome = yield
    outcome.get_result()
    recorder = pyfuncitem.funcargs.get("elapid_record")
    if isinstance(recorder, Recorder):
        try:
            recorder.check().require()
        except NotValid as problem:
            _fail(problem)
