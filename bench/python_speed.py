"""The package beside python-fcl, Coal and trimesh: batches of mesh pairs, one pair, and trimesh's collision manager.

    pip install . python-fcl==0.7.0.11 coal==3.0.3 trimesh==5.2.0
    python bench/python_speed.py

A scene of 30 balls of 1 280 triangles each as one mesh (38 400), and a link of 256, at fresh poses in each round.
Seconds are the least of five rounds.
"""

from __future__ import annotations

import argparse
import os
import time

import numpy as np
import trimesh

import sudar
from sudar.compat.trimesh import CollisionManager


def scene() -> tuple[trimesh.Trimesh, trimesh.Trimesh]:
    random = np.random.default_rng(1)
    balls = []
    for _ in range(30):
        ball = trimesh.creation.icosphere(subdivisions=3, radius=random.uniform(0.1, 0.3))
        ball.apply_translation(random.uniform(-1.5, 1.5, 3))
        balls.append(ball)
    link = trimesh.creation.cylinder(radius=0.05, height=0.4, sections=64)
    return trimesh.util.concatenate(balls), link


def poses(count: int, seed: int) -> np.ndarray:
    random = np.random.default_rng(seed)
    q = random.normal(size=(count, 4))
    q /= np.linalg.norm(q, axis=1)[:, None]
    p = random.uniform(-1.6, 1.6, (count, 3))
    return sudar._core.matrix((p, q))


def least(rounds: int, work) -> float:
    times = []
    for i in range(rounds):
        prepared = work(i)
        start = time.perf_counter()
        prepared()
        times.append(time.perf_counter() - start)
    return min(times)


def batch(rows: list, count: int, loop: int, rounds: int) -> None:
    import coal
    import fcl

    world, link = scene()
    a, b = sudar.Mesh.from_trimesh(world, solid=False), sudar.Mesh.from_trimesh(link, solid=False)
    ours = {}
    for threads in (1, 2):
        def work(i, threads=threads):
            at = poses(count, i)
            return lambda: ours.__setitem__(i, sudar.intersects(a, b, pose_b=at, threads=threads))
        seconds = least(rounds, work)
        rows.append((f"sudar.intersects, a batch of {count}, {threads} thread(s)", seconds / count))

    def model(mesh):
        found = coal.BVHModelOBBRSS()
        found.beginModel(len(mesh.faces), len(mesh.vertices))
        found.addVertices(np.asarray(mesh.vertices))
        found.addTriangles(np.asarray(mesh.faces, dtype=np.uint64))
        found.endModel()
        return found

    first, second = model(world), model(link)
    functor = coal.ComputeCollision(first, second)
    here, request = coal.Transform3s(), coal.CollisionRequest()

    def with_coal(i):
        at = poses(count, i)[:loop]
        there = [coal.Transform3s(m[:3, :3], m[:3, 3]) for m in at]

        def work():
            result, hits = coal.CollisionResult(), 0
            for pose in there:
                result.clear()
                hits += functor(here, pose, request, result) > 0
            assert hits == ours[i][:loop].sum(), (hits, ours[i][:loop].sum())

        return work

    rows.append((f"coal.ComputeCollision, a loop over {loop}", least(rounds, with_coal) / loop))

    def bvh(mesh):
        found = fcl.BVHModel()
        found.beginModel(len(mesh.faces), len(mesh.vertices))
        found.addSubModel(mesh.vertices, mesh.faces)
        found.endModel()
        return found

    one, other = fcl.CollisionObject(bvh(world)), fcl.CollisionObject(bvh(link))

    def with_fcl(i):
        at = poses(count, i)[:loop]

        def work():
            hits = 0
            for m in at:
                other.setTransform(fcl.Transform(m[:3, :3], m[:3, 3]))
                hits += fcl.collide(one, other) > 0
            assert hits == ours[i][:loop].sum()

        return work

    rows.append((f"fcl.collide, a loop over {loop}", least(rounds, with_fcl) / loop))


def single(rows: list, rounds: int) -> None:
    import coal
    import fcl

    ball, far = sudar.Sphere(0.5), np.eye(4)
    far[0, 3] = 3.0
    n = 20_000

    def ours(i):
        def work():
            for _ in range(n):
                sudar.intersects(ball, ball, None, far)

        return work

    rows.append(("sudar.intersects, two balls", least(rounds, ours) / n))

    def distances(i):
        def work():
            for _ in range(n):
                sudar.distance(ball, ball, None, far)

        return work

    rows.append(("sudar.distance, two balls", least(rounds, distances) / n))
    one, other = fcl.CollisionObject(fcl.Sphere(0.5)), fcl.CollisionObject(fcl.Sphere(0.5), fcl.Transform(far[:3, 3]))

    def with_fcl(i):
        def work():
            for _ in range(n):
                fcl.collide(one, other)

        return work

    rows.append(("fcl.collide, two balls", least(rounds, with_fcl) / n))
    shape, here, there = coal.Sphere(0.5), coal.Transform3s(), coal.Transform3s(far[:3, :3], far[:3, 3])
    request = coal.CollisionRequest()

    def with_coal(i):
        def work():
            for _ in range(n):
                coal.collide(shape, here, shape, there, request, coal.CollisionResult())

        return work

    rows.append(("coal.collide, two balls", least(rounds, with_coal) / n))


def managers(rows: list, rounds: int) -> None:
    world, link = scene()
    parts = [part for part in world.split()]
    for name, kind in (("trimesh with python-fcl", trimesh.collision.CollisionManager), ("sudar.compat.trimesh", CollisionManager)):
        manager = kind()
        for i, part in enumerate(parts):
            manager.add_object(str(i), part)
        extra = kind()
        extra.add_object("link", link)

        def in_single(i):
            at = poses(200, i)
            return lambda: [manager.in_collision_single(link, m) for m in at]

        rows.append((f"{name}: in_collision_single", least(rounds, in_single) / 200))

        def names(i):
            at = poses(200, i)
            return lambda: [manager.in_collision_single(link, m, return_names=True) for m in at]

        rows.append((f"{name}: in_collision_single with names", least(rounds, names) / 200))

        def other(i):
            at = poses(2000, i)

            def work():
                for m in at:
                    extra.set_transform("link", m)
                    manager.in_collision_other(extra)

            return work

        rows.append((f"{name}: set_transform, in_collision_other", least(rounds, other) / 2000))

        def internal(i):
            at = poses(200, i)

            def work():
                for m in at:
                    manager.set_transform("0", m)
                    manager.in_collision_internal(return_names=True)

            return work

        rows.append((f"{name}: set_transform, in_collision_internal with names", least(rounds, internal) / 200))

        def nearest(i):
            at = poses(50, i)
            return lambda: [manager.min_distance_single(link, m) for m in at]

        rows.append((f"{name}: min_distance_single", least(rounds, nearest) / 50))

        def among(i):
            at = poses(20, i)

            def work():
                for m in at:
                    manager.set_transform("0", m)
                    manager.min_distance_internal()

            return work

        rows.append((f"{name}: set_transform, min_distance_internal", least(rounds, among) / 20))

        def build(i):
            fresh = [part.copy() for part in parts]

            def work():
                new = kind()
                for k, part in enumerate(fresh):
                    new.add_object(str(k), part)

            return work

        rows.append((f"{name}: 30 add_object of fresh meshes", least(rounds, build)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=1_000_000, help="poses of the batch")
    parser.add_argument("--loop", type=int, default=20_000, help="of these, how many the rivals' loops take")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", choices=["batch", "single", "managers"])
    args = parser.parse_args()
    rows: list[tuple[str, float]] = []
    if args.only in (None, "batch"):
        batch(rows, args.count, args.loop, args.rounds)
    if args.only in (None, "single"):
        single(rows, args.rounds)
    if args.only in (None, "managers"):
        managers(rows, args.rounds)
    print(f"load {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores\n")
    print("| what | µs |\n|---|---|")
    for name, seconds in rows:
        print(f"| {name} | {1e6 * seconds:.2f} |")


if __name__ == "__main__":
    main()
