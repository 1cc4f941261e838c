#!/usr/bin/python3 -B
"""Shows which tests notice small mistakes in the product: tests/README.md."""

import argparse
import collections
import concurrent.futures
import hashlib
import json
import os
import pathlib

import programs
import workspace
from workspace import BUILD, WORK, say

LEVELS = ["unit", "property", "integration", "simulation"]
PAGE = "client/web"
RESULTS = WORK / "results"


def place(directory, kind, folder=RESULTS):
    return folder / f"{directory.replace('/', '.')}.{kind}"


def loaded(path, identity):
    """What was kept for the same sources and programs."""
    kept = json.loads(path.read_text()) if path.exists() else {}
    return kept.get("kept") if kept.get("identity") == hashlib.sha256(identity).hexdigest() else None


def keep(path, identity, what):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"identity": hashlib.sha256(identity).hexdigest(), "kept": what}, indent=1))
    return what


def prepare(options, targets):
    """Draws the mutants, unless they are drawn, and builds them."""
    directories = options.directories
    sources = workspace.products(directories)
    identity = repr((directories, options.seed, options.count, sources)).encode()
    mutants = loaded(WORK / "mutants.json", identity)
    workspace.copy(sources if mutants else ())
    if mutants:
        workspace.build(sources, mutants, targets, options.jobs)
        return mutants
    if not options.page:
        workspace.ninja(options.jobs, "tictactoe_proto")
        targets = [*sorted({f"{directory.split('/')[0]}/all" for directory in directories}), *targets]
    found = workspace.candidates(sources, options.jobs)
    drawn = workspace.draw(found, sources, directories, options.seed, options.count)
    say(f"Building {len(drawn)} mutants ...")
    mutants = workspace.build(sources, drawn, targets, options.jobs)
    for directory in directories:
        own, left = [[mutant for mutant in some if mutant["directory"] == directory] for some in (drawn, mutants)]
        lines = {mutant["key"]: mutant["line"] for mutant in left}
        keep(place(directory, "json"), b"", {"seed": options.seed, "drawn": len(own), "mutants": lines})
    return keep(WORK / "mutants.json", identity, mutants)


def measure(tests, mutants, pool):
    """Runs each case of the programs alone, for its time and what it reaches."""
    last = max(mutant["id"] for mutant in mutants)
    for test in tests:
        path, names = WORK / "reach" / f"{test.name}.json", test.listed()
        identity = json.dumps([mutants, names]).encode() + test.content()
        cases = loaded(path, identity)
        if cases is None:
            cases = keep(path, identity, dict(zip(names, pool.map(lambda name: test.measure(name, last), names))))
        test.cases = {name: data for name, data in cases.items() if data}
        say(f"{test.name}: {len(test.cases)} cases, {sum(data['seconds'] for data in test.cases.values()):.0f} s")
        for name in cases.keys() - test.cases.keys():
            say(f"  left out, for it does not pass without a mutant: {name}")


def results(directory, folder=RESULTS):
    """mutant -> the levels it met, how many cases reach it, and its killers"""
    known, path = {}, place(directory, "jsonl", folder)
    for line in path.read_text().splitlines() if path.exists() else []:
        record = json.loads(line)
        entry = known.setdefault(record["mutant"], {"levels": set(), "reached": 0, "killers": {}})
        entry["levels"].update(record["levels"])
        entry["reached"] = max(entry["reached"], record["reached"])
        entry["killers"].update(record["killers"])
    return known


def meet(mutant, tests, levels, quick):
    """Runs the tests with a mutant: all programs, or until a case of one fails."""
    record = {"mutant": mutant["key"], "levels": levels, "reached": 0, "killers": {}}
    for test in tests:
        cases = [name for name, data in test.cases.items() if mutant["id"] in data["reaches"]]
        found = test.killers(mutant["id"], cases)
        if len(found) == 1:  # may be chance
            found = test.killers(mutant["id"], list(found))
        record["reached"] += len(cases)
        record["killers"].update({f"{test.name} {name}": how for name, how in found.items()})
        if quick and found:
            break
    with place(mutant["directory"], "jsonl").open("a") as file:
        file.write(json.dumps(record) + "\n")  # at once, so that threads don't mix their lines


def run(options):
    levels = options.survivors.split(",") if options.survivors else ["browser"] if options.page else LEVELS
    targets = ["all"] if options.survivors else [f"tests/{level}/all" for level in LEVELS]
    mutants = prepare(options, ["tictactoe-server", "tictactoe"] if options.page else targets)
    tests, left, unknown = programs.load(BUILD, levels), [], {"levels": set(), "killers": {}}
    for directory in options.directories:
        known = results(directory)
        for mutant in (mutant for mutant in mutants if mutant["directory"] == directory):
            entry = known.get(mutant["key"], unknown)
            missing = options.again or not entry["levels"].issuperset(levels)
            if missing and not (entry["killers"] and (options.again or options.survivors)):
                left.append(mutant)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        measure(tests, mutants, pool)
        tests.sort(key=lambda test: (levels.index(test.label), sum(data["seconds"] for data in test.cases.values())))
        say(f"{len(left)} of {len(mutants)} mutants are left to run")
        runs = pool.map(lambda mutant: meet(mutant, tests, levels, options.quick or options.survivors), left)
        for done, _ in enumerate(runs, 1):
            say(f"{done} of {len(left)}")


def report(options):
    """A row for each directory, then its survivors; and those that other results do not have."""
    rows, survivors = [("directory", "mutants", "killed", "survived", "not reached", "not run", "not compiled")], []
    for directory in options.directories:
        plan, known = loaded(place(directory, "json"), b""), results(directory)
        before, counts = results(directory, options.against or RESULTS), collections.Counter()
        for key, line in plan["mutants"].items():
            entry = known.get(key)
            kind = "not run" if not entry else "killed" if entry["killers"] else (
                "survived" if entry["reached"] else "not reached")
            counts[kind] += 1
            if kind not in ("killed", "not run"):
                was = " KILLED BEFORE" if before.get(key, {}).get("killers") else ""
                survivors.append(f"{key.partition(': ')[0]}:{line}: {key.partition('  ##  ')[2]} ({kind}){was}")
        rows.append((directory, len(plan["mutants"]), *(counts[kind] for kind in rows[0][2:6]),
                     plan["drawn"] - len(plan["mutants"])))
    rows = [f"{row[0]:24}" + "".join(f"{cell:>14}" for cell in row[1:]) for row in rows]
    print(*rows, *survivors, sep="\n")


def report_tests(options):
    """For each case: how many mutants it kills, and how many no other case kills."""
    kills, alone = collections.Counter(), collections.Counter()
    for path in (WORK / "reach").glob("*.json"):
        kills.update({f"{path.stem} {name}": 0 for name in json.loads(path.read_text())["kept"]})
    for killers in (entry["killers"] for name in options.directories for entry in results(name).values()):
        kills.update(killers.keys())
        alone.update(killers.keys() if len(killers) == 1 else ())
    names = sorted(kills, key=lambda name: (-alone[name], -kills[name], name))
    print(f"{'kills':>7}{'alone':>7}  case", *(f"{kills[name]:7}{alone[name]:7}  {name}" for name in names), sep="\n")


def main():
    parser = argparse.ArgumentParser(prog="./run mutants", description=__doc__)
    parser.add_argument("directories", nargs="*", metavar="DIRECTORY", type=lambda name: name.strip("/"))
    parser.add_argument("--seed", type=int, default=1, help="draw other mutants (1)")
    parser.add_argument("--count", type=int, default=100, help="mutants of each directory (100)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="programs at a time (one a core)")
    parser.add_argument("--quick", action="store_true", help="leave a mutant after the first program that kills it")
    parser.add_argument("--survivors", metavar="TESTS", help="test what survived with other labels or tests, as e2e")
    parser.add_argument("--again", action="store_true", help="test what survived with today's tests")
    parser.add_argument("--report", action="store_true", help="print a table of the directories, and what survived")
    parser.add_argument("--against", type=pathlib.Path, metavar="RESULTS", help="mark what these older results killed")
    parser.add_argument("--tests", action="store_true", help="print how many mutants each test kills, and kills alone")
    options = parser.parse_args()
    known = sorted(path.stem.replace(".", "/") for path in RESULTS.glob("*.json"))
    reports = options.report or options.tests
    options.directories = options.directories or (known if reports else ["."])
    for name in options.directories:
        if name not in known if reports else not workspace.products([name]):
            parser.error(f"{name} has no {'results' if reports else 'sources; server/room has'}")
    pages = {name.split("/")[:2] == PAGE.split("/") for name in options.directories}
    if len(pages) == 2 and not reports:
        parser.error(f"{PAGE} has other tests: name its directories alone")
    options.page = True in pages
    if not reports:
        run(options)
    (report_tests if options.tests else report)(options)


if __name__ == "__main__":
    main()
