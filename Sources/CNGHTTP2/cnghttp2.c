#include "cnghttp2.h"

// Declared by newer headers as well; declaring a function again with the same type is allowed,
// and the attribute makes a missing symbol a null pointer instead of a failure to link.
extern void nghttp2_option_set_stream_reset_rate_limit(nghttp2_option *, uint64_t, uint64_t)
    __attribute__((weak));
extern void nghttp2_option_set_max_continuations(nghttp2_option *, size_t) __attribute__((weak));
extern void nghttp2_option_set_glitch_rate_limit(nghttp2_option *, uint64_t, uint64_t)
    __attribute__((weak));
extern void nghttp2_option_set_no_rfc9113_leading_and_trailing_ws_validation(nghttp2_option *, int)
    __attribute__((weak));

int CNGHTTP2_option_set_stream_reset_rate_limit(
    nghttp2_option *option, uint64_t burst, uint64_t rate) {
    if (!nghttp2_option_set_stream_reset_rate_limit) return 0;
    nghttp2_option_set_stream_reset_rate_limit(option, burst, rate);
    return 1;
}

int CNGHTTP2_option_set_max_continuations(nghttp2_option *option, size_t count) {
    if (!nghttp2_option_set_max_continuations) return 0;
    nghttp2_option_set_max_continuations(option, count);
    return 1;
}

int CNGHTTP2_option_set_glitch_rate_limit(nghttp2_option *option, uint64_t burst, uint64_t rate) {
    if (!nghttp2_option_set_glitch_rate_limit) return 0;
    nghttp2_option_set_glitch_rate_limit(option, burst, rate);
    return 1;
}

int CNGHTTP2_option_set_no_rfc9113_leading_and_trailing_ws_validation(
    nghttp2_option *option, int value) {
    if (!nghttp2_option_set_no_rfc9113_leading_and_trailing_ws_validation) return 0;
    nghttp2_option_set_no_rfc9113_leading_and_trailing_ws_validation(option, value);
    return 1;
}
