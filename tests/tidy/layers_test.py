"""Reads every include of the project and fails on one that is not allowed.

The linker can't check this: Boost and protobuf are system headers, and a header of a higher module can
be included without linking that module.
"""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]

# What both front ends of the client use.
CLIENT_PARTS = {"client/model", "client/words", "client/session", "client/storage", "client/net",
                "client/player", "client/terminal", "common/tls"}

# The host: no I/O and no clock.
HOST = ["server/base", "server/limits", "server/people", "server/game", "server/room", "server/lobby",
        "server/host"]

# The modules that each module may include beside itself. `proto` means the generated messages.
ALLOWED = {
    "common/posix": set(),
    "common/rules": set(),
    "common/ai": {"common/rules"},
    "common/engines": {"common/ai", "common/posix", "common/rules"},
    "common/wire": {"proto"},
    "common/record": {"common/text", "common/wire", "proto"},
    "common/unicode": set(),
    "common/network": set(),
    "common/tls": set(),
    "common/qr": set(),
    "common/json": {"common/unicode"},
    "common/figures": set(),
    "common/text": set(),
    "common/program": {"common/posix", "common/wire"},
    "server/base": {"common/rules", "common/ai", "proto"},
    "server/limits": {"server/base", "common/rules", "common/wire", "proto"},
    "server/people": {"server/base", "server/limits", "common/text", "proto"},
    "server/game": {"server/base", "server/limits", "server/people", "common/ai", "common/rules", "common/wire",
                    "proto"},
    "server/room": {"server/base", "server/limits", "server/people", "server/game", "common/ai", "common/rules",
                    "common/wire", "proto"},
    "server/lobby": {"server/base", "server/limits", "server/people", "server/game", "server/room", "common/wire",
                     "proto"},
    "server/host": {"server/base", "server/limits", "server/people", "server/game", "server/room", "server/lobby",
                    "common/wire", "proto"},
    "server/worker": {"common/posix"},
    "server/thinking": {"server/base", "server/limits", "server/worker", "common/ai", "common/rules"},
    "server/transport/shell": {"server/base", "server/limits", "server/people", "server/host", "common/figures", "common/json",
                               "common/wire", "proto"},
    "server/transport/tls": {"common/posix", "common/tls"},
    "server/transport/tcp": {"server/base", "server/transport/shell", "server/transport/tls", "common/posix",
                             "common/wire"},
    "server/transport/web": {"server/transport/shell", "common/qr", "common/text", "common/unicode"},
    "server/transport/lan": {"server/base", "server/limits", "common/posix", "common/wire", "proto"},
    "server/transport/reach": {"common/posix"},
    "server/transport": {"server/base", "server/worker", "server/thinking", "server/transport/shell",
                         "server/transport/tls", "server/transport/tcp", "server/transport/web", "common/wire"},
    "server/records": {"common/record", "common/text", "common/wire", "proto"},
    "server/records/sqlite": {"server/records", "common/text"},
    "server/records/postgres": {"server/records", "common/text", "proto"},
    "server/journal": {"server/records", "server/records/sqlite", "server/records/postgres", "common/figures",
                       "common/posix", "common/text", "proto"},
    "server/cluster": {"server/base", "server/limits", "server/people", "server/lobby", "server/worker",
                       "server/records", "proto"},
    "server/logging": {"server/base", "common/posix", "common/program", "common/text", "common/wire"},
    "server/accounts": {"server/limits", "server/people", "server/worker", "server/transport", "server/records",
                        "server/records/sqlite", "server/records/postgres", "server/journal", "common/posix",
                        "common/program",
                        "common/text", "common/wire"},
    "server/admin": {"server/base", "server/people", "server/transport/tcp", "server/transport/tls", "server/journal",
                     "server/logging", "server/accounts", "common/figures", "common/posix", "common/program",
                     "common/wire", "proto"},
    "server/internet": {"server/base", "server/worker", "server/transport/reach", "server/transport",
                        "common/engines", "proto"},
    "server/app": {"server/base", "server/limits", "server/game", "server/host", "server/worker",
                   "server/thinking", "server/transport/shell", "server/transport/tls", "server/transport/tcp",
                   "server/transport/web", "server/transport/lan", "server/transport", "server/internet",
                   "server/records",
                   "server/records/sqlite", "server/journal", "server/cluster", "server/logging", "server/accounts", "server/admin",
                   "common/engines", "common/network", "common/posix", "common/program", "common/qr",
                   "common/record", "common/rules", "common/tls", "common/wire", "proto"},
    # A program of its own, which the server runs.
    "server/upnp": {"server/transport/reach"},
    "client/model": {"common/record", "common/wire", "proto"},
    "client/words": {"client/session", "client/model", "client/terminal", "common/unicode", "common/wire", "proto"},
    "client/session": {"client/model", "common/unicode", "common/wire", "proto"},
    "client/storage": {"client/session", "client/model", "common/posix", "common/program", "common/text",
                       "common/tls", "common/wire"},
    "client/net": {"client/storage", "client/session", "client/model", "common/text", "common/tls", "common/wire",
                   "proto"},
    "client/player": {"client/net", "client/storage", "client/session", "client/model", "common/tls", "proto"},
    # A host in the client's process, for games without a server: the only part that uses the server.
    "client/local": {"client/player", "client/net", "client/session", "client/model", "client/storage", "server/limits",
                     "server/game", "server/host", "server/thinking", "common/ai", "common/wire", "proto"},
    "client/terminal": {"common/posix", "common/unicode", "common/wire"},
    "client/paint": {"client/terminal", "common/posix", "common/unicode"},
    "client/lines": CLIENT_PARTS | {"common/posix", "common/qr", "common/record", "common/wire", "common/program", "proto"},
    "client/screen": CLIENT_PARTS | {"client/paint", "common/posix", "common/qr", "common/unicode", "common/wire", "common/program", "proto"},
    "client": CLIENT_PARTS | {"client/lines", "client/local", "client/paint", "client/screen", "common/posix", "common/wire",
                              "common/program", "proto"},
    "client/engine": {"common/rules", "common/ai", "common/engines", "common/posix", "common/program",
                      "common/record", "common/wire", "proto"},
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
    "client/words": r"#include <(boost|spdlog|CLI|thread|mutex|fstream|iostream)|::now\(\)",
    **{module: r"#include <(boost/asio|spdlog|CLI|thread|mutex|fstream|iostream|sys/)|::now\(\)|random_device"
       for module in HOST},
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
