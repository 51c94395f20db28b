"""Stores that `sudar pack` writes, in the place of files."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import sudar

CUBES = """o a
v 0 0 0
v 1 0 0
v 0 1 0
v 1 1 0
v 0 0 1
v 1 0 1
v 0 1 1
v 1 1 1
f 1 5 7 3
f 2 4 8 6
f 1 2 6 5
f 3 7 8 4
f 1 3 4 2
f 5 6 8 7
o b
f 1 5 7 3
"""


@pytest.fixture
def store(tmp_path):
    (tmp_path / "cubes.obj").write_text(CUBES)
    command = [sys.executable, "-m", "sudar", "pack", "cubes.obj", "-o", "cubes.sudar"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    return tmp_path / "cubes.sudar"


def test_a_store_is_loaded_as_its_file(store):
    found, model = sudar.load(store), sudar.load(store.with_suffix(".obj"))
    assert [part.name for part in found.parts] == [part.name for part in model.parts] == ["a", "b"]
    for one, other in zip(found.parts, model.parts, strict=True):
        assert type(one.body) is type(other.body)
        assert np.array_equal(one.body.vertices, other.body.vertices)
        assert np.array_equal(one.body.faces, other.body.faces)


def test_a_store_is_checked_as_its_file(store):
    found, table = sudar.clash(store), sudar.clash(store.with_suffix(".obj"))
    assert len(found) == len(table) > 0
    assert (found.names, list(found.kind)) == (table.names, list(table.kind))
    assert np.array_equal(found.point, table.point)


def test_a_folder_that_is_no_store_is_refused(tmp_path):
    (tmp_path / "empty.sudar").mkdir()
    with pytest.raises(ValueError, match="is no store: the folder holds no head.bin"):
        sudar.load(tmp_path / "empty.sudar")
