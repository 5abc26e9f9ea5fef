/*
 * handshakes: HTTPS client for the bench, for test servers on loopback only.
 *
 *   handshakes PORT PATH SECONDS CONNECTIONS MODE [GROUPS [SUITES]]
 *
 * MODE
 *   full     each connection: TCP, full TLS handshake, one GET, close_notify, close; then the next
 *   resume   the same, resuming with a ticket of the first connections
 *   idle     open CONNECTIONS connections with one GET each, print a line, hold them for SECONDS
 *
 * GROUPS   key shares and groups that are offered (X25519)
 * SUITES   cipher suites of TLS 1.3 that are offered (OpenSSL's own order: AES-256 first)
 *
 * Each client comes from another loopback address, so that ports never run out. One JSON object on
 * stdout: done (answers of 200 read whole), failed, resumed, tickets, seconds.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

struct client {
    int socket;
    SSL *tls;
    int sent;
    long received, wanted;
    int status;
    char head[4096];
    int head_length;
};

static SSL_CTX *context;
static SSL_SESSION *sessions[64];
static int session_count, session_next;
static int port, idle, resume;
static char request[512];
static int request_length;
static int poller;
static unsigned source;
static long done, failed, resumed, tickets, held;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

static int keep_ticket(SSL *tls, SSL_SESSION *session) {
    (void)tls;
    tickets++;
    if (!resume || session_count == 64) return 0;
    sessions[session_count++] = session;
    return 1; /* ours now */
}

static int start(struct client *c) {
    memset(c, 0, sizeof *c);
    c->socket = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (c->socket < 0) return -1;
    int one = 1;
    setsockopt(c->socket, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
#ifdef IP_BIND_ADDRESS_NO_PORT
    setsockopt(c->socket, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &one, sizeof one);
#endif
    struct sockaddr_in from = {.sin_family = AF_INET}, to = {.sin_family = AF_INET};
    unsigned number = source++;
    from.sin_addr.s_addr = htonl(0x7f100001u + number % 64 + (number / 64 % 200 << 8));
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    to.sin_port = htons(port);
    if (bind(c->socket, (void *)&from, sizeof from) ||
        (connect(c->socket, (void *)&to, sizeof to) && errno != EINPROGRESS)) {
        close(c->socket);
        return -1;
    }
    c->tls = SSL_new(context);
    SSL_set_fd(c->tls, c->socket);
    SSL_set_connect_state(c->tls);
    SSL_set_tlsext_host_name(c->tls, "localhost");
    if (resume && session_count) {
        /* A copy: OpenSSL marks a TLS 1.3 session as used. */
        SSL_SESSION *copy = SSL_SESSION_dup(sessions[session_next++ % session_count]);
        SSL_set_session(c->tls, copy);
        SSL_SESSION_free(copy);
    }
    struct epoll_event event = {EPOLLIN | EPOLLOUT | EPOLLET, {.ptr = c}};
    return epoll_ctl(poller, EPOLL_CTL_ADD, c->socket, &event);
}

static void finish(struct client *c, int good) {
    if (good) {
        done++;
        resumed += SSL_session_reused(c->tls);
        SSL_shutdown(c->tls);
    } else {
        failed++;
    }
    SSL_free(c->tls);
    close(c->socket);
    c->socket = -1;
}

/* Takes bytes of the answer; 1 when it is whole. */
static int take(struct client *c, const char *bytes, int count) {
    if (c->wanted) {
        c->received += count;
    } else {
        if (c->head_length + count >= (int)sizeof c->head) return -1;
        memcpy(c->head + c->head_length, bytes, count);
        c->head_length += count;
        c->head[c->head_length] = 0;
        char *end = strstr(c->head, "\r\n\r\n");
        if (!end) return 0;
        c->status = atoi(c->head + 9);
        char *length = strcasestr(c->head, "\r\ncontent-length:");
        if (!length || c->status != 200) return -1;
        c->wanted = atol(length + 17);
        c->received = c->head_length - (end + 4 - c->head);
    }
    return c->received >= c->wanted;
}

/* 0 goes on, 1 finished well, -1 failed */
static int proceed(struct client *c) {
    char buffer[16384];
    if (!SSL_is_init_finished(c->tls)) {
        int result = SSL_do_handshake(c->tls);
        if (result != 1) {
            int error = SSL_get_error(c->tls, result);
            return error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE ? 0 : -1;
        }
    }
    if (!c->sent) {
        c->sent = 1;
        if (SSL_write(c->tls, request, request_length) != request_length) return -1;
    }
    for (;;) {
        int count = SSL_read(c->tls, buffer, sizeof buffer);
        if (count <= 0) {
            int error = SSL_get_error(c->tls, count);
            return error == SSL_ERROR_WANT_READ ? 0 : -1;
        }
        int state = take(c, buffer, count);
        if (state) return state;
    }
}

int main(int argc, char **argv) {
    if (argc < 6) {
        fprintf(stderr, "usage: handshakes PORT PATH SECONDS CONNECTIONS full|resume|idle "
                        "[GROUPS [SUITES]]\n");
        return 2;
    }
    port = atoi(argv[1]);
    double seconds = atof(argv[3]);
    int count = atoi(argv[4]);
    resume = !strcmp(argv[5], "resume");
    idle = !strcmp(argv[5], "idle");
    request_length = snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n",
                              argv[2]);
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    context = SSL_CTX_new(TLS_client_method());
    if (SSL_CTX_set1_groups_list(context, argc > 6 ? argv[6] : "X25519") != 1 ||
        (argc > 7 && SSL_CTX_set_ciphersuites(context, argv[7]) != 1)) {
        fprintf(stderr, "handshakes: no such groups or suites\n");
        return 2;
    }
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
    SSL_CTX_sess_set_new_cb(context, keep_ticket);
    static const unsigned char protocol[] = "\x08http/1.1";
    SSL_CTX_set_alpn_protos(context, protocol, 9);
    poller = epoll_create1(EPOLL_CLOEXEC);
    struct client *clients = calloc(count, sizeof *clients);
    /* Not all at once: a burst of thousands would measure the accept queue. */
    int started = 0, window = idle ? 64 : count;
    double began = now(), end = began + seconds;
    struct epoll_event events[256];
    int ready = 0;
    while (now() < end) {
        while (started < count && started - held - done - failed < window)
            if (start(&clients[started++])) failed++;
        int n = epoll_wait(poller, events, 256, 20);
        for (int i = 0; i < n; i++) {
            struct client *c = events[i].data.ptr;
            if (c->socket < 0) continue;
            if (idle && c->wanted && c->received >= c->wanted) {
                failed++; /* closed on us while idle */
                held--;
                epoll_ctl(poller, EPOLL_CTL_DEL, c->socket, 0);
                continue;
            }
            int state = proceed(c);
            if (!state) continue;
            if (idle && state > 0) {
                held++;
                continue;
            }
            finish(c, state > 0);
            if (!idle && now() < end) start(c);
        }
        if (idle && !ready && held + failed >= count) {
            ready = 1;
            printf("ready %ld\n", held);
            fflush(stdout);
        }
    }
    printf("{\"done\": %ld, \"failed\": %ld, \"resumed\": %ld, \"tickets\": %ld, \"held\": %ld, "
           "\"seconds\": %.3f}\n",
           done, failed, resumed, tickets, held, now() - began);
    return 0;
}
