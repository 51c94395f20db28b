"""The code of the guide and of docstrings runs."""

from __future__ import annotations

import doctest
import importlib
import re
import runpy
from pathlib import Path

import pytest

from conftest import rival

GUIDE = Path(__file__).parents[2] / "docs" / "python.md"
RIVALS = ("coal", "fcl", "trimesh")


def test_every_block_of_the_guide_runs():
    text = GUIDE.read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.M | re.S)
    assert len(blocks) >= 18
    space: dict = {}
    for block in blocks:
        first = block.splitlines()[0].removeprefix("# ")
        if first in RIVALS:
            try:
                rival(first)
            except pytest.skip.Exception:
                continue
        exec(compile(block, str(GUIDE), "exec"), space)


@pytest.mark.parametrize("name", ["sudar", "sudar._shapes", "sudar._manager", "sudar._world"])
def test_examples_of_docstrings(name):
    found = doctest.testmod(importlib.import_module(name))
    assert found.failed == 0 and found.attempted > 0


@pytest.mark.parametrize("path", sorted((Path(__file__).parents[1] / "examples").glob("*.py")), ids=lambda path: path.stem)
def test_examples_run(path, monkeypatch, capsys):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    saved = []
    monkeypatch.setattr("matplotlib.figure.Figure.savefig", lambda *args, **_: saved.append(args[1]))
    try:
        runpy.run_path(str(path), run_name="__main__")
    except ModuleNotFoundError as missing:
        pytest.skip(str(missing))
    assert len(saved) == 1 and saved[0].exists() and capsys.readouterr().out
