"""Reads every include of the project and fails on one that is not allowed.

The linker can't check this: Boost and protobuf are system headers, and a header of a higher module can
be included without linking that module.
"""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]

# What both front ends of the client use.
CLIENT_PARTS = {"client/model", "client/text", "client/session", "client/storage", "client/net",
                "client/terminal", "common/tls"}

# The modules that each module may include beside itself. `proto` means the generated messages.
ALLOWED = {
    "common/rules": set(),
    "common/ai": {"common/rules"},
    "common/engines": {"common/ai", "common/rules"},
    "common/wire": {"proto"},
    "common/record": {"common/text", "common/wire", "proto"},
    "common/unicode": set(),
    "common/network": set(),
    "common/posix": set(),
    "common/tls": set(),
    "common/qr": set(),
    "common/json": {"common/unicode"},
    "common/figures": set(),
    "common/text": set(),
    "common/program": {"common/wire"},
    "server/core": {"common/rules", "common/ai", "common/text", "common/wire", "proto"},
    "server/host": {"server/core", "common/rules", "common/wire", "proto"},
    "server/worker": {"common/posix"},
    "server/thinking": {"server/core", "server/worker"},
    "server/net": {"server/core", "server/host", "server/thinking", "server/worker", "common/figures", "common/json", "common/posix",
                   "common/qr", "common/text", "common/tls", "common/unicode", "common/wire", "proto"},
    "server/store": {"common/figures", "common/posix", "common/text", "common/wire", "proto"},
    "server/admin": {"server/core", "server/net", "common/figures", "common/wire", "proto"},
    "server/cluster": {"server/core", "server/store", "server/worker", "proto"},
    "server/hosting": {"server/admin", "server/cluster", "server/store", "server/net", "server/worker", "server/core", "server/host", "common/figures",
                       "common/posix",
                       "common/record", "common/rules", "common/program", "common/text", "common/wire", "proto"},
    "server": {"server/hosting", "server/admin", "server/cluster", "server/store", "server/net", "server/worker",
               "server/core",
               "common/engines", "common/network", "common/posix", "common/qr", "common/rules", "common/tls", "common/wire", "common/program",
               "proto"},
    "client/model": {"common/record", "common/wire", "proto"},
    "client/text": {"client/session", "client/model", "common/unicode", "common/wire", "proto"},
    "client/session": {"client/model", "common/unicode", "common/wire", "proto"},
    "client/storage": {"client/session", "client/model", "common/posix", "common/program", "common/text",
                       "common/tls"},
    "client/net": {"client/storage", "client/session", "client/model", "common/network", "common/tls",
                   "common/wire", "proto"},
    # A host in the client's process, for games without a server: the only part that uses the server.
    "client/local": {"client/net", "client/session", "client/model", "client/storage", "server/core", "server/host",
                     "server/thinking", "common/ai", "common/rules", "common/wire", "proto"},
    "client/terminal": {"client/text", "client/model", "common/posix", "common/unicode", "common/wire"},
    "client/lines": CLIENT_PARTS | {"common/record", "common/wire", "common/program", "proto"},
    "client/screen": CLIENT_PARTS | {"common/posix", "common/qr", "common/unicode", "common/wire", "common/program", "proto"},
    "client": CLIENT_PARTS | {"client/lines", "client/local", "client/screen", "common/wire", "common/program",
                              "proto"},
    "client/engine": {"common/rules", "common/ai", "common/engines", "common/program",
                      "common/record", "proto"},
}

# Headers and calls that a module must not use, because it does no I/O and reads no clock.
FORBIDDEN_TEXT = {
    "common/rules": r"#include <(boost|google|spdlog|CLI|thread|mutex|iostream)",
    "common/ai": r"#include <(boost|google|spdlog|CLI|thread|mutex|iostream)|::now\(\)",
    "common/wire": r"#include <(boost/asio|spdlog|CLI|thread|mutex|iostream)",
    "common/tls": r"#include <(boost|google|spdlog|CLI|thread|mutex|iostream|fstream)|::now\(\)",
    "common/json": r"#include <(boost|spdlog|CLI|thread|mutex|iostream|fstream)|::now\(\)",
    "common/record": r"#include <(boost/asio|spdlog|CLI|thread|mutex|fstream|iostream)|::now\(\)",
    "client/model": r"#include <(boost|spdlog|CLI|thread|mutex|fstream|iostream)|::now\(\)",
    "client/session": r"#include <(boost|spdlog|CLI|thread|mutex|fstream|iostream)|::now\(\)",
    "client/text": r"#include <(boost|spdlog|CLI|thread|mutex|fstream|iostream)|::now\(\)",
    **{module: r"#include <(boost/asio|spdlog|CLI|thread|mutex|fstream|iostream|sys/)|::now\(\)|random_device"
       for module in ("server/core", "server/host")},
}

EVERYWHERE = r"\bco_(await|return|yield)\b"

SOURCES = [
    path
    for top in ("common", "server", "client")
    for path in sorted((ROOT / top).rglob("*"))
    if path.suffix in {".hpp", ".cpp"}
]


def module_of(path: str) -> str | None:
    """The module of a file or an include of the project; None for a library's."""
    if path.startswith("tictactoe/"):
        return "proto"
    modules = [module for module in ALLOWED if path.startswith(module + "/")]
    return max(modules, key=len) if modules else None


class Layers(unittest.TestCase):
    def test_there_is_something_to_check(self):
        self.assertGreater(len(SOURCES), 20)

    def test_every_file_is_in_a_module(self):
        for path in SOURCES:
            self.assertIsNotNone(module_of(str(path.relative_to(ROOT))), path)

    def test_includes_point_one_way(self):
        for path in SOURCES:
            name = str(path.relative_to(ROOT))
            module = module_of(name)
            for include in re.findall(r'#include "([^"]+)"', path.read_text()):
                other = module_of(include)
                with self.subTest(file=name, include=include):
                    self.assertIsNotNone(other, "includes of the project start at its root")
                    self.assertIn(other, ALLOWED[module] | {module})

    def test_modules_avoid_forbidden_text(self):
        for path in SOURCES:
            name = str(path.relative_to(ROOT))
            text = path.read_text()
            for pattern in filter(None, [FORBIDDEN_TEXT.get(module_of(name)), EVERYWHERE]):
                with self.subTest(file=name):
                    self.assertIsNone(re.search(pattern, text))

    def test_headers_are_included_once(self):
        for path in SOURCES:
            if path.suffix == ".hpp":
                self.assertIn("#pragma once", path.read_text(), path)
