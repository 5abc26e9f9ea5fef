"""Attacks that cost the attacker next to nothing: sockets that say a byte, half a ClientHello, or
a whole one and then nothing. Each against a server of its own, beyond the limits it attacks."""

import ssl

from .costs import GARBAGE
from .crowd import Crowd, client_hello, honest, idle_while_waiting
from .edge_attacks import records, replace_extensions
from .limits import WORKERS, beyond, limit
from .table import attack, check

# Longer than any of them may stay.
SECONDS = 12
MEGABYTES = 160
# All handshakes that the workers hold, of 45 KB each.
HANDSHAKES = MEGABYTES + int(WORKERS * limit("handshakesMaximum") * 0.045)


def at_once():
    """A fifth more than all workers hold."""
    return WORKERS * int(1.2 * limit("handshakesMaximum"))


def crowd(server, payload, addresses=1, receive_buffer=None):
    """600 per second for longer than one may stay, then twice the caps at once. A whole ClientHello
    costs the server's half of a handshake, so the burst is work that takes its time."""
    def attackers():
        return Crowd(server, payload, receive_buffer, addresses)

    with honest(server) as beside, attackers() as first:
        before = server.cpu()
        rate = first.run(600, SECONDS)
        each = (server.cpu() - before) / (600 * SECONDS)
    with honest(server, burst=each * at_once() / WORKERS) as beside:
        with attackers() as second:
            second.open(at_once())
            second.run(0, 4)
    idle = idle_while_waiting(server)
    check(idle == 0, f"the server slept {idle:.3f} s while a client waited")
    return (f"{rate:.0f}/s for {SECONDS} s, then {at_once()} at once; of {beside.answered} honest "
            f"clients beside these the slowest {beside.slowest:.2f} s")


@attack("one byte and silence", "honest clients within 1 s", ("silent", "handshake_timeout"),
        own=True, megabytes=MEGABYTES)
def one_byte(server):
    return crowd(server, b"\x16")


@attack("half a ClientHello and silence", "honest clients within 1 s",
        ("handshake_timeout", "handshake_abandoned"), own=True, megabytes=MEGABYTES)
def half_hello(server):
    hello = client_hello(server)
    return crowd(server, hello[:len(hello) // 2])


@attack("ClientHellos never answered (TLS 1.3)", "honest clients within 1 s",
        ("handshake_timeout", "handshake_pressure", "handshake_abandoned"), own=True,
        megabytes=HANDSHAKES)
def unanswered_13(server):
    return crowd(server, client_hello(server))


@attack("the same of 2,000 addresses (TLS 1.3)", "honest clients within 1 s",
        ("handshake_timeout", "handshake_pressure", "handshake_abandoned"), own=True,
        megabytes=HANDSHAKES, beside_nginx=False)
def unanswered_botnet(server):
    """Addresses count for nothing: what holds is the order in which silent handshakes give way."""
    return crowd(server, client_hello(server), addresses=2000)


@attack("ClientHellos whose answer is never read", "honest clients within 1 s",
        ("handshake_timeout", "handshake_pressure", "handshake_abandoned"), own=True,
        megabytes=HANDSHAKES)
def unread_flights(server):
    """The flight does not fit their window: nothing of it is acknowledged, as on a full link."""
    return crowd(server, client_hello(server), receive_buffer=1)


@attack("ClientHellos never answered (TLS 1.2)", "honest clients within 1 s",
        ("handshake_timeout", "handshake_pressure", "handshake_abandoned"), own=True,
        megabytes=HANDSHAKES)
def unanswered_12(server):
    return crowd(server, client_hello(server, ssl.TLSVersion.TLSv1_2))


@attack("ClientHellos dripped", "honest clients within 1 s",
        ("handshake_timeout", "handshake_abandoned"), own=True, megabytes=MEGABYTES)
def dripped(server):
    hello = client_hello(server)
    count = beyond(limit("workingMinimum"))
    with honest(server) as beside, Crowd(server, hello[:1]) as crowd:
        crowd.open(count)
        crowd.run(0, 1)
        crowd.drip(hello[1:], SECONDS, 0.3)
        ended = crowd.ended()
    check(ended >= count * 0.9, f"{ended} of {count} were ended by their time limit")
    idle = idle_while_waiting(server)
    check(idle == 0, f"the server slept {idle:.3f} s while a client waited")
    return (f"{count}, a byte each 0.3 s: {ended} ended; {beside.answered} honest clients, "
            f"slowest {beside.slowest:.2f} s")


@attack("ClientHellos with garbage behind them", "beyond the processor: honest clients within 4 s",
        ("handshake_failed",), own=True, megabytes=MEGABYTES)
def garbage(server):
    """Signed with RSA, so that they are more than the processor bears. Who sends them leaves after
    2 s, and whoever waits in turn is answered by then."""
    with honest(server, burst=3) as beside, flood(server) as crowd:
        rate = crowd.run(2500, SECONDS)
    return (f"{rate:.0f}/s; {beside.answered} honest clients, slowest {beside.slowest:.2f} s")


def flood(server):
    rsa_pss = (13, b"\x00\x02\x08\x04")
    hello = records(replace_extensions(client_hello(server), [rsa_pss], {13}), 16_384)
    return Crowd(server, hello + GARBAGE, addresses=200, stays=2)


@attack("ClientHellos of 58 KB dripped", "those in two and three parts beside them are answered",
        ("hello_pressure", "handshake_timeout"), own=True, megabytes=MEGABYTES)
def large_drips(server):
    """More than all workers keep of ClientHellos in parts; a byte each 0.1 s makes none of them
    the least recent one."""
    octets = records(replace_extensions(
        client_hello(server), [(0x7777, bytes(60_000 - 2))]), 16_384)
    count = WORKERS * 2 * (16 << 20) // 58_000
    with honest(server) as beside, Crowd(server, octets[:58_000]) as crowd:
        crowd.open(count)
        crowd.run(0, 2)
        crowd.drip(octets[58_000:], SECONDS, 0.1)
    return f"{count}; {beside.answered} honest clients, slowest {beside.slowest:.2f} s"


@attack("17,000 parts of 1 KB", "those in two and three parts beside them are answered",
        ("hello_pressure", "handshake_timeout", "handshake_abandoned"), own=True,
        megabytes=MEGABYTES)
def small_parts(server):
    octets = records(replace_extensions(
        client_hello(server), [(0x7777, bytes(2000))]), 16_384)[:1024]
    with honest(server) as beside, Crowd(server, octets) as crowd:
        crowd.run(17_000 / SECONDS, SECONDS)
    return f"{beside.answered} honest clients, slowest {beside.slowest:.2f} s"
