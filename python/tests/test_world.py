"""Worlds: recordings, fields and soft contacts."""

import json

import numpy as np
import pytest

import sudar


def recorded(response="solver"):
    world = sudar.World(response=response)
    world.add("floor", sudar.Halfspace([0, 0, 1]), kind="static")
    world.add("ball", sudar.Sphere(0.5), position=[0, 0, 3])
    world.record()
    world.step(1 / 60, steps=30)
    world.apply_impulse("ball", [400, 0, 0], [0, 0, 3])
    world.step(1 / 60, steps=60)
    return world, world.stop_recording()


def test_a_recording_goes_to_a_file_and_back(tmp_path):
    world, log = recorded()
    log.save(tmp_path / "run.sudar")
    read = sudar.Recording.load(tmp_path / "run.sudar")
    seen = []
    assert len(read) == 90 and read.replay(lambda *shown: seen.append(shown)) is None
    frame, names, poses = seen[-1]
    assert (frame, names) == (89, ["floor", "ball"])
    assert np.array_equal(poses[1], world.pose("ball"))
    with pytest.raises(ValueError, match="record"):
        world.stop_recording()


def test_a_difference_is_named(tmp_path):
    _, log = recorded("impulse")
    log.save(tmp_path / "run.sudar")
    document = json.loads((tmp_path / "run.sudar").read_text())
    document["frames"][30]["inputs"][0]["impulse"][1][0] = 401.0
    (tmp_path / "run.sudar").write_text(json.dumps(document))
    found = sudar.Recording.load(tmp_path / "run.sudar").replay()
    assert (found.step, found.body) == (31, "ball") and "ball" in found.what
    (tmp_path / "run.sudar").write_text("{}")
    with pytest.raises(ValueError, match="recording"):
        sudar.Recording.load(tmp_path / "run.sudar")


def test_an_error_of_what_is_shown_ends_a_replay():
    _, log = recorded()
    with pytest.raises(ZeroDivisionError):
        log.replay(lambda *_: 1 / 0)


def test_fields_and_soft_contacts():
    world = sudar.World(gravity=(0, 0, 0))
    world.add("wind", sudar.Box([9, 9, 9]), kind="static", sensor=True, field={"acceleration": [3, 0, 0], "drag": 1})
    world.add("ball", sudar.Sphere(0.5))
    world.step(1 / 60, steps=61)
    # The speed a/c·(1 − e^(−c·t)) after one second in it.
    assert abs(world.velocities[0][1, 0] - 3 * (1 - np.exp(-1))) < 1e-9
    bed = sudar.World()
    bed.add("bed", sudar.Halfspace([0, 0, 1]), kind="static", contact_softness={"hertz": 3, "damping_ratio": 0.7})
    bed.add("ball", sudar.Sphere(0.5), position=[0, 0, 0.6])
    bed.step(1 / 60, steps=600)
    assert abs(bed.pose("ball")[2, 3] - (0.5 - 9.81 / (6 * np.pi) ** 2)) < 1e-3
    for wrong in ({"hertz": 1, "stiffness": 1}, {"stiff": 1}, {}):
        with pytest.raises(ValueError, match="contact_softness"):
            bed.add("wrong", sudar.Sphere(1), contact_softness=wrong)
    with pytest.raises(ValueError, match="sensor"):
        bed.add("wrong", sudar.Sphere(1), field={"drag": 1})


def test_scenes_have_paths_and_characters(tmp_path):
    (tmp_path / "scene.toml").write_text(
        "[[body]]\nname = 'floor'\nkind = 'static'\nshape = { halfspace = [0, 0, 1, 0] }\n"
        "[[character]]\nname = 'hero'\nshape = { capsule = [0.3, 0.5] }\nposition = [0, 0, 0.81]\n"
        "walk = [{ velocity = [2, 0, 0] }]\n"
    )
    world = sudar.World.load(tmp_path / "scene.toml")
    world.step(steps=60)
    assert abs(world.pose("hero")[0, 3] - 2) < 0.02


def test_characters_walk_jump_push_and_are_run_into():
    world = sudar.World()
    world.add("floor", sudar.Halfspace([0, 0, 1]), kind="static")
    world.add("wall", sudar.Box([0.2, 5, 2]), kind="static", position=[3, 0, 0])
    world.add("hero", sudar.Capsule(0.3, 0.5), kind="kinematic", position=[0, 0, 0.81])
    hero = sudar.Character(sudar.Capsule(0.3, 0.5), [0, 0, 0.81])
    hero.go_with(world, "hero")
    for _ in range(120):
        walk = hero.walk(world, [2, 0, 0], 1 / 60)
        world.step(1 / 60)
        assert walk.gap > 0 and not walk.is_crushed
    name, _, normal = walk.obstacles[0]
    assert name == "wall" and np.allclose(normal, [-1, 0, 0], atol=1e-6)
    assert abs(hero.position[0] - 2.49) < 1e-3 and np.allclose(world.pose("hero")[:3, 3], hero.position)
    hero.jump(3)
    hero.walk(world, [0, 0, 0], 1 / 60)
    assert not hero.is_grounded and hero.rising > 2
    hero.position = [0, 0, 5]
    assert hero.position[2] == 5
    with pytest.raises(ValueError, match="slope"):
        sudar.Character(sudar.Sphere(1), max_slope=-1).walk(world, [0, 0, 0], 1 / 60)


def test_groups_by_name_and_rules():
    world = sudar.World()
    world.add("floor", sudar.Halfspace([0, 0, 1]), kind="static", group="ground")
    world.add("ghost", sudar.Sphere(0.5), position=[0, 0, 1], group="ghost", mask=["ghost"])
    world.add("ball", sudar.Sphere(0.5), position=[0, 0, 1], group="ball", mask=["ground", "ball"], friction_rule="min")
    world.step(1 / 60, steps=120)
    assert world.pose("ghost")[2, 3] < -5 and abs(world.pose("ball")[2, 3] - 0.5) < 0.01
    with pytest.raises(ValueError, match="geometric_mean"):
        world.add("x", sudar.Sphere(1), friction_rule="least")
    with pytest.raises(ValueError, match="32"):
        world.add("x", sudar.Sphere(1), group=[str(i) for i in range(40)])
