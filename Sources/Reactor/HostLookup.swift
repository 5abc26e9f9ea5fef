import Glibc

/// The addresses of a name from the system's resolver (`/etc/hosts`, DNS). Blocks.
package enum HostLookup {
    /// In the system's order, without duplicates. A failure has the message of gai_strerror(3).
    package static func addresses(
        of host: String, port: UInt16
    ) -> Result<[SocketAddress], DNSRecords.Failure> {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        // Without AI_ADDRCONFIG: an address that this machine cannot reach is also a finding.
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, String(port), &hints, &list)
        guard code == 0 else {
            return .failure(DNSRecords.Failure(reason: String(cString: gai_strerror(code))))
        }
        defer { freeaddrinfo(list) }
        var found: [SocketAddress] = []
        var next = list
        while let info = next?.pointee {
            var storage = sockaddr_storage()
            memcpy(&storage, info.ai_addr, Int(info.ai_addrlen))
            if let address = SocketAddress(storage, length: info.ai_addrlen),
                !found.contains(address)
            {
                found.append(address)
            }
            next = info.ai_next
        }
        return .success(found)
    }
}
