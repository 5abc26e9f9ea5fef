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
    private let network: UInt128
    /// The bits that have to be the same.
    private let mask: UInt128

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
            let address = SocketAddress(host: parts[0], port: 0), let bits = Self.bits(address)
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
        mask = .max << UInt128(width - length)
        network = bits & mask
        guard network == bits else {
            let low = UInt64(truncatingIfNeeded: network)
            let meant =
                address.isIPv6
                ? SocketAddress.v6(high: UInt64(network >> 64), low: low, port: 0)
                : SocketAddress.v4(UInt32(truncatingIfNeeded: low), port: 0)
            throw .bitsBehindLength("\(meant.host)/\(length)")
        }
    }

    func contains(_ address: SocketAddress) -> Bool {
        Self.bits(address).map { $0 & mask == network } ?? false
    }

    private static func bits(_ address: SocketAddress) -> UInt128? {
        address.bits.map { UInt128($0.high) << 64 | UInt128($0.low) }
    }
}
