"""Prometheus's own tool finds no fault with the metrics and the alert rules."""

import pathlib
import shutil
import subprocess
import unittest
import urllib.request

from network import LOOPBACK
from programs import TIMEOUT, Server

PROMTOOL = shutil.which("promtool")
RULES = pathlib.Path(__file__).resolve().parents[2] / "docs/metrics"


@unittest.skipUnless(PROMTOOL, "promtool is not installed (package prometheus)")
class Alerts(unittest.TestCase):
    def assert_no_fault(self, *command, **options):
        check = subprocess.run([PROMTOOL, *command], text=True, timeout=TIMEOUT, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, check=False, **options)
        self.assertEqual(check.returncode, 0, check.stdout)
        return check.stdout

    def test_metrics_are_named_and_typed_as_prometheus_wants_them(self):
        server = self.enterContext(Server(LOOPBACK, "--metrics", "127.0.0.1:0"))
        address = server.expect(r"^metrics at (\S+)$").group(1)
        with urllib.request.urlopen(address) as answer:
            self.assertEqual(answer.headers["Content-Type"], "text/plain; version=0.0.4; charset=utf-8")
            self.assertEqual(self.assert_no_fault("check", "metrics", input=answer.read().decode()), "")

    def test_alerts_are_valid_and_do_what_they_say(self):
        self.assert_no_fault("check", "rules", "alerts.yml", cwd=RULES)
        self.assert_no_fault("test", "rules", "alerts_test.yml", cwd=RULES)
