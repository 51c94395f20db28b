"""Anything that may be given: it is answered as plain arrays are, or refused in one line, and never crashes."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import sudar

NUMBERS = st.one_of(
    st.floats(-10, 10), st.sampled_from([0.0, -0.0, 1e-300, 1e300, np.inf, -np.inf, np.nan, 5e-324])
)
KINDS = st.sampled_from([np.float64, np.float32, np.float16, np.int64, np.int8, np.uint32, np.bool_])
BALL, BOX = sudar.Sphere(0.5), sudar.Box([0.3, 0.4, 0.5])


def refused_or(work):
    try:
        return work()
    except (ValueError, TypeError) as error:
        assert "\n" not in str(error), error
        return None


@settings(max_examples=200, deadline=None)
@given(arrays.arrays(np.float64, arrays.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=5), elements=NUMBERS))
def test_any_array_as_a_pose_a_point_or_vertices(array):
    refused_or(lambda: sudar.distance(BALL, BOX, pose_b=array))
    refused_or(lambda: sudar.distance(BALL, BOX, pose_b=(array, [0, 0, 0, 1])))
    refused_or(lambda: sudar.distance(BALL, BOX, pose_b=([0, 0, 0], array)))
    found = refused_or(lambda: sudar.closest_point(BOX, array))
    if found is not None:
        assert found.shape == array.shape[:-1] and np.isfinite(found.point).all()
    refused_or(lambda: sudar.ray(BOX, array, [1, 0, 0]))
    refused_or(lambda: sudar.hull(array))
    refused_or(lambda: sudar.PointCloud(array))
    refused_or(lambda: sudar.HeightField(array))
    refused_or(lambda: sudar.pairs(array))


@settings(max_examples=100, deadline=None)
@given(
    arrays.arrays(np.float64, (4, 3), elements=NUMBERS),
    arrays.arrays(np.int64, st.tuples(st.integers(0, 5), st.just(3)), elements=st.integers(-2, 5)),
    st.sampled_from([True, False, None]),
)
def test_any_mesh(vertices, faces, solid):
    mesh = refused_or(lambda: sudar.Mesh(vertices, faces, solid=solid))
    if mesh is not None:
        assert np.array_equal(mesh.vertices, vertices) and np.array_equal(mesh.faces, faces)
        gap = sudar.distance(mesh, BOX)
        assert gap.lower <= gap.upper and np.isfinite(gap.upper)


@settings(max_examples=100, deadline=None)
@given(KINDS, st.integers(1, 4), st.integers(1, 3), st.booleans(), st.integers(0, 6))
def test_any_kind_stride_and_size_of_array(kind, step, more, backwards, count):
    plain = (np.arange(count * 3).reshape(count, 3) % 7).astype(kind)
    wide = np.zeros((count * step, 3 + more), dtype=kind)
    wide[::step, :3] = plain
    strided = wide[::step, :3]
    if backwards:
        strided, plain = strided[::-1], plain[::-1].copy()
    expected = sudar.closest_point(BOX, plain.astype(np.float64).tolist() if count else np.empty((0, 3)))
    found = sudar.closest_point(BOX, strided)
    assert np.array_equal(found.upper, expected.upper) and found.shape == (count,)
    fortran = sudar.closest_point(BOX, np.asfortranarray(plain))
    assert np.array_equal(fortran.upper, expected.upper)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(1, 3), max_size=3), st.lists(st.integers(1, 3), max_size=3))
def test_any_two_shapes_broadcast_as_in_numpy(one, other):
    a, b = np.tile(np.eye(4), (*one, 1, 1)), np.tile(np.eye(4), (*other, 1, 1))
    try:
        expected = np.broadcast_shapes(tuple(one), tuple(other))
    except ValueError:
        assert refused_or(lambda: sudar.distance(BALL, BOX, a, b)) is None
        return
    assert sudar.distance(BALL, BOX, a, b).shape == expected
