"""The table of attacks, and what runs a row of it."""

import time
from dataclasses import dataclass, field

ATTACKS = []


class Beyond(Exception):
    """An attack got further than its bound."""


def check(condition, what):
    if not condition:
        raise Beyond(what)


@dataclass
class Attack:
    name: str
    bound: str
    run: object
    reasons: tuple
    slow: bool
    megabytes: int
    own: bool
    beside_nginx: bool
    confined: int = 0
    nginx: str = "-"
    measured: str = ""
    counted: str = ""
    problem: str = ""
    notes: list = field(default_factory=list)


def attack(name, bound, reasons=(), slow=False, megabytes=16, own=False,
           beside_nginx=None, confined=0):
    """Registers a function `run(server) -> measured`.

    reasons: the server must have counted at least one close for one of them.
    slow: it mostly waits for a time limit, and runs beside the other slow ones.
    megabytes: how much resident memory may grow.
    own: it runs alone, against a server of its own, and brings the honest clients itself.
    beside_nginx: it is played against nginx as well; as a rule if it brings honest clients.
    confined: the server has so many megabytes, and is killed by the kernel beyond them."""

    def register(run):
        ATTACKS.append(Attack(
            name, bound, run, tuple(reasons), slow, megabytes, own,
            own if beside_nginx is None else beside_nginx, confined))
        return run

    return register


def perform_beside(row, nginx):
    """The same against nginx: what the honest clients got, or what the row measured."""
    try:
        said = row.run(nginx)
    except Exception as error:  # nginx is not judged: that is what it came to
        said = str(error)[:80]
    asked = sum(beside.answered + len(beside.failures) for beside in nginx.beside)
    if asked:
        answered = sum(beside.answered for beside in nginx.beside)
        slowest = max(beside.slowest for beside in nginx.beside)
        said = f"{answered} of {asked} honest answered, slowest {slowest:.2f} s"
    row.nginx = f"{said}, {1000 * nginx.cpu():.0f} ms CPU"


def perform(row, server, watch_memory=True):
    before, resident, cpu = server.closes(), server.resident(), server.cpu()
    try:
        row.measured = row.run(server)
    except Beyond as error:
        row.problem = str(error)
        row.measured = row.measured or "-"
    except Exception as error:  # what breaks the attacker's own tools is a finding as well
        row.problem = f"{type(error).__name__}: {error}"
        row.measured = row.measured or "-"
    if not server.is_alive:
        row.problem = f"the server is gone; {row.problem}"
        return
    counted = {}
    for _ in range(60):
        after = server.closes()
        counted = {reason: after[reason] - before.get(reason, 0) for reason in after}
        if not row.reasons or any(counted.get(reason, 0) > 0 for reason in row.reasons):
            break
        time.sleep(0.1)
    seen = [f"{reason} {counted[reason]}" for reason in row.reasons if counted.get(reason, 0) > 0]
    row.counted = ", ".join(seen) or ("-" if not row.reasons else "none")
    if row.reasons and not seen and not row.problem:
        others = {reason: count for reason, count in counted.items() if count > 0}
        row.problem = f"none of {', '.join(row.reasons)} was counted, but {others}"
    if watch_memory:
        grown = (server.resident() - resident) / 1e6
        row.measured += f"; {max(0, grown):.1f} MB, {1000 * (server.cpu() - cpu):.0f} ms CPU"
        if grown > row.megabytes and not row.problem:
            row.problem = f"resident memory grew by {grown:.1f} MB, bound {row.megabytes} MB"
