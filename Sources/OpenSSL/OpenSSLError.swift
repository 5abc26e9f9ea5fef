internal import COpenSSL

/// What OpenSSL reported, with what we were doing: the whole error queue, drained.
package struct OpenSSLError: Error, Sendable, Hashable, CustomStringConvertible {
    /// One entry of the error queue.
    package struct Entry: Sendable, Hashable {
        package let library: String
        package let reason: String
        /// Free text that OpenSSL adds to some entries, such as the name that did not match.
        package let detail: String
        /// The packed OpenSSL error code.
        package let code: UInt
    }

    /// What was attempted, in words for people: "loading certs/example.com/privkey.pem".
    package let action: String
    /// Oldest first. Empty when OpenSSL failed without saying why.
    package let entries: [Entry]
    /// What the user can do, where it is known.
    package let remedy: String?
    private let isOurs: Bool

    /// What we found ourselves, said as a sentence; OpenSSL's queue is left alone.
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

    /// What went wrong, without the remedy.
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

    /// Takes every entry off this thread's queue.
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

    /// The words for a packed error code.
    static func reasonText(_ code: UInt) -> String {
        ERR_reason_error_string(code).map { String(cString: $0) } ?? "error \(code)"
    }
}
