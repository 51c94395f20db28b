"""A drop-in for `trimesh.collision`: the same classes and functions with this library behind them.

>>> from sudar.compat.trimesh import CollisionManager     # in place of trimesh.collision.CollisionManager

What differs, and why:

- Trees are built once for a mesh and kept as long as it lives; trimesh builds one in each `in_collision_single`.
- Convex meshes are the hulls of their vertices, as there; contacts and distances name triangles all the same.
- Closed meshes are solid: a body inside one touches it, whether it is convex or not. With python-fcl that is so of
  convex meshes alone. `CollisionManager(solid=False)` takes all meshes as surfaces.
- Yes and no are exact for the vertices as posed, and distances are true within rounding.
- Meshes that are not convex have contact points of the regions where they meet, with the depth there, not one for each
  pair of triangles. Their distance is 0 where they meet, as with python-fcl; `sudar.penetration` has their depth.
- Transforms that scale or shear are applied to the vertices; python-fcl takes them for rotations.
- Managers pickle and copy; names may be any hashable objects, as there.
"""

from __future__ import annotations

import weakref
from collections.abc import Hashable
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from sudar import _core
from sudar._answers import Distances
from sudar._queries import closest_point, manifold, penetration
from sudar._shapes import Body, ConvexHull, Mesh

EXTERNAL = "__external"
"""The name of the mesh that is not in the manager."""


class ContactData:
    """A contact of two objects."""

    def __init__(
        self,
        names: tuple[Hashable, Hashable],
        shapes: tuple[_Placed, _Placed],
        point: npt.NDArray[np.float64],
        normal: npt.NDArray[np.float64],
        depth: float,
        faces: tuple[int, int] | None = None,
    ) -> None:
        self.names = set(names)
        self._order, self._shapes, self._faces = names, shapes, faces
        self._point, self._normal, self._depth = point, normal, depth

    @property
    def normal(self) -> npt.NDArray[np.float64]:
        """(3,): unit normal from the first object to the second, as python-fcl has it."""
        return self._normal

    @property
    def point(self) -> npt.NDArray[np.float64]:
        """(3,): the point in the world, half way between the surfaces."""
        return self._point

    @property
    def depth(self) -> float:
        """How deep the objects are in each other there."""
        return self._depth

    def index(self, name: Hashable) -> int:
        """The number of the face of that object that is nearest to the point."""
        side = self._order.index(name)
        if self._faces is not None:
            return self._faces[side]
        return self._shapes[side].face(self._point)


class DistanceData:
    """The distance of two objects."""

    def __init__(
        self,
        names: tuple[Hashable, Hashable],
        distance: float,
        points: tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]],
        shapes: tuple[_Placed, _Placed],
    ) -> None:
        self.names = set(names)
        self._order, self._distance, self._points, self._shapes = names, distance, points, shapes

    @property
    def distance(self) -> float:
        """The distance; below zero for how deep convex objects are in each other."""
        return self._distance

    def index(self, name: Hashable) -> int:
        """The number of the face of that object that the nearest point lies on."""
        side = self._order.index(name)
        return self._shapes[side].face(self._points[side])

    def flipped(self) -> DistanceData:
        """The same with the objects in the other order."""
        (a, b), (p, q), (first, second) = self._order, self._points, self._shapes
        return DistanceData((b, a), self._distance, (q, p), (second, first))

    def point(self, name: Hashable) -> npt.NDArray[np.float64]:
        """(3,): the nearest point of that object."""
        return self._points[self._order.index(name)]


class _Shape:
    """A mesh of trimesh with its bodies, each made when it is first needed."""

    def __init__(self, mesh: Any, solid: bool | None, matrix: npt.NDArray[np.float64] | None = None) -> None:
        vertices = np.array(mesh.vertices, dtype=np.float64)
        if matrix is not None:
            vertices = vertices @ matrix[:3, :3].T + matrix[:3, 3]
        self._vertices, self._faces, self._solid = vertices, np.array(mesh.faces), solid
        self.convex = bool(mesh.is_convex) and solid is not False
        self.body: Body = ConvexHull(vertices) if self.convex else Mesh(vertices, self._faces, solid=solid)

    @cached_property
    def solid(self) -> Mesh:
        """The triangles, and what they enclose if they are closed."""
        return Mesh(self._vertices, self._faces, solid=self._solid)

    @cached_property
    def surface(self) -> Mesh:
        """The triangles alone, of which every point has a nearest one."""
        return Mesh(self._vertices, self._faces)


class _Placed:
    """A shape where it stands."""

    __slots__ = ("pose", "shape")

    def __init__(self, shape: _Shape, pose: npt.NDArray[np.float64]) -> None:
        self.shape, self.pose = shape, pose

    def face(self, point: npt.NDArray[np.float64]) -> int:
        return int(closest_point(self.shape.surface, point, self.pose).feature)


_KNOWN: dict[tuple[int, bool | None], tuple[weakref.ref[Any], int, _Shape]] = {}


def _shape_of(mesh: Any, solid: bool | None) -> _Shape:
    """The shape of a mesh: that made before, unless the mesh has changed since."""
    key, state = (id(mesh), solid), hash(mesh)
    known = _KNOWN.get(key)
    if known is not None and known[0]() is mesh and known[1] == state:
        return known[2]
    shape = _Shape(mesh, solid)

    def forget(_: Any, key: tuple[int, bool | None] = key) -> None:
        _KNOWN.pop(key, None)

    _KNOWN[key] = (weakref.ref(mesh, forget), state, shape)
    return shape


def _matrix(transform: Any) -> npt.NDArray[np.float64]:
    matrix = np.eye(4) if transform is None else np.asarray(transform, dtype=np.float64)
    if matrix.shape != (4, 4):
        raise ValueError("transform must be (4,4)!")
    return matrix


def _placed(mesh: Any, transform: Any, solid: bool | None) -> _Placed:
    """The shape of a mesh and its pose; what is not rigid is applied to the vertices."""
    matrix = _matrix(transform)
    try:
        pose = _core.matrix(matrix)
    except ValueError:
        if not np.isfinite(matrix).all():
            raise
        return _Placed(_Shape(mesh, solid, matrix), np.eye(4))
    return _Placed(_shape_of(mesh, solid), pose)


_ALL = (1, 0xFFFFFFFF, ())
"""A search for all objects."""


class CollisionManager:
    """Meshes of trimesh that are looked at all at once; see `trimesh.collision.CollisionManager`."""

    def __init__(self, solid: bool | None = None) -> None:
        self._core = _core.Manager(0.0, "auto")
        self._solid = solid
        self._objs: dict[Hashable, dict[str, Any]] = {}
        self._numbers: dict[int, Hashable] = {}

    def add_object(self, name: Hashable, mesh: Any, transform: Any = None) -> Body:
        """Adds a mesh at a (4, 4) transform, in place of one of that name."""
        placed = _placed(mesh, transform, self._solid)
        if name in self._objs:
            self.remove_object(name)
        body = placed.shape.body
        number = self._core.insert(str(name), body, placed.pose, False, 1, 0xFFFFFFFF, 0.0)
        self._objs[name] = {"obj": body, "geom": placed.shape, "placed": placed, "number": number, "mesh": mesh}
        self._numbers[number] = name
        return body

    def remove_object(self, name: Hashable) -> None:
        """Removes a mesh. ValueError if there is none of that name."""
        known = self._objs.pop(self._known(name))
        del self._numbers[known["number"]]
        self._core.remove(known["number"])

    def set_transform(self, name: Hashable, transform: Any) -> None:
        """Moves a mesh to a (4, 4) transform. ValueError if there is none of that name."""
        known = self._objs[self._known(name)]
        matrix = _matrix(transform)
        try:
            self._core.set_pose(known["number"], matrix)
        except ValueError:
            placed = _placed(known["mesh"], matrix, self._solid)
            self._core.replace(known["number"], placed.shape.body)
            self._core.set_pose(known["number"], placed.pose)
            known.update(obj=placed.shape.body, geom=placed.shape, placed=placed)
        else:
            known["placed"] = _Placed(known["geom"], matrix)

    def in_collision_single(
        self, mesh: Any, transform: Any = None, return_names: bool = False, return_data: bool = False
    ) -> Any:
        """Whether a mesh touches any of the manager's; the names of these, and contacts."""
        placed = _placed(mesh, transform, self._solid)
        body, pose = placed.shape.body, placed.pose
        if not (return_names or return_data):
            return self._core.first_touching(body, pose, _ALL, None)[0] is not None
        found, _ = self._core.touching(body, pose, _ALL, None)
        names = [self._numbers[number] for number in found.tolist()]
        contacts: list[ContactData] = []
        if return_data:
            for name in names:
                contacts += _contacts((name, EXTERNAL), (self._objs[name]["placed"], placed))
        return _told(bool(names), (return_names, set(names)), (return_data, contacts))

    def in_collision_internal(self, return_names: bool = False, return_data: bool = False) -> Any:
        """Whether any two of the manager's meshes touch; the pairs of names, each sorted, and contacts."""
        if not (return_names or return_data):
            return self._core.first((0, 0, 0), None)[0] is not None
        pairs = self._touching_pairs()
        contacts: list[ContactData] = []
        if return_data:
            for a, b in pairs:
                contacts += _contacts((a, b), (self._objs[a]["placed"], self._objs[b]["placed"]))
        names = {_sorted(pair) for pair in pairs}
        return _told(bool(pairs), (return_names, names), (return_data, contacts))

    def in_collision_other(
        self, other_manager: CollisionManager, return_names: bool = False, return_data: bool = False
    ) -> Any:
        """Whether any mesh touches any of another manager's; the pairs of names, the own first, and contacts."""
        some = return_names or return_data
        found, _ = self._core.touching_other(other_manager._core, not some, None)
        pairs = [(self._numbers[a], other_manager._numbers[b]) for a, b in found.tolist()]
        if not some:
            return bool(pairs)
        contacts: list[ContactData] = []
        if return_data:
            for a, b in pairs:
                contacts += _contacts((a, b), (self._objs[a]["placed"], other_manager._objs[b]["placed"]))
        return _told(bool(pairs), (return_names, set(pairs)), (return_data, contacts))

    def min_distance_single(
        self, mesh: Any, transform: Any = None, return_name: bool = False, return_data: bool = False
    ) -> Any:
        """The least distance of a mesh from any of the manager's; the name of that, and the points."""
        placed = _placed(mesh, transform, self._solid)
        body, pose = placed.shape.body, placed.pose
        found, _ = self._core.nearest_to(body, pose, _ALL, None)
        if found is None:
            return _none(return_name, return_data)
        name, gap = self._numbers[found[0]], Distances(*found[1])
        best = _gap((name, EXTERNAL), (self._objs[name]["placed"], placed), gap, flipped=True)
        if gap.upper <= 0.0 and placed.shape.convex:
            deep = self._core.deepest_in(body, pose, None)
            if deep is not None:
                other = self._numbers[deep[0]]
                best = _deep((EXTERNAL, other), (placed, self._objs[other]["placed"]), deep[1])
        return _told(best.distance, (return_name, _other_than(best._order, EXTERNAL)), (return_data, best))

    def min_distance_internal(
        self, name: Hashable = None, return_names: bool = False, return_data: bool = False
    ) -> Any:
        """The least distance of two of the manager's meshes, of one of them if it is named; their names, sorted."""
        among = (0, 0, 0) if name is None else (1, self._objs[self._known(name)]["number"], 0)
        found, _ = self._core.nearest(among, None)
        if found is None:
            return _none(return_names, return_data)
        (a, b), gap = found[0], Distances(*found[1])
        names = (self._numbers[a], self._numbers[b])
        best = _gap(names, (self._objs[names[0]]["placed"], self._objs[names[1]]["placed"]), gap)
        if gap.upper <= 0.0:
            deep = self._core.deepest(among, None)
            if deep is not None:
                names = (self._numbers[deep[0][0]], self._numbers[deep[0][1]])
                shapes = (self._objs[names[0]]["placed"], self._objs[names[1]]["placed"])
                best = _deep(names, shapes, deep[1])
        return _told(best.distance, (return_names, _sorted(best._order)), (return_data, best))

    def min_distance_other(
        self, other_manager: CollisionManager, return_names: bool = False, return_data: bool = False
    ) -> Any:
        """The least distance of a mesh from one of another manager's; their names, the own first, and the points."""
        found, _ = self._core.nearest_other(other_manager._core, None)
        if found is None:
            return _none(return_names, return_data)
        (a, b), gap = found[0], Distances(*found[1])
        names = (self._numbers[a], other_manager._numbers[b])
        shapes = (self._objs[names[0]]["placed"], other_manager._objs[names[1]]["placed"])
        best = _gap(names, shapes, gap, flipped=True)
        if gap.upper <= 0.0:
            for other, known in other_manager._objs.items():
                placed = known["placed"]
                deep = self._core.deepest_in(placed.shape.body, placed.pose, None)
                if deep is not None and deep[1][0] < best.distance:
                    name = self._numbers[deep[0]]
                    one = _deep((other, name), (placed, self._objs[name]["placed"]), deep[1])
                    best = one.flipped()
        return _told(best.distance, (return_names, best._order), (return_data, best))

    def _known(self, name: Hashable) -> Hashable:
        if name not in self._objs:
            raise ValueError(f"{name} not in collision manager!")
        return name

    def _touching_pairs(self, among: tuple[int, int, int] = (0, 0, 0)) -> list[tuple[Hashable, Hashable]]:
        found, _ = self._core.touching_pairs(among, None)
        return [(self._numbers[a], self._numbers[b]) for a, b in found.tolist()]

    def __getstate__(self) -> dict[str, Any]:
        objects = [(name, known["mesh"], known["placed"].pose) for name, known in self._objs.items()]
        return {"solid": self._solid, "objects": objects}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state["solid"])  # type: ignore[misc]
        for name, mesh, pose in state["objects"]:
            self.add_object(name, mesh, pose)


def _sorted(pair: tuple[Hashable, Hashable]) -> tuple[Hashable, Hashable]:
    a, b = sorted(pair)  # type: ignore[type-var]
    return a, b


def _told(answer: Any, *more: tuple[bool, Any]) -> Any:
    """The answer alone, or with what else is wanted."""
    wanted = [what for is_wanted, what in more if is_wanted]
    return (answer, *wanted) if wanted else answer


def _none(*more: bool) -> Any:
    """What python-fcl answers where there is nothing: the greatest number."""
    return _told(np.finfo(np.float64).max, *((is_wanted, None) for is_wanted in more))


def _contacts(names: tuple[Hashable, Hashable], shapes: tuple[_Placed, _Placed]) -> list[ContactData]:
    a, b = shapes
    if a.shape.convex and b.shape.convex:
        point_a, point_b, depth, normal = _depth(shapes)
        return [ContactData(names, shapes, 0.5 * (point_a + point_b), normal, depth)]
    found = manifold(a.shape.solid, b.shape.solid, a.pose, b.pose)
    middle = 0.5 * (found.point_a + found.point_b)
    rows = zip(middle, found.normal, found.depth.tolist(), found.features.tolist(), strict=True)
    return [
        ContactData(names, shapes, point, normal, depth, (i, j)) for point, normal, depth, (i, j) in rows
    ]


def _depth(shapes: tuple[_Placed, _Placed]) -> tuple[Any, Any, float, Any]:
    """The points, depth and normal (from the first to the second) of two convex meshes that overlap."""
    # In the order of python-fcl, which shows where directions are equally deep.
    b, a = shapes
    exact = penetration(a.shape.body, b.shape.body, a.pose, b.pose)
    # There that of the triangles: its points are corners of faces.
    found = penetration(a.shape.solid, b.shape.solid, a.pose, b.pose, nodes=1000)
    if abs(found.signed_lower - exact.signed_lower) > -1e-9 * exact.signed_lower:
        found = exact
    depth = float(np.clip(np.dot(found.point_a - found.point_b, found.normal), -exact.signed_upper, -exact.signed_lower))
    return found.point_b, found.point_a, depth, -found.normal


def _gap(
    names: tuple[Hashable, Hashable], shapes: tuple[_Placed, _Placed], gap: Distances, flipped: bool = False
) -> DistanceData:
    points = (gap.point_b, gap.point_a) if flipped else (gap.point_a, gap.point_b)
    distance = float(np.clip(np.linalg.norm(points[0] - points[1]), gap.lower, gap.upper))
    return DistanceData(names, distance, points, shapes)


def _deep(names: tuple[Hashable, Hashable], shapes: tuple[_Placed, _Placed], found: Any) -> DistanceData:
    """The distance of two convex meshes that overlap: minus the depth."""
    lower, upper, normal, point_a, point_b = found
    depth = float(np.clip(np.dot(point_a - point_b, normal), -upper, -lower))
    return DistanceData(names, -depth, (point_a, point_b), shapes)


def _other_than(pair: tuple[Hashable, Hashable], name: Hashable) -> Hashable:
    return pair[1] if pair[0] == name else pair[0]


def scene_to_collision(scene: Any) -> tuple[CollisionManager, dict[Hashable, Body]]:
    """A manager of all geometry of a trimesh.Scene, and the bodies by the names of their nodes."""
    manager = CollisionManager()
    objects = {}
    for node in scene.graph.nodes_geometry:
        transform, geometry = scene.graph[node]
        objects[node] = manager.add_object(node, scene.geometry[geometry], transform)
    return manager, objects
