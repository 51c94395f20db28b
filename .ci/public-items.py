#!/usr/bin/env python3
"""Lists the public items of the library: how many there are, names that exist twice, items without an example that nothing
else of ours uses.

    .ci/public-items.py          counts, twins and unused items
    .ci/public-items.py --all    every item with its path as well

Reads what rustdoc says as JSON, which a stable compiler writes under RUSTC_BOOTSTRAP.
"""

import collections
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
KINDS = {"struct", "enum", "trait", "function", "type_alias", "constant", "static", "macro", "union"}


def documented():
    command = "cargo rustdoc -q -p sudar --lib -- -Z unstable-options --output-format json".split()
    subprocess.run(command, check=True, cwd=ROOT, env={**os.environ, "RUSTC_BOOTSTRAP": "1"})
    return json.loads((ROOT / "target/doc/sudar.json").read_text())


def items(doc):
    """Public items of the crate by path, each at the deepest module that gives it away; methods are not items."""
    found = {}
    index = doc["index"]

    def enter(module, path, seen):
        for child in index[str(module)]["inner"]["module"]["items"]:
            item = index.get(str(child))
            if item is None:
                continue
            (kind,) = item["inner"]
            if kind == "use":
                use = item["inner"]["use"]
                target = index.get(str(use["id"]))
                if target is None or target["crate_id"] != 0:
                    continue
                (target_kind,) = target["inner"]
                if target_kind == "module" and use["is_glob"] and use["id"] not in seen:
                    enter(use["id"], path, seen | {use["id"]})
                elif target_kind in KINDS:
                    keep(use["id"], target, target_kind, path + [use["name"]])
            elif kind == "module" and child not in seen:
                enter(child, path + [item["name"]], seen | {child})
            elif kind in KINDS:
                keep(child, item, kind, path + [item["name"]])

    def keep(number, item, kind, path):
        known = found.get(number)
        if known is None or len(path) > len(known[2]):
            found[number] = (item, kind, path)

    enter(doc["root"], ["sudar"], {doc["root"]})
    return found.values()


def sources():
    listed = subprocess.check_output(["git", "ls-files", "*.rs"], cwd=ROOT, text=True).split()
    words = {}
    for name in listed:
        text = re.sub(r"//[^\n]*", "", (ROOT / name).read_text())
        words[name] = set(re.findall(r"\w+", text))
    return words


def main():
    public = sorted(items(documented()), key=lambda entry: entry[2])
    names = collections.Counter((entry[2][-1]) for entry in public)
    words = sources()
    print(f"{len(public)} public items")
    for name, count in sorted(names.items()):
        if count > 1:
            paths = ", ".join("::".join(path) for _, _, path in public if path[-1] == name)
            print(f"  {count} times: {paths}")
    for item, kind, path in public:
        home = item["span"]["filename"] if item["span"] else ""
        used = any(path[-1] in words[f] for f in words if f != home and not f.endswith(("/mod.rs", "/lib.rs")))
        has_example = "```" in (item["docs"] or "")
        if not used and not has_example:
            print(f"  unused: {'::'.join(path)}")
        if "--all" in sys.argv:
            print(f"  {kind} {'::'.join(path)}{' (example)' if has_example else ''}")


if __name__ == "__main__":
    main()
