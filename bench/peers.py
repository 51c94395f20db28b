"""Times Coal and FCL on query files and prints one JSON object per case, for `sudar-bench meshes` and `distance`.

    pip install coal python-fcl trimesh numpy scipy
    python bench/peers.py QUERIES [--case GLOB] [--repeat N] [--lists DIR] > peers.jsonl

QUERIES is a folder as `sudar-bench emit` writes it. With --lists, the triangle pairs that each library reports
go to DIR/CASE.LIBRARY.pairs, one JSON list a pose, for `sudar-bench referee`.
Kinds of poses (deep, near, touching, far, path) are cases of their own, told by the file's name. Distances are given pose
by pose, zero for those that touch, so that `sudar-bench distance` can compare them with its own.
Times are microseconds per pose: the mean over the poses, the median over the sweeps. The call from Python is in it,
about one microsecond.
"""

import argparse
import fnmatch
import functools
import json
import pathlib
import statistics
import time
from importlib.metadata import version

import coal
import fcl
import numpy
import trimesh
from scipy.spatial.transform import Rotation

ALL = 10**8  # more contacts than any case has


def read_case(path):
    """The two meshes of a query file, and for each `intersects` query the poses of both."""
    queries = [json.loads(line) for line in path.read_text().splitlines() if line.strip()]
    queries = [q for q in queries if q["query"] == "intersects"]
    files = {(q["a"]["mesh"], q["b"]["mesh"]) for q in queries}
    if len(files) != 1:
        raise SystemExit(f"{path}: all queries of a case must be about the same two meshes")
    meshes = [read_mesh(path.parent / name) for name in files.pop()]
    return meshes, [(pose(q.get("pose_a")), pose(q.get("pose_b"))) for q in queries]


@functools.cache
def read_mesh(path):
    # Unprocessed: triangle numbers must stay those of the file.
    mesh = trimesh.load(path, process=False, force="mesh")
    return numpy.asarray(mesh.vertices, dtype=float), numpy.asarray(mesh.faces)


def pose(text):
    """Rotation matrix and translation of a pose as query files write it."""
    text = text or {}
    if "matrix" in text:
        matrix = numpy.array(text["matrix"]).reshape(4, 4)
        return matrix[:3, :3], matrix[:3, 3]
    rotation = Rotation.from_quat(text.get("rotation", [0, 0, 0, 1])).as_matrix()
    return rotation, numpy.array(text.get("translation", [0.0, 0.0, 0.0]))


class Coal:
    name = "coal"

    def build(self, mesh):
        vertices, faces = mesh
        model = coal.BVHModelOBBRSS()
        model.beginModel(len(faces), len(vertices))
        model.addVertices(vertices)
        model.addTriangles(faces.astype(numpy.uint64))
        model.endModel()
        return model

    def place(self, model, pose):
        return model, coal.Transform3s(*pose)

    def contacts(self, a, b, most):
        request, result = coal.CollisionRequest(), coal.CollisionResult()
        request.num_max_contacts = most
        coal.collide(*a, *b, request, result)
        return result

    def count(self, result):
        return result.numContacts()

    def pairs(self, result):
        return [(c.b1, c.b2) for c in result.getContacts()]

    def distance(self, a, b):
        return coal.distance(*a, *b, coal.DistanceRequest(), coal.DistanceResult())


class Fcl:
    name = "fcl"

    def build(self, mesh):
        vertices, faces = mesh
        model = fcl.BVHModel()
        model.beginModel(len(faces), len(vertices))
        model.addSubModel(vertices, faces)
        model.endModel()
        return model

    def place(self, model, pose):
        return fcl.CollisionObject(model, fcl.Transform(*pose))

    def contacts(self, a, b, most):
        result = fcl.CollisionResult()
        fcl.collide(a, b, fcl.CollisionRequest(num_max_contacts=most), result)
        return result

    def count(self, result):
        return len(result.contacts)

    def pairs(self, result):
        return [(c.b1, c.b2) for c in result.contacts]

    def distance(self, a, b):
        return fcl.distance(a, b, fcl.DistanceRequest(), fcl.DistanceResult())


def sweeps(repeat, f, placed):
    """Median over the sweeps of the mean time, and the answers. A path is long enough to be walked once."""
    times = []
    for _ in range(repeat if len(placed) < 500 else 1):
        start = time.perf_counter()
        answers = [f(a, b) for a, b in placed]
        times.append((time.perf_counter() - start) / len(placed) * 1e6)
    return statistics.median(times), answers


def measure(library, case, meshes, poses, options):
    start = time.perf_counter()
    a, b = (library.build(mesh) for mesh in meshes)
    build = (time.perf_counter() - start) / sum(len(faces) for _, faces in meshes) * 1e6
    placed = [(library.place(a, p), library.place(b, q)) for p, q in poses]
    first, hits = sweeps(options.repeat, lambda a, b: library.count(library.contacts(a, b, 1)), placed)
    every, counts = sweeps(options.repeat, lambda a, b: library.count(library.contacts(a, b, ALL)), placed)
    distance, distances = sweeps(options.repeat, library.distance, placed)
    if options.lists:
        write_pairs(options.lists / f"{case}.{library.name}.pairs", library, placed)
    return {
        "build_us_per_tri": round(build, 2),
        "hits": sum(map(bool, hits)),
        "first_hit_us": round(first, 1),
        "all_pairs_us": round(every, 1),
        "pairs": sum(counts),
        "distance_us": round(distance, 1),
        "distances": [max(0.0, d) for d in distances],
    }


def write_pairs(path, library, placed):
    with path.open("w") as out:
        for a, b in placed:
            pairs = sorted({(int(i), int(j)) for i, j in library.pairs(library.contacts(a, b, ALL))})
            out.write(json.dumps(pairs) + "\n")


def main():
    parser = argparse.ArgumentParser(description="Times Coal and FCL on query files.")
    parser.add_argument("queries", type=pathlib.Path)
    parser.add_argument("--case", default="*")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--lists", type=pathlib.Path)
    options = parser.parse_args()
    if options.lists:
        options.lists.mkdir(parents=True, exist_ok=True)
    for path in sorted(options.queries.glob("*.jsonl")):
        if not fnmatch.fnmatch(path.stem, options.case):
            continue
        meshes, poses = read_case(path)
        c, f = (measure(library, path.stem, meshes, poses, options) for library in (Coal(), Fcl()))
        row = {key: {"coal": c[key], "fcl": f[key]} for key in c if key.endswith("_us") or "_us_" in key}
        row |= {"pairs": [c["pairs"], f["pairs"]]}
        row |= {"distances": {"coal": c["distances"], "fcl": f["distances"]}}
        row |= {"case": path.stem, "poses": len(poses), "triangles": [len(m[1]) for m in meshes]}
        row |= {"hits": c["hits"], "hits_fcl": f["hits"]}
        row["versions"] = {"coal": version("coal"), "python-fcl": version("python-fcl")}
        print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
