"""Times Qhull (scipy) on the points that `sudar-bench hull --write DIR` wrote: `python3 bench/qhull.py DIR [REPEAT]`."""

import pathlib
import sys
import time

import numpy
import scipy
from scipy.spatial import ConvexHull

repeat = int(sys.argv[2]) if len(sys.argv) > 2 else 3
print(f"scipy {scipy.__version__}, numpy {numpy.__version__}, medians\n\n| ms | points | vertices | Qhull |\n|---|---|---|---|")
for path in sorted(pathlib.Path(sys.argv[1]).glob("*.f64"), key=lambda p: (-len(p.name.split("-")[0]), p.stat().st_size)):
    points = numpy.fromfile(path, dtype="<f8").reshape(-1, 3)
    times = []
    for _ in range(max(repeat, 300_000 // len(points))):
        start = time.perf_counter()
        hull = ConvexHull(points)
        times.append(time.perf_counter() - start)
    median = sorted(times)[len(times) // 2] * 1e3
    print(f"| {path.name.split('-')[0]} | {len(points)} | {len(hull.vertices)} | {median:.3g} |", flush=True)
