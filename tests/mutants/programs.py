"""Tests as programs: which mutants each case reaches, and which cases fail with a mutant."""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import time

PYTHON_TEST = re.compile(r"^class (\w+)|^    def (test_\w+)", re.M)
FAILED = re.compile(r"^\[  FAILED  \] ([\w/]+\.[\w/]+)", re.M)
PASSED = {"ok", "skipped"}
# Mutants may delete the wrong file and end the wrong process: outside of this they can't.
CONFINED = ("prlimit --core=0 --data=8000000000 bwrap --ro-bind / / --dev-bind /dev /dev --proc /proc --tmpfs /tmp "
            "--tmpfs /run --unshare-pid --unshare-net --unshare-ipc --die-with-parent --new-session").split()
CONFINED += ["--cap-add", "ALL"] if os.geteuid() == 0 else []


class Program:
    """A program of GoogleTest's cases, or a test in Python, which is one case."""

    def __init__(self, name, label, command, environment, folder):
        self.name, self.label, self.command, self.environment, self.folder = name, label, command, environment, folder
        self.has_cases = command[0].endswith("_test")
        self.cases = {}  # name -> seconds, and the mutants that it reaches

    def content(self):
        program = pathlib.Path(self.command[0])
        return program.read_bytes() if program.exists() else b""

    def listed(self):
        if not self.has_cases:
            return [self.name]
        options = ["--gtest_list_tests", "--gtest_output=json:/dev/stderr"]
        suites = json.loads(subprocess.run([self.command[0], *options], capture_output=True).stderr)["testsuites"]
        return [f"{suite['name']}.{case['name']}" for suite in suites for case in suite["testsuite"]]

    def run(self, cases, variables, binds=()):
        """Runs the cases once. Returns how that ended, what the program says of it, and the seconds."""
        command = [*CONFINED, *binds, *(word for word in self.command if word != "--gtest_brief=1")]
        variables = {**os.environ, **self.environment, **variables, "GTEST_FILTER": ":".join(cases)}
        allowed = 5 + 8 * sum(self.cases.get(case, {"seconds": 60})["seconds"] for case in cases)
        begin = time.monotonic()
        try:
            run = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                 cwd=self.folder, env=variables, timeout=allowed)
        except subprocess.TimeoutExpired:
            return "hung", "", allowed
        how = {0: "ok", 1: "failed", 77: "skipped"}.get(run.returncode, "crashed")
        return how, run.stdout.decode(errors="replace"), time.monotonic() - begin

    def measure(self, case):
        """Runs a case without a mutant. Returns its time and what it reaches, or None if it does not pass."""
        with tempfile.NamedTemporaryFile() as reach:
            reach.truncate(1 << 16)  # as in mutants.hpp
            how, _, seconds = self.run([case], {"TICTACTOE_REACH": reach.name}, ["--bind", reach.name, reach.name])
            reaches = [mutant for mutant, byte in enumerate(reach.read()) if byte]
        return {"seconds": seconds, "reaches": reaches} if how == "ok" else None

    def killers(self, mutant, cases):
        """The cases that fail with a mutant, and how: together, and then alone."""
        killers, variables = {}, {"TICTACTOE_MUTANT": str(mutant)}
        how, said, _ = self.run(cases, variables) if cases else ("ok", "", 0)
        suspects = [] if how in PASSED else how == "failed" and FAILED.findall(said) or cases
        for case in dict.fromkeys(suspects):
            how, _, _ = self.run([case], variables)
            killers.update({case: how} if how not in PASSED else {})
            if list(killers.values()).count("hung") == 3:
                break  # the others would take long
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
        environment.update(GTEST_TOTAL_SHARDS="1", GTEST_SHARD_INDEX="0")
        name = re.sub(r"\.\d+$", "", test["name"])
        program = Program(name, label, test["command"], environment, properties.get("WORKING_DIRECTORY"))
        if label == "browser":  # each test takes seconds
            programs.update({one.name: one for one in tests_of(program)})
        elif not program.has_cases or b"TICTACTOE_REACH" in program.content():
            programs.setdefault(name, program)
    return sorted(programs.values(), key=lambda program: labels.index(program.label))
