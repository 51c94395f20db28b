"""Files of models."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from os import PathLike, fspath
from typing import Any

import numpy as np
import numpy.typing as npt

from sudar import _core
from sudar._shapes import Compound, Mesh, _wrapped


@dataclass(slots=True)
class Part:
    """A named piece of a file: a mesh and where it stands. Instances share one body."""

    name: str
    body: Mesh
    pose: npt.NDArray[np.float64]
    """(4, 4)"""
    properties: dict[str, str] = field(default_factory=dict)
    """What the file says of it otherwise, such as the class and storey of IFC."""
    deviation: float = 0.0
    """How far its triangles are at most from the curved surface that an IFC or STEP file means."""


@dataclass(slots=True)
class Model:
    """What a file holds."""

    parts: list[Part]
    unit: float | None
    """How many metres the number 1 means in the file, if it says so; the numbers here are metres then."""
    notes: list[str]
    """What was noticed and not refused."""
    points: npt.NDArray[np.float64]
    """(n, 3): the points of a file without faces, such as a scan."""
    lost: list[tuple[str, str]]
    """Names of elements that should be parts and are none, and why."""

    def __len__(self) -> int:
        return len(self.parts)

    def __iter__(self) -> Iterator[Part]:
        return iter(self.parts)

    def __getitem__(self, key: int | str) -> Part:
        """A part by its number, or the first of that name."""
        if isinstance(key, int):
            return self.parts[key]
        for part in self.parts:
            if part.name == key:
                return part
        raise KeyError(f"there is no part {key!r}; see [part.name for part in model]")

    def mesh(self, name: str | None = None) -> Mesh:
        """The mesh of a part where it stands; all parts together as one without a name. Solid if all of them are."""
        parts = self.parts if name is None else [self[name]]
        if not parts:
            raise ValueError("the file has no faces; see .points")
        if len(parts) == 1 and np.array_equal(parts[0].pose, np.eye(4)):
            return parts[0].body
        vertices, faces, count = [], [], 0
        for part in parts:
            own = part.body.vertices
            vertices.append(own @ part.pose[:3, :3].T + part.pose[:3, 3])
            faces.append(part.body.faces.astype(np.int64) + count)
            count += len(own)
        solid = all(part.body.is_solid for part in parts)
        return Mesh(np.concatenate(vertices), np.concatenate(faces), solid=solid)

    def compound(self) -> Compound:
        """All parts as one body, which shares their trees."""
        if not self.parts:
            raise ValueError("the file has no faces; see .points")
        return Compound([(part.body, part.pose) for part in self.parts])


def load(
    path: str | PathLike[str],
    *,
    solid: bool | None = None,
    scale: float | None = None,
    units: str | None = None,
    ifc_with: str | None = None,
    deflection: float | None = None,
) -> Model:
    """Reads a model: OBJ, STL, PLY, OFF, glTF/GLB, VRML 2.0, COLLADA or IFC, each also gzipped; STEP where cascadio is there;
    a store that `sudar pack` wrote.

    solid: None makes closed meshes solid and leaves others surfaces; False makes all surfaces, True refuses open ones.
    scale, units: what the numbers of files mean that say no unit: times this number, or "mm", "cm", "m", "in", "ft".
    ifc_with: the reader of IFC, as the command's --ifc-with.
    deflection: how far lines and faces in place of curves of IFC may be from them, in metres; otherwise 0.0005.

    OSError for a file that is not there, ValueError for one that cannot be understood, on one line.
    """
    reading = {"scale": scale, "units": units, "ifc_with": ifc_with, "deflection": deflection, "weld": False}
    found: dict[str, Any] = _core.load(fspath(path), reading, solid)
    bodies = [_wrapped(body) for body in found["bodies"]]
    parts = [
        Part(name, bodies[mesh], pose, dict(properties), deviation)
        for name, mesh, pose, properties, deviation in zip(
            found["names"], found["meshes"], found["poses"], found["properties"], found["deviations"], strict=True
        )
    ]
    return Model(parts, found["unit"], found["notes"], found["points"], found["lost"])


@dataclass(slots=True, eq=False)
class Octomap:
    """Cubes that sensors found occupied, in metres; what is unknown is not occupied."""

    body: Compound | None
    """All of them as one body, such as an object of a `RobotCell`; None without any."""
    centers: npt.NDArray[np.float64]
    """(n, 3)"""
    widths: npt.NDArray[np.float64]
    """(n,): those of leaves above the lowest level are larger than the resolution."""
    resolution: float
    """The width of the smallest cubes."""
    free: int
    """How many leaves of the tree are free."""


def octomap(path: str | PathLike[str]) -> Octomap:
    """Reads a map of OctoMap: .bt or .ot, also gzipped.

    OSError for a file that is not there, ValueError for one that cannot be understood, on one line.
    """
    body, centers, widths, resolution, free = _core.octomap(fspath(path))
    return Octomap(None if body is None else _wrapped(body), centers, widths, resolution, free)
