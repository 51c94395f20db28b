#!/usr/bin/env python3
"""Compares the kinematics and the checks of `sudar robot` with other libraries on robots and planning problems.

    pip install pin yourdfpy coal pybullet
    cargo build --release -p sudar-cli
    bench/robots.py kinematics                  link positions beside pinocchio and yourdfpy, and the table of the tests
    bench/robots.py speed [--problems 10] [--configs 2000]
    bench/robots.py vamp --programs FOLDER [--problems 10] [--configs 2000]

Reads the robots and problems of the folder in SUDAR_DATA. `kinematics` writes crates/sudar-robot/tests/kinematics.txt, which
a test reads: joint values of our own and the poses that pinocchio gives. `speed` and `vamp` print the tables of bench/results; the folder
has what bench/rivals/README.md builds, `vamp-panda` and `vamp-ur5`.
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


def angles(thing):
    """Roll, pitch and yaw of an obstacle."""
    from math import asin, atan2

    x, y, z, w = numpy.array(thing["pose"]["orientation"]) / numpy.linalg.norm(thing["pose"]["orientation"])
    roll = atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y))
    pitch = asin(max(-1.0, min(1.0, 2 * (w * y - z * x))))
    return roll, pitch, atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))


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


# Of points in a cloud, as the package's own evaluation has it, and how far they are from each other.
POINT, APART = 0.0025, 0.02
# Joints that vamp has; it holds the others still.
ARMS = {
    "panda": [f"panda_joint{i}" for i in range(1, 8)],
    "ur5": ["shoulder_pan_joint", "shoulder_lift_joint", "elbow_joint", "wrist_1_joint", "wrist_2_joint", "wrist_3_joint"],
}


def cloud(problem, random, count=10000):
    """Random points on the surfaces of the obstacles, one in each cell of a grid."""
    points = []
    for thing in problem["obstacles"]:
        size = thing["dimensions"]
        if thing["type"] == "box":
            half = numpy.array(size) / 2
            found = random.uniform(-half, half, (count, 3))
            area = numpy.prod(half) / half
            axis = random.choice(3, count, p=area / area.sum())
            found[range(count), axis] = (half * random.choice([-1, 1], (count, 1)))[range(count), axis]
        else:
            length, radius = size
            turn = random.uniform(0, 2 * numpy.pi, count)
            side = random.uniform(0, length + radius, count) < length
            out = radius * numpy.where(side, 1, numpy.sqrt(random.uniform(0, 1, count)))
            up = numpy.where(side, random.uniform(-0.5, 0.5, count), random.choice([-0.5, 0.5], count)) * length
            found = numpy.stack([out * numpy.cos(turn), out * numpy.sin(turn), up], axis=1)
        points.append(found @ rotation(thing).T + thing["pose"]["position"])
    points = numpy.concatenate(points)
    _, first = numpy.unique(numpy.floor(points / APART), axis=0, return_index=True)
    return points[numpy.sort(first)].astype(numpy.float32)


def rotation(thing):
    x, y, z, w = numpy.array(thing["pose"]["orientation"]) / numpy.linalg.norm(thing["pose"]["orientation"])
    return numpy.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


def ply(points):
    head = f"ply\nformat binary_little_endian 1.0\nelement vertex {len(points)}\n"
    head += "".join(f"property float {axis}\n" for axis in "xyz") + "end_header\n"
    return head.encode() + points.tobytes()


def by_vamp(program, problem, points, q, pairs):
    with tempfile.TemporaryDirectory() as place:
        place = pathlib.Path(place)
        lines = []
        for thing in problem["obstacles"] if points is None else []:
            box, size = thing["type"] == "box", thing["dimensions"]
            size = size if box else [size[1], size[0]]
            lines.append(f"{'box' if box else 'capsule'} " + numbers([*thing["pose"]["position"], *angles(thing), *size]))
        if points is not None:
            points.tofile(place / "points")
            lines.append(f"cloud {place / 'points'} {POINT}")
        (place / "scene").write_text("\n".join(lines) + "\n")
        q.astype(numpy.float32).tofile(place / "q")
        pairs.astype(numpy.float32).tofile(place / "pairs")
        command = [program, place / "scene", place / "q", place / "pairs", place / "free"]
        printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        free = numpy.fromfile(place / "free", dtype=numpy.uint8).astype(bool)
        return [float(part) for part in printed.split()], free[: len(q)], free[len(q) :]


class Balls:
    """The gap of a robot of balls, in f64 by NumPy, with kinematics by pinocchio: what tells who is right."""

    def __init__(self, folder, urdf, names, left_out):
        import pinocchio

        self.pinocchio, self.names = pinocchio, names
        path = DATA / "robots" / folder / urdf
        self.model = pinocchio.buildModelFromUrdf(str(path), mimic=True)
        self.data = self.model.createData()
        self.links, centres, radii = [], [], []
        for link in ElementTree.parse(path).getroot().iter("link"):
            for part in link.iter("collision"):
                ball, origin = part.find("geometry/sphere"), part.find("origin")
                self.links.append(link.get("name"))
                centres.append([float(x) for x in ("0 0 0" if origin is None else origin.get("xyz")).split()])
                radii.append(float(ball.get("radius")))
        self.centres, self.radii = numpy.array(centres), numpy.array(radii)
        gone = {frozenset((pair["a"], pair["b"])) for pair in left_out}
        count = range(len(self.links))
        pairs = [(i, j) for i in count for j in range(i) if self.links[i] != self.links[j]]
        self.pairs = numpy.array([p for p in pairs if frozenset((self.links[p[0]], self.links[p[1]])) not in gone])

    def gap(self, q, problem, points):
        """Below zero in contact."""
        state = self.pinocchio.neutral(self.model)
        for name, value in zip(self.names, q):
            joint = self.model.joints[self.model.getJointId(name)]
            if joint.nq == 1:
                state[joint.idx_q] = value
        self.pinocchio.framesForwardKinematics(self.model, self.data, state)
        at = [self.data.oMf[self.model.getFrameId(link, self.pinocchio.FrameType.BODY)] for link in self.links]
        centres = numpy.array([pose.act(centre) for pose, centre in zip(at, self.centres)])
        i, j = self.pairs.T
        least = (numpy.linalg.norm(centres[i] - centres[j], axis=1) - self.radii[i] - self.radii[j]).min()
        if points is not None:
            apart = numpy.linalg.norm(centres[:, None] - points[None].astype(float), axis=2)
            return min(least, (apart - self.radii[:, None] - POINT).min())
        for thing in problem["obstacles"]:
            local = (centres - thing["pose"]["position"]) @ rotation(thing)
            if thing["type"] == "box":
                over = numpy.abs(local) - numpy.array(thing["dimensions"]) / 2
                apart = numpy.linalg.norm(numpy.maximum(over, 0), axis=1) + numpy.minimum(over.max(axis=1), 0)
            else:
                length, radius = thing["dimensions"]
                local[:, 2] -= numpy.clip(local[:, 2], -length / 2, length / 2)
                apart = numpy.linalg.norm(local, axis=1) - radius
            least = min(least, (apart - self.radii).min())
        return least


def vamp(programs, count, configs):
    head = ["robot of balls, scene", "µs, sudar", "µs, vamp", "differ", "their gaps", "µs a certified edge, sudar"]
    head += ["µs a sampled edge, vamp", "free, sudar", "free, vamp", "free for sudar alone", "µs to prepare, vamp"]
    print("| " + " | ".join(head) + " |\n|" + "---|" * len(head))
    for folder, urdf in ROBOTS[1::2]:
        about = described(folder, urdf)
        names = [joint["name"] for joint in about["joints"]]
        arm = [names.index(name) for name in ARMS[folder]]
        judge = Balls(folder, urdf, names, about["pairs"]["left_out"])
        for is_cloud in False, True:
            ours, theirs, gaps, free, alone, total, sizes = numpy.zeros(2), numpy.zeros(3), [], numpy.zeros(2, int), 0, 0, []
            edges = 0
            for k, problem in enumerate(problems(folder, count)):
                points = cloud(problem, numpy.random.default_rng(k)) if is_cloud else None
                scene = ply(points) if is_cloud else scene_urdf(problem, "capsule")
                more = {"kind": "ply" if is_cloud else "urdf"}
                flags = ["--threads", "1", "--padding", repr(POINT)] if is_cloud else ["--threads", "1"]
                q = sampled(about["joints"], configs, k).astype(numpy.float32).astype(float)
                q[:, [i for i in range(len(names)) if i not in arm]] = 0.0
                runs = [by_sudar(folder, urdf, scene, q, *flags, **more) for _ in range(3)]
                valid = runs[0][1]
                start = q[valid][:200]
                end = (start[:-1] + 0.3 * (start[1:] - start[:-1])).astype(numpy.float32).astype(float)
                pairs = numpy.stack([start[:-1], end], axis=1).reshape(-1, len(names))
                moves = [by_sudar(folder, urdf, scene, pairs, "--edges=pairs", *flags, **more) for _ in range(3)]
                seconds, states, motions = by_vamp(
                    programs / f"vamp-{folder}", problem, points, q[:, arm], pairs[:, arm]
                )
                ours += [min(run["seconds"] for run, _ in each) for each in (runs, moves)]
                theirs += seconds
                gaps += [judge.gap(q[i], problem, points) for i in numpy.flatnonzero(states != valid)]
                free += [moves[0][1].sum(), motions.sum()]
                alone += int((moves[0][1] & ~motions).sum())
                total, edges = total + len(q), edges + len(end)
                sizes.append(len(points) if is_cloud else len(problem["obstacles"]))
            what = f"{min(sizes)} to {max(sizes)} {'points' if is_cloud else 'boxes and capsules'}"
            spread = f"{min(gaps):.1e} to {max(gaps):.1e}" if gaps else ""
            row = [f"{folder}, {what}", f"{1e6 * ours[0] / total:.2f}", f"{1e6 * theirs[0] / total:.2f}"]
            row += [f"{len(gaps)} of {total}", spread, f"{1e6 * ours[1] / edges:.1f}", f"{1e6 * theirs[1] / edges:.1f}"]
            row += [f"{free[0]} of {edges}", f"{free[1]} of {edges}", str(alone), f"{1e6 * theirs[2] / count:.0f}"]
            print("| " + " | ".join(row) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["kinematics", "speed", "vamp"])
    parser.add_argument("--problems", type=int, default=10)
    parser.add_argument("--configs", type=int, default=2000)
    parser.add_argument("--threads", default="0", help="of sudar; the others use one")
    parser.add_argument("--programs", type=pathlib.Path, default=pathlib.Path("."), help="the folder of vamp-panda and vamp-ur5")
    given = parser.parse_args()
    if given.what == "kinematics":
        kinematics()
    elif given.what == "vamp":
        vamp(given.programs, given.problems, given.configs)
    else:
        speed(given.problems, given.configs, given.threads)


if __name__ == "__main__":
    main()
