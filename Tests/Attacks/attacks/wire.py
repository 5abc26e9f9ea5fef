"""Connections as attackers need them: TLS by Python, everything above it by hand."""

import contextlib
import select
import socket
import ssl
import struct
import time

import hpack

from .server import PATH

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PUSH, PING, GOAWAY, WINDOW, CONTINUATION = range(10)
PATIENCE = 40


def context(server, alpn=None, version=None, verify=True):
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    made.check_hostname = False
    if verify:
        made.load_verify_locations(server.authority)
    else:
        made.verify_mode = ssl.CERT_NONE
    if alpn:
        made.set_alpn_protocols([alpn])
    if version:
        made.minimum_version = made.maximum_version = version
    return made


def tcp(server, receive_buffer=None, patience=PATIENCE, source=None):
    sock = socket.socket()
    if source:
        # The port is chosen with the destination (IP_BIND_ADDRESS_NO_PORT).
        sock.setsockopt(socket.IPPROTO_IP, 24, 1)
        sock.bind((source, 0))
    if receive_buffer:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    sock.settimeout(patience)
    sock.connect(("127.0.0.1", server.port))
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return sock


def tls(server, alpn="http/1.1", name="example.com", receive_buffer=None, using=None,
        patience=PATIENCE):
    made = using or context(server, alpn)
    if isinstance(made, Parts):
        return made.wrap_socket(tcp(server, receive_buffer, patience, made.source), name)
    return made.wrap_socket(tcp(server, receive_buffer, patience), server_hostname=name)


class Parts:
    """A context whose ClientHello leaves in so many parts, as through a network that loses or
    delays one of its segments, from a client of that address."""

    PAUSE = 0.25

    def __init__(self, using, parts=1, source=None):
        self.using, self.parts, self.source = using, parts, source

    @property
    def pauses(self):
        return (self.parts - 1) * self.PAUSE

    def wrap_socket(self, sock, name):
        if self.parts == 1:
            return self.using.wrap_socket(sock, server_hostname=name)
        # Python's own would send the ClientHello at once: it speaks to the other end of a pair.
        return PartedSocket(self.using, sock, name, self.parts, self.PAUSE)


class PartedSocket:
    """What the rows use of a TLS socket, over memory."""

    def __init__(self, using, sock, name, parts, pause):
        self.sock, self.incoming, self.outgoing = sock, ssl.MemoryBIO(), ssl.MemoryBIO()
        self.machine = using.wrap_bio(self.incoming, self.outgoing, server_hostname=name)
        self.settimeout, self.fileno = sock.settimeout, sock.fileno
        self.close = sock.close
        self.selected_alpn_protocol = self.machine.selected_alpn_protocol
        with contextlib.suppress(ssl.SSLWantReadError):
            self.machine.do_handshake()
        hello = self.outgoing.read()
        size = len(hello) // parts + 1
        for at in range(0, len(hello), size):
            if at:
                time.sleep(pause)
            sock.sendall(hello[at:at + size])
        self.perform(self.machine.do_handshake)

    def perform(self, action):
        while True:
            try:
                return action()
            except ssl.SSLWantReadError:
                octets = self.sock.recv(65536)
                self.incoming.write(octets) if octets else self.incoming.write_eof()
            finally:
                self.sock.sendall(self.outgoing.read())

    def pending(self):
        """More than none: what has come need not be a whole record."""
        return self.machine.pending() + self.incoming.pending

    def sendall(self, octets):
        self.perform(lambda: self.machine.write(octets))

    def recv(self, count):
        try:
            return self.perform(lambda: self.machine.read(count))
        except (ssl.SSLZeroReturnError, ssl.SSLEOFError):
            return b""


def read_all(sock, patience=PATIENCE):
    """Everything until the peer ends the connection; None in the end if it did not in time."""
    received = b""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        try:
            sock.settimeout(max(0.01, end - time.monotonic()))
            part = sock.recv(65536)
        except (TimeoutError, socket.timeout):
            return received, False
        except (ConnectionError, ssl.SSLError, OSError):
            return received, True
        if not part:
            return received, True
        received += part
    return received, False


def http1(server, request, name="example.com", patience=PATIENCE, using=None):
    """Sends bytes and reads to the end of the connection: the answer, and whether it ended."""
    sock = tls(server, name=name, using=using, patience=patience)
    try:
        try:
            sock.sendall(request)
        except (ConnectionError, ssl.SSLError, OSError):
            pass
        return read_all(sock, patience)
    finally:
        sock.close()


def statuses(answer):
    """The statuses of the responses in a byte string whose bodies have a Content-Length."""
    found = []
    while answer.startswith(b"HTTP/1.1 "):
        head, _, rest = answer.partition(b"\r\n\r\n")
        found.append(int(head[9:12]))
        length = 0
        for line in head.split(b"\r\n")[1:]:
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        answer = rest[length:]
    return found, answer


def frame(kind, flags=0, stream=0, payload=b""):
    return (struct.pack(">I", len(payload))[1:] + bytes([kind, flags])
            + struct.pack(">I", stream) + payload)


def block(fields=None, path=PATH, authority="example.com", method="GET", huffman=False):
    """A field block that changes no dynamic table."""
    fields = fields if fields is not None else [
        (":method", method), (":scheme", "https"), (":path", path), (":authority", authority)]
    made = b""
    for name, value in fields:
        made += b"\x00" + text(name) + text(value)
    return made


def text(value):
    octets = value if isinstance(value, bytes) else value.encode("latin-1")
    return integer(len(octets), 7, 0) + octets


def integer(number, bits, first):
    most = (1 << bits) - 1
    if number < most:
        return bytes([first | number])
    made = bytes([first | most])
    number -= most
    while number >= 128:
        made += bytes([number % 128 + 128])
        number //= 128
    return made + bytes([number])


class HTTP2:
    """An HTTP/2 connection by hand. What comes back is collected as frames."""

    def __init__(self, server, settings=(), name="example.com", receive_buffer=None, using=None,
                 patience=PATIENCE):
        self.sock = tls(server, "h2", name, receive_buffer, using, patience)
        assert self.sock.selected_alpn_protocol() == "h2", "no HTTP/2"
        payload = b"".join(struct.pack(">HI", key, value) for key, value in settings)
        self.buffer = b""
        self.frames = []
        self.ended = False
        self.decoder = hpack.Decoder()
        self.send(PREFACE + frame(SETTINGS, 0, 0, payload))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.sock.close()

    def send(self, octets):
        """Whether it could be sent."""
        if self.ended:
            return False
        try:
            self.sock.settimeout(PATIENCE)
            self.sock.sendall(octets)
            return True
        except (ConnectionError, ssl.SSLError, OSError):
            self.ended = True
            return False

    def poll(self, seconds=0.0):
        """Takes what has come, waiting at most so long for the first byte."""
        end = time.monotonic() + seconds
        while not self.ended:
            if not self.sock.pending():
                wait = max(0.0, end - time.monotonic())
                # Not select(2): beside a crowd the descriptors are beyond its 1,024.
                poller = select.poll()
                poller.register(self.sock, select.POLLIN)
                if not poller.poll(wait * 1000):
                    break
            try:
                self.sock.settimeout(PATIENCE)
                part = self.sock.recv(65536)
            except ssl.SSLWantReadError:
                continue
            except (ConnectionError, ssl.SSLError, OSError):
                part = b""
            if not part:
                self.ended = True
                break
            self.buffer += part
            self._split()
            end = time.monotonic()
        return self.frames

    def _split(self):
        while len(self.buffer) >= 9:
            length = int.from_bytes(self.buffer[:3], "big")
            if len(self.buffer) < 9 + length:
                return
            kind, flags = self.buffer[3], self.buffer[4]
            stream = int.from_bytes(self.buffer[5:9], "big") & 0x7FFFFFFF
            self.frames.append((kind, flags, stream, self.buffer[9:9 + length]))
            self.buffer = self.buffer[9 + length:]

    def until(self, condition, patience=PATIENCE):
        """Reads until the condition holds or the connection ends; whether it holds."""
        end = time.monotonic() + patience
        while not condition(self) and not self.ended and time.monotonic() < end:
            self.poll(min(1.0, max(0.0, end - time.monotonic())))
        return condition(self)

    def until_closed(self, patience=PATIENCE):
        return self.until(lambda _: self.ended, patience)

    def flood(self, make, most, pause_every=1, patience=PATIENCE):
        """Sends make(n) until the server ends the connection or says GOAWAY: how many went out.

        After every `pause_every` the answers are read, so that the count is near what the server
        let pass and not what the kernel buffered."""
        end = time.monotonic() + patience
        for sent in range(most):
            if not self.send(make(sent)) or time.monotonic() > end:
                return sent
            if sent % pause_every == pause_every - 1:
                self.poll(0.002)
            if self.goaway is not None or self.ended:
                return sent + 1
        return most

    def get(self, stream=1, **options):
        self.send(frame(HEADERS, 5, stream, block(**options)))

    @property
    def goaway(self):
        for kind, _, _, payload in self.frames:
            if kind == GOAWAY:
                return int.from_bytes(payload[4:8], "big")
        return None

    def body(self, stream=1):
        return b"".join(p for k, _, s, p in self.frames if k == DATA and s == stream)

    def is_answered(self, stream=1):
        return any(k in (DATA, HEADERS) and s == stream and f & 1 for k, f, s, _ in self.frames)

    def status(self, stream=1):
        """The status of a stream; to be asked once per stream and in order."""
        for kind, _, its, payload in self.frames:
            if kind == HEADERS and its == stream:
                return int(dict(self.decoder.decode(payload))[":status"])
        return None
