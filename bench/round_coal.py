"""Times Coal on the bodies and poses that `sudar-bench round --write FILE` has written, and prints a table.

    pip install coal trimesh numpy
    python bench/round_coal.py FILE [--repeat N]

Microseconds a query: the mean over the poses, the least of the sweeps. The call from Python is in it, about one
microsecond. Distances that differ from Sudar's by more than 1e-5 of the mesh are counted.
"""

import argparse
import functools
import json
import pathlib
import time

import coal
import numpy
import trimesh


@functools.cache
def read_mesh(path):
    mesh = trimesh.load(path, process=False, force="mesh")
    vertices, faces = numpy.asarray(mesh.vertices, dtype=float), numpy.asarray(mesh.faces)
    model = coal.BVHModelOBBRSS()
    model.beginModel(len(faces), len(vertices))
    model.addVertices(vertices)
    model.addTriangles(faces.astype(numpy.uint64))
    model.endModel()
    return model, float(numpy.linalg.norm(numpy.ptp(vertices, axis=0)))


def make(body):
    kind = body["kind"]
    if kind == "sphere":
        return coal.Sphere(body["radius"])
    if kind == "box":
        return coal.Box(*(2 * x for x in body["half"]))
    if kind == "hull":
        points = coal.StdVec_Vec3s()
        points.extend([numpy.array(p) for p in body["points"]])
        return coal.Convex.convexHull(points, True, "")
    if kind == "ellipsoid":
        return coal.Ellipsoid(*body["radii"])
    shape = {"capsule": coal.Capsule, "cylinder": coal.Cylinder, "cone": coal.Cone}[kind]
    return shape(body["radius"], 2 * body["half_length"])


def sweeps(repeat, query, poses):
    least, answers = float("inf"), []
    for _ in range(repeat):
        answers = []
        start = time.perf_counter()
        for pose in poses:
            answers.append(query(pose))
        least = min(least, time.perf_counter() - start)
    return least / len(poses) * 1e6, answers


def measure(case, repeat):
    model, size = read_mesh(case["mesh"])
    body, here = make(case["body"]), coal.Transform3s.Identity()
    poses = [
        coal.Transform3s(numpy.array(p[:9]).reshape(3, 3), numpy.array(p[9:])) for p in case["poses"]
    ]

    def intersects(pose):
        request, result = coal.CollisionRequest(), coal.CollisionResult()
        return coal.collide(model, here, body, pose, request, result)

    def distance(pose):
        return coal.distance(model, here, body, pose, coal.DistanceRequest(), coal.DistanceResult())

    hit, _ = sweeps(repeat, intersects, poses)
    far, distances = sweeps(repeat, distance, poses)
    differ = sum(
        abs(max(d, 0.0) - ours) > 1e-5 * size for d, ours in zip(distances, case["distances"], strict=True)
    )
    return hit, far, differ


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    print(f"Coal {coal.__version__}\n")
    print("| mesh | body | where | intersects: Sudar | Coal | × | distance: Sudar | Coal | × | differ |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for line in options.file.read_text().splitlines():
        case = json.loads(line)
        ours_hit, ours_far = case["sudar_us"][:2]
        if case["body"] is None:
            continue
        hit, far, differ = measure(case, options.repeat)
        name = pathlib.Path(case["mesh"]).name.split(".")[0]
        print(
            f"| {name} | {case['name']} | {case['where']} "
            f"| {ours_hit:.3g} | {hit:.3g} | {hit / ours_hit:.1f} "
            f"| {ours_far:.3g} | {far:.3g} | {far / ours_far:.1f} | {differ} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
