#ifndef AASA_COPENSSL_H
#define AASA_COPENSSL_H
#include <openssl/ssl.h>
#endif
