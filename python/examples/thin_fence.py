"""A fast ball and a thin fence: what samples miss and a sweep does not."""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import sudar


def main() -> None:
    fence = sudar.Compound([(sudar.Box([0.002, 0.02, 0.5]), ([0, y, 0], [0, 0, 0, 1])) for y in np.arange(-1, 1.01, 0.1)])
    ball, stay, upright = sudar.Sphere(0.02), np.eye(4), [0, 0, 0, 1]
    y = np.linspace(-0.3, 0.3, 601)
    back = np.random.default_rng(1).uniform(0.9, 1.1, 601)
    start, end = np.stack([-back, y, 0 * y], 1), np.stack([2.0 - back, y + 0.15, 0 * y], 1)

    true = sudar.sweep(fence, ball, stay, (start, upright), stay, (end, upright))
    figure, axes = plt.subplots(figsize=(9, 5), layout="constrained")
    for samples, colour in ((10, "tab:red"), (30, "tab:orange"), (100, "tab:olive")):
        times = np.linspace(0, 1, samples)[:, None, None]
        hits = sudar.intersects(fence, ball, pose_b=(start + times * (end - start), upright)).any(axis=0)
        missed = true.hit & ~hits
        axes.plot(y, np.where(missed, samples, np.nan), "|", color=colour, markersize=14,
                  label=f"missed by {samples} samples: {missed.sum()} of {true.hit.sum()}")
    axes.plot(y, np.where(true.hit, 3, np.nan), "|", color="black", markersize=14, label="hits, certified by one sweep each")
    axes.set(title="601 throws of a ball at a fence of 4 mm", xlabel="where it is thrown from, m", yscale="log",
             yticks=[3, 10, 30, 100], yticklabels=["sweep", "10", "30", "100"], ylim=(2, 400))
    axes.legend(loc="upper right", ncols=2)
    figure.savefig(Path(__file__).with_suffix(".png"), dpi=90)
    print(f"{true.hit.sum()} hits of 601; times known within {np.max(true.t_upper[true.hit] - true.t_lower[true.hit]):.1e}")


if __name__ == "__main__":
    main()
