"""ipctk (Tight-Inclusion inside) on the sample queries of vertex-face and edge-edge, one thread, at the delta of `examples/motions.rs`.

    SUDAR_DATA=… python corners.py

Each query is timed with what a call costs taken off: the same call on corners so far apart that its first box settles it. That
still contains one box, so that the times are a little too small. The median and the mean of the least of several runs are printed.
"""

import glob
import os
import statistics
import time

import ipctk
import numpy as np

DELTA = 1e-6
RUNS = 10
SLOW = 1_000_000  # ns; what takes longer is timed once


def queries(path):
    rows = []
    for line in open(path):
        if line.strip():
            n = [int(x) for x in line.split(",")[:6]]
            rows.append((n[0] / n[1], n[2] / n[3], n[4] / n[5]))
    rows = np.array(rows)
    return [np.asfortranarray(rows[i : i + 8]) for i in range(0, len(rows) - 7, 8)]


def least(call):
    best = float("inf")
    for _ in range(RUNS):
        begin = time.perf_counter_ns()
        call()
        best = min(best, time.perf_counter_ns() - begin)
        if best > SLOW:
            break
    return best


def main():
    folder = os.path.join(os.environ["SUDAR_DATA"], "ccd/sample-queries")
    for kind in ("vertex-face", "edge-edge"):
        times, hits, empties = [], 0, []
        for path in sorted(glob.glob(f"{folder}/*{kind}*")):
            for q in queries(path):
                size = (q.max(axis=0) - q.min(axis=0)).max()
                solver = ipctk.TightInclusionCCD(tolerance=DELTA * size, max_iterations=1_000_000, conservative_rescaling=1.0)
                ask = solver.point_triangle_ccd if kind == "vertex-face" else solver.edge_edge_ccd
                corners = [np.array(p) for p in q]
                far = [p + (1e3 * size if i % 4 == 0 or (i % 4 == 1 and kind == "edge-edge") else 0.0) for i, p in enumerate(corners)]
                found = ask(*corners, min_distance=0.0, tmax=1.0)
                hits += bool(found[0])
                empty = least(lambda: ask(*far, min_distance=0.0, tmax=1.0))
                empties.append(empty)
                times.append(max(0, least(lambda: ask(*corners, min_distance=0.0, tmax=1.0)) - empty))
        print(
            f"{kind}: {len(times)} queries, {hits} hits, mean {statistics.mean(times):.0f} ns, "
            f"median {statistics.median(times):.0f} ns (empty call {statistics.median(empties):.0f} ns)"
        )


main()
