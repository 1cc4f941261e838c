"""Shows what the last run of CTest skipped: skips.py BUILD_DIRECTORY

The status is 1 if one of them is not listed in skips.txt, which see, or if a test is disabled.
"""

import pathlib
import re
import sys

SKIPPED = re.compile(r"^SKIPPED ([^:\s]+).*?: .*$", re.MULTILINE)
# CTest has no command for a disabled test. GoogleTest counts its own.
DISABLED = re.compile(r'^\d+/\d+ Test: (\S+)\nCommand: ""$|^ *YOU HAVE (\d+ DISABLED TEST)', re.MULTILINE)


def allowed(path: pathlib.Path) -> list[re.Pattern]:
    patterns = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            pattern, reason = line.split(maxsplit=1)
            assert reason
            patterns.append(re.compile(pattern))
    return patterns


def main() -> int:
    log = pathlib.Path(sys.argv[1], "Testing/Temporary/LastTest.log").read_text(
        encoding="utf-8", errors="replace")
    patterns = allowed(pathlib.Path(__file__).with_suffix(".txt"))
    unlisted = [f"DISABLED {by_ctest or by_google_test}" for by_ctest, by_google_test in DISABLED.findall(log)]
    for skip in SKIPPED.finditer(log):
        print(skip[0])
        if not any(pattern.fullmatch(skip[1]) for pattern in patterns):
            unlisted.append(skip[0])
    for one in unlisted:
        print("not in tests/skips.txt:", one, file=sys.stderr)
    return 1 if unlisted else 0


if __name__ == "__main__":
    sys.exit(main())
