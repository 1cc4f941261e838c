"""A PostgreSQL primary and its synchronous standby, which change places when the primary is killed.

Both listen on Unix sockets in temporary folders and, in a network of namespaces, on their hosts' addresses.
They run as an unprivileged user, and copy through the sockets, which no fault of the network touches.
"""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import tempfile
import time

import places  # noqa: F401  (before what it makes known)
from network import LOOPBACK, Host
from postgres import BIN, Postgres


TAKEN_OVER_S = 5.0  # most, of a server whose lease is over


class Node(Postgres):
    """One of the two. All functions block."""

    @property
    def socket(self) -> str:
        return f"{self._folder}/.s.PGSQL.5432"

    def make_primary(self) -> None:
        """Commits wait for a standby from now on. The standby's copy has the setting, too."""
        self.sql("ALTER SYSTEM SET synchronous_standby_names = '*'")

    def reload(self) -> None:
        self.sql("SELECT pg_reload_conf()")

    def promote(self) -> None:
        """Returns once it can be written to."""
        self.sql("SELECT pg_promote()")

    def copy_from(self, primary: Node) -> None:
        """Makes this one, which does not run, a standby of the other one, and starts it."""
        shutil.rmtree(self._data, ignore_errors=True)
        self._run(BIN / "pg_basebackup", "-h", primary._folder, "-U", "postgres", "-D", self._data,
                  "-R", "-X", "stream", "-c", "fast", "--no-sync")
        self.start()

    def log(self) -> str:
        return pathlib.Path(f"{self._folder}/log").read_text(errors="replace")


class Standby(Node):
    """Begins as a copy of a primary."""

    def __init__(self, primary: Node, host: Host) -> None:  # pylint: disable=super-init-not-called
        self.host = host
        self._folder = tempfile.mkdtemp(prefix="tictactoe-postgres-")
        os.chmod(self._folder, 0o777)
        self._data = f"{self._folder}/data"
        self._process = None
        self._synced = primary._synced  # pylint: disable=protected-access
        self.copy_from(primary)


class Database:
    """The pair. All functions block."""

    def __init__(self, asynchronous: bool = False, synced: bool = False,
                 hosts: tuple[Host, Host] = (LOOPBACK, LOOPBACK)) -> None:
        """With `asynchronous`, a session that does not ask for more waits for nothing. `synced`: as for
        Postgres."""
        self.primary: Node = Node(synced, hosts[0])
        self.nodes = [self.primary]
        try:
            self.primary.make_primary()
            if asynchronous:
                self.primary.sql("ALTER SYSTEM SET synchronous_commit = off")
            self.standby: Node = Standby(self.primary, hosts[1])
            self.nodes.append(self.standby)
            self.primary.reload()
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
