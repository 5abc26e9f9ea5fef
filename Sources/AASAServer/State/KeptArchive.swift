/// A kept tree as one sequence of bytes for a successor:
///
/// ```
/// aasa-state 3
/// 24 812                                          how many bytes of path and of content follow
/// site/a.example/host.json{…}
/// ```
package enum KeptArchive {
    /// 10,000 hosts of a usual size are 50 MB; a larger archive than this is an error.
    package static let bytesMaximum = 1 << 30

    /// Version of the format: of an archive, and of a state folder.
    static let version = 3
    private static let head = Array("aasa-state \(version)\n".utf8)

    package static func encode(_ tree: KeptTree) -> [UInt8] {
        var bytes = head
        for (path, content) in tree.contents.sorted(by: { $0.key < $1.key }) {
            bytes += Array("\(path.utf8.count) \(content.count)\n\(path)".utf8)
            bytes += content
        }
        return bytes
    }

    /// Nil: damaged.
    package static func decode(_ bytes: [UInt8]) -> KeptTree? {
        guard bytes.starts(with: head) else { return StateVersion1.handOver(bytes) }
        var contents: [String: [UInt8]] = [:]
        var rest = bytes.dropFirst(head.count)
        while !rest.isEmpty {
            let line = rest.prefix(40).prefix { $0 != UInt8(ascii: "\n") }
            let counts = String(decoding: line, as: UTF8.self).split(separator: " ")
                .compactMap { Int($0) }.filter { $0 >= 0 }
            rest = rest.dropFirst(line.count + 1)
            guard counts.count == 2, counts[0] <= rest.count, counts[1] <= rest.count - counts[0]
            else { return nil }
            let path = String(decoding: rest.prefix(counts[0]), as: UTF8.self)
            contents[path] = Array(rest.dropFirst(counts[0]).prefix(counts[1]))
            rest = rest.dropFirst(counts[0] + counts[1])
        }
        return KeptTree.read(contents)?.tree
    }
}
