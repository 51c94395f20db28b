#!/usr/bin/env python3
"""Compares the kinematics and the checks of `sudar robot` with other libraries on robots and planning problems.

    pip install pin yourdfpy coal pybullet
    cargo build --release -p sudar-cli
    bench/robots.py kinematics                  link positions beside pinocchio and yourdfpy, and the table of the tests
    bench/robots.py speed [--problems 10] [--configs 2000]

Reads the robots and problems of the folder in SUDAR_DATA. `kinematics` writes crates/sudar-robot/tests/kinematics.txt, which
a test reads: joint values of our own and the poses that pinocchio gives. `speed` prints the table of bench/results.
"""

import argparse
import gzip
import json
import os
import pathlib
import subprocess
import tempfile
import time
import xml.etree.ElementTree as ElementTree

import numpy

ROOT = pathlib.Path(__file__).resolve().parent.parent
DATA = pathlib.Path(os.environ["SUDAR_DATA"])
SUDAR = ROOT / "target/release/sudar"
ROBOTS = [
    ("panda", "panda.urdf"),
    ("panda", "panda_spherized.urdf"),
    ("ur5", "ur5.urdf"),
    ("ur5", "ur5_spherized.urdf"),
]


def described(folder, urdf):
    """The joints of a robot as our command names them, with limits, and the pairs that it leaves out."""
    path = DATA / "robots" / folder / urdf
    srdf = DATA / "robots" / folder / f"{folder}.srdf"
    command = [SUDAR, "robot", path, "--srdf", srdf, "--skip-missing-meshes", "--json"]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


def sampled(joints, count, seed):
    random = numpy.random.default_rng(seed)
    lower = [-numpy.pi if joint["lower"] is None else joint["lower"] for joint in joints]
    upper = [numpy.pi if joint["upper"] is None else joint["upper"] for joint in joints]
    return random.uniform(lower, upper, size=(count, len(joints)))


def kinematics():
    import pinocchio
    import yourdfpy

    lines = ["# robot, joint values; then link, the rows of its rotation and its translation: by pinocchio " + pinocchio.__version__]
    for folder, urdf in ROBOTS:
        path = str(DATA / "robots" / folder / urdf)
        joints = described(folder, urdf)["joints"]
        model = pinocchio.buildModelFromUrdf(path, mimic=True)
        data = model.createData()
        other = yourdfpy.URDF.load(path, load_meshes=False, build_scene_graph=True, load_collision_meshes=False)
        worst = 0.0
        for q in sampled(joints, 2, 1):
            named = dict(zip((joint["name"] for joint in joints), q))
            state = pinocchio.neutral(model)
            for name, value in named.items():
                joint = model.joints[model.getJointId(name)]
                if joint.nq == 1:
                    state[joint.idx_q] = value
                else:
                    state[joint.idx_q : joint.idx_q + 2] = numpy.cos(value), numpy.sin(value)
            pinocchio.framesForwardKinematics(model, data, state)
            other.update_cfg(named)
            lines.append(f"robot {folder}/{urdf} " + " ".join(f"{value:.17g}" for value in q))
            for link in other.link_map:
                place = data.oMf[model.getFrameId(link, pinocchio.FrameType.BODY)].homogeneous
                worst = max(worst, abs(place - other.get_transform(link)).max())
                numbers = list(place[:3, :3].flatten()) + list(place[:3, 3])
                lines.append(f"{link} " + " ".join(f"{value:.17g}" for value in numbers))
        print(f"{folder}/{urdf}: pinocchio and yourdfpy differ by at most {worst:.1e}")
    (ROOT / "crates/sudar-robot/tests/kinematics.txt").write_text("\n".join(lines) + "\n")


def problems(folder, count):
    with gzip.open(DATA / "planning" / f"mbm_{folder}.json.gz") as file:
        every = [problem for each in json.load(file).values() for problem in each]
    return every[:: max(1, len(every) // count)][:count]


def rotation(thing):
    """How an obstacle is turned."""
    x, y, z, w = numpy.array(thing["pose"]["orientation"]) / numpy.linalg.norm(thing["pose"]["orientation"])
    return numpy.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


def angles(thing):
    """Roll, pitch and yaw of an obstacle."""
    from math import asin, atan2

    turn = rotation(thing)
    return atan2(turn[2, 1], turn[2, 2]), asin(max(-1.0, min(1.0, -turn[2, 0]))), atan2(turn[1, 0], turn[0, 0])


def numbers(values):
    return " ".join(repr(float(value)) for value in values)


def scene_urdf(problem, round_as="cylinder"):
    """The obstacles as a URDF of things that stand still."""
    robot = ElementTree.Element("robot", name="scene")
    ElementTree.SubElement(robot, "link", name="world")
    for i, thing in enumerate(problem["obstacles"]):
        link = ElementTree.SubElement(robot, "link", name=f"thing{i}")
        collision = ElementTree.SubElement(link, "collision")
        place = {"xyz": numbers(thing["pose"]["position"]), "rpy": numbers(angles(thing))}
        ElementTree.SubElement(collision, "origin", place)
        geometry = ElementTree.SubElement(collision, "geometry")
        size = thing["dimensions"]
        if thing["type"] == "box":
            ElementTree.SubElement(geometry, "box", size=numbers(size))
        else:
            ElementTree.SubElement(geometry, round_as, radius=repr(size[1]), length=repr(size[0]))
        joint = ElementTree.SubElement(robot, "joint", name=f"joint{i}", type="fixed")
        ElementTree.SubElement(joint, "parent", link="world")
        ElementTree.SubElement(joint, "child", link=f"thing{i}")
    return ElementTree.tostring(robot)


def by_sudar(folder, urdf, scene, q, *more, kind="urdf"):
    with tempfile.TemporaryDirectory() as place:
        place = pathlib.Path(place)
        numpy.save(place / "q.npy", q)
        (place / f"scene.{kind}").write_bytes(scene)
        command = [SUDAR, "robot", DATA / "robots" / folder / urdf, "--srdf", DATA / "robots" / folder / f"{folder}.srdf"]
        command += ["--skip-missing-meshes", "--scene", place / f"scene.{kind}", "--configs", place / "q.npy"]
        command += ["-o", place / "valid.npy", "--json", *more]
        run = subprocess.run(command, capture_output=True)
        assert run.returncode in (0, 1), run.stderr
        return json.loads(run.stdout), numpy.load(place / "valid.npy")


class ByPinocchio:
    """Kinematics by pinocchio, its geometry by Coal: one call in C++ for each configuration."""

    def __init__(self, folder, urdf, problem, left_out):
        import coal
        import pinocchio

        self.pinocchio = pinocchio
        text = (DATA / "robots" / folder / urdf).read_text().replace("package://", "")
        place = DATA / "robots" / folder
        # Links without a mesh file on disk are left out, as --skip-missing-meshes does.
        tree = ElementTree.fromstring(text)
        for link in tree.iter("link"):
            for part in list(link):
                mesh = part.find("geometry/mesh") if part.tag in ("visual", "collision") else None
                if part.tag == "visual" or mesh is not None and not (place / mesh.get("filename")).is_file():
                    link.remove(part)
                elif mesh is not None:
                    mesh.set("filename", str(place / mesh.get("filename")))
        text = ElementTree.tostring(tree, encoding="unicode")
        self.model = pinocchio.buildModelFromXML(text, mimic=True)
        self.geometry = pinocchio.buildGeomFromUrdfString(
            self.model, text, pinocchio.GeometryType.COLLISION
        )
        links = self.geometry.ngeoms
        name = lambda i: self.model.frames[self.geometry.geometryObjects[i].parentFrame].name
        gone = {frozenset((pair["a"], pair["b"])) for pair in left_out}
        for i in range(links):
            for j in range(i):
                if name(i) != name(j) and frozenset((name(i), name(j))) not in gone:
                    self.geometry.addCollisionPair(pinocchio.CollisionPair(j, i))
        for k, thing in enumerate(problem["obstacles"]):
            size = thing["dimensions"]
            shape = coal.Box(*size) if thing["type"] == "box" else coal.Cylinder(size[1], size[0])
            rotation = pinocchio.Quaternion(numpy.array(thing["pose"]["orientation"], dtype=float)).normalized()
            place = pinocchio.SE3(rotation.matrix(), numpy.array(thing["pose"]["position"], dtype=float))
            made = self.geometry.addGeometryObject(pinocchio.GeometryObject(f"thing{k}", 0, place, shape))
            for i in range(links):
                self.geometry.addCollisionPair(pinocchio.CollisionPair(i, made))
        self.data, self.places = self.model.createData(), pinocchio.GeometryData(self.geometry)

    def check(self, names, q):
        index = [self.model.joints[self.model.getJointId(name)].idx_q for name in names]
        state, valid = self.pinocchio.neutral(self.model), numpy.empty(len(q), bool)
        start = time.perf_counter()
        for i, row in enumerate(q):
            state[index] = row
            valid[i] = not self.pinocchio.computeCollisions(
                self.model, self.data, self.geometry, self.places, state, True
            )
        return valid, time.perf_counter() - start


def speed(count, configs, threads):
    threads = ["--threads", threads]
    head = ["robot", "µs, sudar", "µs, Coal", "times", "differ", "µs an edge", "µs of 50 states, Coal", "times", "free"]
    print("| " + " | ".join(head) + " |\n|" + "---|" * len(head))
    for folder, urdf in ROBOTS:
        about = described(folder, urdf)
        names = [joint["name"] for joint in about["joints"]]
        ours, theirs, edges, free, differ, total, edge_count = 0.0, 0.0, 0.0, 0, 0, 0, 0
        for k, problem in enumerate(problems(folder, count)):
            scene, q = scene_urdf(problem), sampled(about["joints"], configs, k)
            runs = [by_sudar(folder, urdf, scene, q, *threads) for _ in range(3)]
            ours += min(run["seconds"] for run, _ in runs)
            other = ByPinocchio(folder, urdf, problem, about["pairs"]["left_out"])
            valid, seconds = min((other.check(names, q) for _ in range(2)), key=lambda run: run[1])
            theirs += seconds
            differ += int((valid != runs[0][1]).sum())
            total += len(q)
            start = q[runs[0][1]][:200]
            if len(start) < 2:
                continue
            end = start[:-1] + 0.3 * (start[1:] - start[:-1])
            pairs = numpy.stack([start[:-1], end], axis=1).reshape(-1, len(names))
            runs = [by_sudar(folder, urdf, scene, pairs, "--edges=pairs", *threads) for _ in range(3)]
            edges += min(run["seconds"] for run, _ in runs)
            free += runs[0][0]["valid"]
            edge_count += len(end)
        sampled_edge = 50 * theirs / total
        edge = edges / edge_count
        row = [f"{folder}/{urdf}", f"{1e6 * ours / total:.2f}", f"{1e6 * theirs / total:.1f}", f"{theirs / ours:.0f}"]
        row += [f"{differ} of {total}", f"{1e6 * edge:.0f}", f"{1e6 * sampled_edge:.0f}", f"{sampled_edge / edge:.1f}"]
        print("| " + " | ".join([*row, f"{free} of {edge_count}"]) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["kinematics", "speed"])
    parser.add_argument("--problems", type=int, default=10)
    parser.add_argument("--configs", type=int, default=2000)
    parser.add_argument("--threads", default="0", help="of sudar; the others use one")
    given = parser.parse_args()
    kinematics() if given.what == "kinematics" else speed(given.problems, given.configs, given.threads)


if __name__ == "__main__":
    main()
