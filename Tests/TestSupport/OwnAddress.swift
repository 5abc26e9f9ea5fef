import Glibc
import Reactor

/// An address of this machine's own that no other test listens on. A port that is free there stays
/// free until its program starts; on 127.0.0.1 every listener with port 0 may be given it.
package struct OwnAddress {
    package let text: String
    private let value: UInt32

    package init() {
        // 127.1.0.0 to 127.254.255.255; all of 127.0.0.0/8 is loopback (RFC 1122 section 3.2.1.3).
        value = 0x7F00_0000 | .random(in: 0x01_0000...0xFE_FFFF)
        let octets = [value >> 24, value >> 16, value >> 8, value].map { "\($0 & 0xFF)" }
        text = octets.joined(separator: ".")
    }

    /// Ports that nobody listens on, all different.
    package func freePorts(_ count: Int) throws -> [UInt16] {
        var held: [Int32] = []
        defer { for descriptor in held { close(descriptor) } }
        return try (0..<count).map { _ in
            var listener = try ListeningSocket(
                on: .v4(value, port: 0), backlog: 1, sharesPort: false)
            let port = listener.address.port
            held.append(listener.release())
            return port
        }
    }
}
