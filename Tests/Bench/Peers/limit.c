/*
 * limit: what the handshake alone costs a server, in memory: SSL_accept to the answer written, no
 * sockets and no HTTP. No server on the same library with the same settings can cost less.
 *
 *   limit CHAIN KEY TICKETS SECONDS      prints microseconds of server processor time per handshake
 */
#define _GNU_SOURCE
#include <openssl/ssl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double cpu(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec * 1e6 + t.tv_nsec / 1e3;
}

int main(int argc, char **argv) {
    if (argc != 5) return 2;
    SSL_CTX *server = SSL_CTX_new(TLS_server_method()), *client = SSL_CTX_new(TLS_client_method());
    if (SSL_CTX_use_certificate_chain_file(server, argv[1]) != 1 ||
        SSL_CTX_use_PrivateKey_file(server, argv[2], SSL_FILETYPE_PEM) != 1)
        return 3;
    SSL_CTX_set_num_tickets(server, atoi(argv[3]));
    SSL_CTX_set_session_cache_mode(server, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_mode(server, SSL_MODE_NO_AUTO_CHAIN | SSL_MODE_RELEASE_BUFFERS);
    /* aasa's choice: AES-128 with SHA-256, cheaper than what the library would agree on. */
    SSL_CTX_set_ciphersuites(server, "TLS_AES_128_GCM_SHA256");
    SSL_CTX_set1_groups_list(client, "X25519");
    double spent = 0, stop = cpu() + atof(argv[4]) * 1e6;
    long count = 0;
    char request[100] = "GET / HTTP/1.1", answer[500] = "HTTP/1.1 200 OK", buffer[1000];
    while (cpu() < stop) {
        BIO *ours, *theirs;
        BIO_new_bio_pair(&ours, 32768, &theirs, 32768);
        SSL *c = SSL_new(client);
        SSL_set_bio(c, theirs, theirs);
        SSL_set_connect_state(c);
        SSL_do_handshake(c); /* ClientHello */
        double t0 = cpu();
        SSL *s = SSL_new(server);
        SSL_set_bio(s, ours, ours);
        SSL_set_accept_state(s);
        SSL_do_handshake(s); /* ServerHello to Finished */
        double t1 = cpu();
        if (SSL_do_handshake(c) != 1) return 4;
        SSL_write(c, request, sizeof request);
        double t2 = cpu();
        if (SSL_do_handshake(s) != 1 || SSL_read(s, buffer, sizeof buffer) != sizeof request ||
            SSL_write(s, answer, sizeof answer) != sizeof answer)
            return 5;
        SSL_shutdown(s);
        double t3 = cpu();
        if (SSL_read(c, buffer, sizeof buffer) != sizeof answer) return 6;
        SSL_shutdown(c);
        double t4 = cpu();
        SSL_free(s);
        spent += t1 - t0 + t3 - t2 + cpu() - t4;
        SSL_free(c);
        count++;
    }
    printf("%.2f\n", spent / count);
    return 0;
}
