"""IFC through the package."""

from __future__ import annotations

import numpy as np
import pytest

import sudar

# Metres; a wall along x, and a column that stands halfway in it. Where each begins, and its width, depth and height.
PARTS = {
    "IFCWALL": ("Wall", (0.0, 0.0, 0.0), (4.0, 0.25, 3.0)),
    "IFCCOLUMN": ("Column", (1.0, 0.125, 0.0), (0.5, 0.5, 2.5)),
}

HEAD = """ISO-10303-21;
HEADER;
FILE_DESCRIPTION((''),'2;1');
FILE_NAME('','2026-01-01T00:00:00',(''),(''),'','','');
FILE_SCHEMA(('IFC4'));
ENDSEC;
DATA;
#1=IFCCARTESIANPOINT((0.,0.,0.));
#2=IFCAXIS2PLACEMENT3D(#1,$,$);
#3=IFCGEOMETRICREPRESENTATIONCONTEXT($,'Model',3,1.E-5,#2,$);
#4=IFCSIUNIT(*,.LENGTHUNIT.,$,.METRE.);
#5=IFCUNITASSIGNMENT((#4));
#6=IFCPROJECT('0000000000000000000006',$,'Project',$,$,$,$,(#3),#5);
#7=IFCLOCALPLACEMENT($,#2);
#8=IFCBUILDINGSTOREY('0000000000000000000008',$,'Ground',$,$,#7,$,$,.ELEMENT.,0.);
#9=IFCRELAGGREGATES('0000000000000000000009',$,$,$,#6,(#8));
#10=IFCDIRECTION((0.,0.,1.));
"""


def ifc(path):
    lines, parts, n = [HEAD], [], 100
    for kind, (name, (x, y, z), (width, depth, height)) in PARTS.items():
        middle = f"{x + width / 2}, {y + depth / 2}"
        lines.append(f"""#{n}=IFCCARTESIANPOINT(({middle}));
#{n + 1}=IFCAXIS2PLACEMENT2D(#{n},$);
#{n + 2}=IFCRECTANGLEPROFILEDEF(.AREA.,$,#{n + 1},{width},{depth});
#{n + 3}=IFCCARTESIANPOINT((0.,0.,{z}));
#{n + 4}=IFCAXIS2PLACEMENT3D(#{n + 3},$,$);
#{n + 5}=IFCEXTRUDEDAREASOLID(#{n + 2},#{n + 4},#10,{height});
#{n + 6}=IFCSHAPEREPRESENTATION(#3,'Body','SweptSolid',(#{n + 5}));
#{n + 7}=IFCPRODUCTDEFINITIONSHAPE($,$,(#{n + 6}));
#{n + 8}={kind}('{n + 8:022}',$,'{name}',$,$,#7,#{n + 7},$,$);
""")
        parts.append(f"#{n + 8}")
        n += 100
    lines.append(f"#11=IFCRELCONTAINEDINSPATIALSTRUCTURE('0000000000000000000011',$,$,$,({','.join(parts)}),#8);\n")
    path.write_text("".join(lines) + "ENDSEC;\nEND-ISO-10303-21;\n")
    return path


@pytest.fixture
def model(tmp_path):
    return ifc(tmp_path / "house.ifc")


def test_ifc_is_read(model):
    found = sudar.load(model)
    assert [part.name for part in found.parts] == [name for name, _, _ in PARTS.values()]
    for part, (kind, (_, low, size)) in zip(found.parts, PARTS.items(), strict=True):
        points = part.body.vertices @ part.pose[:3, :3].T + part.pose[:3, 3]
        assert np.allclose(points.min(0), low, atol=1e-9) and np.allclose(points.max(0), np.add(low, size), atol=1e-9)
        assert part.body.is_solid and part.properties["class"].upper() == kind
        assert part.properties["storey"] == "Ground"


def test_parts_of_ifc_clash(model):
    table = sudar.clash(str(model))
    assert [table.names[i] for i in (*table.a, *table.b)] == ["Wall", "Column"]
    # The column stands 0.125 m deep in the wall.
    assert list(table.kind) == ["hard"] and np.isclose(table.depth[0], 0.125)
