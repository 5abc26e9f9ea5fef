"""Runs the attacks: first the slow ones beside each other, then the others one by one."""

import os
import sys
import threading
import time

from . import http1_attacks, http2_attacks, tls_attacks  # noqa: F401  they register
from . import pause_attacks, reader_attacks, silence_attacks  # noqa: F401
from . import real_clients, resource_attacks
from . import edge_attacks, front_attacks, sequence_attacks  # noqa: F401
from . import costs
from .confinement import Confinement
from .nginx import Nginx, is_there, version
from .server import Server
from .table import ATTACKS, perform, perform_beside
from .witness import Witnesses

# One row of each class, for `deploy/test`: they show that the defence is there, in a minute or two.
SAMPLE = {
    "request smuggling", "slowloris", "rapid reset", "CONTINUATION flood", "HPACK bomb",
    "renegotiation (TLS 1.2)", "KeyUpdate flood", "a ClientHello in records of one byte",
    "false addresses by PROXY headers", "the process is stopped",
    "readers that do not read, 200/s", "descriptor exhaustion", "half a ClientHello and silence",
    "curl, both protocols",
}


def chosen(wanted):
    """The rows to run: those of the sample, those with a part of their name, or all."""
    if wanted == ["--sample"]:
        missing = SAMPLE - {row.name for row in ATTACKS}
        assert not missing, f"the sample names rows that are gone: {missing}"
        return [row for row in ATTACKS if row.name in SAMPLE]
    return [row for row in ATTACKS
            if not wanted or any(part.lower() in row.name.lower() for part in wanted)]


def run_slow(rows, server):
    """The slow ones wait for time limits; memory is watched for all of them together."""
    threads = [threading.Thread(target=perform, args=(row, server, False)) for row in rows]
    before = server.resident()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    grown = (server.resident() - before) / 1e6
    bound = 64
    if rows and grown > bound:
        rows[0].problem = f"resident memory grew by {grown:.1f} MB together, bound {bound} MB"
    return grown


def main(wanted):
    binary = os.environ["AASA_BINARY"]
    if wanted[:1] == ["--costs"]:
        return costs.main(binary, wanted[1:])
    rows = chosen(wanted)
    if not rows:
        print("no attack has such a name", file=sys.stderr)
        return 2
    scarce = [row for row in rows if row.run is resource_attacks.descriptors]
    lifted = [row for row in rows if row.name in real_clients.LIFTED]
    alone = [row for row in rows if row.own]
    slow = [row for row in rows if row.slow and row not in scarce]
    quick = [row for row in rows if row not in scarce + lifted + slow + alone]
    began = time.monotonic()
    witnesses = []

    def against(some, *options, descriptors=None, together=False, witnessed=True, group=None):
        if not some:
            return
        with Server(binary, *options, descriptors=descriptors, group=group) as server:
            beside = Witnesses(server)
            if witnessed:
                beside.__enter__()
                time.sleep(0.5)
            if together:
                grown = run_slow(some, server)
                print(f"slow ones together: resident memory grew by {grown:.1f} MB",
                      file=sys.stderr)
            else:
                for row in some:
                    perform(row, server)
            if witnessed:
                beside.__exit__()
                witnesses.append(beside)
            log = server.log()
            if "Fatal error" in log or "Sanitizer" in log:
                some[0].problem = "in the log: " + log[-500:]

    phases = [
        threading.Thread(target=against, args=(slow,), kwargs={"together": True}),
        threading.Thread(target=against, args=(quick,)),
        threading.Thread(target=against, args=(scarce,), kwargs={"descriptors": 200}),
    ]
    for phase in phases:
        phase.start()
    for phase in phases:
        phase.join()
    # These have the machine to themselves.
    for row in alone:
        with Confinement(row.confined) as group:
            against([row], witnessed=False, group=group)
        if row.beside_nginx and is_there() and wanted != ["--sample"]:
            with Confinement(row.confined) as group, Nginx(binary, group=group) as nginx:
                perform_beside(row, nginx)
    # So has the benchmark.
    against(lifted, "--clients", "pools", witnessed=False)

    # A row that failed is tried once more, alone: two busy cores can starve an attacker of time,
    # and that must be seen but not stop a release. Many failures are not bad luck.
    failed = [row for row in rows if row.problem]
    unsteady = {}
    for row in failed if len(failed) <= 3 else ():
        unsteady[row.name], row.problem = row.problem, ""
        if row in lifted:
            against([row], "--clients", "pools", witnessed=False)
        else:
            with Confinement(row.confined) as group:
                against([row], descriptors=200 if row in scarce else None,
                        witnessed=not row.own, group=group)
        if row.problem:
            del unsteady[row.name]

    width = max(len(row.name) for row in rows)
    for row in rows:
        mark = "FAIL" if row.problem else "ok"
        line = f"{mark:4} {row.name:{width}} | {row.bound} | {row.measured} | {row.counted}"
        if row.beside_nginx:
            line += f" | nginx {version()}: {row.nginx}" if is_there() else " | no nginx here"
        print(line)
    answered = sum(beside.answered for beside in witnesses)
    failures = [failure for beside in witnesses for failure in beside.failures]
    slowest = max((beside.slowest for beside in witnesses), default=0.0)
    print(f"clients beside: {answered} answered, {len(failures)} not; slowest {slowest:.2f} s; "
          f"{time.monotonic() - began:.0f} s in all")
    for row in rows:
        if row.problem:
            print(f"FAILED {row.name}: {row.problem}")
    for name, problem in unsteady.items():
        print(f"UNSTEADY {name}: failed, then passed alone ({problem})")
    for failure in failures[:5]:
        print(f"FAILED a client beside: {failure}")
    failed = sum(bool(row.problem) for row in rows) + (1 if failures else 0)
    passed = len(rows) + (1 if witnesses else 0) - failed
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main(sys.argv[1:]))
