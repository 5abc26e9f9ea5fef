package import Reactor

/// Resolves names: `--resolve` first, then the system.
package struct Resolver: Sendable {
    /// `HOST:PORT:ADDR`, as in curl: connections to this host and port go to this address.
    package struct Override: Sendable, Hashable {
        package let host: String
        package let port: UInt16
        package let address: SocketAddress

        package init(host: String, port: UInt16, address: SocketAddress) {
            self.host = host.lowercased()
            self.port = port
            self.address = address
        }

        /// Parses `HOST:PORT:ADDR` and `HOST:PORT:ADDR:PORT`; an IPv6 address may be in brackets.
        package init?(parsing text: String) {
            let parts = text.split(
                separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3, !parts[0].isEmpty, let port = UInt16(parts[1]) else {
                return nil
            }
            let target = String(parts[2])
            let bare =
                target.hasPrefix("[") && target.hasSuffix("]")
                ? String(target.dropFirst().dropLast()) : target
            guard
                let address = SocketAddress(host: bare, port: port)
                    ?? SocketAddress(parsing: target)
            else { return nil }
            self.init(host: String(parts[0]), port: port, address: address)
        }
    }

    package var overrides: [Override]

    package init(overrides: [Override] = []) { self.overrides = overrides }

    /// Whether the user gave an address for this host.
    package func isOverridden(_ host: String, _ port: UInt16) -> Bool {
        overrides.contains { $0.host == host.lowercased() && $0.port == port }
    }

    /// The addresses of a host, in the system's order, without duplicates.
    package func addresses(
        of host: String, port: UInt16
    ) -> Result<[SocketAddress], ClientFailure> {
        let given = overrides.filter { $0.host == host.lowercased() && $0.port == port }
        if !given.isEmpty { return .success(given.map(\.address)) }
        if let literal = SocketAddress(host: host, port: port) { return .success([literal]) }

        switch HostLookup.addresses(of: host, port: port) {
        case .success(let found):
            return found.isEmpty ? .failure(.unresolved("it has no address")) : .success(found)
        case .failure(let failure): return .failure(.unresolved(failure.reason))
        }
    }
}
