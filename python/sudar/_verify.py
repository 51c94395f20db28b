"""Verifies certificates of paths of robots, without the rest of the package: `python _verify.py FILE.json`.

A second checker beside the one in Rust, which shares nothing with it, nor with the planner. It depends on numpy alone.

What a certificate shows, in short. On an edge q(t) = q0 + t (q1 - q0), 0 <= t <= 1, each pair of bodies has a tree of
letters: `t` halves the interval of time, `a` and `b` halve the pieces of the first and the second body, `.` is a leaf
with a direction d. So leaves cover all times and all pieces, whatever the letters are, if the tree ends where it should.
At a leaf with the times s - h to s + h a point x that joints carry is at x + (t - s) v, up to A h^2 / 2, where A bounds
its acceleration (`_bend`). Along d the farthest of the first body has to stay behind the nearest of the second, at both
ends of the interval and with both bounds, by more than the padding and the rounding.
"""

from __future__ import annotations

import json
import math
import sys
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Array: TypeAlias = npt.NDArray[np.float64]
Frame: TypeAlias = tuple[Array, Array]

FORMAT = 1
"""The format of certificates that is checked."""


class NotVerified(ValueError):
    """A certificate does not show what it should; the message tells the first thing that does not hold."""


@dataclass(slots=True)
class Verified:
    """What a certificate shows."""

    edges: int
    """How many edges the path has."""
    pairs: int
    """How many pairs of bodies are apart on each."""
    leaves: int
    """How many intervals of time with parts of two bodies were looked at."""
    left_out: list[tuple[str, str, str]]
    """The pairs that are not looked at, and why: both names, and the reason, which is taken on trust."""
    waypoints: Array
    """(n, dof): the path."""


def verify(certificate: str | PathLike[str] | dict[str, Any]) -> Verified:
    """Verifies a certificate, a file, its text or what `json.loads` makes of that: its path is free at every instant.

    `NotVerified` with the first thing that does not hold. The robot and the scene are those in the certificate, which
    `RobotCell.verify` compares with a cell.
    """
    try:
        if isinstance(certificate, dict):
            document = certificate
        elif isinstance(certificate, str) and certificate.lstrip().startswith("{"):
            document = json.loads(certificate)
        else:
            document = json.loads(Path(certificate).read_text(encoding="utf-8"))
        return _verified(document)
    except NotVerified:
        raise
    except (KeyError, TypeError, ValueError, IndexError, RecursionError, OverflowError) as why:
        raise NotVerified(f"is no certificate: {type(why).__name__} {why}") from None


def _require(holds: bool, what: str) -> None:
    if not holds:
        raise NotVerified(what)


# Shapes


class _Figure:
    """A shape in the frame that carries it: how far it reaches, and balls around its pieces."""

    def __init__(self, body: dict[str, Any]) -> None:
        (rotation, translation), self.shear = _frame(body["pose"])
        ((self.kind, shape),) = body["shape"].items()
        self.radius, self.solid, self.count = 0.0, False, 1
        self.balls: dict[tuple[int, int], tuple[Array, float]] = {}
        if self.kind == "hulls":
            points = np.asarray(shape["points"], dtype=float).reshape(-1, 3) @ rotation.T + translation
            pieces = shape["pieces"]
            _require(len(pieces) > 0 and all(pieces) and bool(np.isfinite(points).all()), "a body without pieces")
            numbers = np.concatenate([np.asarray(piece) for piece in pieces])
            _require(numbers.dtype.kind in "iu" and bool((numbers >= 0).all()), "a point of a piece")
            self.corners = points[numbers]
            self.first = np.concatenate([[0], np.cumsum([len(piece) for piece in pieces])])
            self.radius, self.solid, self.count = _length(shape["radius"]), bool(shape["is_solid"]), len(pieces)
            self.pieces = pieces
            _require(not self.solid or all(len(piece) == 3 for piece in pieces), "a solid that is not of triangles")
        elif self.kind == "discs":
            self.centers = np.array([p for p, _ in shape], dtype=float).reshape(-1, 3) @ rotation.T + translation
            self.radii = np.array([_length(radius) for _, radius in shape])
            self.axis = rotation[:, 2]
            _require(len(shape) > 0, "no discs")
        elif self.kind == "ellipsoid":
            self.center = translation
            self.axes = rotation * np.array([_length(radius) for radius in shape])
            _require(len(shape) == 3, "an ellipsoid")
        elif self.kind == "halfspace":
            normal, length = rotation @ np.asarray(shape["normal"], dtype=float), 0.0
            length = float(np.linalg.norm(normal))
            _require(abs(length - 1.0) < 1e-6 and math.isfinite(shape["offset"]), "the normal of a half-space")
            self.normal = normal / length
            self.offset = (shape["offset"] + float(normal @ translation)) / length
        else:
            raise NotVerified(f"a shape of an unknown kind: {self.kind}")

    def corners_of(self, pieces: tuple[int, int]) -> Array:
        return self.corners[self.first[pieces[0]] : self.first[pieces[1]]]

    def ball(self, pieces: tuple[int, int]) -> tuple[Array, float]:
        """A ball around some pieces, without `radius`."""
        if pieces not in self.balls:
            self.balls[pieces] = self._ball(pieces)
        return self.balls[pieces]

    def _ball(self, pieces: tuple[int, int]) -> tuple[Array, float]:
        if self.kind == "hulls":
            corners = self.corners_of(pieces)
            center = 0.5 * (corners.min(axis=0) + corners.max(axis=0))
            return center, float(np.sqrt(((corners - center) ** 2).sum(axis=1).max()))
        if self.kind == "discs":
            center = self.centers[0]
            return center, float((np.linalg.norm(self.centers - center, axis=1) + self.radii).max())
        if self.kind == "ellipsoid":
            return self.center, float(np.linalg.norm(self.axes, axis=0).max())
        return np.zeros(3), 0.0

    def reach(self) -> float:
        center, radius = self.ball((0, self.count))
        return float(np.linalg.norm(center)) + radius + self.radius + (
            abs(self.offset) if self.kind == "halfspace" else 0.0
        )

    def support(self, pieces: tuple[int, int], direction: Array) -> float:
        """The most of direction . x over some pieces, without `radius`."""
        if self.kind == "hulls":
            return float((self.corners_of(pieces) @ direction).max())
        if self.kind == "discs":
            across = direction - self.axis * (self.axis @ direction)
            return float((self.centers @ direction + self.radii * np.linalg.norm(across)).max())
        return float(self.center @ direction + np.linalg.norm(self.axes.T @ direction))


def _length(value: float) -> float:
    _require(value >= 0.0 and math.isfinite(value), "a length")
    return float(value)


def _frame(numbers: Any) -> tuple[Frame, float]:
    """Rotation and translation, and how far the rotation is from one."""
    flat = np.asarray(numbers, dtype=float)
    _require(flat.shape == (12,) and bool(np.isfinite(flat).all()), "a matrix")
    rotation = flat[:9].reshape(3, 3).T
    shear = float(np.abs(rotation.T @ rotation - np.eye(3)).max())
    _require(shear < 1e-6 and np.linalg.det(rotation) > 0.0, "a matrix that is no rotation")
    return (rotation, flat[9:]), shear


# Motion


class _Tree:
    """The kinematics of a robot."""

    def __init__(self, content: dict[str, Any]) -> None:
        self.parents: list[int] = []
        self.steps: list[Frame] = []
        self.shears: list[float] = []
        self.motions: list[dict[str, Any] | None] = []
        for i, node in enumerate(content["nodes"]):
            _require(0 <= node["parent"] < max(i, 1), "a frame before its parent")
            step, shear = _frame(node["origin"])
            motion = node["motion"]
            if motion is not None:
                axis = np.asarray(motion["axis"], dtype=float)
                is_unit = axis.shape == (3,) and abs(float(np.linalg.norm(axis)) - 1.0) < 1e-14
                finite = math.isfinite(motion["factor"]) and math.isfinite(motion["offset"])
                _require(is_unit and finite and 0 <= motion["dof"] < len(content["joints"]), "the motion of a frame")
                motion = {**motion, "axis": axis}
            self.parents.append(node["parent"])
            self.steps.append(step)
            self.shears.append(shear)
            self.motions.append(motion)

    def up(self, node: int | None) -> list[int]:
        found: list[int] = []
        while node is not None:
            found.append(node)
            node = self.parents[node] if node > 0 else None
        return found

    def chains(self, ends: tuple[int | None, int | None]) -> tuple[list[int], list[int]]:
        """The nodes that move each of two bodies against the other, the outermost first."""
        one, other = self.up(ends[0]), self.up(ends[1])
        carry_both = set(one) & set(other)
        moving = [[i for i in way if i not in carry_both and self.motions[i] is not None] for way in (one, other)]
        return moving[0], moving[1]

    def frames(self, q: Array) -> list[Frame]:
        found: list[Frame] = []
        for i, (step_rotation, step) in enumerate(self.steps):
            rotation, translation = found[self.parents[i]] if i > 0 else (np.eye(3), np.zeros(3))
            translation = rotation @ step + translation
            rotation = rotation @ step_rotation
            motion = self.motions[i]
            if motion is not None:
                value = motion["factor"] * q[motion["dof"]] + motion["offset"]
                if motion["turns"]:
                    rotation = rotation @ _turn(motion["axis"], value)
                else:
                    translation = translation + rotation @ motion["axis"] * value
            found.append((rotation, translation))
        return found

    def rounding(self, node: int | None, reach: float, ends: tuple[Array, Array]) -> float:
        """How far a computed position may be off: far above the sum of a few roundings for each frame."""
        length, greatest, shear, depth = reach, 0.0, 0.0, 4
        for i in self.up(node):
            length += float(np.linalg.norm(self.steps[i][1]))
            shear += self.shears[i]
            depth += 1
            motion = self.motions[i]
            if motion is not None:
                most = max(abs(motion["factor"] * q[motion["dof"]]) for q in ends) + abs(motion["offset"])
                greatest = max(greatest, most)
                length += 0.0 if motion["turns"] else most
        return length * (1.0 + greatest) * (depth * 1e-13 + 8.0 * shear)


def _turn(axis: Array, angle: float) -> Array:
    x, y, z = axis
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + math.sin(angle) * cross + (1.0 - math.cos(angle)) * (cross @ cross)


@dataclass(slots=True)
class _Stand:
    """A body's frame at a time, and how it moves there against the other of the pair."""

    frame: Frame
    velocity: Array
    spin: Array
    joints: list[tuple[tuple[Array, Array] | None, float]]
    """Axis and a point of it, of turns, and the rate; the outermost first."""


def _stand(tree: _Tree, node: int | None, chain: list[int], frames: list[Frame], change: Array) -> _Stand:
    frame = frames[node] if node is not None else (np.eye(3), np.zeros(3))
    found = _Stand(frame, np.zeros(3), np.zeros(3), [])
    for i in chain:
        motion = tree.motions[i]
        assert motion is not None
        rotation, origin = frames[i]
        axis, rate = rotation @ motion["axis"], float(motion["factor"] * change[motion["dof"]])
        if motion["turns"]:
            found.spin += axis * rate
            found.velocity += np.cross(axis, frame[1] - origin) * rate
            found.joints.append(((axis, origin), rate))
        else:
            found.velocity += axis * rate
            found.joints.append((None, rate))
    return found


def _bend(stand: _Stand, ball: tuple[Array, float], half: float) -> float:
    """How far points of a ball are from where they would be at the velocity of the middle, at most.

    The acceleration of a point is a sum over two joints i, j that carry it, of both rates times the second derivative:
    for a turn i that is j or nearer to the root, at most the distance from the axis of j (1 if j slides), else 0. That
    distance is the one at the middle and what the joints farther out move the point by.
    """
    center = stand.frame[0] @ ball[0] + stand.frame[1]
    bend = moved = speed = 0.0
    for turn, signed in stand.joints:
        rate = abs(signed)
        reach = 1.0
        if turn is not None:
            reach = float(np.linalg.norm(np.cross(turn[0], center - turn[1]))) + ball[1] + moved
            bend += rate * (rate * reach + 2.0 * speed)
        moved += half * rate * reach
        speed += rate * reach
    return 0.5 * half * half * bend * (1.0 + 1e-9)


# Leaves


class _Pair:
    """Two bodies on an edge."""

    def __init__(self, tree: _Tree, figures: list[_Figure], nodes: list[int | None], ends: tuple[Array, Array]) -> None:
        self.tree, self.figures, self.nodes, self.ends = tree, figures, nodes, ends
        self.chains = tree.chains((nodes[0], nodes[1]))
        self.stands: list[_Stand] = []
        self.at = math.nan
        endless = [figure.kind == "halfspace" for figure in figures]
        moves = any(is_endless and chain for is_endless, chain in zip(endless, self.chains))
        _require(not all(endless) and not moves, "a half-space that moves")
        self.rounding = sum(
            tree.rounding(node, figure.reach(), ends) + 8.0 * figure.shear * figure.reach()
            for node, figure in zip(nodes, figures)
        )

    def stand_at(self, time: float) -> None:
        if time == self.at:
            return
        change = self.ends[1] - self.ends[0]
        frames = self.tree.frames(self.ends[0] + time * change)
        self.stands = [_stand(self.tree, self.nodes[k], self.chains[k], frames, change) for k in (0, 1)]
        self.at = time

    def gap(self, pieces: list[tuple[int, int]], direction: Array, half: float) -> float:
        """By how much the second is beyond the first, at least, within `half` of the time."""
        for k, sign in ((0, 1.0), (1, -1.0)):
            if self.figures[k].kind == "halfspace":
                direction = self.stands[k].frame[0] @ self.figures[k].normal * sign
        straight = min(
            -self._reach(1, pieces[1], -direction, tau) - self._reach(0, pieces[0], direction, tau)
            for tau in (half, -half)
        )
        bends = [_bend(self.stands[k], self.figures[k].ball(pieces[k]), half) for k in (0, 1)]
        return straight - bends[0] - bends[1]

    def _reach(self, k: int, pieces: tuple[int, int], direction: Array, tau: float) -> float:
        """How far a body reaches along a direction, at the velocity of the middle after the time tau."""
        figure, stand = self.figures[k], self.stands[k]
        rotation, translation = stand.frame
        if figure.kind == "halfspace":
            return figure.offset + float(direction @ translation)
        local = rotation.T @ (direction + tau * np.cross(direction, stand.spin))
        straight = float(direction @ translation) + tau * float(direction @ stand.velocity)
        return straight + figure.support(pieces, local) + figure.radius


def _check_pair(pair: _Pair, proof: dict[str, Any], margin: float, name: str) -> tuple[int, bool]:
    """The number of leaves, and whether one has all pieces of both."""
    whole = [(0, pair.figures[0].count), (0, pair.figures[1].count)]
    directions, used, is_whole = proof["directions"], 0, False
    open_regions = [(0.0, 1.0, whole)]
    for letter in proof["tree"]:
        _require(bool(open_regions), f"{name}: the tree does not cover all times and pieces")
        start, end, pieces = open_regions.pop()
        middle = 0.5 * (start + end)
        if letter == ".":
            _require(used < len(directions), f"{name}: a leaf without a direction")
            direction = np.asarray(directions[used], dtype=float)
            length = float(np.linalg.norm(direction))
            _require(direction.shape == (3,) and 0.0 < length < math.inf, f"{name}: a direction")
            pair.stand_at(middle)
            gap = pair.gap(pieces, direction / length, 0.5 * (end - start))
            _require(gap > margin, f"{name}: not shown to be apart from t = {start} to {end}")
            is_whole = is_whole or pieces == whole
            used += 1
        elif letter == "t":
            _require(start < middle < end, f"{name}: an interval that has no middle")
            open_regions += [(middle, end, pieces), (start, middle, pieces)]
        else:
            k = "ab".index(letter)
            first, last = pieces[k]
            _require(last - first > 1, f"{name}: one piece has no halves")
            half = first + (last - first) // 2
            parts = [[*pieces[:k], span, *pieces[k + 1 :]] for span in ((half, last), (first, half))]
            open_regions += [(start, end, part) for part in parts]
    _require(not open_regions and used == len(directions), f"{name}: the tree does not cover all times and pieces")
    return used, is_whole


# The whole


def _verified(document: dict[str, Any]) -> Verified:
    _require(document["format"] == FORMAT, f"has format {document['format']}, and this checks format {FORMAT}")
    content = document["content"]
    tree = _Tree(content)
    owners, bodies, left_out = _parts(content)
    figures = [_Figure(body) for body in bodies]
    waypoints = _waypoints(document, content)
    ends = list(zip(waypoints, waypoints[1:])) or [(waypoints[0], waypoints[0])]
    pairs = _pairs(owners, bodies, left_out)
    _require(len(document["edges"]) == len(ends), "not every edge of the path has its proofs")
    leaves, whole = 0, dict.fromkeys(pairs, False)
    for edge, (proofs, (q0, q1)) in enumerate(zip(document["edges"], ends)):
        named = [tuple(proof["bodies"]) for proof in proofs]
        _require(named == pairs, f"edge {edge} does not prove each pair of bodies once")
        for (a, b), proof in zip(pairs, proofs):
            one, other = owners[bodies[a]["owner"]], owners[bodies[b]["owner"]]
            pair = _Pair(tree, [figures[a], figures[b]], [bodies[a]["node"], bodies[b]["node"]], (q0, q1))
            padding = max(one["padding"], other["padding"]) if one["is_object"] != other["is_object"] else 0.0
            name = f"edge {edge}, {one['name']!r} and {other['name']!r}"
            count, is_whole = _check_pair(pair, proof, padding + pair.rounding, name)
            leaves += count
            whole[a, b] = whole[a, b] or is_whole
    frames = tree.frames(waypoints[0])
    for (a, b), was_whole in whole.items():
        if not was_whole:
            _check_outside(bodies, figures, frames, a, b, owners)
    reasons = [(owners[i]["name"], owners[j]["name"], why) for (i, j), why in left_out.items()]
    return Verified(len(ends), len(pairs), leaves, reasons, waypoints)


def _parts(
    content: dict[str, Any],
) -> tuple[list[dict[str, Any]], list[dict[str, Any]], dict[tuple[int, int], str]]:
    owners, bodies = content["owners"], content["bodies"]
    for owner in owners:
        _length(owner["padding"])
        _require(isinstance(owner["is_object"], bool), "an owner")
    for body in bodies:
        _require(0 <= body["owner"] < len(owners), "the owner of a body")
        is_object, node = owners[body["owner"]]["is_object"], body["node"]
        carried = node is not None and 0 <= node < len(content["nodes"])
        _require(node is None if is_object else carried, "what carries a body")
    left_out = {}
    for pair in content["left_out"]:
        a, b = pair["owners"]
        _require(0 <= a < b < len(owners), "a pair that is left out")
        left_out[a, b] = str(pair["why"])
    return owners, bodies, left_out


def _pairs(
    owners: list[dict[str, Any]], bodies: list[dict[str, Any]], left_out: dict[tuple[int, int], str]
) -> list[tuple[int, int]]:
    """Every pair of bodies that has to be apart."""
    found = []
    for a, one in enumerate(bodies):
        for b in range(a + 1, len(bodies)):
            i, j = sorted((one["owner"], bodies[b]["owner"]))
            both_objects = owners[i]["is_object"] and owners[j]["is_object"]
            if i != j and not both_objects and (i, j) not in left_out:
                found.append((a, b))
    return found


def _waypoints(document: dict[str, Any], content: dict[str, Any]) -> Array:
    joints, tolerance = content["joints"], content["limit_tolerance"]
    rows = document["waypoints"]
    _require(len(rows) > 0 and all(len(row) == len(joints) for row in rows), "a waypoint")
    found = np.array(rows, dtype=float).reshape(len(rows), len(joints))
    _require(bool((np.abs(found) < 1e80).all()), "a waypoint")
    if tolerance is not None:
        _length(tolerance)
        for k, joint in enumerate(joints):
            least = -math.inf if joint["lower"] is None else joint["lower"] - tolerance
            most = math.inf if joint["upper"] is None else joint["upper"] + tolerance
            inside = bool(((found[:, k] >= least) & (found[:, k] <= most)).all())
            _require(inside, f"a waypoint is outside the limits of joint {joint['name']!r}")
    return found


# Solids


def _check_outside(
    bodies: list[dict[str, Any]],
    figures: list[_Figure],
    frames: list[Frame],
    a: int,
    b: int,
    owners: list[dict[str, Any]],
) -> None:
    """Neither of two bodies with surfaces apart is inside the other."""
    stands = []
    for i in (a, b):
        node = bodies[i]["node"]
        stands.append(frames[node] if node is not None else (np.eye(3), np.zeros(3)))
    for k, solid in ((0, 1), (1, 0)):
        if not figures[(a, b)[solid]].solid:
            continue
        (r, t), (rs, ts) = stands[k], stands[solid]
        triangles = (figures[(a, b)[solid]].corners @ rs.T + ts).reshape(-1, 3, 3)
        for p in _representatives(figures[(a, b)[k]]):
            names = [owners[bodies[i]["owner"]]["name"] for i in (a, b)]
            outside = _is_outside(r @ p + t, triangles)
            _require(outside, f"{names[0]!r} and {names[1]!r}: not shown that neither is inside the other")


def _representatives(figure: _Figure) -> list[Array]:
    """A point of each connected part."""
    if figure.kind == "discs":
        return [figure.centers[0]]
    if figure.kind == "ellipsoid":
        return [figure.center]
    if figure.kind == "halfspace":
        return []
    sets: dict[int, int] = {}

    def root(i: int) -> int:
        while sets.setdefault(i, i) != i:
            sets[i] = sets[sets[i]]
            i = sets[i]
        return i

    for piece in figure.pieces:
        first = root(piece[0])
        for i in piece[1:]:
            sets[root(i)] = first
    firsts: dict[int, Array] = {}
    for piece, at in zip(figure.pieces, figure.first):
        firsts.setdefault(root(piece[0]), figure.corners[at])
    return list(firsts.values())


def _is_outside(point: Array, triangles: Array) -> bool:
    """Whether a line from a point surely crosses triangles an even number of times; lines that pass an edge are not
    counted."""
    a, b, c = (triangles[:, k] - point for k in range(3))
    size = np.sqrt(np.maximum((a * a).sum(1), np.maximum((b * b).sum(1), (c * c).sum(1))))
    normal = np.cross(b - a, c - a)
    height = (a * normal).sum(1)
    for line in ([0.61, 0.53, 0.59], [-0.41, 0.87, 0.27], [0.23, -0.31, 0.92], [-0.71, -0.47, -0.52], [0.13, 0.97, -0.2]):
        sides = np.stack([np.cross(p, q) @ np.array(line) for p, q in ((a, b), (b, c), (c, a))])
        open_side = 1e-13 * size * size
        above, below = (sides > open_side).all(0), (sides < -open_side).all(0)
        beside = (sides > open_side).any(0) & (sides < -open_side).any(0)
        met = above | below
        if not (met | beside).all() or (met & (np.abs(height) <= 1e-13 * size**3)).any():
            continue
        crossed = met & ((height > 0) == (normal @ np.array(line) > 0))
        return int(crossed.sum()) % 2 == 0
    return False


def main(files: list[str]) -> int:
    """Verifies files, and tells what they show; 1 if one does not hold."""
    status = 0
    for file in files:
        try:
            found = verify(file)
        except (NotVerified, OSError) as why:
            print(f"{file}: {why}")
            status = 1
        else:
            print(f"{file}: free on {found.edges} edges, {found.pairs} pairs of bodies, {found.leaves} leaves")
            for one, other, reason in found.left_out:
                print(f"  not looked at: {one} and {other}, {reason}")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
