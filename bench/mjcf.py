#!/usr/bin/env python3
"""Compares MJCF models as Sudar reads them with MuJoCo: masses, centres, inertias, poses, and a fall of half a second.

    pip install 'mujoco==3.*' numpy gymnasium gymnasium-robotics
    cargo build --release -p sudar-robot --example fall
    bench/mjcf.py NAME=MODEL.xml hung=hung:MODEL.xml … [--configs 8] [--seconds 0.5] [--step 1e-3] [--fine 1e-4]
    bench/mjcf.py --survey MODEL.xml … | --random 1000              masses, poses and limits of many models
    bench/mjcf.py two=crates/sudar-robot/tests/two.xml --expected       the numbers of its tests (mjcf.rs, mjcf_world.rs)

Prints the table of bench/results. Both sides fall under 9.81 m/s² from rest, from the pose of the file, moved into the
limits, and from random configurations within them, without contacts, actuators and tendons, and without armature and
margins of joints, which Sudar does not read. Springs, damping and friction of joints are those of the file unless a row
says otherwise. MuJoCo takes steps of 1e-5 s by Runge-Kutta's method. Its limits and friction yield, and a limit as the
files have it throws back with 13 % of the speed; the rows "stiff" let them yield within 5e-5 s and damp them ten times
as much, so that nothing is thrown back. What falls freely falls as one; `hung:` takes free joints from a model without
other files, so that its root stands and the rest falls.
"""

import argparse
import collections
import json
import os
import pathlib
import subprocess
import tempfile
import xml.etree.ElementTree as ElementTree

import mujoco
import numpy

ROOT = pathlib.Path(__file__).resolve().parent.parent
FALL = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release/examples/fall"


FREE, BALL, SLIDE, HINGE = (
    int(kind)
    for kind in (
        mujoco.mjtJoint.mjJNT_FREE,
        mujoco.mjtJoint.mjJNT_BALL,
        mujoco.mjtJoint.mjJNT_SLIDE,
        mujoco.mjtJoint.mjJNT_HINGE,
    )
)


def euler(quat):
    """Roll, pitch and yaw of a quaternion, the real part first."""
    turn = numpy.zeros(9)
    mujoco.mju_quat2Mat(turn, quat / numpy.linalg.norm(quat))
    turn = turn.reshape(3, 3)
    across = numpy.hypot(turn[0, 0], turn[1, 0])
    pitch = numpy.arctan2(-turn[2, 0], across)
    if across > 1e-12:
        return numpy.arctan2(turn[2, 1], turn[2, 2]), pitch, numpy.arctan2(turn[1, 0], turn[0, 0])
    return numpy.arctan2(-turn[1, 2], turn[1, 1]), pitch, 0.0


def ours(model, qpos):
    """A configuration as Sudar has it: three angles in place of each quaternion."""
    q = []
    for joint in range(model.njnt):
        at = model.jnt_qposadr[joint]
        kind = int(model.jnt_type[joint])
        if kind == FREE:
            q += [*qpos[at : at + 3], *euler(qpos[at + 3 : at + 7])]
        elif kind == BALL:
            q += euler(qpos[at : at + 4])
        else:
            q.append(qpos[at])
    return [float(x) for x in q]


def sampled(model, random):
    """A configuration within the limits; bodies that move freely are turned at random about where the file has them."""
    qpos = model.qpos0.copy()
    for joint in range(model.njnt):
        at = model.jnt_qposadr[joint]
        kind = int(model.jnt_type[joint])
        if kind == FREE:
            at += 3
        if kind in (FREE, BALL):
            quat = random.normal(size=4)
            qpos[at : at + 4] = quat / numpy.linalg.norm(quat)
        else:
            lower, upper = model.jnt_range[joint] if model.jnt_limited[joint] else (-1.0, 1.0)
            qpos[at] = random.uniform(lower, upper)
    return qpos


def within(model, qpos):
    """The nearest configuration within the limits: Sudar takes what is beyond for a wider limit."""
    qpos = qpos.copy()
    for joint in range(model.njnt):
        if model.jnt_limited[joint] and int(model.jnt_type[joint]) in (SLIDE, HINGE):
            at = model.jnt_qposadr[joint]
            qpos[at] = numpy.clip(qpos[at], *model.jnt_range[joint])
    return qpos


def pose(data, body):
    return numpy.concatenate([data.xpos[body], data.xmat[body]])


def bare(path):
    """The model with what Sudar does not read switched off."""
    model = mujoco.MjModel.from_xml_path(path)
    model.dof_armature[:] = 0
    model.jnt_margin[:] = 0
    for joint in range(model.njnt):
        if int(model.jnt_type[joint]) in (FREE, BALL):
            first = model.jnt_dofadr[joint]
            model.jnt_stiffness[joint] = 0
            model.dof_damping[first : first + 6 if int(model.jnt_type[joint]) == FREE else first + 3] = 0
    model.opt.gravity[:] = 0, 0, -9.81
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT | mujoco.mjtDisableBit.mjDSBL_ACTUATION
    model.opt.density = model.opt.viscosity = 0
    model.tendon_limited[:] = 0
    for values in (model.tendon_stiffness, model.tendon_damping, model.tendon_frictionloss):
        values[:] = 0
    model.opt.iterations, model.opt.tolerance = 200, 0
    return model


def fallen(model, qpos, seconds, step, change):
    """Where all bodies are after a fall."""
    model = change(model, step)
    model.opt.timestep = step
    model.opt.integrator = mujoco.mjtIntegrator.mjINT_RK4
    data = mujoco.MjData(model)
    data.qpos[:] = qpos
    mujoco.mj_forward(model, data)
    for _ in range(round(seconds / step)):
        mujoco.mj_step(model, data)
    mujoco.mj_kinematics(model, data)
    return numpy.array([pose(data, body) for body in range(model.nbody)])


def free(model, _):
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    return model


def filed(model, _):
    return model


def stiff(model, step):
    for solref in (model.jnt_solref, model.dof_solref, model.eq_solref):
        solref[:] = 5 * step, 10
    for solimp in (model.jnt_solimp, model.dof_solimp, model.eq_solimp):
        solimp[:] = 0.9999, 0.9999, 0.001, 0.5, 2
    return model


def read(path, configurations, seconds, step, text=None):
    lines = "\n".join(" ".join(map(repr, q)) for q in configurations)
    command = [FALL, path, str(seconds), repr(step), *(["free"] if text == "free" else [])]
    return json.loads(subprocess.run(command, check=True, capture_output=True, input=lines, text=True).stdout)


def inertia(model, body):
    turn = numpy.zeros(9)
    mujoco.mju_quat2Mat(turn, model.body_iquat[body])
    turn = turn.reshape(3, 3)
    return turn @ numpy.diag(model.body_inertia[body]) @ turn.T


def off(found, poses):
    """The largest differences of positions, in metres, and of the entries of rotations."""
    difference = numpy.abs(found - poses)
    return numpy.linalg.norm(found[:, :3] - poses[:, :3], axis=1).max(), difference[:, 3:].max()


def weighed(model, answer):
    """The links of the bodies, what they weigh, and the largest differences of mass, centre and inertia."""
    links = [link["name"] for link in answer["links"]]
    bodies = [mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_BODY, body) or f"body{body}" for body in range(model.nbody)]
    at = [links.index(body) for body in bodies]
    weights = [answer["links"][k] for k in at]
    moving = range(1, model.nbody)
    mass = [abs(weights[b]["mass"] - model.body_mass[b]) / max(model.body_mass[b], 1e-9) for b in moving]
    center = [numpy.linalg.norm(weights[b]["center"] - model.body_ipos[b]) for b in moving if model.body_mass[b] > 0]
    moments = [
        numpy.abs(numpy.reshape(weights[b]["inertia"], (3, 3)) - inertia(model, b)).max() / model.body_inertia[b].max()
        for b in moving
        if model.body_inertia[b].max() > 0
    ]
    return at, weights, [max([0.0, *values]) for values in (mass, center, moments)]


def posed(model, qpos, answer, at):
    """The largest difference of any pose at the start."""
    data = mujoco.MjData(model)
    most = 0.0
    for q, fall in zip(qpos, answer["falls"]):
        data.qpos[:] = q
        mujoco.mj_kinematics(model, data)
        theirs = numpy.array([pose(data, body) for body in range(model.nbody)])
        most = max(most, *off(numpy.array(fall["start"])[at], theirs))
    return most


def limits(model, answer):
    """The largest difference of the ends of a range."""
    most, number = 0.0, 0
    for joint in range(model.njnt):
        if int(model.jnt_type[joint]) in (FREE, BALL):
            number += 6 if int(model.jnt_type[joint]) == FREE else 3
            continue
        ends = model.jnt_range[joint] if model.jnt_limited[joint] else (-1e9, 1e9)
        ours = answer["lower"][number], answer["upper"][number]
        most, number = max(most, *numpy.abs(numpy.subtract(ours, ends))), number + 1
    return most


def verdict(path):
    """What both sides say of a model, and the largest differences where both read it."""
    try:
        model = mujoco.MjModel.from_xml_path(path)
    except ValueError:
        model = None
    random = numpy.random.default_rng(3)
    qpos = [model.qpos0.copy()] + [sampled(model, random) for _ in range(3)] if model else []
    try:
        answer = read(path, [ours(model, q) for q in qpos] if model and model.nv else [[]], 0.0, 1e-3)
    except subprocess.CalledProcessError as error:
        assert "panicked" not in error.stderr, error.stderr
        why = error.stderr.strip().splitlines()[-1]
        # Bodies that are not read, and joints that copy others, are missing among the numbers.
        said = "numbers differ" if "Rows" in why else "only MuJoCo reads"
        return (said, why) if model else ("both refuse", "")
    if not model:
        return "only Sudar reads", ""
    try:
        at, _, [mass, center, moments] = weighed(model, answer)
    except ValueError:
        return "bodies differ", ""
    most = [mass, center, moments, posed(model, qpos, answer, at), limits(model, answer)]
    return ("same" if max(most) < 1e-6 else "differ", " ".join(f"{x:.0e}" for x in most))


def survey(paths):
    counts, most = collections.Counter(), {}
    for path in paths:
        said, why = verdict(path)
        counts[said] += 1
        if said == "same":
            most = max(most or why.split(), why.split(), key=lambda values: max(map(float, values)))
        elif said != "both refuse":
            print(f"{path}: {said} {why[:160]}")
    print(dict(counts), "mass, centre, inertia, pose, limits differ most in", most)


def randoms(count):
    import mjcf_random

    with tempfile.TemporaryDirectory() as folder:
        for seed in range(count):
            path = pathlib.Path(folder) / f"{seed}.xml"
            path.write_text(mjcf_random.Model(seed).text)
            yield str(path)


def compare(name, path, arguments):
    model = bare(path)
    random = numpy.random.default_rng(1)
    qpos = [within(model, model.qpos0)] + [sampled(model, random) for _ in range(arguments.configs)]
    configurations = [ours(model, q) for q in qpos]
    answers = {
        "free": read(path, configurations, arguments.seconds, arguments.step, "free"),
        "file": read(path, configurations, arguments.seconds, arguments.step),
        "fine": read(path, configurations, arguments.seconds, arguments.fine),
    }
    at, weights, [mass, center, moments] = weighed(model, answers["file"])
    total = sum(weight["mass"] for weight in weights)
    print(f"| {name} | {model.nbody - 1} | {model.nv} | {total:.6f} | {model.body_mass.sum():.6f} | ", end="")
    print(f"{mass:.1e} | {center:.1e} | {moments:.1e} | ", end="")
    print(f"{posed(model, qpos, answers['file'], at):.1e} |")
    rows, known = [], {}
    for label, key, step, change in [
        ("neither limits nor friction", "free", arguments.step, free),
        ("limits, friction; stiff", "file", arguments.step, stiff),
        ("the same, finer steps", "fine", arguments.fine, stiff),
        ("limits, friction; as the file", "fine", arguments.fine, filed),
    ]:
        found = []
        for k, q in enumerate(qpos):
            if (change, k) not in known:
                known[change, k] = fallen(bare(path), q, arguments.seconds, 1e-5, change)
            theirs = known[change, k]
            found.append(off(numpy.array(answers[key]["falls"][k]["end"])[at], theirs))
        first, others = found[0], numpy.array(found[1:])
        median = numpy.median(others[:, 0])
        rows.append(
            f"| {name} | {label} | {step * 1e3:g} | {first[0]:.1e} | {first[1]:.1e} | {median:.1e} | "
            f"{others[:, 0].max():.1e} | {others[:, 1].max():.1e} |"
        )
    return rows


def hung(path, folder):
    """A copy of a model whose bodies are fixed in place of moving freely."""
    tree = ElementTree.parse(path)
    root = tree.getroot()
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag in ("freejoint", "keyframe") or child.tag == "joint" and child.get("type") == "free":
                parent.remove(child)
    target = pathlib.Path(folder) / pathlib.Path(path).name
    tree.write(target)
    return str(target)


def expected(path, seconds):
    """What MuJoCo alone says of a model: masses, centres and moments, then where bodies fall to, with stiff limits."""
    model = bare(path)
    for body in range(1, model.nbody):
        name = mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_BODY, body)
        moments = inertia(model, body)
        print(name, [float(x) for x in [model.body_mass[body], *model.body_ipos[body], *moments[numpy.triu_indices(3)]]])
    for place in fallen(model, model.qpos0, seconds, 1e-5, stiff)[1:]:
        print([float(x) for x in place])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("models", nargs="*", metavar="NAME=MODEL.xml")
    parser.add_argument("--survey", nargs="+", metavar="MODEL.xml")
    parser.add_argument("--random", type=int, metavar="N")
    parser.add_argument("--configs", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--step", type=float, default=1e-3)
    parser.add_argument("--fine", type=float, default=1e-4)
    parser.add_argument("--expected", action="store_true")
    arguments = parser.parse_args()
    if arguments.survey or arguments.random:
        survey(arguments.survey or randoms(arguments.random))
        return
    if arguments.expected:
        expected(arguments.models[0].split("=", 1)[1], arguments.seconds)
        return
    print(f"MuJoCo {mujoco.__version__}\n")
    print("| model | bodies | degrees | kg, sudar | kg, MuJoCo | mass | centre, m | inertia | pose |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|")
    rows = []
    for model in arguments.models:
        name, path = model.split("=", 1)
        with tempfile.TemporaryDirectory() as folder:
            path = hung(path.removeprefix("hung:"), folder) if path.startswith("hung:") else path
            rows += compare(name, path, arguments)
    print("\n| model | with | step, ms | file's pose, m | rotation | random, median m | most m | rotation |")
    print("|---|---|---:|---:|---:|---:|---:|---:|")
    print("\n".join(rows))


if __name__ == "__main__":
    main()
