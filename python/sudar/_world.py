"""Rigid bodies that fall, fly and bounce."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from os import PathLike, fspath
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from sudar import _core
from sudar._answers import RayHits, Status, Sweeps
from sudar._calls import Pose, Progress, control
from sudar._shapes import Body, _wrapped

Kind: TypeAlias = Literal["dynamic", "static", "kinematic"]


@dataclass(slots=True, eq=False)
class Touches:
    """Pairs of bodies that touched in a step, or ceased to."""

    pairs: list[tuple[str | None, str | None]]
    """Names; None stands for a wall of the room."""
    phase: npt.NDArray[np.uint8]
    """0 began, 1 lasts, 2 ended."""
    impulse: npt.NDArray[np.float64]
    """Sums of the normal impulses, in N·s."""

    def __len__(self) -> int:
        return len(self.pairs)


@dataclass(slots=True, eq=False)
class JointState:
    """A joint after a step."""

    coordinates: npt.NDArray[np.float64]
    """Displacements along x, y, z in m, twist, swing about y and z in rad (6,)."""
    points: npt.NDArray[np.float64]
    """The anchors on both bodies, in the world (2, 3)."""
    gap: float
    """How far locks and hard limits are off, in m."""
    twist: float
    """The same of angles, in rad."""
    force: npt.NDArray[np.float64]
    """On the second body in the last step, in N (3,)."""
    torque: npt.NDArray[np.float64]
    """About its anchor, in N·m (3,)."""


class Difference(NamedTuple):
    """Where a replay first differs from its recording."""

    step: int
    """From 1."""
    time: float
    """In seconds."""
    body: str | None
    """The name of the only body that differs, if it is one."""
    what: str
    """In words."""


class Recording:
    """What was done to a world and what came of it: from `World.record`, or from a file.

    It goes on any machine, and comes to the same bits there or says where it does not; `sudar simulate FILE --verify`
    does the same.
    """

    def __init__(self, core: _core.Recording) -> None:
        self._core = core

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Recording:
        """Reads what `save` wrote."""
        with open(path, encoding="utf-8") as file:
            return cls(_core.Recording.parse(file.read()))

    def save(self, path: str | PathLike[str]) -> None:
        """Writes it as JSON."""
        text = self._core.text()
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def __len__(self) -> int:
        return len(self._core)

    def replay(
        self, show: Callable[[int, list[str], npt.NDArray[np.float64]], object] | None = None
    ) -> Difference | None:
        """Plays it to its end or the first difference, which it gives.

        show is called after each step with its number from 0, the names of the bodies and their poses (n, 4, 4).
        """
        found = self._core.replay(show)
        return None if found is None else Difference(*found)


class World:
    """A world of rigid bodies, in metres, seconds and kilograms.

    It pickles with all that the bodies do; one of a scene file by the name of that file.

    response: how contacts are answered: "solver" (the default), or one of the sources: "reflection", "momentum", "mtv",
    "spring", "impulse", "simultaneous".

    >>> import sudar
    >>> world = sudar.World()
    >>> world.add("floor", sudar.Halfspace([0, 0, 1]), kind="static")
    >>> world.add("ball", sudar.Sphere(0.5), position=[0, 0, 3])
    >>> touches = world.step(1 / 60, steps=300)
    >>> bool(abs(world.pose("ball")[2, 3] - 0.5) < 0.01)
    True
    """

    def __init__(
        self, gravity: npt.ArrayLike = (0.0, 0.0, -9.81), response: str = "solver", substeps: int = 4
    ) -> None:
        self._core = _core.World(gravity, response, substeps)
        self._source: tuple[Any, ...] = (gravity, response, substeps)
        self._added: list[tuple[str, _core.Body, Kind, dict[str, Any]]] = []
        self._names: list[str] = []
        self._places: dict[str, int] = {}
        self._groups: dict[str, int] = {}
        self.usual_step = 1 / 60
        """The step in seconds that a scene file asks for."""

    @classmethod
    def load(cls, scene: str | PathLike[str]) -> World:
        """The world of a scene file, or of a built-in scene such as "stack"; see `sudar simulate --list`."""
        world = cls.__new__(cls)
        world._source, world._added = (fspath(scene),), []
        world._core, world._names, world.usual_step = _core.World.load(fspath(scene))
        world._places, world._groups = {}, {}
        for i, name in enumerate(world._names):
            world._places.setdefault(name, i)
        return world

    def add(self, name: str, body: _core.Body, kind: Kind = "dynamic", **properties: Any) -> None:
        """Adds a body, of density 1000 kg/m³ and at rest unless the properties say otherwise.

        properties: position (3,), rotation (4,) quaternion scalar last, velocity (3,) in m/s, angular_velocity (3,) in
        rad/s, density, restitution 0 to 1, friction, rolling_friction in m, linear_drag and angular_drag in 1/s, adhesion
        in N, gravity_scale, force (3,) in N, torque (3,) in N·m; friction_rule and restitution_rule, how a pair combines
        them; category and mask, 32 bits each: two bodies touch if the category of each has a common bit with the mask of
        the other; or group and mask by names, such as group="crate", mask=["crate", "wall"]; sensor, a body that senses and does not push (`inside`); one_way (3,), the
        direction of a platform that holds only what is above it; surface_velocity (3,) in m/s of a conveyor belt;
        user_data, a whole number below 2**128; contact_softness, {"hertz", "damping_ratio"} or {"stiffness", "damping"}
        of contacts that yield; field, {"acceleration", "force", "attraction", "drag"} that acts on what is in a sensor.
        """
        if name in self._places:
            raise ValueError(f"there is a body {name!r} already")
        if "group" in properties:
            properties["category"] = self._bits(properties.pop("group"))
        if isinstance(properties.get("mask"), (str, list, tuple)):
            properties["mask"] = self._bits(properties["mask"])
        self._places[name] = self._core.add(name, body, kind, properties)
        self._names.append(name)
        self._added.append((name, body, kind, dict(properties)))

    def _bits(self, names: str | Iterable[str]) -> int:
        """The bits of groups by their names, each of which gets one as it comes."""
        bits = 0
        for name in [names] if isinstance(names, str) else names:
            if name not in self._groups and len(self._groups) == 32:
                raise ValueError(f"{name!r} is one group too many; there are 32 at most")
            bits |= 1 << self._groups.setdefault(name, len(self._groups))
        return bits

    def join(self, kind: str, a: str | None = None, b: str | None = None, **properties: Any) -> int:
        """Ties two bodies together, or one to the world (None); gives the number of the joint.

        kind and properties are those of scene files (docs/joints.md): "hinge" with point and axis, "spring" with points
        and stiffness; limits, motor, servo, friction, breaks and so on. Points and axes are in the world.

        >>> import sudar
        >>> world = sudar.World()
        >>> world.add("door", sudar.Box([0.4, 0.02, 1]), position=[0.4, 0, 1])
        >>> hinge = world.join("hinge", b="door", point=[0, 0, 0], axis=[0, 0, 1], motor={"speed": 1, "force": 500})
        >>> touches = world.step(1 / 60, steps=60)
        >>> bool(abs(world.joint(hinge).coordinates[3] - 1) < 0.02)
        True
        """
        given = {"kind": kind, "a": a, "b": b, **properties}
        listed = {key: value for key, value in given.items() if value is not None}
        text = json.dumps(listed, default=lambda value: np.asarray(value).tolist())
        return self._core.join(text, self._places)

    def unjoin(self, joint: int) -> None:
        """Removes a joint."""
        self._core.unjoin(joint)

    @property
    def joints(self) -> list[int]:
        """The numbers of all joints."""
        return self._core.joints()

    def joint(self, joint: int) -> JointState:
        """Coordinates, gap and force of a joint."""
        coordinates, points, (gap, twist), (force, torque) = self._core.joint_state(joint)
        return JointState(
            np.array(coordinates), np.array(points), gap, twist, np.array(force), np.array(torque)
        )

    def set_joint(
        self,
        joint: int,
        *,
        motor: float | None = None,
        target: float | None = None,
        steering: float | None = None,
        friction: float | None = None,
        limits: tuple[float, float] | None = None,
        anchor: npt.ArrayLike | None = None,
    ) -> None:
        """Changes a joint: the speed of its motor, where its servo goes, the angle of steering, friction or brake, limits,
        the anchor on the first body."""
        point = None if anchor is None else np.asarray(anchor, dtype=float).tolist()
        self._core.change_joint(joint, [motor, target, steering, friction], limits, point)

    def __reduce__(self) -> tuple[Any, ...]:
        return (_made, (self._source, self._added, self._core.snapshot(), self._groups))

    def step(
        self, seconds: float | None = None, steps: int = 1, *, threads: int = 0, progress: Progress = None
    ) -> Touches:
        """Goes on by so many steps of so many seconds each; what touched in the last of them."""
        seconds = self.usual_step if seconds is None else seconds
        a, b, phase, impulse = self._core.step(seconds, steps, control(None, None, threads, progress))

        def name(place: int) -> str | None:
            return None if place < 0 else self._names[place]

        pairs = [(name(i), name(j)) for i, j in zip(a.tolist(), b.tolist(), strict=True)]
        return Touches(pairs, phase, impulse)

    @property
    def names(self) -> list[str]:
        """All names, as the bodies were added."""
        return list(self._names)

    def __len__(self) -> int:
        return len(self._names)

    @property
    def poses(self) -> npt.NDArray[np.float64]:
        """Where all bodies are (n, 4, 4), in the order of `names`."""
        return self._core.poses()

    def pose(self, name: str) -> npt.NDArray[np.float64]:
        """Where a body is (4, 4)."""
        found: npt.NDArray[np.float64] = self.poses[self._place(name)]
        return found

    @property
    def velocities(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Velocities of the centres of mass (n, 3) in m/s, and angular velocities (n, 3) in rad/s."""
        return self._core.velocities()

    def body(self, name: str) -> Body:
        """The shape of a body."""
        found: Body = _wrapped(self._core.body(self._place(name)))
        return found

    def ray_all(
        self,
        origin: npt.ArrayLike,
        direction: npt.ArrayLike,
        *,
        max: float = np.inf,
        category: int = 1,
        mask: int = 0xFFFFFFFF,
        without: Iterable[str] = (),
    ) -> tuple[list[str], RayHits]:
        """The bodies on a ray, each where it is hit first, in the order of the ray.

        category, mask: about bodies that accept these; without them about all bodies but those of category and mask 0.
        without: names of bodies that are left out.
        """
        found, (t, point, normal, feature) = self._core.ray_all(
            origin, direction, max, self._sought(category, mask, without)
        )
        status = np.full(len(t), Status.EXACT, np.uint8)
        return [self._names[i] for i in found], RayHits(np.ones(len(t), bool), t, point, normal, feature, status)

    def inside(self, name: str) -> list[str]:
        """The bodies that are in a sensor since the last step."""
        return [self._names[i] for i in self._core.inside(self._place(name))]

    def move_to(self, name: str, pose: Pose, seconds: float) -> None:
        """Moves a kinematic body such that it is at a pose after a step of so many seconds, and stays there.

        >>> import numpy as np
        >>> import sudar
        >>> world, pose = sudar.World(), np.eye(4)
        >>> world.add("lift", sudar.Box([1, 1, 0.1]), kind="kinematic")
        >>> world.add("zone", sudar.Box([1, 1, 1]), kind="static", sensor=True, position=[0, 0, 3])
        >>> for step in range(60):
        ...     pose[2, 3] = (step + 1) / 20
        ...     world.move_to("lift", pose, 1 / 60)
        ...     touches = world.step(1 / 60)
        >>> world.inside("zone"), bool(abs(world.pose("lift")[2, 3] - 3) < 1e-12)
        (['lift'], True)
        """
        self._core.move_to(self._place(name), pose, seconds)

    def record(self) -> None:
        """Begins to record what is done to the world, from as it is now.

        >>> import sudar
        >>> world = sudar.World()
        >>> world.add("ball", sudar.Sphere(0.5))
        >>> world.record()
        >>> touches = world.step(1 / 60, steps=20)
        >>> world.apply_impulse("ball", [100, 0, 0], [0, 0, 0])
        >>> touches = world.step(1 / 60, steps=20)
        >>> log = world.stop_recording()
        >>> len(log), log.replay()
        (40, None)
        """
        self._core.record()

    def stop_recording(self) -> Recording:
        """Ends the recording and gives it; a ValueError where none was begun."""
        recording = self._core.stop_recording()
        if recording is None:
            raise ValueError("nothing is recorded; call record() first")
        return Recording(recording)

    def touching(
        self,
        body: _core.Body,
        pose: Pose = None,
        *,
        category: int = 1,
        mask: int = 0xFFFFFFFF,
        without: Iterable[str] = (),
    ) -> list[str]:
        """The bodies that a shape touches, chosen as in `ray_all`."""
        return [self._names[i] for i in self._core.touching(body, pose, self._sought(category, mask, without))]

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
    ) -> tuple[str, Sweeps] | None:
        """What a moving shape meets first while the world stands still, and when; None if nothing. As in `ray_all`."""
        found = self._core.sweep(body, (pose, pose_end), delta, self._sought(category, mask, without))
        return None if found is None else (self._names[found[0]], Sweeps(*found[1]))

    def apply_impulse(self, name: str, impulse: npt.ArrayLike, point: npt.ArrayLike) -> None:
        """Pushes a body at a point of the world by an impulse (3,) in N·s."""
        self._core.apply_impulse(self._place(name), impulse, point)

    @property
    def energy(self) -> tuple[float, float]:
        """Kinetic and potential energy, in joules."""
        kinetic, potential, _, _ = self._core.energy()
        return kinetic, potential

    @property
    def momentum(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Momentum, and angular momentum about the origin, of the dynamic bodies."""
        _, _, straight, turning = self._core.energy()
        return np.array(straight), np.array(turning)

    @property
    def time(self) -> float:
        """Seconds since the beginning."""
        return self._core.time

    def _sought(self, category: int, mask: int, without: Iterable[str]) -> tuple[int, int, list[int]]:
        if isinstance(without, str):
            raise TypeError(f"without: must be names, such as [{without!r}]")
        return category, mask, [self._place(name) for name in without]

    def _place(self, name: str) -> int:
        try:
            return self._places[name]
        except KeyError:
            raise KeyError(f"there is no body {name!r}") from None


class Walk(NamedTuple):
    """What became of a move of a character."""

    moved: npt.NDArray[np.float64]
    """How far it came (3,)."""
    obstacles: list[tuple[str | None, npt.NDArray[np.float64], npt.NDArray[np.float64]]]
    """What it ran into: the name of the body, the point (3,) and the unit normal out of the body (3,)."""
    gap: float
    """It is certainly farther from all that it may touch, up to its skin."""
    is_crushed: bool
    """Whether something came upon it from which it found no way out."""


class Character:
    """A character of a convex body that walks about in a world: it slides, steps up, and stays on the ground.

    max_slope in rad, step_height, snap and skin in m, mass in kg, push in N, up (3,); category and mask say what it
    collides with.

    >>> import sudar
    >>> world = sudar.World()
    >>> world.add("floor", sudar.Halfspace([0, 0, 1]), kind="static")
    >>> hero = sudar.Character(sudar.Capsule(0.3, 0.5), position=[0, 0, 0.9])
    >>> for step in range(60):
    ...     walk = hero.walk(world, [2, 0, 0], 1 / 60)
    ...     touches = world.step(1 / 60)
    >>> bool(abs(hero.position[0] - 2) < 0.01), hero.is_grounded, walk.gap > 0
    (True, True, True)
    """

    def __init__(
        self,
        body: _core.Body,
        position: npt.ArrayLike = (0.0, 0.0, 0.0),
        *,
        max_slope: float = 0.8,
        step_height: float = 0.35,
        snap: float = 0.2,
        skin: float = 0.01,
        mass: float = 80.0,
        push: float = 500.0,
        up: npt.ArrayLike = (0.0, 0.0, 1.0),
        category: int = 1,
        mask: int = 0xFFFFFFFF,
    ) -> None:
        sizes = [max_slope, step_height, snap, skin, mass, push]
        self._core = _core.Character(body, position, up, sizes, [category, mask])

    def go_with(self, world: World, name: str) -> None:
        """Lets a kinematic body of a world go with it, which others run into and it does not."""
        self._core.go_with(world._core, world._place(name))

    def walk(self, world: World, velocity: npt.ArrayLike, seconds: float) -> Walk:
        """Moves it with a velocity (3,) for so many seconds; a step of the world is to follow."""
        moved, obstacles, gap, is_crushed = self._core.walk(world._core, velocity, seconds)
        named = [(None if i < 0 else world._names[i], np.array(p), np.array(n)) for i, p, n in obstacles]
        return Walk(np.array(moved), named, gap, is_crushed)

    def jump(self, speed: float) -> None:
        """Jumps with a speed, in m/s, in the next move."""
        self._core.jump(speed)

    @property
    def position(self) -> npt.NDArray[np.float64]:
        """Where its frame is (3,); set, it falls from there."""
        return np.array(self._core.state()[0])

    @position.setter
    def position(self, position: npt.ArrayLike) -> None:
        self._core.put(position)

    @property
    def rising(self) -> float:
        """Its speed upwards, in m/s."""
        return self._core.state()[1]

    @property
    def is_grounded(self) -> bool:
        """Whether it stands on ground that it can walk on."""
        return self._core.state()[2]


def _made(
    source: tuple[Any, ...],
    added: list[tuple[str, _core.Body, Kind, dict[str, Any]]],
    snapshot: str,
    groups: dict[str, int],
) -> World:
    world = World.load(*source) if len(source) == 1 else World(*source)
    for name, body, kind, properties in added:
        world.add(name, body, kind, **properties)
    world._core.restore(snapshot)
    world._groups = dict(groups)
    return world
