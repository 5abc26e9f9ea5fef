import CLinux
import Glibc

/// DNS records that getaddrinfo(3) cannot query, from the machine's name servers. Blocks, for some
/// seconds at most.
package enum DNSRecords {
    /// Why there is no answer, in the words of the resolver, such as hstrerror(3).
    package struct Failure: Error, Hashable {
        package let reason: String

        package init(reason: String) { self.reason = reason }
    }

    /// Maximum size of a response; one with CAA records has some hundred bytes.
    private static let bytesMaximum = 16_384

    /// The raw response to one query.
    ///
    /// - Parameters:
    ///   - type: the record type, such as 257 for CAA.
    ///   - server: an IPv4 address to query instead of those in resolv.conf(5).
    /// - Returns: nil if the name does not exist or has no record of that type.
    package static func answer(
        _ name: String, type: UInt16, server: SocketAddress? = nil
    ) -> Result<[UInt8]?, Failure> {
        var answer = [UInt8](repeating: 0, count: bytesMaximum)
        var failure: Int32 = 0
        func ask(_ server: UnsafePointer<sockaddr_in>?) -> Int32 {
            CLinux_res_nquery(
                server, name, Int32(type), &answer, Int32(bytesMaximum), &failure)
        }
        if let server, server.family != AF_INET {
            return .failure(Failure(reason: "\(server) is not an IPv4 address"))
        }
        let length =
            server?.withSockAddr { address, _ in
                UnsafeRawPointer(address).withMemoryRebound(
                    to: sockaddr_in.self, capacity: 1, ask)
            } ?? ask(nil)
        if length >= 0 { return .success(Array(answer.prefix(Int(length)))) }
        switch failure {
        case HOST_NOT_FOUND, Int32(NO_DATA): return .success(nil)
        default: return .failure(Failure(reason: String(cString: hstrerror(failure))))
        }
    }
}
