import Reactor

/// Listening sockets that systemd bound and hands over (`sd_listen_fds(3)`): descriptors from 3 on,
/// their number in `LISTEN_FDS`, their names in `LISTEN_FDNAMES`, for this process if `LISTEN_PID`
/// is its own.
package enum SocketActivation {
    /// What systemd sets.
    static let variables = ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"]
    /// SD_LISTEN_FDS_START.
    static let firstDescriptor: Int32 = 3
    /// A unit with more sockets than this is a mistake.
    static let countMaximum: Int32 = 256

    /// Reads the variables; empty if they are not for `process`.
    package static func sockets(
        environment: [String: String], process: Int32
    ) -> [InheritedSocket] {
        guard let pid = environment["LISTEN_PID"].flatMap({ Int32($0) }), pid == process,
            let count = environment["LISTEN_FDS"].flatMap({ Int32($0) }), count > 0,
            count <= countMaximum
        else { return [] }
        let names = (environment["LISTEN_FDNAMES"] ?? "")
            .split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        return (0..<count).map { index in
            let name = names.indices.contains(Int(index)) ? names[Int(index)] : ""
            return InheritedSocket(descriptor: firstDescriptor + index, name: name)
        }
    }

    /// Whether a socket is for the admin side: by its `FileDescriptorName=`, or by the name of its
    /// unit, which is the default.
    package static func isAdmin(_ socket: InheritedSocket) -> Bool {
        socket.name == "admin" || socket.name.hasSuffix("-admin.socket")
    }
}
