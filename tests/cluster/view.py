"""What a run says: which faults there are, and the summary."""

from __future__ import annotations

import asyncio
import statistics

from faults import Fault, Faults
from people import Crowd
from servers import Server

INTERVAL_S = 0.5


async def tell(crowd: Crowd, faults: Faults) -> None:
    """Says what fails, until it is cancelled."""
    said = 0
    while True:
        await asyncio.sleep(INTERVAL_S)
        if faults.count != said:
            said = faults.count
            print(f"{crowd.history.now:5.1f} s  {faults.latest}", flush=True)


def longest(crowd: Crowd) -> float:
    return max((answer.ended - answer.began for answer in crowd.answers), default=0)


def summary(crowd: Crowd, servers: list[Server], faults: Faults, each: bool) -> str:
    """A pause is the time from a request to its answer, over all connections and repetitions. That of
    a fault is the longest one of those during the fault, whatever else failed at the same time. With `each`
    all of them are listed."""
    seconds = crowd.history.now
    own_ends = sum(len(server.statuses) for server in servers)
    upgrades = sum(server.upgrades for server in servers)
    lost = sum(server.log().count("starting again") for server in servers)
    lines = [f"{crowd.moves} moves in {seconds:.0f} s ({crowd.moves / seconds:.0f}/s), {len(crowd.answers)} "
             f"requests done, {crowd.total('redirects')} redirects, {crowd.total('returns')} returns after a "
             f"lost connection",
             f"servers started {sum(server.starts for server in servers)} times, {own_ends} of them after "
             f"they had ended by themselves, {upgrades} after they had handed over; {lost} times a server "
             f"has lost its lease",
             f"{'fault':38}{'times':>7}{'longest pause: median':>24}{'worst':>9}"]
    for kind in sorted({fault.what for fault in faults.done}):
        pauses = [pause_of(crowd, fault) for fault in faults.done if fault.what == kind]
        lines.append(f"{kind:38}{len(pauses):7}{statistics.median(pauses):22.1f} s{max(pauses):7.1f} s")
        if each:
            lines.append("  each: " + " ".join(f"{pause:.1f}" for pause in sorted(pauses)))
    return "\n".join(lines + [f"longest pause of anybody: {longest(crowd):.1f} s"])


def pause_of(crowd: Crowd, fault: Fault) -> float:
    return max((answer.ended - answer.began for answer in crowd.answers
                if answer.began < fault.healed and answer.ended > fault.began), default=0)
