"""Options and answers of robots and cells."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeAlias, TypedDict, TypeVar

import numpy as np
import numpy.typing as npt

from sudar import _core
from sudar._answers import Answer, Points
from sudar._calls import Progress

if TYPE_CHECKING:
    from sudar._robot import Attached, Robot, RobotCell

Configuration: TypeAlias = "Sequence[float] | np.ndarray[tuple[int], np.dtype[np.floating[Any]]]"
"""One configuration (dof,)."""
Configurations: TypeAlias = (
    "Sequence[Sequence[float]] | Sequence[np.ndarray[tuple[int], np.dtype[np.floating[Any]]]]"
    " | np.ndarray[tuple[int, int], np.dtype[np.floating[Any]]]"
    " | np.ndarray[tuple[int, int, int], np.dtype[np.floating[Any]]]"
)
"""Several (…, dof). An array whose type does not tell its dimensions is taken for several."""

FloatArray: TypeAlias = npt.NDArray[np.float64]
IntArray: TypeAlias = npt.NDArray[np.int64]
BoolArray: TypeAlias = npt.NDArray[np.bool_]
CodeArray: TypeAlias = npt.NDArray[np.uint8]

# Of one answer a member of an enumeration, a float, an int, a bool; of several an array of each.
_C = TypeVar("_C")
_F = TypeVar("_F")
_I = TypeVar("_I")
_B = TypeVar("_B")


class Limits(TypedDict, total=False):
    """Limits of a check, as those of queries."""

    nodes: int | None
    seconds: float | None
    threads: int
    progress: Progress


class ClearanceOptions(Limits, total=False):
    """Options of `RobotCell.clearance`."""

    abs: float
    rel: float
    max: float


class EdgeOptions(Limits, total=False):
    """Options of `RobotCell.check_edges`."""

    tolerance: float
    steps: int
    locate: bool


class CellOptions(TypedDict, total=False):
    """Options of `RobotCell`, which explains them."""

    padding: float
    paddings: Mapping[str, float] | None
    attached: Iterable[Attached]
    ignored: Iterable[tuple[str, str]]
    samples: int
    seed: int
    leave_out_never_met: bool
    check_limits: bool
    limit_tolerance: float


class PairMaps(NamedTuple):
    """What the maps of a cell hold, see `RobotCell.map_pairs`."""

    pairs: int
    """Pairs of parts that have a map."""
    boxes: int
    """Boxes of joint values that were tested this time."""
    free: float
    """Which share of the joint values between two parts the maps show to be free, the mean over the pairs."""


class EdgeStatus(IntEnum):
    """What is known of an edge."""

    FREE = 0
    """Certainly free of contact, all the way."""
    HIT = 1
    """In contact at a time in [t_lower, t_upper], and not before."""
    UNDECIDED = 2
    """Free until t_lower; whether it stays so was not decided within the tolerance and the steps. Not free."""
    OUTSIDE_LIMITS = 3
    """An end is beyond the limits of a joint, or no number."""


@dataclass(slots=True, eq=False)
class Edges(Answer, Generic[_C, _F, _I, _B]):
    """Answers to `check_edges` and `check_path`."""

    status: _C
    """Of `EdgeStatus`."""
    t_lower: _F
    """No contact before this time, from 0 to 1; inf for a free edge."""
    t_upper: _F
    part: _I
    """Which of the cell's `parts` is in contact; −1 where there is none."""
    other: _I
    """What it touches: a part, or an object where `other_is_object`; −1 where there is none."""
    other_is_object: _B

    def __post_init__(self) -> None:
        if type(self.status) is int:
            self.status = EdgeStatus(self.status)  # type: ignore[assignment, arg-type]

    @property
    def free(self) -> _B:
        """Whether each edge is certainly free."""
        return self.status == EdgeStatus.FREE  # type: ignore[return-value]


OneEdge: TypeAlias = Edges[EdgeStatus, float, int, bool]
ManyEdges: TypeAlias = Edges[CodeArray, FloatArray, IntArray, BoolArray]


class Reason(IntEnum):
    """Why a configuration is free or not."""

    FREE = 0
    """Certainly free of contact, and within the limits."""
    OUTSIDE_LIMITS = 1
    """Outside the limits of `joint`, which is the first such one; contacts are not looked at."""
    CONTACT = 2
    """In contact: `part` with `other`, an object or another part."""
    UNDECIDED = 3
    """Rounding or a limit leaves open whether `part` touches `other`. Not free."""


@dataclass(slots=True, eq=False)
class Reasons(Answer, Generic[_C, _I, _B]):
    """Answers to `explain`."""

    reason: _C
    """Of `Reason`."""
    joint: _I
    """Which number of the configuration is outside its limits; −1 where none is."""
    part: _I
    """Which of the cell's `parts`; −1 where there is no contact."""
    other: _I
    """What it touches: a part, or an object where `other_is_object`; −1 where there is no contact."""
    other_is_object: _B

    def __post_init__(self) -> None:
        if type(self.reason) is int:
            self.reason = Reason(self.reason)  # type: ignore[assignment, arg-type]

    @property
    def free(self) -> _B:
        """Whether each configuration is free: what `check` says."""
        return self.reason == Reason.FREE  # type: ignore[return-value]


OneReason: TypeAlias = Reasons[Reason, int, bool]
ManyReasons: TypeAlias = Reasons[CodeArray, IntArray, BoolArray]


class NoPlan(RuntimeError):
    """There is no path, or none was found; the message tells why."""


@dataclass(slots=True, eq=False)
class Trajectory:
    """Where a robot is at times: at rest at each waypoint, between as fast as the limits allow."""

    times: npt.NDArray[np.float64]
    """(n,): when each waypoint is reached, in seconds."""
    configuration: npt.NDArray[np.float64]
    """(m, dof): at the times asked for."""
    velocity: npt.NDArray[np.float64]
    acceleration: npt.NDArray[np.float64]

    @property
    def duration(self) -> float:
        """How long it takes, in seconds."""
        return float(self.times[-1])


@dataclass(slots=True, eq=False)
class Plan:
    """A path that `RobotCell.plan` found."""

    robot: Robot
    waypoints: npt.NDArray[np.float64]
    """(n, dof): the start, the configurations at which the path turns, a goal."""
    edges: ManyEdges
    """What is known of each edge between them."""
    goal: int
    """Which goal it ends at."""
    length: float
    """The sum over its edges of the root of the sum of squares, in radians and metres."""
    statistics: dict[str, int]
    """What was done: rounds, nodes of the trees, configurations tested, edges certified, paths refused, shortcuts."""
    cell: RobotCell = field(repr=False)
    """Where it was planned."""

    def certificate(self) -> str:
        """The text of a file that shows why the path is free; see `RobotCell.certificate`."""
        return self.cell.certificate(self.waypoints)

    @property
    def certified(self) -> bool:
        """Whether the whole path is certainly free of contact, at every instant."""
        return bool(np.all(self.edges.free))

    def trajectory(
        self,
        times: npt.ArrayLike = (),
        *,
        velocity: float = 1.0,
        acceleration: float = 1.0,
        velocities: Mapping[str, float] | None = None,
        accelerations: Mapping[str, float] | None = None,
    ) -> Trajectory:
        """The fastest motion along the path, at rest at each waypoint, and where it is at times (m,), in seconds.

        velocity: of joints whose limit the file does not give, in rad/s or m/s; `velocities` in place of the file.
        acceleration: of all joints, in rad/s² or m/s²; `accelerations` of single ones.
        """
        asked = np.asarray(times, dtype=float).ravel().tolist()
        faster, harder = list((velocities or {}).items()), list((accelerations or {}).items())
        found = _core.trajectory(self.robot._core, self.waypoints, velocity, acceleration, faster, harder, asked)
        return Trajectory(*found)


@dataclass(slots=True, eq=False)
class FirstContacts(Answer, Generic[_I, _B]):
    """Answers to `first_contact`."""

    contact: _B
    part: _I
    """Which of the cell's `parts`; −1 where there is no contact."""
    other: _I
    """What it touches: a part, or an object where `other_is_object`; −1 where there is no contact."""
    other_is_object: _B
    certain: _B
    """False where rounding or a limit leaves the contact open."""


@dataclass(slots=True, eq=False)
class Clearances(Answer, Generic[_F, _I, _B]):
    """Answers to `clearance`: the distance of the nearest pair is in [lower, upper], less the padding; 0 in contact."""

    lower: _F
    upper: _F
    part: _I
    """Which of the cell's `parts`; −1 where nothing is near."""
    other: _I
    other_is_object: _B
    point: Points
    """(…, 3): the nearest point of the part."""
    other_point: Points
    gradient: FloatArray | None = None
    """(…, dof): how the distance changes with each joint, if that was asked for; 0 in contact."""


OneClearance: TypeAlias = Clearances[float, int, bool]
ManyClearances: TypeAlias = Clearances[FloatArray, IntArray, BoolArray]


@dataclass(slots=True, eq=False)
class SignedDistances(Answer):
    """Answers to `signed_distances`: n pairs of all configurations, one after the other."""

    row: IntArray
    """(n,): which configuration, from 0, in the flattened order."""
    part: IntArray
    other: IntArray
    """A part, or an object where `other_is_object`."""
    other_is_object: BoolArray
    lower: FloatArray
    """The signed distance, less the padding, is in [lower, upper]: negative in contact."""
    upper: FloatArray
    point: Points
    """(n, 3): the point of the part that is nearest to the other, or deepest in it."""
    other_point: Points
    normal: Points
    """(n, 3): the unit direction from the part to the other, along which contact is undone."""
    gradient: FloatArray | None = None
    """(n, dof): how the signed distance changes with each joint, if that was asked for."""
