"""Shows what the last run of CTest in a build directory skipped: skips.py BUILD_DIRECTORY

Reads the results that the test presets write there. The status is 1 if a test is disabled, if one was
skipped without saying what, and for every skip that skips.txt does not list; that file is for builds with
a sanitizer only.
"""

import pathlib
import re
import sys
import xml.etree.ElementTree

SKIPPED = re.compile(r"SKIPPED ([^:\s]+).*?: .*")
DISABLED = re.compile(r"YOU HAVE (\d+) DISABLED TEST")


def allowed(build: pathlib.Path) -> list[re.Pattern]:
    """The names of tests that this build may skip."""
    cache = (build / "CMakeCache.txt").read_text(encoding="utf-8")
    if not re.search(r"^TICTACTOE_SANITIZE:\w+=.", cache, re.MULTILINE):
        return []
    patterns = []
    for line in pathlib.Path(__file__).with_suffix(".txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            pattern, reason = line.split(maxsplit=1)
            assert reason
            patterns.append(re.compile(pattern))
    return patterns


def main() -> int:
    build = pathlib.Path(sys.argv[1])
    patterns = allowed(build)
    wrong = []
    for test in xml.etree.ElementTree.parse(build / "tests.xml").iter("testcase"):
        name, output = test.get("name"), test.findtext("system-out") or ""
        if test.get("status") == "disabled" or DISABLED.search(output):
            wrong.append(f"DISABLED {name}")
        skips = list(SKIPPED.finditer(output))
        if test.find("skipped") is not None and not skips:
            wrong.append(f"SKIPPED {name}: it does not say why")
        for skip in skips:
            print(skip[0])
            if not any(pattern.fullmatch(skip[1]) for pattern in patterns):
                wrong.append(skip[0])
    for one in wrong:
        print("not allowed:", one, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
