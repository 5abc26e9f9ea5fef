package import Reactor

/// Bytes that are read by offset: a file, a part of an archive, or an inflated part.
package struct ByteSource {
    /// The name for messages: the path of the build, and the path in it.
    let name: String
    let size: Int
    private let bytes: (_ offset: Int, _ count: Int) throws(Problem) -> [UInt8]

    /// - Parameter bytes: reads a range that is inside.
    package init(
        name: String, size: Int,
        bytes: @escaping (_ offset: Int, _ count: Int) throws(Problem) -> [UInt8]
    ) {
        self.name = name
        self.size = size
        self.bytes = bytes
    }

    /// A file on disk.
    init(file path: String) throws(Problem) {
        let file: PositionedFile
        do throws(FileError) {
            file = try PositionedFile(path)
        } catch {
            throw Problem(
                place: path, cause: error.cause, remedy: "Name an .ipa, .app or .xcarchive.",
                kind: error.isMissing ? .missing : .other)
        }
        self.init(name: path, size: file.size) { offset, count throws(Problem) in
            do throws(FileError) {
                return try file.read(at: offset, count: count)
            } catch {
                throw Problem(
                    place: path, cause: error.cause, remedy: "Check the disk, and try again.")
            }
        }
    }

    /// A part of it: an uncompressed file of an archive, or an architecture.
    ///
    /// - Parameter name: for messages; nil: that of the whole.
    func part(at base: Int, count: Int, name: String? = nil) throws(Problem) -> ByteSource {
        try check(base, count)
        return ByteSource(name: name ?? self.name, size: count) { offset, count throws(Problem) in
            try read(at: base + offset, count: count)
        }
    }

    /// Exactly these bytes.
    package func read(at offset: Int, count: Int) throws(Problem) -> [UInt8] {
        try check(offset, count)
        let found = try bytes(offset, count)
        guard found.count == count else {
            throw damaged("it became shorter while it was read")
        }
        return found
    }

    /// Throws unless the range is inside.
    func check(_ offset: Int, _ count: Int) throws(Problem) {
        guard offset >= 0, count >= 0, offset <= size, count <= size - offset else {
            throw damaged("bytes \(offset) to \(offset &+ count) lie outside its \(size) bytes")
        }
    }

    /// All bytes of a small file.
    func all(maximum: Int) throws(Problem) -> [UInt8] {
        guard size <= maximum else {
            throw Problem(
                place: name, cause: "it has \(size) bytes; at most \(maximum) are read",
                remedy: "Check that the build is what Xcode exported.")
        }
        return try read(at: 0, count: size)
    }

    func damaged(_ reason: String) -> Problem {
        Problem(
            place: name, cause: "it is damaged or cut short: \(reason)",
            remedy: "Copy or export the build again, and compare the sizes of both files.")
    }
}

extension [UInt8] {
    /// A big-endian number of four bytes; nil outside the array.
    func big32(_ offset: Int) -> Int? {
        guard offset >= 0, offset <= count - 4 else { return nil }
        return self[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
    }

    /// A little-endian number of up to eight bytes; nil outside the array, or if it is larger than
    /// any file.
    func little(_ offset: Int, _ size: Int) -> Int? {
        guard offset >= 0, offset <= count - size else { return nil }
        let value = self[offset..<offset + size].reversed().reduce(UInt64(0)) {
            $0 << 8 | UInt64($1)
        }
        return value < 1 << 56 ? Int(value) : nil
    }
}
