"""The stand-ins beside what they stand for."""

from __future__ import annotations

import copy
import pickle
import time

import numpy as np
import pytest

import sudar
from conftest import ball_mesh, every_shape, poses, rival
from sudar.compat import fcl


def geometry(module, points):
    vertices = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]])
    faces = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    bvh = module.BVHModel()
    bvh.beginModel(len(faces), len(vertices))
    bvh.addSubModel(vertices, faces)
    bvh.endModel()
    flat = np.concatenate([np.full((4, 1), 3), faces], axis=1).flatten()
    return {
        "box": module.Box(1.0, 0.6, 0.8),
        "sphere": module.Sphere(0.7),
        "ellipsoid": module.Ellipsoid(0.3, 0.5, 0.8),
        "capsule": module.Capsule(0.3, 0.9),
        "cone": module.Cone(0.5, 0.9),
        "cylinder": module.Cylinder(0.5, 0.9),
        "convex": module.Convex(vertices, 4, flat),
        "mesh": bvh,
    }


def test_fcl_says_the_same_yes_or_no_and_distances(random):
    theirs = rival("fcl")
    one, other = geometry(theirs, None), geometry(fcl, None)
    differing, compared = 0, 0
    for a in one:
        for b in one:
            for pose in poses(random, (12,), 1.2):
                answers = []
                for module, shapes in ((theirs, one), (fcl, other)):
                    first = module.CollisionObject(shapes[a])
                    second = module.CollisionObject(shapes[b], module.Transform(pose[:3, :3], pose[:3, 3]))
                    hit = module.collide(first, second) > 0
                    request = module.DistanceRequest(enable_nearest_points=True)
                    result = module.DistanceResult()
                    gap = module.distance(first, second, request, result)
                    answers.append((hit, gap))
                (hit, gap), (own_hit, own_gap) = answers
                compared += 1
                # Theirs is right to some 1e-6; a mesh inside a solid does not touch it there.
                if hit != own_hit:
                    differing += 1
                    assert abs(own_gap) < 1e-3 or own_gap == -1.0, (a, b, answers)
                elif not hit:
                    assert own_gap == pytest.approx(gap, abs=2e-4), (a, b)
    assert compared == 768 and differing < 40


def test_fcl_continuous_collisions_by_closed_form():
    ball = fcl.CollisionObject(fcl.Sphere(0.5))
    other = fcl.CollisionObject(fcl.Sphere(0.5), fcl.Transform(np.array([3.0, 0, 0])))
    result = fcl.ContinuousCollisionResult()
    # 2 of the 3 metres are free.
    time = fcl.continuousCollide(ball, fcl.Transform(), other, fcl.Transform(), fcl.ContinuousCollisionRequest(), result)
    assert result.is_collide and time == pytest.approx(2 / 3, abs=1e-5)
    away = fcl.Transform(np.array([9.0, 0, 0]))
    result = fcl.ContinuousCollisionResult()
    assert fcl.continuousCollide(ball, fcl.Transform(), other, away, None, result) == 1.0 and not result.is_collide


def test_fcl_planes_quaternions_managers_and_pickles(random):
    plane = fcl.CollisionObject(fcl.Plane(np.array([0, 0, 2.0]), 1.0))
    ball = fcl.CollisionObject(fcl.Sphere(0.5), fcl.Transform(np.array([0, 0, 1.4])))
    assert fcl.collide(plane, ball) == 1
    ball.setTranslation([0, 0, 2.0])
    assert fcl.collide(plane, ball) == 0 and fcl.distance(plane, ball) == pytest.approx(0.5)
    ball.setTranslation([0, 0, -2.0])
    assert fcl.distance(ball, plane) == pytest.approx(2.5)
    for q in random.normal(size=(20, 4)):
        q /= np.linalg.norm(q)
        tf = fcl.Transform(q, np.zeros(3))
        back = tf.getQuatRotation()
        assert np.allclose(back, q) or np.allclose(back, -q)
    manager = fcl.DynamicAABBTreeCollisionManager()
    objects = [fcl.CollisionObject(fcl.Sphere(0.5), fcl.Transform(np.array([i * 0.9, 0, 0]))) for i in range(5)]
    manager.registerObjects(objects)
    seen = []
    manager.collide(None, lambda a, b, data: seen.append((a, b)) and False)
    assert len(seen) == 4
    data = fcl.DistanceData(fcl.DistanceRequest(enable_nearest_points=True))
    manager.distance(fcl.CollisionObject(fcl.Sphere(0.5), fcl.Transform(np.array([0, 4.0, 0]))), data, fcl.defaultDistanceCallback)
    assert data.result.min_distance == pytest.approx(3.0) and data.result.o1 is objects[0].collision_geometry
    manager.unregisterObject(objects[0])
    assert manager.size() == 4
    again = pickle.loads(pickle.dumps(copy.deepcopy(manager)))
    assert again.size() == 4
    with pytest.raises(NotImplementedError, match="octomap"):
        fcl.OcTree()


def test_trimesh_manager_beside_the_original(random):
    trimesh = rival("trimesh")
    rival("fcl")
    from sudar.compat.trimesh import CollisionManager

    parts = [trimesh.creation.icosphere(subdivisions=1, radius=0.5), trimesh.creation.box([0.6, 0.8, 1.0]), trimesh.creation.annulus(0.3, 0.6, 0.4)]
    theirs, ours = trimesh.collision.CollisionManager(), CollisionManager(solid=False)
    for i, pose in enumerate(poses(random, (12,), 2.0)):
        for manager in (theirs, ours):
            manager.add_object(i, parts[i % 3], pose)
    assert ours.in_collision_internal(return_names=True) == theirs.in_collision_internal(return_names=True)
    for pose in poses(random, (40,), 2.0):
        one = theirs.in_collision_single(parts[2], pose, return_names=True)
        assert ours.in_collision_single(parts[2], pose, return_names=True) == one
        assert ours.in_collision_single(parts[2], pose) is one[0]
        if not one[0]:
            expected, name = theirs.min_distance_single(parts[2], pose, return_name=True)
            found, own, data = ours.min_distance_single(parts[2], pose, return_name=True, return_data=True)
            assert found == pytest.approx(expected, abs=1e-5) and own == name
            gap = np.linalg.norm(data.point(own) - data.point("__external"))
            assert gap == pytest.approx(found, abs=1e-9) and data.index(own) < len(parts[own % 3].faces)
    again = pickle.loads(pickle.dumps(ours))
    assert again.in_collision_internal(return_names=True) == ours.in_collision_internal(return_names=True)
    # A transform that scales is applied, not taken for a rotation.
    double = np.diag([2.0, 2.0, 2.0, 1.0])
    scaled = CollisionManager()
    scaled.add_object("ball", parts[0], double)
    far = np.eye(4)
    far[0, 3] = 1.4
    assert scaled.in_collision_single(parts[0], far) and not scaled.in_collision_single(parts[0], far + far - np.eye(4))
    with pytest.raises(ValueError, match="not in collision manager"):
        scaled.remove_object("nothing")
    # The mesh is changed: so is the answer.
    cube = trimesh.creation.box()
    changing = CollisionManager()
    changing.add_object("cube", cube)
    probe = cube.copy()
    at = np.eye(4)
    at[0, 3] = 1.5
    assert not changing.in_collision_single(probe, at)
    probe.apply_scale(3.0)
    assert changing.in_collision_single(probe, at)


def test_coal_says_the_same_of_two_meshes(random):
    coal = rival("coal")
    mesh = ball_mesh(8, solid=False)
    model = coal.BVHModelOBBRSS()
    model.beginModel(len(mesh.faces), len(mesh.vertices))
    model.addVertices(mesh.vertices)
    model.addTriangles(mesh.faces.astype(np.uint64))
    model.endModel()
    at = poses(random, (400,), 1.6)
    ours = sudar.intersects(mesh, mesh, pose_b=at)
    here, request = coal.Transform3s(), coal.CollisionRequest()
    for pose, own in zip(at, ours, strict=True):
        found = coal.collide(model, here, model, coal.Transform3s(pose[:3, :3], pose[:3, 3]), request, coal.CollisionResult())
        assert (found > 0) == own
    assert 50 < ours.sum() < 350


def test_a_mesh_travels_lighter_than_one_of_coal():
    coal, trimesh = rival("coal"), rival("trimesh")
    ball = trimesh.creation.icosphere(subdivisions=4)

    def build():
        model = coal.BVHModelOBBRSS()
        model.beginModel(len(ball.faces), len(ball.vertices))
        model.addVertices(np.asarray(ball.vertices))
        model.addTriangles(ball.faces.astype(np.uint64))
        model.endModel()
        return model

    def seconds(work):
        def one():
            start = time.perf_counter()
            work()
            return time.perf_counter() - start
        return min(one() for _ in range(3))

    theirs = pickle.dumps(build())
    assert len(ball.faces) == 5120 and 9.4e6 < len(theirs) < 9.6e6
    assert seconds(lambda: pickle.loads(theirs)) > seconds(build)
    assert len(pickle.dumps(sudar.Mesh.from_trimesh(ball))) <= 60 * 5120


def test_trimesh_says_the_same_of_points_and_rays(random):
    trimesh = rival("trimesh")
    ball = trimesh.creation.icosphere(subdivisions=2)
    mesh = sudar.Mesh.from_trimesh(ball)
    points = random.uniform(-1.5, 1.5, (200, 3))
    _, gaps, _ = trimesh.proximity.closest_point(ball, points)
    inside = ball.contains(points)
    near = sudar.closest_point(mesh, points)
    assert np.array_equal(sudar.contains(mesh, points), inside)
    assert np.allclose(near.upper[~inside], gaps[~inside], atol=1e-9) and (near.upper[inside] == 0).all()
    assert sudar.mass(mesh).mass == pytest.approx(ball.volume)
    assert np.allclose(sudar.mass(mesh).inertia, ball.moment_inertia)


def test_every_shape_is_a_shape(random):
    assert len(every_shape(random)) == 16
