package import Reactor

/// Which listeners expect headers of the PROXY protocol, and from which addresses: those of our own
/// fronts. Any other sender of a header could choose the address under which we know it.
package struct ProxyProtocolSettings: Sendable, Equatable {
    /// A company's front has a few addresses or a subnet; the list is searched for each connection.
    package static let frontsMaximum = 64

    package let fronts: [AddressPrefix]
    /// The listeners; empty: all.
    package let listeners: [SocketAddress]

    package init(fronts: [AddressPrefix], listeners: [SocketAddress] = []) {
        self.fronts = fronts
        self.listeners = listeners
    }

    /// The fronts whose headers the listener at an address trusts.
    func fronts(at address: SocketAddress) -> [AddressPrefix] {
        listeners.isEmpty || listeners.contains(address) ? fronts : []
    }
}

/// An address or a network: `192.0.2.7`, `10.0.0.0/8`, `2001:db8::/32`.
package struct AddressPrefix: Sendable, Equatable {
    /// IPv4 addresses as IPv6 ones (RFC 4291 section 2.5.5.2), so that there is one comparison.
    private let high: UInt64
    private let low: UInt64
    /// How many of the 128 bits have to be the same.
    private let length: Int

    /// Why a text is no prefix, for the error message.
    package enum Fault: Error, Equatable {
        case notAnAddress
        /// Bits after the prefix length are set; the value is the prefix that is probably meant.
        case bitsBehindLength(String)
        /// A length of 0: all addresses.
        case everybody
    }

    package init(_ text: String) throws(Fault) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count <= 2, !text.utf8.contains(UInt8(ascii: "%")),
            let address = SocketAddress(host: parts[0], port: 0), let bits = address.bits
        else { throw .notAnAddress }
        let width = address.isIPv6 ? 128 : 32
        var length = width
        if parts.count == 2 {
            guard !parts[1].isEmpty, parts[1].utf8.allSatisfy({ (48...57).contains($0) }),
                let given = Int(parts[1]), given <= width
            else { throw .notAnAddress }
            length = given
        }
        if length == 0 { throw .everybody }
        self.length = 128 - width + length
        (high, low) = Self.masked(bits, self.length)
        guard (high, low) == bits else {
            let network =
                address.isIPv6
                ? SocketAddress.v6(high: high, low: low, port: 0)
                : SocketAddress.v4(UInt32(truncatingIfNeeded: low), port: 0)
            throw .bitsBehindLength("\(network.host)/\(length)")
        }
    }

    func contains(_ address: SocketAddress) -> Bool {
        guard let bits = address.bits else { return false }
        return Self.masked(bits, length) == (high, low)
    }

    private static func masked(
        _ bits: (high: UInt64, low: UInt64), _ length: Int
    ) -> (UInt64, UInt64) {
        (bits.high & mask(length), bits.low & mask(length - 64))
    }

    /// A word whose first so many bits are set.
    private static func mask(_ count: Int) -> UInt64 {
        count <= 0 ? 0 : count >= 64 ? .max : ~(.max >> UInt64(count))
    }
}
