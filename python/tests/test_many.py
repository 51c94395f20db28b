"""Managers, worlds and clash checks."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import sudar
from conftest import ball_mesh, poses, tetrahedron


def filled(random, count=40, **options):
    manager = sudar.CollisionManager(**options)
    bodies = [sudar.Sphere(0.5), sudar.Box([0.4, 0.5, 0.6]), ball_mesh(6), sudar.Capsule(0.3, 0.5)]
    for i, pose in enumerate(poses(random, (count,), 2.5)):
        manager.add(f"o{i}", bodies[i % 4], pose)
    return manager


def brute(manager):
    names = manager.names
    return [
        (a, b)
        for i, a in enumerate(names)
        for b in names[i + 1 :]
        if sudar.intersects(manager.body(a), manager.body(b), manager.pose(a), manager.pose(b))
    ]


def test_pairs_by_brute_force(random):
    manager = filled(random)
    expected = brute(manager)
    assert 5 < len(expected) < 300
    assert manager.touching_pairs() == expected and manager.any() in expected
    assert sorted(manager.collisions().pairs) == sorted(expected)
    assert manager.touching_pairs("o3") == [pair for pair in expected if "o3" in pair]
    for name in sudar.broad_phases():
        same = filled(np.random.default_rng(7), broad_phase=name)
        assert same.touching_pairs() == expected, name


def test_distances_by_brute_force(random):
    manager = filled(random, 20)
    names, gaps = manager.names, {}
    for i, a in enumerate(names):
        for b in names[i + 1 :]:
            gaps[a, b] = sudar.distance(manager.body(a), manager.body(b), manager.pose(a), manager.pose(b)).upper
    near = manager.within(0.5)
    assert near.pairs == [pair for pair, gap in gaps.items() if gap <= 0.5]
    pair, gap = manager.nearest()
    assert gap.upper == pytest.approx(min(gaps.values()), abs=1e-9)
    probe, at = tetrahedron(), poses(random)
    own = {n: sudar.distance(probe, manager.body(n), at, manager.pose(n)).upper for n in names}
    name, gap = manager.nearest_to(probe, at)
    assert gap.upper == pytest.approx(min(own.values()), abs=1e-9)
    assert manager.touching(probe, at) == [n for n in names if own[n] == 0.0]
    listed, gaps = manager.near(probe, 1.0, at)
    assert listed == [n for n in names if own[n] <= 1.0] and len(gaps) == len(listed)
    hit = manager.ray([-9, 0.1, 0.2], [1, 0, 0])
    times = {n: sudar.ray(manager.body(n), [-9, 0.1, 0.2], [1, 0, 0], manager.pose(n)).t for n in names}
    assert (hit is None) == (min(times.values()) == np.inf)
    if hit:
        assert hit[1].t == pytest.approx(min(times.values()))


def test_events_groups_filters_and_pickles(random):
    scene = sudar.CollisionManager(clearance=0.1)
    scene.add("table", sudar.Box([1, 1, 0.1]), static=True)
    scene.add_group("arm", {"upper": sudar.Capsule(0.1, 0.4), "lower": (sudar.Capsule(0.1, 0.4), ([0, 0, 1.4], [0, 0, 0, 1]))}, [("upper", "lower")])
    scene.add("cup", sudar.Cylinder(0.1, 0.1), ([3, 0, 0], [0, 0, 0, 1]))
    assert scene.step().began == [("table", "upper")]
    scene.set_pose("cup", ([0, 0, 0.25], [0, 0, 0, 1]))
    events = scene.step()
    assert ("table", "cup") in events.began and events.stayed == [("table", "upper")]
    scene.ignore("table", "cup")
    scene.set_filter("upper", 2, 0)
    again = pickle.loads(pickle.dumps(scene))
    for one in (scene, again):
        assert one.touching_pairs() == [] and one.clearance == 0.1
        one.unignore("table", "cup")
        assert one.touching_pairs("arm") == []
        assert one.touching_pairs() == [("table", "cup")]
    scene.set_poses(["cup", "upper"], ([[9, 9, 9], [8, 8, 8]], [[0, 0, 0, 1]] * 2))
    assert scene.step().ended and np.allclose(scene.pose("upper")[:3, 3], 8)
    assert scene.ignore_touching() == []
    hit = scene.sweep(sudar.Sphere(0.1), ([0, 0, 5], [0, 0, 0, 1]), ([0, 0, -5], [0, 0, 0, 1]))
    assert hit[0] == "lower" or hit[0] == "table"
    scene.remove("cup")
    assert "cup" not in scene and len(scene) == 3
    for bad in (lambda: scene.pose("cup"), lambda: scene.remove("cup"), lambda: scene.touching_pairs("cup")):
        with pytest.raises(KeyError, match="cup"):
            bad()
    with pytest.raises(ValueError, match="already"):
        scene.add("table", sudar.Sphere(1))
    with pytest.raises(ValueError, match="clearance|finite|0"):
        sudar.CollisionManager(clearance=-1)
    with pytest.raises(ValueError, match="pose"):
        scene.set_pose("table", np.ones((4, 4)))


def test_a_removed_object_ends_its_contacts_under_its_name():
    ball, far = sudar.Sphere(1), ([9, 0, 0], [0, 0, 0, 1])
    scene = sudar.CollisionManager()
    for name in "abc":
        scene.add(name, ball)
    assert scene.step().began == [("a", "b"), ("a", "c"), ("b", "c")]
    scene.remove("b")
    events = scene.step()
    assert (events.began, events.stayed, events.ended) == ([], [("a", "c")], [("a", "b"), ("b", "c")])
    assert scene.step().ended == []
    # Another object gets the place of one that was removed, and a name that was free.
    scene.remove("a")
    scene.add("a", ball)
    events = scene.step()
    assert (events.began, events.stayed, events.ended) == ([("c", "a")], [], [("a", "c")])
    scene.remove("a")
    scene.add("d", ball, far)
    scene.add("e", ball)
    assert scene.names == ["c", "d", "e"]
    events = scene.step()
    assert (events.began, events.ended) == ([("c", "e")], [("c", "a")])
    # Added and removed between two steps.
    scene.add("f", ball)
    scene.remove("f")
    assert scene.step().stayed == [("c", "e")]


def test_a_removed_group_ends_its_contacts():
    ball = sudar.Sphere(1)
    scene = sudar.CollisionManager()
    scene.add("table", ball)
    scene.add_group("arm", {"upper": ball, "lower": ball}, [("upper", "lower")])
    assert scene.step().began == [("table", "upper"), ("table", "lower")]
    scene.remove_group("arm")
    with pytest.raises(KeyError, match="arm"):
        scene.touching_pairs(("arm", "arm"))
    scene.add_group("arm", {"lower": ball})
    events = scene.step()
    assert (events.began, events.ended) == ([("table", "lower")], [("table", "upper"), ("table", "lower")])
    assert scene.touching_pairs("arm") == [("table", "lower")]
    scene.remove("lower")
    scene.remove_group("arm")
    scene.add("other", ball)
    scene.step()
    scene.clear()
    assert len(scene) == 0 and scene.step().ended == [("table", "other")]
    scene.add("table", ball)
    assert scene.step() == sudar.Events([], [], [], [])


def test_pairs_of_objects_in_used_places_are_named_as_they_were_added(random):
    manager = filled(random)
    manager.step()
    for i in range(0, 40, 3):
        manager.remove(f"o{i}")
        manager.step()
    for i, pose in enumerate(poses(random, (14,), 2.5)):
        manager.add(f"n{i}", sudar.Sphere(0.7), pose)
    expected = brute(manager)
    assert len(expected) > 20 and manager.touching_pairs() == expected
    found = manager.collisions()
    assert found.pairs == expected
    for i, (a, b) in enumerate(found.pairs):
        points = slice(found.starts[i], found.starts[i + 1])
        for name, at in ((a, found.point_a[points]), (b, found.point_b[points])):
            gap = sudar.distance(sudar.Point([0, 0, 0]), manager.body(name), (at, [0, 0, 0, 1]), manager.pose(name))
            assert gap.upper == pytest.approx(0, abs=1e-9)
        along = ((found.point_a - found.point_b) * found.normal)[points].sum(axis=1)
        assert along == pytest.approx(found.depth[points], abs=1e-9)


def test_a_copy_of_a_manager_goes_on_with_the_same_names_and_events():
    ball, far = sudar.Sphere(1), ([9, 0, 0], [0, 0, 0, 1])
    scene = sudar.CollisionManager()
    scene.add("z", ball)
    scene.add_group("G", {"x": ball, "v": ball, "w": (ball, far)}, [("x", "v")])
    scene.add("y", ball, static=True, margin=0.25)
    scene.add_group("empty", {})
    scene.step()
    scene.remove("v")
    scene.remove("y")
    scene.add("y", ball)
    copies = (copy.copy(scene), copy.deepcopy(scene), pickle.loads(pickle.dumps(scene)))
    expected = scene.step()
    assert expected.stayed == [("z", "x")] and expected.began == [("z", "y"), ("x", "y")]
    assert expected.ended == [("z", "v"), ("z", "y"), ("x", "y"), ("v", "y")]
    for again in copies:
        assert again.names == scene.names == ["z", "x", "w", "y"]
        assert again.step() == expected and again.touching_pairs() == scene.touching_pairs()
        assert again.collisions().pairs == scene.collisions().pairs and again.touching_pairs("empty") == []
        assert again.touching_pairs("G") == scene.touching_pairs("G")
        again.set_filter("z", 0, 0)
        again.remove("x")
        assert again.step().ended == [("z", "x"), ("z", "y"), ("x", "y")]
    assert scene.step().stayed == [("z", "x"), ("z", "y"), ("x", "y")]


def test_searches_find_all_filters_leave_out_names_and_list_rays_in_their_order():
    ball, long = sudar.Sphere(0.5), sudar.Box([99, 0.1, 0.1])
    scene, world = sudar.CollisionManager(), sudar.World(gravity=[0, 0, 0])
    filters = {"far": (8, 1, 0xFFFFFFFF), "none": (4, 0, 0), "debris": (2, 0, 2), "odd": (6, 2, 4)}
    for name, (x, category, mask) in filters.items():
        scene.add(name, ball, ([x, 0, 0], [0, 0, 0, 1]), category=category, mask=mask)
        world.add(name, ball, position=[x, 0, 0], category=category, mask=mask)
    way = ([0, 0, 0], [0, 0, 0, 1]), ([99, 0, 0], [0, 0, 0, 1])
    for one in (scene, world):
        names, hits = one.ray_all([0, 0, 0], [1, 0, 0])
        assert names == ["debris", "odd", "far"] and hits.t.tolist() == [1.5, 5.5, 7.5] and hits.hit.all()
        assert one.ray_all([0, 0, 0], [1, 0, 0], max=2, without=["debris"])[0] == []
        assert one.ray_all([0, 0, 0], [1, 0, 0], without=["odd"])[0] == ["debris", "far"]
        assert one.ray_all([0, 0, 0], [1, 0, 0], category=4, mask=2)[0] == ["odd"]
        assert one.touching(long) == ["far", "debris", "odd"]
        assert one.touching(long, without=["far", "odd"]) == ["debris"]
        assert one.sweep(sudar.Sphere(0.1), *way)[0] == "debris"
        assert one.sweep(sudar.Sphere(0.1), *way, without=["debris"])[0] == "odd"
        assert one.sweep(sudar.Sphere(0.1), *way, without=["debris", "odd", "far"]) is None
        with pytest.raises(KeyError, match="nobody"):
            one.touching(long, without=["nobody"])
        with pytest.raises(TypeError, match="without"):
            one.touching(long, without="far")
    assert scene.ray([0, 0, 0], [1, 0, 0], without=["debris"])[0] == "odd"
    assert scene.near(ball, 2.0, without=["debris"])[0] == [] and scene.near(ball, 2.0)[0] == ["debris"]
    assert scene.nearest_to(ball, without=["debris"])[0] == "odd"


def test_what_rounding_leaves_open_is_said_or_counted():
    scene = sudar.CollisionManager()
    scene.add("table", sudar.Box([1, 1, 0.1]))
    # 0.15 − 0.05 is not 0.1 in binary: the cup touches, or does not, within rounding.
    scene.add("cup", sudar.Cylinder(0.04, 0.05), ([0, 0, 0.15], [0, 0, 0, 1]))
    pair, cup, at = ("table", "cup"), scene.body("cup"), scene.pose("cup")
    assert scene.step().undecided == [pair] and scene.collisions().undecided == [pair]
    scene.remove("cup")
    for search in (lambda **o: scene.touching(cup, at, **o), lambda **o: scene.near(cup, 0.0, at, **o)[0]):
        with pytest.raises(ValueError, match="undecided=True or False"):
            search()
        assert search(undecided=False) == []
    assert scene.touching(cup, at, undecided=True) == ["table"]
    scene.add("cup", cup, at)
    for search in (scene.touching_pairs, scene.any):
        with pytest.raises(ValueError, match="undecided=True or False"):
            search()
    assert scene.touching_pairs(undecided=True) == [pair] and scene.touching_pairs(undecided=False) == []
    assert scene.any(undecided=True) == pair and scene.any(undecided=False) is None


def test_a_world_falls_and_rests():
    world = sudar.World()
    world.add("floor", sudar.Halfspace([0, 0, 1]), kind="static")
    world.add("ball", sudar.Sphere(0.5), position=[0, 0, 3], restitution=0.0)
    first = world.energy
    touches = world.step(1 / 60, steps=60)
    assert touches.pairs == [("floor", "ball")] and world.pose("ball")[2, 3] == pytest.approx(0.5, abs=1e-2)
    # A tonne a cubic metre for a sixtieth of a second.
    weight = 1000 * 4 / 3 * np.pi * 0.5**3 * 9.81 / 60
    assert touches.impulse[0] == pytest.approx(weight, rel=1e-2)
    assert world.energy[0] < 1e-3 < first[1] and world.time == pytest.approx(1.0)
    world.apply_impulse("ball", [100, 0, 0], world.pose("ball")[:3, 3])
    assert world.velocities[0][1, 0] > 0.1
    # Free fall: half a g t² within a step.
    fall = sudar.World(gravity=[0, 0, -10])
    fall.add("stone", sudar.Box([0.1, 0.1, 0.1]), rotation=[0, 0, 0, 1])
    fall.step(1e-3, steps=1000)
    assert fall.pose("stone")[2, 3] == pytest.approx(-5.0, rel=2e-3)
    scene = sudar.World.load("stack")
    for one in (world, scene):
        one.step(steps=30)
        again = pickle.loads(pickle.dumps(one))
        one.step(steps=30)
        again.step(steps=30)
        assert np.array_equal(one.poses, again.poses) and one.time == again.time
    assert len(scene) == len(scene.names) == len(scene.poses) and scene.usual_step > 0
    for bad in (
        lambda: world.add("x", sudar.Sphere(1), kind="odd"),
        lambda: world.add("x", sudar.Sphere(1), colour=1),
        lambda: world.add("ball", sudar.Sphere(1)),
        lambda: sudar.World(response="odd"),
        lambda: world.step(-1.0),
        lambda: sudar.World.load("no-such-scene"),
    ):
        with pytest.raises(ValueError):
            bad()


def test_clashes_of_bodies_and_of_files(tmp_path):
    cube = [[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)]
    faces = sudar.hull(cube).faces
    box = sudar.Mesh(sudar.hull(cube).vertices, faces, solid=True)
    table = sudar.clash({"one": box, "two": (box, ([0.9, 0, 0], [0, 0, 0, 1])), "far": (box, ([2.05, 0, 0], [0, 0, 0, 1]))}, clearance=0.2)
    assert list(table) == [("one", "two", "overlap"), ("two", "far", "clearance")] or len(table) == 2
    assert table.depth[0] == pytest.approx(0.1) and table.distance[1] == pytest.approx(0.15)
    assert len(sudar.clash({"one": box, "far": (box, ([2.05, 0, 0], [0, 0, 0, 1]))})) == 0
    # Bodies have no clearance of their own: 0.02 apart is no clash.
    assert len(sudar.clash({"one": box, "near": (box, ([1.02, 0, 0], [0, 0, 0, 1]))})) == 0
    if pytest.importorskip("pandas"):
        assert list(table.to_pandas()["name_a"]) == ["one", "two"]
    obj = tmp_path / "parts.obj"
    lines, count = [], 0
    for name, x in (("one", 0.0), ("two", 0.9), ("far", 2.05)):
        lines += [f"o {name}"] + [f"v {a + x} {b} {c}" for a, b, c in box.vertices]
        lines += [f"f {a + 1 + count} {b + 1 + count} {c + 1 + count}" for a, b, c in box.faces]
        count += len(box.vertices)
    obj.write_text("\n".join(lines) + "\n")
    files = sudar.clash(obj, clearance=0.2)
    assert list(files) == list(table) and np.allclose(files.depth, table.depth, equal_nan=True)
    assert [part["name"] for part in files.document["parts"]] == ["one", "two", "far"] and files.document["schema"] == 2
    some = sudar.clash(obj, "200mm", units="m", kinds=["clearance"], a="far", sets={"far": ["fa?"]}, group="sets")
    assert [row[:2] for row in some] == [("two", "far")] and some.document["unit"] == "m"
    rules = tmp_path / "rules.toml"
    rules.write_text('[[ignore]]\na = "one"\nb = "two"\n')
    assert [row[:2] for row in sudar.clash(obj, 0.2, rules)] == [("two", "far")]
    page = tmp_path / "report.html"
    sudar.clash(str(obj), html=page)
    assert page.stat().st_size > 10_000
    with pytest.raises(ValueError, match="nowhere"):
        sudar.clash(tmp_path / "nowhere.obj")
    for wrong, why in (({"group": "colour"}, "group: 'colour'"), ({"a": "x"}, "a 'x' matches no part"), ({"touch": "1 ell"}, "touch: "), ({"kinds": ["soft"]}, "kinds: 'soft'"), ({"units": "ell"}, "units: 'ell'"), ({"scale": -1}, "scale: ")):
        with pytest.raises(ValueError, match=why):
            sudar.clash(obj, **wrong)
    with pytest.raises(TypeError):
        sudar.clash(obj, options=["--nonsense"])
    with pytest.raises(ValueError, match="mesh|ball|sphere|triangles"):
        sudar.clash({"a": sudar.Sphere(1), "b": box})


def test_joints_hold_and_are_pickled():
    world = sudar.World()
    for name, x in (("first", 0.5), ("second", 1.5)):
        world.add(name, sudar.Box([0.5, 0.05, 0.05]), position=[x, 0, 0], mask=0)
    top = world.join("ball", b="first", point=[0, 0, 0])
    elbow = world.join("hinge", a="first", b="second", point=[1, 0, 0], axis=[0, 1, 0], limits=[-0.5, 0.5])
    assert world.joints == [top, elbow]
    energy = sum(world.energy[:2])
    world.step(1 / 240, steps=240)
    found = world.joint(elbow)
    assert found.gap < 1e-8 and found.twist < 1e-8 and -0.5 - 1e-6 < found.coordinates[3] < 0.5 + 1e-6
    assert found.points[0] == pytest.approx(found.points[1], abs=1e-8) and sum(world.energy[:2]) < energy + 1.0
    again = pickle.loads(pickle.dumps(world))
    for one in (world, again):
        one.set_joint(elbow, limits=(-0.1, 0.1), friction=2.0)
        one.step(1 / 240, steps=100)
    assert np.array_equal(world.poses, again.poses) and again.joints == [top, elbow]
    world.unjoin(top)
    for bad in (
        lambda: world.unjoin(top),
        lambda: world.join("odd", b="first", point=[0, 0, 0]),
        lambda: world.join("ball", b="nobody", point=[0, 0, 0]),
        lambda: world.join("ball", b="first", point=[0, 0]),
        lambda: world.join("ball", b="first", point=[0, 0, 0], colour=1),
        lambda: sudar.World(response="impulse").join("ball", b="first", point=[0, 0, 0]),
        lambda: world.set_joint(elbow, limits=(1.0, 0.0)),
    ):
        with pytest.raises(ValueError):
            bad()
