"""The types of answers, by mypy."""

from __future__ import annotations

import textwrap

import pytest

api = pytest.importorskip("mypy.api")

PROGRAM = """
from typing import assert_type
import numpy as np, numpy.typing as npt, sudar

robot = sudar.Robot.load("arm.urdf")
cell = robot.cell({"ball": sudar.Sphere(1.0)}, padding=0.1, samples=3)
Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]
assert_type(cell.check([0.0, 1.0]), bool)
assert_type(cell.check([[0.0, 1.0]]), Bools)
assert_type(cell.check(np.zeros(3)), bool)
assert_type(cell.check(np.zeros((4, 3))), Bools)
assert_type(cell.check(robot.sample(3)), Bools)
assert_type(cell.explain(np.zeros(3)).reason, sudar.Reason)
assert_type(cell.explain(robot.sample(2)).part, npt.NDArray[np.int64])
assert_type(cell.first_contact([0.0]).contact, bool)
assert_type(cell.check_edges(np.zeros(3), np.zeros((5, 3))).free, Bools)
assert_type(cell.check_edges([0.0], [1.0], tolerance=0.1).status, sudar.EdgeStatus)
assert_type(cell.check_path(robot.sample(4)).t_lower, Floats)
assert_type(cell.clearance(robot.sample(4), gradient=True, max=1.0).upper, Floats)
assert_type(cell.clearance([0.0]).lower, float)
assert_type(cell.plan([0.0], [1.0]).certificate(), str)
assert_type(robot.within_limits([0.0]), bool)
"""


def mypy(program, tmp_path):
    (tmp_path / "program.py").write_text(program)
    found, _, _ = api.run(["--no-error-summary", "--cache-dir", str(tmp_path / "cache"), str(tmp_path / "program.py")])
    return [line for line in found.splitlines() if "program.py" in line]


def test_answers_of_cells_have_precise_types(tmp_path):
    assert mypy(PROGRAM, tmp_path) == []


def test_options_that_do_not_exist_are_told(tmp_path):
    program = textwrap.dedent("""
        import sudar
        robot = sudar.Robot.load("arm.urdf")
        robot.cell(None, paddin=0.1)
        robot.check(None, [0.0], thread=1)
    """)
    found = mypy(program, tmp_path)
    assert len(found) >= 2 and 'paddin' in found[0] and "check" in found[-1]
