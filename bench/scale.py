#!/usr/bin/env python3
"""What a cluster costs beside the threads of one machine, and what a million answers cost.

    pip install 'sudar-….whl[ray]'
    bench/scale.py clash plant.sudar [--runs 3]          a clash check in chunks, by threads and by Ray, in turns
    bench/scale.py check [--rows 100000000] [--ray]      random configurations of the Panda among the first problem's things
    bench/scale.py model                                 many workers, simulated by the times of a driver and of chunks

`clash` and `check` start a Ray cluster of this machine alone. `check` reads robots and problems of the folder in
SUDAR_DATA, and needs 120 bytes of disk for each row in --folder.
"""

import argparse
import gzip
import hashlib
import heapq
import json
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import time

import numpy as np

import sudar
import sudar.cluster

MADE = ("threads", "ray")


def timed(work):
    began = time.perf_counter()
    found = work()
    return time.perf_counter() - began, found


def clash(args):
    """Both engines in turns, each run in a folder of its own."""
    took = {engine: [] for engine in MADE}
    sums = set()
    for _ in range(args.runs):
        for engine in MADE:
            folder = pathlib.Path(tempfile.mkdtemp(dir=args.folder))
            command = [sys.executable, "-m", "sudar", "clash", args.store, "--touch", "0", "--job", folder / "job"]
            command += ["--no-times", "--table", folder / "clashes.csv", *(["--cluster", "ray"] if engine == "ray" else [])]
            seconds, run = timed(lambda: subprocess.run(command, capture_output=True, text=True))
            assert run.returncode in (0, 1), run.stderr
            took[engine].append(seconds)
            sums.add(hashlib.sha256((folder / "clashes.csv").read_bytes()).hexdigest())
            print(f"{engine}: {seconds:.1f} s, {len(os.listdir(folder / 'job/chunks'))} chunks", flush=True)
            shutil.rmtree(folder)
    least = [min(took[engine]) for engine in MADE]
    print(f"least: {least[0]:.1f} s by threads, {least[1]:.1f} s by Ray, {100 * (least[1] / least[0] - 1):.1f} % more; "
          f"{'one table' if len(sums) == 1 else 'tables DIFFER'}")


def cell():
    """The Panda of meshes among the things of the first problem of MotionBenchMaker's."""
    data = pathlib.Path(os.environ["SUDAR_DATA"])
    folder = data / "robots/panda"
    robot = sudar.Robot.load(folder / "panda.urdf", srdf=folder / "panda.srdf", skip_missing_meshes=True)
    with gzip.open(data / "planning/mbm_panda.json.gz") as file:
        problem = next(iter(json.load(file).values()))[0]
    scene = {}
    for number, thing in enumerate(problem["obstacles"]):
        size = thing["dimensions"]
        half = [length / 2 for length in size]
        body = sudar.Box(half) if thing["type"] == "box" else sudar.Cylinder(size[1], half[0])
        x, y, z, w = thing["pose"]["orientation"]
        scene[f"thing {number}"] = (body, (thing["pose"]["position"], [x, y, z, w]))
    found = robot.cell(scene)
    found.map_pairs()
    return found


def check(args):
    ours = cell()
    folder = pathlib.Path(tempfile.mkdtemp(dir=args.folder))
    shape = (args.rows, ours.robot.dof)
    rows = np.lib.format.open_memmap(folder / "q.npy", mode="w+", dtype=np.float64, shape=shape)
    for first in range(0, args.rows, 1_000_000):
        count = min(1_000_000, args.rows - first)
        rows[first : first + count] = ours.robot.sample(count, seed=first)
    rows.flush()
    rows = np.load(folder / "q.npy", mmap_mode="r")
    try:
        engine = "ray" if args.ray else "threads"
        seconds, free = timed(lambda: sudar.cluster.check(ours, rows, folder / "job", engine=engine))
        few = ours.check(rows[:: max(1, args.rows // 100_000)])
        assert np.array_equal(few, free[:: max(1, args.rows // 100_000)])
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
        cores = os.cpu_count()
        print(f"{args.rows} configurations by {engine}: {seconds:.0f} s, {1e6 * seconds / args.rows:.3f} s a million, "
              f"{1e6 * seconds * cores / args.rows:.2f} core seconds a million, {100 * free.mean():.1f} % free, "
              f"driver {peak:.1f} GB")
    finally:
        shutil.rmtree(folder)


def model(args):
    """Each worker takes the next chunk when it has none; the driver serves one at a time."""
    random = np.random.default_rng(1)
    print("| workers | hours | share of what as many cores could do |\n|---:|---:|---:|")
    for workers in (1, 2, 8, 32, 128, 512):
        chunks = random.lognormal(np.log(args.chunk), 0.5, args.chunks)
        driver, free = 0.0, [(args.start, worker) for worker in range(workers)]
        for seconds in chunks:
            at, worker = heapq.heappop(free)
            driver = max(driver, at) + args.serve
            heapq.heappush(free, (driver + args.wait + seconds, worker))
        end = max(at for at, _ in free)
        print(f"| {workers} | {end / 3600:.2f} | {100 * chunks.sum() / workers / end:.0f} % |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", default=tempfile.gettempdir(), help="where jobs are made")
    which = parser.add_subparsers(required=True)
    one = which.add_parser("clash")
    one.add_argument("store")
    one.add_argument("--runs", type=int, default=3)
    one.set_defaults(run=clash)
    one = which.add_parser("check")
    one.add_argument("--rows", type=int, default=100_000_000)
    one.add_argument("--ray", action="store_true")
    one.set_defaults(run=check)
    one = which.add_parser("model")
    one.add_argument("--chunks", type=int, default=20_000, help="how many chunks")
    one.add_argument("--chunk", type=float, default=2.0, help="seconds of a worker for one, the median")
    one.add_argument("--serve", type=float, default=0.005, help="seconds of the driver for one")
    one.add_argument("--wait", type=float, default=0.002, help="seconds that a chunk and its answers travel")
    one.add_argument("--start", type=float, default=10.0, help="seconds until workers are there")
    one.set_defaults(run=model)
    args = parser.parse_args()
    args.run(args)


if __name__ == "__main__":
    main()
