"""Shapes. Each is a `Body`: the shape with what makes queries on it fast, made once.

Bodies never change, are shared between threads and by compounds, and pickle and copy. Lengths are in any one unit.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from os import PathLike
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from sudar import _core
from sudar._calls import Pose


class Body(_core.Body):
    """A shape made ready for queries: the base of all shapes."""

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        raise TypeError("sudar.Body is the base of all shapes; make a sudar.Mesh, sudar.Sphere, …")

    def __reduce__(self) -> tuple[Any, ...]:
        return (_made, (type(self), self.kind, tuple(self.arguments())))

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: Any) -> Self:
        # Nothing can change it.
        return self

    def __repr__(self) -> str:
        shown = ", ".join(_shown(argument) for argument in self.arguments())
        return f"sudar.{type(self).__name__}({shown})"

    @property
    def vertices(self) -> npt.NDArray[np.float64]:
        """(n, 3): the corners of the triangles that bound it. ValueError for shapes without triangles."""
        return self._triangles()[0]

    @property
    def faces(self) -> npt.NDArray[np.uint32]:
        """(m, 3): the numbers of the corners of each triangle."""
        return self._triangles()[1]

    def _triangles(self) -> tuple[Any, Any]:
        found = self.triangles()
        if found is None:
            raise ValueError(f"a {self.kind} is not bounded by triangles; see sudar.plot for a picture of it")
        return found


def _shown(argument: Any) -> str:
    if isinstance(argument, np.ndarray):
        return str(argument.tolist()) if argument.size <= 4 else f"<{' × '.join(map(str, argument.shape))}>"
    if isinstance(argument, bytes):
        return "…"
    return repr(argument)


def _made(cls: type[Any], kind: str, arguments: tuple[Any, ...]) -> Any:
    return _core.Body.__new__(cls, kind, *arguments)


def _wrapped(body: _core.Body) -> Any:
    """A body of the extension as one of its class here."""
    return _core.Body.__new__(_CLASSES[body.kind], "of", body)


class Mesh(Body):
    """A triangle mesh with its tree.

    vertices: (n, 3) finite numbers. faces: (m, 3) whole numbers from 0.
    solid: whether its inside belongs to it, which a closed mesh alone can have; None for solid if it is closed. As a
    surface (False, the default) a body inside it does not touch it.
    weld: vertices at most so far apart become one point first.

    ValueError if a number is not finite, a face names no vertex, or a solid is not closed. O(n log n).

    >>> import sudar
    >>> tetrahedron = sudar.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]], solid=True)
    >>> round(sudar.mass(tetrahedron).mass, 12)
    0.166666666667
    """

    def __new__(
        cls, vertices: npt.ArrayLike, faces: npt.ArrayLike, solid: bool | None = False, weld: float = 0.0
    ) -> Self:
        return _core.Body.__new__(cls, "mesh", vertices, faces, solid, float(weld))

    @classmethod
    def load(cls, path: str | PathLike[str], part: str | None = None, solid: bool | None = None) -> Mesh:
        """The mesh of a file: of the part of that name, of all parts together without a name. See `sudar.load`."""
        from sudar._files import load

        return load(path, solid=solid).mesh(part)

    @classmethod
    def from_shape(cls, shape: Body, tolerance: float) -> tuple[Self, float]:
        """A mesh at most `tolerance` away from a shape, a solid if it is closed, and the distance that is proved.

        Meshes of round shapes are closed, with their corners on the surface. ValueError of a half-space, which has no
        end, a tolerance that is no positive number, and one that would take over four million triangles.

        >>> import sudar
        >>> ball, distance = sudar.Mesh.from_shape(sudar.Sphere(0.5), 1e-3)
        >>> ball.is_solid and distance <= 1e-3
        True
        """
        vertices, faces, distance = shape.tessellated(tolerance)
        return cls(vertices, faces, solid=None), distance

    @classmethod
    def from_trimesh(cls, mesh: Any, solid: bool | None = None) -> Self:
        """The mesh of a trimesh.Trimesh; solid if that is closed, unless `solid` says otherwise."""
        return cls(mesh.vertices, mesh.faces, solid=solid)

    def to_trimesh(self) -> Any:
        """A trimesh.Trimesh with the same vertices and faces, in their order. Needs trimesh."""
        import trimesh

        return trimesh.Trimesh(self.vertices, np.asarray(self.faces, dtype=np.int64), process=False)

    def moved(self, vertices: npt.ArrayLike) -> Mesh:
        """The same faces over vertices (n, 3) that are elsewhere. The tree is fitted, which takes a tenth of building."""
        found: Mesh = _wrapped(self.with_vertices(vertices))
        return found


class Sphere(Body):
    """A ball: radius above 0, centred on the origin unless `center` (3,) says otherwise."""

    def __new__(cls, radius: float, center: npt.ArrayLike = (0.0, 0.0, 0.0)) -> Self:
        return _core.Body.__new__(cls, "sphere", radius, center)

    radius = property(lambda self: self.arguments()[0], doc="The radius.")
    center = property(lambda self: self.arguments()[1], doc="The centre (3,).")


class Box(Body):
    """A box with HALF extents (3,) above 0, centred on the origin, along the axes of its frame."""

    def __new__(cls, half_extents: npt.ArrayLike) -> Self:
        return _core.Body.__new__(cls, "box", half_extents)

    half_extents = property(lambda self: self.arguments()[0], doc="Half the lengths of its edges (3,).")


class _Turned(Body):
    """A body of revolution about z."""

    radius = property(lambda self: self.arguments()[0], doc="The radius.")
    half_length = property(lambda self: self.arguments()[1], doc="Half its length along z.")


class Capsule(_Turned):
    """A ball of a radius swept along z from −half_length to half_length."""

    def __new__(cls, radius: float, half_length: float) -> Self:
        return _core.Body.__new__(cls, "capsule", radius, half_length)


class Cylinder(_Turned):
    """A round cylinder about z, from −half_length to half_length."""

    def __new__(cls, radius: float, half_length: float) -> Self:
        return _core.Body.__new__(cls, "cylinder", radius, half_length)


class Cone(_Turned):
    """A round cone about z: its base of a radius at −half_length, its apex at half_length."""

    def __new__(cls, radius: float, half_length: float) -> Self:
        return _core.Body.__new__(cls, "cone", radius, half_length)


class Ellipsoid(Body):
    """An ellipsoid with semi-axes (3,) along the axes of its frame, centred on the origin."""

    def __new__(cls, radii: npt.ArrayLike) -> Self:
        return _core.Body.__new__(cls, "ellipsoid", radii)

    radii = property(lambda self: self.arguments()[0], doc="The semi-axes (3,).")


class ConvexHull(Body):
    """The convex hull of points (n, 3), n ≥ 1; it may be flat. O(n log n)."""

    def __new__(cls, points: npt.ArrayLike) -> Self:
        return _core.Body.__new__(cls, "hull", points)

    @property
    def points(self) -> npt.NDArray[np.float64]:
        """Its corners (k, 3), in the order of the points that it was made of."""
        found: npt.NDArray[np.float64] = self.arguments()[0]
        return found

    @property
    def sources(self) -> npt.NDArray[np.uint32]:
        """(k,): of each corner, which of the points it was made of."""
        found: npt.NDArray[np.uint32] = self.hull_sources()
        return found

    @property
    def polygons(self) -> list[list[int]]:
        """The corners around each face, counter-clockwise seen from outside."""
        return self.hull_faces() or []


class Halfspace(Body):
    """All points x with normal·x ≤ offset; the normal (3,) need not be of length 1.

    Queries take it as it is given, which is exact; `normal` and `offset` are those of length 1, rounded.
    """

    def __new__(cls, normal: npt.ArrayLike, offset: float = 0.0) -> Self:
        return _core.Body.__new__(cls, "halfspace", normal, offset)

    normal = property(lambda self: self._unit()[0], doc="The unit normal (3,), which points out of it.")
    offset = property(lambda self: self._unit()[1], doc="How far its plane is from the origin along the unit normal.")

    def _unit(self) -> tuple[npt.NDArray[np.float64], float]:
        normal, offset = self.arguments()
        # Divided by the greatest part first: the square of a short one is zero.
        greatest = float(np.abs(normal).max())
        length = math.hypot(*(normal / greatest))
        return normal / greatest / length, float(offset) / greatest / length


class Triangle(Body):
    """A triangle of corners a, b and c, (3,) each."""

    def __new__(cls, a: npt.ArrayLike, b: npt.ArrayLike, c: npt.ArrayLike) -> Self:
        return _core.Body.__new__(cls, "triangle", a, b, c)


class Segment(Body):
    """A segment from a to b, (3,) each."""

    def __new__(cls, a: npt.ArrayLike, b: npt.ArrayLike) -> Self:
        return _core.Body.__new__(cls, "segment", a, b)


class Point(Body):
    """A point (3,)."""

    def __new__(cls, position: npt.ArrayLike) -> Self:
        return _core.Body.__new__(cls, "point", position)


class HeightField(Body):
    """A surface of heights (rows, columns) over a grid of cells (2,); NaN where a sample is missing.

    Sample [j, i] is at x = i·cell[0], y = j·cell[1].
    """

    def __new__(cls, heights: npt.ArrayLike, cell: npt.ArrayLike = (1.0, 1.0)) -> Self:
        return _core.Body.__new__(cls, "heightfield", heights, cell)

    heights = property(lambda self: self.arguments()[0], doc="The heights (rows, columns).")
    cell = property(lambda self: self.arguments()[1], doc="The size of a cell along x and y.")


class PointCloud(Body):
    """Points (n, 3) that move together."""

    def __new__(cls, points: npt.ArrayLike) -> Self:
        return _core.Body.__new__(cls, "pointcloud", points)

    points = property(lambda self: self.arguments()[0], doc="The points (n, 3).")


class Compound(Body):
    """Bodies put together: pairs of a body and its pose in the whole, or bodies where they are.

    >>> import sudar
    >>> hammer = sudar.Compound([sudar.Capsule(0.02, 0.2), (sudar.Box([0.1, 0.03, 0.03]), ([0, 0, 0.2], [0, 0, 0, 1]))])
    >>> len(hammer.parts())
    2
    """

    def __new__(cls, parts: Iterable[_core.Body | tuple[_core.Body, Pose]]) -> Self:
        bodies: list[Any] = []
        poses = []
        for part in parts:
            body, pose = part if isinstance(part, tuple) else (part, None)
            bodies.append(body)
            poses.append(matrix(pose))
        return _core.Body.__new__(cls, "compound", bodies, np.reshape(poses, (len(bodies), 4, 4)))

    def arguments(self) -> tuple[Any, ...]:
        """The bodies and their poses (n, 4, 4)."""
        bodies, poses = _core.Body.parts(self)
        return ([_wrapped(body) for body in bodies], poses)

    def parts(self) -> Sequence[tuple[Body, npt.NDArray[np.float64]]]:  # type: ignore[override]
        """The bodies that make it up, each with its pose (4, 4) in the whole."""
        bodies, poses = _core.Body.parts(self)
        return [(_wrapped(body), pose) for body, pose in zip(bodies, poses, strict=True)]


def matrix(pose: Pose) -> npt.NDArray[np.float64]:
    """One pose as a (4, 4) matrix, by the formula of the library; the identity for None."""
    return _core.matrix(pose)


_CLASSES: dict[str, type[Body]] = {
    "mesh": Mesh,
    "sphere": Sphere,
    "box": Box,
    "capsule": Capsule,
    "cylinder": Cylinder,
    "cone": Cone,
    "ellipsoid": Ellipsoid,
    "hull": ConvexHull,
    "halfspace": Halfspace,
    "triangle": Triangle,
    "segment": Segment,
    "point": Point,
    "heightfield": HeightField,
    "pointcloud": PointCloud,
    "compound": Compound,
}
