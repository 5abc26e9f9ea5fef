internal import COpenSSL

/// The result of a handshake step.
package enum TLSStep: Sendable {
    /// The handshake is complete; ``TLSSession/negotiated`` is known.
    case done
    /// More ciphertext is needed, or ``TLSSession/awaitsChallenge``. Send the transport's output
    /// first.
    case wantsInput
    /// The session ended. Send the transport's output (it may hold an alert), then close.
    case failed(TLSFailure)
}

/// The result of a read.
package enum TLSRead: Sendable {
    /// The number of plaintext bytes in the buffer, at least one.
    case bytes(Int)
    case wantsInput
    /// The peer sent close_notify: no more bytes will come.
    case closedByPeer
    case failed(TLSFailure)
}

/// Why a session ended. A small value without references: a flood of failures costs little.
package struct TLSFailure: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Cause: Sendable, Hashable {
        /// The peer sent a fatal alert with this number (RFC 8446 section 6).
        case alertReceived(UInt8)
        /// The peer violated the protocol, or both sides share no version, cipher or group.
        case handshake
        /// The peer does not speak TLS: an HTTP request, or random bytes.
        case notTLS
        /// The peer's certificate was rejected (client role, verification required).
        case certificate
        /// More handshake bytes than ``TLSLimits/handshakeBytes``, or more records than
        /// ``HandshakeRecords`` allows for them.
        case handshakeTooLong
        /// More records without data after the handshake than ``TLSLimits/controlRecords``.
        case controlFlood
        /// A record after the handshake was invalid.
        case record
        /// The session was used incorrectly or after its end, or memory is short.
        case unusable
    }

    package let cause: Cause
    /// OpenSSL's packed error code, or 0.
    package let code: UInt

    package init(cause: Cause, code: UInt) {
        self.cause = cause
        self.code = code
    }

    package var description: String {
        switch cause {
        case .alertReceived(let number):
            "the peer rejected the handshake with the TLS alert \(TLSFailure.alertName(number))"
        case .notTLS: "the peer does not speak TLS" + because
        case .handshake: "the TLS handshake failed" + because
        case .certificate: "the server's certificate was rejected" + because
        case .handshakeTooLong:
            "the peer sent more than \(TLSLimits.handshakeBytes) bytes of handshake, or thousands of tiny records"
        case .controlFlood:
            "the peer sent more than \(TLSLimits.controlRecords) records without data"
        case .record: "the peer sent an invalid TLS record" + because
        case .unusable: "the TLS session cannot be used" + because
        }
    }

    private var because: String {
        code == 0 ? "" : ": " + OpenSSLError.reasonText(code)
    }

    /// OpenSSL's description of an alert: "handshake failure". OpenSSL calls "unknown" also some
    /// that it sends itself (RFC 8446 section 6.2, RFC 7507).
    package static func alertName(_ number: UInt8) -> String {
        switch number {
        case 86: return "inappropriate fallback"
        case 109: return "missing extension"
        case 116: return "certificate required"
        default:
            let name = String(cString: SSL_alert_desc_string_long(Int32(number)))
            return name == "unknown" ? "number \(number)" : name
        }
    }
}

/// The negotiated parameters.
package struct TLSNegotiated: Sendable, Hashable {
    package let version: TLSVersion
    /// `nil` without ALPN, which means HTTP/1.1.
    package let applicationProtocol: TLSApplicationProtocol?
    /// Whether the session was resumed.
    package let isResumed: Bool

    package init(
        version: TLSVersion, applicationProtocol: TLSApplicationProtocol?, isResumed: Bool
    ) {
        self.version = version
        self.applicationProtocol = applicationProtocol
        self.isResumed = isResumed
    }
}

/// The limits of a session, with their derivation.
package enum TLSLimits {
    /// Ciphertext that a client may send before the handshake is complete. A ClientHello with a
    /// post-quantum share has 1.8 KB. OpenSSL accepts one of 131,396 bytes, two of them after a
    /// HelloRetryRequest, and skips 16,384 bytes of early data: 279,176 together. Record headers,
    /// if a client fragments its hello into pieces of 32 bytes or more, add a sixth. Larger
    /// messages OpenSSL rejects with its own alert.
    package static let handshakeBytes = 320 * 1024

    /// Records without application data after the handshake, and our replies: key updates, refused
    /// renegotiations, warning alerts, empty records. Real clients send one close_notify; a key
    /// update is due every 2^24 records. A key update that requests one in return counts twice.
    package static let controlRecords = 32
}
