"""The table has, for each kind of attack, the rate at which fewer than 99 of 100 honest clients get an
answer within five seconds, beside nginx. Attacks come from one address and from many. It also has
the CPU time of each attempt: how many of them a core can bear, however slow the attacker is.

The server has one worker and its own core; attackers and honest clients share another one. All of
them run in the kernel's real-time class where that is allowed, so that neither server waits for
other programs. In the ordinary class, a server in its own session gets more of a busy core than one
without (sched_autogroup).
Rates double from step to step, and the step is found by halving. A rate that the attacker does not
reach on its core is no result: then the most that it reached stands there, as a bound.
"""

import contextlib
import ctypes
import ctypes.util
import multiprocessing
import os
import pathlib
import platform
import socket
import ssl
import struct
import sys
import time

from . import wire
from .crowd import address, allow_descriptors, client_hello
from .edge_attacks import long_search, records, replace_extensions, slow_group
from .nginx import Nginx, is_there, version
from .server import HOSTS, PATH, Server
from .witness import Witnesses

RATES = (200, 800, 3200)
SECONDS = 7
PATIENCE = 5
SHARE = 0.99
ADDRESSES = (1, 200)
# A botnet, for what costs its sender nothing.
BOTNET = 2000
TABLE = pathlib.Path(__file__).resolve().parents[1] / "COSTS.md"
SMALL = f"GET {PATH} HTTP/1.1\r\nHost: {HOSTS[0]}\r\n\r\n".encode()
LARGE = f"GET {PATH} HTTP/1.1\r\nHost: {HOSTS[1]}\r\n\r\n".encode()
HELD = 500
PROCESSES = 8


class Order:
    """One attacker's work: so many per second, from so many addresses."""

    def __init__(self, server, rate, addresses):
        self.port, self.authority = server.port, server.authority
        self.rate, self.addresses = rate, addresses
        self.hello = client_hello(server)
        self.hello12 = client_hello(server, ssl.TLSVersion.TLSv1_2)

    def socket(self, number):
        sock = socket.socket()
        # The port is chosen with the destination: else 200 addresses share what one has.
        sock.setsockopt(socket.IPPROTO_IP, 24, 1)
        # Half of the honest clients come from the first of them.
        sock.bind((address(number % self.addresses), 0))
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return sock


def says(payload, resets=False, leaves=None):
    """Connects, sends that, and says no more; or leaves so many seconds later."""

    def play(order, number, held):
        sock = order.socket(number)
        sock.setblocking(False)
        sock.connect_ex(("127.0.0.1", order.port))
        octets = payload(order)
        try:
            sock.send(octets)
        except BlockingIOError:
            pass
        except OSError:
            sock.close()
            return
        if resets:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        if leaves is None:
            held.append(sock)
            return
        now = time.monotonic()
        held.append((now + leaves, sock))
        while held and held[0][0] <= now:
            held.pop(0)[1].close()
    play.never_waits = True
    return play


def crafted(extensions):
    """A ClientHello with these extensions in the place of its own, then silence."""
    made = {}

    def octets(order):
        if order.hello not in made:
            added = extensions()
            made[order.hello] = records(
                replace_extensions(order.hello, added, {kind for kind, _ in added}), 16_384)
        return made[order.hello]
    return says(octets)


def handshakes(octets=b"", alpn="http/1.1", receive_buffer=None, host=HOSTS[0]):
    """A complete handshake, then these bytes, and nothing is read."""
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    made.check_hostname, made.verify_mode = False, ssl.CERT_NONE
    made.set_alpn_protocols([alpn])

    def play(order, number, held):
        sock = order.socket(number)
        if receive_buffer:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        sock.settimeout(PATIENCE)
        sock.connect(("127.0.0.1", order.port))
        sock = made.wrap_socket(sock, server_hostname=host)
        if octets:
            sock.sendall(octets)
        held.append(sock)
    return play


def drips(order, number, held):
    """A byte of a ClientHello to one of many connections."""
    at = number % HELD
    if at == len(held):
        sock = order.socket(number)
        sock.connect(("127.0.0.1", order.port))
        held.append(sock)
    try:
        sent = number // HELD % len(order.hello)
        held[at].send(order.hello[sent:sent + 1])
    except OSError:
        held[at].close()
        held[at] = order.socket(number)
        held[at].connect(("127.0.0.1", order.port))


drips.never_waits = True


def key_updates():
    """A handshake, and as many KeyUpdates that ask for one as a server takes, by OpenSSL itself."""
    library = ctypes.CDLL(ctypes.util.find_library("ssl"))
    for name in ("TLS_client_method", "SSL_CTX_new", "SSL_new"):
        getattr(library, name).restype = ctypes.c_void_p
    context = ctypes.c_void_p(library.SSL_CTX_new(ctypes.c_void_p(library.TLS_client_method())))
    set_server_name, update_requested = 55, 1

    def play(order, number, held):
        sock = order.socket(number)
        sock.connect(("127.0.0.1", order.port))
        session = ctypes.c_void_p(library.SSL_new(context))
        library.SSL_set_fd(session, sock.fileno())
        library.SSL_ctrl(session, set_server_name, ctypes.c_long(0), HOSTS[0].encode())
        if library.SSL_connect(session) == 1:
            for _ in range(32):
                library.SSL_key_update(session, update_requested)
                if library.SSL_do_handshake(session) != 1:
                    break
        library.SSL_free(session)
        held.append(sock)
    return play


def rapid_resets():
    block = wire.block()
    octets = wire.PREFACE + wire.frame(wire.SETTINGS) + b"".join(
        wire.frame(wire.HEADERS, 5, 2 * n + 1, block)
        + wire.frame(wire.RST_STREAM, 0, 2 * n + 1, struct.pack(">I", 8)) for n in range(100))
    return handshakes(octets, alpn="h2")


# A record that cannot be decrypted, where the client's Finished should come.
GARBAGE = b"\x17\x03\x03\x00\x40" + b"\xee" * 64

KINDS = {
    "complete handshakes (the measure)": ("connections/s", handshakes()),
    "a connection, and silence": ("connections/s", says(lambda order: b"")),
    "one byte, then silence": ("connections/s", says(lambda order: b"\x16")),
    "half a ClientHello": ("connections/s", says(lambda order: order.hello[:200])),
    "ClientHellos dripped, 500 at once": ("bytes/s", drips),
    "a ClientHello, unanswered (TLS 1.3)": ("connections/s", says(lambda order: order.hello)),
    "a ClientHello, unanswered (TLS 1.2)": ("connections/s", says(lambda order: order.hello12)),
    "a ClientHello, and 64 KB to search": ("connections/s", crafted(long_search)),
    "a ClientHello for P-384 and RSA": ("connections/s", crafted(slow_group)),
    "a ClientHello, and garbage behind it":
        ("connections/s", says(lambda order: order.hello + GARBAGE, leaves=2)),
    "a ClientHello, then a reset": ("connections/s", says(lambda order: order.hello, True, 0)),
    "a ClientHello, a reset 50 ms later":
        ("connections/s", says(lambda order: order.hello, True, 0.05)),
    "a ClientHello, gone 50 ms later":
        ("connections/s", says(lambda order: order.hello, leaves=0.05)),
    "half a head behind a handshake": ("connections/s", handshakes(SMALL[:20])),
    "half a preface of HTTP/2": ("connections/s", handshakes(wire.PREFACE[:12], alpn="h2")),
    "120 KB asked, nothing read":
        ("connections/s", handshakes(LARGE, receive_buffer=4096, host=HOSTS[1])),
    "100 resets over HTTP/2 each": ("connections/s", rapid_resets()),
    "KeyUpdates that ask for one": ("connections/s", key_updates()),
}


def attacker(order, play, counted):
    """Keeps to its rate as well as its core lets it, for as long as it is left to live."""
    allow_descriptors(19_900)
    held = []
    began = time.monotonic()
    number = 0
    while True:
        if number >= (time.monotonic() - began) * order.rate:
            time.sleep(0.001)
            continue
        with contextlib.suppress(OSError, ValueError):
            play(order, number, held)
        number += 1
        counted.value = number
        # A server that is done with a connection needs nobody who holds it.
        if len(held) > 18_000:
            oldest = held.pop(0)
            (oldest[1] if isinstance(oldest, tuple) else oldest).close()


def settle(server):
    """Waits until the server has nothing to do: what it makes ahead is not the attack's cost."""
    before = -1.0
    for _ in range(40):
        now = server.cpu()
        if now - before < 0.01:
            return
        before = now
        time.sleep(0.5)


def step(server, play, rate, addresses):
    """The share of honest clients that were answered, the rate that was reached, and seconds of the
    server's processor for each attempt, before honest clients come."""
    # A handshake waits for the server: several go on beside each other.
    count = 1 if getattr(play, "never_waits", False) else PROCESSES
    order = Order(server, rate / count, addresses)
    counted = [multiprocessing.Value("l", 0, lock=False) for _ in range(count)]
    processes = [
        multiprocessing.Process(target=attacker, args=(order, play, number), daemon=True)
        for number in counted]
    beside = Witnesses(server, patience=PATIENCE)
    settle(server)
    for process in processes:
        process.start()
    began, used = time.monotonic(), server.cpu()
    # What the attack leaves behind builds up first.
    time.sleep(2)
    spent, count = server.cpu() - used, sum(each.value for each in counted)
    with beside:
        time.sleep(SECONDS - 2)
        reached = sum(each.value for each in counted) / (time.monotonic() - began)
    for process in processes:
        process.kill()
        process.join()
    asked = beside.answered + len(beside.failures)
    return beside.answered / max(1, asked), reached, spent / max(1, count)


def cell(make, play, addresses):
    """The lowest rate that stops honest clients, as text, by halving the list of rates; and seconds
    of processor for an attempt, at the highest rate that was tried."""
    low, high = 0, len(RATES)
    most = found = 0
    costs = {}
    while low < high:
        middle = (low + high) // 2
        with make() as server:
            share, reached, costs[RATES[middle]] = step(
                server, play, RATES[middle], addresses)
        print(f"    {RATES[middle]}/s: {reached:.0f}/s reached, {100 * share:.1f} % answered",
              file=sys.stderr)
        if share < SHARE:
            high, found = middle, reached
        else:
            low, most = middle + 1, max(most, reached)
            if reached < 0.7 * RATES[middle]:
                break
    return f"{found:,.0f}" if found else f"> {most:,.0f}", costs[max(costs)]


def columns(play):
    return ADDRESSES + ((BOTNET,) if getattr(play, "never_waits", False) else ())


def main(binary, options):
    if os.cpu_count() < 2 or not is_there():
        print("costs: two cores and nginx are needed (apt-get install nginx-light)",
              file=sys.stderr)
        return 3
    # One core for the server, which its threads inherit; one for everybody else.
    os.sched_setaffinity(0, {1})
    with contextlib.suppress(PermissionError):
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))
    wanted = [part for part in options if not part.startswith("--")]
    servers = {
        "aasa": lambda: Server(binary, workers=1, core=0),
        f"nginx {version()}": lambda: Nginx(binary, workers=1, core=0)}
    head = ["attack", "unit"] + [
        text for name in servers for text in (
            *(f"{name}, {count:,} address{'es' if count > 1 else ''}"
              for count in (*ADDRESSES, BOTNET)), f"{name}, processor each")]
    rows = [head, ["---"] * len(head)]
    for kind, (unit, play) in KINDS.items():
        if wanted and not any(part.lower() in kind.lower() for part in wanted):
            continue
        row = [kind, unit]
        for name, make in servers.items():
            each = 0.0
            for count in (*ADDRESSES, BOTNET):
                if count not in columns(play):
                    row.append("–")
                    continue
                print(f"{kind}: {name}, {count}", file=sys.stderr)
                rate, cost = cell(make, play, count)
                row.append(rate)
                each = max(each, cost)
            row.append(f"{1e6 * each:,.0f} µs")
        rows.append(row)
        if "--write" in options:
            write(rows)
    print(text(rows))
    return 0


def text(rows):
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def write(rows):
    """The table as far as it goes: it takes a quarter of an hour."""
    load = os.getloadavg()[0]
    TABLE.write_text(
        f"""# What it costs to stop honest clients

Made by `Tests/Attacks/run --costs --write` on {os.cpu_count()} cores ({platform.machine()}, Linux
{platform.release()}), {time.strftime('%Y-%m-%d')}; load average {load:.0f}, of which the
experiment is 2 to 3: with more, builds and tests of others shared both cores.

{__doc__.strip()}

`> 3,000` means that honest clients were still answered at 3,000, the most that the attacker's core
could send.

{text(rows)}
""")
