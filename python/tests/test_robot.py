"""Robots: kinematics by closed form, checks by pairs, edges by sweeps and by close samples."""

from __future__ import annotations

import concurrent.futures
import copy
import json
import multiprocessing
import os
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import sudar
from sudar import _core

# Two links of 1 m that turn about z, a gripper that slides along the second.
URDF = """<robot name="planar">
  <link name="base"/>
  <link name="upper"><collision><origin xyz="0.5 0 0"/><geometry><box size="1 0.1 0.1"/></geometry></collision></link>
  <link name="lower"><collision><origin xyz="0.5 0 0"/><geometry><box size="1 0.1 0.1"/></geometry></collision></link>
  <link name="tip"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 0 1"/>
    <limit lower="-3" upper="3" effort="1" velocity="1"/></joint>
  <joint name="elbow" type="revolute"><parent link="upper"/><child link="lower"/><origin xyz="1 0 0"/><axis xyz="0 0 1"/>
    <limit lower="-2.5" upper="2.5" effort="1" velocity="1"/></joint>
  <joint name="slide" type="prismatic"><parent link="lower"/><child link="tip"/><origin xyz="1.2 0 0"/><axis xyz="1 0 0"/>
    <limit lower="0" upper="0.5" effort="1" velocity="1"/></joint>
</robot>"""


@pytest.fixture
def robot(tmp_path):
    (tmp_path / "planar.urdf").write_text(URDF)
    return sudar.Robot.load(tmp_path / "planar.urdf")


def scene():
    return {
        "post": (sudar.Cylinder(0.2, 1.0), ([1.5, 1.0, 0.0], [0, 0, 0, 1])),
        "wall": (sudar.Box([0.1, 2.0, 1.0]), ([-1.5, 0.0, 0.0], [0, 0, 0, 1])),
    }


def tip(q):
    a, b, s = np.moveaxis(q, -1, 0)
    reach = 1.2 + s
    return np.stack([np.cos(a) + reach * np.cos(a + b), np.sin(a) + reach * np.sin(a + b), 0 * a], axis=-1)


def test_kinematics_by_closed_form(robot):
    assert robot.joint_names == ["shoulder", "elbow", "slide"] and robot.dof == 3
    assert np.allclose(robot.limits, [[-3, 3], [-2.5, 2.5], [0, 0.5]])
    q = robot.sample(200, seed=3)
    assert robot.within_limits(q).all() and np.array_equal(q, robot.sample(200, seed=3))
    poses = robot.forward(q)
    assert poses.shape == (200, 4, 4, 4)
    assert np.abs(poses[:, robot.link_names.index("tip"), :3, 3] - tip(q)).max() < 1e-12
    shaped = robot.forward(q.reshape(10, 20, 3), threads=2)
    assert np.array_equal(shaped.reshape(200, 4, 4, 4), poses)


def test_checks_are_those_of_pairs(robot):
    cell = robot.cell(scene())
    q = robot.sample(400, seed=1)
    free, first = cell.check(q), cell.first_contact(q)
    near = cell.clearance(q, gradient=True)
    poses = robot.forward(q)
    names, bodies = cell.parts, {name: robot.body(name) for name in cell.parts}
    expected = np.full(400, np.inf)
    for name in names:
        at = poses[:, robot.link_names.index(name)]
        for body, pose in scene().values():
            expected = np.minimum(expected, sudar.distance(bodies[name], body, at, pose).upper)
    checked = [pair[:2] for pair in cell.self_pairs if pair[4]]
    assert ("upper", "tip") in checked and all(pair[2] for pair in cell.self_pairs)
    for a, b in checked:
        at = [poses[:, robot.link_names.index(name)] for name in (a, b)]
        expected = np.minimum(expected, sudar.distance(bodies[a], bodies[b], *at).upper)
    assert np.array_equal(free, expected > 0) and np.array_equal(first.contact, ~free)
    assert 50 < free.sum() < 390 and np.allclose(near.upper, expected, atol=1e-12) and (near.lower <= near.upper).all()
    i = int(np.flatnonzero(first.contact & first.other_is_object)[0])
    assert cell.name_of(first.other[i], True) in scene() and cell.parts[first.part[i]] in names
    # The gradient by differences, where the nearest pair stays the same.
    done = 0
    for k in np.flatnonzero(near.lower > 0.05)[:40]:
        for j in range(3):
            step = np.zeros(3)
            step[j] = 1e-6
            ends = cell.clearance(np.stack([q[k] - step, q[k] + step]))
            if len({*ends.part, near.part[k]}) == 1 and len({*ends.other, near.other[k]}) == 1:
                slope = (ends.upper[1] - ends.upper[0]) / 2e-6
                assert near.gradient[k, j] == pytest.approx(slope, abs=1e-4)
                done += 1
    assert done > 60 and np.array_equal(cell.gradient(q[:5]), near.gradient[:5])
    assert np.array_equal(robot.check(cell, q), free) and robot.check(scene(), q[0]) == free[0]
    frame = near[:3].to_pandas() if pytest.importorskip("pandas") else None
    assert "gradient_2" in frame and len(frame) == 3


def test_edges_by_close_samples(robot):
    cell = robot.cell(scene())
    q0, q1 = robot.sample(150, seed=5), robot.sample(150, seed=6)
    edges = cell.check_edges(q0, q1)
    times = np.linspace(0, 1, 201)
    states = cell.check((q0[:, None] + times[:, None] * (q1 - q0)[:, None]).reshape(-1, 3)).reshape(150, 201)
    assert 10 < edges.free.sum() < 140
    assert states[edges.free].all()
    for i in np.flatnonzero(edges.status == sudar.EdgeStatus.HIT):
        before = times < edges.t_lower[i]
        assert states[i][before].all()
        at = q0[i] + edges.t_upper[i] * (q1[i] - q0[i])
        assert not cell.check(at)
    # Only where the robot grazes something before is an interval wider.
    hit = edges.status == sudar.EdgeStatus.HIT
    widths = edges.t_upper[hit] - edges.t_lower[hit]
    assert (widths <= 1e-3).mean() > 0.9
    path = cell.check_path(q0[:5])
    assert path.shape == (4,) and np.array_equal(path.status, cell.check_edges(q0[:4], q0[1:5]).status)
    quick = cell.check_edges(q0, q1, locate=False)
    assert (quick.free == edges.free).mean() > 0.98 and not (quick.free & ~edges.free & (edges.status == 1)).any()
    star = cell.check_edges(q0[0], q1)
    assert star.shape == (150,) and star.status[3] == cell.check_edges(q0[0], q1[3]).status
    maps = cell.map_pairs(2000, threads=2)
    assert (maps.pairs, maps.boxes <= 2000) == (1, True) and 0.2 < maps.free <= 1.0
    assert pickle.loads(pickle.dumps(cell)).map_pairs(2000) == (1, 0, maps.free)
    mapped = cell.check_edges(q0, q1)
    assert np.array_equal(mapped.status, edges.status) and np.array_equal(mapped.t_upper, edges.t_upper)
    one = cell.check_edges(q0[0], q1[0])
    assert one.free == edges.free[0] and one.t_lower == edges.t_lower[0]
    for answer in (one, edges[0]):
        assert type(answer.status) is sudar.EdgeStatus and answer.status == edges.status[0]


def test_what_is_carried_padding_and_pairs(robot):
    q = [0.0, 0.0, 0.0]
    near = {"ball": (sudar.Sphere(0.1), ([2.2, 0.35, 0.0], [0, 0, 0, 1]))}
    assert robot.cell(near).check(q) and not robot.cell(near, padding=0.2).check(q)
    assert robot.cell(near, paddings={"upper": 0.2}).check(q) and not robot.cell(near, paddings={"tip": 0.2}).check(q)
    tool = sudar.Attached("tool", "tip", sudar.Box([0.05, 0.4, 0.05]))
    assert not robot.cell(near, attached=[tool]).check(q)
    assert robot.cell(near, attached=[tool], ignored=[("tool", "ball")]).check(q)
    assert not robot.cell().check([3.1, 0, 0]) and robot.cell(check_limits=False).check([3.1, 0, 0])
    assert robot.cell().clearance(q).upper > 0


def test_scanned_points_are_an_object(robot, tmp_path):
    random = np.random.default_rng(5)
    points = random.uniform([-2, -2, -0.2], [2, 2, 0.2], (300, 3))
    head = "ply\nformat ascii 1.0\nelement vertex 300\nproperty double x\nproperty double y\nproperty double z\nend_header\n"
    (tmp_path / "scan.ply").write_text(head + "\n".join(" ".join(map(repr, map(float, p))) for p in points))
    q = robot.sample(200, seed=5)
    # The ball at the tip by closed form, the rods by their boxes.
    poses = robot.forward(q)
    gap = np.linalg.norm(tip(q)[:, None] - points, axis=2).min(axis=1) - 0.1
    for link in ("upper", "lower"):
        pose = poses[:, robot.link_names.index(link)]
        local = np.einsum("nji,npj->npi", pose[:, :3, :3], points - pose[:, None, :3, 3]) - [0.5, 0, 0]
        over = np.abs(local) - [0.5, 0.05, 0.05]
        gap = np.minimum(gap, np.where((over <= 0).all(axis=2), 0, np.linalg.norm(np.maximum(over, 0), axis=2)).min(axis=1))
    alone = robot.cell().check(q)
    for padding in (0.0, 0.02):
        from_file, given = (
            robot.cell(scene, padding=padding) for scene in (tmp_path / "scan.ply", {"points": sudar.PointCloud(points)})
        )
        assert from_file.objects == ["points"]
        free = from_file.check(q)
        assert np.array_equal(free, alone & (gap > padding)) and np.array_equal(free, given.check(q))
        assert free.any() and not free[alone].all()
        beside = sudar.RobotCell(robot, {"points": sudar.PointCloud(points)}, padding=padding, ignored=[("upper", "tip")])
        nearest = beside.clearance(q[free])
        assert (nearest.lower <= gap[free] - padding + 1e-9).all()
        to_points = np.asarray(nearest.other_is_object)
        assert to_points.any() and np.allclose(nearest.upper[to_points], gap[free][to_points] - padding, atol=1e-9)
        # Edges: those that are free are so in all samples, and those that hit do not before the time that is named.
        ends = q[free]
        edges = from_file.check_edges(ends[:-1], ends[1:])
        times = np.linspace(0, 1, 101)
        samples = ends[:-1, None] + times[:, None] * (ends[1:] - ends[:-1])[:, None]
        states = from_file.check(samples)
        assert edges.free.any() and not edges.free.all() and states[edges.free].all()
        for row in np.flatnonzero(~edges.free):
            assert states[row][times < edges.t_lower[row]].all()
    with pytest.raises(ValueError, match="has no faces"):
        sudar.load(tmp_path / "scan.ply").compound()


def test_a_scene_with_something_lost_is_refused(robot):
    wall = sudar.Part("wall", sudar.Box([1, 1, 1]), np.eye(4))
    model = sudar.Model([wall], None, [], np.zeros((0, 3)), [("beam", "its body has no faces")])
    with pytest.raises(ValueError, match="'beam' cannot be read and would not be checked: its body has no faces; give a dict"):
        robot.cell(model)


def test_plans_are_free_timed_and_the_same_again(robot):
    cell = robot.cell(scene())
    start, goals = [-0.2, 0.0, 0.0], [[0.6, 0.0, 0.0], [1.4, 0.2, 0.1]]
    plan = cell.plan(start, goals, seed=3)
    assert plan.certified and plan.goal == 1 and plan.edges.shape == (len(plan.waypoints) - 1,)
    assert np.array_equal(plan.waypoints[0], start) and np.array_equal(plan.waypoints[-1], goals[1])
    ends = zip(plan.waypoints[:-1], plan.waypoints[1:], strict=True)
    states = np.concatenate([a + np.linspace(0, 1, 500)[:, None] * (b - a) for a, b in ends])
    assert cell.check(states).all() and cell.check_path(plan.waypoints).free.all()
    again = cell.plan(start, goals, seed=3, threads=1)
    assert np.array_equal(plan.waypoints, again.waypoints) and plan.statistics == again.statistics
    motion = plan.trajectory(np.linspace(0, plan.trajectory().duration, 1001), acceleration=3.0)
    assert motion.times[0] == 0 and motion.configuration.shape == (1001, 3)
    assert np.abs(motion.velocity).max() <= 1 + 1e-9 and np.abs(motion.acceleration).max() <= 3 + 1e-9
    slow = plan.trajectory(velocities={"shoulder": 0.01})
    assert slow.duration > 100 * abs(goals[1][0] - start[0])
    for bad, words in (((start, goals[0]), "in contact"), (([9, 0, 0], goals[1]), "outside the limits")):
        with pytest.raises(sudar.NoPlan, match=words):
            cell.plan(*bad)
    with pytest.raises(ValueError, match="range"):
        cell.plan(start, goals, range=-1)
    with pytest.raises(ValueError, match="wrist"):
        cell.plan(start, goals, joints=["wrist"])


def test_poses_are_reached_by_kinematics(robot):
    q = robot.sample(20, seed=8)
    for row, pose in zip(q, robot.forward(q)[:, robot.link_names.index("tip")], strict=True):
        found = robot.reach("tip", pose, start=row)
        assert np.abs(found[0] - row).max() < 1e-9
        assert np.abs(robot.forward(found)[:, robot.link_names.index("tip")] - pose).max() < 1e-5
    place = np.eye(4)
    place[:3, 3] = 1.0, 1.0, 0.0
    anywhere = robot.reach("tip", place, angle=4.0)
    assert len(anywhere) > 4 and np.abs(tip(anywhere) - place[:3, 3]).max() < 1e-5
    place[:3, 3] = 5.0, 0.0, 0.0
    assert robot.reach("tip", place).shape == (0, 3)
    with pytest.raises(ValueError, match="hand"):
        robot.reach("hand", place)


def test_what_is_wrong_is_said(robot, tmp_path):
    cell = robot.cell()
    for bad, words in (
        (lambda: cell.check([1, 2]), r"q: must have shape \(…, 3\)"),
        (lambda: cell.check([[0, 0, 0], [0, np.nan, 0]]), "1"),
        (lambda: cell.check_edges([[0, 0, 0]] * 2, [[0, 0, 0]] * 3), "same shape"),
        (lambda: robot.cell(attached=[sudar.Attached("x", "nowhere", sudar.Sphere(1))]), "nowhere"),
        (lambda: robot.cell(padding=-1), "padding"),
        (lambda: robot.body("nowhere"), "nowhere"),
    ):
        with pytest.raises(ValueError, match=words) as found:
            bad()
        assert "\n" not in str(found.value)
    with pytest.raises(OSError, match="none.urdf"):
        sudar.Robot.load(tmp_path / "none.urdf")
    (tmp_path / "bad.urdf").write_text("<robot>")
    with pytest.raises(ValueError, match="bad.urdf"):
        sudar.Robot.load(tmp_path / "bad.urdf")
    assert cell.check(np.empty((0, 3))).shape == (0,)


def test_robots_pickle(robot):
    again = pickle.loads(pickle.dumps(robot))
    q = robot.sample(5)
    assert np.array_equal(again.forward(q), robot.forward(q))
    tool = sudar.Attached("tool", "tip", sudar.Box([0.05, 0.4, 0.05]))
    cell = robot.cell(scene(), padding=0.01, attached=[tool], ignored=[("tool", "wall")], samples=200)
    q = robot.sample(300)
    assert np.array_equal(pickle.loads(pickle.dumps(cell)).check(q), cell.check(q))


@pytest.mark.skipif("SUDAR_DATA" not in os.environ, reason="SUDAR_DATA names no folder of models")
def test_a_real_arm():
    folder = Path(os.environ["SUDAR_DATA"]) / "robots" / "panda"
    robot = sudar.Robot.load(folder / "panda.urdf", srdf=folder / "panda.srdf", packages={"meshes": folder / "meshes"})
    cell = robot.cell({"floor": (sudar.Box([1, 1, 0.05]), ([0, 0, -0.2], [0, 0, 0, 1]))})
    q = robot.sample(500, seed=2)
    free = cell.check(q)
    assert 0 < free.sum() < 500 and np.array_equal(free, cell.check(q, threads=1))
    assert np.array_equal(cell.clearance(q[:50]).upper > 0, free[:50])


def test_reasons_and_limits(robot):
    cell = robot.cell(scene())
    q = robot.sample(400, seed=5)
    q[:50, 0] = 3.00005
    q[50:100, 1] = -2.6
    why = cell.explain(q)
    assert np.array_equal(why.free, cell.check(q))
    assert (why.reason[50:100] == sudar.Reason.OUTSIDE_LIMITS).all() and (why.joint[50:100] == 1).all()
    assert not (why.reason[:50] == sudar.Reason.OUTSIDE_LIMITS).any()
    hit = why.reason == sudar.Reason.CONTACT
    first = cell.first_contact(q)
    assert hit.any() and np.array_equal(why.part[hit], first.part[hit]) and np.array_equal(why.other[hit], first.other[hit])
    one = cell.explain([0.0, -2.6, 0.0])
    assert one.reason is sudar.Reason.OUTSIDE_LIMITS and one.joint == 1 and not one.free
    assert robot.within_limits([3.00005, 0, 0]) and not robot.within_limits([3.00005, 0, 0], 0.0)
    assert not robot.cell({}, limit_tolerance=0).check([3.00005, 0, 0])
    for bad in (np.nan, -1.0):
        with pytest.raises(ValueError, match="tolerance"):
            robot.within_limits([0, 0, 0], bad)
        with pytest.raises(ValueError, match="tolerance"):
            robot.cell({}, limit_tolerance=bad)
    with pytest.raises(ValueError, match="max"):
        cell.clearance(q, max=np.nan)


def test_numbers_that_are_none_are_refused():
    ball = sudar.Sphere(1.0)
    for ask in (
        lambda: sudar.within(ball, ball, np.nan),
        lambda: sudar.distance(ball, ball, abs=np.nan),
        lambda: sudar.distance(ball, ball, max=np.nan),
        lambda: sudar.ray(ball, [3, 0, 0], [-1, 0, 0], max=np.nan),
    ):
        with pytest.raises(ValueError, match="not NaN"):
            ask()


def test_objects_and_links_may_have_one_name(robot):
    named = {"upper": (sudar.Sphere(0.2), ([0.5, 0, 0], [0, 0, 0, 1]))}
    assert not robot.cell(named).check([0, 0, 0])
    with pytest.raises(ValueError, match="part:upper or object:upper"):
        robot.cell(named, ignored=[("upper", "lower")])
    assert robot.cell(named, ignored=[("part:upper", "object:upper")]).check([0, 0, 0])


def test_a_cell_changes_and_answers_as_one_made_anew(robot):
    rng = np.random.default_rng(7)
    q = robot.sample(300, seed=2)
    cell = robot.cell(scene(), samples=100)
    ball = sudar.Sphere(0.1)

    def same(objects, attached=(), ignored=()):
        fresh = robot.cell(objects, attached=attached, ignored=ignored, samples=100)
        fresh.base = cell.base
        assert cell.objects == fresh.objects and cell.parts == fresh.parts and cell.self_pairs == fresh.self_pairs
        for one in (cell, pickle.loads(pickle.dumps(cell))):
            a, b = one.explain(q), fresh.explain(q)
            assert all(np.array_equal(getattr(a, name), getattr(b, name)) for name in ("reason", "part", "other"))
        return a

    objects = scene()
    for i in range(5):
        at = (rng.uniform(-2, 2, 3) * [1, 1, 0.1], [0, 0, 0, 1])
        cell.add(f"ball {i}", ball, at)
        objects[f"ball {i}"] = (ball, at)
    same(objects)
    cell.remove("post")
    del objects["post"]
    cell.set_pose("wall", ([1.0, 0.5, 0.0], [0, 0, 0, 1]))
    objects["wall"] = (objects["wall"][0], ([1.0, 0.5, 0.0], [0, 0, 0, 1]))
    cell.allow("wall", "tip")
    same(objects, ignored=[("tip", "wall")])
    cell.forbid("tip", "wall")
    held = sudar.Attached("tool", "tip", ball, ([0.2, 0, 0], [0, 0, 0, 1]))
    cell.attach(held)
    same(objects, attached=[held])
    cell.base = ([0.3, 0.0, 0.0], [0, 0, 0.6, 0.8])
    same(objects, attached=[held])
    cell.detach("tool")
    # What is taken up is where it was, and where the link puts it down.
    start = [0.3, -0.4, 0.1]
    cell.take("ball 0", "tip", start)
    assert cell.parts[-1] == "ball 0" and "ball 0" not in cell.objects
    assert pickle.loads(pickle.dumps(cell)).parts == cell.parts
    cell.put("ball 0", start)
    put = pickle.loads(pickle.dumps(cell))._arguments["scene"]["ball 0"][1]
    assert np.abs(put[:3, 3] - objects["ball 0"][1][0]).max() < 1e-12
    for ask in (lambda: cell.remove("none"), lambda: cell.detach("tip"), lambda: cell.add("wall", ball)):
        with pytest.raises(ValueError, match="none|tip|wall"):
            ask()


def test_groups_and_jacobians(robot):
    q = robot.sample(50, seed=9)
    a, b, s = np.moveaxis(q, -1, 0)
    # The tip is at (cos a + r cos(a + b), sin a + r sin(a + b)) with r = 1.2 + s.
    reach = 1.2 + s
    found = robot.jacobian("tip", q)
    expected = np.zeros((50, 6, 3))
    expected[:, 0, 1], expected[:, 1, 1] = -reach * np.sin(a + b), reach * np.cos(a + b)
    expected[:, 0, 0], expected[:, 1, 0] = expected[:, 0, 1] - np.sin(a), expected[:, 1, 1] + np.cos(a)
    expected[:, 0, 2], expected[:, 1, 2] = np.cos(a + b), np.sin(a + b)
    expected[:, 5, :2] = 1
    assert found.shape == (50, 6, 3) and np.abs(found - expected).max() < 1e-12
    assert robot.chain("base", "lower") == ["shoulder", "elbow"]
    rest = [0.0, 0.0, 0.25]
    arm = robot.group(robot.chain("base", "lower"), rest)
    assert arm.joint_names == ["shoulder", "elbow"]
    whole = arm.whole(q[:, :2])
    assert np.array_equal(whole, np.c_[q[:, :2], np.full(50, 0.25)])
    assert np.abs(arm.forward(q[:, :2]) - robot.forward(whole)).max() < 1e-12
    assert np.array_equal(arm.cell(scene()).check(q[:, :2]), robot.cell(scene()).check(whole))
    again = pickle.loads(pickle.dumps(arm))
    assert again.joint_names == arm.joint_names and np.array_equal(again.forward(q[:, :2]), arm.forward(q[:, :2]))
    for ask in (lambda: robot.group(["none"], rest), lambda: robot.jacobian("none", q), lambda: robot.chain("tip", "base")):
        with pytest.raises(ValueError, match="none|base"):
            ask()


def test_octomaps_are_objects(robot, tmp_path):
    # The two cubes of 0.5 m at the origin, towards positive and towards negative x: two ways of 16 levels.
    def way(down):
        return [3 << 2 * down] * 14 + [2 << 2 * down]

    words = [3 << 12 | 3 << 14, *way(1), *way(0)]
    head = b"# Octomap OcTree binary file\nid OcTree\nsize 33\nres 0.5\ndata\n"
    (tmp_path / "map.bt").write_bytes(head + np.array(words, dtype="<u2").tobytes())
    found = sudar.octomap(tmp_path / "map.bt")
    assert np.array_equal(found.centers, [[-0.25, 0.25, 0.25], [0.25, 0.25, 0.25]])
    assert np.array_equal(found.widths, [0.5, 0.5]) and (found.resolution, found.free) == (0.5, 0)
    cell = robot.cell(tmp_path / "map.bt")
    assert cell.objects == ["octomap"]
    cubes = {str(i): (sudar.Box([0.5] * 3), (at, [0, 0, 0, 1])) for i, at in enumerate(found.centers)}
    q = robot.sample(300, seed=4)
    assert np.array_equal(cell.check(q), robot.cell(cubes).check(q))
    with pytest.raises(OSError, match="none.bt"):
        sudar.octomap(tmp_path / "none.bt")
    (tmp_path / "bad.ot").write_bytes(head)
    assert sudar.octomap(tmp_path / "bad.ot").body is None
    (tmp_path / "bad.ot").write_bytes(head + b"x")
    with pytest.raises(ValueError, match="bad.ot: byte"):
        sudar.octomap(tmp_path / "bad.ot")


def test_signed_distances_and_their_gradients(robot):
    cell = robot.cell(scene())
    q = robot.sample(60, seed=8)
    found = cell.signed_distances(q)
    assert found.gradient.shape == (len(found.row), 3) and (found.lower < 0).any()
    near = cell.clearance(q)
    least = np.full(60, np.inf)
    np.minimum.at(least, found.row, found.upper)
    assert np.abs(np.maximum(least, 0) - near.upper).max() < 1e-6
    step = 1e-6
    worse = 0
    for n in range(3):
        there = cell.signed_distances(q + step * np.eye(3)[n], gradient=False)
        back = cell.signed_distances(q - step * np.eye(3)[n], gradient=False)
        assert np.array_equal(there.row, found.row) and there.gradient is None
        slope = (there.upper - back.upper) / (2 * step)
        worse += (np.abs(slope - found.gradient[:, n]) > 1e-3).sum()
    # Where the nearest points jump there is no derivative.
    assert worse < 0.01 * found.gradient.size
    close = cell.signed_distances(q, max=0.1)
    assert len(close.row) == (found.lower <= 0.1).sum()
    with pytest.raises(ValueError, match="max"):
        cell.signed_distances(q, max=np.nan)


def test_spheres_cover_links(robot):
    found = robot.spheres(most=20)
    assert set(found) == {"upper", "lower", "tip"} and all(len(rows) <= 20 for rows in found.values())
    assert len(found["tip"]) == 1 and abs(found["tip"][0, 3] - 0.1) < 1e-8
    rod = np.random.default_rng(1).uniform([0, -0.05, -0.05], [1, 0.05, 0.05], (1000, 3))
    gaps = np.linalg.norm(rod[:, None] - found["upper"][:, :3], axis=-1) - found["upper"][:, 3]
    assert (gaps.min(axis=1) <= 0).all()
    with pytest.raises(ValueError, match="radius"):
        robot.spheres(radius=np.nan)


def test_robots_together_are_checked_with_each_other(robot):
    away = ([2.5, 0.0, 0.0], [0, 0, 1, 0])
    both = sudar.Robot.together({"left": robot, "right": (robot, away)})
    assert both.dof == 6 and both.joint_names[3] == "right/shoulder"
    # Stretched towards each other the arms meet, folded away they do not.
    cell = both.cell()
    assert list(cell.check([[0, 0, 0.2, 0, 0, 0.2], [1.5, 0, 0, 1.5, 0, 0]])) == [False, True]
    why = cell.explain([0, 0, 0.2, 0, 0, 0.2])
    assert {cell.name_of(why.part, False).split("/")[0], cell.name_of(why.other, False).split("/")[0]} == {"left", "right"}
    cell.set_base_of("right", ([10.0, 0.0, 0.0], [0, 0, 1, 0]))
    for one in (cell, pickle.loads(pickle.dumps(cell))):
        assert one.check([0, 0, 0.2, 0, 0, 0.2])
    with pytest.raises(ValueError, match="none"):
        cell.set_base_of("none", None)
    with pytest.raises(ValueError, match="several robots"):
        sudar.Robot.together({"x": both})


def test_robots_of_mjcf_are_together_with_others(robot, tmp_path):
    floor = '<geom type="plane" pos="0 0 -0.5"/>'
    hinge = '<joint name="turn" axis="0 1 0" range="-90 90"/>'
    rod = f'<body name="rod">{hinge}<geom type="capsule" fromto="0 0 0 1 0 0" size="0.05"/></body>'
    (tmp_path / "rod.xml").write_text(f"<mujoco><worldbody>{floor}{rod}</worldbody></mujoco>")
    one = sudar.Robot.load(tmp_path / "rod.xml")
    both = sudar.Robot.together({"rod": one, "arm": (robot, ([0.0, 5.0, 0.0], [0, 0, 0, 1]))})
    assert both.joint_names == ["rod/turn", "arm/shoulder", "arm/elbow", "arm/slide"]
    cell = both.cell()
    # The rod swings down to its own floor, the arm turns to the rod.
    assert list(cell.check([[0, 0, 0, 0], [1, 0, 0, 0]])) == [True, False]
    cell.set_base_of("arm", ([2.5, 0.0, 0.0], [0, 0, 1, 0]))
    why = cell.explain([0, 0, 0, 0])
    assert not why.other_is_object and "rod/rod" in {cell.name_of(i, False) for i in (why.part, why.other)}


def test_groups_of_an_srdf(tmp_path):
    (tmp_path / "planar.urdf").write_text(URDF)
    chain = '<group name="arm"><chain base_link="base" tip_link="lower"/></group>'
    (tmp_path / "planar.srdf").write_text(f'<robot name="x">{chain}</robot>')
    robot = sudar.Robot.load(tmp_path / "planar.urdf", srdf=tmp_path / "planar.srdf")
    assert robot.groups == {"arm": ["shoulder", "elbow"]}
    assert robot.group(robot.groups["arm"], [0, 0, 0]).dof == 2


def test_robots_pickle_without_their_files(tmp_path):
    (tmp_path / "planar.urdf").write_text(URDF)
    robot = sudar.Robot.load(tmp_path / "planar.urdf")
    stored = pickle.dumps(robot.cell(scene()))
    (tmp_path / "planar.urdf").unlink()
    q = robot.sample(200, seed=8)
    again = pickle.loads(stored)
    assert np.array_equal(again.check(q), robot.cell(scene()).check(q))
    assert again.robot.name == robot.name and np.array_equal(again.robot.limits, robot.limits)
    group = pickle.loads(pickle.dumps(robot.group(["elbow"], [0.1, 0.0, 0.2])))
    assert np.array_equal(group.whole([[0.5]]), [[0.1, 0.5, 0.2]])


def _in_a_process(cell):
    return cell.check(cell.robot.sample(100, seed=2))


def test_cells_that_changed_go_to_other_processes(robot):
    cell = robot.cell(scene())
    cell.remove("wall")
    cell.add("ball", sudar.Sphere(0.3), ([0.0, -1.2, 0.0], [0, 0, 0, 1]))
    cell.attach(sudar.Attached("tool", "tip", sudar.Box([0.2, 0.2, 0.2])))
    cell.allow("lower", "post")
    cell.base = ([0.1, 0.2, 0.0], [0, 0, 0, 1])
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
        for found in pool.map(_in_a_process, [cell, cell]):
            assert np.array_equal(found, _in_a_process(cell))


def certified(robot):
    cell = robot.cell(scene())
    q = robot.sample(100, seed=5)
    free = q[cell.check(q)]
    blocked = ~cell.check_edges(free[0], free[1:], locate=False).free
    plan = cell.plan(free[0], free[1:][blocked][0])
    assert plan.certified and len(plan.waypoints) > 2
    return cell, plan


def test_certificates_hold_by_both_checkers(robot):
    cell, plan = certified(robot)
    text = plan.certificate()
    mine, other = sudar.verify(text), cell.verify(text)
    assert (mine.edges, mine.pairs, mine.leaves) == (other.edges, other.pairs, other.leaves)
    assert mine.left_out == other.left_out and np.array_equal(mine.waypoints, plan.waypoints)
    assert mine.edges == len(plan.edges) and mine.leaves >= mine.edges * mine.pairs
    with pytest.raises(sudar.NotVerified, match="of another cell"):
        robot.cell().verify(text)
    with pytest.raises(ValueError, match="no certificate was found"):
        cell.certificate([plan.waypoints[0], [0.55, 0.1, 0.2]])


def test_forged_certificates_are_refused_by_both_checkers(robot):
    cell, plan = certified(robot)
    document = json.loads(plan.certificate())
    random = np.random.default_rng(5)
    refused = differs = 0
    for _ in range(600):
        forged = copy.deepcopy(document)
        edge = forged["edges"][random.integers(len(forged["edges"]))]
        proof = edge[random.integers(len(edge))]
        match random.integers(8):
            case 7:
                proof["tree"], proof["directions"] = str(random.choice(["", "x", "a", "b", "aa", "tx"])), []
            case 0:
                at = random.integers(len(proof["tree"]))
                proof["tree"] = proof["tree"][:at] + str(random.choice(list("tab.x"))) + proof["tree"][at + 1 :]
            case 1:
                proof["directions"].pop(random.integers(len(proof["directions"])))
            case 2:
                edge.remove(proof)
            case 3:
                proof["directions"][0][random.integers(3)] += random.normal()
            case 4:
                forged["waypoints"][random.integers(len(forged["waypoints"]))][random.integers(3)] += random.normal()
            case 5:
                forged["content"]["bodies"][-1]["pose"][9 + random.integers(2)] += random.normal()
            case _:
                forged["content"]["owners"][0]["padding"] = float(random.uniform(0, 1))
        text = json.dumps(forged)
        holds = []
        for check in (sudar.verify, _core.check_certificate):
            try:
                check(text)
                holds.append(True)
            except ValueError:
                holds.append(False)
        refused += not holds[0]
        differs += holds[0] != holds[1]
    # They bound alike, but round in their own ways.
    assert refused > 300 and differs == 0


def test_a_certificate_is_checked_by_a_program_of_one_file(robot, tmp_path):
    _, plan = certified(robot)
    (tmp_path / "path.json").write_text(plan.certificate())
    (tmp_path / "forged.json").write_text(plan.certificate().replace('"tree":"t', '"tree":"', 1))
    program = Path(sudar.__file__).with_name("_verify.py")
    run = [subprocess.run([sys.executable, "-I", program, tmp_path / file], capture_output=True, text=True)
           for file in ("path.json", "forged.json")]
    assert [one.returncode for one in run] == [0, 1] and [one.stderr for one in run] == ["", ""]
    assert "free on" in run[0].stdout and ": edge " in run[1].stdout
