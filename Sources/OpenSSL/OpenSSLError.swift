internal import COpenSSL

/// An error from OpenSSL with the failed action and the drained error queue.
package struct OpenSSLError: Error, Sendable, Hashable, CustomStringConvertible {
    /// One entry of the error queue.
    package struct Entry: Sendable, Hashable {
        package let library: String
        package let reason: String
        /// Free text that OpenSSL adds to some entries, such as the mismatched name.
        package let detail: String
        /// The packed OpenSSL error code.
        package let code: UInt
    }

    /// The attempted action, for people: "loading certs/example.com/privkey.pem".
    package let action: String
    /// Oldest first. Empty if OpenSSL failed without a reason.
    package let entries: [Entry]
    /// What the user can do, if known.
    package let remedy: String?
    private let isOurs: Bool

    /// An error that we found ourselves, as a sentence; OpenSSL's queue is not touched.
    package init(cause: String, remedy: String?) {
        action = cause
        entries = []
        self.remedy = remedy
        isOurs = true
    }

    /// Drains the error queue of this thread.
    init(doing action: String, remedy: String? = nil) {
        self.action = action
        self.entries = OpenSSLError.drain()
        self.remedy = remedy
        isOurs = false
    }

    package var description: String {
        cause + (remedy.map { ". " + $0 } ?? "")
    }

    /// The message without the remedy.
    package var cause: String {
        var text = action
        if isOurs { return text }
        if entries.isEmpty {
            text += ": failed"
        } else {
            text += ": "
            text += entries.map { $0.detail.isEmpty ? $0.reason : "\($0.reason) (\($0.detail))" }
                .joined(separator: "; ")
        }
        return text
    }

    /// Drains this thread's error queue.
    static func drain() -> [Entry] {
        var entries: [Entry] = []
        while true {
            var data: UnsafePointer<CChar>?
            var flags: Int32 = 0
            let code = ERR_get_error_all(nil, nil, nil, &data, &flags)
            if code == 0 { return entries }
            let hasText = flags & ERR_TXT_STRING != 0
            entries.append(
                Entry(
                    library: ERR_lib_error_string(code).map { String(cString: $0) } ?? "",
                    reason: reasonText(code),
                    detail: hasText ? data.map { String(cString: $0) } ?? "" : "",
                    code: code))
        }
    }

    /// The text of a packed error code.
    static func reasonText(_ code: UInt) -> String {
        ERR_reason_error_string(code).map { String(cString: $0) } ?? "error \(code)"
    }
}
