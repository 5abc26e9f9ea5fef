package import Reactor

/// Finds the process that listens on a port, to name it in an error message. The kernel's socket
/// tables give the socket's inode, and the processes' descriptor tables give its holder (proc(5)).
/// Finds only what this user may read.
package struct PortOwner: Sendable, CustomStringConvertible {
    package let process: ProcessID
    let name: String

    /// `nginx (process 4711)`.
    package var description: String { "\(name) (process \(process))" }

    /// Nil if the process cannot be found.
    package static func find(port: UInt16) -> PortOwner? {
        var inodes: Set<String> = []
        for table in ["/proc/net/tcp", "/proc/net/tcp6"] {
            let bytes = (try? read(table)) ?? []
            inodes.formUnion(listeners(in: String(decoding: bytes, as: UTF8.self), port: port))
        }
        return inodes.isEmpty ? nil : holder(of: inodes)
    }

    /// Inodes of the sockets in state LISTEN (0A) on the port.
    static func listeners(in table: String, port: UInt16) -> Set<String> {
        var inodes: Set<String> = []
        for line in table.split(separator: "\n").dropFirst() {
            let fields = line.split(separator: " ")
            guard fields.count > 9, fields[3] == "0A",
                let colon = fields[1].lastIndex(of: ":"),
                UInt16(fields[1][fields[1].index(after: colon)...], radix: 16) == port
            else { continue }
            inodes.insert(String(fields[9]))
        }
        return inodes
    }

    private static func holder(of inodes: Set<String>) -> PortOwner? {
        for process in names(in: "/proc").compactMap(ProcessID.init) {
            for descriptor in names(in: "/proc/\(process)/fd") {
                guard let link = Files.linkTarget("/proc/\(process)/fd/\(descriptor)"),
                    link.hasPrefix("socket:["),
                    inodes.contains(String(link.dropFirst(8).dropLast()))
                else { continue }
                let name = (try? read("/proc/\(process)/comm"))
                    .map { String(decoding: $0, as: UTF8.self).split(separator: "\n").first ?? "" }
                return PortOwner(process: process, name: String(name ?? "a process"))
            }
        }
        return nil
    }

    private static func names(in folder: String) -> [String] {
        (try? Files.names(in: folder, limit: 100_000)) ?? []
    }

    /// Files under `/proc` have no size. A socket takes a line of 150 octets, and a machine under a
    /// surge has a hundred thousand of them.
    private static func read(_ path: String) throws(Problem) -> [UInt8] {
        try FileReading.bytes(at: path, maximum: 1 << 26)
    }
}
