"""Links that carry so many bytes per second to the clients.

Two kinds, because a server sees them differently: on a real one (the kernel's token bucket on the
way to a network namespace) packets queue and are lost; behind a proxy windows close.
"""

import asyncio
import os
import shutil
import socket
import subprocess
import threading
import time

from lab import CannotRun


class Link:
    """A network namespace for clients, behind a link of the kernel (tc-tbf(8)).

    A server that is to be reached has to listen on `Link.ADDRESS`, which exists from then on.
    """

    # Of RFC 2544 appendix C.2.2, for measurements; virtual machines do have those of RFC 5737.
    ADDRESS, CLIENT = "198.18.213.1", "198.18.213.2"
    # What waits in front of the link before packets are lost: an unremarkable router's.
    QUEUE = "200ms"

    def __init__(self):
        if os.geteuid() != 0 or not all(map(shutil.which, ("ip", "tc", "unshare", "nsenter"))):
            raise CannotRun("a link of the kernel needs root and iproute2")
        self.device = f"aasa{os.getpid()}"
        # The namespace lives as long as this process, and the link as long as the namespace.
        self.holder = subprocess.Popen(
            ["unshare", "--net", "sh", "-c", "echo made; exec sleep infinity"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        self.wrapper = ("nsenter", "--net", "-t", str(self.holder.pid))
        try:
            self.holder.stdout.readline()
            self.run("ip", "link", "add", self.device, "type", "veth", "peer", "name", "clients",
                     "netns", str(self.holder.pid))
            self.run("ip", "address", "add", f"{self.ADDRESS}/30", "dev", self.device)
            self.run("ip", "link", "set", self.device, "up")
            self.run(*self.wrapper, "ip", "link", "set", "lo", "up")
            self.run(*self.wrapper, "ip", "address", "add", f"{self.CLIENT}/30", "dev", "clients")
            self.run(*self.wrapper, "ip", "link", "set", "clients", "up")
            self.carries(1e9)
        except CannotRun:
            self.close()
            raise

    def run(self, *command):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise CannotRun(f"{' '.join(command)}: {done.stderr.strip()}")

    def carries(self, bytes_per_second):
        """The rate from now on; what waits is lost."""
        # The kernel fills the bucket at least 250 times a second; a packet has to fit.
        burst = max(4096, int(bytes_per_second / 250))
        self.run("tc", "qdisc", "replace", "dev", self.device, "root", "tbf", "rate",
                 f"{int(bytes_per_second)}bps", "burst", str(burst), "latency", self.QUEUE)

    def close(self):
        self.holder.kill()
        self.holder.wait()
        # It goes with its namespace, but not at once.
        subprocess.run(
            ["ip", "link", "del", self.device], stderr=subprocess.DEVNULL, check=False)


class Proxy:
    """A TCP proxy with small buffers and one bucket for all connections."""

    def __init__(self, port, bytes_per_second):
        self.target = port
        self.rate = bytes_per_second
        self.due = 0.0
        self.loop = asyncio.new_event_loop()
        started = threading.Event()
        self.thread = threading.Thread(target=self.run, args=(started,), daemon=True)
        self.thread.start()
        started.wait(30)

    def run(self, started):
        asyncio.set_event_loop(self.loop)

        async def serve():
            listener = socket.socket()
            # Inherited by what is accepted.
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
            listener.bind(("127.0.0.1", 0))
            listener.listen(4096)
            self.server = await asyncio.start_server(self.connected, sock=listener, limit=16384)
            self.port = listener.getsockname()[1]
            started.set()

        self.loop.run_until_complete(serve())
        self.loop.run_forever()

    async def connected(self, reader, writer):
        try:
            # A small buffer, set before the window is announced: with the usual one the proxy's own
            # kernel would take the whole document at once, and the server would see a free link.
            raw = socket.socket()
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            raw.setblocking(False)
            await self.loop.sock_connect(raw, ("127.0.0.1", self.target))
            upstream = await asyncio.open_connection(sock=raw, limit=2048)
        except OSError:
            writer.close()
            return
        for stream in (upstream[1], writer):
            stream.transport.set_write_buffer_limits(0)
        await asyncio.gather(
            self.carry(reader, upstream[1], False), self.carry(upstream[0], writer, True),
            return_exceptions=True)
        for stream in (upstream[1], writer):
            stream.close()

    async def carry(self, reader, writer, shaped):
        while data := await reader.read(2048):
            if shaped:
                # The next free moment of the link, first come, first served.
                now = time.monotonic()
                self.due = max(self.due, now) + len(data) / self.rate
                await asyncio.sleep(self.due - now)
            writer.write(data)
            await writer.drain()
        if writer.can_write_eof():
            writer.write_eof()

    def close(self):
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(10)
