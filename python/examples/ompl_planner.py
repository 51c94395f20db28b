"""OMPL plans with Sudar's checks: states in one call, motions certified. Needs `pip install ompl`."""

import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from ompl import base, geometric, util

import sudar

URDF = """<robot name="arm"><link name="base"/>
  <link name="upper"><collision><origin xyz="0.5 0 0"/><geometry><box size="1 0.08 0.08"/></geometry></collision></link>
  <link name="lower"><collision><origin xyz="0.4 0 0"/><geometry><box size="0.8 0.06 0.06"/></geometry></collision></link>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 0 1"/>
    <limit lower="-3.1416" upper="3.1416" effort="1" velocity="1"/></joint>
  <joint name="elbow" type="revolute"><parent link="upper"/><child link="lower"/><origin xyz="1 0 0"/><axis xyz="0 0 1"/>
    <limit lower="-2.8" upper="2.8" effort="1" velocity="1.5"/></joint></robot>"""


class Motions(base.MotionValidator):
    """A motion is valid if it is free of contact at every instant."""

    def __init__(self, space, cell):
        super().__init__(space)
        self.cell = cell
        self.dof = cell.robot.dof

    def numbers(self, state):
        return [state[i] for i in range(self.dof)]

    def checkMotion(self, start, end, last_valid=None):
        edge = self.cell.check_edges(self.numbers(start), self.numbers(end), locate=False)
        return bool(edge.free)


def setup_of(cell):
    """OMPL's setup for a cell: its joints and limits, its checks."""
    space = base.RealVectorStateSpace(cell.robot.dof)
    bounds = base.RealVectorBounds(cell.robot.dof)
    for i, (lower, upper) in enumerate(cell.robot.limits):
        bounds.setLow(i, float(lower))
        bounds.setHigh(i, float(upper))
    space.setBounds(bounds)
    setup = geometric.SimpleSetup(space)
    count = cell.robot.dof
    setup.setStateValidityChecker(lambda state: bool(cell.check([state[i] for i in range(count)])))
    motions = Motions(setup.getSpaceInformation(), cell)
    setup.getSpaceInformation().setMotionValidator(motions)
    return setup, motions


def state_of(setup, q):
    state = setup.getStateSpace().allocState()
    for i, value in enumerate(q):
        state[i] = float(value)
    return state


def main() -> None:
    util.setLogLevel(util.LogLevel.LOG_ERROR)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "arm.urdf"
        file.write_text(URDF)
        robot = sudar.Robot.load(file)
    places = [(1.2, 0.7), (-0.8, 1.1), (-1.3, -0.6), (0.7, -1.2)]
    posts = {f"post {i}": (sudar.Cylinder(0.12, 1.0), ([x, y, 0], [0, 0, 0, 1])) for i, (x, y) in enumerate(places)}
    cell = robot.cell(posts)
    setup, motions = setup_of(cell)
    setup.setStartAndGoalStates(state_of(setup, [-0.6, 0.3]), state_of(setup, [2.9, -0.5]))
    setup.setPlanner(geometric.RRTConnect(setup.getSpaceInformation()))
    assert setup.solve(5.0)
    path = setup.getSolutionPath()
    waypoints = np.array([motions.numbers(path.getState(i)) for i in range(path.getStateCount())])
    free = cell.check_path(waypoints).free

    figure, axes = plt.subplots(figsize=(6, 5), layout="constrained")
    a, b = np.meshgrid(np.linspace(-np.pi, np.pi, 400), np.linspace(-2.8, 2.8, 360))
    axes.pcolormesh(a, b, cell.check(np.stack([a, b], axis=-1)), cmap="Greys_r", vmin=-1, vmax=1.1, shading="nearest")
    axes.plot(*waypoints.T, "o-", color="tab:green")
    axes.set(title="A path that OMPL found with certified edges", xlabel="shoulder, rad", ylabel="elbow, rad")
    figure.savefig(Path(__file__).with_suffix(".png"), dpi=70)
    print(f"{len(free)} edges, {free.sum()} certified")
    assert free.all()


if __name__ == "__main__":
    main()
