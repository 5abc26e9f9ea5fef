"""Well-behaved clients beside the attacker: every one of them has to be answered 200."""

import threading
import time

from . import wire
from .server import PATH


class Witnesses:
    """A thread for each protocol; each request on a connection of its own, as phones do."""

    def __init__(self, server, pause=0.03, host="example.com"):
        self.server = server
        self.host = host
        self.pause = pause
        self.answered = 0
        self.failures = []
        self.slowest = 0.0
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._threads = [
            threading.Thread(target=self._run, args=(ask,), daemon=True)
            for ask in (self._http1, self._http2)]

    def __enter__(self):
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self._stop.set()
        for thread in self._threads:
            thread.join(60)

    def _run(self, ask):
        using = wire.context(self.server, "h2" if ask == self._http2 else "http/1.1")
        while not self._stop.is_set():
            began = time.monotonic()
            try:
                problem = ask(using)
            except Exception as error:  # whatever it is, this client was not answered
                problem = repr(error)
            with self._lock:
                if problem:
                    self.failures.append(problem)
                else:
                    self.answered += 1
                self.slowest = max(self.slowest, time.monotonic() - began)
            self._stop.wait(self.pause)

    def _http1(self, using):
        request = f"GET {PATH} HTTP/1.1\r\nHost: {self.host}\r\nConnection: close\r\n\r\n"
        answer, ended = wire.http1(self.server, request.encode(), using=using)
        found, _ = wire.statuses(answer)
        if found != [200] or not ended or not answer.endswith(self.server.documents[self.host]):
            return f"HTTP/1.1: {found} {'ended' if ended else 'open'} {answer[:80]!r}"
        return None

    def _http2(self, using):
        with wire.HTTP2(self.server, settings=[(4, 1 << 20)], using=using) as connection:
            connection.send(wire.frame(wire.WINDOW, 0, 0, (1 << 20).to_bytes(4, "big")))
            connection.get(authority=self.host)
            if not connection.until(lambda c: c.is_answered()):
                return f"HTTP/2: no answer, {connection.frames!r}"
            if connection.body() != self.server.documents[self.host]:
                return "HTTP/2: another document"
            connection.send(wire.frame(wire.GOAWAY, 0, 0, bytes(8)))
        return None
