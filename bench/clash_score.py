"""Scores lists of clashes against the truth of `sudar clash --write-benchmark`.

    python bench/clash_score.py FOLDER/truth.json NAME=PAIRS.json ...

PAIRS.json is a document of `sudar clash --json`, or a list of [name, name] or [name, name, kind]. A kind is hard,
contained, duplicate, touch or clearance; without one a pair counts as found and as of no kind. Of a path as STEP has
it the last name counts. For each kind of the truth the table says how many pairs were found at all and how many of
these by that kind; `false` are pairs that are further apart than the clearance, and `false alarms` pairs that only
touch or are apart and are said to be hard, contained or duplicate. The exit status is 1 if any tool errs.
"""

import json
import sys

KINDS = ["hard", "contained", "duplicate", "touch", "clearance"]
INTERFERE = set(KINDS[:3])


def key(names):
    return tuple(sorted(name.rsplit("/", 1)[-1] for name in names))


def pairs_of(path):
    with open(path, encoding="utf-8") as stream:
        found = json.load(stream)
    if isinstance(found, dict):
        found = [[*clash["names"], clash["kind"]] for clash in found["clashes"]]
    return {key(pair[:2]): (pair[2] if len(pair) > 2 else None) for pair in found}


def score(truth, found, names):
    kinds = {key(pair["names"]): pair["kind"] for pair in truth["pairs"]}
    unknown = {name for pair in found for name in pair} - names
    if unknown:
        sys.exit(f"the truth has no element '{sorted(unknown)[0]}'; name the list that belongs to it")
    row = {}
    for kind in KINDS:
        meant = [pair for pair, one in kinds.items() if one == kind]
        there = [pair for pair in meant if pair in found]
        row[kind] = (len(there), sum(found[pair] == kind for pair in there), len(meant))
    row["false"] = sum(pair not in kinds for pair in found)
    row["false alarms"] = sum(kind in INTERFERE and kinds.get(pair) not in INTERFERE for pair, kind in found.items())
    return row


def main():
    if len(sys.argv) < 3 or not all("=" in text for text in sys.argv[2:]):
        sys.exit("usage: clash_score.py truth.json NAME=PAIRS.json ...")
    with open(sys.argv[1], encoding="utf-8") as stream:
        truth = json.load(stream)
    names = {element["name"] for element in truth["elements"]}
    print("| tool | " + " | ".join(KINDS) + " | false | false alarms |")
    print("|---|" + "---:|" * (len(KINDS) + 2))
    is_right = True
    for text in sys.argv[2:]:
        tool, path = text.split("=", 1)
        row = score(truth, pairs_of(path), names)
        cells = [f"{found} ({right}) of {all_}" for found, right, all_ in (row[kind] for kind in KINDS)]
        print(f"| {tool} | " + " | ".join(cells) + f" | {row['false']} | {row['false alarms']} |")
        is_right &= not row["false"] and not row["false alarms"] and all(found == right == n for found, right, n in (row[kind] for kind in KINDS))
    sys.exit(0 if is_right else 1)


if __name__ == "__main__":
    main()
