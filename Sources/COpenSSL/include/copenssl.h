#ifndef AASA_COPENSSL_H
#define AASA_COPENSSL_H
#include <openssl/asn1.h>
#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/cms.h>
#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/decoder.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/opensslv.h>
#include <openssl/pem.h>
#include <openssl/provider.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/sha.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

// Only what Swift cannot see: function-like macros, casted constants and memory of a thread. Each
// shim is named after the macro it stands for. No logic here.

// ---- Options and modes (casted constants) ----
static inline uint64_t COpenSSL_SSL_OP_SERVER(void) {
    return SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_NO_SSLv3 | SSL_OP_NO_TLSv1 |
           SSL_OP_NO_TLSv1_1 | SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_PRIORITIZE_CHACHA;
}
static inline uint64_t COpenSSL_SSL_OP_NO_TICKET(void) { return SSL_OP_NO_TICKET; }
static inline uint64_t COpenSSL_SSL_OP_NO_COMPRESSION(void) { return SSL_OP_NO_COMPRESSION; }
static inline uint64_t COpenSSL_SSL_OP_NO_RENEGOTIATION(void) { return SSL_OP_NO_RENEGOTIATION; }
static inline long COpenSSL_SSL_CTX_set_mode(SSL_CTX *c, long m) { return SSL_CTX_set_mode(c, m); }
static inline long COpenSSL_SSL_CTX_clear_mode(SSL_CTX *c, long m) {
    return SSL_CTX_clear_mode(c, m);
}
static inline long COpenSSL_SSL_CTX_set_session_cache_mode(SSL_CTX *c, long m) {
    return SSL_CTX_set_session_cache_mode(c, m);
}
static inline long COpenSSL_SSL_CTX_set_read_ahead(SSL_CTX *c, int on) {
    return SSL_CTX_set_read_ahead(c, on);
}
static inline int COpenSSL_SSL_CTX_set_min_proto_version(SSL_CTX *c, int v) {
    return SSL_CTX_set_min_proto_version(c, v);
}
static inline int COpenSSL_SSL_CTX_set_max_proto_version(SSL_CTX *c, int v) {
    return SSL_CTX_set_max_proto_version(c, v);
}
static inline int COpenSSL_SSL_CTX_set1_groups_list(SSL_CTX *c, const char *s) {
    return SSL_CTX_set1_groups_list(c, s);
}
static inline int COpenSSL_SSL_CTX_set1_sigalgs_list(SSL_CTX *c, const char *s) {
    return SSL_CTX_set1_sigalgs_list(c, s);
}

// ---- Server name, ALPN, tickets ----
static inline long COpenSSL_SSL_set_tlsext_host_name(SSL *s, const char *name) {
    return SSL_set_tlsext_host_name(s, name);
}
typedef int (*COpenSSL_servername_cb)(SSL *, int *, void *);
static inline long COpenSSL_SSL_CTX_set_tlsext_servername_callback(SSL_CTX *c,
                                                                  COpenSSL_servername_cb cb) {
    return SSL_CTX_set_tlsext_servername_callback(c, cb);
}
static inline long COpenSSL_SSL_CTX_set_tlsext_servername_arg(SSL_CTX *c, void *arg) {
    return SSL_CTX_set_tlsext_servername_arg(c, arg);
}
static inline long COpenSSL_SSL_get_negotiated_group(SSL *s) { return SSL_get_negotiated_group(s); }
static inline int COpenSSL_SSL_get_peer_signature_nid(SSL *s, int *nid) {
    return SSL_get_peer_signature_nid(s, nid);
}
static inline int COpenSSL_SSL_get_peer_signature_type_nid(SSL *s, int *nid) {
    return SSL_get_peer_signature_type_nid(s, nid);
}

// ---- Stacks ----
static inline int COpenSSL_sk_X509_num(const STACK_OF(X509) *s) { return sk_X509_num(s); }
static inline X509 *COpenSSL_sk_X509_value(const STACK_OF(X509) *s, int i) {
    return sk_X509_value(s, i);
}
static inline STACK_OF(X509) *COpenSSL_sk_X509_new_null(void) { return sk_X509_new_null(); }
static inline int COpenSSL_sk_X509_push(STACK_OF(X509) *s, X509 *x) { return sk_X509_push(s, x); }
static inline void COpenSSL_sk_X509_free(STACK_OF(X509) *s) { sk_X509_free(s); }
static inline void COpenSSL_sk_X509_pop_free(STACK_OF(X509) *s) { sk_X509_pop_free(s, X509_free); }
static inline STACK_OF(X509_EXTENSION) *COpenSSL_sk_X509_EXTENSION_new_null(void) {
    return sk_X509_EXTENSION_new_null();
}
static inline int COpenSSL_sk_X509_EXTENSION_push(STACK_OF(X509_EXTENSION) *s, X509_EXTENSION *e) {
    return sk_X509_EXTENSION_push(s, e);
}
static inline void COpenSSL_sk_X509_EXTENSION_pop_free(STACK_OF(X509_EXTENSION) *s) {
    sk_X509_EXTENSION_pop_free(s, X509_EXTENSION_free);
}
static inline int COpenSSL_sk_GENERAL_NAME_num(const STACK_OF(GENERAL_NAME) *s) {
    return sk_GENERAL_NAME_num(s);
}
static inline GENERAL_NAME *COpenSSL_sk_GENERAL_NAME_value(const STACK_OF(GENERAL_NAME) *s, int i) {
    return sk_GENERAL_NAME_value(s, i);
}
static inline int COpenSSL_sk_CMS_SignerInfo_num(const STACK_OF(CMS_SignerInfo) *s) {
    return sk_CMS_SignerInfo_num(s);
}
static inline CMS_SignerInfo *COpenSSL_sk_CMS_SignerInfo_value(const STACK_OF(CMS_SignerInfo) *s,
                                                              int i) {
    return sk_CMS_SignerInfo_value(s, i);
}

// ---- Parameter names: Swift would pass a copy that is gone after the call ----
static inline const char *COpenSSL_OSSL_MAC_PARAM_KEY(void) { return OSSL_MAC_PARAM_KEY; }
static inline const char *COpenSSL_OSSL_MAC_PARAM_DIGEST(void) { return OSSL_MAC_PARAM_DIGEST; }
static inline const char *COpenSSL_OSSL_PKEY_PARAM_PRIV_KEY(void) {
    return OSSL_PKEY_PARAM_PRIV_KEY;
}
static inline const char *COpenSSL_OSSL_PKEY_PARAM_PUB_KEY(void) { return OSSL_PKEY_PARAM_PUB_KEY; }
static inline int COpenSSL_OSSL_KEYMGMT_SELECT_KEYPAIR(void) { return OSSL_KEYMGMT_SELECT_KEYPAIR; }

// ---- What belongs to the calling thread: Swift has no such storage (see EphemeralKeyPool) ----
void *COpenSSL_thread_key_pool(void);
void COpenSSL_set_thread_key_pool(void *pool);

// ---- SHA-256 as a value: EVP's contexts cannot be copied without an allocation ----
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
static inline int COpenSSL_SHA256_Init(SHA256_CTX *c) { return SHA256_Init(c); }
static inline int COpenSSL_SHA256_Update(SHA256_CTX *c, const void *d, size_t n) {
    return SHA256_Update(c, d, n);
}
static inline int COpenSSL_SHA256_Final(unsigned char *o, SHA256_CTX *c) {
    return SHA256_Final(o, c);
}
#pragma clang diagnostic pop

// ---- Others ----
enum { COpenSSL_BIO_RETRY = BIO_FLAGS_RWS | BIO_FLAGS_SHOULD_RETRY };
static inline long COpenSSL_BIO_get_mem_data(BIO *b, char **p) { return BIO_get_mem_data(b, p); }
static inline void COpenSSL_OPENSSL_free(void *p) { OPENSSL_free(p); }
static inline EVP_PKEY *COpenSSL_EVP_EC_gen(const char *curve) { return EVP_EC_gen(curve); }
static inline EVP_PKEY *COpenSSL_EVP_RSA_gen(unsigned int bits) { return EVP_RSA_gen(bits); }
static inline int COpenSSL_EVP_PKEY_KEYPAIR(void) { return EVP_PKEY_KEYPAIR; }
static inline int COpenSSL_ERR_GET_LIB(unsigned long e) { return ERR_GET_LIB(e); }
static inline int COpenSSL_ERR_GET_REASON(unsigned long e) { return ERR_GET_REASON(e); }
static inline uint32_t COpenSSL_CMS_FLAGS_SIGN(void) {
    return CMS_BINARY | CMS_NOATTR | CMS_NOSMIMECAP | CMS_PARTIAL;
}
#endif
