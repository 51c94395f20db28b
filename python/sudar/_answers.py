"""Answers: structures of arrays, one array a field, with the leading dimensions of the batch.

An answer to one query has plain numbers and arrays without leading dimensions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from enum import IntEnum
from typing import Any, Self, TypeAlias

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = Any
"""float, or an array of float64."""
Bools: TypeAlias = Any
"""bool, or an array of them."""
Codes: TypeAlias = Any
"""A number of an enumeration, or an array of uint8."""
Points: TypeAlias = npt.NDArray[np.float64]
"""(..., 3)"""
Naturals: TypeAlias = Any
"""int, or an array of uint32."""
NaturalPairs: TypeAlias = npt.NDArray[np.uint32]
"""(..., 2)"""


class Status(IntEnum):
    """How an answer ended."""

    EXACT = 0
    """As narrow as rounding allows; of a yes or no, decided."""
    TOLERANCE = 1
    """As narrow as was asked for."""
    BEYOND_MAX = 2
    """Farther than was of interest."""
    BUDGET = 3
    """The limit of nodes or seconds ended it: the answer is wider, and true."""
    PRECISION = 4
    """Rounding, or the greatest number of steps, ended it."""


_SUFFIXES: dict[tuple[int, ...], list[str]] = {
    (): [""],
    (2,): ["_a", "_b"],
    (3,): ["_x", "_y", "_z"],
    (4,): ["_x", "_y", "_z", "_d"],
    (3, 3): ["_" + i + j for i in "xyz" for j in "xyz"],
}


def _suffixes(name: str, shape: tuple[int, ...]) -> list[str]:
    known = None if name == "gradient" else _SUFFIXES.get(shape)
    return known if known is not None else [f"_{i}" for i in range(int(np.prod(shape)))]


class Answer:
    """The base of all answers."""

    __slots__ = ()

    def _columns(self) -> dict[str, Any]:
        return {f.name: getattr(self, f.name) for f in fields(self)}  # type: ignore[arg-type]

    @property
    def shape(self) -> tuple[int, ...]:
        """The leading dimensions; () of one answer."""
        return np.shape(next(iter(self._columns().values())))

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("this is the answer to one query and has no length")
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        """The answers along the first of the leading dimensions."""
        return (self[i] for i in range(len(self)))

    def __getitem__(self, index: Any) -> Self:
        """The answers at these places of the leading dimensions."""
        if not self.shape:
            raise TypeError("this is the answer to one query; its fields have names")
        index = index if isinstance(index, tuple) else (index,)

        def entry(column: Any) -> Any:
            return None if column is None else _plain(np.asarray(column)[index])

        return type(self)(**{name: entry(column) for name, column in self._columns().items()})

    def _write(self, out: Any) -> Self:
        """Copies all fields into those of another answer."""
        if type(out) is not type(self):
            raise TypeError(f"out: must be a {type(self).__name__}, not {type(out).__name__}")
        if out.shape != self.shape or not self.shape:
            raise ValueError(f"out: has shape {out.shape}, the answer {self.shape}; one answer needs no out")
        for name, column in self._columns().items():
            if column is not None:
                np.copyto(getattr(out, name), column)
        return out  # type: ignore[no-any-return]

    def _flat(self) -> dict[str, npt.NDArray[Any]]:
        """One column for each number, in the order of rows."""
        rank, flat = len(self.shape), {}
        for name, column in self._columns().items():
            if column is None:
                continue
            column = np.asarray(column)
            rows = column.reshape(int(np.prod(self.shape)), *column.shape[rank:])
            suffixes = _suffixes(name, column.shape[rank:])
            for suffix, part in zip(suffixes, rows.reshape(len(rows), len(suffixes)).T, strict=True):
                flat[name + suffix] = np.ascontiguousarray(part)
        return flat

    def to_pandas(self) -> Any:
        """A pandas.DataFrame of one row for each answer; points have columns _x, _y, _z. Needs pandas."""
        import pandas

        return pandas.DataFrame(self._flat())

    def to_arrow(self) -> Any:
        """The same as a pyarrow.Table. Needs pyarrow."""
        import pyarrow

        return pyarrow.table(self._flat())


def _plain(value: Any) -> Any:
    """A number in place of an array without dimensions."""
    return value.item() if np.ndim(value) == 0 and hasattr(value, "item") else value


class Ended(Answer):
    """The base of answers that say how they ended."""

    __slots__ = ()
    status: Codes
    """Of `Status`."""

    def __getitem__(self, index: Any) -> Self:
        found = super().__getitem__(index)
        if not found.shape:
            found.status = Status(found.status)
        return found


class Rows(Answer):
    """The base of answers that are lists: all rows one after another.

    `starts` (n + 1,) says where the list of each entry of a batch begins, in the order of its leading dimensions, and
    where the last ends; it is None for one query. `complete` says whether a list is all there is: only a limit makes
    it False.
    """

    __slots__ = ()
    starts: npt.NDArray[np.int64] | None
    complete: Bools

    def _rows(self) -> dict[str, Any]:
        return {name: column for name, column in self._columns().items() if name not in ("starts", "complete")}

    @property
    def shape(self) -> tuple[int, ...]:
        """The leading dimensions of the batch; () of one query."""
        return np.shape(self.complete)

    def __len__(self) -> int:
        """How many rows there are in all."""
        return len(next(iter(self._rows().values())))

    @property
    def counts(self) -> Any:
        """How many rows each list has."""
        return len(self) if self.starts is None else np.diff(self.starts).reshape(self.shape)

    def __getitem__(self, index: Any) -> Self:
        """The list of one entry of a batch."""
        if self.starts is None:
            raise TypeError("this is one list; its fields have names")
        places = index if isinstance(index, tuple) else (index,)
        if len(places) != len(self.shape):
            raise IndexError(f"a list of a batch of shape {self.shape} has {len(self.shape)} indices, not {len(places)}")
        i = 0
        for place, size in zip(places, self.shape, strict=True):
            if not -size <= place < size:
                raise IndexError(f"index {place} is out of range for a batch of shape {self.shape}")
            i = i * size + place % size
        rows = slice(self.starts[i], self.starts[i + 1])
        parts = {name: column[rows] for name, column in self._rows().items()}
        make: Any = type(self)
        return make(**parts, starts=None, complete=bool(np.ravel(self.complete)[i]))  # type: ignore[no-any-return]

    def __iter__(self) -> Iterator[Self]:
        """The lists of all entries of a batch, in order."""
        for index in np.ndindex(self.shape):
            yield self[index]

    def _write(self, out: Any) -> Self:
        raise TypeError("out: lists have no length that is known before")

    def _flat(self) -> dict[str, npt.NDArray[Any]]:
        flat: dict[str, npt.NDArray[Any]] = {}
        if self.starts is not None:
            flat["entry"] = np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))
        for name, column in self._rows().items():
            suffixes = _suffixes(name, column.shape[1:])
            for suffix, part in zip(suffixes, column.reshape(len(column), len(suffixes)).T, strict=True):
                flat[name + suffix] = np.ascontiguousarray(part)
        return flat


@dataclass(slots=True, eq=False)
class Distances(Ended):
    """Answers to `distance`: the true distance is in [lower, upper]."""

    lower: Floats
    upper: Floats
    point_a: Points
    point_b: Points
    features: NaturalPairs
    """The triangles that the points lie on, the parts of compounds, 0 for other shapes."""
    status: Codes


@dataclass(slots=True, eq=False)
class Withins(Answer):
    """Answers to `within`. As a condition, one answer is its `within`."""

    within: Bools
    decided: Bools
    """False where `undecided` of the call was used."""
    point_a: Points
    """Two points no farther apart than the tolerance; NaN where the bodies are farther apart."""
    point_b: Points
    plane: Points
    """(..., 4): n and d of a plane n·x = d between the bodies; NaN where they are near, or no plane was found."""

    def __bool__(self) -> bool:
        if self.shape:
            raise ValueError("the truth of many answers is ambiguous; use .within.any() or .within.all()")
        return bool(self.within)


@dataclass(slots=True, eq=False)
class Penetrations(Ended):
    """Answers to `penetration`: the distance, or minus the depth, is in [signed_lower, signed_upper]."""

    signed_lower: Floats
    signed_upper: Floats
    normal: Points
    """Unit direction from a to b: moving b by the depth along it separates them."""
    point_a: Points
    point_b: Points
    status: Codes


@dataclass(slots=True, eq=False)
class Sweeps(Ended):
    """Answers to `sweep`: the first contact is at a time in [t_lower, t_upper], both inf if there is none.

    Before t_lower there is certainly no contact. Where status is not EXACT it is open whether there is one: hit is
    False, and t_upper inf.
    """

    hit: Bools
    t_lower: Floats
    t_upper: Floats
    point_a: Points
    point_b: Points
    normal: Points
    features: NaturalPairs
    status: Codes


@dataclass(slots=True, eq=False)
class RayHits(Ended):
    """Answers to `ray`: the first hit is at origin + t·direction; t is inf where nothing is hit."""

    hit: Bools
    t: Floats
    point: Points
    normal: Points
    feature: Naturals
    status: Codes


@dataclass(slots=True, eq=False)
class ClosestPoints(Ended):
    """Answers to `closest_point`: the distance is in [lower, upper], 0 for points inside."""

    lower: Floats
    upper: Floats
    point: Points
    feature: Naturals
    status: Codes


@dataclass(slots=True, eq=False)
class Masses(Answer):
    """Answers to `mass`."""

    mass: Floats
    volume_lower: Floats
    """The volume is in [volume_lower, volume_upper]; by voxels, with the estimated error."""
    volume_upper: Floats
    center: Points
    """The centre of mass in the world."""
    inertia: npt.NDArray[np.float64]
    """(..., 3, 3) about the centre of mass, in the axes of the world."""


@dataclass(slots=True, eq=False)
class Contacts(Rows):
    """Answers to `contacts`: pairs of triangles that have a point in common, sorted."""

    features: NaturalPairs
    starts: npt.NDArray[np.int64] | None
    complete: Bools


@dataclass(slots=True, eq=False)
class Manifold(Rows):
    """Answers to `manifold`: contact points, at most four a region."""

    point_a: Points
    point_b: Points
    normal: Points
    """Unit direction from a to b."""
    depth: npt.NDArray[np.float64]
    """How far point_a is beyond point_b along the normal; negative where the bodies are apart."""
    features: NaturalPairs
    region: npt.NDArray[np.uint32]
    starts: npt.NDArray[np.int64] | None
    complete: Bools


@dataclass(slots=True, eq=False)
class LocalMinima(Rows):
    """Answers to `local_minima`: places where the bodies are nearer to each other than around."""

    lower: npt.NDArray[np.float64]
    upper: npt.NDArray[np.float64]
    point_a: Points
    point_b: Points
    normal: Points
    """Unit direction from a to b; NaN where they meet."""
    features: NaturalPairs
    starts: npt.NDArray[np.int64] | None
    complete: Bools
