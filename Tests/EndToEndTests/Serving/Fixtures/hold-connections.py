#!/usr/bin/env python3
"""Opens COUNT TLS connections to PORT on loopback, asks once on each, then holds them idle.

usage: hold-connections.py PORT COUNT READY_FILE
Writes READY_FILE when all are open; ends with SIGTERM. Aliases of 127.0.0.0/8 as source addresses,
so that the ports of one do not run out.
"""
import signal
import socket
import ssl
import sys

port, count, ready = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
context = ssl.create_default_context()
context.check_hostname = False
context.verify_mode = ssl.CERT_NONE
request = b"GET /.well-known/apple-app-site-association HTTP/1.1\r\nHost: example.com\r\n\r\n"
held = []
for number in range(count):
    plain = socket.create_connection(
        ("127.0.0.1", port), timeout=60, source_address=("127.0.0.%d" % (2 + number % 8), 0))
    connection = context.wrap_socket(plain, server_hostname="example.com")
    connection.sendall(request)
    if not connection.recv(65536).startswith(b"HTTP/1.1 200"):
        sys.exit("connection %d was not answered with 200" % number)
    held.append(connection)
with open(ready, "w", encoding="ascii") as file:
    file.write("%d\n" % len(held))
signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
signal.pause()
