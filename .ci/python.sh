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
# In the folder and the profile of the other workspace, so that what both depend on is built once. What is given away is
# built by `pip install .`.
export CARGO_TARGET_DIR="$PWD/target" PYO3_PYTHON="$python"
export CARGO_PROFILE_DEV_OPT_LEVEL=1 CARGO_PROFILE_DEV_LTO=off
# Clippy's own compiler builds the crate and lints it in one pass, as `cargo clippy` calls it: that command would check
# all dependencies besides.
PYO3_BUILD_EXTENSION_MODULE=1 RUSTC_WORKSPACE_WRAPPER=clippy-driver CLIPPY_ARGS="-D__CLIPPY_HACKERY__warnings" \
    cargo build --locked --manifest-path crates/sudar-py/Cargo.toml
cp target/debug/lib_core.so python/sudar/_core.abi3.so
export PYTHONPATH="$PWD/python"
"$python" -m mypy --no-error-summary -p sudar
"$python" -m mypy.stubtest sudar._core --concise
"$python" -m pytest python/tests --durations 5
