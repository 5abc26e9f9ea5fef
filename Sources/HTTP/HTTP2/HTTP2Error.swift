import CNGHTTP2

/// nghttp2 rejected a call of this side: out of memory, or a programming error.
package struct HTTP2Error: Error, Sendable, Hashable, CustomStringConvertible {
    /// The function of nghttp2 that failed.
    package let call: String
    /// Its negative result (`nghttp2_error`).
    package let code: Int32

    package var description: String {
        "\(call): \(nghttp2_strerror(code).map { String(cString: $0) } ?? "error") (\(code))"
    }

    /// Turns a result code into an error.
    static func check(_ code: Int32, _ call: String) throws(HTTP2Error) {
        if code != 0 { throw HTTP2Error(call: call, code: code) }
    }
}

/// Facts about the loaded nghttp2 library.
package enum HTTP2Library {
    /// Such as `1.52.0`.
    package static var version: String {
        guard let info = nghttp2_version(0), let text = info.pointee.version_str else { return "?" }
        return String(cString: text)
    }

    /// The security limits that the loaded library lacks. If not empty, it is too old for the
    /// Internet (CVE-2023-44487 rapid reset, CVE-2024-28182 CONTINUATION flood).
    package static func missingLimits() throws(HTTP2Error) -> [String] {
        var option: OpaquePointer?
        try HTTP2Error.check(nghttp2_option_new(&option), "nghttp2_option_new")
        defer { nghttp2_option_del(option) }
        var missing: [String] = []
        if CNGHTTP2_option_set_stream_reset_rate_limit(option, 1000, 33) == 0 {
            missing.append("nghttp2_option_set_stream_reset_rate_limit")
        }
        if CNGHTTP2_option_set_max_continuations(option, 8) == 0 {
            missing.append("nghttp2_option_set_max_continuations")
        }
        return missing
    }
}
