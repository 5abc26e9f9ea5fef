#ifndef AASA_CNGHTTP2_H
#define AASA_CNGHTTP2_H
#include <nghttp2/nghttp2.h>
#endif
