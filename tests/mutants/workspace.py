"""A copy of the sources in build/mutants/src, with mutants in it, and its build."""

import collections
import concurrent.futures
import functools
import json
import pathlib
import random
import re
import shlex
import subprocess
import sys

import sites

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORK = ROOT / "build" / "mutants"
SOURCES, BUILD = WORK / "src", WORK / "build"
# What stands before a mutant, and a mutant as a whole.
BEGIN, WHOLE = re.compile(rb"/\*<(\d+)\*/"), re.compile(rb"/\*<(\d+)\*/.*?/\*>\1\*/", re.S)
say = functools.partial(print, file=sys.stderr, flush=True)
PLACE = re.compile(r"^(/[^:\n]+):(\d+):(\d+): (?:fatal )?(error|note): ", re.M)


def products(directories):
    """The sources in the directories, not in those below: path in the copy -> content."""
    return {str(SOURCES / directory / path.name): path.read_bytes() for directory in directories
            for path in sorted((ROOT / directory).iterdir()) if path.suffix in (".cpp", ".hpp", ".js")}


def write(path, content):
    """Leaves a file alone that is as it should be, so that it is not compiled again."""
    if not path.is_file() or path.read_bytes() != content:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def copy(mutated=()):
    """Copies the sources, except those that are mutated, and configures the build."""
    listed = ["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = {name for name in subprocess.check_output(listed, text=True).split("\0") if (ROOT / name).is_file()}
    for name in names:
        if str(SOURCES / name) not in mutated:
            write(SOURCES / name, (ROOT / name).read_bytes())
            (SOURCES / name).chmod((ROOT / name).stat().st_mode)
    for path in SOURCES.rglob("*"):
        if path.is_file() and str(path.relative_to(SOURCES)) not in names:
            path.unlink()
    if not (BUILD / "build.ninja").exists():
        subprocess.run(["cmake", "--preset", "release", "-B", BUILD, "-DCMAKE_CXX_COMPILER=clang++-19",
                        "-DCMAKE_BUILD_TYPE=Mutants", "-DCMAKE_CXX_FLAGS_MUTANTS=-O1 -w -ferror-limit=0"],
                       cwd=SOURCES, check=True, stdout=subprocess.DEVNULL)


def ninja(jobs, *targets):
    """Builds as much as possible. Returns the output if it failed."""
    run = subprocess.run(["ninja", "-C", BUILD, "-k0", f"-j{jobs}", *targets], stdout=subprocess.PIPE, text=True)
    return run.stdout if run.returncode else ""


def candidates(sources, jobs):
    """All changes of the sources: name -> edits."""
    if all(name.endswith(".js") for name in sources):
        return json.loads(subprocess.check_output(["node", ROOT / "tests/mutants/page_sites.js", *sources]))
    entries = json.loads((BUILD / "compile_commands.json").read_text())
    products = (entry["command"] for entry in entries if "/tests/" not in entry["file"].removeprefix(str(SOURCES)))
    options = shlex.split(" ".join(dict.fromkeys(re.findall(r"(?:-isystem |-I|-D|-std=)\S+", "\n".join(products)))))
    find = functools.partial(sites.find, options=options)
    with concurrent.futures.ProcessPoolExecutor(jobs) as pool:
        return dict(zip(sources, pool.map(find, sources)))


def described(source, edits):
    """The line of a change, and a text that names it and does not depend on other lines."""
    def short(text):
        text = " ".join(text.split())
        return text if len(text) <= 90 else f"{text[:42]} ... {text[-42:]}"

    start, end, text = edits[0]
    line = source.count(b"\n", 0, start)
    other = "(dropped)" if text is None else short(text) + " and vice versa" * (len(edits) > 1)
    change = f"{short(source[start:end].decode())}  ->  {other}"
    return line + 1, f"{source.splitlines()[line].strip().decode()}  ##  {change}"


def draw(found, sources, directories, seed, count):
    """Draws mutants in each directory, spread over its lines."""
    mutants, seen = [], collections.Counter()
    for directory in directories:
        chance, lines, ranked = random.Random(f"{seed} {directory}"), collections.defaultdict(list), []
        for name in sorted(name for name in found if pathlib.Path(name).parent == SOURCES / directory):
            for edits in sorted(found[name], key=lambda edits: (edits[0][:2], repr(edits))):
                line, text = described(sources[name], edits)
                key = f"{pathlib.Path(name).relative_to(SOURCES)}: {text}"
                seen[key] += 1
                lines[name, line].append({"directory": directory, "file": name, "line": line, "edits": edits,
                                          "key": key + (f"  #{seen[key]}" if seen[key] > 1 else "")})
        for _, changes in sorted(lines.items()):
            chance.shuffle(changes)
            ranked += [(rank, chance.random(), change) for rank, change in enumerate(changes)]
        mutants += [change for _, _, change in sorted(ranked, key=lambda item: item[:2])[:count]]
    return [{"id": number, "compiles": True, **mutant} for number, mutant in enumerate(mutants, 1)]


def rendered(source, edits, is_script):
    """The source with edits (first byte, last + 1, text, mutant) in it."""
    chosen, nothing, ignored = (b"globalThis.isMutant?.(%d)", b"void 0", b"%s") if is_script else (
        b"::mutants::on(%d)", b"static_cast<void>(0)", b"static_cast<void>(%s)")

    def render(start, end, edits):
        parts = []
        while edits:
            first, last = edits[0][:2]
            same = [edit for edit in edits if edit[:2] == (first, last)]
            text = render(first, last, [edit for edit in edits if edit[1] <= last and edit not in same])
            for _, _, other, mutant in same:
                changed, text = (nothing, ignored % text) if other is None else (other.encode(), text)
                choice = chosen % mutant, changed, text
                text = b"/*<%d*/(%s ? (%s) : (%s))/*>%d*/" % (mutant, *choice, mutant)
            parts += [source[start:first], text]
            start, edits = last, [edit for edit in edits if edit[0] >= last]
        return b"".join(parts) + source[start:end]

    header = b"" if is_script else b'#include "%s"\n' % str(SOURCES / "tests/mutants/mutants.hpp").encode()
    return header + render(0, len(source), sorted(edits, key=lambda edit: (edit[0], -edit[1], edit[3])))


def guilty(output):
    """The mutants that the compiler complains of."""
    found = set()
    for name, line, column, kind in sorted(PLACE.findall(output), key=lambda place: place[3]):
        if name.startswith(str(SOURCES)) and not (found and kind == "note"):
            lines = pathlib.Path(name).read_bytes().splitlines(keepends=True)
            before = b"".join([*lines[:int(line) - 1], lines[int(line) - 1][:int(column) - 1]])
            found.update(BEGIN.findall(WHOLE.sub(b"", before))[-1:] or BEGIN.findall(lines[int(line) - 1]))
    return {int(mutant) for mutant in found}


def build(sources, mutants, targets, jobs):
    """Builds the targets, one after the other. Marks the mutants that do not compile, and goes on without them."""
    for target in targets:
        while True:
            for name, source in sources.items():
                own = [mutant for mutant in mutants if mutant["file"] == name and mutant["compiles"]]
                edits = [(*edit, mutant["id"]) for mutant in own for edit in mutant["edits"]]
                write(pathlib.Path(name), rendered(source, edits, name.endswith(".js")) if edits else source)
            if not (output := ninja(jobs, target)):
                break
            (WORK / "build.log").write_text(output)
            if not (wrong := guilty(output)):
                raise SystemExit(f"mutants: the build failed; see {WORK}/build.log")
            say(f"{len(wrong)} mutants do not compile")
            for mutant in mutants:
                mutant["compiles"] &= mutant["id"] not in wrong
