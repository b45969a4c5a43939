"""What a check came to.

    >>> import elapid
    >>> lost = [
    ...     {"type": "ok", "process": 0, "value": [["append", "x", 1]]},
    ...     {"type": "ok", "process": 1, "value": [["r", "x", [1]], ["append", "x", 2]]},
    ...     {"type": "ok", "process": 2, "value": [["r", "x", [1]], ["append", "x", 3]]},
    ...     {"type": "ok", "process": 0, "value": [["r", "x", [1, 2, 3]]]},
    ... ]
    >>> result = elapid.check(lost, levels="snapshot-isolation")
    >>> result.valid, result.levels["snapshot-isolation"]
    (False, False)
    >>> [anomaly.name for anomaly in result.anomalies]
    ['G-single-item']
    >>> sorted(transaction.line for transaction in result.anomalies[0].transactions)
    [2, 3, 4]
"""

from __future__ import annotations

import base64
import html
import json
from dataclasses import dataclass, field
from typing import Any, Dict, Mapping, Optional, Tuple

from ._library import Checker
from .errors import Undecided, Violation


@dataclass(frozen=True)
class Transaction:
    """A transaction that takes part in an anomaly, or an operation of a history of single ones."""

    label: str
    """``T1``, as prose and picture call it."""
    file: str
    """Where it stands; ``history`` if it came from memory."""
    line: Optional[int]
    """From 1; None if the source has no lines."""
    session: str
    """``process 3``"""
    status: str
    """``committed``, ``aborted`` or ``indeterminate``"""
    text: str
    """Its completion as EDN, long lists shortened."""


@dataclass(frozen=True)
class Anomaly:
    """One root cause: who takes part, and why that cannot be."""

    name: str
    """Elle's name of it, as ``G-single-item``."""
    meaning: str
    """``read skew``"""
    count: int
    """How many of this name the history has; one is shown."""
    keys: Tuple[str, ...]
    transactions: Tuple[Transaction, ...]
    rules_out: Tuple[str, ...]
    """The weakest levels that it rules out."""
    also: Tuple[str, ...]
    """Further anomalies that the same transactions show."""
    prose: str
    """The transactions and the numbered proof, in lines."""
    picture: Optional[str] = field(repr=False)
    """An SVG file; None if there is nothing to draw."""

    def __str__(self) -> str:
        return self.prose

    def _repr_html_(self) -> str:
        """For notebooks: prose and picture."""
        return _text(self.prose) + _image(self.picture, self.name)


@dataclass(frozen=True)
class Result:
    """The verdict on one history."""

    valid: Optional[bool]
    """Whether the levels demanded can explain the history; None if neither was shown."""
    headline: str
    """The verdict in a few words, as ``Not snapshot isolation``."""
    levels: Mapping[str, Optional[bool]]
    """Levels by name: True if the level is proven to hold, False if it is violated, None if it was
    asked about and is not decided. Empty for workloads without levels. Levels that were not asked
    about are there only if what was found decides them."""
    anomalies: Tuple[Anomaly, ...]
    """What was found, the most telling first; at most 40."""
    story: str
    """The verdict and the anomalies in at most 60 lines."""
    key: str
    """The independent key whose history it is, as EDN; empty except from ``check_keys()``."""
    _map: str = field(repr=False)
    _page: str = field(repr=False)

    @property
    def unknown_because(self) -> Optional[str]:
        """Why ``valid`` is None: the limit that was reached, or what is not known of the history."""
        because = self.to_dict().get("elapid/unknown-because")
        return None if because is None else str(because)

    def to_dict(self) -> Dict[str, Any]:
        """The result map, as ``elapid check -o json`` prints it (docs/result-map.md). A new one each
        time."""
        result: Dict[str, Any] = json.loads(self._map)
        return result

    def to_html(self) -> str:
        """The page ``report.html``, which stands alone (docs/report.md). Empty with ``elle_compat``."""
        return self._page

    def require(self) -> Result:
        """This result if it is valid. Raises Violation or Undecided, with the story, if it is not."""
        if self.valid:
            return self
        raise Violation(self) if self.valid is False else Undecided(self)

    def __str__(self) -> str:
        return self.story

    def _repr_html_(self) -> str:
        """For notebooks: the story, and the picture of its first anomaly."""
        return _text(self.story) + "".join(_image(found.picture, found.name) for found in self.anomalies[:1])


def _text(lines: str) -> str:
    return f'<pre style="white-space: pre-wrap">{html.escape(lines)}</pre>'


def _image(svg: Optional[str], name: str) -> str:
    """An image cannot run scripts or share names with the notebook around it."""
    if svg is None:
        return ""
    data = base64.b64encode(svg.encode()).decode()
    return f'<img alt="{html.escape(name)}" src="data:image/svg+xml;base64,{data}">'


def result_of(checker: Checker, history: int) -> Result:
    """Everything that the checker says of a history, so that the checker can be closed."""
    valid = checker.validity(history)
    text = checker.text("json", history)
    report = checker.report(history, "report.json")
    if report is None:  # Elle's answers have no report
        words = {True: "Valid", False: "Not valid", None: "Unknown"}[valid]
        return Result(
            valid=valid,
            headline=words,
            levels=_levels_of(json.loads(text), valid),
            anomalies=(),
            story=f"{words}\n{checker.text('explanation', history)}".rstrip() + "\n",
            key=checker.text("key", history),
            _map=text,
            _page="",
        )
    told: Dict[str, Any] = json.loads(report)
    states = {"holds": True, "violated": False}
    return Result(
        valid=valid,
        headline=told["headline"],
        levels={entry["level"]: states.get(entry["state"]) for entry in told["levels"]},
        anomalies=tuple(
            _anomaly_of(checker, history, number, finding)
            for number, finding in enumerate(told["findings"], start=1)
        ),
        story=checker.report(history, "summary.txt") or "",
        key=checker.text("key", history),
        _map=text,
        _page=checker.report(history, "report.html") or "",
    )


def _levels_of(result_map: Dict[str, Any], valid: Optional[bool]) -> Dict[str, Optional[bool]]:
    levels: Dict[str, Optional[bool]] = {}
    for level in [*result_map.get("not", ()), *result_map.get("also-not", ())]:
        levels[level] = False
    return levels


def _anomaly_of(checker: Checker, history: int, number: int, finding: Dict[str, Any]) -> Anomaly:
    return Anomaly(
        name=finding["name"],
        meaning=finding["gloss"],
        count=finding["count"],
        keys=tuple(finding["keys"]),
        transactions=tuple(
            Transaction(
                label=actor["label"],
                file=actor["file"],
                line=actor.get("line"),
                session=actor["session"],
                status=actor["status"],
                text=actor["text"],
            )
            for actor in finding["transactions"]
        ),
        rules_out=tuple(finding["rules-out"]),
        also=tuple(finding["followers"]),
        prose=checker.report(history, f"findings/{number}.txt") or "",
        picture=checker.report(history, f"findings/{number}.svg"),
    )
