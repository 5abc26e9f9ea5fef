import CLinux
import Glibc

/// DNS records that getaddrinfo(3) cannot query, from the machine's name servers. Blocks, for some
/// seconds at most.
package enum DNSRecords {
    /// Why there is no answer, in the words of the resolver (hstrerror(3)).
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
        let length: Int32
        if let server {
            guard case .v4(let address, let port) = server.storage else {
                return .failure(Failure(reason: "\(server) is not an IPv4 address"))
            }
            var socket = sockaddr_in()
            socket.sin_family = sa_family_t(AF_INET)
            socket.sin_port = port.bigEndian
            socket.sin_addr.s_addr = address.bigEndian
            length = withUnsafePointer(to: &socket) { pointer in
                CLinux_res_nquery(
                    pointer, name, Int32(type), &answer, Int32(answer.count), &failure)
            }
        } else {
            length = CLinux_res_nquery(
                nil, name, Int32(type), &answer, Int32(answer.count), &failure)
        }
        if length >= 0 { return .success(Array(answer.prefix(Int(length)))) }
        switch failure {
        case HOST_NOT_FOUND, Int32(NO_DATA): return .success(nil)
        default: return .failure(Failure(reason: String(cString: hstrerror(failure))))
        }
    }
}
