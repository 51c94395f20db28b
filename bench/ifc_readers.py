#!/usr/bin/env python3
"""IFC files read by ifc-lite (in sudar) and by ifcopenshell, element by element: python bench/ifc_readers.py SUDAR FOLDER

SUDAR is a build with --features ifc; python3 on the PATH has ifcopenshell. Prints a table in Markdown: elements that both
have, those that one alone has, how many have bounds within a millimetre and the same class and storey, closed parts,
lost elements by either, seconds of either."""
import json
import os
import subprocess
import sys
import time

LIMIT = 30


def read(sudar, path, more):
    command = [sudar, "clash", path, "--kinds", "duplicate", "--read-seconds", str(LIMIT), "--json", "--no-times"]
    start = time.time()
    run = subprocess.run(command + more, capture_output=True, text=True)
    seconds = time.time() - start
    if not run.stdout:
        return None, run.stderr.strip().split(": ", 2)[-1], seconds
    return json.loads(run.stdout), None, seconds


def by_id(document):
    metres = {"mm": 0.001, "cm": 0.01, "m": 1.0, "ft": 0.3048, "in": 0.0254}.get(document["unit"], 1.0)
    parts = {}
    for part in document["parts"]:
        known = part.get("properties", {})
        box = [x * metres for side in ("min", "max") for x in part["bounds"][side]]
        parts[known.get("GlobalId")] = (known.get("class"), known.get("storey"), box, part["closed"])
    return parts


def row(sudar, path):
    name = os.path.basename(path)
    ours, error, seconds = read(sudar, path, [])
    theirs, their_error, their_seconds = read(sudar, path, ["--ifc-with", "ifcopenshell"])
    if ours is None or theirs is None:
        return [name, error or "read", their_error or "read", f"{seconds:.2f}", f"{their_seconds:.2f}"]
    a, b = by_id(ours), by_id(theirs)
    both = a.keys() & b.keys()
    near = sum(max(abs(x - y) for x, y in zip(a[i][2], b[i][2])) <= 1e-3 for i in both)
    same = sum(a[i][:2] == b[i][:2] for i in both)
    closed = [sum(part[3] for part in parts.values()) for parts in (a, b)]
    lost = [len(document.get("lost", [])) for document in (ours, theirs)]
    return [name, len(both), len(a) - len(both), len(b) - len(both), near, same, *closed, *lost,
            f"{seconds:.2f}", f"{their_seconds:.2f}"]


def main():
    sudar, folder = sys.argv[1:3]
    rows = [row(sudar, os.path.join(folder, name)) for name in sorted(os.listdir(folder)) if name.endswith(".ifc")]
    head = ["file", "both", "ifc-lite alone", "ifcopenshell alone", "within 1 mm", "class and storey", "closed",
            "closed, ifcopenshell", "lost", "lost, ifcopenshell", "s", "s, ifcopenshell"]
    print("| " + " | ".join(head) + " |\n|---|" + "---:|" * (len(head) - 1))
    refused = [r for r in rows if len(r) == 5]
    for r in rows:
        if len(r) != 5:
            print("| " + " | ".join(map(str, r)) + " |")
    sums = [sum(r[k] for r in rows if len(r) != 5) for k in range(1, 10)]
    print("| **all** | " + " | ".join(map(str, sums)) + " | | |")
    if refused:
        print("\n| not read by either or one | ifc-lite | ifcopenshell | s | s, ifcopenshell |\n|---|---|---|---:|---:|")
        for r in refused:
            print("| " + " | ".join(r) + " |")


if __name__ == "__main__":
    main()
