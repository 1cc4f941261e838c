"""Metrics and health of a real server, as Prometheus and a load balancer read them."""

from __future__ import annotations

import http.client
import pathlib
import re
import signal
import socket

from case import Case
from programs import TIMEOUT

ROOT = pathlib.Path(__file__).resolve().parents[2]


def samples(text):
    """The values by name and labels, as in `tictactoe_build_info{version="1"}`."""
    return {line.rsplit(" ", 1)[0]: float(line.rsplit(" ", 1)[1])
            for line in text.splitlines() if not line.startswith("#")}


def total(values, name):
    """Of a metric with labels."""
    return sum(value for key, value in values.items() if key.startswith(name + "{"))


class Metrics(Case):
    def start(self, *options):
        server = super().start("--metrics", "127.0.0.1:0", *options)
        self.metrics_port = int(server.expect(r"^metrics at http://127\.0\.0\.1:(\d+)/metrics$").group(1))
        return server

    def get(self, path, method="GET"):
        """The response and its body."""
        connection = http.client.HTTPConnection("127.0.0.1", self.metrics_port, timeout=TIMEOUT)
        self.addCleanup(connection.close)
        connection.request(method, path)
        response = connection.getresponse()
        return response, response.read().decode()

    def scrape(self):
        response, body = self.get("/metrics")
        self.assertEqual(response.status, 200, body)
        return samples(body)

    def test_counts_what_is_there(self):
        self.start()
        before = self.scrape()
        self.assertEqual(before["tictactoe_players"], 0)
        self.assertEqual(total(before, "tictactoe_rooms"), 0)
        ann, ben = self.raw("ann"), self.raw("ben")
        ann.ask("create_room", name="den")
        self.assertEqual(self.scrape()["tictactoe_rooms_open"], 1)
        ben.ask("join_room", name="den")
        ann.follow_until(lambda room: room.my_turn)
        ann.move(0, 0)
        ben.close()
        ann.find_update("seat_changed")
        after = self.scrape()
        self.assertEqual(after['tictactoe_connections{transport="tcp"}'], 1)
        self.assertEqual(total(after, "tictactoe_connections"), 1)
        self.assertEqual(after["tictactoe_connections_accepted_total"], 2)
        # Broken rather than left if there was something that it had not read.
        self.assertEqual(total(after, "tictactoe_connections_ended_total"), 1)
        self.assertEqual(after["tictactoe_players"], 1)
        self.assertEqual(after["tictactoe_players_known"], 2)
        self.assertEqual(after['tictactoe_rooms{phase="playing"}'], 1)
        self.assertEqual(total(after, "tictactoe_rooms"), 1)
        self.assertEqual(after["tictactoe_moves_total"], 1)
        self.assertEqual(after["tictactoe_rooms_open"], 0)
        # What was answered is durable.
        self.assertGreaterEqual(after["tictactoe_journal_commit_seconds_count"], 4)
        self.assertGreater(after["tictactoe_journal_commit_seconds_sum"], 0)
        self.assertEqual(after["tictactoe_journal_commit_failures_total"], 0)
        turns = after["tictactoe_loop_turn_seconds_count"]
        self.assertGreater(turns, before["tictactoe_loop_turn_seconds_count"])
        self.assertEqual(after['tictactoe_loop_turn_seconds_bucket{le="+Inf"}'], turns)
        self.assertLessEqual(after['tictactoe_loop_turn_seconds_bucket{le="0.001"}'], turns)

    def test_documents_name_only_metrics_that_there_are(self):
        self.start()
        known = {re.sub(r"\{.*", "", name) for name in self.scrape()} | {"tictactoe_server"}
        for document in ("alerts.yml", "dashboard.json"):
            text = (ROOT / "docs/metrics" / document).read_text()
            self.assertLessEqual(set(re.findall(r"\btictactoe_\w+", text)), known, document)

    def test_health(self):
        server = self.start("--drain", "60")
        for path in ("/healthz", "/readyz"):
            self.assertEqual(self.get(path)[0].status, 200)
        ann, _ = self.raw_players()
        server.process.send_signal(signal.SIGTERM)
        while ann.receive().WhichOneof("event") != "notice":
            pass
        # The running game goes on, and so do the metrics.
        response, body = self.get("/readyz")
        self.assertEqual((response.status, body), (503, "The server is stopping.\n"))
        self.assertEqual(self.get("/healthz")[0].status, 200)
        self.assertEqual(self.scrape()["tictactoe_players"], 2)
        # An idle connection does not keep the server from ending.
        with socket.create_connection(("127.0.0.1", self.metrics_port)):
            ann.ask("resign", game=ann.room.state.game)
            self.assertEqual(server.status(), 0)

    def test_takes_only_questions_that_it_knows(self):
        self.start()
        self.assertEqual(self.get("/")[0].status, 404)
        self.assertEqual(self.get("/metrics", "POST")[0].status, 405)
        response, body = self.get("/metrics", "HEAD")
        self.assertEqual((response.status, body), (200, ""))
        self.assertGreater(int(response.headers["Content-Length"]), 0)

    def test_scrapes_are_limited(self):
        self.start()
        statuses = [self.get("/metrics")[0].status for _ in range(60)]
        self.assertEqual(statuses[:20], [200] * 20)
        self.assertIn(429, statuses)
        self.assertEqual(self.get("/healthz")[0].status, 200)

    def test_connections_that_say_nothing_keep_nobody_away_for_long(self):
        self.start()
        idle = [socket.create_connection(("127.0.0.1", self.metrics_port)) for _ in range(16)]
        for connection in idle:
            self.addCleanup(connection.close)
        with self.assertRaises((ConnectionError, http.client.HTTPException)):
            self.get("/healthz")
        for connection in idle:
            connection.settimeout(TIMEOUT)
            self.assertEqual(connection.recv(1), b"")  # closed after 5 s
        self.assertEqual(self.get("/healthz")[0].status, 200)
