"""How far a cup is from everything on a table, at 40 000 places in one call."""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import sudar


def main() -> None:
    random = np.random.default_rng(3)
    things = []
    for _ in range(14):
        x, y, turn = random.uniform(-0.9, 0.9), random.uniform(-0.55, 0.55), random.uniform(0, np.pi)
        body = [sudar.Box([0.12, 0.05, 0.1]), sudar.Cylinder(0.06, 0.1), sudar.Cone(0.08, 0.1)][random.integers(3)]
        things.append((body, ([x, y, 0.1], [0, 0, np.sin(turn / 2), np.cos(turn / 2)])))
    clutter, cup = sudar.Compound(things), sudar.Cylinder(0.04, 0.05)

    x, y = np.meshgrid(np.linspace(-1, 1, 250), np.linspace(-0.64, 0.64, 160))
    places = np.stack([x, y, np.full_like(x, 0.06)], axis=-1)
    gap = sudar.distance(clutter, cup, pose_b=(places, [0, 0, 0, 1]), rel=1e-3)
    depth = sudar.penetration(clutter, cup, pose_b=(places, [0, 0, 0, 1]), abs=1e-3)
    signed = np.where(gap.upper > 0, gap.upper, np.minimum(depth.signed_upper, 0))

    figure, axes = plt.subplots(figsize=(9, 5.6), layout="constrained")
    picture = axes.pcolormesh(x, y, 100 * signed, cmap="RdYlBu", vmin=-20, vmax=20, shading="nearest")
    axes.contour(x, y, signed, levels=[0.0, 0.02], colors=["black", "dimgrey"], linewidths=[1.5, 0.8])
    figure.colorbar(picture, label="clearance of the cup, cm")
    axes.set(title="Where a cup can stand: black, where it touches; grey, 2 cm away", xlabel="m", ylabel="m", aspect="equal")
    figure.savefig(Path(__file__).with_suffix(".png"), dpi=90)
    print(f"{gap.upper.size} places, {np.mean(gap.upper > 0.02):.0%} with 2 cm around the cup")


if __name__ == "__main__":
    main()
