#!/usr/bin/env python3
"""Checks the pages and comments of the repository: no line beyond 120 characters, no link to what is not there,
a README of at most 900 words. Tables of measurements in bench/results are as the programs print them."""
import os
import re
import subprocess
import sys

MOST = 120
faults = []


def heading_anchor(heading):
    return re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")


def check_links(path, text):
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        # The laboratory is beside the guide on the web site; its links are opened by a test.
        if re.match(r"[a-z]+:|\.\./\.\./lab/#", target):
            continue
        name, _, anchor = target.partition("#")
        folder = os.path.dirname(os.path.realpath(path))
        found = os.path.join(folder, name) if name else path
        if not os.path.exists(found):
            faults.append(f"{path}: no file {target}")
        elif anchor and found.endswith(".md"):
            headings = re.findall(r"^#+ (.*)$", open(found, encoding="utf-8").read(), re.M)
            if anchor not in map(heading_anchor, headings):
                faults.append(f"{path}: no heading {target}")


listed = subprocess.check_output(["git", "ls-files", "*.md", "*.rs"], text=True).split()
for path in (path for path in listed if os.path.isfile(path)):
    text = open(path, encoding="utf-8").read()
    is_page = path.endswith(".md")
    if is_page:
        check_links(path, text)
    if path.startswith("bench/results/"):
        continue
    for number, line in enumerate(text.split("\n"), 1):
        # A link to the laboratory says all that is chosen in it.
        is_link = line.startswith("[`#")
        if len(line) > MOST and not is_link and (is_page or line.lstrip().startswith("//")):
            faults.append(f"{path}:{number}: {len(line)} characters")

words = len(open("README.md", encoding="utf-8").read().split())
if words > 900:
    faults.append(f"README.md: {words} words")

print("\n".join(faults) or "pages and comments are well")
sys.exit(bool(faults))
