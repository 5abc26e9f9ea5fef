/*
 * limit: the least that a server on the same libraries can cost. One thread, OpenSSL's handshake,
 * nghttp2's HTTP/2, epoll, one write for all records of a flight; it answers each request with the
 * same bytes, looks at no header, limits nothing, logs nothing, and is for loopback alone.
 *
 *   limit PORT CHAIN KEY DOCUMENT TICKETS
 *
 * What aasa costs more than this is its own work; what this costs more than another server is its
 * libraries'.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <nghttp2/nghttp2.h>
#include <openssl/ssl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { RECORD = 16384, INPUT = 32768, OUTPUT = 1 << 20 };

struct connection {
    int socket, is_open, wants_close;
    SSL *tls;
    nghttp2_session *http2;
    char head[2048];
    int head_length;
    /* What the kernel did not take. */
    char *rest;
    size_t rest_length, rest_sent;
};

static SSL_CTX *context;
static BIO_METHOD *transport;
static nghttp2_session_callbacks *callbacks;
static int poller;
static char *response, *document;
static size_t response_length, document_length;
static char length_text[24];

/* Shared by all connections: one is worked on at a time. */
static char input[INPUT], output[OUTPUT], plain[RECORD];
static size_t input_start, input_end, output_length, plain_length;

static int transport_read(BIO *bio, char *bytes, int count) {
    BIO_clear_retry_flags(bio);
    size_t there = input_end - input_start;
    if (there == 0) {
        BIO_set_retry_read(bio);
        return -1;
    }
    if ((size_t)count > there) count = (int)there;
    memcpy(bytes, input + input_start, count);
    input_start += count;
    return count;
}

static int transport_write(BIO *bio, const char *bytes, int count) {
    (void)bio;
    if (output_length + count > OUTPUT) abort();
    memcpy(output + output_length, bytes, count);
    output_length += count;
    return count;
}

static long transport_control(BIO *bio, int command, long number, void *pointer) {
    (void)bio, (void)number, (void)pointer;
    return command == BIO_CTRL_FLUSH;
}

static int choose(SSL *tls, const unsigned char **out, unsigned char *length,
                  const unsigned char *in, unsigned int in_length, void *context_) {
    (void)tls, (void)context_;
    static const unsigned char known[] = "\x02h2\x08http/1.1";
    return SSL_select_next_proto((unsigned char **)out, length, known, sizeof known - 1, in,
                                 in_length) == OPENSSL_NPN_NEGOTIATED
               ? SSL_TLSEXT_ERR_OK
               : SSL_TLSEXT_ERR_NOACK;
}

static void end(struct connection *c) {
    close(c->socket);
    SSL_free(c->tls);
    nghttp2_session_del(c->http2);
    free(c->rest);
    free(c);
}

/* Gives the output to the kernel; 0 if some of it stays. */
static int flush(struct connection *c) {
    const char *bytes = c->rest ? c->rest + c->rest_sent : output;
    size_t count = c->rest ? c->rest_length - c->rest_sent : output_length;
    ssize_t sent = count ? send(c->socket, bytes, count, MSG_NOSIGNAL) : 0;
    if (sent < 0) sent = 0;
    if (c->rest) {
        c->rest_sent += sent;
        if (c->rest_sent < c->rest_length) return 0;
        free(c->rest);
        c->rest = NULL;
        struct epoll_event event = {EPOLLIN, {.ptr = c}};
        epoll_ctl(poller, EPOLL_CTL_MOD, c->socket, &event);
        return 1;
    }
    output_length = 0;
    if ((size_t)sent == count) return 1;
    c->rest = malloc(count - sent);
    memcpy(c->rest, bytes + sent, count - sent);
    c->rest_length = count - sent;
    c->rest_sent = 0;
    struct epoll_event event = {EPOLLOUT, {.ptr = c}};
    epoll_ctl(poller, EPOLL_CTL_MOD, c->socket, &event);
    return 0;
}

static void write_plain(struct connection *c, const void *bytes, size_t count) {
    while (count) {
        size_t part = RECORD - plain_length < count ? RECORD - plain_length : count;
        memcpy(plain + plain_length, bytes, part);
        plain_length += part;
        bytes = (const char *)bytes + part;
        count -= part;
        if (plain_length < RECORD) break;
        SSL_write(c->tls, plain, RECORD);
        plain_length = 0;
    }
}

static void seal(struct connection *c) {
    if (plain_length) SSL_write(c->tls, plain, (int)plain_length);
    plain_length = 0;
}

/* MARK: HTTP/2 */

static ssize_t content(nghttp2_session *session, int32_t stream, uint8_t *buffer, size_t length,
                       uint32_t *flags, nghttp2_data_source *source, void *user) {
    (void)buffer, (void)source, (void)user;
    size_t left = document_length - (size_t)nghttp2_session_get_stream_user_data(session, stream);
    *flags |= NGHTTP2_DATA_FLAG_NO_COPY;
    if (left <= length) *flags |= NGHTTP2_DATA_FLAG_EOF;
    return (ssize_t)(left < length ? left : length);
}

static int send_content(nghttp2_session *session, nghttp2_frame *frame, const uint8_t *head,
                        size_t length, nghttp2_data_source *source, void *user) {
    (void)source;
    if (output_length + RECORD > OUTPUT / 2) return NGHTTP2_ERR_WOULDBLOCK;
    int32_t stream = frame->hd.stream_id;
    size_t sent = (size_t)nghttp2_session_get_stream_user_data(session, stream);
    write_plain(user, head, 9);
    write_plain(user, document + sent, length);
    nghttp2_session_set_stream_user_data(session, stream, (void *)(sent + length));
    return 0;
}

static int answer(nghttp2_session *session, const nghttp2_frame *frame, void *user) {
    (void)user;
    if (frame->hd.type != NGHTTP2_HEADERS) return 0;
#define FIELD(name, value) \
    {(uint8_t *)name, (uint8_t *)value, sizeof name - 1, strlen(value), 3 << 1}
    nghttp2_nv fields[] = {
        FIELD(":status", "200"), FIELD("content-type", "application/json"),
        FIELD("content-length", length_text), FIELD("date", "Sun, 22 Nov 2026 00:00:00 GMT"),
        FIELD("cache-control", "public, max-age=3600")};
    nghttp2_data_provider provider = {.read_callback = content};
    return nghttp2_submit_response(session, frame->hd.stream_id, fields, 5, &provider);
}

static void begin_http2(struct connection *c) {
    nghttp2_session_server_new(&c->http2, callbacks, c);
    nghttp2_settings_entry settings = {NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, 128};
    nghttp2_submit_settings(c->http2, 0, &settings, 1);
}

static int step_http2(struct connection *c) {
    const uint8_t *bytes;
    ssize_t count;
    if (nghttp2_session_want_write(c->http2))
        while ((count = nghttp2_session_mem_send(c->http2, &bytes)) > 0)
            write_plain(c, bytes, count);
    seal(c);
    return nghttp2_session_want_read(c->http2) || nghttp2_session_want_write(c->http2);
}

/* MARK: Connections */

/* 0: the connection is over once its output is out. */
static int step(struct connection *c) {
    if (!c->is_open) {
        int result = SSL_accept(c->tls);
        if (result != 1) return SSL_get_error(c->tls, result) == SSL_ERROR_WANT_READ;
        c->is_open = 1;
        const unsigned char *protocol;
        unsigned int length;
        SSL_get0_alpn_selected(c->tls, &protocol, &length);
        if (length == 2) begin_http2(c);
    }
    for (;;) {
        static char bytes[RECORD];
        int count = SSL_read(c->tls, bytes, sizeof bytes);
        if (count <= 0) {
            if (SSL_get_error(c->tls, count) != SSL_ERROR_WANT_READ) return 0;
            break;
        }
        if (c->http2) {
            if (nghttp2_session_mem_recv(c->http2, (uint8_t *)bytes, count) < 0) return 0;
            continue;
        }
        if (c->head_length + count > (int)sizeof c->head) return 0;
        memcpy(c->head + c->head_length, bytes, count);
        c->head_length += count;
        if (!memmem(c->head, c->head_length, "\r\n\r\n", 4)) continue;
        int closes = memmem(c->head, c->head_length, "onnection: close", 16) != NULL;
        c->head_length = 0;
        write_plain(c, response, response_length);
        seal(c);
        if (closes) {
            SSL_shutdown(c->tls);
            return 0;
        }
    }
    return c->http2 ? step_http2(c) : 1;
}

static void ready(struct connection *c, uint32_t events) {
    if (c->rest) {
        if (events & (EPOLLERR | EPOLLHUP)) return end(c);
        if (!flush(c)) return;
        if (c->wants_close) return end(c);
    }
    for (;;) {
        ssize_t count = recv(c->socket, input, INPUT, 0);
        if (count == 0 || (count < 0 && errno != EAGAIN)) return end(c);
        input_start = 0;
        input_end = count < 0 ? 0 : count;
        int goes_on = step(c);
        int has_more = c->http2 && output_length > OUTPUT / 4;
        int is_out = flush(c);
        if (!goes_on) {
            if (is_out) return end(c);
            c->wants_close = 1;
            return;
        }
        if (!is_out || (count < INPUT && !has_more)) return;
    }
}

static void accept_all(int listener) {
    for (;;) {
        int socket = accept4(listener, NULL, NULL, SOCK_NONBLOCK);
        if (socket < 0) return;
        struct connection *c = calloc(1, sizeof *c);
        c->socket = socket;
        c->tls = SSL_new(context);
        BIO *bio = BIO_new(transport);
        BIO_set_init(bio, 1);
        SSL_set_bio(c->tls, bio, bio);
        SSL_set_accept_state(c->tls);
        struct epoll_event event = {EPOLLIN, {.ptr = c}};
        epoll_ctl(poller, EPOLL_CTL_ADD, socket, &event);
        ready(c, 0);
    }
}

static void read_document(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) exit(3);
    document = malloc(1 << 20);
    document_length = fread(document, 1, 1 << 20, file);
    fclose(file);
    sprintf(length_text, "%zu", document_length);
    response = malloc(document_length + 512);
    response_length = sprintf(response,
                              "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                              "Content-Length: %zu\r\nDate: Sun, 22 Nov 2026 00:00:00 GMT\r\n"
                              "Cache-Control: public, max-age=3600\r\n\r\n",
                              document_length);
    memcpy(response + response_length, document, document_length);
    response_length += document_length;
}

int main(int argc, char **argv) {
    if (argc != 6) return 2;
    context = SSL_CTX_new(TLS_server_method());
    if (SSL_CTX_use_certificate_chain_file(context, argv[2]) != 1 ||
        SSL_CTX_use_PrivateKey_file(context, argv[3], SSL_FILETYPE_PEM) != 1)
        return 3;
    /* As aasa: what no peer needs is off. */
    SSL_CTX_set_num_tickets(context, atoi(argv[5]));
    if (!atoi(argv[5])) SSL_CTX_set_options(context, SSL_OP_NO_TICKET);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_options(context, SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_NO_RENEGOTIATION);
    SSL_CTX_set_mode(context, SSL_MODE_NO_AUTO_CHAIN | SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_ciphersuites(context, "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384");
    SSL_CTX_set_cipher_list(context, "ECDHE+AESGCM");
    SSL_CTX_set1_groups_list(context, "X25519:P-256");
    SSL_CTX_set_read_ahead(context, 1);
    SSL_CTX_set_alpn_select_cb(context, choose, NULL);
    transport = BIO_meth_new(BIO_TYPE_SOURCE_SINK | BIO_get_new_index(), "limit");
    BIO_meth_set_read(transport, transport_read);
    BIO_meth_set_write(transport, transport_write);
    BIO_meth_set_ctrl(transport, transport_control);
    nghttp2_session_callbacks_new(&callbacks);
    nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, answer);
    nghttp2_session_callbacks_set_send_data_callback(callbacks, send_content);
    read_document(argv[4]);

    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), one = 1;
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    setsockopt(listener, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    struct sockaddr_in address = {AF_INET, htons(atoi(argv[1])), {htonl(INADDR_LOOPBACK)}, {0}};
    if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 4096))
        return 4;
    poller = epoll_create1(0);
    struct epoll_event event = {EPOLLIN, {.ptr = NULL}}, events[256];
    epoll_ctl(poller, EPOLL_CTL_ADD, listener, &event);
    for (;;) {
        int count = epoll_wait(poller, events, 256, -1);
        for (int i = 0; i < count; i++)
            if (events[i].data.ptr)
                ready(events[i].data.ptr, events[i].events);
            else
                accept_all(listener);
    }
}
