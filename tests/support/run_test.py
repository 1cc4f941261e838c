#!/usr/bin/python3 -B
"""Runs the tests of a file, or those that are named: run_test.py FILE [CLASS[.TEST]]...

The status is 0 if all passed, 1 if one failed or there was none, and 77 if none failed and some were
skipped, after a line `SKIPPED <test>: <reason>` for each.
"""

import importlib.util
import pathlib
import sys
import unittest

SKIPPED = 77


def load(path: pathlib.Path):
    """The module of a file, as if it had been started."""
    sys.path.insert(0, str(path.parent))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def report_skip(test: str, reason: object) -> None:
    print(f"SKIPPED {test}:", " ".join(str(reason).split()), flush=True)


def main() -> int:
    path, names = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:]
    sys.argv = [__file__]
    try:
        module = load(path)
    except unittest.SkipTest as reason:
        report_skip(path.stem, reason)
        return SKIPPED
    loader = unittest.defaultTestLoader
    suite = loader.loadTestsFromNames(names, module) if names else loader.loadTestsFromModule(module)
    result = unittest.TextTestRunner(verbosity=2, stream=sys.stdout).run(suite)
    for test, reason in result.skipped:
        report_skip(test.id(), reason)
    if not result.wasSuccessful() or result.testsRun + len(result.skipped) == 0:
        return 1
    return SKIPPED if result.skipped else 0


if __name__ == "__main__":
    sys.exit(main())
