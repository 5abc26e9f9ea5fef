package import Reactor

/// Bytes that are read by offset: a file, a part of an archive, or an inflated part.
package protocol ByteSource: AnyObject {
    /// The name for messages: the path of the build, and the path in it.
    var name: String { get }
    var size: Int { get }
    /// Exactly these bytes.
    func read(at offset: Int, count: Int) throws(Problem) -> [UInt8]
}

extension ByteSource {
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

/// A part of another source: an uncompressed file of an archive, or an architecture.
final class BytePart: ByteSource {
    let name: String
    let size: Int
    private let whole: any ByteSource
    private let base: Int

    init(
        of whole: any ByteSource, at base: Int, count: Int, name: String
    ) throws(Problem) {
        try whole.check(base, count)
        self.whole = whole
        self.base = base
        size = count
        self.name = name
    }

    func read(at offset: Int, count: Int) throws(Problem) -> [UInt8] {
        try check(offset, count)
        return try whole.read(at: base + offset, count: count)
    }
}

/// A file on disk.
package final class FileBytes: ByteSource {
    private let file: PositionedFile
    package var name: String { file.path }
    package var size: Int { file.size }

    package init(_ path: String) throws(Problem) {
        do throws(FileError) {
            file = try PositionedFile(path)
        } catch {
            throw Problem(
                place: path, cause: error.cause, remedy: "Name an .ipa, .app or .xcarchive.",
                kind: error.isMissing ? .missing : .other)
        }
    }

    package func read(at offset: Int, count: Int) throws(Problem) -> [UInt8] {
        try check(offset, count)
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try file.read(at: offset, count: count)
        } catch {
            throw Problem(
                place: file.path, cause: error.cause, remedy: "Check the disk, and try again.")
        }
        guard bytes.count == count else {
            throw damaged("it became shorter while it was read")
        }
        return bytes
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
