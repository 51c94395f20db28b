"""FCL on the motions of meshes that `examples/motions.rs` wrote: its naive continuous collision detection with 100 samples and its
conservative advancement, one thread, beside the times of Sudar.

    SUDAR_DATA=… python motions.py FILE.jsonl [naive]

With `naive` the conservative advancement, which takes minutes, is left out.

Both are handed the start and end transforms of the second mesh; FCL interpolates as Sudar does (straight line, shortest turn). A miss is a
contact that Sudar reports and FCL does not; `late` is a time of contact beyond Sudar's, the surfaces being in each other by then.
"""

import collections
import json
import os
import statistics
import sys
import time

import fcl
import numpy as np
import trimesh


def model(name):
    path = os.path.join(os.environ["SUDAR_DATA"], "meshes", name)
    mesh = trimesh.load(path, process=False, force="mesh")
    shape = fcl.BVHModel()
    shape.beginModel(len(mesh.vertices), len(mesh.faces))
    shape.addSubModel(np.asarray(mesh.vertices, float), np.asarray(mesh.faces, np.int32))
    shape.endModel()
    return shape


def transform(rows):
    return fcl.Transform(np.array(rows[:3]), np.array(rows[3]))


def main():
    shapes = {}
    tallies = collections.defaultdict(lambda: collections.defaultdict(list))
    solvers = {
        "naive 100": fcl.CCDSolverType.CCDC_NAIVE,
        "conservative advancement": fcl.CCDSolverType.CCDC_CONSERVATIVE_ADVANCEMENT,
    }
    if sys.argv[2:] == ["naive"]:
        del solvers["conservative advancement"]
    for line in open(sys.argv[1]):
        case = json.loads(line)
        for name in (case["a"], case["b"]):
            shapes.setdefault(name, None)
            if shapes[name] is None:
                shapes[name] = model(name)
        tally = tallies[case["pair"], case["kind"]]
        tally["sudar"].append(case["ns"] / 1e3)
        for label, solver in solvers.items():
            still = fcl.CollisionObject(shapes[case["a"]], fcl.Transform())
            moving = fcl.CollisionObject(shapes[case["b"]], transform(case["start"]))
            request = fcl.ContinuousCollisionRequest(num_max_iterations=100, toc_err=1e-4, ccd_solver_type=solver)
            result = fcl.ContinuousCollisionResult()
            begin = time.perf_counter()
            try:
                toc = fcl.continuousCollide(
                    still, fcl.Transform(), moving, transform(case["end"]), request, result
                )
            except Exception as error:  # what the package cannot do is said, not hidden
                tally[label + " error " + str(error)].append(1)
                continue
            tally[label].append((time.perf_counter() - begin) * 1e6)
            hit = bool(result.is_collide)
            tally[label + " missed"].append(case["hit"] and not hit)
            tally[label + " extra"].append(hit and not case["hit"])
            if hit and case["hit"]:
                tally[label + " late"].append(toc > case["free"] + 0.01)
    for (pair, kind), tally in tallies.items():
        print(f"{pair} {kind}: sudar median {statistics.median(tally['sudar']):.1f} µs, mean {statistics.mean(tally['sudar']):.1f}")
        for label in solvers:
            if tally[label]:
                print(
                    f"    {label}: median {statistics.median(tally[label]):.0f} µs, mean {statistics.mean(tally[label]):.0f}, "
                    f"missed {sum(tally[label + ' missed'])}, extra {sum(tally[label + ' extra'])}, "
                    f"late {sum(tally[label + ' late'])} of {len(tally[label])}"
                )
        for label in tally:
            if " error " in label:
                print("   ", label, len(tally[label]))


main()
