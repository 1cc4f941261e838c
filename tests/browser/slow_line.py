"""A slow line: two network namespaces, and between them a process that delays and loses packets. The kernel's
netem would do it, but not every kernel has it."""

import ctypes
import fcntl
import heapq
import os
import random
import select
import struct
import subprocess
import time

NEAR, FAR = "10.78.0.1", "10.78.0.2"
CLONE_NEWNET, TUNSETIFF, IFF_TUN, IFF_NO_PI = 0x40000000, 0x400454CA, 1, 0x1000
MAX_PACKET = 65536


def enter(namespace):
    """The calling thread is in this namespace from then on, and so are the programs that it starts."""
    with open(namespace, encoding="ascii") as file:
        if ctypes.CDLL(None, use_errno=True).setns(file.fileno(), CLONE_NEWNET):
            raise OSError(ctypes.get_errno(), f"can't enter {namespace}")


def ip(*arguments):
    subprocess.run(["ip", *arguments], check=True, capture_output=True)


class SlowLine:
    """Use it in a `with`: meanwhile the calling thread is at the near end, and FAR is the far end. `delay`
    is in seconds and each way, `loss` a share of the packets of each way."""

    def __init__(self, delay, loss, seed=1):
        self.far = f"tttest{os.getpid()}-far"
        self._near = f"tttest{os.getpid()}-near"
        self._way = (delay, loss, seed)
        self._home = None
        self._forwarder = 0

    def command(self, command):
        """A program at the far end: see network.Host."""
        return ["ip", "netns", "exec", self.far, *command]

    def __enter__(self):
        os.environ["PATH"] += os.pathsep + "/usr/sbin" + os.pathsep + "/sbin"
        self._home = os.open("/proc/self/ns/net", os.O_RDONLY)
        try:
            ends = [self._end(self._near, NEAR), self._end(self.far, FAR)]
            enter(f"/run/netns/{self._near}")
        except BaseException:
            self.__exit__()
            raise
        self._forwarder = os.fork()
        if self._forwarder == 0:
            try:
                forward(ends, *self._way)
            finally:
                os._exit(1)
        for end in ends:
            os.close(end)
        return self

    def __exit__(self, *_):
        if self._forwarder:
            os.kill(self._forwarder, 9)
            os.waitpid(self._forwarder, 0)
        enter(f"/proc/self/fd/{self._home}")
        os.close(self._home)
        for name in (self._near, self.far):
            subprocess.run(["ip", "netns", "delete", name], check=False, capture_output=True)

    def _end(self, namespace, address):
        """The file of a network device in a new namespace."""
        ip("netns", "add", namespace)
        enter(f"/run/netns/{namespace}")
        device = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
        fcntl.ioctl(device, TUNSETIFF, struct.pack("16sH22x", b"line", IFF_TUN | IFF_NO_PI))
        ip("link", "set", "lo", "up")
        ip("address", "add", f"{address}/24", "dev", "line")
        ip("link", "set", "line", "up")
        enter(f"/proc/self/fd/{self._home}")
        return device


def forward(ends, delay, loss, seed):
    """Passes packets on until it is killed."""
    chance = random.Random(seed)
    waiting = []  # (when, number, end, packet)
    number = 0
    while True:
        now = time.monotonic()
        while waiting and waiting[0][0] <= now:
            _, _, end, packet = heapq.heappop(waiting)
            try:
                os.write(end, packet)
            except OSError:
                pass  # as if it were lost
        left = max(0, waiting[0][0] - now) if waiting else None
        for end in select.select(ends, [], [], left)[0]:
            packet = os.read(end, MAX_PACKET)
            if chance.random() >= loss:
                number += 1
                other = ends[1 - ends.index(end)]
                heapq.heappush(waiting, (time.monotonic() + delay, number, other, packet))


def missing():
    """Why there is no such line here, or ''."""
    try:
        with SlowLine(0, 0):
            return ""
    except (OSError, subprocess.CalledProcessError) as error:
        return f"no network namespaces with TUN devices here ({error}): needs root, iproute2 and /dev/net/tun"
