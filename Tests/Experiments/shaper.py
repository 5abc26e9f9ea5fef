"""A link in user space: a TCP proxy that carries so many bytes per second to the clients.

netem is not everywhere; a proxy with small buffers and one bucket for all connections is close
enough to show what a full link does to a server: its answers stay in its own queues.
"""

import asyncio
import socket
import threading
import time


class Link:
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
