import Glibc

/// An IPv4, IPv6 or Unix socket address as a value.
package struct SocketAddress: Hashable, Sendable, CustomStringConvertible {
    enum Storage: Hashable, Sendable {
        /// Address in host byte order.
        case v4(UInt32, port: UInt16)
        case v6(high: UInt64, low: UInt64, port: UInt16, scope: UInt32)
        case unix(path: String)
    }

    let storage: Storage

    init(_ storage: Storage) { self.storage = storage }

    /// An IPv4 address in host byte order.
    package static func v4(_ address: UInt32, port: UInt16) -> SocketAddress {
        .init(.v4(address, port: port))
    }

    /// An IPv6 address from its two halves, in host byte order, without a zone.
    package static func v6(high: UInt64, low: UInt64, port: UInt16) -> SocketAddress {
        .init(.v6(high: high, low: low, port: port, scope: 0))
    }

    /// The 128 bits of an IPv6 address, or of an IPv4 address mapped to ::ffff:0:0/96 (RFC 4291
    /// section 2.5.5.2); `nil` for a Unix path.
    package var bits: (high: UInt64, low: UInt64)? {
        switch storage {
        case .v4(let address, _): (0, 0xFFFF << 32 | UInt64(address))
        case .v6(let high, let low, _, _): (high, low)
        case .unix: nil
        }
    }

    /// What fits into `sun_path` with its closing NUL (unix(7)).
    package static let unixPathBytesMaximum = 107

    /// A Unix stream socket at `path`; `nil` if the path is too long.
    package static func unix(path: String) -> SocketAddress? {
        path.isEmpty || path.utf8.count > unixPathBytesMaximum ? nil : .init(.unix(path: path))
    }

    /// The same for a socket to bind, or for another call.
    ///
    /// - Throws: if the path is too long.
    package static func requireUnix(
        path: String, for call: String = "bind"
    ) throws(SystemError) -> SocketAddress {
        guard let address = unix(path: path) else {
            throw SystemError(call: call, number: ENAMETOOLONG, subject: path)
        }
        return address
    }

    package var isIPv6: Bool { if case .v6 = storage { true } else { false } }
    package var isUnix: Bool { if case .unix = storage { true } else { false } }

    /// 127.0.0.0/8, ::1, or a Unix path: traffic that stays on the machine.
    package var isLoopback: Bool {
        switch storage {
        case .v4(let address, _): address >> 24 == 127
        case .v6(let high, let low, _, _): high == 0 && low == 1
        case .unix: true
        }
    }

    /// The port, 0 for a Unix path.
    package var port: UInt16 {
        switch storage {
        case .v4(_, let port), .v6(_, _, let port, _): port
        case .unix: 0
        }
    }

    /// Parses `192.0.2.1:443`, `[2001:db8::1]:443`, `[fe80::1%eth0]:443` or `unix:/path`. Does not
    /// resolve host names.
    package init?(parsing text: String) {
        if text.hasPrefix("unix:") {
            guard let address = SocketAddress.unix(path: String(text.dropFirst(5))) else {
                return nil
            }
            self = address
            return
        }
        guard let colon = text.lastIndex(of: ":"),
            let port = Self.port(text[text.index(after: colon)...])
        else { return nil }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
            guard host.contains(":") else { return nil }
        } else if host.contains(":") {
            return nil  // an IPv6 address without brackets: the last group is not a port
        }
        self.init(host: String(host), port: port)
    }

    /// Parses an address without port: `192.0.2.1`, `2001:db8::1`.
    package init?(host: String, port: UInt16) {
        var v4 = in_addr()
        if inet_pton(AF_INET, host, &v4) == 1 {
            self.init(.v4(UInt32(bigEndian: v4.s_addr), port: port))
            return
        }
        var scope: UInt32 = 0
        var text = host
        if let percent = host.firstIndex(of: "%") {
            let zone = String(host[host.index(after: percent)...])
            scope = UInt32(zone) ?? if_nametoindex(zone)
            if scope == 0 { return nil }
            text = String(host[..<percent])
        }
        var v6 = in6_addr()
        guard inet_pton(AF_INET6, text, &v6) == 1 else { return nil }
        self.init(Self.v6Storage(v6, port: port, scope: scope))
    }

    private static func port(_ text: Substring) -> UInt16? {
        guard !text.isEmpty, text.utf8.allSatisfy({ $0 >= 48 && $0 <= 57 }) else { return nil }
        return UInt16(text)
    }

    private static func v6Storage(_ address: in6_addr, port: UInt16, scope: UInt32) -> Storage {
        withUnsafeBytes(of: address) { bytes in
            .v6(
                high: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
                low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)),
                port: port, scope: scope)
        }
    }

    /// The address without port, in the format of inet_ntop(3) (no brackets); the path of a Unix
    /// socket.
    package var host: String {
        switch storage {
        case .v4(let address, _):
            return "\(address >> 24).\(address >> 16 & 255).\(address >> 8 & 255).\(address & 255)"
        case .v6(let high, let low, _, let scope):
            var bytes = (high.bigEndian, low.bigEndian)
            let text = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
                inet_ntop(AF_INET6, &bytes, buffer.baseAddress, 64).map { String(cString: $0) }
                    ?? "::"
            }
            return scope == 0 ? text : "\(text)%\(scope)"
        case .unix(let path): return path
        }
    }

    package var description: String {
        switch storage {
        case .v4(_, let port): "\(host):\(port)"
        case .v6(_, _, let port, _): "[\(host)]:\(port)"
        case .unix(let path): "unix:\(path)"
        }
    }

    // MARK: sockaddr

    var family: Int32 {
        switch storage {
        case .v4: AF_INET
        case .v6: AF_INET6
        case .unix: AF_UNIX
        }
    }

    /// Calls `body` with the address as a `sockaddr`.
    func withSockAddr<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        var storage = sockaddr_storage()
        let length = fill(&storage)
        return withUnsafePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }

    private func fill(_ target: inout sockaddr_storage) -> socklen_t {
        withUnsafeMutableBytes(of: &target) { bytes in
            switch storage {
            case .v4(let address, let port):
                var value = sockaddr_in()
                value.sin_family = sa_family_t(AF_INET)
                value.sin_port = port.bigEndian
                value.sin_addr.s_addr = address.bigEndian
                bytes.storeBytes(of: value, as: sockaddr_in.self)
                return socklen_t(MemoryLayout<sockaddr_in>.size)
            case .v6(let high, let low, let port, let scope):
                var value = sockaddr_in6()
                value.sin6_family = sa_family_t(AF_INET6)
                value.sin6_port = port.bigEndian
                value.sin6_scope_id = scope
                withUnsafeMutableBytes(of: &value.sin6_addr) { address in
                    address.storeBytes(of: high.bigEndian, toByteOffset: 0, as: UInt64.self)
                    address.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
                }
                bytes.storeBytes(of: value, as: sockaddr_in6.self)
                return socklen_t(MemoryLayout<sockaddr_in6>.size)
            case .unix(let path):
                let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
                bytes.storeBytes(of: sa_family_t(AF_UNIX), as: sa_family_t.self)
                for (index, byte) in path.utf8.enumerated() { bytes[offset + index] = byte }
                // The length delimits an abstract name, which begins with NUL: nothing ends it.
                return socklen_t(offset + path.utf8.count + (path.utf8.first == 0 ? 0 : 1))
            }
        }
    }

    /// From an address that the kernel returned; `nil` for unsupported families.
    init?(_ source: borrowing sockaddr_storage, length: socklen_t) {
        let family = Int32(source.ss_family)
        let storage: Storage? = withUnsafeBytes(of: source) { bytes in
            switch family {
            case AF_INET:
                let value = bytes.load(as: sockaddr_in.self)
                return .v4(
                    UInt32(bigEndian: value.sin_addr.s_addr),
                    port: UInt16(bigEndian: value.sin_port))
            case AF_INET6:
                let value = bytes.load(as: sockaddr_in6.self)
                return Self.v6Storage(
                    value.sin6_addr, port: UInt16(bigEndian: value.sin6_port),
                    scope: value.sin6_scope_id)
            case AF_UNIX:
                let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
                let path = bytes[min(offset, Int(length))..<Int(length)].prefix { $0 != 0 }
                return .unix(path: String(decoding: path, as: UTF8.self))
            default: return nil
            }
        }
        guard let storage else { return nil }
        self.storage = storage
    }
}
