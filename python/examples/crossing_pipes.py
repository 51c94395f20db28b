"""Clashes of a rack of pipes, by kind and depth."""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import sudar


def pipe(radius: float, length: float, n: int = 24) -> sudar.Mesh:
    turn = np.linspace(0, 2 * np.pi, n, endpoint=False)
    ring = radius * np.stack([np.cos(turn), np.sin(turn)], 1)
    ends = [np.column_stack([np.full(n, x), ring]) for x in (-length / 2, length / 2)]
    vertices = np.concatenate([*ends, [[-length / 2, 0, 0], [length / 2, 0, 0]]])
    i, j = np.arange(n), np.roll(np.arange(n), -1)
    a, b = np.full(n, 2 * n), np.full(n, 2 * n + 1)
    faces = [np.stack(t, 1) for t in ((i, j, n + j), (i, n + j, n + i), (a, j, i), (b, n + i, n + j))]
    return sudar.Mesh(vertices, np.concatenate(faces)[:, ::-1], solid=True)


def main() -> None:
    random = np.random.default_rng(5)
    along, across = [0, 0, 0, 1], [0, 0, np.sqrt(0.5), np.sqrt(0.5)]
    parts = {}
    for i in range(60):
        turn, (x, y) = (along, across)[i % 2], random.uniform(-4, 4, 2)
        place = [0.0, y, random.uniform(0, 3)] if i % 2 == 0 else [x, 0.0, random.uniform(0, 3)]
        parts[f"pipe {i}"] = (pipe(random.choice([0.05, 0.1, 0.2]), 8.0), (place, turn))
    table = sudar.clash(parts, clearance=0.05)

    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.6), layout="constrained")
    colours = dict(zip(sorted(set(table.kind)), plt.cm.tab10.colors))
    for name, (_, (place, turn)) in parts.items():
        ends = np.array([[-4, 0], [4, 0]]) if turn is along else np.array([[0, -4], [0, 4]])
        left.plot(*(ends + place[:2]).T, color="lightgrey", lw=2, zorder=1)
    for kind, colour in colours.items():
        of = table.kind == kind
        left.scatter(*table.point[of, :2].T, color=colour, s=24, zorder=2, label=f"{kind}: {of.sum()}")
    left.set(title="From above", xlabel="m", ylabel="m", aspect="equal")
    left.legend(loc="upper center", bbox_to_anchor=(0.5, -0.12), ncols=3)
    right.hist(1000 * table.depth[np.isfinite(table.depth)], bins=20, color="tab:blue")
    right.set(title="How deep pipes are in each other", xlabel="mm", ylabel="clashes")
    figure.savefig(Path(__file__).with_suffix(".png"), dpi=90)
    print(table.to_pandas()[["name_a", "name_b", "kind", "depth"]].head() if len(table) else "no clash")


if __name__ == "__main__":
    main()
