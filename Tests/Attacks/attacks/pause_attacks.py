"""The process is stopped, as a frozen virtual machine is: nobody is charged for that."""

import os
import signal
import socket
import ssl
import time

from . import wire
from .limits import limit
from .server import PATH
from .table import attack, check

REQUEST = f"GET {PATH} HTTP/1.1\r\nHost: example.com\r\nConnection: close\r\n\r\n".encode()


class Client:
    """A client by hand, which can be held at any step."""

    def __init__(self, server, version=None):
        self.sock = wire.tcp(server)
        self.incoming, self.outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.tls = wire.context(server, "http/1.1", version).wrap_bio(
            self.incoming, self.outgoing, server_hostname="example.com")

    def step(self):
        """One flight; whether the handshake is done."""
        try:
            self.tls.do_handshake()
            done = True
        except ssl.SSLWantReadError:
            done = False
        self.flush()
        return done

    def flush(self):
        if self.outgoing.pending:
            self.sock.sendall(self.outgoing.read())

    def receive(self):
        part = self.sock.recv(65536)
        if not part:
            raise ConnectionError("ended")
        self.incoming.write(part)

    def handshake(self):
        while not self.step():
            self.receive()

    def send(self, octets):
        self.tls.write(octets)
        self.flush()

    def answer(self):
        received = b""
        while True:
            try:
                part = self.tls.read(65536)
                if not part:
                    return received
                received += part
            except ssl.SSLWantReadError:
                try:
                    self.receive()
                except (ConnectionError, socket.timeout):
                    return received
            except ssl.SSLError:
                return received


def silent_before(client):
    return lambda: (client.handshake(), client.send(REQUEST))


def hello_before(client):
    client.step()
    return silent_before(client)


def flight_before(client):
    client.step()
    client.receive()

    def go_on():
        # TLS 1.3 is done with this; TLS 1.2 waits for one more flight of the server.
        client.step()
        client.handshake()
        client.send(REQUEST)
    return go_on


def handshake_before(client):
    client.handshake()
    return lambda: client.send(REQUEST)


def half_head_before(client):
    client.handshake()
    client.send(REQUEST[:20])
    return lambda: client.send(REQUEST[20:])


@attack("the process is stopped", "everybody whose bytes lie in the socket is answered", (),
        own=True, megabytes=16, beside_nginx=False)
def stopped(server):
    # Longer than any of the limits that these clients are under.
    pauses = (2, limit("handshakeTime") + 2)
    asked = answered = 0
    lost = []
    for pause in pauses:
        clients = []
        for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
            for prepare in (silent_before, hello_before, flight_before, handshake_before,
                            half_head_before):
                for _ in range(2):
                    client = Client(server, version)
                    clients.append((prepare.__name__, version.name, client, prepare(client)))
        time.sleep(0.2)
        os.kill(server.process.pid, signal.SIGSTOP)
        # What a client can send without an answer of the server it sends into the pause.
        can_send = ("handshake_before", "half_head_before")
        for name, _, _, go_on in clients:
            if name in can_send:
                go_on()
        for name, version, client, _ in clients:
            if name == "silent_before" or (name == "flight_before" and version == "TLSv1_2"):
                client.step()
            elif name == "flight_before":
                client.handshake()
                client.send(REQUEST)
        time.sleep(pause)
        os.kill(server.process.pid, signal.SIGCONT)
        for name, version, client, go_on in clients:
            asked += 1
            try:
                if name in ("silent_before", "hello_before") or (
                        name == "flight_before" and version == "TLSv1_2"):
                    client.handshake()
                    client.send(REQUEST)
                good = client.answer().startswith(b"HTTP/1.1 200 ")
            except (OSError, ssl.SSLError) as error:
                good = False
                name += f" {error}"
            answered += good
            if not good:
                lost.append(f"{name} {version} after {pause:.0f} s")
            client.sock.close()
    check(answered == asked, f"{asked - answered} of {asked} lost: {', '.join(lost[:4])}")
    stopped_for = " and ".join(f"{pause:.0f} s" for pause in pauses)
    return f"stopped for {stopped_for}: {answered} of {asked} answered"
