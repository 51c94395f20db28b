#!/usr/bin/env bash
# The Python package: builds the extension, checks its types and runs its tests beside python-fcl, Coal and trimesh.
#   .ci/python.sh FOLDER    the environment, which is made there if it is not
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p "$1"
folder="$(cd "$1" && pwd)"
[ -x "$folder/bin/python" ] || python3 -m venv "$folder"
python="$folder/bin/python"
"$python" -m pip install -q --disable-pip-version-check -r .ci/python.txt
# With the features that `cargo test --workspace` builds everything with, so that nothing is built twice. What is given
# away is built by `pip install .`.
PYO3_PYTHON="$python" cargo build --workspace --lib --examples --locked
cp target/debug/lib_core.so python/sudar/_core.abi3.so
export PYTHONPATH="$PWD/python"
"$python" -m mypy --no-error-summary -p sudar
"$python" -m mypy.stubtest sudar._core --concise
"$python" -m pytest python/tests --durations 5
