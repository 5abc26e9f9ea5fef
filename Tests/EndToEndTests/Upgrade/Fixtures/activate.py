"""Passes a listening socket as systemd does, ends and kills the server again and again, and asks all the
while: also when no server runs, since the socket's queue outlives it. Prints what failed."""
import os
import signal
import socket
import ssl
import sys
import threading

binary, site, certs, log = sys.argv[1:5]
listener = socket.socket()
listener.bind(("127.0.0.1", 0))
listener.listen(128)
port = listener.getsockname()[1]


def start():
    pid = os.fork()
    if pid == 0:
        os.dup2(listener.fileno(), 3)
        # dup2 onto itself leaves close-on-exec set.
        os.set_inheritable(3, True)
        os.environ.update(LISTEN_FDS="1", LISTEN_FDNAMES="https", LISTEN_PID=str(os.getpid()))
        os.dup2(os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), 2)
        os.execv(binary, [binary, "serve", "--site", site, "--certs", certs,
                          "--default-host", "example.com"])
    return pid


context = ssl.create_default_context()
context.check_hostname = False
context.verify_mode = ssl.CERT_NONE
failures = []
answered = 0


def ask():
    global answered
    try:
        plain = socket.create_connection(("127.0.0.1", port), timeout=60)
        with context.wrap_socket(plain, server_hostname="example.com") as secure:
            secure.sendall(b"GET /apple-app-site-association HTTP/1.1\r\nHost: example.com\r\n\r\n")
            assert secure.recv(65536).startswith(b"HTTP/1.1 200")
        answered += 1
    except Exception as error:  # whatever it was, the request has failed
        failures.append(repr(error))


server = start()
ask()
for number in [signal.SIGTERM, signal.SIGKILL] * 3:
    os.kill(server, number)
    os.waitpid(server, 0)
    waiting = [threading.Thread(target=ask) for _ in range(8)]
    for thread in waiting:
        thread.start()
    server = start()
    for thread in waiting:
        thread.join()
    for _ in range(10):
        ask()
os.kill(server, signal.SIGTERM)
os.waitpid(server, 0)
print("answered", answered, "failed", failures)
