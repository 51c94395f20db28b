"""A stack of boxes that a ball knocks over."""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Circle, Polygon

import sudar


def main() -> None:
    world = sudar.World()
    world.add("floor", sudar.Halfspace([0, 0, 1]), kind="static", friction=0.6)
    half = np.array([0.25, 0.4, 0.15])
    for i in range(10):
        world.add(f"box {i}", sudar.Box(half), position=[0, 0, half[2] * (2 * i + 1)], density=400, friction=0.5)
    world.add("ball", sudar.Sphere(0.25), position=[-4, 0, 1.2], velocity=[9, 0, 2.5], density=1500)

    figure, panels = plt.subplots(1, 4, figsize=(12, 2.0), sharey=True, layout="constrained")
    corners = half[[0, 2]] * [[-1, -1], [1, -1], [1, 1], [-1, 1]]
    for panel, time in zip(panels, (0.0, 0.45, 0.9, 2.0)):
        steps = round(time * 240) - round(world.time * 240)
        if steps:
            world.step(1 / 240, steps=steps)
        for name, pose in zip(world.names, world.poses):
            if name.startswith("box"):
                shown = np.column_stack([corners[:, 0], np.zeros(4), corners[:, 1], np.ones(4)]) @ pose.T
                panel.add_patch(Polygon(shown[:, [0, 2]], facecolor="tab:blue", edgecolor="white"))
            elif name == "ball":
                panel.add_patch(Circle(pose[[0, 2], 3], 0.25, color="tab:red"))
        kinetic, potential = world.energy
        panel.set(title=f"{world.time:.2f} s, {kinetic / 1000:.1f} kJ in motion", xlim=(-4.5, 4.5), ylim=(-0.2, 3.6), aspect="equal")
        panel.axhline(0, color="black")
    figure.savefig(Path(__file__).with_suffix(".png"), dpi=90)
    print(f"{len(world)} bodies, {world.time:.2f} s, {kinetic:.0f} J left in motion")


if __name__ == "__main__":
    main()
