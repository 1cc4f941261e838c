"""A PostgreSQL server for tests, which can be killed."""

from __future__ import annotations

import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time

from network import LOOPBACK, Host
from programs import TIMEOUT

# Debian keeps each version apart. The newest, or where it would be.
BIN = max(pathlib.Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name),
          default=pathlib.Path("/usr/lib/postgresql/bin"))
ROLE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "postgresql-role.sql"


def is_installed() -> bool:
    return (BIN / "initdb").exists()


class Postgres:
    """Listens on a Unix socket in a temporary folder, and has the role of docs/postgresql-role.sql."""

    def __init__(self, synced: bool = False, host: Host = LOOPBACK, primary: Postgres | None = None) -> None:
        """`synced`: to the disk. Without that, what was committed survives a killed process, and not a
        machine that fails. It runs on `host`, and listens on its address too if that is not this machine's.
        With a `primary` it is a standby, as copy_from() makes one."""
        self._synced = synced
        self.host = host
        self._folder = tempfile.mkdtemp(prefix="tictactoe-postgres-")
        os.chmod(self._folder, 0o777)
        self._data = f"{self._folder}/data"
        self._process: subprocess.Popen | None = None
        if primary is not None:
            self.copy_from(primary)
            return
        self._run(BIN / "initdb", "-D", self._data, "-U", "postgres", "-A", "trust", "--no-sync",
                  "-E", "UTF8", "--locale", "C")
        if host is not LOOPBACK:
            with open(f"{self._data}/pg_hba.conf", "a", encoding="utf-8") as access:
                access.write("host tictactoe tictactoe samenet trust\n")
        self.start()
        self._run("psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-h", self._folder, "-U", "postgres",
                  "-f", ROLE, "postgres", as_user=False)

    def copy_from(self, primary: Postgres) -> None:
        """Makes this one, which does not run, a standby of that one, and starts it. They talk through a
        socket, which no fault of a network touches."""
        shutil.rmtree(self._data, ignore_errors=True)
        self._run(BIN / "pg_basebackup", "-h", primary._folder, "-U", "postgres", "-D", self._data,
                  "-R", "-X", "stream", "-c", "fast", "--no-sync")
        self.start()

    def promote(self) -> None:
        """Returns once it can be written to."""
        self.sql("SELECT pg_promote()")

    @property
    def url(self) -> str:
        return f"postgresql:///tictactoe?user=tictactoe&host={self._folder}"

    def start(self) -> None:
        """Returns once the server accepts statements."""
        address = "" if self.host is LOOPBACK else self.host.ipv4
        command = self.host.command(
            self._as_user() + [str(BIN / "postgres"), "-D", self._data, "-k", self._folder,
                               "-c", f"listen_addresses={address}", *([] if self._synced else ["-F"])])
        with open(f"{self._folder}/log", "ab") as log:
            self._process = subprocess.Popen(command, cwd="/", stdout=log, stderr=log)
        deadline = time.monotonic() + TIMEOUT
        while subprocess.run([BIN / "pg_isready", "-q", "-h", self._folder], check=False).returncode:
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(self.log())
            time.sleep(0.02)

    def pause(self) -> None:
        """Its connections stay, and nobody answers until resume()."""
        for process in (self._process.pid, *self._children()):
            os.kill(process, signal.SIGSTOP)

    def resume(self) -> None:
        for process in (self._process.pid, *self._children()):
            os.kill(process, signal.SIGCONT)

    def kill(self) -> None:
        """All of its processes, with SIGKILL."""
        children = self._children()
        self._process.kill()
        self._process.wait()
        for child in children:
            try:
                os.kill(child, signal.SIGKILL)
            except ProcessLookupError:
                pass
        # Until they are gone the data is in use.
        while any(pathlib.Path(f"/proc/{child}").exists() for child in children):
            time.sleep(0.005)

    @property
    def socket(self) -> str:
        return f"{self._folder}/.s.PGSQL.5432"

    def log(self) -> str:
        return pathlib.Path(f"{self._folder}/log").read_text(errors="replace")

    def sql(self, statement: str) -> str:
        return subprocess.run(
            ["psql", "-X", "-qAt", "-h", self._folder, "-U", "postgres", "-c",
             "SET search_path = tictactoe", "-c", statement, "tictactoe"],
            capture_output=True, text=True, check=True).stdout.strip()

    def close(self) -> None:
        if self._process.poll() is None:
            self.kill()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _children(self) -> list[int]:
        pid = self._process.pid
        return [int(child) for child in
                pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]

    @staticmethod
    def _as_user() -> list[str]:
        """PostgreSQL refuses to run as root."""
        if os.geteuid() != 0:
            return []
        return ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]

    def _run(self, *command: object, as_user: bool = True) -> None:
        subprocess.run((self._as_user() if as_user else []) + [str(part) for part in command],
                       cwd="/", check=True, stdout=subprocess.DEVNULL)
