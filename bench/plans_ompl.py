#!/usr/bin/env python3
"""Plans the problems of MotionBenchMaker with OMPL's RRT-Connect and the checks of pinocchio with Coal.

    pip install ompl pin coal numpy
    cargo build --release -p sudar-cli
    bench/plans_ompl.py panda panda.urdf [--every 10] [--seconds 5]

Beside it: `cargo run --release -p sudar-robot --example plans`. Both have the same meshes, boxes, cylinders and pairs of links,
and one edge of a tree is no longer than 1; edges are tested every 0.05 in joint space. OMPL's paths are free at these
samples, sudar's at every instant. Reads the folder in SUDAR_DATA. The pairs that are left out are those of `sudar robot`.
"""

import argparse
import time

import numpy
from ompl import base, geometric, util

import robots


def arm(names):
    """The joints that move; the gripper keeps still."""
    return [i for i, name in enumerate(names) if not any(word in name for word in ("finger", "robotiq", "gripper"))]


def whole(problem, names, state):
    return numpy.array([state.get(name, problem["start"].get(name, 0.0)) for name in names], dtype=float)


class Checker:
    """Whether a state is free, by one call of pinocchio in C++."""

    def __init__(self, other, names, still, moving):
        self.other, self.moving, self.calls = other, moving, 0
        self.index = [other.model.joints[other.model.getJointId(name)].idx_q for name in names]
        self.state = other.pinocchio.neutral(other.model)
        self.state[self.index] = still
        self.part = [self.index[i] for i in moving]

    def __call__(self, q):
        self.calls += 1
        self.state[self.part] = q
        it = self.other
        return not it.pinocchio.computeCollisions(it.model, it.data, it.geometry, it.places, self.state, True)


def solve(checker, bounds, start, goal, seconds):
    space = base.RealVectorStateSpace(len(start))
    limits = base.RealVectorBounds(len(start))
    for i, (lower, upper) in enumerate(bounds):
        limits.setLow(i, lower)
        limits.setHigh(i, upper)
    space.setBounds(limits)
    setup = geometric.SimpleSetup(space)
    count = len(start)
    setup.setStateValidityChecker(lambda state: checker([state[i] for i in range(count)]))
    setup.getSpaceInformation().setStateValidityCheckingResolution(0.05 / space.getMaximumExtent())
    states = []
    for values in (start, goal):
        state = space.allocState()
        for i, value in enumerate(values):
            state[i] = float(value)
        states.append(state)
    setup.setStartAndGoalStates(*states)
    planner = geometric.RRTConnect(setup.getSpaceInformation())
    planner.setRange(1.0)
    setup.setPlanner(planner)
    began = time.perf_counter()
    solved = setup.solve(seconds)
    found = time.perf_counter() - began
    exact = bool(solved) and setup.haveExactSolutionPath()
    if exact:
        setup.simplifySolution()
    return exact, found, time.perf_counter() - began, setup.getSolutionPath().length() if exact else 0.0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("robot")
    parser.add_argument("urdf")
    parser.add_argument("--every", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--sudar", default=robots.SUDAR, help="the command")
    given = parser.parse_args()
    robots.SUDAR = given.sudar
    util.setLogLevel(util.LogLevel.LOG_ERROR)
    util.RNG.setSeed(1)
    about = robots.described(given.robot, given.urdf)
    names = [joint["name"] for joint in about["joints"]]
    moving = arm(names)
    limit = lambda value, other: other if value is None else value
    bounds = [(limit(j["lower"], -numpy.pi), limit(j["upper"], numpy.pi)) for j in about["joints"]]
    rows = []
    for problem in robots.problems(given.robot, 700)[:: given.every]:
        other = robots.ByPinocchio(given.robot, given.urdf, problem, about["pairs"]["left_out"])
        start, goal = whole(problem, names, problem["start"]), whole(problem, names, problem["goals"][0])
        checker = Checker(other, names, start, moving)
        ends = [list(start[moving]), list(goal[moving])]
        if not all(checker(q) for q in ends):
            continue
        rows.append(solve(checker, [bounds[i] for i in moving], *ends, given.seconds))
    solved = [row for row in rows if row[0]]
    found, whole_time = sorted(row[1] for row in rows), sorted(row[2] for row in rows)
    at = lambda times, part: 1e3 * times[round(part * (len(times) - 1))]
    soon = sum(row[1] <= 1 for row in solved)
    print("| robot | problems | solved in 1 s | median ms | 95 % ms | median ms with simplification | mean length |")
    print("|---|---|---|---|---|---|---|")
    print(
        f"| {given.robot}/{given.urdf} | {len(rows)} | {100 * soon / len(rows):.1f} % | {at(found, 0.5):.0f} | {at(found, 0.95):.0f} "
        f"| {at(whole_time, 0.5):.0f} | {numpy.mean([row[3] for row in solved]):.2f} |"
    )


if __name__ == "__main__":
    main()
