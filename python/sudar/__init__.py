"""Collision detection with certified answers.

Shapes are made once and are cheap to share; poses are given with each call. Every query takes one pose or arrays of
them: leading dimensions broadcast as in numpy, and a batch answers with a structure of arrays.

>>> import numpy as np, sudar
>>> ball, box = sudar.Sphere(0.5), sudar.Box([1.0, 1.0, 0.1])
>>> above = np.eye(4); above[2, 3] = 2.0
>>> sudar.intersects(box, ball, pose_b=above)
False
>>> gap = sudar.distance(box, ball, pose_b=above)
>>> round(gap.lower, 9), round(gap.upper, 9)
(1.4, 1.4)

Poses are row-major (..., 4, 4) matrices, or a tuple (position (..., 3), quaternion (..., 4)) with the SCALAR LAST:
x, y, z, w. What is not rigid within 1e-6 is refused, with its index. Lengths are in any one unit throughout, angles in
radians. Errors are ValueError or TypeError of one line.

Arrays that are given are read while other Python threads may run: do not write to them during a call.
"""

import os as _os
import sys as _sys

from sudar import _core
from sudar._answers import (
    Answer,
    ClosestPoints,
    Contacts,
    Distances,
    LocalMinima,
    Manifold,
    Masses,
    Penetrations,
    RayHits,
    Rows,
    Status,
    Sweeps,
    Withins,
)
from sudar._clash import ClashTable, clash
from sudar._files import Model, Octomap, Part, load, octomap
from sudar._manager import Collisions, CollisionManager, Events, NearPairs
from sudar._plot import plot
from sudar._queries import (
    broad_phases,
    closest_point,
    contacts,
    contains,
    distance,
    hull,
    intersects,
    local_minima,
    manifold,
    mass,
    pairs,
    penetration,
    prove,
    Proof,
    ray,
    replay,
    self_intersections,
    sweep,
    within,
)
from sudar._robot import Attached, Robot, RobotCell
from sudar._robot_answers import (
    Clearances,
    Edges,
    EdgeStatus,
    FirstContacts,
    NoPlan,
    PairMaps,
    Plan,
    Reason,
    Reasons,
    SignedDistances,
    Trajectory,
)
from sudar._shapes import (
    Body,
    Box,
    Capsule,
    Compound,
    Cone,
    ConvexHull,
    Cylinder,
    Ellipsoid,
    Halfspace,
    HeightField,
    Mesh,
    Point,
    PointCloud,
    Segment,
    Sphere,
    Triangle,
)
from sudar._verify import NotVerified, Verified, verify
from sudar._world import Character, Difference, JointState, Recording, Touches, Walk, World

__version__ = "0.1.0"

__all__ = [
    "Answer", "Attached", "Body", "Box", "Capsule", "Character", "ClashTable", "Clearances", "ClosestPoints", "CollisionManager", "Collisions", "Compound",
    "Cone", "Contacts", "ConvexHull", "Cylinder", "Difference", "Distances", "EdgeStatus", "Edges", "Ellipsoid", "Events", "FirstContacts", "Halfspace", "HeightField", "JointState",
    "LocalMinima", "Manifold", "Masses", "Mesh", "Model", "NearPairs", "NoPlan", "NotVerified", "Octomap", "PairMaps", "Part", "Penetrations", "Plan", "Point", "PointCloud",
    "Proof", "RayHits", "Reason", "Reasons", "Recording", "Robot", "RobotCell", "Rows", "Segment", "SignedDistances", "Sphere", "Status", "Sweeps", "Touches", "Trajectory", "Triangle", "Verified", "Walk", "Withins", "World",
    "broad_phases", "clash", "closest_point", "contacts", "contains", "distance", "hull", "intersects", "load",
    "local_minima", "manifold", "mass", "octomap", "pairs", "penetration", "plot", "prove", "ray", "replay", "self_intersections",
    "sweep", "verify", "within",
]

if hasattr(_os, "register_at_fork"):
    _os.register_at_fork(after_in_child=_core.forked)
if _sys.executable:
    # Readers that are Python packages run in processes of their own.
    _core.set_interpreter(_sys.executable)
