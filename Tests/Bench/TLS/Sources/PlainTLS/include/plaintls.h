#ifndef AASA_PLAINTLS_H
#define AASA_PLAINTLS_H
#include <stddef.h>

// A TLS server in plain C, as one would write it against OpenSSL: one SSL and one own BIO per
// connection, the same settings as ours. The measure for what TLSSession adds.
typedef struct plain_server plain_server;
typedef struct plain_session plain_session;

// Files in PEM; `fresh` 0 keeps the SSL object of the last session (SSL_clear).
plain_server *plain_server_new(const char *chain, const char *key, int fresh);
plain_session *plain_session_new(plain_server *server);
// Takes the peer's bytes, does what can be done: handshake, then read; answers `answer` and
// close_notify when a request was read. Returns 1 when it answered, 0 to go on, -1 on failure.
int plain_session_turn(plain_session *session, const void *in, size_t count, const void *answer,
                       size_t answer_count);
const void *plain_session_output(plain_session *session, size_t *count);
void plain_session_free(plain_session *session);
// Nanoseconds of CPU of this thread.
unsigned long long plain_cpu(void);
#endif
