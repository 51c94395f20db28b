"""Clash checks of assemblies."""

from __future__ import annotations

import json
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
    clearance: float | str | None = None,
    rules: str | PathLike[str] | Sequence[str | PathLike[str]] = (),
    *,
    options: Sequence[str] = (),
    threads: int = 0,
    progress: Progress = None,
) -> ClashTable:
    """Every pair of parts that are in each other's way, as `sudar clash` finds them.

    parts: files or folders, or named bodies: {"pipe": body, "beam": (body, pose)}.
    clearance: also report parts that are apart by at most this; a number, or one with a unit, as "5mm".
    rules: files of rules for what to leave out.
    options: more words of the command, such as ["--min-depth", "2mm", "--html", "report.html"].
    """
    words = [str(option) for option in options]
    if clearance is not None:
        words.append(f"--clearance={clearance}")
    for file in [rules] if isinstance(rules, (str, PathLike)) else rules:
        words += ["--ignore", fspath(file)]
    names, bodies, poses = None, None, None
    if isinstance(parts, Mapping):
        names = [str(name) for name in parts]
        placed = [part if isinstance(part, tuple) else (part, None) for part in parts.values()]
        bodies = [body for body, _ in placed]
        poses = np.reshape([matrix(pose) for _, pose in placed], (len(placed), 4, 4))
    else:
        files = [parts] if isinstance(parts, (str, PathLike)) else list(parts)
        if not files:
            raise ValueError("parts: name at least one file, or give named bodies")
        words += ["--", *(fspath(file) for file in files)]
    text = _core.clash(words, names, bodies, poses, control(None, None, threads, progress))
    return _table(json.loads(text))


def _table(document: dict[str, Any]) -> ClashTable:
    rows = document["clashes"]

    def column(name: str, missing: Any, dtype: Any) -> Any:
        found = [missing if row.get(name) is None else row[name] for row in rows]
        return np.array(found, dtype=dtype)

    return ClashTable(
        column("a", -1, np.int64),
        column("b", -1, np.int64),
        column("kind", "", np.str_),
        column("depth", np.nan, np.float64),
        column("distance", np.nan, np.float64),
        column("point", [np.nan] * 3, np.float64).reshape(-1, 3),
        [part["name"] for part in document["parts"]],
        document,
    )
