#define _GNU_SOURCE
#include "plaintls.h"
#include <openssl/ssl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct plain_server {
    SSL_CTX *context;
    SSL *kept;
    BIO_METHOD *method;
    int fresh;
};
struct plain_session {
    plain_server *server;
    SSL *ssl;
    int done;
    const unsigned char *in;
    size_t in_count;
    size_t out_count;
    unsigned char out[65536];
};

static int b_read(BIO *b, char *to, size_t n, size_t *got) {
    plain_session *s = BIO_get_data(b);
    BIO_clear_retry_flags(b);
    if (!s->in_count) {
        BIO_set_retry_read(b);
        return 0;
    }
    if (n > s->in_count)
        n = s->in_count;
    memcpy(to, s->in, n);
    s->in += n;
    s->in_count -= n;
    *got = n;
    return 1;
}
static int b_write(BIO *b, const char *from, size_t n, size_t *put) {
    plain_session *s = BIO_get_data(b);
    if (s->out_count + n > sizeof s->out)
        return 0;
    memcpy(s->out + s->out_count, from, n);
    s->out_count += n;
    *put = n;
    return 1;
}
static long b_ctrl(BIO *b, int c, long n, void *p) {
    (void)b;
    (void)n;
    (void)p;
    return c == BIO_CTRL_FLUSH;
}
static int b_create(BIO *b) {
    BIO_set_init(b, 1);
    return 1;
}
static int alpn(SSL *s, const unsigned char **o, unsigned char *ol, const unsigned char *i,
                unsigned il, void *a) {
    (void)s;
    (void)a;
    static const unsigned char ours[] = "\x02h2\x08http/1.1";
    return SSL_select_next_proto((unsigned char **)o, ol, ours, sizeof ours - 1, i, il) ==
                   OPENSSL_NPN_NEGOTIATED
               ? SSL_TLSEXT_ERR_OK
               : SSL_TLSEXT_ERR_NOACK;
}

plain_server *plain_server_new(const char *chain, const char *key, int fresh) {
    plain_server *p = calloc(1, sizeof *p);
    p->fresh = fresh;
    p->context = SSL_CTX_new_ex(OSSL_LIB_CTX_new(), NULL, TLS_server_method());
    SSL_CTX_set_min_proto_version(p->context, TLS1_2_VERSION);
    SSL_CTX_set_options(p->context,
                        SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_NO_TICKET);
    SSL_CTX_set_num_tickets(p->context, 0);
    SSL_CTX_set_session_cache_mode(p->context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_mode(p->context, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_NO_AUTO_CHAIN);
    SSL_CTX_set_alpn_select_cb(p->context, alpn, NULL);
    if (SSL_CTX_use_certificate_chain_file(p->context, chain) != 1 ||
        SSL_CTX_use_PrivateKey_file(p->context, key, SSL_FILETYPE_PEM) != 1)
        return NULL;
    p->method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "plain");
    BIO_meth_set_read_ex(p->method, b_read);
    BIO_meth_set_write_ex(p->method, b_write);
    BIO_meth_set_ctrl(p->method, b_ctrl);
    BIO_meth_set_create(p->method, b_create);
    return p;
}

plain_session *plain_session_new(plain_server *p) {
    plain_session *s = malloc(sizeof *s);
    s->server = p;
    s->done = 0;
    s->in_count = 0;
    s->out_count = 0;
    if (p->kept) {
        s->ssl = p->kept;
        p->kept = NULL;
        BIO_set_data(SSL_get_rbio(s->ssl), s);
        return s;
    }
    s->ssl = SSL_new(p->context);
    BIO *b = BIO_new(p->method);
    BIO_set_data(b, s);
    SSL_set_bio(s->ssl, b, b);
    SSL_set_accept_state(s->ssl);
    return s;
}

int plain_session_turn(plain_session *s, const void *in, size_t count, const void *answer,
                       size_t answer_count) {
    char buffer[16384];
    size_t n;
    s->in = in;
    s->in_count = count;
    s->out_count = 0;
    if (!s->done) {
        int r = SSL_accept(s->ssl);
        if (r != 1)
            return SSL_get_error(s->ssl, r) == SSL_ERROR_WANT_READ ? 0 : -1;
        s->done = 1;
    }
    int r = SSL_read_ex(s->ssl, buffer, sizeof buffer, &n);
    if (r != 1)
        return SSL_get_error(s->ssl, r) == SSL_ERROR_WANT_READ ? 0 : -1;
    if (SSL_write_ex(s->ssl, answer, answer_count, &n) != 1)
        return -1;
    SSL_shutdown(s->ssl);
    return 1;
}

const void *plain_session_output(plain_session *s, size_t *count) {
    *count = s->out_count;
    return s->out;
}

void plain_session_free(plain_session *s) {
    if (s->server->fresh || SSL_clear(s->ssl) != 1)
        SSL_free(s->ssl);
    else
        s->server->kept = s->ssl;
    free(s);
}

unsigned long long plain_cpu(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (unsigned long long)t.tv_sec * 1000000000ull + (unsigned long long)t.tv_nsec;
}
