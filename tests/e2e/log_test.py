"""A real server whose standard error nobody reads keeps answering, and still ends."""

from __future__ import annotations

import fcntl
import json
import os
import signal

from case import Case
from raw_client import Refused

# Of the pipe, as small as the system allows.
PIPE_BYTES = 4096
# The first hundred log more than 100 bytes each.
CONNECTIONS = 1000


class Log(Case):
    def serve_and_log(self, log, *options):
        """A server whose standard error is that file."""
        self.serve("--max-per-address", "0", *options, stderr=log, env={**os.environ, "JOURNAL_STREAM": "0:0"})

    def end_by_signal(self):
        self.server.process.send_signal(signal.SIGTERM)
        self.assertEqual(self.server.status(), 0)

    def test_a_server_whose_log_is_not_read_answers_and_ends(self) -> None:
        read_end, write_end = os.pipe()
        self.addCleanup(os.close, read_end)
        fcntl.fcntl(write_end, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
        self.serve_and_log(write_end)
        os.close(write_end)
        ann = self.raw("ann")
        for number in range(CONNECTIONS):
            self.raw().close()
            if number % 100 == 0:
                ann.ask("ping")
        self.end_by_signal()

    def lines(self, *options: str) -> list[str]:
        """What a server writes until it has ended."""
        with open(self.folder / "log", "w+") as log:
            self.serve_and_log(log, *options)
            ann, ben = self.raw("ann"), self.raw("ben")
            with self.assertRaises(Refused):
                ann.ask("move")
            ann.ask("create_room", name="den")
            ben.ask("join_room", name="den")
            for client, request in ((ben, "resign"), (ben, "leave_room"), (ann, "leave_room")):
                client.ask(request)
            ben.close()
            ann.close()
            self.end_by_signal()
            log.seek(0)
            return log.read().splitlines()

    def test_events_have_the_same_keys_for_ever(self) -> None:
        keys = {"started": {"version", "listening"}, "connection opened": {"connection", "address"},
                "player joined": {"connection", "address", "player", "known"},
                "room opened": {"room", "player"}, "room closed": {"room"},
                "request refused": {"connection", "address", "player", "code"},
                "game over": {"room", "game", "x", "o", "outcome", "winner", "moves"},
                "connection closed": {"connection", "address", "player", "reason"}}
        found = {}
        for line in self.lines("--log-format", "json"):
            event = json.loads(line)
            found.setdefault(event["message"], set(event) - {"time", "level", "message"})
        for event, wanted in keys.items():
            with self.subTest(event=event):
                self.assertLessEqual(wanted, found.get(event, set()), found)
        text = "\n".join(self.lines())
        self.assertRegex(text, r"game over: room=den game=1 x=ann o=ben outcome=resigned winner=x")
        self.assertRegex(text, r"request refused: connection=0.1 address=127.0.0.1 player=ann "
                               r"code=not_in_room")
