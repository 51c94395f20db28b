"""Queries on one body, on two, and on boxes. See `sudar` for poses and batches.

Arguments of all queries:

nodes, seconds: limits of work for each query: nodes of trees opened, and time. An answer that a limit ended is wider
    and true; only nodes give the same bits each time.
threads: 0 for all cores. Answers are the same bits for any number.
progress: True for a bar, or a function that is told (done, total) from time to time.
out: an answer of the same class and shape to write into.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from os.path import dirname
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from sudar import _core
from sudar._answers import (
    ClosestPoints,
    Contacts,
    Distances,
    LocalMinima,
    Manifold,
    Masses,
    Penetrations,
    RayHits,
    Sweeps,
    Withins,
)
from sudar._calls import Pose, Progress, control
from sudar._shapes import Body, ConvexHull, _wrapped

Bodies: TypeAlias = _core.Body | Sequence[_core.Body]
"""One body, or a list of them, which counts as a leading dimension."""


def intersects(
    a: Bodies,
    b: Bodies,
    pose_a: Pose = None,
    pose_b: Pose = None,
    *,
    undecided: bool | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
    threads: int = 0,
    progress: Progress = None,
    out: npt.NDArray[np.bool_] | None = None,
) -> Any:
    """Whether two bodies have a point in common; touching counts. A bool, or an array (...) of them.

    Exact for flat faces. What a limit or rounding (of curved shapes) leaves open raises ValueError, unless `undecided`
    says what it is to count as. `out` is an array of bool.
    """
    found = _core.intersects(a, b, pose_a, pose_b, control(nodes, seconds, threads, progress), undecided)
    if out is None:
        return found
    np.copyto(out, found)
    return out


def distance(
    a: Bodies,
    b: Bodies,
    pose_a: Pose = None,
    pose_b: Pose = None,
    *,
    abs: float = 0.0,
    rel: float = 0.0,
    max: float = np.inf,
    nodes: int | None = None,
    seconds: float | None = None,
    threads: int = 0,
    progress: Progress = None,
    out: Distances | None = None,
) -> Distances:
    """The distance of two bodies: an interval that holds it, 0 where they meet, and the nearest points.

    abs, rel: the interval may be as wide as this, or as this share of its upper end. 0 for as narrow as rounding allows.
    max: beyond this, any distance will do.
    """
    limits = control(nodes, seconds, threads, progress)
    found = Distances(*_core.distance(a, b, pose_a, pose_b, limits, abs, rel, max))
    return found if out is None else found._write(out)


def within(
    a: Bodies,
    b: Bodies,
    tolerance: float,
    pose_a: Pose = None,
    pose_b: Pose = None,
    *,
    undecided: bool | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
    threads: int = 0,
    progress: Progress = None,
    out: Withins | None = None,
) -> Withins:
    """Whether two bodies are at most `tolerance` apart, with two points or a plane that show it.

    What a limit or rounding leaves open raises ValueError, unless `undecided` says what it is to count as.
    """
    limits = control(nodes, seconds, threads, progress)
    found = Withins(*_core.within(a, b, pose_a, pose_b, limits, tolerance, undecided))
    return found if out is None else found._write(out)


def penetration(
    a: Bodies,
    b: Bodies,
    pose_a: Pose = None,
    pose_b: Pose = None,
    *,
    abs: float = 0.0,
    rel: float = 1e-9,
    nodes: int | None = None,
    seconds: float | None = None,
    threads: int = 0,
    progress: Progress = None,
    out: Penetrations | None = None,
) -> Penetrations:
    """The distance of two bodies, or minus the depth: the least translation that separates them.

    Of meshes and compounds that overlap, the interval may be wide. abs and rel as in `distance`.
    """
    limits = control(nodes, seconds, threads, progress)
    found = Penetrations(*_core.penetration(a, b, pose_a, pose_b, limits, abs, rel))
    return found if out is None else found._write(out)


def sweep(
    a: Bodies,
    b: Bodies,
    pose_a: Pose = None,
    pose_b: Pose = None,
    pose_a_end: Pose = None,
    pose_b_end: Pose = None,
    *,
    separation: float = 0.0,
    delta: float | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
    threads: int = 0,
    progress: Progress = None,
    out: Sweeps | None = None,
) -> Sweeps:
    """When two moving bodies first meet: an interval of time from 0 to 1. No contact between is missed.

    Origins move at constant velocities from a pose to the pose at the end, turning by the shortest turn; a body without
    a pose at the end stays.
    separation: bodies so far apart count as touching.
    delta: how near they must come for a hit; a millionth of the scene's size if None.
    """
    limits = control(nodes, seconds, threads, progress)
    found = Sweeps(*_core.sweep(a, b, pose_a, pose_b, pose_a_end, pose_b_end, limits, separation, delta))
    return found if out is None else found._write(out)


def contacts(
    a: Bodies,
    b: Bodies,
    pose_a: Pose = None,
    pose_b: Pose = None,
    *,
    max: int | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
    threads: int = 0,
    progress: Progress = None,
) -> Contacts:
    """Which triangles of two meshes have a point in common, exactly; at most `max` of them."""
    return Contacts(*_core.contacts(a, b, pose_a, pose_b, control(nodes, seconds, threads, progress), max))


def manifold(
    a: Bodies,
    b: Bodies,
    pose_a: Pose = None,
    pose_b: Pose = None,
    *,
    margin: float = 0.0,
    nodes: int | None = None,
    seconds: float | None = None,
    threads: int = 0,
    progress: Progress = None,
) -> Manifold:
    """Contact points for a solver: at most four a region, of points at most `margin` apart."""
    return Manifold(*_core.manifold(a, b, pose_a, pose_b, control(nodes, seconds, threads, progress), margin))


def local_minima(
    a: Bodies,
    b: Bodies,
    tolerance: float,
    pose_a: Pose = None,
    pose_b: Pose = None,
    *,
    prominence: float = 0.0,
    nodes: int | None = None,
    seconds: float | None = None,
    threads: int = 0,
    progress: Progress = None,
) -> LocalMinima:
    """Every place where two bodies are nearer to each other than around it, up to `tolerance` apart.

    prominence: leaves out places from which the distance does not rise by so much before a nearer one.
    """
    limits = control(nodes, seconds, threads, progress)
    return LocalMinima(*_core.local_minima(a, b, pose_a, pose_b, limits, tolerance, prominence))


def ray(
    a: Bodies,
    origin: npt.ArrayLike,
    direction: npt.ArrayLike,
    pose: Pose = None,
    *,
    max: float = np.inf,
    nodes: int | None = None,
    seconds: float | None = None,
    threads: int = 0,
    progress: Progress = None,
    out: RayHits | None = None,
) -> RayHits:
    """The first hit of rays from origins (..., 3) along directions (..., 3), up to origin + max·direction."""
    limits = control(nodes, seconds, threads, progress)
    found = RayHits(*_core.ray(a, origin, direction, pose, limits, max))
    return found if out is None else found._write(out)


def closest_point(
    a: Bodies,
    point: npt.ArrayLike,
    pose: Pose = None,
    *,
    nodes: int | None = None,
    seconds: float | None = None,
    threads: int = 0,
    progress: Progress = None,
    out: ClosestPoints | None = None,
) -> ClosestPoints:
    """The point of a body nearest to points (..., 3); these themselves where they are inside a solid."""
    found = ClosestPoints(*_core.closest_point(a, point, pose, control(nodes, seconds, threads, progress)))
    return found if out is None else found._write(out)


def contains(
    a: Bodies,
    point: npt.ArrayLike,
    pose: Pose = None,
    *,
    method: Literal["exact", "winding"] = "exact",
    undecided: bool | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
    threads: int = 0,
    progress: Progress = None,
    out: npt.NDArray[np.bool_] | None = None,
) -> Any:
    """Whether points (..., 3) are inside a body or on its surface: a bool, or an array (...) of them.

    "exact" is for shapes with an inside; "winding" answers for open meshes as well, by winding numbers.
    """
    if method not in ("exact", "winding"):
        raise ValueError(f"method: must be 'exact' or 'winding', not {method!r}")
    limits = control(nodes, seconds, threads, progress)
    (found,) = _core.contains(a, point, pose, limits, method == "winding", undecided)
    if out is None:
        return found
    np.copyto(out, found)
    return out


def mass(
    a: Bodies,
    pose: Pose = None,
    *,
    density: float = 1.0,
    cells: int | None = None,
    threads: int = 0,
    progress: Progress = None,
    out: Masses | None = None,
) -> Masses:
    """Mass, certified volume, centre of mass and inertia of bodies of one density, in their poses.

    Exactly by integrals over the surface, which must be closed; by rays through a grid of so many `cells` along the
    longest side, which also does for open meshes.
    """
    found = Masses(*_core.mass(a, pose, control(None, None, threads, progress), cells))
    found.mass, found.inertia = found.mass * density, found.inertia * density
    return found if out is None else found._write(out)


def hull(points: Any, *, threads: int = 0, progress: Progress = None) -> Any:
    """The convex hull of points (n, 3); a list of hulls of a list of such sets, or of an array (k, n, 3)."""
    is_many = isinstance(points, (list, tuple)) and len(points) > 0 and np.ndim(points[0]) == 2
    is_many = is_many or (isinstance(points, np.ndarray) and points.ndim == 3)
    sets = list(points) if is_many else [points]
    found: list[ConvexHull] = [
        _wrapped(body) for body in _core.hull(sets, control(None, None, threads, progress))
    ]
    return found if is_many else found[0]


def self_intersections(
    a: Body,
    *,
    nodes: int | None = None,
    seconds: float | None = None,
    progress: Progress = None,
) -> Contacts:
    """Pairs of triangles of one mesh that meet elsewhere than in a shared edge or corner."""
    found, complete = _core.self_intersections(a, control(nodes, seconds, 0, progress))
    return Contacts(found, None, complete)


@dataclass(slots=True, eq=False)
class Proof:
    """A proof of a distance: what shows that it is no less and no more, to be checked by other code."""

    json: str
    """The proof, in the format of the crate's room `proof`."""

    def check(
        self, a: _core.Body, b: _core.Body, pose_a: Pose = None, pose_b: Pose = None
    ) -> tuple[float, float]:
        """The interval of the distance that it proves for these bodies in these poses.

        The checker shares no code with the queries. ValueError if it proves nothing about them.
        """
        lower, upper, _, _ = _core.check_proof(self.json, a, b, pose_a, pose_b)
        return lower, upper

    def to_dict(self) -> Any:
        """The proof as dictionaries and lists."""
        return json.loads(self.json)


def prove(
    a: Bodies,
    b: Bodies,
    pose_a: Pose = None,
    pose_b: Pose = None,
    *,
    nodes: int | None = None,
    seconds: float | None = None,
    threads: int = 0,
    progress: Progress = None,
) -> tuple[Distances, Any]:
    """The distances of bodies, and a proof of each: one `Proof`, or an array (...) of them.

    A half that a limit left unfound is absent, and the check of it then is refused or wider.
    """
    found, proofs, shape = _core.proofs(a, b, pose_a, pose_b, control(nodes, seconds, threads, progress))
    made = [Proof(text) for text in proofs]
    if not shape:
        return Distances(*found), made[0]
    array = np.empty(len(made), dtype=object)
    array[:] = made
    return Distances(*found), array.reshape(shape)


def pairs(
    boxes: npt.ArrayLike,
    algorithm: str = "auto",
    *,
    count_only: bool = False,
    threads: int = 0,
) -> Any:
    """Pairs (k, 2) of boxes that have a point in common, i < j, sorted; only how many with `count_only`.

    boxes: (n, 6) with minx, miny, minz, maxx, maxy, maxz, or (n, 2, 3). A box with NaN meets nothing.
    algorithm: "auto", or one of `sudar.broad_phases()`. All give the same pairs.
    """
    found, count, _ = _core.pairs(boxes, algorithm, not count_only, control(None, None, threads, None))
    return count if count_only else found


def broad_phases() -> list[str]:
    """The names of all broad phases."""
    return _core.broad_phases()


def replay(
    queries: str | PathLike[str] | Iterable[str | dict[str, Any]],
    root: str | PathLike[str] | None = None,
    *,
    threads: int = 0,
) -> list[dict[str, Any]]:
    """The answers to recorded queries, as `sudar replay` gives them: a file, or lines of JSON or dictionaries.

    root: where relative paths of meshes start from; the folder of the file, or the current one.
    """
    if isinstance(queries, (str, PathLike)):
        path = fspath(queries)
        with open(path, "rb") as file:
            lines = [line.rstrip(b"\r\n") for line in file]
        root = root if root is not None else (dirname(path) or ".")
    else:
        lines = [(q if isinstance(q, str) else json.dumps(q)).encode() for q in queries]
    lines = [line for line in lines if line.strip()]
    found = _core.replay(lines, fspath(root) if root is not None else ".", control(None, None, threads, None))
    return [json.loads(line) for line in found]


