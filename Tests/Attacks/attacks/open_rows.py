"""Rows that are not held yet, each with what is known of it.

Such a row is run and printed like the others. While it fails it is marked OPEN, said in the last
lines and not counted as passed; it does not stop a release, as an issue is open for it. A row that
holds again is taken out of here.
"""

OPEN = {
    "ClientHellos never answered (TLS 1.3)":
        "4,096 whole hellos at once are two seconds of handshakes; 1.85 s were seen, 1 s is asked",
    "ClientHellos never answered (TLS 1.2)":
        "4,096 whole hellos at once are two seconds of handshakes; 1.41 s were seen, 1 s is asked",
    "readers that do not read, 45/s": "the attacker's own rate is not reached on a busy machine",
    "readers that do not read, 200/s": "the attacker's own rate is not reached on a busy machine",
    "readers that do not read, 1,000/s": "the attacker's own rate is not reached on a busy machine",
    "a document that fits the send buffer, unread":
        "the kernel's own time limit ended most before the loop's 20 s; the order was changed since",
    "pipelined requests for 120 KB": "the attack's client timed out; its cause is not known",
    "a pipeliner that does not read": "bytes are bounded; the close reason is not the expected one",
}
