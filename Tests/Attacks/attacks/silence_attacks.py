"""Attacks that cost the attacker next to nothing: sockets that say a byte, half a ClientHello, or
a whole one and then nothing. Each against a server of its own, beyond the limits it attacks."""

import ssl

from .crowd import Crowd, client_hello, honest, idle_while_waiting
from .limits import WORKERS, beyond, limit
from .table import attack, check

# Longer than any of them may stay.
SECONDS = 12
MEGABYTES = 160


def at_once():
    return max(beyond(limit("workingMinimum")), beyond(limit("silentHandshakesMaximum")))


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
        megabytes=2 * MEGABYTES)
def unanswered_13(server):
    return crowd(server, client_hello(server))


@attack("the same of 2,000 addresses (TLS 1.3)", "honest clients within 1 s",
        ("handshake_timeout", "handshake_pressure", "handshake_abandoned"), own=True,
        megabytes=2 * MEGABYTES, beside_nginx=False)
def unanswered_botnet(server):
    """Fewer silent handshakes are held than there are addresses: none of them looks worse than a
    phone out of reach, and what holds is the order in which they give way."""
    return crowd(server, client_hello(server), addresses=2000)


@attack("ClientHellos whose answer is never read", "honest clients within 1 s",
        ("handshake_timeout", "handshake_pressure", "handshake_abandoned"), own=True,
        megabytes=2 * MEGABYTES)
def unread_flights(server):
    """The flight does not fit their window: nothing of it is acknowledged, as on a full link."""
    return crowd(server, client_hello(server), receive_buffer=1)


@attack("ClientHellos never answered (TLS 1.2)", "honest clients within 1 s",
        ("handshake_timeout", "handshake_pressure", "handshake_abandoned"), own=True,
        megabytes=2 * MEGABYTES)
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
