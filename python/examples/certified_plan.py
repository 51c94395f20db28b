"""From a URDF to a path that is certified at every instant, with its times."""

import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import sudar

URDF = """<robot name="arm"><link name="base"/>
  <link name="upper"><collision><origin xyz="0.5 0 0"/><geometry><box size="1 0.08 0.08"/></geometry></collision></link>
  <link name="lower"><collision><origin xyz="0.4 0 0"/><geometry><box size="0.8 0.06 0.06"/></geometry></collision></link>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 0 1"/>
    <limit lower="-3.1416" upper="3.1416" effort="1" velocity="1"/></joint>
  <joint name="elbow" type="revolute"><parent link="upper"/><child link="lower"/><origin xyz="1 0 0"/><axis xyz="0 0 1"/>
    <limit lower="-2.8" upper="2.8" effort="1" velocity="1.5"/></joint></robot>"""


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "arm.urdf"
        file.write_text(URDF)
        robot = sudar.Robot.load(file)
    places = [(1.2, 0.7), (-0.8, 1.1), (-1.3, -0.6), (0.7, -1.2)]
    posts = {f"post {i}": (sudar.Cylinder(0.12, 1.0), ([x, y, 0], [0, 0, 0, 1])) for i, (x, y) in enumerate(places)}
    cell = robot.cell(posts)
    plan = cell.plan([-0.6, 0.3], [2.9, -0.5])
    times = np.linspace(0, plan.trajectory(acceleration=2).duration, 40)
    motion = plan.trajectory(times, acceleration=2)

    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 5.2), layout="constrained")
    a, b = np.meshgrid(np.linspace(-np.pi, np.pi, 400), np.linspace(-2.8, 2.8, 360))
    left.pcolormesh(a, b, cell.check(np.stack([a, b], axis=-1)), cmap="Greys_r", vmin=-1, vmax=1.1, shading="nearest")
    left.plot(*plan.waypoints.T, "o-", color="tab:green")
    left.set(title="Dark: in contact. Green: the path.", xlabel="shoulder, rad", ylabel="elbow, rad")
    poses = robot.forward(motion.configuration)
    elbow = poses[:, robot.link_names.index("lower")]
    tip = elbow[:, :2, 3] + 0.8 * elbow[:, :2, 0]
    for k, color in enumerate(plt.get_cmap("viridis")(np.linspace(0, 1, len(times)))):
        right.plot([0, elbow[k, 0, 3], tip[k, 0]], [0, elbow[k, 1, 3], tip[k, 1]], color=color, lw=1.5)
    for place in places:
        right.add_patch(plt.Circle(place, 0.12, color="tab:red"))
    right.set(title=f"The arm every {times[1]:.2f} s", xlabel="x, m", ylabel="y, m", aspect="equal")
    figure.savefig(Path(__file__).with_suffix(".png"), dpi=70)
    print(f"certified: {plan.certified}; {len(plan.edges)} edges, {plan.length:.2f} rad, {times[-1]:.2f} s")


if __name__ == "__main__":
    main()
