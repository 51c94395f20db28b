"""A million poses on several processes, or on a cluster where Ray is installed (`pip install sudar[ray]`).

Each worker has the mesh with its tree once; what is sent to it later is poses. The answers are the same bits as of one
process. For a cluster, start Ray on its machines (`ray start --head`, `ray start --address=HEAD:6379`) and set
RAY_ADDRESS=auto.
"""

from __future__ import annotations

import os
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import sudar

WORKERS = 2


class Checker:
    """What a worker holds."""

    def __init__(self, wall: sudar.Mesh, probe: sudar.Capsule) -> None:
        self.wall, self.probe = wall, probe

    def check(self, places: np.ndarray) -> np.ndarray:
        # Ray and others give a worker a share of the cores, which it has to keep to.
        return sudar.intersects(self.wall, self.probe, pose_b=(places, [0, 0, 0, 1]), threads=1)


def by_ray(wall: sudar.Mesh, probe: sudar.Capsule, chunks: list[np.ndarray]) -> list[np.ndarray]:
    import ray

    ray.init(address=os.environ.get("RAY_ADDRESS"), log_to_driver=False)
    actor = ray.remote(num_cpus=1)(Checker)
    actors = [actor.remote(wall, probe) for _ in range(WORKERS)]
    pool = ray.util.ActorPool(actors)
    return list(pool.map(lambda actor, chunk: actor.check.remote(chunk), chunks))


held: Checker


def begin(wall: sudar.Mesh, probe: sudar.Capsule) -> None:
    global held
    held = Checker(wall, probe)


def check(places: np.ndarray) -> np.ndarray:
    return held.check(places)


def by_processes(wall: sudar.Mesh, probe: sudar.Capsule, chunks: list[np.ndarray]) -> list[np.ndarray]:
    with ProcessPoolExecutor(WORKERS, get_context("fork"), begin, (wall, probe)) as pool:
        return list(pool.map(check, chunks))


def sheet(n: int) -> sudar.Mesh:
    x, y = np.meshgrid(np.linspace(-1, 1, n), np.linspace(-1, 1, n), indexing="ij")
    height = 0.15 * np.sin(7 * x) * np.cos(5 * y + 2 * x)
    k = np.arange(n * n).reshape(n, n)
    corners = [k[:-1, :-1], k[1:, :-1], k[1:, 1:], k[:-1, 1:]]
    faces = np.stack([corners[i] for i in (0, 1, 2, 0, 2, 3)], axis=-1).reshape(-1, 3)
    return sudar.Mesh(np.stack([x, y, height], axis=-1).reshape(-1, 3), faces)


def main() -> None:
    wall, probe = sheet(200), sudar.Capsule(0.02, 0.05)
    x, y = np.meshgrid(np.linspace(-1, 1, 1000), np.linspace(-1, 1, 1000))
    places = np.stack([x, y, np.full_like(x, 0.05)], axis=-1).reshape(-1, 3)
    chunks = np.array_split(places, 40)
    try:
        import ray  # noqa: F401

        run, name = by_ray, "Ray"
    except ImportError:
        run, name = by_processes, "processes"
    start = time.perf_counter()
    touched = np.concatenate(run(wall, probe, chunks))
    seconds = time.perf_counter() - start
    assert np.array_equal(touched[::97], sudar.intersects(wall, probe, pose_b=(places[::97], [0, 0, 0, 1])))

    figure, axes = plt.subplots(figsize=(5.6, 5.6), layout="constrained")
    axes.imshow(touched.reshape(x.shape), extent=(-1, 1, -1, 1), origin="lower", cmap="Blues")
    axes.set(title="Where a capsule touches a wavy sheet", xlabel="m", ylabel="m")
    figure.savefig(Path(__file__).with_suffix(".png"), dpi=90)
    print(f"{len(places)} poses by {WORKERS} workers ({name}) in {seconds:.1f} s, {touched.mean():.0%} touch")


if __name__ == "__main__":
    main()
