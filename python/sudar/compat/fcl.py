"""A stand-in for python-fcl: `from sudar.compat import fcl` in place of `import fcl`.

What differs, and why:

- `OcTree` is not there: it is made from maps of octomap, which this library does not read. Use a `PointCloud` or
  `Box`es of sudar.
- Yes and no are exact for flat faces, distances true within rounding; options of solvers (`gjk_solver_type`,
  `ccd_solver_type`, `num_max_iterations`) are taken and change nothing.
- `distance` of objects that meet is minus the depth for all kinds with `enable_signed_distance`, of two meshes as well,
  where python-fcl gives 0 or the depth of some triangle; without it −1, as there.
- Contacts of meshes are the points of the regions where they meet, at most four a region, not one for each pair of
  triangles; their depths are those of the regions.
- `continuousCollide` of meshes misses nothing: python-fcl's default solver reports no contact for many of them. The
  time is a lower end: the objects do not meet before it. Motions of types SCREW and SPLINE are taken as LINEAR: origins
  move straight, and turns are the shortest.
- Costs (`enable_cost`) are none: cost sources stay empty.
- `collide` without `enable_contact` counts one contact.
- Objects pickle and copy.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

import sudar
from sudar import _core
from sudar._queries import pairs as box_pairs

__version__ = "0.7.0.11"


class OBJECT_TYPE:
    OT_UNKNOWN, OT_BVH, OT_GEOM, OT_OCTREE, OT_COUNT = range(5)


class NODE_TYPE:
    (
        BV_UNKNOWN, BV_AABB, BV_OBB, BV_RSS, BV_kIOS, BV_OBBRSS, BV_KDOP16, BV_KDOP18, BV_KDOP24, GEOM_BOX,
        GEOM_SPHERE, GEOM_ELLIPSOID, GEOM_CAPSULE, GEOM_CONE, GEOM_CYLINDER, GEOM_CONVEX, GEOM_PLANE, GEOM_HALFSPACE,
        GEOM_TRIANGLE, GEOM_OCTREE, NODE_COUNT,
    ) = range(21)  # fmt: skip


class CCDMotionType:
    CCDM_TRANS, CCDM_LINEAR, CCDM_SCREW, CCDM_SPLINE = range(4)


class CCDSolverType:
    CCDC_NAIVE, CCDC_CONSERVATIVE_ADVANCEMENT, CCDC_RAY_SHOOTING, CCDC_POLYNOMIAL_SOLVER = range(4)


class GJKSolverType:
    GST_LIBCCD, GST_INDEP = range(2)


# Geometry.


class CollisionGeometry:
    """The base of all geometry: its bodies, of which all must be touched."""

    node_type = NODE_TYPE.BV_UNKNOWN
    _made: tuple[Any, ...] = ()

    def _bodies(self) -> tuple[Any, ...]:
        return self._made

    def getNodeType(self) -> int:
        return self.node_type

    def computeLocalAABB(self) -> None:
        """Boxes are known without it."""

    @property
    def aabb_center(self) -> npt.NDArray[np.float64]:
        found: npt.NDArray[np.float64] = self._bodies()[0].bounds().mean(axis=0)
        return found


class Box(CollisionGeometry):
    """A box with these sides, centred on the origin."""

    node_type = NODE_TYPE.GEOM_BOX

    def __init__(self, x: float, y: float, z: float) -> None:
        self.side = np.array([x, y, z], dtype=np.float64)
        self._made = (sudar.Box(self.side / 2.0),)


class Sphere(CollisionGeometry):
    """A ball centred on the origin."""

    node_type = NODE_TYPE.GEOM_SPHERE

    def __init__(self, radius: float) -> None:
        self.radius = float(radius)
        self._made = (sudar.Sphere(radius),)


class Ellipsoid(CollisionGeometry):
    """An ellipsoid with these semi-axes."""

    node_type = NODE_TYPE.GEOM_ELLIPSOID

    def __init__(self, a: float, b: float, c: float) -> None:
        self.radii = np.array([a, b, c], dtype=np.float64)
        self._made = (sudar.Ellipsoid(self.radii),)


class _Turned(CollisionGeometry):
    def __init__(self, radius: float, lz: float) -> None:
        self.radius, self.lz = float(radius), float(lz)
        self._made = (self._kind(radius, lz / 2.0),)

    _kind: Any = None


class Capsule(_Turned):
    """A capsule along z whose straight part has length lz."""

    node_type, _kind = NODE_TYPE.GEOM_CAPSULE, sudar.Capsule


class Cone(_Turned):
    """A cone about z of height lz, its apex at lz/2."""

    node_type, _kind = NODE_TYPE.GEOM_CONE, sudar.Cone


class Cylinder(_Turned):
    """A cylinder about z of height lz."""

    node_type, _kind = NODE_TYPE.GEOM_CYLINDER, sudar.Cylinder


class Halfspace(CollisionGeometry):
    """All points x with n·x ≤ d."""

    node_type = NODE_TYPE.GEOM_HALFSPACE

    def __init__(self, n: npt.ArrayLike, d: float) -> None:
        self.n, self.d = np.asarray(n, dtype=np.float64), float(d)
        self._made = (sudar.Halfspace(self.n, d * float(np.linalg.norm(self.n))),)


class Plane(CollisionGeometry):
    """All points x with n·x = d: what touches it touches both half-spaces."""

    node_type = NODE_TYPE.GEOM_PLANE

    def __init__(self, n: npt.ArrayLike, d: float) -> None:
        self.n, self.d = np.asarray(n, dtype=np.float64), float(d)
        far = d * float(np.linalg.norm(self.n))
        self._made = (sudar.Halfspace(self.n, far), sudar.Halfspace(-self.n, -far))


class TriangleP(CollisionGeometry):
    """A triangle."""

    node_type = NODE_TYPE.GEOM_TRIANGLE

    def __init__(self, a: npt.ArrayLike, b: npt.ArrayLike, c: npt.ArrayLike) -> None:
        self.a, self.b, self.c = (np.asarray(p, dtype=np.float64) for p in (a, b, c))
        self._made = (sudar.Triangle(a, b, c),)


class Convex(CollisionGeometry):
    """A convex polyhedron: the hull of its vertices. The faces are taken and not needed."""

    node_type = NODE_TYPE.GEOM_CONVEX

    def __init__(self, vertices: npt.ArrayLike, num_faces: int, faces: npt.ArrayLike) -> None:
        self.vertices, self.num_faces = np.asarray(vertices, dtype=np.float64), num_faces
        self.faces = np.asarray(faces)
        self._made = (sudar.ConvexHull(self.vertices),)


class BVHModel(CollisionGeometry):
    """A surface of triangles."""

    node_type = NODE_TYPE.BV_OBBRSS

    def __init__(self) -> None:
        self._vertices: list[npt.NDArray[np.float64]] = []
        self._faces: list[npt.NDArray[np.int64]] = []
        self._count = 0

    def num_tries_(self) -> int:
        return sum(len(faces) for faces in self._faces)

    def buildState(self) -> int:
        return 1 if self._made else 0

    def beginModel(self, num_tris_: int = 0, num_vertices_: int = 0) -> int:
        """Begins anew. The numbers are taken and not needed."""
        self.__init__()  # type: ignore[misc]
        return 0

    def addVertex(self, x: float, y: float, z: float) -> int:
        self._vertices.append(np.array([[x, y, z]], dtype=np.float64))
        self._count += 1
        return 0

    def addTriangle(self, v1: npt.ArrayLike, v2: npt.ArrayLike, v3: npt.ArrayLike) -> int:
        """Adds a triangle by its corners."""
        self.addSubModel(np.stack([np.asarray(v, dtype=np.float64) for v in (v1, v2, v3)]), [[0, 1, 2]])
        return 0

    def addSubModel(self, verts: npt.ArrayLike, triangles: npt.ArrayLike) -> int:
        own = np.asarray(verts, dtype=np.float64)
        self._faces.append(np.asarray(triangles, dtype=np.int64) + self._count)
        self._vertices.append(own)
        self._count += len(own)
        return 0

    def endModel(self) -> int:
        """Builds the tree."""
        if not self._faces:
            raise ValueError("the model has no triangles; call addSubModel before endModel")
        self._made = (sudar.Mesh(np.concatenate(self._vertices), np.concatenate(self._faces)),)
        return 0

    def _bodies(self) -> tuple[Any, ...]:
        if not self._made:
            self.endModel()
        return self._made


class OcTree(CollisionGeometry):
    """Not offered; see the head of this module."""

    def __init__(self, *_: Any) -> None:
        raise NotImplementedError("octrees of octomap are not read; use sudar.PointCloud, or boxes of its cells")


# Objects.


class Transform:
    """A rotation and a translation: of a (3, 3) matrix or a quaternion (w, x, y, z), SCALAR FIRST as in python-fcl."""

    def __init__(self, *args: Any) -> None:
        self._matrix = np.eye(4)
        if len(args) == 1 and isinstance(args[0], Transform):
            self._matrix = args[0]._matrix.copy()
            return
        for arg in args:
            given = np.asarray(arg, dtype=np.float64)
            if given.shape == (3, 3):
                self._matrix[:3, :3] = given
            elif given.shape == (4,):
                self._matrix[:3, :3] = _turn(given)
            elif given.shape == (3,):
                self._matrix[:3, 3] = given
            else:
                raise ValueError(f"a transform is made of a (3, 3) rotation or (4,) quaternion and a (3,) translation, not {given.shape}")

    def getRotation(self) -> npt.NDArray[np.float64]:
        return self._matrix[:3, :3].copy()

    def getTranslation(self) -> npt.NDArray[np.float64]:
        return self._matrix[:3, 3].copy()

    def getQuatRotation(self) -> npt.NDArray[np.float64]:
        return _quaternion(self._matrix[:3, :3])

    def setRotation(self, R: npt.ArrayLike) -> None:
        self._matrix[:3, :3] = R

    def setTranslation(self, T: npt.ArrayLike) -> None:
        self._matrix[:3, 3] = T

    def setQuatRotation(self, q: npt.ArrayLike) -> None:
        self._matrix[:3, :3] = _turn(np.asarray(q, dtype=np.float64))


def _turn(wxyz: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    found: npt.NDArray[np.float64] = _core.matrix((np.zeros(3), np.roll(wxyz, -1)))[:3, :3]
    return found


def _quaternion(turn: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """(w, x, y, z), of the eigenvector of the greatest eigenvalue (Bar-Itzhack 2000)."""
    (a, b, c), (d, e, f), (g, h, i) = turn
    k = np.array([
        [a - e - i, d + b, g + c, h - f],
        [d + b, e - a - i, h + f, c - g],
        [g + c, h + f, i - a - e, d - b],
        [h - f, c - g, d - b, a + e + i],
    ])  # fmt: skip
    x, y, z, w = np.linalg.eigh(k)[1][:, -1]
    found = np.array([w, x, y, z])
    return -found if w < 0.0 else found


class CollisionObject(Transform):
    """Geometry where it stands."""

    def __init__(self, geom: CollisionGeometry | None = None, tf: Transform | None = None, _no_instance: bool = False) -> None:
        super().__init__(*(() if tf is None else (tf,)))
        self._geometry = geom if geom is not None else CollisionGeometry()

    @property
    def collision_geometry(self) -> CollisionGeometry:
        return self._geometry

    def getTransform(self) -> Transform:
        return Transform(self)

    def setTransform(self, tf: Transform) -> None:
        self._matrix = tf._matrix.copy()

    def isOccupied(self) -> bool:
        return True

    def isFree(self) -> bool:
        return False

    def isUncertain(self) -> bool:
        return False

    def getObjectType(self) -> int:
        is_mesh = isinstance(self._geometry, BVHModel)
        return OBJECT_TYPE.OT_BVH if is_mesh else OBJECT_TYPE.OT_GEOM

    def getNodeType(self) -> int:
        return self._geometry.node_type

    def getAABB(self) -> npt.NDArray[np.float64]:
        """The box (2, 3) around it."""
        found: npt.NDArray[np.float64] = self._geometry._bodies()[0].bounds(self._matrix)
        return found


# Requests and results.


class Contact:
    def __init__(self) -> None:
        self.o1: Any = None
        self.o2: Any = None
        self.b1 = 0
        self.b2 = 0
        self.normal = np.zeros(3)
        self.pos = np.zeros(3)
        self.penetration_depth = 0.0


class CostSource:
    def __init__(self) -> None:
        self.aabb_min, self.aabb_max = np.zeros(3), np.zeros(3)
        self.cost_density = self.total_cost = 0.0


class CollisionRequest:
    def __init__(
        self,
        num_max_contacts: int = 1,
        enable_contact: bool = False,
        num_max_cost_sources: int = 1,
        enable_cost: bool = False,
        use_approximate_cost: bool = True,
        gjk_solver_type: int = GJKSolverType.GST_LIBCCD,
    ) -> None:
        self.num_max_contacts, self.enable_contact = num_max_contacts, enable_contact
        self.num_max_cost_sources, self.enable_cost = num_max_cost_sources, enable_cost
        self.use_approximate_cost, self.gjk_solver_type = use_approximate_cost, gjk_solver_type


class CollisionResult:
    def __init__(self, is_collision: bool = False) -> None:
        self.is_collision = is_collision
        self.contacts: list[Contact] = []
        self.cost_sources: list[CostSource] = []


class ContinuousCollisionRequest:
    def __init__(
        self,
        num_max_iterations: int = 10,
        toc_err: float = 0.0001,
        ccd_motion_type: int = CCDMotionType.CCDM_TRANS,
        gjk_solver_type: int = GJKSolverType.GST_LIBCCD,
        ccd_solver_type: int = CCDSolverType.CCDC_CONSERVATIVE_ADVANCEMENT,
    ) -> None:
        self.num_max_iterations, self.toc_err, self.ccd_motion_type = num_max_iterations, toc_err, ccd_motion_type
        self.gjk_solver_type, self.ccd_solver_type = gjk_solver_type, ccd_solver_type


class ContinuousCollisionResult:
    def __init__(self, is_collide: bool = False, time_of_contact: float = 1.0) -> None:
        self.is_collide, self.time_of_contact = is_collide, time_of_contact


class DistanceRequest:
    def __init__(
        self,
        enable_nearest_points: bool = False,
        enable_signed_distance: bool = False,
        gjk_solver_type: int = GJKSolverType.GST_LIBCCD,
    ) -> None:
        self.enable_nearest_points, self.enable_signed_distance = enable_nearest_points, enable_signed_distance
        self.gjk_solver_type = gjk_solver_type


class DistanceResult:
    def __init__(self, min_distance_: float = sys.float_info.max) -> None:
        self.min_distance = min_distance_
        self.nearest_points: list[Any] = [None, None]
        self.o1: Any = None
        self.o2: Any = None
        self.b1 = self.b2 = -1


class CollisionData:
    def __init__(self, request: CollisionRequest | None = None, result: CollisionResult | None = None) -> None:
        self.request = request if request is not None else CollisionRequest()
        self.result = result if result is not None else CollisionResult()
        self.done = False


class DistanceData:
    def __init__(self, request: DistanceRequest | None = None, result: DistanceResult | None = None) -> None:
        self.request = request if request is not None else DistanceRequest()
        self.result = result if result is not None else DistanceResult()
        self.done = False


# Queries on two objects.


def collide(
    o1: CollisionObject,
    o2: CollisionObject,
    request: CollisionRequest | None = None,
    result: CollisionResult | None = None,
) -> int:
    """Adds contacts to the result until it has num_max_contacts; how many it has."""
    request = request if request is not None else CollisionRequest()
    result = result if result is not None else CollisionResult()
    room = request.num_max_contacts - len(result.contacts)
    if room <= 0 or not _touch(o1, o2):
        return len(result.contacts)
    result.is_collision = True
    result.contacts += _contacts(o1, o2)[:room] if request.enable_contact else [_contact(o1, o2)]
    return len(result.contacts)


def _touch(o1: CollisionObject, o2: CollisionObject) -> bool:
    return all(
        sudar.intersects(a, b, o1._matrix, o2._matrix, undecided=True)
        for a in o1._geometry._bodies()
        for b in o2._geometry._bodies()
    )


def _contact(o1: CollisionObject, o2: CollisionObject, b1: int = -1, b2: int = -1) -> Contact:
    contact = Contact()
    contact.o1, contact.o2, contact.b1, contact.b2 = o1._geometry, o2._geometry, b1, b2
    return contact


def _contacts(o1: CollisionObject, o2: CollisionObject) -> list[Contact]:
    a, b = o1._geometry._bodies()[0], o2._geometry._bodies()[0]
    meshes = [isinstance(o._geometry, BVHModel) for o in (o1, o2)]
    if not any(meshes):
        deep = sudar.penetration(a, b, o1._matrix, o2._matrix)
        contact = _contact(o1, o2)
        contact.normal, contact.pos = deep.normal, 0.5 * (deep.point_a + deep.point_b)
        contact.penetration_depth = max(-float(deep.signed_lower), 0.0)
        return [contact]
    found = sudar.manifold(a, b, o1._matrix, o2._matrix)
    contacts = []
    for i in range(len(found)):
        one, other = (int(f) if is_mesh else -1 for f, is_mesh in zip(found.features[i], meshes, strict=True))
        contact = _contact(o1, o2, one, other)
        contact.normal, contact.pos = found.normal[i], 0.5 * (found.point_a[i] + found.point_b[i])
        contact.penetration_depth = float(found.depth[i])
        contacts.append(contact)
    return contacts or [_contact(o1, o2)]


def distance(
    o1: CollisionObject,
    o2: CollisionObject,
    request: DistanceRequest | None = None,
    result: DistanceResult | None = None,
) -> float:
    """The distance, minus the depth if that is asked for, else −1 where they meet; kept in the result if it is less."""
    request = request if request is not None else DistanceRequest()
    result = result if result is not None else DistanceResult()
    pairs = [(a, b) for a in o1._geometry._bodies() for b in o2._geometry._bodies()]
    gaps = [sudar.distance(a, b, o1._matrix, o2._matrix) for a, b in pairs]
    place = int(np.argmax([gap.lower for gap in gaps]))
    gap = gaps[place]
    value, points = float(gap.upper), (gap.point_a, gap.point_b)
    if value <= 0.0:
        value = -1.0
        if request.enable_signed_distance:
            deep = [sudar.penetration(a, b, o1._matrix, o2._matrix) for a, b in pairs]
            best = max(deep, key=lambda one: float(one.signed_lower))
            value, points = min(float(best.signed_lower), 0.0), (best.point_a, best.point_b)
    elif gap.lower > 0.0:
        value = float(np.clip(np.linalg.norm(points[0] - points[1]), gap.lower, gap.upper))
    if value < result.min_distance:
        result.min_distance, result.o1, result.o2 = value, o1._geometry, o2._geometry
        meshes = [isinstance(o._geometry, BVHModel) for o in (o1, o2)]
        result.b1, result.b2 = (
            int(f) if is_mesh else -1 for f, is_mesh in zip(gap.features, meshes, strict=True)
        )
        if request.enable_nearest_points:
            result.nearest_points = list(points)
    return value


def continuousCollide(
    o1: CollisionObject,
    tf1_end: Transform,
    o2: CollisionObject,
    tf2_end: Transform,
    request: ContinuousCollisionRequest | None = None,
    result: ContinuousCollisionResult | None = None,
) -> float:
    """The time of first contact on the way to the transforms at the end; 1 if there is none."""
    request = request if request is not None else ContinuousCollisionRequest()
    result = result if result is not None else ContinuousCollisionResult()
    ends = [tf1_end._matrix, tf2_end._matrix]
    if request.ccd_motion_type == CCDMotionType.CCDM_TRANS:
        ends = [_moved(o._matrix, end) for o, end in ((o1, ends[0]), (o2, ends[1]))]
    times = [
        sudar.sweep(a, b, o1._matrix, o2._matrix, *ends)
        for a in o1._geometry._bodies()
        for b in o2._geometry._bodies()
    ]
    last = max(times, key=lambda one: float(one.t_lower))
    result.is_collide = bool(last.hit)
    result.time_of_contact = min(float(last.t_lower), 1.0)
    return result.time_of_contact


def _moved(start: npt.NDArray[np.float64], end: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    found = start.copy()
    found[:3, 3] = end[:3, 3]
    return found


def defaultCollisionCallback(o1: CollisionObject, o2: CollisionObject, cdata: CollisionData) -> bool:
    """Adds the contacts of a pair; True once there are enough."""
    if cdata.done:
        return True
    collide(o1, o2, cdata.request, cdata.result)
    if not cdata.request.enable_cost and len(cdata.result.contacts) >= cdata.request.num_max_contacts:
        cdata.done = True
    return cdata.done


def defaultDistanceCallback(o1: CollisionObject, o2: CollisionObject, cdata: DistanceData) -> tuple[bool, float]:
    """Takes in the distance of a pair."""
    if cdata.done:
        return True, cdata.result.min_distance
    distance(o1, o2, cdata.request, cdata.result)
    return cdata.done, cdata.result.min_distance


# Many objects.

CollisionCallback: TypeAlias = Callable[[Any, Any, Any], bool]
DistanceCallback: TypeAlias = Callable[[Any, Any, Any], tuple[bool, float]]


class DynamicAABBTreeCollisionManager:
    """Objects by their boxes, which are those of the last `update`. Callbacks see pairs whose boxes meet."""

    def __init__(self) -> None:
        self._objects: list[CollisionObject] = []
        self._boxes = np.empty((0, 6))

    def registerObjects(self, other_objs: Iterable[CollisionObject]) -> None:
        self._objects += list(other_objs)
        self.setup()

    def registerObject(self, obj: CollisionObject) -> None:
        self._objects.append(obj)
        self._boxes = np.concatenate([self._boxes, _box(obj)[None]])

    def unregisterObject(self, obj: CollisionObject) -> None:
        """Takes an object out; nothing happens if it is not there."""
        for i, known in enumerate(self._objects):
            if known is obj:
                del self._objects[i]
                self._boxes = np.delete(self._boxes, i, axis=0)
                return

    def setup(self) -> None:
        self._boxes = np.array([_box(obj) for obj in self._objects]).reshape(-1, 6)

    def update(self, arg: CollisionObject | Sequence[CollisionObject] | None = None) -> None:
        """Takes in where objects are now: all, one, or some."""
        if arg is None:
            self.setup()
            return
        moved = [arg] if isinstance(arg, CollisionObject) else list(arg)
        for obj in moved:
            for i, known in enumerate(self._objects):
                if known is obj:
                    self._boxes[i] = _box(obj)

    def clear(self) -> None:
        self.__init__()  # type: ignore[misc]

    def getObjects(self) -> list[CollisionObject]:
        return list(self._objects)

    def size(self) -> int:
        return len(self._objects)

    def empty(self) -> bool:
        return not self._objects

    def collide(self, *args: Any) -> None:
        """(cdata, callback), (object, cdata, callback) or (manager, cdata, callback)."""
        *other, cdata, callback = args
        for one, another in self._near(other[0] if other else None):
            if callback(one, another, cdata):
                return

    def distance(self, *args: Any) -> None:
        """(cdata, callback), (object, cdata, callback) or (manager, cdata, callback)."""
        *other, cdata, callback = args
        least = sys.float_info.max
        for gap, one, another in self._by_gap(other[0] if other else None):
            if gap >= least and least >= 0.0:
                return
            done, found = callback(one, another, cdata)
            least = min(least, found)
            if done:
                return

    def _other(self, other: Any) -> tuple[list[CollisionObject], npt.NDArray[np.float64]]:
        if isinstance(other, DynamicAABBTreeCollisionManager):
            return other._objects, other._boxes
        return [other], _box(other)[None]

    def _near(self, other: Any) -> Iterable[tuple[CollisionObject, CollisionObject]]:
        if other is None:
            finite = np.clip(self._boxes, -1e80, 1e80)
            for i, j in (box_pairs(finite) if len(finite) else np.empty((0, 2), dtype=int)):
                yield self._objects[i], self._objects[j]
            return
        objects, boxes = self._other(other)
        for obj, box in zip(objects, boxes, strict=True):
            meet = (self._boxes[:, :3] <= box[3:]).all(axis=1) & (box[:3] <= self._boxes[:, 3:]).all(axis=1)
            for i in np.flatnonzero(meet):
                yield self._objects[i], obj

    def _by_gap(self, other: Any) -> Iterable[tuple[float, CollisionObject, CollisionObject]]:
        """All pairs, those first whose boxes are nearest to each other."""
        alone = other is None
        objects, boxes = (self._objects, self._boxes) if alone else self._other(other)
        if not len(self._boxes) or not len(boxes):
            return
        apart = np.maximum(self._boxes[:, None, :3] - boxes[None, :, 3:], boxes[None, :, :3] - self._boxes[:, None, 3:])
        gaps = np.linalg.norm(np.maximum(apart, 0.0), axis=-1)
        i, j = np.triu_indices(len(boxes), 1) if alone else tuple(np.indices(gaps.shape).reshape(2, -1))
        for k in np.argsort(gaps[i, j], kind="stable"):
            yield float(gaps[i[k], j[k]]), self._objects[i[k]], objects[j[k]]


def _box(obj: CollisionObject) -> npt.NDArray[np.float64]:
    bodies = obj._geometry._bodies()
    boxes = np.array([body.bounds(obj._matrix) for body in bodies])
    # Of the two sides of a plane, which have no bounds.
    found: npt.NDArray[np.float64] = np.concatenate([boxes[:, 0].min(axis=0), boxes[:, 1].max(axis=0)])
    return found
