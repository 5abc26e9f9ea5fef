/*
 * notickets: preloaded into a peer, switches off the two tickets that OpenSSL 3.0 sends behind
 * every TLS 1.3 handshake. The peers' own settings (no session tickets) only change their kind. So
 * that "no tickets" is the same work for all.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <openssl/ssl.h>

SSL_CTX *SSL_CTX_new(const SSL_METHOD *method) {
    SSL_CTX *(*original)(const SSL_METHOD *) = dlsym(RTLD_NEXT, "SSL_CTX_new");
    SSL_CTX *context = original ? original(method) : 0;
    if (context)
        SSL_CTX_set_num_tickets(context, 0);
    return context;
}
