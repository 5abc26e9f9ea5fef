"""Attacks by those who ask for much and read little or nothing, and by those who do not wait."""

import contextlib
import multiprocessing
import socket
import ssl
import time

from . import wire
from .crowd import address, allow_descriptors, honest
from .limits import limit
from .server import HOSTS, PATH
from .table import attack, check

REQUEST = f"GET {PATH} HTTP/1.1\r\nHost: {HOSTS[1]}\r\n\r\n".encode()
# HTTP/2 with windows for eight documents, all asked for at once.
REQUESTS2 = (wire.PREFACE + wire.frame(wire.SETTINGS, 0, 0, b"\x00\x04\x7f\xff\xff\xff")
             + wire.frame(wire.WINDOW, 0, 0, (1 << 30).to_bytes(4, "big"))
             + b"".join(wire.frame(wire.HEADERS, 5, 2 * n + 1, wire.block(authority=HOSTS[1]))
                        for n in range(8)))


def ask_and_never_read(
        port, per_second, seconds, hold, counted, sip=0, alpn="http/1.1", request=REQUEST):
    """One process' share: handshake, request, and not a byte is read any more, or `sip` bytes of
    each connection every half second. On a machine that is too busy for the rate it takes longer to
    ask as often: the attack is as large as it says."""
    allow_descriptors(30_000)
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    made.check_hostname, made.verify_mode = False, ssl.CERT_NONE
    made.set_alpn_protocols([alpn])
    held = []
    began = sipped = time.monotonic()
    asked = 0
    while asked < seconds * per_second and time.monotonic() - began < 3 * seconds:
        if sip and time.monotonic() - sipped > 0.5:
            sipped = time.monotonic()
            for sock in held:
                with contextlib.suppress(OSError):
                    # Past Python's TLS, which would wait for a whole record.
                    socket.socket.recv(sock, sip, socket.MSG_DONTWAIT)
        if asked >= (time.monotonic() - began) * per_second:
            time.sleep(0.002)
            continue
        with contextlib.suppress(OSError):
            sock = socket.socket()
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            sock.settimeout(10)
            sock.connect(("127.0.0.1", port))
            held.append(made.wrap_socket(sock, server_hostname=HOSTS[1]))
            held[-1].sendall(REQUESTS2 if alpn == "h2" else request)
        asked += 1
    with counted.get_lock():
        counted.value += len(held)
    time.sleep(hold)


def non_readers(server, per_second, seconds, hold=0.0, processes=1, **how):
    counted = multiprocessing.Value("i", 0)
    workers = [
        multiprocessing.Process(
            target=ask_and_never_read,
            args=(server.port, per_second / processes, seconds, hold, counted), kwargs=how,
            daemon=True)
        for _ in range(processes)]
    for worker in workers:
        worker.start()
    return workers, counted


def judged(server, per_second, seconds, processes=1, may_be_refused=False, **how):
    """may_be_refused: those who attack, for what they ask on one connection; nobody else."""
    with honest(server, host=HOSTS[1]) as beside:
        workers, counted = non_readers(server, per_second, seconds, processes=processes, **how)
        for worker in workers:
            worker.join(3 * seconds + 60)
    shed = server.metric('aasa_unavailable_total{cause="egress"}')
    check(may_be_refused or shed == 0, f"{shed:.0f} answers were 503 for a full link")
    return (f"{counted.value} of {per_second * seconds:.0f} asked; {beside.answered} honest "
            f"clients of the same document, slowest {beside.slowest:.2f} s")


@attack("readers that do not read, 45/s", "no 503, honest clients within 1 s", ("slow_reader",),
        own=True, megabytes=128)
def forty_five(server):
    return judged(server, 45, limit("answerTime") + 5)


@attack("readers that do not read, 200/s", "no 503, honest clients within 1 s", ("slow_reader",),
        own=True, megabytes=256)
def two_hundred(server):
    return judged(server, 200, limit("answerTime") + 5)


@attack("readers that do not read, 1,000/s", "no 503, honest clients within 1 s",
        ("slow_reader", "left_before_answer", "network_error", "peer_closed"), own=True,
        megabytes=512)
def thousand(server):
    return judged(server, 1000, 8, processes=2)


# Each of them moves at every look, as answers on a full link do.
@attack("readers that sip, 300/s", "no 503, honest clients within 1 s",
        ("slow_reader", "left_before_answer", "network_error", "peer_closed"), own=True,
        megabytes=256)
def sippers(server):
    return judged(server, 300, 7, processes=2, sip=600)


# One in a hundred was told 503 while each of the eight counted as a connection's share of the link.
@attack("HTTP/2, eight documents asked, none read, 100/s", "all honest clients within 1 s",
        ("slow_reader", "http2_stalled", "left_before_answer", "network_error", "peer_closed"),
        own=True, megabytes=512)
def unread_streams(server):
    return judged(server, 100, 7, processes=2, may_be_refused=True, alpn="h2")


@attack("a document that fits the send buffer, unread", "ended by the 20 s of an answer",
        ("slow_reader",), own=True, megabytes=64, beside_nginx=False)
def unread(server, request=REQUEST):
    before = server.closes().get("slow_reader", 0)
    workers, counted = non_readers(server, 40, 1, hold=60, request=request)
    while counted.value == 0:
        time.sleep(0.05)
    began = time.monotonic()
    count = counted.value
    bound = limit("answerTime") + 3
    while (ended := server.closes().get("slow_reader", 0) - before) < count:
        check(time.monotonic() - began < bound, f"{ended} of {count} ended after {bound} s")
        time.sleep(0.2)
    taken = time.monotonic() - began
    for worker in workers:
        worker.terminate()
        worker.join()
    return f"{ended} ended after {taken:.1f} s"


# Closed as answered, each of them left 300 KB with the kernel for 25 s, and nobody saw it.
@attack("small answers that fit the send buffer, unread", "ended by the 20 s of an answer",
        ("slow_reader",), own=True, megabytes=64, beside_nginx=False)
def unread_small(server):
    size = len(server.documents[HOSTS[0]]) + 300
    small = f"GET {PATH} HTTP/1.1\r\nHost: {HOSTS[0]}\r\n"
    return unread(
        server, (f"{small}\r\n" * (150_000 // size) + f"{small}Connection: close\r\n\r\n").encode())


def read_slowly(port, count, per_second, seconds):
    """So many readers, each from an address of its own, who take the large document with so many
    bytes per second, and ask again."""
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    made.check_hostname, made.verify_mode = False, ssl.CERT_NONE
    began = time.monotonic()
    held = {}

    def ask(number):
        sock = socket.socket()
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2304)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 536)
        sock.settimeout(5)
        sock.bind((address(number + 7), 0))
        sock.connect(("127.0.0.1", port))
        session = made.wrap_socket(sock, server_hostname=HOSTS[1])
        session.sendall(REQUEST)
        session.setblocking(False)
        held[number] = [session, time.monotonic(), 0]

    while (now := time.monotonic()) - began < seconds:
        for number in range(min(count, int((now - began) * count / 14) + 1)):
            if number not in held:
                with contextlib.suppress(OSError):
                    ask(number)
                continue
            session, since, taken = held[number]
            try:
                # Past Python's TLS, which would wait for a whole record.
                part = socket.socket.recv(
                    session, max(1, min(6000, int(per_second * (now - since)) - taken)))
                held[number][2] += len(part)
                if not part or held[number][2] >= 119_000:
                    held.pop(number)[0].close()
            except BlockingIOError:
                # Refused: the 503 is all there is.
                if taken < 4000 and now - since > 1.5:
                    held.pop(number)[0].close()
            except OSError:
                held.pop(number)[0].close()
        time.sleep(0.05)


@attack("slow readers at a quiet hour, then a few others", "no 503 for a full link",
        ("slow_reader", "left_before_answer", "network_error", "peer_closed"), own=True,
        megabytes=64, beside_nginx=False)
def quiet_hour(server):
    reader = multiprocessing.Process(
        target=read_slowly, args=(server.port, 40, 8500, 45), daemon=True)
    reader.start()
    time.sleep(20)
    refused = 0
    for _ in range(10):
        answer, _ = wire.http1(
            server, REQUEST[:-2] + b"Connection: close\r\n\r\n", name=HOSTS[1])
        refused += wire.statuses(answer)[0] != [200]
        time.sleep(2)
    reader.kill()
    reader.join()
    check(refused == 0, f"{refused} of 10 were not answered with the document on an idle link")
    return "10 of 10 answered beside 40 slow readers"


def fetch(server, count, ahead):
    """So many documents over one connection, so many requests ahead of the answers."""
    with wire.tls(server, name=HOSTS[1]) as sock:
        # They fit the kernel's buffers: the reader below is the same thread.
        sock.sendall(REQUEST * ahead)
        asked, received, answered, each = ahead, 0, 0, None
        while answered < count:
            part = sock.recv(262_144)
            check(part, f"ended after {received} bytes")
            if each is None:
                each = len(part.partition(b"\r\n\r\n")[0]) + 4 + len(server.documents[HOSTS[1]])
            received += len(part)
            while answered < min(count, received // each):
                answered += 1
                if asked < count:
                    sock.sendall(REQUEST)
                    asked += 1


@attack("pipelined requests for 120 KB", "cost what the same cost one by one", (), own=True,
        megabytes=16)
def pipelined(server):
    count = 900
    fetch(server, 50, 1)
    costs = []
    for ahead in (1, count):
        before = server.cpu()
        for _ in range(3):
            fetch(server, count, ahead)
        costs.append((server.cpu() - before) / (3 * count))
    single, many = costs
    # The clock of processor time has ticks of 10 ms: 4 µs for each of 2,700.
    check(many <= 1.3 * single + 8e-6, f"{1e6 * many:.0f} µs each, one by one {1e6 * single:.0f}")
    return f"{1e6 * many:.0f} µs of processor each; one by one {1e6 * single:.0f} µs"


@attack("a pipeliner that does not read", "kept within the bound per connection",
        ("left_before_answer", "slow_reader"), own=True, megabytes=8)
def pipeliner_that_does_not_read(server):
    before = server.resident()
    socks = []
    for _ in range(8):
        sock = wire.tls(server, name=HOSTS[1], receive_buffer=4096)
        sock.settimeout(0.2)
        with contextlib.suppress(OSError):
            for _ in range(2000):
                sock.sendall(REQUEST * 50)
        socks.append(sock)
    grown = (server.resident() - before) / len(socks)
    for sock in socks:
        sock.close()
    # Ciphertext of one read, the plaintext of one record and a head, output of one flight.
    bound = 512 * 1024
    check(grown <= bound, f"{grown / 1024:.0f} KB for each connection, bound {bound // 1024} KB")
    return f"{max(0, grown) / 1024:.0f} KB for each connection"
