"""Many sockets at once, each of which says little or nothing, and honest clients beside them."""

import collections
import contextlib
import os
import resource
import select
import socket
import time

from . import wire
from .table import check
from .witness import Witnesses

# Every honest client is answered within a second, without the time in which it or the server had no
# core to run on (witness.py).
ANSWERED_WITHIN = 1.0


def allow_descriptors(count):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < count:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(count, hard), hard))


def address(number):
    """One of many addresses of this machine."""
    return f"127.7.{number // 250}.{number % 250 + 1}"


class Crowd:
    """Opens connections and holds them."""

    def __init__(self, server, payload=b"", receive_buffer=None, addresses=1, stays=None):
        """stays: seconds after which each leaves; None: until the end."""
        allow_descriptors(20_000)
        self.stays = stays
        self.opened = collections.deque()
        self.server = server
        self.payload = payload
        self.addresses = addresses
        # Which of the addresses is next.
        self.first = 0
        self.receive_buffer = receive_buffer
        self.socks = []
        self.fresh = []

    def open(self, count):
        for _ in range(count):
            sock = socket.socket()
            sock.setblocking(False)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if self.receive_buffer:
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, self.receive_buffer)
            if self.addresses > 1:
                # The port is chosen with the destination (IP_BIND_ADDRESS_NO_PORT).
                sock.setsockopt(socket.IPPROTO_IP, 24, 1)
                sock.bind((address((self.first + len(self.socks)) % self.addresses), 0))
            sock.connect_ex(("127.0.0.1", self.server.port))
            self.fresh.append(sock)
            if self.stays is None:
                self.socks.append(sock)
            else:
                self.opened.append((time.monotonic(), sock))
        self.speak()
        while self.opened and time.monotonic() - self.opened[0][0] > self.stays:
            self.opened.popleft()[1].close()

    def speak(self):
        """Sends the payload where the connection stands by now."""
        waiting = []
        for sock in self.fresh:
            try:
                sock.send(self.payload)
            except BlockingIOError:
                waiting.append(sock)
            except OSError:
                pass
        self.fresh = waiting

    def run(self, per_second, seconds):
        """So many new ones per second."""
        began = time.monotonic()
        opened = 0
        while (elapsed := time.monotonic() - began) < seconds:
            due = int(elapsed * per_second) - opened
            self.open(due)
            opened += due
            self.speak()
            time.sleep(0.005)
        return opened / seconds

    def drip(self, octets, seconds, pause):
        """Sends a byte to each connection, again and again."""
        end = time.monotonic() + seconds
        for at in range(len(octets)):
            if time.monotonic() > end:
                return
            for sock in self.socks:
                with contextlib.suppress(OSError):
                    sock.send(octets[at:at + 1])
            time.sleep(pause)

    def ended(self):
        """How many the server has ended."""
        poller = select.poll()
        for sock in self.socks:
            poller.register(sock, select.POLLIN)
        return len(poller.poll(0))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for sock in self.socks + [sock for _, sock in self.opened]:
            sock.close()


@contextlib.contextmanager
def honest(server, seconds_before=0.5, host="example.com", burst=0.0):
    """Well-behaved clients beside what is done inside: all answered, each within a second.

    burst: seconds of the server's work that the attack brings at once, for which everybody behind
    it waits."""
    beside = Witnesses(server, host=host)
    with beside:
        time.sleep(seconds_before)
        yield beside
    server.beside.append(beside)
    if not server.is_judged:
        return
    without = len(beside.failures)
    check(without == 0, f"honest clients: {without} not answered, {beside.answered} answered, as "
          f"{beside.failures[:1]}")
    check(beside.answered > 20, f"only {beside.answered} honest clients were answered")
    bound = ANSWERED_WITHIN + burst
    check(beside.slowest <= bound,
          f"an honest client waited {beside.slowest:.2f} s for the server, bound {bound:.1f} s "
          f"({beside.slowest_on_clock:.2f} s on the clock)")


def idle_while_waiting(server):
    """The law of work conservation as the server measures it, in seconds."""
    return server.metric("aasa_idle_while_waiting_seconds_total")


def client_hello(server, version=None):
    """The first flight of a real client."""
    import ssl
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    machine = wire.context(server, "h2", version).wrap_bio(
        incoming, outgoing, server_hostname="example.com")
    try:
        machine.do_handshake()
    except ssl.SSLWantReadError:
        pass
    return outgoing.read()
