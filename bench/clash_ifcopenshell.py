"""Pairs that the tree of ifcopenshell (which ifcclash calls) finds in the IFC files of a folder, for clash_score.py.

    python bench/clash_ifcopenshell.py FOLDER intersection|collision|clearance METRES OUT.json [X,Y,Z]

METRES is the tolerance of `intersection` (ifcclash takes 0.002 by default) and the clearance of `clearance`;
`collision` takes none, and counts touching as a collision. X,Y,Z in metres is added to all coordinates, as
-456789,-5432110,-120 to bring the benchmark to the origin.
"""

import glob
import json
import multiprocessing
import os
import sys

import ifcopenshell
import ifcopenshell.geom

BACKEND = os.environ.get("BACKEND", "opencascade.trianglebvh")


def main():
    folder, mode, metres, out = sys.argv[1:5]
    settings = ifcopenshell.geom.settings()
    if len(sys.argv) > 5:
        settings.set("model-offset", tuple(float(x) for x in sys.argv[5].split(",")))
    tree, elements = ifcopenshell.geom.tree(backend=BACKEND), []
    for path in sorted(glob.glob(os.path.join(folder, "*.ifc"))):
        model = ifcopenshell.open(path)
        own = [element for element in model.by_type("IfcElement") if not element.is_a("IfcOpeningElement")]
        iterator = ifcopenshell.geom.iterator(settings, model, multiprocessing.cpu_count(), include=own)
        tree.add_iterator(iterator)
        elements.append((model, own))
    everything = [element for _, own in elements for element in own]
    if mode == "intersection":
        found = tree.clash_intersection_many(everything, everything, tolerance=float(metres), check_all=True)
    elif mode == "collision":
        found = tree.clash_collision_many(everything, everything, allow_touching=True)
    else:
        found = tree.clash_clearance_many(everything, everything, clearance=float(metres), check_all=True)
    names = lambda clash: sorted([clash.a.get_argument(2), clash.b.get_argument(2)])
    kinds = {"protrusion": "hard", "pierce": "hard", "collision": None, "clearance": "clearance"}
    pairs = {}
    for clash in found:
        kind = kinds[ifcopenshell.geom.tree.get_clash_type(clash.clash_type)] if hasattr(clash, "clash_type") else None
        a, b = names(clash)
        if a != b:
            pairs[(a, b)] = kind
    with open(out, "w", encoding="utf-8") as stream:
        json.dump([[a, b, *([kind] if kind else [])] for (a, b), kind in sorted(pairs.items())], stream)
    print(f"{len(pairs)} pairs")


if __name__ == "__main__":
    main()
