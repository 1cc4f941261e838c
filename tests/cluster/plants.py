"""Mistakes that a server could make, to prove that the checker finds them.

Each is one change in the SQL that a server sends, made on the way to the database: nothing of it is in the
server. The length must stay, since messages to PostgreSQL begin with their lengths.
"""

from __future__ import annotations

from typing import NamedTuple


class Plant(NamedTuple):
    says: str
    sent: bytes
    arrives: bytes
    faults: tuple[str, ...]  # the deck that makes it show; see faults.py
    asynchronous: bool = False  # the default of the database, which a server overrides


BEYOND_THE_LEASE = ("database stalls beyond the lease", "server stopped beyond its lease",
                    "server killed", "server killed")

PLANTS = {
    "commit-without-epoch": Plant(
        "a commit does not check the epoch",
        b"epoch = $5 AND sequence", b"epoch>=$5  AND sequence",
        # A server that knows that its lease is over closes its connections, so that nobody would notice.
        ("lease of a server ends early",)),
    "announce-before-commit": Plant(
        "a commit is announced before the standby has it",
        b"set_config('synchronous_commit'", b"set_config('synchronous.commit'",
        ("primary killed",), asynchronous=True),
    "blind-retry": Plant(
        "a commit whose outcome is unknown is tried again without a look at the sequence",
        b"AND sequence = $2 RETURNING", b"AND sequence>=$2  RETURNING",
        # It shows once another server reads what was written twice, while the room is there.
        ("answers are lost, then killed",)),
    "read-before-epoch": Plant(
        "a takeover leaves the epoch as it is, and reads",
        b"UPDATE streams SET epoch = epoch + 1 WHERE", b"UPDATE streams SET epoch = epoch + 0 WHERE",
        BEYOND_THE_LEASE),
}


class Planting:
    """Makes one mistake in all that is sent to the database, and counts how often."""

    def __init__(self, plant: Plant) -> None:
        self.plant = plant
        self.hits = 0  # as long as it is 0, nothing is wrong with the servers

    def rewrite(self, data: bytes) -> bytes:
        self.hits += data.count(self.plant.sent)
        return data.replace(self.plant.sent, self.plant.arrives)


for plant in PLANTS.values():
    assert len(plant.sent) == len(plant.arrives)
