"""Shapes: what is taken and refused, copies, pickles, files, pictures."""

from __future__ import annotations

import copy
import pickle
import time

import numpy as np
import pytest

import sudar
from conftest import ball_mesh, every_shape, poses, tetrahedron


def test_every_shape_pickles_copies_and_says_what_it_is(random):
    shapes = every_shape(random)
    p = poses(random, (10,))
    for name, body in shapes.items():
        again = pickle.loads(pickle.dumps(body))
        assert type(again) is type(body) and copy.deepcopy(body) is body and copy.copy(body) is body
        assert np.array_equal(body.bounds(), again.bounds()), name
        for other in shapes.values():
            one, two = sudar.distance(body, other, pose_b=p), sudar.distance(again, other, pose_b=p)
            assert np.array_equal(one.lower, two.lower) and np.array_equal(one.point_a, two.point_a), name
            assert np.array_equal(one.features, two.features), name
        assert repr(body).startswith(f"sudar.{type(body).__name__}(")


def test_the_normal_of_a_half_space_has_length_one_whatever_was_given():
    for normal, offset, unit, distance in (
        ([0, 0, 2], 1.0, [0, 0, 1], 0.5),
        ([3, 0, -4], 10.0, [0.6, 0, -0.8], 2.0),
        ([0, 1, 0], -2.0, [0, 1, 0], -2.0),
        ([0, 3e-200, 4e-200], 5e-200, [0, 0.6, 0.8], 1.0),
        ([-3e80, 4e80, 0], 5e80, [-0.6, 0.8, 0], 1.0),
    ):
        body = sudar.Halfspace(normal, offset)
        for one in (body, pickle.loads(pickle.dumps(body)), eval(repr(body))):
            assert one.normal == pytest.approx(unit, rel=1e-15) and one.offset == pytest.approx(distance, rel=1e-15)
            assert all(np.array_equal(x, y) for x, y in zip(one.arguments(), body.arguments(), strict=True))
            assert repr(one) == repr(body)


def test_a_mesh_pickles_with_its_tree_in_few_bytes_and_loads_faster_than_it_builds():
    mesh = ball_mesh(120, solid=False)
    n = len(mesh.faces)
    text = pickle.dumps(mesh)
    assert len(text) <= 60 * n, len(text) / n
    vertices, faces = mesh.vertices, mesh.faces

    def least(work):
        times = []
        for _ in range(7):
            start = time.perf_counter()
            work()
            times.append(time.perf_counter() - start)
        return min(times)

    build, load = least(lambda: sudar.Mesh(vertices, faces)), least(lambda: pickle.loads(text))
    assert load < build, (load, build)
    again = pickle.loads(text)
    assert again.tree_bytes == mesh.tree_bytes


def test_answers_and_managers_pickle(random):
    mesh, p = tetrahedron(), poses(random, (5,))
    for answer in (sudar.distance(mesh, mesh, pose_b=p), sudar.contacts(mesh, mesh, pose_b=p), sudar.mass(mesh)):
        again = pickle.loads(pickle.dumps(answer))
        for name, column in answer._columns().items():
            assert np.array_equal(column, getattr(again, name))
        copy.deepcopy(answer)
    _, proof = sudar.prove(mesh, mesh, pose_b=p[0])
    assert pickle.loads(pickle.dumps(proof)).json == proof.json


def test_arrays_of_any_kind_are_taken():
    v = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    f = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]
    expected = sudar.mass(sudar.Mesh(v, f)).mass
    for kind in (np.float64, np.float32, np.int64, np.int8, np.uint16):
        assert sudar.mass(sudar.Mesh(np.array(v, dtype=kind), f)).mass == expected
    for kind in (np.int64, np.int32, np.uint8, np.uint64):
        assert sudar.mass(sudar.Mesh(v, np.array(f, dtype=kind))).mass == expected
    wide = np.zeros((4, 6))
    wide[:, ::2] = v
    assert sudar.mass(sudar.Mesh(wide[:, ::2], np.asfortranarray(f))).mass == expected
    read_only = np.array(v, dtype=float)
    read_only.flags.writeable = False
    assert sudar.mass(sudar.Mesh(read_only, tuple(map(tuple, f)))).mass == expected
    swapped = np.array(v, dtype=">f8")
    assert sudar.mass(sudar.Mesh(swapped, f)).mass == expected


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: sudar.Mesh([[0, 0]], [[0, 0, 0]]), ValueError, r"vertices: must have shape \(n, 3\), not \(1, 2\)"),
        (lambda: sudar.Mesh([[0, 0, 0]], [[0, 0, 7]]), ValueError, "triangle 0 names vertex 7"),
        (lambda: sudar.Mesh([[0, 0, 0]], [[0, 0, -1]]), ValueError, r"faces\[0\]: names vertex -1"),
        (lambda: sudar.Mesh([[0, 0, 0]], [[0.0, 0.0, 0.5]]), TypeError, "faces: must hold whole numbers"),
        (lambda: sudar.Mesh([[0, 0, np.nan]] * 3, [[0, 1, 2]]), ValueError, "not finite|finite"),
        (lambda: sudar.Mesh(np.empty((0, 3)), np.empty((0, 3))), ValueError, "at least one triangle"),
        (lambda: sudar.Mesh([["a", "b", "c"]], [[0, 0, 0]]), TypeError, "vertices: must hold real numbers"),
        (lambda: sudar.Mesh([[1j, 0, 0]], [[0, 0, 0]]), TypeError, "vertices: must hold real numbers"),
        (lambda: sudar.Mesh([[0, 0, 0], [1, 2]], [[0, 0, 0]]), ValueError, "vertices: is no regular array"),
        (lambda: sudar.Mesh([[0, 0, 0]] * 3, [[0, 1, 2]], solid=True), ValueError, "solid: "),
        (lambda: sudar.Sphere(-1.0), ValueError, "radius must be positive"),
        (lambda: sudar.Sphere([1, 2]), ValueError, "radius: must have shape"),
        (lambda: sudar.Box([1, 1]), ValueError, "half_extents"),
        (lambda: sudar.Compound([]), ValueError, "compound|part"),
        (lambda: sudar.Compound([3]), TypeError, r"parts\[0\]"),
        (lambda: sudar.ConvexHull(np.empty((0, 3))), ValueError, "point"),
        (lambda: sudar.Halfspace([0, 0, 0], 1), ValueError, "normal"),
        (lambda: sudar.HeightField([[1.0]]), ValueError, "."),
        (lambda: sudar.HeightField(np.empty((0, 0))), ValueError, "."),
        (lambda: sudar.Body(), TypeError, "base of all shapes"),
        (lambda: sudar.intersects(sudar.Sphere(1), 3), TypeError, "b: must be a shape of sudar"),
        (lambda: sudar.intersects([sudar.Sphere(1), "x"], sudar.Sphere(1)), TypeError, r"a\[1\]: must be a shape"),
        (lambda: sudar.intersects(sudar.Sphere(1), sudar.Sphere(1), np.eye(3)), ValueError, "quaternion"),
        (lambda: sudar.intersects(sudar.Sphere(1), sudar.Sphere(1), threads=-1), ValueError, "threads"),
        (lambda: sudar.intersects(sudar.Sphere(1), sudar.Sphere(1), seconds=-1), ValueError, "seconds"),
        (lambda: sudar.intersects(sudar.Sphere(1), sudar.Sphere(1), progress=3), TypeError, "progress"),
        (lambda: sudar.contains(sudar.Sphere(1), [0, 0, 0], method="x"), ValueError, "method"),
        (lambda: sudar.contains(sudar.Sphere(1), [[0, 0, 0], [0, 0, np.inf]]), ValueError, r"point\[1\]"),
        (lambda: sudar.ray(sudar.Sphere(1), [0, 0, 0], [[1, 0, 0], [0, 0, 0]]), ValueError, r"direction\[1\]"),
        (lambda: sudar.mass(sudar.Triangle([0, 0, 0], [1, 0, 0], [0, 1, 0])), ValueError, "a: "),
    ],
)
def test_what_is_wrong_is_said_in_one_line(make, error, words):
    with pytest.raises(error, match=words) as found:
        make()
    assert "\n" not in str(found.value)


def test_what_is_not_rigid_is_refused_with_its_index(random):
    ball, p = sudar.Sphere(1), poses(random, (4, 3))
    for spoil, words in (
        (lambda m: m.__setitem__((2, 1, 0, 0), 5.0), r"pose_b\[2, 1\].*rigid"),
        (lambda m: m.__setitem__((3, 0, 0, 3), np.nan), r"pose_b\[3, 0\].*finite"),
        (lambda m: m.__setitem__((0, 2, 3, 0), 1.0), r"pose_b\[0, 2\].*last row"),
        (lambda m: m[1, 1].__setitem__(slice(0, 3), -m[1, 1, :3]), r"pose_b\[1, 1\].*rigid"),
    ):
        bad = p.copy()
        spoil(bad)
        with pytest.raises(ValueError, match=words):
            sudar.distance(ball, ball, pose_b=bad)
    with pytest.raises(ValueError, match=r"pose_a\[1\].*length 1"):
        sudar.distance(ball, ball, ([0, 0, 0], [[0, 0, 0, 1], [0, 0, 0, 2]]))


def test_moved_vertices_answer_as_a_mesh_made_anew(random):
    mesh = ball_mesh(10)
    elsewhere = mesh.vertices * [1.0, 2.0, 0.5] + [0.1, 0.0, 0.0]
    moved, fresh = mesh.moved(elsewhere), sudar.Mesh(elsewhere, mesh.faces, solid=True)
    p = poses(random, (40,))
    one, other = sudar.distance(moved, mesh, pose_b=p), sudar.distance(fresh, mesh, pose_b=p)
    assert np.allclose(one.upper, other.upper, atol=1e-12) and moved.is_solid
    with pytest.raises(ValueError):
        mesh.moved(elsewhere[:-1])


def test_files_come_back(tmp_path):
    obj = tmp_path / "two.obj"
    mesh = tetrahedron()
    lines = [f"v {x} {y} {z}" for x, y, z in mesh.vertices]
    lines += ["g one"] + [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in mesh.faces]
    lines += [f"v {x + 5} {y} {z}" for x, y, z in mesh.vertices]
    lines += ["g two"] + [f"f {a + 5} {b + 5} {c + 5}" for a, b, c in mesh.faces]
    obj.write_text("\n".join(lines) + "\n")
    model = sudar.load(obj)
    assert [part.name for part in model] == ["one", "two"] and len(model) == 2
    assert model["two"].body.is_solid and sudar.distance(model[0].body, model["two"].body, None, model[1].pose).upper > 3
    assert sudar.mass(model.mesh()).mass == pytest.approx(2 / 6)
    assert sudar.mass(sudar.Mesh.load(obj, "two")).mass == pytest.approx(1 / 6)
    assert len(model.compound().parts()) == 2
    doubled = sudar.load(obj, scale=2.0)
    assert sudar.mass(doubled[0].body).mass == pytest.approx(8 / 6)
    with pytest.raises(OSError, match="nowhere.obj"):
        sudar.load(tmp_path / "nowhere.obj")
    (tmp_path / "bad.obj").write_text("f 1 2 3\n")
    with pytest.raises(ValueError, match="bad.obj"):
        sudar.load(tmp_path / "bad.obj")
    with pytest.raises(KeyError):
        model["three"]


def test_meshes_of_round_shapes():
    turn = np.linspace(0.0, 2 * np.pi, 500)
    circle = np.stack([0.5 * np.cos(turn), 0.5 * np.sin(turn), 0.3 * np.ones_like(turn)], 1)
    pipe = sudar.Cylinder(0.5, 1.0)
    mesh, distance = sudar.Mesh.from_shape(pipe, 1e-3)
    assert type(mesh) is sudar.Mesh and mesh.is_solid and 0.0 < distance <= 1e-3
    # The gap between an arc and its chord, by its closed form; and no less by points of the surface.
    sides = len(mesh.vertices) // 2
    assert distance == pytest.approx(0.5 * (1.0 - np.cos(np.pi / sides)), rel=1e-9)
    far = sudar.closest_point(sudar.Mesh(mesh.vertices, mesh.faces), circle).upper.max()
    assert 0.9 * distance < far <= distance + 1e-12
    with pytest.raises(ValueError, match="half-space has no end"):
        sudar.Mesh.from_shape(sudar.Halfspace([0, 0, 1], 0.0), 1e-3)
    with pytest.raises(ValueError, match="positive finite length"):
        sudar.Mesh.from_shape(pipe, 0.0)


def test_to_and_from_trimesh():
    trimesh = pytest.importorskip("trimesh")
    box = trimesh.creation.box()
    mesh = sudar.Mesh.from_trimesh(box)
    assert mesh.is_solid and np.array_equal(mesh.to_trimesh().faces, box.faces)


def test_pictures(random):
    plotly = pytest.importorskip("plotly")
    shapes = every_shape(random)
    figure = sudar.plot(*shapes.values())
    assert len(figure.data) == len(shapes) and isinstance(figure, plotly.graph_objects.Figure)
    a, b = shapes["mesh"], shapes["box"]
    for answer in (sudar.distance(a, b), sudar.contacts(a, a, pose_b=([0.5, 0, 0], [0, 0, 0, 1])), sudar.manifold(a, b)):
        sudar.plot(a, (b, ([3, 0, 0], [0, 0, 0, 1])), answer=answer)
    with pytest.raises(ValueError, match="backend"):
        sudar.plot(a, backend="paper")
