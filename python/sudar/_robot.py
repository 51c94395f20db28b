"""Robots: kinematics, and which configurations and edges are free of contact."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from typing import Any, TypeAlias, Unpack, overload

import numpy as np
import numpy.typing as npt

from sudar import _core
from sudar._calls import Pose, Progress, control
from sudar._files import Model, load, octomap
from sudar._robot_answers import (
    BoolArray,
    CellOptions,
    Clearances,
    ClearanceOptions,
    Configuration,
    Configurations,
    EdgeOptions,
    Edges,
    FirstContacts,
    IntArray,
    Limits,
    ManyClearances,
    ManyEdges,
    ManyReasons,
    NoPlan,
    OneClearance,
    OneEdge,
    OneReason,
    PairMaps,
    Plan,
    Reasons,
    SignedDistances,
)
from sudar._shapes import Body, PointCloud, _wrapped, matrix
from sudar._verify import NotVerified, Verified

Scene: TypeAlias = "Mapping[str, _core.Body | tuple[_core.Body, Pose]] | str | PathLike[str] | Model | None"
"""Named bodies, each where it is or with its pose; a file of them, of scanned points, called "points",
or of OctoMap (.bt, .ot), called "octomap"; nothing."""


class Robot:
    """A robot of a URDF or MJCF file, with the meshes, boxes, cylinders and balls of its collision geometry.

    It pickles with all its content: its files are not needed where it is loaded.

    A configuration is one number for each of `joint_names`, radians or metres; joints that mimic others have none.

    >>> arm = sudar.Robot.load("arm.urdf", srdf="arm.srdf")                       # doctest: +SKIP
    >>> cell = arm.cell({"shelf": shelf})                                         # doctest: +SKIP
    >>> cell.check(arm.sample(1000))                                              # doctest: +SKIP
    """

    def __init__(self, core: _core.Robot) -> None:
        self._core = core
        self._cells: dict[object, RobotCell] = {}

    @classmethod
    def load(
        cls,
        path: str | PathLike[str],
        *,
        srdf: str | PathLike[str] | None = None,
        packages: Mapping[str, str | PathLike[str]] | None = None,
        skip_missing_meshes: bool = False,
        narrow_by_mimics: bool = False,
    ) -> Robot:
        """Reads a URDF or MJCF, and an SRDF with pairs of links that need not be checked.

        packages: the folders of `package://NAME/…`; without, the folder of the URDF and those above it are searched.
        skip_missing_meshes: also those that cannot be read; WHAT IS LEFT OUT IS NOT CHECKED; it is named in `notes`.
        narrow_by_mimics: limits of joints that mimic another narrow those of the other; otherwise `notes` names them.

        OSError if there is no such file, ValueError for what is wrong in it, on one line.
        """
        folders = [(name, fspath(folder)) for name, folder in (packages or {}).items()]
        groups = None if srdf is None else fspath(srdf)
        return cls(_core.Robot.load(fspath(path), groups, folders, skip_missing_meshes, narrow_by_mimics))

    @classmethod
    def together(cls, robots: Mapping[str, Robot | tuple[Robot, Pose]]) -> Robot:
        """Several robots as one, each where its root link stands in the world: {"left": (arm, pose), "right": other}.

        Links, joints and numbers are called "left/…"; cells check the robots with each other. The world of an MJCF
        is "left/world", and its rules of collision hold among its own links.
        """
        named = {name: one if isinstance(one, tuple) else (one, None) for name, one in robots.items()}
        bases = np.reshape([matrix(pose) for _, pose in named.values()], (len(named), 4, 4))
        return cls(_core.Robot.together(list(named), [one._core for one, _ in named.values()], bases))

    def __reduce__(self) -> tuple[Callable[[bytes], Robot], tuple[bytes]]:
        return (_stored, (self._core.to_bytes(),))

    def __deepcopy__(self, memo: object) -> Robot:
        # Nothing can change it.
        return self

    @property
    def name(self) -> str:
        """Its name in the file."""
        return self._core.name

    @property
    def dof(self) -> int:
        """How many numbers a configuration has."""
        return len(self.joint_names)

    @property
    def joint_names(self) -> list[str]:
        """Of each number of a configuration, the joint; joints of several numbers with .x, .y and the like."""
        return self._core.joint_names

    @property
    def link_names(self) -> list[str]:
        """All links, in the order of the file."""
        return self._core.link_names

    @property
    def limits(self) -> npt.NDArray[np.float64]:
        """(dof, 2): the least and greatest value of each joint; infinite where there is none."""
        found: npt.NDArray[np.float64] = self._core.limits()
        return found

    @property
    def notes(self) -> list[str]:
        """What was noticed in the files and not refused."""
        return self._core.notes

    def body(self, link: str) -> Body | None:
        """The shape of a link in its frame; None for a link without collision geometry."""
        found = self._core.body(link)
        return None if found is None else _wrapped(found)

    def forward(self, q: npt.ArrayLike, *, threads: int = 0) -> npt.NDArray[np.float64]:
        """(…, links, 4, 4): the poses of all links in the frame of the root, for configurations (…, dof)."""
        found: npt.NDArray[np.float64] = self._core.forward(q, control(None, None, threads, None))
        return found

    def jacobian(
        self, link: str, q: npt.ArrayLike, point: npt.ArrayLike = (0.0, 0.0, 0.0)
    ) -> npt.NDArray[np.float64]:
        """(…, 6, dof): how a point of a link, in its frame, moves with each joint at configurations (…, dof).

        Three rows are the velocity of the point, three the angular velocity, along the axes of the root link.
        """
        found: npt.NDArray[np.float64] = self._core.jacobian(link, q, point)
        return found

    def spheres(self, most: int = 64, radius: float = 0.0) -> dict[str, npt.NDArray[np.float64]]:
        """For each link with geometry, spheres (n, 4) of x, y, z, radius in its frame whose union covers it, proved.

        most: so many for a link, but at least one for each of its bodies; those of at most `radius` are not cut further.
        ValueError for a link without end, such as a floor, which no spheres cover.
        """
        found = self._core.spheres(most, radius)
        endless = [name for name, _, _, covered in found if not covered]
        if endless:
            raise ValueError(f"no spheres cover {', '.join(endless)}, which has no end")
        return {name: rows for name, rows, _, _ in found}

    @property
    def groups(self) -> dict[str, list[str]]:
        """The groups of joints that the SRDF names, such as arms, for `group`."""
        return dict(self._core.groups)

    def chain(self, base: str, tip: str) -> list[str]:
        """The names of the joints that move one link against another that carries it: those of an arm."""
        return self._core.chain(base, tip)

    def group(self, names: Iterable[str], rest: npt.ArrayLike) -> Robot:
        """The same robot with these joints only, in this order, while the others stand at a configuration `rest` (dof,).

        Links that do not move against each other are not checked by cells of a group.
        """
        names, at = list(names), np.array(rest, dtype=np.float64)
        return Robot(self._core.group(names, at))

    def whole(self, q: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """Configurations (…, dof) of a group as those of the robot that it is of; the same of any other robot."""
        found: npt.NDArray[np.float64] = self._core.whole(q)
        return found

    def sample(self, count: int, seed: int = 0) -> npt.NDArray[np.float64]:
        """(count, dof): random configurations within the limits, the same for the same seed."""
        found: npt.NDArray[np.float64] = self._core.sample(count, seed)
        return found

    @overload
    def within_limits(self, q: Configurations, tolerance: float = 1e-4) -> BoolArray: ...
    @overload
    def within_limits(self, q: Configuration, tolerance: float = 1e-4) -> bool: ...
    @overload
    def within_limits(self, q: npt.ArrayLike, tolerance: float = 1e-4) -> bool | BoolArray: ...
    def within_limits(self, q: npt.ArrayLike, tolerance: float = 1e-4) -> bool | BoolArray:
        """Whether configurations (…, dof) are within the limits of all joints, by a tolerance in radians and metres."""
        return self._core.within_limits(q, tolerance)[0]

    def reach(
        self,
        link: str,
        pose: Pose,
        *,
        position: float = 1e-6,
        angle: float = 1e-6,
        seeds: int = 32,
        seed: int = 0,
        steps: int = 200,
        start: npt.ArrayLike | None = None,
        joints: Sequence[str] | None = None,
        threads: int = 0,
    ) -> npt.NDArray[np.float64]:
        """(n, dof): configurations within the limits at which a link has a pose, those nearest to the start first.

        Inverse kinematics by damped least squares; none that is found does not prove that there is none. Contacts play
        no part: `RobotCell.plan` takes the rows as goals and leaves out those that are not free.

        position, angle: how far from the pose, in metres and radians; an angle of pi or more is any orientation.
        seeds, seed, steps: from so many random configurations besides the start, with so many steps each.
        start: where to begin, and the values of joints that may not move; without it the home of the robot.
        joints: those that may move; all by default.
        """
        limits = control(None, None, threads, None)
        found: npt.NDArray[np.float64] = _core.reach(
            self._core, link, matrix(pose), position, angle, seeds, seed, steps, start, joints, limits
        )
        return found

    def cell(self, scene: Scene = None, **options: Unpack[CellOptions]) -> RobotCell:
        """The robot among objects, made ready for many checks; see `RobotCell` for the options."""
        return RobotCell(self, scene, **options)

    def _cell(self, scene: Scene | RobotCell) -> RobotCell:
        if isinstance(scene, RobotCell):
            return scene
        key = id(scene) if scene is not None and not isinstance(scene, (str, PathLike)) else scene
        known = self._cells.get(key)
        if known is None or (known._scene is not scene and not isinstance(scene, (str, PathLike))):
            self._cells = {key: RobotCell(self, scene)}
        return self._cells[key]

    @overload
    def check(self, scene: Scene | RobotCell, q: Configurations, **limits: Unpack[Limits]) -> BoolArray: ...
    @overload
    def check(self, scene: Scene | RobotCell, q: Configuration, **limits: Unpack[Limits]) -> bool: ...
    @overload
    def check(self, scene: Scene | RobotCell, q: npt.ArrayLike, **limits: Unpack[Limits]) -> bool | BoolArray: ...
    def check(self, scene: Scene | RobotCell, q: npt.ArrayLike, **limits: Unpack[Limits]) -> bool | BoolArray:
        """Whether configurations (…, dof) are FREE of contact and within the limits; see `RobotCell.check`.

        The cell of the scene is kept for the next call with the same object; a dictionary must not change meanwhile.
        """
        return self._cell(scene).check(q, **limits)

    @overload
    def clearance(
        self, scene: Scene | RobotCell, q: Configurations, *, gradient: bool = False, **options: Unpack[ClearanceOptions]
    ) -> ManyClearances: ...
    @overload
    def clearance(
        self, scene: Scene | RobotCell, q: Configuration, *, gradient: bool = False, **options: Unpack[ClearanceOptions]
    ) -> OneClearance: ...
    @overload
    def clearance(
        self, scene: Scene | RobotCell, q: npt.ArrayLike, *, gradient: bool = False, **options: Unpack[ClearanceOptions]
    ) -> OneClearance | ManyClearances: ...
    def clearance(
        self, scene: Scene | RobotCell, q: npt.ArrayLike, *, gradient: bool = False, **options: Unpack[ClearanceOptions]
    ) -> OneClearance | ManyClearances:
        """How far configurations are from contact; see `RobotCell.clearance`."""
        return self._cell(scene).clearance(q, gradient=gradient, **options)

    @overload
    def check_edges(
        self, scene: Scene | RobotCell, q0: Configurations, q1: Configuration | Configurations, **options: Unpack[EdgeOptions]
    ) -> ManyEdges: ...
    @overload
    def check_edges(
        self, scene: Scene | RobotCell, q0: Configuration, q1: Configurations, **options: Unpack[EdgeOptions]
    ) -> ManyEdges: ...
    @overload
    def check_edges(
        self, scene: Scene | RobotCell, q0: Configuration, q1: Configuration, **options: Unpack[EdgeOptions]
    ) -> OneEdge: ...
    @overload
    def check_edges(
        self, scene: Scene | RobotCell, q0: npt.ArrayLike, q1: npt.ArrayLike, **options: Unpack[EdgeOptions]
    ) -> OneEdge | ManyEdges: ...
    def check_edges(
        self, scene: Scene | RobotCell, q0: npt.ArrayLike, q1: npt.ArrayLike, **options: Unpack[EdgeOptions]
    ) -> OneEdge | ManyEdges:
        """Whether straight edges from q0 to q1 are free; see `RobotCell.check_edges`."""
        return self._cell(scene).check_edges(q0, q1, **options)


def _stored(content: bytes) -> Robot:
    return Robot(_core.Robot.from_bytes(content))


@dataclass(slots=True)
class Attached:
    """Something that a link carries, such as what a gripper holds."""

    name: str
    link: str
    body: _core.Body
    pose: Pose = None
    """Where it is in the frame of the link."""
    touches: Sequence[str] = ()
    """Links that it may touch besides its own."""


class RobotCell:
    """A robot among objects, made ready for many checks.

    `add`, `remove`, `set_pose`, `attach`, `detach`, `take`, `put`, `allow`, `forbid` and `base` change it and make
    nothing anew that stays as it is. Answers name parts and objects by their numbers at the time.

    scene: named bodies, {"shelf": body, "box": (body, pose)}, or a file whose parts are the objects.
    padding: how much farther than its surface each link reaches towards the scene, in metres; `paddings` for single
        links.
    attached: what links carry.
    ignored: pairs of names, of links or objects, that are not checked.
    samples, seed: so many random configurations tell which pairs of links always meet, and are left out; those that
        never met are left out with `leave_out_never_met`. `self_pairs` says what became of each.
    check_limits: whether a configuration beyond the limits of a joint by more than `limit_tolerance`, in radians or
        metres, is not free; 0 is exact.

    A link and an object may have one name; in `ignored` it is then "part:NAME" or "object:NAME".
    """

    def __init__(
        self,
        robot: Robot,
        scene: Scene = None,
        *,
        padding: float = 0.0,
        paddings: Mapping[str, float] | None = None,
        attached: Iterable[Attached] = (),
        ignored: Iterable[tuple[str, str]] = (),
        samples: int = 1000,
        seed: int = 0,
        leave_out_never_met: bool = False,
        check_limits: bool = True,
        limit_tolerance: float = 1e-4,
    ) -> None:
        self.robot = robot
        self._scene = scene
        objects = _objects(scene)
        attached, ignored = list(attached), [(a, b) for a, b in ignored]
        self._bases: dict[str, npt.NDArray[np.float64]] = {}
        self._boxes = 0
        self._arguments: dict[str, Any] = {
            "scene": dict(objects),
            "padding": padding,
            "paddings": dict(paddings or {}),
            "attached": attached,
            "ignored": ignored,
            "samples": samples,
            "seed": seed,
            "leave_out_never_met": leave_out_never_met,
            "check_limits": check_limits,
            "limit_tolerance": limit_tolerance,
        }
        poses = np.reshape([pose for _, pose in objects.values()], (len(objects), 4, 4))
        held = [_held(one) for one in attached]
        self._core = _core.RobotCell(
            robot._core,
            list(objects),
            [body for body, _ in objects.values()],
            poses,
            padding,
            list((paddings or {}).items()),
            held,
            [list(pair) for pair in ignored],
            samples,
            seed,
            leave_out_never_met,
            check_limits,
            limit_tolerance,
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return (_made, (self.robot, self._arguments, self.base, self._bases, self._boxes))

    def add(self, name: str, body: _core.Body, pose: Pose = None) -> None:
        """Adds an object after the others."""
        at = matrix(pose)
        self._core.add(name, body, at)
        self._arguments["scene"][name] = (body, at)

    def remove(self, name: str) -> None:
        """Removes an object, and forgets which pairs with it may touch."""
        self._core.remove(name)
        del self._arguments["scene"][name]
        self._forget(name, "object")

    def set_pose(self, name: str, pose: Pose) -> None:
        """Lets an object stand elsewhere."""
        at = matrix(pose)
        self._core.set_pose(name, at)
        self._arguments["scene"][name] = (self._arguments["scene"][name][0], at)

    def attach(self, attached: Attached) -> None:
        """Lets a link carry something more; pairs of it with other parts are sampled."""
        self._core.attach(_held(attached))
        self._arguments["attached"].append(attached)

    def detach(self, name: str) -> None:
        """Removes what a link carries, and forgets which pairs with it may touch."""
        self._core.detach(name)
        kept = [one for one in self._arguments["attached"] if one.name != name]
        self._arguments["attached"] = kept
        self._forget(name, "part")

    def take(self, name: str, link: str, q: npt.ArrayLike, touches: Sequence[str] = ()) -> None:
        """Lets a link take up an object where it stands in a configuration (dof,): it is attached from then on.

        touches: links that it may touch besides its own.
        """
        pose = self._core.take(name, link, q, list(touches))
        body, _ = self._arguments["scene"].pop(name)
        self._forget(name, "object")
        self._arguments["attached"].append(Attached(name, link, body, pose, list(touches)))

    def put(self, name: str, q: npt.ArrayLike) -> None:
        """Lets what a link carries stand where it is in a configuration (dof,): it is an object from then on."""
        pose = self._core.put(name, q)
        held = {one.name: one for one in self._arguments["attached"]}[name]
        self._arguments["attached"] = [one for one in self._arguments["attached"] if one.name != name]
        self._forget(name, "part")
        self._arguments["scene"][name] = (held.body, pose)

    def allow(self, one: str, other: str) -> None:
        """Two links, or a link and an object, that may touch from now on; names as in `ignored`."""
        self._core.allow(one, other, True)
        self._arguments["ignored"].append((self._side(one), self._side(other)))

    def forbid(self, one: str, other: str) -> None:
        """The contrary: they are checked again, unless there is another reason why not."""
        self._core.allow(one, other, False)
        pair = {self._side(one), self._side(other)}
        kept = [ignored for ignored in self._arguments["ignored"] if set(map(self._side, ignored)) != pair]
        self._arguments["ignored"] = kept

    def map_pairs(self, boxes: int = 500_000, *, threads: int = 0) -> PairMaps:
        """Maps the joint values at which two parts are certainly apart, so that checks, edges and plans take less time.

        Worth its second for ten thousand configurations or edges and more. Answers stay what they are, but that an edge
        which is undecided because of two parts may be decided. The maps stay as objects come and go; what is attached
        later has none until this is called again. A cell that is unpickled or copied makes its maps anew.

        boxes: so many of joint values are tested, at most.
        """
        found = PairMaps(*self._core.map_pairs(boxes, control(None, None, threads, None)))
        self._boxes = max(self._boxes, boxes)
        return found

    @property
    def base(self) -> npt.NDArray[np.float64]:
        """(4, 4): where the root link stands among the objects. It can be set, to any pose."""
        found: npt.NDArray[np.float64] = self._core.base()
        return found

    @base.setter
    def base(self, pose: Pose) -> None:
        self._core.set_base(matrix(pose))

    def set_base_of(self, robot: str, pose: Pose) -> None:
        """Lets one of several robots, as `Robot.together` has them, stand elsewhere in the world."""
        at = matrix(pose)
        self._core.set_base_of(robot, at)
        self._bases[robot] = at

    def _side(self, name: str) -> str:
        """A name of an ignored pair with what it stands for."""
        if name.startswith(("part:", "object:")) and name not in self.parts and name not in self.objects:
            return name
        return f"part:{name}" if name in self.parts else f"object:{name}"

    def _forget(self, name: str, side: str) -> None:
        gone = f"{side}:{name}"
        # What is gone has no side any more: its plain name is that of nothing else on this side.
        plain = name not in (self.objects if side == "part" else self.parts)
        kept = [pair for pair in self._arguments["ignored"] if gone not in pair and not (plain and name in pair)]
        self._arguments["ignored"] = kept

    @property
    def parts(self) -> list[str]:
        """The names of links with geometry and of what is attached; answers name them by number."""
        return self._core.part_names

    @property
    def objects(self) -> list[str]:
        """The names of the objects of the scene; answers name them by number."""
        return self._core.object_names

    @property
    def self_pairs(self) -> list[tuple[str, str, str, int, bool]]:
        """Each pair of parts: both names, why it is checked or not, in how many samples it met, whether it is checked."""
        return self._core.self_pairs()

    def name_of(self, other: int, is_object: bool) -> str:
        """The name of what an answer calls `other`."""
        return (self.objects if is_object else self.parts)[other]

    @overload
    def check(self, q: Configurations, **limits: Unpack[Limits]) -> BoolArray: ...
    @overload
    def check(self, q: Configuration, **limits: Unpack[Limits]) -> bool: ...
    @overload
    def check(self, q: npt.ArrayLike, **limits: Unpack[Limits]) -> bool | BoolArray: ...
    def check(
        self,
        q: npt.ArrayLike,
        *,
        nodes: int | None = None,
        seconds: float | None = None,
        threads: int = 0,
        progress: Progress = None,
    ) -> bool | BoolArray:
        """Whether configurations (…, dof) are FREE: within the limits, and no pair that is checked in contact.

        A bool, or an array (…) of them. What rounding or a limit leaves open is not free.
        """
        return self._core.check(q, control(nodes, seconds, threads, progress))[0]

    @overload
    def explain(self, q: Configurations, **limits: Unpack[Limits]) -> ManyReasons: ...
    @overload
    def explain(self, q: Configuration, **limits: Unpack[Limits]) -> OneReason: ...
    @overload
    def explain(self, q: npt.ArrayLike, **limits: Unpack[Limits]) -> OneReason | ManyReasons: ...
    def explain(
        self,
        q: npt.ArrayLike,
        *,
        nodes: int | None = None,
        seconds: float | None = None,
        threads: int = 0,
        progress: Progress = None,
    ) -> OneReason | ManyReasons:
        """Why configurations (…, dof) are free or not: the joint outside its limits, or the pair in contact."""
        found: OneReason | ManyReasons = Reasons(*self._core.explain(q, control(nodes, seconds, threads, progress)))
        return found

    @overload
    def first_contact(self, q: Configurations, **limits: Unpack[Limits]) -> FirstContacts[IntArray, BoolArray]: ...
    @overload
    def first_contact(self, q: Configuration, **limits: Unpack[Limits]) -> FirstContacts[int, bool]: ...
    @overload
    def first_contact(self, q: npt.ArrayLike, **limits: Unpack[Limits]) -> FirstContacts[int, bool] | FirstContacts[IntArray, BoolArray]: ...
    def first_contact(
        self,
        q: npt.ArrayLike,
        *,
        nodes: int | None = None,
        seconds: float | None = None,
        threads: int = 0,
        progress: Progress = None,
    ) -> FirstContacts[int, bool] | FirstContacts[IntArray, BoolArray]:
        """The first pair in contact of configurations (…, dof): with objects in their order, then among parts."""
        found: FirstContacts[int, bool] | FirstContacts[IntArray, BoolArray]
        found = FirstContacts(*self._core.first_contact(q, control(nodes, seconds, threads, progress)))
        return found

    @overload
    def clearance(
        self, q: Configurations, *, gradient: bool = False, **options: Unpack[ClearanceOptions]
    ) -> ManyClearances: ...
    @overload
    def clearance(
        self, q: Configuration, *, gradient: bool = False, **options: Unpack[ClearanceOptions]
    ) -> OneClearance: ...
    @overload
    def clearance(
        self, q: npt.ArrayLike, *, gradient: bool = False, **options: Unpack[ClearanceOptions]
    ) -> OneClearance | ManyClearances: ...
    def clearance(
        self,
        q: npt.ArrayLike,
        *,
        abs: float = 0.0,
        rel: float = 0.0,
        max: float = np.inf,
        gradient: bool = False,
        nodes: int | None = None,
        seconds: float | None = None,
        threads: int = 0,
        progress: Progress = None,
    ) -> OneClearance | ManyClearances:
        """How far configurations (…, dof) are from contact, and the nearest pair; abs, rel and max as in `distance`.

        gradient: also how the distance changes with each joint (…, dof).
        """
        limits = control(nodes, seconds, threads, progress)
        columns, slopes = self._core.clearance(q, abs, rel, max, gradient, limits)
        found: OneClearance | ManyClearances = Clearances(*columns)
        found.gradient = slopes
        return found

    def signed_distances(
        self,
        q: npt.ArrayLike,
        *,
        max: float = np.inf,
        gradient: bool = True,
        nodes: int | None = None,
        seconds: float | None = None,
        threads: int = 0,
        progress: Progress = None,
    ) -> SignedDistances:
        """The signed distance of each checked pair no farther apart than `max`, for configurations (…, dof).

        Negative in contact: minus the length of the least translation that separates. gradient: also how each changes
        with the joints, in contact as well.
        """
        columns, slopes = self._core.signed_distances(q, max, gradient, control(nodes, seconds, threads, progress))
        found = SignedDistances(*columns)
        found.gradient = slopes
        return found

    def gradient(self, q: npt.ArrayLike, *, threads: int = 0) -> npt.NDArray[np.float64]:
        """(…, dof): how the clearance of configurations changes with each joint; 0 in contact."""
        slopes = self._core.clearance(q, 0.0, 0.0, np.inf, True, control(None, None, threads, None))[1]
        assert slopes is not None
        return slopes

    @overload
    def check_edges(
        self, q0: Configurations, q1: Configuration | Configurations, **options: Unpack[EdgeOptions]
    ) -> ManyEdges: ...
    @overload
    def check_edges(self, q0: Configuration, q1: Configurations, **options: Unpack[EdgeOptions]) -> ManyEdges: ...
    @overload
    def check_edges(self, q0: Configuration, q1: Configuration, **options: Unpack[EdgeOptions]) -> OneEdge: ...
    @overload
    def check_edges(self, q0: npt.ArrayLike, q1: npt.ArrayLike, **options: Unpack[EdgeOptions]) -> OneEdge | ManyEdges: ...
    def check_edges(
        self,
        q0: npt.ArrayLike,
        q1: npt.ArrayLike,
        *,
        tolerance: float = 1e-3,
        steps: int = 4096,
        locate: bool = True,
        nodes: int | None = None,
        seconds: float | None = None,
        threads: int = 0,
        progress: Progress = None,
    ) -> OneEdge | ManyEdges:
        """Whether straight edges from configurations q0 to q1 (…, dof) are free, over all times from 0 to 1.

        A free edge is proved to be so, a hit has an interval of time. One configuration goes with all of the other list.
        tolerance: how wide that interval may be; it is wider where the robot grazes something before.
        steps: at most so many configurations are looked at for an edge.
        locate: whether the first contact is looked for; without it only whether an edge is free is certain, and blocked
            edges take a fraction of the time.
        """
        limits = control(nodes, seconds, threads, progress)
        found: OneEdge | ManyEdges = Edges(*self._core.check_edges(q0, q1, tolerance, steps, locate, limits))
        return found

    def plan(
        self,
        start: npt.ArrayLike,
        goals: npt.ArrayLike,
        *,
        seed: int = 0,
        seconds: float | None = 10.0,
        rounds: int = 100_000,
        range: float = 1.0,
        resolution: float = 0.05,
        shortcuts: int = 12,
        improve: int = 0,
        steps: int = 512,
        joints: Sequence[str] | None = None,
        threads: int = 0,
    ) -> Plan:
        """A path from a configuration to one of the goals (dof,) or (n, dof), free of contact at every instant.

        RRT-Connect with samples on the edges; every edge of the path is then certified as `check_edges` does it. The
        path is the same for any number of threads. Joints without limits go the shorter way round, so that the last
        waypoint may be whole turns from the goal. If the search ends with nothing but a path whose edges are
        undecided, that is returned: see `Plan.certified`.

        seed: where the random numbers begin.
        seconds, rounds: when the search gives up; None for no limit of time.
        range: the longest edge of a tree, the root of the sum of squares of radians and metres.
        resolution: how far apart samples are that test an edge before it is certified.
        shortcuts: so many rounds of shortcuts make the path shorter.
        improve: so many more searches look for a shorter path, until `seconds` end.
        steps: an edge is undecided, and not taken, after so many configurations.
        joints: those that may move; all by default.

        `NoPlan` if the start or every goal is in contact or outside the limits, or if no path is found, which does not
        prove that there is none.
        """
        limits = control(None, None, threads, None)
        found, why = _core.plan(
            self._core, start, goals, seed, seconds, rounds, range, resolution, shortcuts, improve, steps, joints,
            limits,
        )
        if found is None:
            raise NoPlan(why)
        waypoints, edges, goal, length, counts = found
        return Plan(self.robot, waypoints, Edges(*edges), goal, length, dict(counts), self)

    def check_path(
        self,
        waypoints: npt.ArrayLike,
        *,
        tolerance: float = 1e-3,
        steps: int = 4096,
        locate: bool = True,
        nodes: int | None = None,
        seconds: float | None = None,
        threads: int = 0,
        progress: Progress = None,
    ) -> ManyEdges:
        """The edges between consecutive waypoints (n, dof), each as in `check_edges`; `.free.all()` for the path."""
        limits = control(nodes, seconds, threads, progress)
        return Edges(*self._core.check_path(waypoints, tolerance, steps, locate, limits))

    def certificate(self, waypoints: npt.ArrayLike, *, threads: int = 0) -> str:
        """The text of a JSON file that shows why a path (n, dof) is free of contact at every instant.

        `verify` checks it here, `sudar.verify` without the rest of the package. ValueError for a path that is not
        certainly free, or comes nearer to contact than the proofs can tell.
        """
        return self._core.certificate(waypoints, control(None, None, threads, None))

    def verify(self, certificate: str) -> Verified:
        """Verifies the text of a certificate, and that it is of this robot, scene and options.

        `NotVerified` with the first thing that does not hold. By other means than the search and `check_edges`.
        """
        found, why = self._core.verify(certificate)
        if found is None:
            raise NotVerified(why)
        edges, pairs, leaves, left_out, waypoints = found
        return Verified(edges, pairs, leaves, left_out, waypoints)


def _made(
    robot: Robot,
    arguments: dict[str, Any],
    base: npt.NDArray[np.float64] | None = None,
    bases: Mapping[str, npt.NDArray[np.float64]] | None = None,
    boxes: int = 0,
) -> RobotCell:
    cell = RobotCell(robot, **arguments)
    for name, at in (bases or {}).items():
        cell.set_base_of(name, at)
    if base is not None and not np.array_equal(base, np.eye(4)):
        cell.base = base
    if boxes > 0:
        cell.map_pairs(boxes)
    return cell


def _held(one: Attached) -> tuple[str, str, _core.Body, npt.NDArray[np.float64], list[str]]:
    return (one.name, one.link, one.body, matrix(one.pose), list(one.touches))


def _objects(scene: Scene) -> dict[str, tuple[_core.Body, npt.NDArray[np.float64]]]:
    if scene is None:
        return {}
    file = ""
    if isinstance(scene, (str, PathLike)):
        path = fspath(scene)
        if path.lower().removesuffix(".gz").endswith((".bt", ".ot")):
            cubes = octomap(path).body
            return {} if cubes is None else {"octomap": (cubes, np.eye(4))}
        file, scene = f"{path}: ", load(scene)
    if isinstance(scene, Model):
        if scene.lost:
            name, why = scene.lost[0]
            raise ValueError(f"{file}{name!r} cannot be read and would not be checked: {why}; give a dict of the others")
        if len(scene.points):
            return {"points": (PointCloud(scene.points), np.eye(4))}
        found: dict[str, tuple[_core.Body, npt.NDArray[np.float64]]] = {}
        for part in scene:
            name, i = part.name, 2
            while name in found:
                name, i = f"{part.name} ({i})", i + 1
            found[name] = (part.body, part.pose)
        return found
    return {
        name: (part[0], matrix(part[1])) if isinstance(part, tuple) else (part, np.eye(4))
        for name, part in scene.items()
    }
