"""An arm of two joints: where it is free, and edges that are proved to be."""

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
    <limit lower="-2.8" upper="2.8" effort="1" velocity="1"/></joint></robot>"""


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "arm.urdf"
        file.write_text(URDF)
        robot = sudar.Robot.load(file)
    posts = {f"post {i}": (sudar.Cylinder(0.12, 1.0), ([x, y, 0], [0, 0, 0, 1]))
             for i, (x, y) in enumerate([(1.2, 0.7), (-0.8, 1.1), (-1.3, -0.6), (0.7, -1.2)])}
    cell = robot.cell(posts)

    a, b = np.meshgrid(np.linspace(-np.pi, np.pi, 500), np.linspace(-2.8, 2.8, 450))
    free = cell.check(np.stack([a, b], axis=-1))
    nodes = robot.sample(400, seed=1)
    nodes = nodes[cell.check(nodes)]
    i, j = np.triu_indices(len(nodes), 1)
    near = np.linalg.norm(nodes[i] - nodes[j], axis=1) < 0.6
    i, j = i[near], j[near]
    edges = cell.check_edges(nodes[i], nodes[j])

    figure, axes = plt.subplots(figsize=(8, 6.6), layout="constrained")
    axes.pcolormesh(a, b, free, cmap="Greys_r", vmin=-1, vmax=1.1, shading="nearest")
    for k in np.flatnonzero(edges.free):
        axes.plot(*zip(nodes[i[k]], nodes[j[k]]), color="tab:green", lw=0.7)
    for k in np.flatnonzero(~edges.free):
        axes.plot(*zip(nodes[i[k]], nodes[j[k]]), color="tab:red", lw=0.7, alpha=0.6)
    axes.set(title="Dark: in contact. Green: edges proved free. Red: edges with a contact.",
             xlabel="shoulder, rad", ylabel="elbow, rad")
    figure.savefig(Path(__file__).with_suffix(".png"), dpi=70)
    print(f"{free.size} configurations, {free.mean():.0%} free; {len(i)} edges, {edges.free.mean():.0%} free")


if __name__ == "__main__":
    main()
