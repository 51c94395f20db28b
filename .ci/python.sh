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
# As `cargo build` would, in the folder that all share; what is given away is built by `pip install .`.
export CARGO_TARGET_DIR="$PWD/target" PYO3_PYTHON="$python"
PYO3_BUILD_EXTENSION_MODULE=1 cargo build --release --locked --manifest-path crates/sudar-py/Cargo.toml
cp target/release/lib_core.so python/sudar/_core.abi3.so
cargo clippy --locked --manifest-path crates/sudar-py/Cargo.toml -- -D warnings
export PYTHONPATH="$PWD/python"
"$python" -m mypy --no-error-summary -p sudar
"$python" -m mypy.stubtest sudar._core --concise
"$python" -m pytest python/tests --durations 5
