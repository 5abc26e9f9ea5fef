import Reactor

/// The files of a ZIP archive, by its directory at the end (APPNOTE 6.3.10), ZIP64 included.
///
/// Only the directory is held; files are read by offset. An archive in which two files share bytes
/// or a name is rejected: tools disagree on what such an archive holds.
final class ZipArchive {
    struct Entry {
        let name: String
        let method: Int
        let isEncrypted: Bool
        let checksum: UInt32
        let compressedSize: Int
        let size: Int
        /// Of its local header.
        let offset: Int
    }

    private let source: ByteSource
    private(set) var entries: [String: Entry] = [:]
    private var inflatedBytes = 0

    /// Whether a file begins as an archive does.
    static func looksLike(_ source: ByteSource) throws(Problem) -> Bool {
        guard source.size >= 4 else { return false }
        let head = try source.read(at: 0, count: 4)
        return head == [0x50, 0x4B, 3, 4] || head == [0x50, 0x4B, 5, 6]
    }

    /// - Parameter isWanted: which names to keep.
    init(_ source: ByteSource, isWanted: (String) -> Bool) throws(Problem) {
        self.source = source
        let directory = try Self.directory(of: source)
        let bytes = try source.read(at: directory.offset, count: directory.size)
        var places: [(offset: Int, size: Int)] = []
        var at = 0
        while at < bytes.count {
            guard bytes.little(at, 4) == 0x0201_4B50, let nameCount = bytes.little(at + 28, 2),
                let extraCount = bytes.little(at + 30, 2),
                let commentCount = bytes.little(at + 32, 2),
                at + 46 + nameCount + extraCount + commentCount <= bytes.count,
                let entry = Self.entry(bytes, at, nameCount, extraCount)
            else { throw source.damaged("entry \(places.count + 1) of its directory is not whole") }
            places.append((entry.offset, entry.compressedSize))
            guard places.count <= BuildLimits.filesMaximum else {
                throw Problem(
                    place: source.name,
                    cause: "it has more than \(BuildLimits.filesMaximum) files",
                    remedy: "Give the .ipa or .app itself.")
            }
            if isWanted(entry.name) {
                guard entries.updateValue(entry, forKey: entry.name) == nil else {
                    throw source.damaged("it contains \(entry.name) twice")
                }
            }
            at += 46 + nameCount + extraCount + commentCount
        }
        guard places.count == directory.count else {
            throw source.damaged(
                "its directory has \(places.count) of \(directory.count) entries")
        }
        places.sort { $0.offset < $1.offset }
        for (place, next) in zip(places, places.dropFirst() + [(directory.offset, 0)]) {
            // A local header has 30 bytes and the name.
            guard place.offset + 30 + place.size <= next.0 else {
                throw source.damaged("two of its files share bytes, at byte \(next.0)")
            }
        }
    }

    // MARK: The directory

    private static func directory(
        of source: ByteSource
    ) throws(Problem) -> (offset: Int, size: Int, count: Int) {
        // The last record has 22 bytes and a comment of up to 65,535.
        let tailCount = min(source.size, 22 + 65_535)
        let base = source.size - tailCount
        let tail = try source.read(at: base, count: tailCount)
        let end = stride(from: tailCount - 22, through: 0, by: -1).first { at in
            tail[at] == 0x50 && tail.little(at, 4) == 0x0605_4B50
                && tail.little(at + 20, 2) == tailCount - at - 22
        }
        guard let end, let count = tail.little(end + 10, 2), let size = tail.little(end + 12, 4),
            let offset = tail.little(end + 16, 4)
        else { throw source.damaged("the directory at the end of the archive is missing") }
        guard tail.little(end + 4, 2) == tail.little(end + 6, 2) else {
            throw source.damaged("it is one part of an archive of several")
        }
        var found: (offset: Int, size: Int, count: Int) = (offset, size, count)
        var limit = base + end
        if count == 0xFFFF || size == 0xFFFF_FFFF || offset == 0xFFFF_FFFF {
            limit -= 20
            let locator = try source.read(at: limit, count: limit < 0 ? 0 : 20)
            guard locator.little(0, 4) == 0x0706_4B50, let place = locator.little(8, 8),
                place <= limit - 56
            else { throw source.damaged("its directory of large files (ZIP64) is missing") }
            let record = try source.read(at: place, count: 56)
            guard record.little(0, 4) == 0x0606_4B50, let count = record.little(32, 8),
                let size = record.little(40, 8), let offset = record.little(48, 8)
            else { throw source.damaged("its directory of large files (ZIP64) is not whole") }
            found = (offset, size, count)
            limit = place
        }
        guard found.offset <= limit, found.size <= limit - found.offset else {
            throw source.damaged("its directory lies outside the file")
        }
        guard found.size <= BuildLimits.directoryBytesMaximum else {
            throw Problem(
                place: source.name,
                cause: "the directory of the archive has \(found.size) bytes; at most "
                    + "\(BuildLimits.directoryBytesMaximum) are read",
                remedy: "Give the .ipa or .app itself.")
        }
        return found
    }

    private static func entry(
        _ bytes: [UInt8], _ at: Int, _ nameCount: Int, _ extraCount: Int
    ) -> Entry? {
        guard let flags = bytes.little(at + 8, 2), let method = bytes.little(at + 10, 2),
            let checksum = bytes.little(at + 16, 4), var compressed = bytes.little(at + 20, 4),
            var size = bytes.little(at + 24, 4), var offset = bytes.little(at + 42, 4)
        else { return nil }
        // Numbers that do not fit stand in the extra field 1, in this order.
        var extra = at + 46 + nameCount
        let end = extra + extraCount
        let isLarge = [size, compressed, offset].contains(0xFFFF_FFFF)
        while isLarge, extra + 4 <= end, let id = bytes.little(extra, 2),
            let length = bytes.little(extra + 2, 2)
        {
            guard extra + 4 + length <= end else { return nil }
            if id == 1 {
                var field = extra + 4
                func next(_ value: Int) -> Int? {
                    guard value == 0xFFFF_FFFF else { return value }
                    guard field + 8 <= extra + 4 + length else { return nil }
                    field += 8
                    return bytes.little(field - 8, 8)
                }
                guard let first = next(size), let second = next(compressed),
                    let third = next(offset)
                else { return nil }
                (size, compressed, offset) = (first, second, third)
                break
            }
            extra += 4 + length
        }
        let name = bytes[(at + 46)..<(at + 46 + nameCount)]
        return Entry(
            name: String(decoding: name, as: UTF8.self), method: method,
            isEncrypted: flags & 1 != 0, checksum: UInt32(checksum), compressedSize: compressed,
            size: size, offset: offset)
    }

    // MARK: Files

    /// The content of a file; nil if the archive does not have it.
    func open(_ path: String) throws(Problem) -> ByteSource? {
        guard let entry = entries[path] else { return nil }
        let name = "\(source.name): \(path)"
        func unsupported(_ what: String) -> Problem {
            Problem(
                place: name, cause: "\(what) is not supported",
                remedy: "pack the build again: ditto -c -k, or zip -r without a password")
        }
        if entry.isEncrypted { throw unsupported("an encrypted file") }
        guard entry.method == 0 || entry.method == 8 else {
            throw unsupported("compression method \(entry.method)")
        }
        guard entry.size <= BuildLimits.executableBytesMaximum else {
            throw unsupported("a file of \(entry.size) bytes")
        }
        let header = try source.read(at: entry.offset, count: 30)
        guard header.little(0, 4) == 0x0403_4B50, let nameCount = header.little(26, 2),
            let extraCount = header.little(28, 2)
        else { throw source.damaged("\(path) does not begin where its directory says") }
        let local = try source.read(at: entry.offset + 30, count: nameCount)
        guard local.elementsEqual(path.utf8) else {
            throw source.damaged("\(path) has another name in its directory")
        }
        let part = try source.part(
            at: entry.offset + 30 + nameCount + extraCount, count: entry.compressedSize,
            name: name)
        if entry.method == 8 {
            let inflated = InflatedBytes(part, entry, spend: { self.spend($0) })
            return ByteSource(name: name, size: entry.size, bytes: inflated.read(at:count:))
        }
        guard entry.size == entry.compressedSize else {
            throw part.damaged("its two sizes differ")
        }
        return part
    }

    /// Counts inflated bytes; false if there were too many in all.
    private func spend(_ count: Int) -> Bool {
        inflatedBytes += count
        return inflatedBytes <= BuildLimits.inflatedBytesMaximum
    }
}
