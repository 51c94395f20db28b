#!/usr/bin/env python3
"""Which URDF files load: bench/urdf.py SUDAR NAME=FOLDER … prints a table, and each refusal as the command says it.

Every file below a folder that ends in .urdf counts, as it is there: no package is named and nothing is left out."""
import subprocess
import sys
from pathlib import Path

command, *folders = sys.argv[1:]
refused, rows = [], []
for named in folders:
    name, folder = named.split("=", 1)
    files = sorted(path for path in Path(folder).rglob("*.urdf") if path.is_file())
    found = 0
    for path in files:
        run = subprocess.run([command, "robot", path, "--json"], capture_output=True, text=True, timeout=600)
        if run.returncode == 0:
            found += 1
        else:
            why = run.stderr.strip().splitlines()[-1].removeprefix("sudar: ").replace(f"{folder.rstrip('/')}/", "")
            refused.append((f"{name}: {path.relative_to(folder)}", why))
    rows.append((name, len(files), found))
rows.append(("all", sum(row[1] for row in rows), sum(row[2] for row in rows)))
print("| files of | URDF files | load | |\n|---|---:|---:|---:|")
for name, files, found in rows:
    print(f"| {name} | {files} | {found} | {100 * found / max(files, 1):.1f} % |")
print("\n| refused | why |\n|---|---|")
for file, why in refused:
    print(f"| {file} | {why} |")
