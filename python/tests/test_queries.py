"""Every query against closed forms, against single calls, and against the command's answers."""

from __future__ import annotations

import json

import numpy as np
import pytest

import sudar
from conftest import ball_mesh, every_shape, poses, tetrahedron

IDENTITY = ([0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0])


def at(x, y=0.0, z=0.0):
    m = np.eye(4)
    m[:3, 3] = x, y, z
    return m


def test_two_balls_by_closed_form():
    # Radii 1 and 0.5 in the distance 3: 1.5 apart.
    one, other = sudar.Sphere(1.0), sudar.Sphere(0.5)
    gap = sudar.distance(one, other, None, at(3))
    assert gap.lower <= 1.5 <= gap.upper and gap.upper - gap.lower < 1e-12
    assert np.allclose(gap.point_a, [1, 0, 0]) and np.allclose(gap.point_b, [2.5, 0, 0])
    assert gap.status is sudar.Status.EXACT
    assert sudar.intersects(one, other, None, at(1.5)) is True
    assert sudar.intersects(one, other, None, at(1.5 + 1e-12)) is False
    assert sudar.within(one, other, 1.5 + 1e-9, None, at(3))
    far = sudar.within(one, other, 1.4, None, at(3))
    assert not far and np.isfinite(far.plane).all() and np.isnan(far.point_a).all()
    deep = sudar.penetration(one, other, None, at(1.2))
    assert deep.signed_lower <= -0.3 <= deep.signed_upper and np.allclose(deep.normal, [1, 0, 0])
    # It meets after 1.5 of the way of 3.
    hit = sudar.sweep(one, other, None, at(3), None, at(0))
    assert hit.hit and hit.t_lower <= 0.5 <= hit.t_upper + 1e-6
    free = sudar.sweep(one, other, None, at(3), None, at(3, 9))
    assert not free.hit and free.t_lower == np.inf


def test_one_body_by_closed_form():
    ball = sudar.Sphere(2.0)
    hit = sudar.ray(ball, [-5, 0, 0], [1, 0, 0])
    assert hit.hit and hit.t == pytest.approx(3.0) and np.allclose(hit.normal, [-1, 0, 0])
    assert not sudar.ray(ball, [-5, 0, 0], [1, 0, 0], max=2.9).hit
    near = sudar.closest_point(ball, [3, 0, 0])
    assert near.lower <= 1.0 <= near.upper and np.allclose(near.point, [2, 0, 0])
    assert sudar.contains(ball, [0, 0, 1.9]) is True
    assert sudar.contains(ball, [[0, 0, 1.9], [0, 0, 2.1]]).tolist() == [True, False]
    box = sudar.mass(sudar.Box([1, 2, 3]), density=2.0)
    assert box.mass == pytest.approx(96.0) and box.volume_lower <= 48.0 <= box.volume_upper
    # m/3·(b² + c²).
    assert np.allclose(np.diag(box.inertia), [32 * 13, 32 * 10, 32 * 5])
    moved = sudar.mass(sudar.Box([1, 2, 3]), at(5, 6, 7))
    assert np.allclose(moved.center, [5, 6, 7])
    mesh = ball_mesh(8, solid=False)
    rays = sudar.mass(mesh, cells=60)
    exact = sudar.mass(mesh)
    assert rays.mass == pytest.approx(exact.mass, rel=1e-2)


def test_open_meshes_are_inside_by_winding_numbers():
    open_ball = sudar.Mesh(ball_mesh(8).vertices, ball_mesh(8).faces[:-1])
    with pytest.raises(ValueError, match="method='winding'"):
        sudar.contains(open_ball, [0, 0, 0])
    assert sudar.contains(open_ball, [[0, 0, 0], [2, 0, 0]], method="winding").tolist() == [True, False]


def test_lists_of_contacts(random):
    cube = tetrahedron(solid=False)
    at_once = sudar.contacts(cube, cube, pose_b=poses(random, (30,), 0.5))
    assert at_once.shape == (30,) and at_once.starts[-1] == len(at_once) == at_once.counts.sum()
    b = poses(np.random.default_rng(7), (30,), 0.5)
    for i in range(30):
        one = sudar.contacts(cube, cube, pose_b=b[i])
        assert np.array_equal(one.features, at_once[i].features) and one.complete
        assert (len(one) > 0) == sudar.intersects(cube, cube, pose_b=b[i])
    lists = list(at_once)
    assert len(lists) == 30 and np.array_equal(lists[-1].features, at_once[-1].features)
    for wrong in (30, -31, (0, 0)):
        with pytest.raises(IndexError):
            at_once[wrong]
    with pytest.raises(TypeError):
        next(iter(sudar.contacts(cube, cube)))
    gaps = sudar.distance(cube, cube, pose_b=b)
    assert [gap.upper for gap in gaps] == gaps.upper.tolist()
    few = sudar.contacts(cube, cube, max=2)
    assert len(few) == 2 and len(sudar.contacts(cube, cube)) > 2
    assert len(sudar.self_intersections(cube)) == 0


def test_manifold_and_local_minima():
    box = sudar.Box([0.5, 0.5, 0.5])
    touch = sudar.manifold(box, box, None, at(0.9))
    assert len(touch) == 4 and np.allclose(touch.depth, 0.1) and np.allclose(touch.normal, [1, 0, 0])
    # A bar lies across two posts: two places, each 0.1 away.
    posts = sudar.Compound([(sudar.Sphere(0.5), at(-2)), (sudar.Sphere(0.5), at(2))])
    minima = sudar.local_minima(posts, sudar.Box([3, 0.1, 0.1]), 0.5, None, at(0, 0, 0.7))
    assert len(minima) == 2 and np.allclose(minima.upper, 0.1) and np.allclose(minima.normal, [0, 0, 1])


QUERIES = {
    "intersects": lambda a, b, p, q: sudar.intersects(a, b, p, q, undecided=True),
    "distance": sudar.distance,
    "within": lambda a, b, p, q: sudar.within(a, b, 0.3, p, q, undecided=True),
    "penetration": lambda a, b, p, q: sudar.penetration(a, b, p, q, abs=1e-3),
    "manifold": sudar.manifold,
    "local_minima": lambda a, b, p, q: sudar.local_minima(a, b, 0.3, p, q),
    "contacts": sudar.contacts,
    "sweep": lambda a, b, p, q: sudar.sweep(a, b, p, q, np.eye(4), None, nodes=2000),
}


def fields(answer, index=None):
    if isinstance(answer, (bool, np.ndarray)):
        return [answer if index is None else answer[index]]
    answer = answer if index is None else answer[index]
    columns = dict(answer._columns())
    columns.pop("starts", None)
    return list(columns.values())


def alike(one, other):
    return all(np.array_equal(np.asarray(x), np.asarray(y), equal_nan=True) for x, y in zip(one, other, strict=True))


@pytest.mark.parametrize("name", QUERIES)
def test_a_batch_of_any_pair_of_shapes_is_one_by_one(name, random):
    shapes, ask = every_shape(random), QUERIES[name]
    p, q = poses(random, (2,)), poses(random, (2,))
    done = 0
    for a in shapes.values():
        for b in shapes.values():
            whole = ask(a, b, p, q)
            for i in range(2):
                assert alike(fields(whole, i), fields(ask(a, b, p[i], q[i])))
            done += 1
    assert done == 16 * 16


def test_leading_dimensions_broadcast(random):
    a, b = [sudar.Sphere(0.5), sudar.Box([0.3, 0.4, 0.5])], sudar.Capsule(0.2, 0.4)
    p, q = poses(random, (5, 1)), poses(random, (3, 1, 1))
    whole = sudar.distance(a, b, p, q)
    assert whole.shape == (3, 5, 2) and whole.point_a.shape == (3, 5, 2, 3) and len(whole) == 3
    for k in range(3):
        for i in range(5):
            for j in range(2):
                assert alike(fields(whole, (k, i, j)), fields(sudar.distance(a[j], b, p[i, 0], q[k, 0, 0])))
    rays = sudar.ray(a, np.zeros((4, 1, 3)), [0, 0, 1], p[:, 0][:, None, None])
    assert rays.shape == (5, 4, 2)
    assert sudar.intersects([], b).shape == (0,) and sudar.distance(a[0], b, np.empty((0, 4, 4))).shape == (0,)
    assert len(sudar.contacts(a[0], b, np.empty((0, 4, 4)))) == 0


def test_any_number_of_threads_gives_the_same_bits(random):
    mesh, b = ball_mesh(12), poses(random, (300,), 1.5)
    one = sudar.distance(mesh, mesh, pose_b=b, threads=1)
    for threads in (0, 2, 7):
        assert alike(fields(one), fields(sudar.distance(mesh, mesh, pose_b=b, threads=threads)))
    lists = [sudar.contacts(mesh, mesh, pose_b=b, threads=n) for n in (1, 3)]
    assert alike([lists[0].features, lists[0].starts], [lists[1].features, lists[1].starts])


def test_poses_by_quaternions_are_those_by_matrices(random):
    q = random.normal(size=(20, 4))
    q /= np.linalg.norm(q, axis=1)[:, None]
    p = random.normal(size=(20, 3))
    m = sudar._core.matrix((p, q))
    x, y, z, w = q.T
    assert np.allclose(m[:, 0, 0], 1 - 2 * (y**2 + z**2)) and np.allclose(m[:, 1, 0], 2 * (x * y + w * z))
    a, b = tetrahedron(), sudar.Box([0.3, 0.2, 0.1])
    assert alike(fields(sudar.distance(a, b, pose_b=m)), fields(sudar.distance(a, b, pose_b=(p, q))))
    one = sudar.distance(a, b, pose_b=([1, 2, 3], q))
    assert one.shape == (20,)


def test_limits_widen_and_are_said():
    mesh = ball_mesh(20)
    gap = sudar.distance(mesh, mesh, pose_b=at(2.5), nodes=1)
    exact = sudar.distance(mesh, mesh, pose_b=at(2.5))
    assert gap.status is sudar.Status.BUDGET
    assert gap.lower <= exact.lower and exact.upper <= gap.upper
    with pytest.raises(ValueError, match="undecided"):
        sudar.intersects(mesh, mesh, pose_b=at(1.99), nodes=0)
    assert sudar.intersects(mesh, mesh, pose_b=at(1.99), nodes=0, undecided=False) is False
    assert not sudar.contacts(mesh, mesh, pose_b=at(1.9), nodes=1).complete


def test_answers_are_written_where_one_says(random):
    a, b, p = sudar.Sphere(0.5), sudar.Box([0.3, 0.4, 0.5]), poses(random, (6,))
    out = np.zeros(6, dtype=bool)
    assert sudar.intersects(a, b, p, out=out) is out and np.array_equal(out, sudar.intersects(a, b, p))
    gaps = sudar.distance(a, b, p)
    again = sudar.distance(a, b, p[::-1], out=gaps)
    assert again is gaps and np.array_equal(gaps.lower, sudar.distance(a, b, p[::-1]).lower)
    with pytest.raises(ValueError, match="out: has shape"):
        sudar.distance(a, b, p[:3], out=gaps)
    with pytest.raises(TypeError, match="out: must be"):
        sudar.distance(a, b, p, out=out)


def test_tables(random):
    pandas, pyarrow = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    a, p = tetrahedron(), poses(random, (4, 2))
    frame = sudar.distance(a, a, p).to_pandas()
    assert isinstance(frame, pandas.DataFrame) and len(frame) == 8 and frame.columns[2] == "point_a_x"
    table = sudar.contacts(a, a, p).to_arrow()
    assert isinstance(table, pyarrow.Table) and table.column_names == ["entry", "features_a", "features_b"]
    one = sudar.mass(a).to_pandas()
    assert len(one) == 1 and "inertia_xy" in one


def test_proofs(random):
    a, b = tetrahedron(), sudar.Box([0.3, 0.2, 0.1])
    gap, proof = sudar.prove(a, b, None, at(3))
    lower, upper = proof.check(a, b, None, at(3))
    assert lower <= gap.upper and gap.lower <= upper and upper - lower < 1e-9
    with pytest.raises(ValueError):
        proof.check(a, b, None, at(4))
    p = poses(random, (5,), 4.0)
    gaps, proofs = sudar.prove(a, b, pose_b=p)
    assert gaps.shape == proofs.shape == (5,)
    for i in range(5):
        lower, upper = proofs[i].check(a, b, None, p[i])
        assert lower <= gaps.upper[i] and gaps.lower[i] <= upper


def test_pairs_of_boxes_by_brute_force(random):
    corner = random.uniform(0, 10, (200, 3))
    boxes = np.concatenate([corner, corner + random.uniform(0, 2, (200, 3))], axis=1)
    meet = (boxes[:, None, :3] <= boxes[None, :, 3:]).all(-1) & (boxes[None, :, :3] <= boxes[:, None, 3:]).all(-1)
    expected = np.argwhere(np.triu(meet, 1))
    assert len(expected) > 100
    for name in sudar.broad_phases():
        assert np.array_equal(sudar.pairs(boxes, name), expected), name
    assert np.array_equal(sudar.pairs(boxes.reshape(-1, 2, 3)), expected)
    assert sudar.pairs(boxes, count_only=True) == len(expected)
    with pytest.raises(ValueError, match="boxes: must have shape"):
        sudar.pairs(np.zeros((3, 5)))
    with pytest.raises(ValueError, match="nothing"):
        sudar.pairs(boxes, "nothing")


def test_hulls(random):
    points = random.normal(size=(100, 3))
    hull = sudar.hull(points)
    assert isinstance(hull, sudar.ConvexHull) and np.array_equal(hull.points, points[hull.sources])
    assert sudar.contains(hull, points * 0.999).all()
    many = sudar.hull([points[:10], points[10:50]])
    assert [type(one) for one in many] == [sudar.ConvexHull] * 2
    assert len(sudar.hull(points.reshape(4, 25, 3))) == 4


def test_replay_gives_the_answers_of_the_library(tmp_path):
    queries = [
        {"id": "1", "query": "intersects", "a": {"sphere": 1.0}, "b": {"box": [1, 1, 1]}},
        {"id": "2", "query": "distance", "a": {"sphere": 1.0}, "b": {"sphere": 0.5}, "pose_b": {"translation": [3, 0, 0], "rotation": [0, 0, 0, 1]}},
        {"id": "3", "query": "nonsense"},
    ]
    answers = sudar.replay(queries)
    assert [answer["id"] for answer in answers] == ["1", "2", "3"]
    gap = sudar.distance(sudar.Sphere(1.0), sudar.Sphere(0.5), None, at(3), rel=1e-9)
    assert answers[0]["intersects"] is True and answers[1]["upper"] == gap.upper and "error" in answers[2]
    file = tmp_path / "queries.jsonl"
    file.write_text("\n".join(json.dumps(query) for query in queries) + "\n\n")
    assert sudar.replay(file) == answers
