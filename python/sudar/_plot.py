"""Pictures of bodies and answers, by plotly or pyvista where one of them is installed."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from sudar import _core
from sudar._answers import ClosestPoints, Contacts, Distances, LocalMinima, Manifold, Penetrations, RayHits
from sudar._calls import Pose
from sudar._shapes import Body, matrix

_COLOURS = ["#4e79a7", "#f28e2b", "#59a14f", "#b07aa1", "#76b7b2", "#edc948"]
_MARK = "#d62728"


def triangles(body: Body) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
    """Vertices and faces that show a body; round ones within some percent, half-spaces as a square."""
    if body.kind == "compound":
        vertices, faces, count = [], [], 0
        for part, pose in body.parts():
            own, corners = triangles(part)  # type: ignore[arg-type]
            vertices.append(own @ pose[:3, :3].T + pose[:3, 3])
            faces.append(corners + count)
            count += len(own)
        return np.concatenate(vertices), np.concatenate(faces)
    found = body.triangles()
    if found is not None:
        return found[0], found[1].astype(np.int64)
    if body.kind == "halfspace":
        normal, offset = body.arguments()
        side = np.linalg.svd(normal[None])[2][1:]
        square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * 5.0
        return normal * offset + square @ side, np.array([[0, 1, 2], [0, 2, 3]])
    return _grid(_profile(body))


def _profile(body: Body) -> npt.NDArray[np.float64]:
    """Points (rows, columns, 3) of a round body over a grid of angles."""
    turn = np.linspace(0.0, 2.0 * np.pi, 49)
    rise = np.linspace(-0.5 * np.pi, 0.5 * np.pi, 25)
    if body.kind == "ellipsoid":
        r, z, scale = np.cos(rise), np.sin(rise), np.asarray(body.arguments()[0])
    elif body.kind == "sphere":
        r, z, scale = np.cos(rise), np.sin(rise), np.full(3, body.arguments()[0])
    else:
        radius, half = body.arguments()
        scale = np.ones(3)
        if body.kind == "capsule":
            rise = np.concatenate([rise[:13], rise[12:]])
            r, z = radius * np.cos(rise), radius * np.sin(rise) + np.repeat([-half, half], 13)
        elif body.kind == "cone":
            r, z = np.array([0.0, radius, 0.0]), np.array([-half, -half, half])
        else:
            r, z = np.array([0.0, radius, radius, 0.0]), np.array([-half, -half, half, half])
    points = np.stack([r[:, None] * np.cos(turn), r[:, None] * np.sin(turn), np.repeat(z[:, None], 49, 1)], axis=-1)
    points = points * scale
    if body.kind == "sphere":
        points = points + np.asarray(body.arguments()[1])
    return points


def _grid(points: npt.NDArray[np.float64]) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
    rows, columns = points.shape[:2]
    i = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).ravel()
    faces = np.concatenate([np.stack([i, i + 1, i + columns + 1], 1), np.stack([i, i + columns + 1, i + columns], 1)])
    return points.reshape(-1, 3), faces


def _marks(answer: Any) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Points (n, 3) and segments (m, 2, 3) that show an answer."""
    if answer is None or isinstance(answer, Contacts):
        return np.empty((0, 3)), np.empty((0, 2, 3))
    if isinstance(answer, (RayHits, ClosestPoints)):
        return np.reshape(answer.point, (-1, 3)), np.empty((0, 2, 3))
    if isinstance(answer, (Distances, Penetrations, LocalMinima, Manifold)) or hasattr(answer, "point_a"):
        ends = np.stack([np.reshape(answer.point_a, (-1, 3)), np.reshape(answer.point_b, (-1, 3))], axis=1)
        ends = ends[np.isfinite(ends).all(axis=(1, 2))]
        return ends.reshape(-1, 3), ends
    raise TypeError(f"there is no picture of a {type(answer).__name__}")


def _coloured(answer: Any, side: int) -> npt.NDArray[np.int64]:
    """The triangles of a body that an answer names."""
    if isinstance(answer, Contacts):
        return np.unique(answer.features[:, side]).astype(np.int64)
    return np.empty(0, dtype=np.int64)


def plot(
    *bodies: _core.Body | tuple[_core.Body, Pose],
    answer: Any = None,
    backend: str | None = None,
) -> Any:
    """A picture of bodies in their poses, `plot(a, (b, pose_b), answer=gap)`, with the points of an answer in red.

    Answers: of distance, penetration, within, sweep, contacts, manifold, local_minima, ray or closest_point.
    backend: "plotly" or "pyvista"; the first that is installed if None. Returns its figure or plotter: `.show()` it.
    ImportError where neither is installed.
    """
    placed: list[tuple[Any, npt.NDArray[np.float64]]] = []
    for one in bodies:
        body, pose = one if isinstance(one, tuple) else (one, None)
        placed.append((body, matrix(pose)))
    shown = []
    for side, (body, pose) in enumerate(placed):
        vertices, faces = triangles(body)
        vertices = vertices @ pose[:3, :3].T + pose[:3, 3]
        named = _coloured(answer, side) if side < 2 else np.empty(0, dtype=np.int64)
        shown.append((vertices, faces, named[named < len(faces)]))
    marks = _marks(answer)
    name = backend or _installed()
    if name == "plotly":
        return _plotly(shown, marks)
    if name == "pyvista":
        return _pyvista(shown, marks)
    raise ValueError(f"backend: must be 'plotly' or 'pyvista', not {name!r}")


def _installed() -> str:
    from importlib.util import find_spec

    for name in ("plotly", "pyvista"):
        if find_spec(name) is not None:
            return name
    raise ImportError("pictures need plotly or pyvista: pip install plotly")


def _plotly(shown: list[Any], marks: tuple[Any, Any]) -> Any:
    import plotly.graph_objects as go

    figure = go.Figure()
    for k, (vertices, faces, named) in enumerate(shown):
        colours = np.full(len(faces), _COLOURS[k % len(_COLOURS)], dtype=object)
        colours[named] = _MARK
        x, y, z = vertices.T
        i, j, l = faces.T
        figure.add_mesh3d(
            x=x, y=y, z=z, i=i, j=j, k=l, facecolor=colours, opacity=0.6 if len(shown) > 1 else 1.0, flatshading=True
        )
    points, segments = marks
    for segment in segments:
        x, y, z = segment.T
        figure.add_scatter3d(
            x=x, y=y, z=z, mode="lines", line={"color": _MARK, "width": 6}, showlegend=False, hoverinfo="skip"
        )
    if len(points):
        x, y, z = points.T
        figure.add_scatter3d(x=x, y=y, z=z, mode="markers", marker={"color": _MARK, "size": 4}, showlegend=False)
    figure.update_layout(scene={"aspectmode": "data"}, margin={"l": 0, "r": 0, "t": 0, "b": 0})
    return figure


def _pyvista(shown: list[Any], marks: tuple[Any, Any]) -> Any:
    import pyvista

    plotter = pyvista.Plotter()
    for k, (vertices, faces, named) in enumerate(shown):
        flat = np.hstack([np.full((len(faces), 1), 3), faces]).ravel()
        mesh = pyvista.PolyData(vertices, flat)
        plotter.add_mesh(mesh, color=_COLOURS[k % len(_COLOURS)], opacity=0.6 if len(shown) > 1 else 1.0)
        if len(named):
            plotter.add_mesh(mesh.extract_cells(named), color=_MARK)
    points, segments = marks
    for segment in segments:
        plotter.add_mesh(pyvista.Line(*segment), color=_MARK, line_width=6)
    if len(points):
        plotter.add_points(points, color=_MARK, point_size=10)
    return plotter
