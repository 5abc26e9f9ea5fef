"""Cheap tricks at the edges of TCP and TLS: what is sent costs the attacker a system call, and must
cost the server no more than it says."""

import contextlib
import os
import random
import socket
import ssl
import struct
import time

from . import wire
from .crowd import Crowd, client_hello, honest
from .server import HOSTS, PATH
from .table import attack, check

REQUEST = f"GET {PATH} HTTP/1.1\r\nHost: {HOSTS[0]}\r\nConnection: close\r\n\r\n".encode()
HANDSHAKE, APPLICATION_DATA, ALERT = 22, 23, 21


def record(kind, payload):
    return struct.pack(">BHH", kind, 0x0303, len(payload)) + payload


def with_extensions(server, added, replaced=()):
    return replace_extensions(client_hello(server), added, replaced)


def replace_extensions(octets, added, replaced=()):
    """A real ClientHello with other extensions (RFC 8446 section 4.1.2): `replaced` are left out,
    `added` come last. From a record to a message."""
    hello = octets[9:]
    at = 34
    at += 1 + hello[at]
    at += 2 + int.from_bytes(hello[at:at + 2], "big")
    at += 1 + hello[at]
    head, rest, kept = hello[:at], hello[at + 2:], b""
    while rest:
        kind, length = struct.unpack(">HH", rest[:4])
        if kind not in replaced:
            kept += rest[:4 + length]
        rest = rest[4 + length:]
    kept += b"".join(struct.pack(">HH", kind, len(body)) + body for kind, body in added)
    body = head + struct.pack(">H", len(kept)) + kept
    return b"\x01" + len(body).to_bytes(3, "big") + body


def records(message, size):
    return b"".join(
        record(HANDSHAKE, message[at:at + size]) for at in range(0, len(message), size))


def server_name(name):
    inner = struct.pack(">BH", 0, len(name)) + name
    return 0, struct.pack(">H", len(inner)) + inner


def first_flight(server, octets, patience=15):
    """What the server says to these first bytes, and whether it then ends."""
    with contextlib.closing(wire.tcp(server)) as sock:
        with contextlib.suppress(OSError):
            sock.sendall(octets)
        sock.settimeout(patience)
        try:
            return sock.recv(65536)
        except (ConnectionError, socket.timeout):
            return b""


def many(server, count, play):
    """Plays so often, one after the other: milliseconds of the server's processor for each."""
    before = server.cpu()
    for number in range(count):
        play(number)
    return 1000 * (server.cpu() - before) / count


@attack("resets behind a ClientHello", "honest clients within 1 s",
        ("left_while_waiting", "handshake_abandoned"), own=True, megabytes=64)
def resets(server):
    hello = client_hello(server)
    gone = 0
    with honest(server) as beside:
        end = time.monotonic() + 8
        while time.monotonic() < end:
            with Crowd(server, hello) as crowd:
                crowd.open(50)
                crowd.run(0, 0.02)
                for sock in crowd.socks:
                    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                gone += 50
    return (f"{gone / 8:.0f} resets/s; {beside.answered} honest clients, "
            f"slowest {beside.slowest:.2f} s")


@attack("gone behind our flight", "honest clients within 1 s",
        ("handshake_abandoned", "handshake_pressure"), own=True, megabytes=160,
        beside_nginx=False)
def leavers(server):
    """A whole ClientHello, and a moment later the end: we have signed for nothing. Of 2,000
    addresses, none of which is silent for long enough to be called so."""
    hello = client_hello(server)
    gone = 0
    with honest(server, seconds_before=1) as beside:
        crowds = []
        end = time.monotonic() + 5
        while time.monotonic() < end:
            crowd = Crowd(server, hello, addresses=2000)
            crowd.first = gone
            crowd.open(60)
            crowd.run(0, 0.03)
            gone += 60
            crowds.append(crowd)
            if len(crowds) > 2:
                crowds.pop(0).__exit__()
        for crowd in crowds:
            crowd.__exit__()
    return (f"{gone / 5:.0f}/s of 2,000 addresses; {beside.answered} honest clients, "
            f"slowest {beside.slowest:.2f} s")


@attack("connections half closed", "300: answered if they asked, else closed at once",
        ("peer_closed",))
def half_closed(server):
    answered = ended = 0
    for number in range(300):
        sock = wire.tls(server)
        asks = number % 3 == 0
        if asks:
            sock.sendall(REQUEST.replace(b"Connection: close\r\n", b""))
        socket.socket.shutdown(sock, socket.SHUT_WR)
        octets, over = wire.read_all(sock, 15)
        answered += asks and octets.startswith(b"HTTP/1.1 200 ")
        ended += over
        sock.close()
    check(ended == 300 and answered == 100, f"{answered} of 100 answered, {ended} of 300 ended")
    return "100 answered, 300 ended"


@attack("a head in records of one byte", "answered, or closed after the time for a head",
        ("answered", "head_timeout", "peer_closed"), megabytes=8)
def tiny_records(server):
    sock = wire.tls(server)
    head = REQUEST[:-2] + b"X-Filler: " + b"v" * 8000 + b"\r\n\r\n"
    before = server.cpu()
    with contextlib.suppress(OSError, ssl.SSLError):
        for at in range(len(head)):
            sock.sendall(head[at:at + 1])
    octets, ended = wire.read_all(sock, 15)
    sock.close()
    used = 1e6 * (server.cpu() - before) / len(head)
    check(ended, "still open")
    check(octets[:13] in (b"", b"HTTP/1.1 200 "), f"answered {octets[:40]!r}")
    # Decrypting one record is some microseconds; a head that is looked at anew with each byte would
    # cost hundreds at this length.
    check(used < 200, f"{used:.0f} µs of processor for a byte")
    return f"{len(head)} records, {'answered' if octets else 'closed'}"


@attack("a ClientHello in records of one byte", "taken or refused, as any", ())
def fragmented_hello(server):
    message = with_extensions(server, [])
    said = first_flight(server, records(message, 1))
    check(said[:1] in (b"\x16", b"\x15"), f"answered {said[:20]!r}")
    each = many(server, 40, lambda _: first_flight(server, records(message, 1)))
    whole = many(server, 40, lambda _: first_flight(server, records(message, 16_384)))
    check(each <= whole + 10, f"{each:.1f} ms of processor each, whole ones {whole:.1f} ms")
    return "ServerHello" if said[0] == HANDSHAKE else "refused by an alert"


@attack("a ClientHello that promises 16 MB", "kept within its bound, then closed",
        ("handshake_failed", "handshake_timeout"), megabytes=8)
def endless_hello(server):
    with contextlib.closing(wire.tcp(server)) as sock:
        part = record(HANDSHAKE, b"\x01\xff\xff\xff" + bytes(16_000))
        sent = 0
        with contextlib.suppress(OSError):
            sock.settimeout(12)
            for _ in range(1000):
                sock.sendall(part)
                sent += len(part)
        _, ended = wire.read_all(sock, 15)
    check(ended, "still open")
    # What the kernel's buffers take is sent as well.
    check(sent < 12_000_000, f"{sent} bytes were taken")
    return f"{sent // 1024} KB sent until the end"


@attack("a server name of 60,000 bytes", "refused by an alert, or the default host", ())
def huge_name(server):
    message = with_extensions(server, [server_name(b"a" * 60_000)], replaced=(0,))
    said = first_flight(server, records(message, 16_384))
    check(said[:1] in (b"\x16", b"\x15"), f"answered {said[:20]!r}")
    return "ServerHello" if said[0] == HANDSHAKE else "refused by an alert"


@attack("names that no certificate has", "cost what the right one costs", ())
def unknown_names(server):
    def ask(name):
        message = with_extensions(server, [server_name(name)], replaced=(0,))
        check(first_flight(server, records(message, 16_384))[:1] == b"\x16", f"{name} refused")
    known = many(server, 150, lambda _: ask(HOSTS[0].encode()))
    other = many(server, 150, lambda n: ask(b"%d.%x.example" % (n, random.getrandbits(64))))
    # Processor time is counted in ticks of 10 ms: 0.13 ms for each of two runs.
    check(other <= 1.5 * known + 0.3, f"{other:.2f} ms each, the right one {known:.2f} ms")
    return "150 unknown names"


# The generator of P-384 (SEC 2 section 2.5.1): a share that its sender computes nothing for.
P384_SHARE = bytes.fromhex(
    "04aa87ca22be8b05378eb1c71ef320ad746e1d3b628ba79b9859f741e082542a385502f25dbf55296c3a545e3872760ab7"
    "3617de4a96262c6f5d9e98bf9292dc29f8f41dbd289a147ce9da3113b5f0b8c00a60b1ce1d7e819d7a431d7c90ea0e5f")


def numbers(values):
    """A list of 16-bit numbers behind its length (RFC 8446 section 3.4)."""
    return struct.pack(f">H{len(values)}H", 2 * len(values), *values)


def key_shares(shares):
    octets = b"".join(struct.pack(">HH", group, len(key)) + key for group, key in shares)
    return struct.pack(">H", len(octets)) + octets


def long_search():
    """Groups and shares of which each share is looked for behind 16,000 groups (extensions 10, 51)."""
    groups = [*range(0x2000, 0x2000 + 16_000), 0x1FFF]
    return (10, numbers(groups)), (51, key_shares([(0x1FFF, b"x")] * 6400))


def slow_group():
    """The group that is several times as slow as the others, and the slower signature."""
    return (10, numbers([24])), (13, numbers([0x0804])), (51, key_shares([(24, P384_SHARE)]))


@attack("ClientHellos whose lists are chosen for their cost",
        "none costs more than ten ordinary ones", ("handshake_failed",))
def costly_hellos(server):
    def each(*added):
        message = records(with_extensions(server, added, {kind for kind, _ in added}), 16_384)
        return many(server, 60, lambda _: first_flight(server, message))
    ordinary = each()
    costs = {
        "shares to search for": each(*long_search()),
        "30,000 signature algorithms": each((13, numbers([0x0804, 0x0403] * 15_000))),
        "32,000 groups": each((10, numbers([*range(0x2000, 0x2000 + 32_000), 29]))),
        "P-384 and RSA": each(*slow_group()),
    }
    for kind, cost in costs.items():
        # Processor time is counted in ticks of 10 ms: 0.17 ms for each of two runs.
        check(cost <= 10 * ordinary + 0.4, f"{kind}: {cost:.1f} ms, ordinary {ordinary:.1f} ms")
    most = max(costs, key=costs.get)
    return f"the most for {most}: {costs[most]:.1f} ms, ordinary {ordinary:.1f} ms"


@attack("early data that nobody asked for", "skipped within a bound, then closed",
        ("handshake_failed", "handshake_timeout", "broken_tls"), megabytes=8)
def early_data(server):
    identity = os.urandom(64)
    # A ticket that is none, its age, and a binder that nobody can check.
    psk = (struct.pack(">H", 2 + len(identity) + 4) + struct.pack(">H", len(identity)) + identity
           + bytes(4) + struct.pack(">HB", 33, 32) + os.urandom(32))
    message = with_extensions(server, [(42, b""), (41, psk)], replaced=(21,))
    taken = 0
    with contextlib.closing(wire.tcp(server)) as sock:
        sock.sendall(records(message, 16_384))
        sock.settimeout(12)
        with contextlib.suppress(OSError):
            for _ in range(2000):
                junk = record(APPLICATION_DATA, os.urandom(4096))
                sock.sendall(junk)
                taken += len(junk)
                time.sleep(0.001)
        _, ended = wire.read_all(sock, 15)
    check(ended, "still open")
    check(taken < 4_000_000, f"{taken} bytes were skipped")
    return f"ended after {taken // 1024} KB or less"


@attack("warning alerts before the ClientHello", "closed within 6", ("handshake_failed", "not_tls"))
def early_alerts(server):
    with contextlib.closing(wire.tcp(server)) as sock:
        with contextlib.suppress(OSError):
            # user_canceled, a warning (RFC 8446 section 6.1).
            sock.sendall(record(ALERT, b"\x01\x5a") * 2000)
            sock.sendall(client_hello(server))
        _, ended = wire.read_all(sock, 15)
    check(ended, "still open")
    return "closed"


def flood_with(server, version, send, most=5000):
    """A TLS session by hand (tlslite), and one kind of message again and again."""
    from tlslite.api import HandshakeSettings, TLSConnection
    from tlslite.errors import TLSError
    settings = HandshakeSettings()
    settings.minVersion = settings.maxVersion = version
    sock = wire.tcp(server)
    sock.settimeout(12)
    connection = TLSConnection(sock)
    connection.handshakeClientCert(settings=settings, serverName=HOSTS[0])
    sent = 0
    try:
        for sent in range(1, most + 1):
            for _ in send(connection):
                pass
            if sent % 4 == 0:
                time.sleep(0.002)
    except (OSError, TLSError):
        pass
    sock.close()
    check(sent < most, f"{most} were taken")
    return f"closed after about {sent}"


@attack("warning alerts in a session (TLS 1.2)", "closed within 5,000",
        ("control_flood", "broken_tls", "handshake_failed", "network_error", "head_timeout"))
def alerts(server):
    from tlslite.messages import Alert
    return flood_with(
        server, (3, 3), lambda connection: connection._sendMsg(Alert().create(90, 1)))


@attack("empty records (TLS 1.2)", "closed within 5,000",
        ("control_flood", "broken_tls", "network_error", "head_timeout"))
def empty_records(server):
    from tlslite.messages import ApplicationData
    return flood_with(
        server, (3, 3), lambda connection: connection._sendMsg(
            ApplicationData().create(bytearray()), randomizeFirstBlock=False))


@attack("KeyUpdates that ask for one, unread", "closed within 5,000",
        ("control_flood", "broken_tls", "network_error"), megabytes=8)
def asking_key_updates(server):
    from tlslite.constants import KeyUpdateMessageType
    return flood_with(
        server, (3, 4), lambda connection: connection.send_keyupdate_request(
            KeyUpdateMessageType.update_requested))
