"""What tests share. Comparisons with other libraries are counted; if all are left out, the run fails."""

from __future__ import annotations

import numpy as np
import pytest

import sudar

_compared = {"done": 0, "left out": 0}


def rival(name: str):
    """Another library to compare with; the test is left out where it is not installed, and that is counted."""
    try:
        module = __import__(name)
    except ImportError:
        _compared["left out"] += 1
        pytest.skip(f"{name} is not installed")
    _compared["done"] += 1
    return module


def pytest_terminal_summary(terminalreporter):
    done, left = _compared["done"], _compared["left out"]
    terminalreporter.write_line(f"comparisons with other libraries: {done} done, {left} left out")


def pytest_sessionfinish(session, exitstatus):
    if exitstatus == 0 and _compared["left out"] > 0 and _compared["done"] == 0:
        session.exitstatus = 1


@pytest.fixture
def random():
    return np.random.default_rng(7)


def poses(random, shape=(), reach=2.0):
    """Random rigid poses (*shape, 4, 4)."""
    q = random.normal(size=(*shape, 4))
    q /= np.linalg.norm(q, axis=-1, keepdims=True)
    return sudar._core.matrix((random.uniform(-reach, reach, (*shape, 3)), q))


def tetrahedron(solid=True):
    vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    return sudar.Mesh(vertices, [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]], solid=solid)


def ball_mesh(rings=16, radius=1.0, solid=True):
    """A closed mesh of a ball with 4·rings² − 4·rings triangles."""
    up = np.linspace(0, np.pi, rings + 1)[1:-1]
    around = np.linspace(0, 2 * np.pi, 2 * rings, endpoint=False)
    grid = np.stack(
        [
            np.sin(up)[:, None] * np.cos(around),
            np.sin(up)[:, None] * np.sin(around),
            np.repeat(np.cos(up)[:, None], len(around), 1),
        ],
        axis=-1,
    ).reshape(-1, 3)
    vertices = radius * np.concatenate([grid, [[0, 0, 1], [0, 0, -1]]])
    n, top, bottom, faces = len(around), len(grid), len(grid) + 1, []
    for i in range(n):
        j = (i + 1) % n
        faces.append([top, i, j])
        faces.append([bottom, (rings - 2) * n + j, (rings - 2) * n + i])
        for r in range(rings - 2):
            a, b, c, d = r * n + i, r * n + j, (r + 1) * n + i, (r + 1) * n + j
            faces += [[a, c, d], [a, d, b]]
    return sudar.Mesh(vertices, faces, solid=solid)


def every_shape(random):
    """One of each kind of shape."""
    points = random.normal(size=(12, 3))
    return {
        "mesh": ball_mesh(6, solid=False),
        "solid": tetrahedron(),
        "sphere": sudar.Sphere(0.7, [0.1, 0.2, 0.3]),
        "box": sudar.Box([0.5, 0.3, 0.8]),
        "capsule": sudar.Capsule(0.3, 0.5),
        "cylinder": sudar.Cylinder(0.4, 0.6),
        "cone": sudar.Cone(0.5, 0.7),
        "ellipsoid": sudar.Ellipsoid([0.3, 0.5, 0.8]),
        "hull": sudar.ConvexHull(points),
        "halfspace": sudar.Halfspace([0.1, -0.2, 1.0], -0.3),
        "triangle": sudar.Triangle(*points[:3]),
        "segment": sudar.Segment(*points[:2]),
        "point": sudar.Point(points[0]),
        "heightfield": sudar.HeightField(random.normal(size=(4, 5)) * 0.2, [0.5, 0.4]),
        "pointcloud": sudar.PointCloud(points),
        "compound": sudar.Compound([sudar.Sphere(0.3), (sudar.Box([0.2, 0.2, 0.5]), ([0.5, 0, 0], [0, 0, 0, 1]))]),
    }
