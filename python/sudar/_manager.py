"""Many named objects that move."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from sudar import _core
from sudar._answers import Distances, NaturalPairs, Points, RayHits, Status, Sweeps
from sudar._calls import Pose, Progress, control
from sudar._shapes import Body, Point, _wrapped, matrix

Name: TypeAlias = str
NamePair: TypeAlias = tuple[str, str]
Among: TypeAlias = "str | tuple[str, str] | None"
"""None for all objects; the name of an object or of a group; the names of two groups."""


@dataclass(slots=True)
class Events:
    """What changed between two steps: pairs of names, each sorted as the objects were added.

    A pair ends also where an object was removed, and is named as it was, even if another object has that name now.
    """

    began: list[NamePair]
    stayed: list[NamePair]
    ended: list[NamePair]
    undecided: list[NamePair]
    """Pairs that a limit or rounding leaves open; they count as before."""


@dataclass(slots=True, eq=False)
class Collisions:
    """Pairs that are together, and their contacts, those of each pair one after another."""

    pairs: list[NamePair]
    starts: npt.NDArray[np.int64]
    """(n + 1,): where the contacts of each pair begin, and where the last end."""
    point_a: Points
    point_b: Points
    normal: Points
    """Unit directions from the first to the second of the pair."""
    depth: npt.NDArray[np.float64]
    features: NaturalPairs
    undecided: list[NamePair]

    def __len__(self) -> int:
        return len(self.pairs)


@dataclass(slots=True, eq=False)
class NearPairs:
    """Pairs within a tolerance, and their distances."""

    pairs: list[NamePair]
    distances: Distances
    undecided: list[NamePair]

    def __len__(self) -> int:
        return len(self.pairs)


class _Kept(NamedTuple):
    """An object in a pickle; one that was removed since the last step has no body."""

    name: str
    group: str | None
    body: Body | None = None
    pose: npt.NDArray[np.float64] | None = None
    rules: dict[str, Any] = {}  # noqa: RUF012


class CollisionManager:
    """Named objects that move: what touches what, what began and ended, what is nearest.

    Two objects are a pair unless both are static, the pair is ignored, or their categories and masks do not accept each
    other. A pair is together if the objects are at most `clearance` apart; with 0, if they have a point in common.

    broad_phase: one of `sudar.broad_phases()`; it changes the cost and never an answer.

    Searches with a body or a ray are about the objects that accept `category` and `mask`, and without these about all
    objects but those of category and mask 0; those named in `without` are left out.

    Searches take `among`: None for all pairs, the name of an object or a group, or a tuple of two groups.

    Round bodies that touch within rounding, such as a cylinder that rests on a box, are undecided, and so is what a
    limit ends. A search for a yes or no raises ValueError then, unless `undecided` says what they count as; other
    answers list them.

    >>> import sudar
    >>> scene = sudar.CollisionManager()
    >>> scene.add("table", sudar.Box([1, 1, 0.1]), static=True)
    >>> scene.add("cup", sudar.Cylinder(0.04, 0.05), ([0, 0, 1], [0, 0, 0, 1]))
    >>> scene.step().began
    []
    >>> scene.set_pose("cup", ([0, 0, 0.14], [0, 0, 0, 1]))
    >>> scene.step().began
    [('table', 'cup')]
    """

    def __init__(self, clearance: float = 0.0, broad_phase: str = "auto") -> None:
        self._core = _core.Manager(float(clearance), broad_phase)
        self._phase = broad_phase
        self._numbers: dict[str, int] = {}
        # Also those removed since the last step, which the next one may name.
        self._names: dict[int, str] = {}
        self._removed: dict[int, str | None] = {}
        self._groups: dict[str, int] = {}
        self._members: dict[str, list[str]] = {}
        self._rules: dict[str, dict[str, Any]] = {}
        self._ignored: set[frozenset[str]] = set()

    # What is in it.

    def add(
        self,
        name: str,
        body: _core.Body,
        pose: Pose = None,
        *,
        static: bool = False,
        category: int = 1,
        mask: int = 0xFFFFFFFF,
        margin: float = 0.0,
    ) -> None:
        """Adds an object. ValueError if there is one of that name.

        static: it does not move of itself; two static objects are no pair.
        category, mask: 32 bits each; a pair needs a common bit of the category of each and the mask of the other.
        margin: its box is wider by so much, to be found before it comes near.
        """
        self._check_new(name)
        number = self._core.insert(name, body, pose, static, category, mask, float(margin))
        self._keep(name, number, static=static, category=category, mask=mask, margin=margin)

    def add_group(
        self,
        group: str,
        objects: Mapping[str, _core.Body | tuple[_core.Body, Pose]],
        ignored: Iterable[NamePair] = (),
    ) -> None:
        """Adds objects that belong together, such as the links of a robot; pairs among them in `ignored` are none."""
        if group in self._groups:
            raise ValueError(f"there is a group {group!r} already")
        for name in objects:
            self._check_new(name)
        names = list(objects)
        placed = [part if isinstance(part, tuple) else (part, None) for part in objects.values()]
        poses = np.reshape([matrix(pose) for _, pose in placed], (len(placed), 4, 4))
        places = {name: i for i, name in enumerate(names)}
        left_out = [[places[a], places[b]] for a, b in ignored]
        number, members = self._core.insert_group(names, [body for body, _ in placed], poses, left_out)
        for name, member in zip(names, members, strict=True):
            self._keep(name, member, static=False, category=1, mask=0xFFFFFFFF, margin=0.0)
        self._groups[group], self._members[group] = number, names
        self._ignored.update(frozenset((names[a], names[b])) for a, b in left_out)

    def remove(self, name: str) -> None:
        """Removes an object."""
        number = self._number(name)
        self._core.remove(number)
        self._forget(name, self._group_of(name))

    def remove_group(self, group: str) -> None:
        """Removes all objects of a group, and the group."""
        self._core.remove_group(self._group(group))
        for name in list(self._members[group]):
            self._forget(name, group)
        del self._groups[group], self._members[group]

    def clear(self) -> None:
        """Removes all objects and groups."""
        for group in list(self._groups):
            self.remove_group(group)
        for name in self:
            self.remove(name)

    def replace(self, name: str, body: _core.Body) -> None:
        """Gives an object another shape."""
        self._core.replace(self._number(name), body)

    def set_pose(self, name: str, pose: Pose) -> None:
        """Moves an object."""
        self._core.set_pose(self._number(name), matrix(pose) if pose is None else pose)

    def set_poses(self, names: Sequence[str], poses: Pose) -> None:
        """Moves objects at once: as many poses (n, …) as names. If one is refused, none moves."""
        if poses is None:
            raise TypeError("poses: must be (n, 4, 4) matrices, or a tuple (positions, quaternions)")
        self._core.set_poses([self._number(name) for name in names], poses)

    def pose(self, name: str) -> npt.NDArray[np.float64]:
        """Where an object is (4, 4)."""
        found: npt.NDArray[np.float64] = self._core.poses([self._number(name)])[0]
        return found

    def body(self, name: str) -> Body:
        """The shape of an object."""
        found: Body = _wrapped(self._core.body(self._number(name)))
        return found

    @property
    def names(self) -> list[str]:
        """All names, as the objects were added."""
        return list(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)

    def __iter__(self) -> Iterator[str]:
        return iter(list(self._numbers))

    def __contains__(self, name: object) -> bool:
        return name in self._numbers

    # Which pairs count.

    def ignore(self, a: str, b: str) -> None:
        """The pair is none from now on."""
        self._core.ignore(self._number(a), self._number(b), True)
        self._ignored.add(frozenset((a, b)))

    def unignore(self, a: str, b: str) -> None:
        """The pair is one again."""
        self._core.ignore(self._number(a), self._number(b), False)
        self._ignored.discard(frozenset((a, b)))

    def ignore_touching(self, among: Among = None) -> list[NamePair]:
        """Ignores all pairs that are together now, and says which."""
        found = self._pairs(self._core.ignore_touching(self._among(among), None))
        self._ignored.update(frozenset(pair) for pair in found)
        return found

    def set_filter(self, name: str, category: int, mask: int) -> None:
        """Changes which others an object forms pairs with."""
        self._core.set_filter(self._number(name), category, mask)
        self._rules[name].update(category=category, mask=mask)

    @property
    def clearance(self) -> float:
        """Objects at most so far apart are together."""
        return self._core.clearance

    @clearance.setter
    def clearance(self, clearance: float) -> None:
        self._core.clearance = clearance

    # Searches.

    def step(
        self,
        *,
        nodes: int | None = None,
        seconds: float | None = None,
        threads: int = 0,
        progress: Progress = None,
    ) -> Events:
        """Which pairs began, stay and ended to be together since the last step."""
        events = Events(*(self._pairs(p) for p in self._core.step(control(nodes, seconds, threads, progress))))
        for number in self._removed:
            del self._names[number]
        self._removed.clear()
        return events

    def any(
        self,
        among: Among = None,
        *,
        undecided: bool | None = None,
        nodes: int | None = None,
        seconds: float | None = None,
    ) -> NamePair | None:
        """A pair that is together, or None if there is none; with undecided=True also one that may be."""
        pair, certain = self._core.first(self._among(among), control(nodes, seconds, 0, None))
        if pair is not None:
            return self._names[pair[0]], self._names[pair[1]]
        if certain or undecided is False:
            return None
        pairs = self.touching_pairs(among, undecided=undecided, nodes=nodes, seconds=seconds)
        return pairs[0] if pairs else None

    def touching_pairs(
        self,
        among: Among = None,
        *,
        undecided: bool | None = None,
        nodes: int | None = None,
        seconds: float | None = None,
        threads: int = 0,
        progress: Progress = None,
    ) -> list[NamePair]:
        """All pairs that are together; with undecided=True those last that may be."""
        found, left = self._core.touching_pairs(self._among(among), control(nodes, seconds, threads, progress))
        return self._pairs(found) + _counted(self._pairs(left), undecided)

    def collisions(
        self,
        among: Among = None,
        *,
        nodes: int | None = None,
        seconds: float | None = None,
        threads: int = 0,
        progress: Progress = None,
    ) -> Collisions:
        """All pairs that are together, with contact points for a solver."""
        limits = control(nodes, seconds, threads, progress)
        pairs, starts, a, b, normal, depth, features, undecided = self._core.collisions(self._among(among), limits)
        return Collisions(self._pairs(pairs), starts, a, b, normal, depth, features, self._pairs(undecided))

    def within(
        self,
        tolerance: float,
        among: Among = None,
        *,
        nodes: int | None = None,
        seconds: float | None = None,
        threads: int = 0,
        progress: Progress = None,
    ) -> NearPairs:
        """All pairs at most `tolerance` apart, with their distances."""
        limits = control(nodes, seconds, threads, progress)
        pairs, *columns, undecided = self._core.within(self._among(among), tolerance, limits)
        return NearPairs(self._pairs(pairs), Distances(*columns), self._pairs(undecided))

    def nearest(
        self, among: Among = None, *, nodes: int | None = None, seconds: float | None = None
    ) -> tuple[NamePair, Distances] | None:
        """The pair that is nearest to each other, and its distance; None where there is no pair."""
        found, certain = self._core.nearest(self._among(among), control(nodes, seconds, 0, None))
        if found is None:
            return None
        pair, columns = found
        return (self._names[pair[0]], self._names[pair[1]]), _certain(Distances(*columns), certain)

    def touching(
        self,
        body: _core.Body,
        pose: Pose = None,
        *,
        category: int = 1,
        mask: int = 0xFFFFFFFF,
        without: Iterable[str] = (),
        undecided: bool | None = None,
        nodes: int | None = None,
        seconds: float | None = None,
    ) -> list[str]:
        """The objects that one more body touches; with undecided=True those last that it may touch."""
        found, left = self._core.touching(
            body, pose, self._sought(category, mask, without), control(nodes, seconds, 0, None)
        )
        names = [self._names[i] for i in found.tolist()]
        return names + _counted([self._names[i] for i in left.tolist()], undecided)

    def near(
        self,
        body: _core.Body,
        tolerance: float,
        pose: Pose = None,
        *,
        category: int = 1,
        mask: int = 0xFFFFFFFF,
        without: Iterable[str] = (),
        undecided: bool | None = None,
        nodes: int | None = None,
        seconds: float | None = None,
    ) -> tuple[list[str], Distances]:
        """The objects at most `tolerance` from one more body, and the distances of that body from them.

        Those that may be nearer or not are left out with undecided=False; True is no choice, for they have no distance.
        """
        if undecided is True:
            raise ValueError("undecided: must be False or None here, for what is undecided has no distance")
        found, *columns, left = self._core.near(
            body, pose, tolerance, self._sought(category, mask, without), control(nodes, seconds, 0, None)
        )
        _counted([self._names[i] for i in left.tolist()], undecided)
        return [self._names[i] for i in found.tolist()], Distances(*columns)

    def nearest_to(
        self,
        body: _core.Body,
        pose: Pose = None,
        *,
        category: int = 1,
        mask: int = 0xFFFFFFFF,
        without: Iterable[str] = (),
        nodes: int | None = None,
        seconds: float | None = None,
    ) -> tuple[str, Distances] | None:
        """The object nearest to one more body, and the distance of that body from it; None where there is none."""
        found, certain = self._core.nearest_to(
            body, pose, self._sought(category, mask, without), control(nodes, seconds, 0, None)
        )
        if found is None:
            return None
        number, columns = found
        return self._names[number], _certain(Distances(*columns), certain)

    def ray(
        self,
        origin: npt.ArrayLike,
        direction: npt.ArrayLike,
        *,
        max: float = np.inf,
        category: int = 1,
        mask: int = 0xFFFFFFFF,
        without: Iterable[str] = (),
        nodes: int | None = None,
        seconds: float | None = None,
    ) -> tuple[str, RayHits] | None:
        """The first object on a ray, and the hit; None where there is none."""
        found, certain = self._core.ray(
            origin, direction, max, self._sought(category, mask, without), control(nodes, seconds, 0, None)
        )
        if found is None:
            return None
        number, t, point, normal, feature = found
        status = Status.EXACT if certain else Status.BUDGET
        return self._names[number], RayHits(True, t, np.array(point), np.array(normal), feature, status)

    def ray_all(
        self,
        origin: npt.ArrayLike,
        direction: npt.ArrayLike,
        *,
        max: float = np.inf,
        category: int = 1,
        mask: int = 0xFFFFFFFF,
        without: Iterable[str] = (),
        nodes: int | None = None,
        seconds: float | None = None,
    ) -> tuple[list[str], RayHits]:
        """All objects on a ray, each where it is hit first, in the order of the ray."""
        found, (t, point, normal, feature), certain = self._core.ray_all(
            origin, direction, max, self._sought(category, mask, without), control(nodes, seconds, 0, None)
        )
        status = np.full(len(t), Status.EXACT if certain else Status.BUDGET, np.uint8)
        hits = RayHits(np.ones(len(t), bool), t, point, normal, feature, status)
        return [self._names[i] for i in found.tolist()], hits

    def sweep(
        self,
        body: _core.Body,
        pose: Pose,
        pose_end: Pose,
        *,
        delta: float = 1e-6,
        category: int = 1,
        mask: int = 0xFFFFFFFF,
        without: Iterable[str] = (),
        nodes: int | None = None,
        seconds: float | None = None,
    ) -> tuple[str, Sweeps] | None:
        """What one more body meets first on its way from a pose to another, and when; None if nothing."""
        found = self._core.sweep(
            body, pose, pose_end, delta, self._sought(category, mask, without), control(nodes, seconds, 0, None)
        )
        return None if found is None else (self._names[found[0]], Sweeps(*found[1]))

    # Inside.

    def _check_new(self, name: str) -> None:
        if not isinstance(name, str):
            raise TypeError(f"name: must be a string, not {type(name).__name__}")
        if name in self._numbers:
            raise ValueError(f"there is an object {name!r} already; remove or replace it")

    def _keep(self, name: str, number: int, **rules: Any) -> None:
        self._numbers[name], self._names[number], self._rules[name] = number, name, rules

    def _forget(self, name: str, group: str | None) -> None:
        self._removed[self._numbers.pop(name)] = group
        del self._rules[name]
        self._ignored = {pair for pair in self._ignored if name not in pair}
        if group is not None:
            self._members[group].remove(name)

    def _sought(self, category: int, mask: int, without: Iterable[str]) -> tuple[int, int, list[int]]:
        if isinstance(without, str):
            raise TypeError(f"without: must be names, such as [{without!r}]")
        return category, mask, [self._number(name) for name in without]

    def _group_of(self, name: str) -> str | None:
        return next((group for group, members in self._members.items() if name in members), None)

    def _number(self, name: str) -> int:
        try:
            return self._numbers[name]
        except KeyError:
            raise KeyError(f"there is no object {name!r}") from None

    def _pairs(self, pairs: npt.NDArray[np.uint64]) -> list[NamePair]:
        names = self._names
        return [(names[a], names[b]) for a, b in pairs.tolist()]

    def _among(self, among: Among) -> tuple[int, int, int]:
        if among is None:
            return (0, 0, 0)
        if isinstance(among, tuple):
            return (3, self._group(among[0]), self._group(among[1]))
        if among in self._groups:
            return (2, self._groups[among], 0)
        return (1, self._number(among), 0)

    def _group(self, name: str) -> int:
        try:
            return self._groups[name]
        except KeyError:
            raise KeyError(f"there is no group {name!r}") from None

    def __getstate__(self) -> dict[str, Any]:
        groups = {name: group for group, members in self._members.items() for name in members}
        objects = [
            _Kept(name, self._removed[number])
            if number in self._removed
            else _Kept(name, groups.get(name), self.body(name), self.pose(name), self._rules[name])
            for number, name in self._names.items()
        ]
        places = {number: place for place, number in enumerate(self._names)}
        return {
            "clearance": self.clearance,
            "broad_phase": self._phase,
            "objects": objects,
            "groups": list(self._groups),
            "ignored": [tuple(pair) for pair in self._ignored if len(pair) == 2],
            "together": [[places[a], places[b]] for a, b in self._core.together().tolist()],
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state["clearance"], state["broad_phase"])  # type: ignore[misc]
        numbers: list[int] = []
        for group, run in groupby(state["objects"], key=lambda kept: kept.group):
            numbers += self._restored(group, list(run))
        self._core.set_together([[numbers[a], numbers[b]] for a, b in state["together"]])
        for number in self._removed:
            self._core.remove(number)
        for group in state["groups"]:
            if group not in self._groups:
                self.add_group(group, {})
        for a, b in state["ignored"]:
            self.ignore(a, b)

    def _restored(self, group: str | None, objects: list[_Kept]) -> list[int]:
        """Adds objects that were kept, those of a group at once; in the places of those that were removed, points."""
        bodies: list[_core.Body] = [Point([0, 0, 0]) if kept.body is None else kept.body for kept in objects]
        names, poses = [kept.name for kept in objects], [matrix(kept.pose) for kept in objects]
        if group is None:
            numbers = [
                self._core.insert(
                    kept.name, body, pose, kept.rules.get("static", False), 0, 0, kept.rules.get("margin", 0.0)
                )
                for kept, body, pose in zip(objects, bodies, poses, strict=True)
            ]
        else:
            self._groups[group], numbers = self._core.insert_group(names, bodies, np.array(poses), [])
            self._members[group] = [kept.name for kept in objects if kept.body is not None]
        for number, kept in zip(numbers, objects, strict=True):
            self._names[number] = kept.name
            if kept.body is None:
                self._removed[number] = group
            else:
                self._keep(kept.name, number, **kept.rules)
                self._core.set_filter(number, kept.rules["category"], kept.rules["mask"])
        return numbers


def _counted(left: list[Any], undecided: bool | None) -> list[Any]:
    """What is undecided, if it is to count."""
    if left and undecided is None:
        raise ValueError(
            f"undecided: {left[0]}, of {len(left)}: the limit was reached or rounding leaves it open; give a larger "
            "limit, or undecided=True or False for what it is to count as"
        )
    return left if undecided else []


def _certain(distances: Distances, certain: bool) -> Distances:
    if not certain:
        distances.status = Status.BUDGET
    return distances
