package import Reactor

/// The header by which a TCP proxy in front names the client of a connection: the PROXY protocol,
/// versions 1 (text) and 2 (binary), as HAProxy's proxy-protocol.txt defines it.
///
/// The header comes before the client's first byte, whole or not at all. A value: bytes in, verdict
/// out.
package struct ProxyHeader: Sendable, Equatable {
    /// Who sends the bytes after the header.
    package enum Sender: Sendable, Equatable {
        case client(SocketAddress)
        /// The front does not name the client, or in a form that has no meaning here: UNKNOWN,
        /// UNSPEC, a Unix socket, a datagram. The front's own address is used instead (section
        /// 2.2).
        case unknown
        /// LOCAL: the front itself, such as a health check.
        case front
    }

    package enum Verdict: Sendable, Equatable {
        /// More bytes have to come.
        case incomplete
        case whole(ProxyHeader)
        /// The bytes are not those of a header.
        case absent
        /// They begin like one, and are not as the protocol says, or longer than is read.
        case broken
    }

    package let sender: Sender
    /// Bytes of the header; the client's bytes follow.
    package let byteCount: Int

    /// The longest header that is read. Version 1 has 107 bytes at most. Version 2 has 16, the
    /// longest address (two Unix paths of 108) and room for what HAProxy and cloud load balancers
    /// add: a name (255), an identifier (128), a client's certificate in words.
    package static let byteCountMaximum = 4096
    /// The longest line of version 1, its CRLF included (section 2.1).
    static let lineBytesMaximum = 107

    static let signature: [UInt8] = [13, 10, 13, 10, 0, 13, 10, 81, 85, 73, 84, 10]
    private static let word: [UInt8] = Array("PROXY ".utf8)

    /// Parses all bytes that have arrived so far.
    package static func read(_ bytes: UnsafeRawBufferPointer) -> Verdict {
        if begins(bytes, with: signature) {
            return bytes.count < signature.count ? .incomplete : ProxyHeaderBinary.read(bytes)
        }
        if begins(bytes, with: word) {
            return bytes.count < word.count ? .incomplete : ProxyHeaderText.read(bytes)
        }
        return .absent
    }

    /// Whether bytes that are no ClientHello begin like a header; five bytes are enough to tell.
    static func isBegun(by bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.count >= 5 && (begins(bytes, with: signature) || begins(bytes, with: word))
    }

    private static func begins(_ bytes: UnsafeRawBufferPointer, with wanted: [UInt8]) -> Bool {
        zip(bytes, wanted).allSatisfy { $0 == $1 }
    }
}
