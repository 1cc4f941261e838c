"""Reads every include of the project and fails on one that points the wrong way.

The linker can't tell: Boost and protobuf are system headers, and a header of a higher room can be
included without linking it.
"""

import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]

# What each room may include of the project, beside itself. `proto` stands for generated messages.
ALLOWED = {
    "common/rules": set(),
    "common/ai": {"common/rules"},
    "common/wire": {"proto"},
    "common/record": {"common/wire", "proto"},
    "common/program": set(),
    "server/core": {"common/rules", "common/ai", "common/wire", "proto"},
    "server/net": {"server/core", "common/wire", "common/rules", "proto"},
    "server/store": {"common/wire", "proto"},
    "server/hosting": {"server/store", "server/net", "server/core", "common/record",
                       "common/rules", "proto"},
    "server": {"server/hosting", "server/store", "server/net", "server/core", "common/wire",
               "common/program"},
    "client/console": {"common/record", "common/wire", "common/program", "proto"},
    "client/lan": {"client/console", "common/wire", "proto"},
    "client/screen": {"client/lan", "client/console", "common/wire", "proto"},
    "client": {"client/screen", "client/lan", "client/console", "common/wire", "common/program",
               "proto"},
    "client/engine": {"common/rules", "common/ai", "common/program"},
}

# Libraries that a room must do without; `asio` stands for all that does I/O, or asks a clock.
FORBIDDEN_TEXT = {
    "common/rules": r"#include <(boost|google|spdlog|CLI|thread|mutex|iostream)",
    "common/ai": r"#include <(boost|google|spdlog|CLI|thread|mutex|iostream)|::now\(\)",
    "common/wire": r"#include <(boost/asio|spdlog|CLI|thread|mutex|iostream)",
    "common/record": r"#include <(boost/asio|spdlog|CLI|thread|mutex|fstream|iostream)|::now\(\)",
    "server/core": r"#include <(boost/asio|spdlog|CLI|thread|mutex|fstream|iostream|sys/)|::now\(\)"
                   r"|random_device",
}

EVERYWHERE = r"\bco_(await|return|yield)\b"

SOURCES = [
    path
    for top in ("common", "server", "client")
    for path in sorted((ROOT / top).rglob("*"))
    if path.suffix in {".hpp", ".cpp"}
]


def room_of(path: str) -> str | None:
    """The room that a file or an include of the project belongs to; None for a library's."""
    if path.startswith("tictactoe/"):
        return "proto"
    rooms = [room for room in ALLOWED if path.startswith(room + "/")]
    return max(rooms, key=len) if rooms else None


class Layers(unittest.TestCase):
    def test_there_is_something_to_check(self):
        self.assertGreater(len(SOURCES), 20)

    def test_every_file_lies_in_a_room(self):
        for path in SOURCES:
            self.assertIsNotNone(room_of(str(path.relative_to(ROOT))), path)

    def test_includes_point_one_way(self):
        for path in SOURCES:
            name = str(path.relative_to(ROOT))
            room = room_of(name)
            for include in re.findall(r'#include "([^"]+)"', path.read_text()):
                other = room_of(include)
                with self.subTest(file=name, include=include):
                    self.assertIsNotNone(other, "includes of the project start at its root")
                    self.assertIn(other, ALLOWED[room] | {room})

    def test_rooms_do_without_what_they_must_not_know(self):
        for path in SOURCES:
            name = str(path.relative_to(ROOT))
            text = path.read_text()
            for pattern in filter(None, [FORBIDDEN_TEXT.get(room_of(name)), EVERYWHERE]):
                with self.subTest(file=name):
                    self.assertIsNone(re.search(pattern, text))

    def test_headers_are_included_once(self):
        for path in SOURCES:
            if path.suffix == ".hpp":
                self.assertIn("#pragma once", path.read_text(), path)


if __name__ == "__main__":
    sys.exit(unittest.main())
