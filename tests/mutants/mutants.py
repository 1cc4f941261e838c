#!/usr/bin/python3 -B
"""Shows which tests notice small mistakes in the product: tests/README.md."""

import argparse
import collections
import concurrent.futures
import hashlib
import json
import os

import programs
import workspace
from workspace import BUILD, WORK, say

LEVELS = "unit,property,integration,simulation"
RESULTS = WORK / "results"


def place(directory, kind):
    return RESULTS / f"{directory.replace('/', '.')}.{kind}"


def loaded(path, identity):
    """What was kept for the same sources and programs."""
    kept = json.loads(path.read_text()) if path.exists() else {}
    return kept.get("kept") if kept.get("identity") == hashlib.sha256(identity).hexdigest() else None


def keep(path, identity, what):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"identity": hashlib.sha256(identity).hexdigest(), "kept": what}, indent=1))
    return what


def prepare(options, sources, targets):
    """Draws the mutants, unless they are drawn, and builds them. Returns those that compile."""
    identity = repr((options.directories, options.seed, options.count, sources)).encode()
    mutants = loaded(WORK / "mutants.json", identity)
    workspace.copy(sources if mutants else ())
    if not mutants:
        workspace.ninja(options.jobs, "tictactoe_proto")
        found = workspace.candidates(sources, options.jobs)
        mutants = workspace.draw(found, sources, options.directories, options.seed, options.count)
    say(f"Building {len(mutants)} mutants ...")
    workspace.build(sources, mutants, targets, options.jobs)
    for directory in options.directories:
        keep(place(directory, "json"), b"", [mutant for mutant in mutants if mutant["directory"] == directory])
    return [mutant for mutant in keep(WORK / "mutants.json", identity, mutants) if mutant["compiles"]]


def measure(tests, mutants, pool):
    """Runs each case of the programs alone, for its time and what it reaches."""
    for test in tests:
        path, names = WORK / "reach" / f"{test.name}.json", test.listed()
        identity = json.dumps([mutants, names]).encode() + test.content()
        cases = loaded(path, identity)
        if cases is None:
            cases = keep(path, identity, dict(zip(names, pool.map(test.measure, names))))
        test.cases = {name: data for name, data in cases.items() if data}
        say(f"{test.name}: {len(test.cases)} cases, {sum(data['seconds'] for data in test.cases.values()):.0f} s")
        for name in cases.keys() - test.cases.keys():
            say(f"  left out, for it does not pass without a mutant: {name}")


def results(directories):
    """mutant -> the levels it met, how many cases reach it, and its killers"""
    known = collections.defaultdict(lambda: {"levels": set(), "reached": 0, "killers": {}})
    for path in (place(directory, "jsonl") for directory in directories):
        for record in map(json.loads, path.read_text().splitlines() if path.exists() else []):
            entry = known[record["mutant"]]
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
        record["reached"] += len(cases)
        record["killers"].update({f"{test.name} {name}": how for name, how in found.items()})
        if quick and found:
            break
    with place(mutant["directory"], "jsonl").open("a") as file:
        file.write(json.dumps(record) + "\n")  # at once, so that threads don't mix their lines


def run(options, sources, is_page):
    levels = (options.survivors or ("browser" if is_page else LEVELS)).split(",")
    targets = ["all"] if options.survivors else [f"tests/{level}/all" for level in levels]
    mutants = prepare(options, sources, ["common/all", "server/all", "client/all", *targets])
    known, tests = results(options.directories), programs.load(BUILD, levels)
    left = [mutant for mutant in mutants if not known[mutant["key"]]["killers"] and (
        options.again or not known[mutant["key"]]["levels"].issuperset(levels))]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        measure(tests, mutants, pool)
        tests.sort(key=lambda test: (levels.index(test.label), sum(data["seconds"] for data in test.cases.values())))
        say(f"{len(left)} of {len(mutants)} mutants are left to run")
        runs = pool.map(lambda mutant: meet(mutant, tests, levels, options.quick or options.survivors), left)
        for done, _ in enumerate(runs, 1):
            say(f"{done} of {len(left)}")


def verdict(mutant, entry):
    kinds = {"not compiled": not mutant["compiles"], "killed": entry["killers"], "survived": entry["reached"],
             "not reached": entry["levels"], "not run": True}
    return next(kind for kind, holds in kinds.items() if holds)


def report(directories):
    """A row for each directory, then its survivors."""
    kinds, known, survivors = ("killed", "survived", "not reached", "not run", "not compiled"), results(directories), []
    print(f"{'directory':24}", *(f"{kind:>13}" for kind in ("drawn", *kinds)))
    for directory in directories:
        own = [(verdict(mutant, known[mutant["key"]]), mutant) for mutant in loaded(place(directory, "json"), b"")]
        counts = collections.Counter(kind for kind, _ in own)
        print(f"{directory:24}", *(f"{cell:13}" for cell in (len(own), *(counts[kind] for kind in kinds))))
        survivors += [f"{mutant['key'].split(': ')[0]}:{mutant['line']}: {mutant['key'].split('  ##  ')[1]} ({kind})"
                      for kind, mutant in own if kind in ("survived", "not reached")]
    print(*survivors, sep="\n")


def report_tests(directories):
    """For each case: how many mutants it kills, and how many no other case kills."""
    kills, alone = collections.Counter(), collections.Counter()
    for path in (WORK / "reach").glob("*.json"):
        kills.update({f"{path.stem} {name}": 0 for name in json.loads(path.read_text())["kept"]})
    for killers in (entry["killers"] for entry in results(directories).values()):
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
    parser.add_argument("--tests", action="store_true", help="print how many mutants each test kills, and kills alone")
    options = parser.parse_args()
    if options.report or options.tests:
        known = {path.stem.replace(".", "/") for path in RESULTS.glob("*.json")}
        if unknown := set(options.directories) - known:
            parser.error(f"there are no results of {' and '.join(sorted(unknown))}")
        return (report_tests if options.tests else report)(options.directories or sorted(known))
    sources = workspace.products(options.directories)
    kinds = {name.endswith(".js") for name in sources}
    if len(kinds) != 1:
        parser.error("name directories of C++ sources, such as server/room, or of the page, such as client/web/board")
    run(options, sources, True in kinds)


if __name__ == "__main__":
    main()
