"""Tests as programs: which mutants each case reaches, and which cases fail with a mutant."""

import json
import os
import pathlib
import re
import select
import subprocess
import tempfile
import time

PYTHON_TEST = re.compile(r"^class (\w+)|^    def (test_\w+)", re.M)
EVENT = re.compile(rb"\[ +(RUN|OK|FAILED|SKIPPED) +\] ([^\s,]+)")
# After so many ends of a program with a mutant its other cases are not tried.
MAX_ENDS = {"hung": 3, "crashed": 40}
# Mutants may delete the wrong file and end the wrong process: outside of this they can't.
CONFINED = ["bwrap", "--ro-bind", "/", "/", "--dev-bind", "/dev", "/dev",
            "--proc", "/proc", "--tmpfs", "/tmp", "--tmpfs", "/run", "--unshare-pid", "--unshare-net", "--unshare-ipc",
            "--die-with-parent", "--new-session", *(["--cap-add", "ALL"] if os.geteuid() == 0 else [])]


class Program:
    """A program of GoogleTest's cases, or a test in Python, which is one case."""

    def __init__(self, name, label, command, environment, folder):
        self.name, self.label, self.command, self.environment, self.folder = name, label, command, environment, folder
        self.has_cases = command[0].endswith("_test")
        self.cases = {}  # name -> seconds, and the mutants that it reaches

    def content(self):
        program = pathlib.Path(self.command[0])
        return b"TICTACTOE_REACH" if not self.has_cases else program.read_bytes() if program.exists() else b""

    def listed(self):
        if not self.has_cases:
            return [self.name]
        names, suite = [], ""
        for line in subprocess.check_output([self.command[0], "--gtest_list_tests"], text=True).splitlines():
            if case := re.match(r"  (\S+)", line):
                names.append(suite + case[1])
            elif match := re.match(r"(\S+\.)( |$)", line):
                suite = match[1]
        return names

    def start(self, cases, variables, binds):
        # A browser reserves more addresses than there is memory.
        limits = ["--core=0"] if self.label == "browser" else ["--core=0", "--as=8000000000"]
        command = ["prlimit", *limits, *CONFINED, *binds, *(word for word in self.command if word != "--gtest_brief=1")]
        variables = {**os.environ, **self.environment, **variables, "GTEST_FILTER": ":".join(cases)}
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                cwd=self.folder, env=variables)

    def run(self, cases, variables, binds=()):
        """Runs the cases once. Yields (case, how it ended, seconds) for those that ended, or ended the program."""
        case, last, since, rest, hung = None if self.has_cases else self.name, cases[0], time.monotonic(), b"", False
        with self.start(cases, variables, binds) as process:
            while True:
                allowed = since + 5 + 8 * self.cases.get(case, {"seconds": 60})["seconds"] - time.monotonic()
                hung = not select.select([process.stdout], [], [], max(0, allowed))[0]
                data = b"" if hung else os.read(process.stdout.fileno(), 1 << 16)
                if not data:
                    break
                *lines, rest = (rest + data).split(b"\n")
                for match in filter(None, map(EVENT.search, lines if self.has_cases else [])):
                    event, name = match[1].decode().lower(), match[2].decode()
                    if event == "run":
                        case = last = name
                    elif name == case:
                        yield case, event, time.monotonic() - since
                        case = None
                    since = time.monotonic()
            if hung:
                process.kill()
        passed = process.returncode in (0, 77)
        if hung or case is not None or not passed and process.returncode != 1:
            how = "ok" if passed and not self.has_cases else "crashed" if self.has_cases else "failed"
            yield last, "hung" if hung else how, time.monotonic() - since

    def measure(self, case, mutants):
        """Runs a case without a mutant. Returns its time and what it reaches, or None if it does not pass."""
        with tempfile.NamedTemporaryFile() as reach:
            reach.truncate(mutants + 1)
            ends = list(self.run([case], {"TICTACTOE_REACH": reach.name}, ["--bind", reach.name, reach.name]))
            reaches = [mutant for mutant, byte in enumerate(reach.read()) if byte]
        return {"seconds": ends[0][2], "reaches": reaches} if [end[:2] for end in ends] == [(case, "ok")] else None

    def killers(self, mutant, cases):
        """The cases that fail with a mutant, and how."""
        killers, left = {}, list(cases)
        while left and all(list(killers.values()).count(how) < most for how, most in MAX_ENDS.items()):
            ended = {case: how for case, how, _ in self.run(left, {"TICTACTOE_MUTANT": str(mutant)})}
            ended = ended or {left[0]: "crashed"}
            killers.update({case: how for case, how in ended.items() if how not in ("ok", "skipped")})
            left = [case for case in left if case not in ended]
        return killers


def tests_of(program):
    """A program for each test of a Python file."""
    environment, group = {"TICTACTOE_PATIENCE": "10", **program.environment}, ""
    for cls, name in PYTHON_TEST.findall(pathlib.Path(program.command[-1]).read_text()):
        group = cls or group
        if name:
            yield Program(f"{program.name} {group}.{name}", program.label, [*program.command, f"{group}.{name}"],
                          environment, program.folder)


def load(build, labels):
    """The tests of CTest that have one of the labels, or names, and mutants. Parts of a program are one test."""
    programs = {}
    for test in json.loads(subprocess.check_output(["ctest", "--test-dir", build, "--show-only=json-v1"]))["tests"]:
        properties = {item["name"]: item["value"] for item in test.get("properties", [])}
        label = next((label for label in labels if label in (*properties.get("LABELS", []), test["name"])), None)
        if label is None or "command" not in test:
            continue
        environment = dict(pair.split("=", 1) for pair in properties.get("ENVIRONMENT", []) if "=" in pair)
        name = test["name"].rsplit(".", 1)[0] if environment.pop("GTEST_TOTAL_SHARDS", "1") != "1" else test["name"]
        environment.pop("GTEST_SHARD_INDEX", None)
        program = Program(name, label, test["command"], environment, properties.get("WORKING_DIRECTORY"))
        if label == "browser":  # each test takes seconds
            programs.update({one.name: one for one in tests_of(program)})
        elif b"TICTACTOE_REACH" in program.content():
            programs.setdefault(name, program)
    return sorted(programs.values(), key=lambda program: labels.index(program.label))
