#!/usr/bin/env python3
"""IFC files read by sudar and by ifcopenshell, element by element: python bench/ifc_readers.py SUDAR FOLDER

python3 on the PATH has ifcopenshell and numpy. Prints a table in Markdown: elements that both have, those that one alone
has, how many have bounds within a millimetre, a volume within half a percent (of those closed by both), and the same
class and storey; closed parts, lost elements by either, seconds of either."""
import json
import os
import subprocess
import sys
import tempfile
import time

import numpy as np

LIMIT = 300


def read(sudar, path, more):
    with tempfile.TemporaryDirectory() as folder:
        target = os.path.join(folder, "out.glb")
        start = time.time()
        run = subprocess.run([sudar, "clash", path, "--kinds", "duplicate", "--read-seconds", str(LIMIT), "--json",
                              "--no-times"] + more, capture_output=True, text=True)
        seconds = time.time() - start
        if not run.stdout:
            return None, run.stderr.strip().split(": ", 2)[-1], seconds
        document = json.loads(run.stdout)
        if document.get("failed"):
            return None, document["failed"][0]["error"], seconds
        subprocess.run([sudar, "convert", path, target] + more, capture_output=True)
        return document, volumes(target), seconds


def volumes(path):
    """Six times the volume of each part of a GLB, by its name and order."""
    with open(path, "rb") as stream:
        data = stream.read()
    length = int.from_bytes(data[12:16], "little")
    gltf, binary = json.loads(data[20:20 + length]), data[28 + length:]
    views = gltf["bufferViews"]

    def array(accessor, kind, width):
        a = gltf["accessors"][accessor]
        start = views[a["bufferView"]].get("byteOffset", 0) + a.get("byteOffset", 0)
        return np.frombuffer(binary, kind, a["count"] * width, start).reshape(-1, width).astype(float)

    found = []
    for node in gltf["nodes"]:
        if "mesh" not in node:
            continue
        total = 0.0
        for primitive in gltf["meshes"][node["mesh"]]["primitives"]:
            points = array(primitive["attributes"]["POSITION"], "<f4", 3)
            index = gltf["accessors"][primitive["indices"]]
            kind = {5121: "u1", 5123: "<u2", 5125: "<u4"}[index["componentType"]]
            corners = points[array(primitive["indices"], kind, 1).astype(int).reshape(-1, 3)] - points.mean(0)
            total += np.einsum("ij,ij->", corners[:, 0], np.cross(corners[:, 1], corners[:, 2]))
        found.append(total)
    return found


def by_id(document, volume):
    metres = {"mm": 0.001, "cm": 0.01, "m": 1.0, "ft": 0.3048, "in": 0.0254}.get(document["unit"], 1.0)
    parts = {}
    for part, volume in zip(document["parts"], volume):
        known = part.get("properties", {})
        box = [x * metres for side in ("min", "max") for x in part["bounds"][side]]
        parts[known.get("GlobalId")] = (known.get("class"), known.get("storey"), box, part["closed"], volume)
    return parts


def row(sudar, path):
    name = os.path.basename(path)
    ours, volume, seconds = read(sudar, path, [])
    theirs, their_volume, their_seconds = read(sudar, path, ["--ifc-with", "ifcopenshell"])
    if ours is None or theirs is None:
        why = lambda document, error: "read" if document else error
        return [name, why(ours, volume), why(theirs, their_volume), f"{seconds:.2f}", f"{their_seconds:.2f}"]
    a, b = by_id(ours, volume), by_id(theirs, their_volume)
    both = a.keys() & b.keys()
    near = sum(max(abs(x - y) for x, y in zip(a[i][2], b[i][2])) <= 1e-3 for i in both)
    solid = [i for i in both if a[i][3] and b[i][3]]
    equal = sum(abs(a[i][4] - b[i][4]) <= 5e-3 * abs(b[i][4]) for i in solid)
    same = sum(a[i][:2] == b[i][:2] for i in both)
    closed = [sum(part[3] for part in parts.values()) for parts in (a, b)]
    lost = [len(document.get("lost", [])) for document in (ours, theirs)]
    return [name, len(both), len(a) - len(both), len(b) - len(both), near, f"{equal} of {len(solid)}", same, *closed,
            *lost, f"{seconds:.2f}", f"{their_seconds:.2f}"]


def main():
    sudar, folder = sys.argv[1:3]
    rows = [row(sudar, os.path.join(folder, name)) for name in sorted(os.listdir(folder)) if name.endswith(".ifc")]
    head = ["file", "both", "ours alone", "ifcopenshell alone", "within 1 mm", "same volume", "class and storey",
            "closed", "closed, ifcopenshell", "lost", "lost, ifcopenshell", "s", "s, ifcopenshell"]
    print("| " + " | ".join(head) + " |\n|---|" + "---:|" * (len(head) - 1))
    for r in rows:
        if len(r) != 5:
            print("| " + " | ".join(map(str, r)) + " |")
    refused = [r for r in rows if len(r) == 5]
    if refused:
        print("\n| not read by either or one | sudar | ifcopenshell | s | s, ifcopenshell |\n|---|---|---|---:|---:|")
        for r in refused:
            print("| " + " | ".join(r) + " |")


main()
