"""What was tried for the rows of the table that may miss their aim, and what each step gave.

Instructions are those of user space (callgrind), which do not depend on the machine's mood. The
whole account stands in Sources/AASAServer/AASAServer.docc/speed.md.
"""

HANDSHAKE = (
    "Tried: X25519 pairs made ahead, 566,000 of 2,381,000 instructions of a connection; the key "
    "schedule without OpenSSL's look-ups, 226,000; one write per flight, 219 us instead of 236; "
    "SSL objects used again (18,000), a provider with fewer algorithms (54,000) and no list of "
    "all ciphers (700) give less than 3 % together and were left. 86 % is libcrypto's, 1 % ours.")
P_256 = (
    "Tried: as for X25519, but pairs made ahead. OpenSSL makes one of P-256 in 311,000 "
    "instructions (604,000 for X25519), so that would spare an eighth at most, for clients that "
    "offer no X25519; Apple's systems offer it. Caddy is Go, whose P-256 is faster than OpenSSL "
    "3.0's.")
KEEP_ALIVE = (
    "Tried: one record in and one out, no run-time guards around socket and parser (7,600 of "
    "22,400 instructions are ours, 11,700 OpenSSL's for two records, whose parameters it looks up "
    "by name), optimization across modules (-cross-module-optimization: 10 instructions).")
HTTP2 = (
    "Tried: a pool of blocks for nghttp2 (1,300 instructions of a request alone, 1,400 of one "
    "among eight), host names compared by words, one TLS write for a wake-up, optimization across "
    "modules (nothing). Of 31,000 and 16,100 instructions 7,900 and 4,600 are ours, in more than "
    "a hundred functions of which none has 300 but retain and release; 9,200 and 8,800 are "
    "nghttp2's, which h2o does without.")

TRIED = {
    "full handshake + GET, ECDSA, as shipped, after calm": HANDSHAKE,
    "full handshake + GET, ECDSA, as shipped, no key ahead": HANDSHAKE,
    "full handshake + GET, ECDSA, P-256 shares": P_256,
    "full handshake + GET, ECDSA, no tickets": HANDSHAKE,
    "full handshake + GET, ECDSA, no tickets, AES-128 for all": HANDSHAKE,
    "full handshake + GET, ECDSA, hybrid and X25519 shares": HANDSHAKE,
    "full handshake + GET, ECDSA, hybrid share": HANDSHAKE,
    "full handshake + GET, RSA-2048, as shipped, after calm":
        "As for ECDSA; the signature with the certificate's key is two thirds of it.",
    "full handshake + GET, RSA-2048, no tickets":
        "As for ECDSA; the signature with the certificate's key is two thirds of it.",
    "keep-alive HTTP/1.1, 300 B": KEEP_ALIVE,
    "keep-alive HTTP/1.1, 120 KB":
        "Tried: one write for all records of an answer. What is left is AES and the kernel's copy.",
    "HTTP/2, 300 B, 64 x 1": HTTP2,
    "HTTP/2, 300 B, 32 x 32": HTTP2,
    "HTTP/2, 120 KB, 64 x 1":
        "Tried: content goes from the document into the record without a copy of nghttp2's.",
    "HTTP/2, 120 KB, 32 x 32":
        "Tried: content goes from the document into the record without a copy of nghttp2's.",
    "start to first connection, ms":
        "Tried: certificates are tried in the first worker's library (82 million instructions "
        "instead of 86), pages that only the start needs are given back. 30 million are the "
        "command line's, whose types the parser puts together at run time, 11 million a library "
        "context of OpenSSL's and its random generator, 12 million the first certificate, key "
        "and TLS context; a second worker's library is 17 million more.",
    "memory after start, MB":
        "Tried: pages that only the start needs are given back (22.6 MB before). 3.1 MB are the "
        "server's own, the rest pages of the binary, Swift's runtime and OpenSSL, which all "
        "processes share.",
}
