"""What a module of the package may know: C is called by one of them, the program run by one, and only the
plug-in knows pytest."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Iterator

import elapid

ONLY_IN = {"ctypes": "_library", "subprocess": "program", "pytest": "pytest_plugin"}


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (name.name.split(".")[0] for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.module.split(".")[0]


def test_layers() -> None:
    files = sorted(Path(elapid.__file__).parent.glob("*.py"))
    assert len(files) > 8
    for path in files:
        for module in imports(path):
            assert ONLY_IN.get(module, path.stem) == path.stem, f"{path.name} imports {module}"
