#!/usr/bin/env bash
# The page of `sudar clash --html` in a browser: report.mjs with a binary that is built already. The arguments are a folder
# with playwright-core in its node_modules, the binary, and optionally one for screenshots.
set -euo pipefail
tools="$(cd "$1" && pwd)"
binary="$(realpath "$2")"
cp "$(dirname "$0")/report.mjs" "$tools/"
node "$tools/report.mjs" "$binary" ${3+"$3"}
