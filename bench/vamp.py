#!/usr/bin/env python3
"""Compares `sudar robot` with vamp-planner on robots of balls, among boxes and capsules and among clouds of points.

    pip install numpy pin
    cargo build --release -p sudar-cli
    bench/vamp.py --programs FOLDER [--problems 10] [--configs 2000]

Reads the robots and problems of the folder in SUDAR_DATA; the other folder has what bench/rivals/README.md builds,
`vamp-panda` and `vamp-ur5`. Prints the table of bench/results. Where the two differ, a third computation tells the gap.
"""

import argparse
import pathlib
import subprocess
import tempfile
import xml.etree.ElementTree as ElementTree

import numpy

from robots import DATA, ROBOTS, angles, by_sudar, described, numbers, problems, rotation, sampled, scene_urdf

# Radius of points in a cloud, as the package's own evaluation has it, and the size of the cells that have one each.
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


class Asked:
    """One problem: seconds of both, which configurations differ and by what gap, and which edges are free."""

    def __init__(self, programs, folder, urdf, joints, judge, problem, q, points):
        arm = [judge.names.index(name) for name in ARMS[folder]]
        q[:, [i for i in range(len(joints)) if i not in arm]] = 0.0
        flags, kind, scene = ["--threads", "1"], "urdf", scene_urdf(problem, "capsule")
        if points is not None:
            flags, kind, scene = [*flags, "--padding", repr(POINT)], "ply", ply(points)
        states = [by_sudar(folder, urdf, scene, q, *flags, kind=kind) for _ in range(3)]
        valid = states[0][1]
        start = q[valid][:200]
        end = (start[:-1] + 0.3 * (start[1:] - start[:-1])).astype(numpy.float32).astype(float)
        pairs = numpy.stack([start[:-1], end], axis=1).reshape(-1, len(joints))
        edges = [by_sudar(folder, urdf, scene, pairs, "--edges=pairs", *flags, kind=kind) for _ in range(3)]
        program = programs / f"vamp-{folder}"
        self.theirs, their_states, self.their_free = by_vamp(program, problem, points, q[:, arm], pairs[:, arm])
        self.ours = [min(run["seconds"] for run, _ in each) for each in (states, edges)]
        self.free = edges[0][1]
        self.gaps = [judge.gap(q[i], problem, points) for i in numpy.flatnonzero(their_states != valid)]
        self.size = len(problem["obstacles"] if points is None else points)


def row(folder, what, asked, configs):
    ours, theirs = (numpy.sum([getattr(one, side) for one in asked], axis=0) for side in ("ours", "theirs"))
    gaps = [gap for one in asked for gap in one.gaps]
    free, their_free = (numpy.concatenate([getattr(one, side) for one in asked]) for side in ("free", "their_free"))
    total, edges, sizes = configs * len(asked), len(free), [one.size for one in asked]
    spread = f"{min(gaps):.1e} to {max(gaps):.1e}" if gaps else ""
    cells = [f"{folder}, {min(sizes)} to {max(sizes)} {what}", f"{1e6 * ours[0] / total:.2f}", f"{1e6 * theirs[0] / total:.2f}"]
    cells += [f"{len(gaps)} of {total}", spread, f"{1e6 * ours[1] / edges:.1f}", f"{1e6 * theirs[1] / edges:.1f}"]
    cells += [f"{free.sum()} of {edges}", f"{their_free.sum()} of {edges}", str((free & ~their_free).sum())]
    return "| " + " | ".join([*cells, f"{1e6 * theirs[2] / len(asked):.0f}"]) + " |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=pathlib.Path, required=True, help="the folder of vamp-panda and vamp-ur5")
    parser.add_argument("--problems", type=int, default=10)
    parser.add_argument("--configs", type=int, default=2000)
    given = parser.parse_args()
    head = ["robot of balls, scene", "µs, sudar", "µs, vamp", "differ", "their gaps", "µs a certified edge, sudar"]
    head += ["µs a sampled edge, vamp", "free, sudar", "free, vamp", "free for sudar alone", "µs to prepare, vamp"]
    print("| " + " | ".join(head) + " |\n|" + "---|" * len(head))
    for folder, urdf in ROBOTS[1::2]:
        about = described(folder, urdf)
        joints = about["joints"]
        judge = Balls(folder, urdf, [joint["name"] for joint in joints], about["pairs"]["left_out"])
        for what in "boxes and capsules", "points":
            asked = []
            for k, problem in enumerate(problems(folder, given.problems)):
                q = sampled(joints, given.configs, k).astype(numpy.float32).astype(float)
                points = cloud(problem, numpy.random.default_rng(k)) if what == "points" else None
                asked.append(Asked(given.programs, folder, urdf, joints, judge, problem, q, points))
            print(row(folder, what, asked, given.configs), flush=True)


if __name__ == "__main__":
    main()
