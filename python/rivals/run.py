"""Runs another library's own tests with the stand-ins of `sudar.compat`. Nothing of it is copied.

    git clone https://github.com/mikedh/trimesh && pip install python-fcl lxml jsonschema
    python python/rivals/run.py trimesh trimesh        # tests/test_collision.py of that checkout
    git clone https://github.com/BerkeleyAutomation/python-fcl
    python python/rivals/run.py fcl python-fcl         # its tests/
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest


def main() -> int:
    if len(sys.argv) < 3 or sys.argv[1] not in ("trimesh", "fcl"):
        print(__doc__)
        return 2
    which, folder = sys.argv[1], Path(sys.argv[2])
    tests = folder / "tests"
    if not tests.is_dir():
        print(f"{tests}: is no folder; name a checkout of {which}")
        return 2
    if which == "trimesh":
        import trimesh.collision

        from sudar.compat import trimesh as ours

        trimesh.collision.CollisionManager = ours.CollisionManager
        trimesh.collision.scene_to_collision = ours.scene_to_collision
        sys.path.insert(0, str(tests))
        tests /= "test_collision.py"
    else:
        from sudar.compat import fcl

        sys.modules["fcl"] = fcl
    return pytest.main([str(tests), "-q", "-p", "no:cacheprovider", *sys.argv[3:]])


if __name__ == "__main__":
    sys.exit(main())
