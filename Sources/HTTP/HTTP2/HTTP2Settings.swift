import CNGHTTP2

/// nghttp2's options and callbacks, for many sessions.
///
/// nghttp2 copies both when a session is created, so they are made once.
package class HTTP2Settings {
    final let options: OpaquePointer
    final let callbacks: OpaquePointer

    init() throws(HTTP2Error) {
        var options: OpaquePointer?
        try HTTP2Error.check(nghttp2_option_new(&options), "nghttp2_option_new")
        var callbacks: OpaquePointer?
        let result = nghttp2_session_callbacks_new(&callbacks)
        guard let options, let callbacks, result == 0 else {
            nghttp2_option_del(options)
            throw HTTP2Error(call: "nghttp2_session_callbacks_new", code: result)
        }
        self.options = options
        self.callbacks = callbacks
    }

    deinit {
        nghttp2_session_callbacks_del(callbacks)
        nghttp2_option_del(options)
    }
}
