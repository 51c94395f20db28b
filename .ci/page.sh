#!/usr/bin/env bash
# The page of the laboratory in a browser: serves what `xtask web --lab-only` has built, and runs page.mjs against it. The
# argument is a folder with playwright-core in its node_modules.
set -euo pipefail
tools="$(cd "$1" && pwd)"
said="$(mktemp)"
cargo run --quiet -p xtask --locked -- web --lab-only --serve --port 0 > "$said" 2>&1 &
server=$!
trap 'kill $server 2> /dev/null || true; rm -f "$said"' EXIT
for _ in $(seq 600); do
    address="$(sed -n 's/^\(http:[^ ]*\) .*/\1/p' "$said")"
    [ -n "$address" ] && break
    kill -0 "$server" 2> /dev/null || break
    sleep 0.1
done
[ -n "$address" ] || { cat "$said"; echo "page: there is no server"; exit 1; }
cp "$(dirname "$0")/page.mjs" "$tools/"
node "$tools/page.mjs" "${address}lab/"
