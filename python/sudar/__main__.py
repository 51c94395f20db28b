"""The `sudar` command, inside the package: `sudar clash` or `python -m sudar clash`."""

from __future__ import annotations

import sys

from sudar import _core


def main() -> int:
    """Runs the command with the words of the command line and gives its exit status."""
    return _core.command(["sudar", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
