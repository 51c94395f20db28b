"""Clash with clearance of an assembly by FCL through Python, beside `sudar clash` on the same pairs of parts.

    pip install python-fcl numpy
    python bench/clash_fcl.py ASSEMBLY.obj[.gz]… --clearance D [--bench bench/target/release/sudar-bench]
                              [--sudar target/release/sudar] [--repeat N]

For each file: the parts are the OBJ's `o` (triangles and positive vertex numbers only); a candidate is a pair of
parts whose boxes, grown by half the clearance, have a point in common. FCL answers for each candidate `collide` (first
contact) and, where that finds none, `distance`; what is within the clearance is a clash. Sudar does it twice on one thread
(`sudar-bench assembly`): the same question, `query::within` for each candidate; and all that `sudar clash` does, which
is more: solids, kinds, every triangle pair, containment. All times are without reading files and, as trees are part of the
work, with building them (those of Sudar also with finding the candidates); the least of N runs counts. The `seconds` of
`sudar clash --json` are for its examination alone, without solids and trees, and are given besides.

Candidates must agree, and so must the pairs found, those of `sudar clash` but for parts inside others, of which FCL knows
nothing: any other difference ends the script with status 1. One JSON object a file.
"""

import argparse
import gzip
import json
import pathlib
import subprocess
import sys
import time
from importlib.metadata import version

import fcl
import numpy


def read_parts(path):
    """Vertices and faces of each part, its vertices numbered from 0."""
    opened = gzip.open(path, "rt") if path.suffix == ".gz" else open(path)
    vertices, parts = [], []
    with opened as lines:
        for line in lines:
            words = line.split()
            if not words:
                continue
            if words[0] == "o":
                parts.append([])
            elif words[0] == "v":
                vertices.append([float(x) for x in words[1:4]])
            elif words[0] == "f":
                if len(words) != 4:
                    sys.exit(f"{path}: has a face that is no triangle; triangulate it")
                parts[-1].append([int(word.split("/")[0]) - 1 for word in words[1:]])
    vertices = numpy.array(vertices)
    return [own_vertices(vertices, numpy.array(faces)) for faces in parts]


def own_vertices(vertices, faces):
    used, local = numpy.unique(faces, return_inverse=True)
    return numpy.ascontiguousarray(vertices[used]), local.reshape(-1, 3)


def candidates(parts, clearance):
    low = numpy.array([v.min(axis=0) for v, _ in parts]) - clearance / 2
    high = numpy.array([v.max(axis=0) for v, _ in parts]) + clearance / 2
    pairs = []
    for a in range(len(parts)):
        meets = numpy.all((low[a] <= high[a + 1:]) & (low[a + 1:] <= high[a]), axis=1)
        pairs += [(a, a + 1 + int(k)) for k in numpy.nonzero(meets)[0]]
    return pairs


def build(vertices, faces):
    model = fcl.BVHModel()
    model.beginModel(len(vertices), len(faces))
    model.addSubModel(vertices, faces)
    model.endModel()
    return fcl.CollisionObject(model, fcl.Transform())


def check(parts, pairs, clearance):
    """The pairs found, and the seconds for trees and for queries."""
    start = time.perf_counter()
    objects = [build(*part) for part in parts]
    built = time.perf_counter()
    found = []
    for a, b in pairs:
        if fcl.collide(objects[a], objects[b], fcl.CollisionRequest(), fcl.CollisionResult()) > 0:
            found.append((a, b))
        elif clearance > 0:
            gap = fcl.distance(objects[a], objects[b], fcl.DistanceRequest(), fcl.DistanceResult())
            if gap <= clearance:
                found.append((a, b))
    return found, built - start, time.perf_counter() - built


def sudar(command, path, clearance):
    line = [command, "clash", str(path), "--json", "--threads", "1", "--clearance", repr(clearance)]
    run = subprocess.run(line, capture_output=True, text=True)
    if run.returncode > 1:
        sys.exit(run.stderr.strip())
    return json.loads(run.stdout)


def library(command, path, clearance, repeat):
    line = [command, "assembly", str(path), "--clearance", repr(clearance), "--repeat", str(repeat)]
    run = subprocess.run(line, capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(run.stderr.strip())
    return json.loads(run.stdout)


def compare(path, clearance, command, bench, repeat):
    parts = read_parts(path)
    pairs = candidates(parts, clearance)
    theirs = [check(parts, pairs, clearance) for _ in range(repeat)]
    ours = [sudar(command, path, clearance) for _ in range(repeat)]
    timed = library(bench, path, clearance, repeat)
    found = {(clash["a"], clash["b"]) for clash in ours[0]["clashes"]}
    inside = {(c["a"], c["b"]) for c in ours[0]["clashes"] if c["kind"] == "contained" and c["triangle_pairs"] == 0}
    fcl_seconds = min(tree + queries for _, tree, queries in theirs)
    same = {tuple(pair) for pair in timed["found"]}
    return {
        "file": path.name,
        "clearance": clearance,
        "parts": len(parts),
        "triangles": sum(len(faces) for _, faces in parts),
        "candidates": len(pairs),
        "same_candidates": ours[0]["candidates"] == timed["candidates"] == len(pairs),
        "found": len(found),
        "only_fcl": sorted(set(theirs[0][0]) - found),
        "only_sudar": sorted(found - inside - set(theirs[0][0])),
        "only_one_in_same_question": sorted(same ^ set(theirs[0][0])),
        "fcl_trees_seconds": min(tree for _, tree, _ in theirs),
        "fcl_seconds": fcl_seconds,
        "sudar_trees_seconds": timed["trees_seconds"],
        "sudar_same_question_seconds": timed["within_seconds"],
        "times_faster_same_question": fcl_seconds / timed["within_seconds"],
        "sudar_clash_seconds": timed["clash_seconds"],
        "times_faster_clash": fcl_seconds / timed["clash_seconds"],
        "sudar_examination_seconds": min(document["seconds"] for document in ours),
        "fcl": version("python-fcl"),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("assembly", nargs="+", type=pathlib.Path)
    parser.add_argument("--clearance", type=float, required=True)
    parser.add_argument("--sudar", default="target/release/sudar")
    parser.add_argument("--bench", default="bench/target/release/sudar-bench")
    parser.add_argument("--repeat", type=int, default=5)
    args = parser.parse_args()
    differs = False
    for path in args.assembly:
        row = compare(path, args.clearance, args.sudar, args.bench, args.repeat)
        differs |= not row["same_candidates"]
        differs |= any(row[key] for key in ("only_fcl", "only_sudar", "only_one_in_same_question"))
        print(json.dumps(row), flush=True)
    sys.exit(1 if differs else 0)


if __name__ == "__main__":
    main()
