"""Clash checks of assemblies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike, fspath
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from sudar import _core
from sudar._calls import Pose, Progress, control
from sudar._shapes import matrix

Parts: TypeAlias = Mapping[str, "_core.Body | tuple[_core.Body, Pose]"]
Length: TypeAlias = "float | str"
"""A number in the unit of the results, or one with its unit, as "5mm"."""
Paths: TypeAlias = "str | PathLike[str] | Sequence[str | PathLike[str]]"


@dataclass(slots=True, eq=False)
class ClashTable:
    """The clashes of an assembly, one row each, sorted by (a, b)."""

    a: npt.NDArray[np.int64]
    """(n,): numbers of parts."""
    b: npt.NDArray[np.int64]
    kind: npt.NDArray[np.str_]
    """(n,): such as "hard", "touch", "clearance", "inside" or "duplicate"."""
    depth: npt.NDArray[np.float64]
    """(n,): how deep the parts are in each other; NaN where that says nothing."""
    distance: npt.NDArray[np.float64]
    """(n,): how far apart they are at most; NaN where they touch."""
    point: npt.NDArray[np.float64]
    """(n, 3): a place of the clash."""
    names: list[str]
    """The names of all parts."""
    document: dict[str, Any] = field(repr=False)
    """All that the command's --json says: groups, regions, notes, parts."""

    def __len__(self) -> int:
        return len(self.a)

    def __iter__(self) -> Iterator[tuple[str, str, str]]:
        """The names of both parts and the kind, clash by clash."""
        for a, b, kind in zip(self.a, self.b, self.kind, strict=True):
            yield self.names[a], self.names[b], str(kind)

    def _flat(self) -> dict[str, Any]:
        names = np.array(self.names, dtype=object)
        point = {f"point_{axis}": self.point[:, i] for i, axis in enumerate("xyz")}
        return {
            "a": self.a,
            "b": self.b,
            "name_a": names[self.a] if len(self) else names[:0],
            "name_b": names[self.b] if len(self) else names[:0],
            "kind": self.kind,
            "depth": self.depth,
            "distance": self.distance,
            **point,
        }

    def to_pandas(self) -> Any:
        """A pandas.DataFrame. Needs pandas."""
        import pandas

        return pandas.DataFrame(self._flat())

    def to_arrow(self) -> Any:
        """A pyarrow.Table. Needs pyarrow."""
        import pyarrow

        return pyarrow.table({name: list(column) for name, column in self._flat().items()})


def clash(
    parts: Parts | Paths,
    clearance: Length | None = None,
    rules: str | PathLike[str] | Sequence[str | PathLike[str]] = (),
    *,
    touch: Length | None = None,
    min_depth: Length | None = None,
    kinds: Sequence[str] = (),
    a: str | Sequence[str] = (),
    b: str | Sequence[str] = (),
    sets: Mapping[str, str | Sequence[str]] | None = None,
    group: str = "part",
    group_radius: Length | None = None,
    depth: str = "regions",
    reopen_growth: float = 0.1,
    baseline: str | PathLike[str] | None = None,
    html: str | PathLike[str] | None = None,
    scale: float | None = None,
    units: str | None = None,
    weld: float | bool = False,
    ifc_with: str | None = None,
    deflection: float | None = None,
    threads: int = 0,
    progress: Progress = None,
) -> ClashTable:
    """Every pair of parts that are in each other's way, as `sudar clash` finds them.

    parts: files, folders or stores, or named bodies: {"pipe": body, "beam": (body, pose)}.
    clearance: also report parts that are apart by at most this; a number, or one with a unit, as "5mm".
    rules: files of rules for what to leave out.
    touch: the band of what counts as touching; by default none for bodies, and that of the command for files.
    html: also write the report page to this file.
    scale, units, weld, ifc_with, deflection: how files are read, as by load; weld is True or a tolerance.

    All others are the options of the command that have these names. Reviews, BCF and tables are written by the command.
    """
    search = _search(
        clearance=clearance,
        rules=rules,
        touch=touch,
        min_depth=min_depth,
        kinds=kinds,
        a=a,
        b=b,
        sets=sets,
        group=group,
        group_radius=group_radius,
        depth=depth,
        reopen_growth=reopen_growth,
        baseline=baseline,
        html=html,
    )
    reading = {"scale": scale, "units": units, "ifc_with": ifc_with, "deflection": deflection, "weld": weld}
    files: list[str] = []
    names, bodies, poses = [], None, None
    if isinstance(parts, Mapping):
        names = [str(name) for name in parts]
        placed = [part if isinstance(part, tuple) else (part, None) for part in parts.values()]
        bodies = [body for body, _ in placed]
        poses = np.reshape([matrix(pose) for _, pose in placed], (len(placed), 4, 4))
    else:
        files = _texts(parts)
        if not files:
            raise ValueError("parts: name at least one file, or give named bodies")
    limits = control(None, None, threads, progress)
    one, other, kind, *rest = _core.clash(search, files, reading, names, bodies, poses, limits)
    return ClashTable(one, other, np.array(kind, dtype=np.str_), *rest)


_SEARCH: dict[str, Any] = {
    "clearance": None,
    "rules": (),
    "touch": None,
    "min_depth": None,
    "kinds": (),
    "a": (),
    "b": (),
    "sets": None,
    "group": "part",
    "group_radius": None,
    "depth": "regions",
    "reopen_growth": 0.1,
    "baseline": None,
    "html": None,
}
"""What `clash` looks for unless told otherwise."""


def _search(**given: Any) -> dict[str, Any]:
    """What is looked for, as the extension takes it."""
    unknown = given.keys() - _SEARCH.keys()
    if unknown:
        raise TypeError(f"clash has no option '{min(unknown)}'; it has {', '.join(_SEARCH)}")
    search = _SEARCH | given
    sets = search["sets"] or {}
    return search | {
        **{name: _texts(search[name]) for name in ("rules", "kinds", "a", "b")},
        "sets": [(name, one) for name, patterns in sets.items() for one in _texts(patterns)],
    }


def _texts(given: str | PathLike[str] | Sequence[str | PathLike[str]]) -> list[str]:
    """One text or path, or several, as texts."""
    return [fspath(one) for one in ([given] if isinstance(given, (str, PathLike)) else given)]
