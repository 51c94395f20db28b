"""Whole clash checks by `sudar clash` and by the tree of ifcopenshell, on the same meshes: those of ifcopenshell.

    python bench/clash_tree.py target/release/sudar FILE.ifc…

Needs the package ifcopenshell, for the `python3` of the path too. Seconds of the check alone: what `sudar clash` says, and
the call `clash_intersection_many` of all elements with all (backend `opencascade.trianglebvh`, no deeper than 2 mm left
out); both after the geometry is made and its trees are built. Each the least of RUNS, by turns in the same minute. The
last line is of 10 000 boxes in rows, each of which overlaps the next by a tenth.
"""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import ifcopenshell
import ifcopenshell.geom

RUNS = 5
LEFT_OUT = ("IfcSpace", "IfcSpatialZone", "IfcOpeningElement", "IfcOpeningStandardCase", "IfcVirtualElement")
BODIES = ("body", "facetation", "tessellation", "solidmodel")


def boxes(path, side=(100, 10, 10)):
    """Cubes of 1 m, by 0.9 along x and by turns 0.25 aside, which overlap, and by 2 along y and z, which do not."""
    lines = ["#1=IFCCARTESIANPOINT((0.,0.,0.));", "#2=IFCAXIS2PLACEMENT3D(#1,$,$);", "#3=IFCDIRECTION((0.,0.,1.));",
             "#4=IFCGEOMETRICREPRESENTATIONCONTEXT($,'Model',3,1.E-5,#2,$);", "#5=IFCSIUNIT(*,.LENGTHUNIT.,$,.METRE.);",
             "#6=IFCUNITASSIGNMENT((#5));", "#7=IFCPROJECT('0000000000000000000000',$,'p',$,$,$,$,(#4),#6);",
             "#8=IFCRECTANGLEPROFILEDEF(.AREA.,$,$,1.,1.);", "#9=IFCEXTRUDEDAREASOLID(#8,#2,#3,1.);"]
    n = 10
    for x in range(side[0]):
        for y in range(side[1]):
            for z in range(side[2]):
                guid = ifcopenshell.guid.new()
                lines += [f"#{n}=IFCCARTESIANPOINT(({0.9 * x:.1f},{2.0 * y + 0.25 * (x % 2):.2f},{2.0 * z + 0.25 * (x % 2):.2f}));",
                          f"#{n + 1}=IFCAXIS2PLACEMENT3D(#{n},$,$);", f"#{n + 2}=IFCLOCALPLACEMENT($,#{n + 1});",
                          f"#{n + 3}=IFCSHAPEREPRESENTATION(#4,'Body','SweptSolid',(#9));",
                          f"#{n + 4}=IFCPRODUCTDEFINITIONSHAPE($,$,(#{n + 3}));",
                          f"#{n + 5}=IFCBUILDINGELEMENTPROXY('{guid}',$,'box',$,$,#{n + 2},#{n + 4},$,$);"]
                n += 6
    head = "ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION((''),'2;1');\nFILE_NAME('','',(''),(''),'','','');\n" \
           "FILE_SCHEMA(('IFC4'));\nENDSEC;\nDATA;\n"
    path.write_text(head + "\n".join(lines) + "\nENDSEC;\nEND-ISO-10303-21;\n")


def has_body(element):
    shape = element.Representation
    return shape is not None and any((r.RepresentationIdentifier or "body").lower() in BODIES for r in shape.Representations)


def tree_of(path):
    """The tree of a file, and its elements."""
    model = ifcopenshell.open(str(path))
    settings = ifcopenshell.geom.settings()
    settings.set("use-world-coords", True)
    wanted = [p for p in model.by_type("IfcProduct") if has_body(p) and p.is_a() not in LEFT_OUT]
    tree, elements = ifcopenshell.geom.tree(backend="opencascade.trianglebvh"), []
    iterator = ifcopenshell.geom.iterator(settings, model, 2, include=wanted)
    going = iterator.initialize()
    while going:
        shape = iterator.get()
        tree.add_element(shape)
        elements.append(model.by_id(shape.id))
        going = iterator.next()
    return tree, elements


def by_tree(tree, elements):
    start = time.perf_counter()
    found = tree.clash_intersection_many(elements, elements, tolerance=0.002, check_all=True)
    return time.perf_counter() - start, len(found)


def by_sudar(command, path):
    words = [command, "clash", str(path), "--ifc-with", "ifcopenshell", "--touch", "1mm", "--json"]
    text = subprocess.run(words, capture_output=True, text=True, check=False).stdout
    document = json.loads(text)
    hard = sum(clash["kind"] in ("hard", "contained", "duplicate") for clash in document["clashes"])
    return document["seconds"], len(document["clashes"]), hard, len(document["parts"])


def row(command, path, name):
    tree, elements = tree_of(path)
    trees, sudars = [], []
    for _ in range(RUNS):
        trees.append(by_tree(tree, elements))
        sudars.append(by_sudar(command, path))
    (theirs, found), (ours, clashes, hard, parts) = min(trees), min(sudars)
    print(f"| {name} | {parts} | {found} | {hard} | {clashes - hard} | {theirs:.4f} | {ours:.4f} | {theirs / ours:.2f} |",
          flush=True)


def main():
    command, files = sys.argv[1], [Path(name) for name in sys.argv[2:]]
    print("| file | parts | tree: clashes | sudar: overlaps | others | tree, s | sudar, s | times |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    for path in files:
        row(command, path, path.stem)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "boxes.ifc"
        boxes(path)
        row(command, path, "10 000 boxes")


if __name__ == "__main__":
    main()
