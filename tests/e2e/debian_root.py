"""A system to install packages on: what this system has, with changes that are gone at the end.

An overlay over the root, in namespaces of its own, with its own processes. If wanted, systemd is
the first of them. Needs no network and no packages but those that this system has.

The environment variable DEBIAN_ROOT names the root of another system to use, as mmdebstrap makes
them, which must have what the packages depend on.
"""

import os
import pathlib
import shutil
import signal
import subprocess
import time

from programs import TIMEOUT

ROOT = os.environ.get("DEBIAN_ROOT") or "/"
# Process 1. $1 is the directory of the packages, which is /mnt there, $2 what process 1 becomes, and
# $3 ROOT.
BEGIN = r"""
set -e
base=/mnt
mount -t tmpfs tmpfs $base
mkdir $base/changes $base/work $base/root
root=$base/root
mount -t overlay overlay -o lowerdir="$3",upperdir=$base/changes,workdir=$base/work $root
mount --bind "$1" $root/mnt
mount -t proc proc $root/proc
# Settings of the kernel are not for this system.
mount --bind $root/proc/sys $root/proc/sys
mount -o remount,bind,ro $root/proc/sys
mount -t sysfs -o ro sysfs $root/sys
[ "$2" != systemd ] || mount -t cgroup2 cgroup2 $root/sys/fs/cgroup
mount -t tmpfs -o mode=755 tmpfs $root/run
touch $root/run/begun
mount -t tmpfs tmpfs $root/tmp
mount -t tmpfs -o mode=755 tmpfs $root/dev
for name in null zero full random urandom tty; do
  touch $root/dev/$name
  mount --bind /dev/$name $root/dev/$name
done
mkdir $root/dev/pts $root/dev/shm
mount -t devpts -o newinstance,ptmxmode=0666 devpts $root/dev/pts
mount -t tmpfs -o mode=1777 tmpfs $root/dev/shm
ln -s pts/ptmx $root/dev/ptmx
# Services may start, and nobody waits for an index of man pages.
rm -f $root/usr/sbin/policy-rc.d $root/var/lib/man-db/auto-update
cd $root
pivot_root . tmp
umount -l /tmp
if [ "$2" = systemd ]; then
  mount --make-rshared /  # without this, services don't see their credentials
  exec env -i container=tictactoe-test PATH=/usr/sbin:/usr/bin:/sbin:/bin \
    /lib/systemd/systemd --unit=basic.target --show-status=no
fi
exec sleep infinity
"""


def missing():
    """Why there can be no such system here; None if there can."""
    if os.geteuid() != 0:
        return "root is needed"
    for tool, package in {"dpkg": "dpkg", "unshare": "util-linux", "deb-systemd-helper": "init-system-helpers",
                          "systemd-sysusers": "systemd"}.items():
        if not shutil.which(tool):
            return f"{tool} is not installed (package {package})"
    for place in ("/usr", "/var", "/etc"):
        if os.path.ismount(place):
            return f"{place} is a file system of its own"
    try:
        with DebianRoot("/tmp"):
            return None
    except RuntimeError as error:
        return f"no overlay or namespaces: {error}"


def _cgroups():
    """Where cgroups of version 2 are; None if nowhere."""
    for line in pathlib.Path("/proc/self/mounts").read_text().splitlines():
        _, place, kind, *_ = line.split()
        if kind == "cgroup2":
            return pathlib.Path(place)
    return None


class DebianRoot:
    """Use in a `with`. RuntimeError if it can't be made. `host` is a place of network.Network."""

    def __init__(self, packages, host=None, systemd=False):
        self._packages = packages
        self._host = host
        self._systemd = systemd
        self._group = None
        self._outside = None
        self._inside = None

    def __enter__(self):
        begin = ["setpriv", "--pdeathsig", "KILL", "unshare", "--kill-child", "--fork", "--mount",
                 "--pid", "--uts", "--ipc"]
        if self._systemd:
            begin += ["--cgroup"]
            self._make_group()
        begin += ["sh", "-c", BEGIN, "begin", str(self._packages),
                  "systemd" if self._systemd else "sleep", ROOT]
        self._outside = subprocess.Popen(
            self._host.command(begin) if self._host else begin, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            preexec_fn=self._enter_group if self._systemd else None)
        try:
            self._wait_until_ready()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        if self._inside:
            try:
                os.kill(self._inside, signal.SIGKILL)  # and with it, all of its processes
                self._outside.wait(TIMEOUT)
            except (ProcessLookupError, subprocess.TimeoutExpired):
                pass
        self._outside.kill()
        self._outside.wait()
        self._outside.stdout.close()
        if self._group:
            self._remove_group()

    def run(self, *command, check=True):
        """Runs a program inside to its end; the result, with its output as text."""
        result = subprocess.run(self.command(*command), stdin=subprocess.DEVNULL, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                timeout=2 * TIMEOUT, check=False)
        if check and result.returncode != 0:
            raise AssertionError(f"{command} ends with {result.returncode}:\n{result.stdout}")
        return result

    def command(self, *command):
        """The command that runs this one inside."""
        return ["nsenter", "--target", str(self._inside), "--mount", "--pid", "--uts", "--ipc",
                "--net", "--root", "--wd", "env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin",
                "LC_ALL=C.UTF-8", "DEBIAN_FRONTEND=noninteractive", *command]

    def _make_group(self):
        cgroups = _cgroups()
        if not cgroups:
            raise RuntimeError("no cgroups of version 2")
        self._group = cgroups / f"tictactoe-test-{os.getpid()}"
        try:
            self._group.mkdir()
        except OSError as error:
            self._group = None
            raise RuntimeError(f"no cgroup: {error}") from None

    def _enter_group(self):
        (self._group / "cgroup.procs").write_text(str(os.getpid()))

    def _remove_group(self):
        deadline = time.monotonic() + TIMEOUT
        folders = sorted(self._group.rglob("*/"), reverse=True) + [self._group]
        while folders and time.monotonic() < deadline:
            try:
                folders[0].rmdir()
                folders.pop(0)
            except OSError:  # its processes are about to end
                time.sleep(0.05)

    def _wait_until_ready(self):
        deadline = time.monotonic() + TIMEOUT
        while time.monotonic() < deadline:
            if self._outside.poll() is not None:
                raise RuntimeError(self._outside.stdout.read().decode().strip())
            self._inside = self._inside or self._child()
            if self._inside and self._is_ready():
                return
            time.sleep(0.05)
        raise RuntimeError("it does not start")

    def _child(self):
        children = pathlib.Path(f"/proc/{self._outside.pid}/task/{self._outside.pid}/children")
        try:
            found = children.read_text().split()
        except OSError:
            return None
        return int(found[0]) if found else None

    def _is_ready(self):
        # Before it changes its root, this is the machine's.
        if self.run("test", "-e", "/run/begun", check=False).returncode != 0:
            return False
        if not self._systemd:
            return True
        state = self.run("systemctl", "is-system-running", check=False).stdout.strip()
        return state in ("running", "degraded")
