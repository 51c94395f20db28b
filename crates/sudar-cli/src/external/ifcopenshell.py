# Reads an IFC file with the Python package ifcopenshell and prints its elements, a line of JSON each, in the unit of
# the file. Arguments: the file, the most bytes of memory, and what to take that is no body ("spaces", "openings").
import base64, json, multiprocessing, os, sys, threading

def refuse(why):
    print(json.dumps({"refused": why}), flush=True)
    os._exit(0)

def parent_ended():
    while os.read(0, 4096):
        pass
    os._exit(13)

threading.Thread(target=parent_ended, daemon=True).start()
path, memory, wanted = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
try:
    import resource
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
except (ImportError, ValueError, OSError):
    pass
try:
    import ifcopenshell, ifcopenshell.geom, ifcopenshell.util.element as util, ifcopenshell.util.unit as units
except ImportError as error:
    refuse(f"the Python package ifcopenshell is not there ({error}); install it with: pip install ifcopenshell")
try:
    if path.lower().endswith(".gz"):
        import gzip
        with gzip.open(path, "rt", encoding="utf-8", errors="surrogateescape") as stream:
            model = ifcopenshell.file.from_string(stream.read())
    else:
        model = ifcopenshell.open(path)
    unit = units.calculate_unit_scale(model)
except Exception as error:
    refuse(f"ifcopenshell cannot read it: {error}; export it again".replace("\n", " "))

SPACES = ("IfcSpace", "IfcSpatialZone", "IfcExternalSpatialElement", "IfcVirtualElement")
OPENINGS = ("IfcOpeningElement", "IfcOpeningStandardCase", "IfcVoidingFeature")
BODIES = ("body", "facetation", "tessellation", "solidmodel")
left_out = tuple(c for c in (() if "spaces" in wanted else SPACES) + (() if "openings" in wanted else OPENINGS))

def parents(element):
    for _ in range(256):
        filled = [r.RelatingOpeningElement for r in getattr(element, "FillsVoids", ())]
        element = util.get_aggregate(element) or util.get_container(element, should_get_direct=True) \
            or util.get_nest(element) or (filled or [None])[0] \
            or next((r.RelatingBuildingElement for r in getattr(element, "VoidsElements", ())), None)
        if element is None:
            return
        yield element

def properties(element):
    storey = next((p.Name for p in parents(element) if p.is_a("IfcBuildingStorey")), None)
    kind = util.get_type(element)
    systems = next((s for s in ([r.RelatingGroup.Name for r in e.HasAssignments if r.is_a("IfcRelAssignsToGroup")
                    and r.RelatingGroup.is_a("IfcSystem")] for e in (element, *parents(element))
                    if hasattr(e, "HasAssignments")) if s), [])
    pairs = [("class", element.is_a()), ("GlobalId", element.GlobalId), ("storey", storey)]
    pairs += [("system", s) for s in systems] + [("type", kind and kind.Name), ("tag", getattr(element, "Tag", None))]
    return [[k, v] for k, v in pairs if v]

def name(element):
    return element.Name or f"{element.is_a()} #{element.id()}"

def has_body(element):
    shape = element.Representation
    return shape is not None and any((r.RepresentationIdentifier or "body").lower() in BODIES for r in shape.Representations)

products = sorted((p for p in model.by_type("IfcProduct") if has_body(p)), key=lambda p: p.id())
taken = [p for p in products if p.is_a() not in left_out]
print(json.dumps({"unit": unit}))
print(json.dumps({"left_out": len(products) - len(taken)}))
import numpy
import ifcopenshell.util.placement as placement

def world(product):
    place = product.ObjectPlacement
    return placement.get_local_placement(place) if place is not None else numpy.eye(4)

def line(curve, frame):
    if not curve.is_a("IfcPolyline") or len(curve.Points) != 2:
        return None
    ends = [frame @ numpy.array([*p.Coordinates[:2], 0.0, 1.0]) for p in curve.Points]
    return [[float(p[0]), float(p[1])] for p in ends]

for storey in model.by_type("IfcBuildingStorey"):
    high = world(storey)[2][3] if storey.ObjectPlacement is not None else storey.Elevation
    if storey.Name and high is not None:
        print(json.dumps({"level": {"name": storey.Name, "elevation": float(high)}}))
families = ((grid, axes) for grid in model.by_type("IfcGrid") for axes in (grid.UAxes, grid.VAxes, grid.WAxes))
for family, (grid, axes) in enumerate(families):
    for axis in axes or ():
        ends = line(axis.AxisCurve, world(grid))
        if ends and axis.AxisTag:
            print(json.dumps({"axis": {"name": axis.AxisTag, "family": family, "line": ends}}))
settings = ifcopenshell.geom.settings()
settings.set("use-world-coords", True)
shapes = {}
if taken:
    threads = int(os.environ.get("RAYON_NUM_THREADS") or multiprocessing.cpu_count())
    iterator = ifcopenshell.geom.iterator(settings, model, threads, include=taken)
    if iterator.initialize():
        while True:
            shape = iterator.get()
            shapes[shape.id] = (bytes(shape.geometry.verts_buffer), bytes(shape.geometry.faces_buffer))
            if not iterator.next():
                break
for product in taken:
    known = {"name": name(product), "properties": properties(product)}
    found = shapes.get(product.id())
    if not found or not found[1]:
        print(json.dumps({"lost": {**known, "error": "ifcopenshell makes no shape of it; look at it in a viewer, and export it again"}}))
        continue
    vertices = numpy.frombuffer(found[0], dtype="<f8") / unit
    text = lambda array: base64.b64encode(array.tobytes()).decode()
    print(json.dumps({"element": {**known, "vertices": text(vertices), "triangles": base64.b64encode(found[1]).decode()}}))
print(json.dumps("end"))
sys.stdout.flush()
os._exit(0)
