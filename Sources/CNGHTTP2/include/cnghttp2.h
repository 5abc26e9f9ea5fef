#ifndef AASA_CNGHTTP2_H
#define AASA_CNGHTTP2_H

// ssize_t is not ISO C: nghttp2 1.60 gave every function that used it a twin ending in 2 with
// nghttp2_ssize (ptrdiff_t), and newer ones can be built without the old names. Either way Swift
// sees Int here, under one name.

#include <nghttp2/nghttp2.h>

#if NGHTTP2_VERSION_NUM >= 0x013c00
typedef nghttp2_ssize CNGHTTP2_ssize;
typedef nghttp2_data_provider2 CNGHTTP2_data_provider;
typedef nghttp2_send_callback2 CNGHTTP2_send_callback;
#define CNGHTTP2_TWIN(name) name##2
#else
typedef ssize_t CNGHTTP2_ssize;
typedef nghttp2_data_provider CNGHTTP2_data_provider;
typedef nghttp2_send_callback CNGHTTP2_send_callback;
#define CNGHTTP2_TWIN(name) name
#endif

static inline CNGHTTP2_ssize CNGHTTP2_session_mem_recv(
    nghttp2_session *session, const uint8_t *in, size_t inlen) {
    return CNGHTTP2_TWIN(nghttp2_session_mem_recv)(session, in, inlen);
}

static inline int CNGHTTP2_submit_response(
    nghttp2_session *session, int32_t stream_id, const nghttp2_nv *nva, size_t nvlen,
    const CNGHTTP2_data_provider *data) {
    return CNGHTTP2_TWIN(nghttp2_submit_response)(session, stream_id, nva, nvlen, data);
}

static inline int32_t CNGHTTP2_submit_request(
    nghttp2_session *session, const nghttp2_nv *nva, size_t nvlen,
    const CNGHTTP2_data_provider *data) {
    return CNGHTTP2_TWIN(nghttp2_submit_request)(session, NULL, nva, nvlen, data, NULL);
}

static inline void CNGHTTP2_session_callbacks_set_send_callback(
    nghttp2_session_callbacks *callbacks, CNGHTTP2_send_callback callback) {
    CNGHTTP2_TWIN(nghttp2_session_callbacks_set_send_callback)(callbacks, callback);
}

// Limits that came with security fixes. Debian 12 has the first two in its 1.52; a plain 1.52 has
// neither and must not be used (CVE-2023-44487, CVE-2024-28182). They are weak references, so that
// the answer is found at run time: each returns 0 if the library does not know the limit.
int CNGHTTP2_option_set_stream_reset_rate_limit(
    nghttp2_option *option, uint64_t burst, uint64_t rate);
int CNGHTTP2_option_set_max_continuations(nghttp2_option *option, size_t count);
int CNGHTTP2_option_set_glitch_rate_limit(nghttp2_option *option, uint64_t burst, uint64_t rate);

// Came with 1.50: also a weak reference.
int CNGHTTP2_option_set_no_rfc9113_leading_and_trailing_ws_validation(
    nghttp2_option *option, int value);

#endif
