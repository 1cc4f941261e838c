"""A PostgreSQL primary and its synchronous standby, which change places when the primary is killed.

Both listen on Unix sockets in temporary folders and, in a network of namespaces, on their hosts' addresses.
They run as an unprivileged user, and copy through the sockets, which no fault of the network touches.
"""

from __future__ import annotations

import subprocess
import time

import places  # noqa: F401  (before what it makes known)
from network import LOOPBACK, Host
from postgres import Postgres

TAKEN_OVER_S = 5.0  # most, of a server whose lease is over


class Database:
    """The pair. All functions block."""

    def __init__(self, asynchronous: bool = False, synced: bool = False,
                 hosts: tuple[Host, Host] = (LOOPBACK, LOOPBACK)) -> None:
        """With `asynchronous`, a session that does not ask for more waits for nothing. `synced`: as for
        Postgres."""
        self.primary = Postgres(synced, hosts[0])
        self.nodes = [self.primary]
        try:
            # The standby's copy has the setting, too.
            self.primary.sql("ALTER SYSTEM SET synchronous_standby_names = '*'")
            if asynchronous:
                self.primary.sql("ALTER SYSTEM SET synchronous_commit = off")
            self.standby = Postgres(synced, hosts[1], self.primary)
            self.nodes.append(self.standby)
            self.primary.sql("SELECT pg_reload_conf()")
        except BaseException:
            self.close()
            raise

    def fail_over(self) -> None:
        """Kills the primary and promotes the standby. Commits wait until make_standby() is done."""
        self.primary.kill()
        self.standby.promote()
        self.primary, self.standby = self.standby, self.primary

    def end_lease(self, address: str) -> None:
        """Ends the lease of the server with that public address, again if it is renewed, until another one has
        taken over. Gives up after a while, and if the primary is killed."""
        end = f"UPDATE servers SET lease_until = '-infinity' WHERE address = '{address}' RETURNING 1"
        deadline = time.monotonic() + TAKEN_OVER_S
        try:
            while self.primary.sql(end) and time.monotonic() < deadline:
                pass
        except subprocess.CalledProcessError:
            pass

    def make_standby(self) -> None:
        """Of the primary that was killed."""
        self.standby.copy_from(self.primary)

    def kill(self) -> None:
        for node in self.nodes:
            node.kill()

    def start(self) -> None:
        for node in (self.primary, self.standby):
            node.start()

    def close(self) -> None:
        for node in self.nodes:
            node.close()
