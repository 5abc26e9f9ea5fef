internal import COpenSSL

/// An error of OpenSSL, with what was tried and the reasons in the error queue, or one of ours.
package struct OpenSSLError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The message without the remedy.
    package let cause: String
    /// What the user can do, if known.
    package let remedy: String?

    /// An error that we found ourselves, as a sentence; OpenSSL's queue is not touched.
    package init(cause: String, remedy: String?) {
        self.cause = cause
        self.remedy = remedy
    }

    /// Drains the error queue of this thread.
    ///
    /// - Parameter action: for people: "loading certs/example.com/privkey.pem".
    init(doing action: String, remedy: String? = nil) {
        // OpenSSL may fail without a reason.
        let reasons = OpenSSLError.drain()
        cause = "\(action): " + (reasons.isEmpty ? "failed" : reasons.joined(separator: "; "))
        self.remedy = remedy
    }

    package var description: String {
        cause + (remedy.map { ". " + $0 } ?? "")
    }

    /// Drains this thread's error queue.
    ///
    /// - Returns: the reasons, oldest first, each with the text that OpenSSL adds to some, such as
    ///   the mismatched name.
    static func drain() -> [String] {
        var reasons: [String] = []
        while true {
            var data: UnsafePointer<CChar>?
            var flags: Int32 = 0
            let code = ERR_get_error_all(nil, nil, nil, &data, &flags)
            if code == 0 { return reasons }
            let detail =
                flags & ERR_TXT_STRING != 0 ? data.map { String(cString: $0) } ?? "" : ""
            reasons.append(reasonText(code) + (detail.isEmpty ? "" : " (\(detail))"))
        }
    }

    /// The text of a packed error code.
    static func reasonText(_ code: UInt) -> String {
        ERR_reason_error_string(code).map { String(cString: $0) } ?? "error \(code)"
    }
}
