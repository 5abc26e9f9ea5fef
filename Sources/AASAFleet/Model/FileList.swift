import AppSiteAssociation
import OpenSSL

/// A file of a revision.
package struct RevisionFile: Sendable, Hashable {
    /// `site/HOST/…`, `certs/HOST/…` or `certs/HOST.crt`
    package let path: String
    /// SHA-256 of the stored bytes.
    package let hash: String
    /// Bytes as stored.
    package let size: Int

    /// Stored encrypted, and on disk readable only by the server.
    package var isSecret: Bool { path.hasPrefix(FileList.certificates + "/") }

    package func matches(_ bytes: [UInt8]) -> Bool { hexadecimal(sha256(bytes)) == hash }

    /// Whether the path stays below its folder, whatever the store contains.
    package static func isSafe(_ path: String) -> Bool {
        guard path.utf8.count <= 1024 else { return false }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        // `site/HOST/FILE` to `site/HOST/well-known/acme-challenge/TOKEN`, with some margin; and
        // `certs/HOST.crt`, as lego and others lay certificates out.
        let least = parts[0] == FileList.certificates ? 2 : 3
        guard (least...8).contains(parts.count),
            parts[0] == FileList.site || parts[0] == FileList.certificates
        else { return false }
        return parts.allSatisfy { part in
            !part.isEmpty && part.utf8.count <= 255 && part.first != "."
                && part.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
        }
    }
}

/// The files of a revision, sorted by path, and the parts in which the list is stored.
package struct FileList: Sendable, Equatable {
    package static let site = "site"
    package static let certificates = "certs"

    package let files: [RevisionFile]
    /// One JSON document each, content-addressed like the files: an unchanged part is not stored
    /// again.
    package let parts: [[UInt8]]

    /// With 100 bytes of path and 80 of hash and size, a part has 360 KB: below etcd's limit of
    /// 1.5 MiB per request, even in Base64.
    static let partFilesMaximum = 2000
    /// 10,000 hosts with ten files each, the largest site (`SiteLimits`).
    package static let filesMaximum = 100_000
    static let partsMaximum = filesMaximum / partFilesMaximum
    /// The largest file of a site is a fragment of 1 MiB; encryption adds less than 1 KiB.
    package static let fileBytesMaximum = (1 << 20) + 1024

    package init(_ files: [RevisionFile]) {
        let sorted = files.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        self.files = sorted
        parts = stride(from: 0, to: sorted.count, by: Self.partFilesMaximum).map { start in
            Self.encode(sorted[start..<min(start + Self.partFilesMaximum, sorted.count)])
        }
    }

    private static func encode(_ files: ArraySlice<RevisionFile>) -> [UInt8] {
        let list = files.map {
            JSONValue.object([
                ("path", .text($0.path)), ("sha256", .text($0.hash)), ("size", .integer($0.size)),
            ])
        }
        return FieldReader.encode([("files", .list(list))])
    }

    /// - Parameter place: for messages.
    /// - Throws: ``FleetError`` if a part is not what was published, or contains an unsafe path.
    package init(parts: [[UInt8]], of record: RevisionRecord, place: String) throws(FleetError) {
        guard record.parts.count <= Self.partsMaximum, parts.count == record.parts.count else {
            throw .damaged(place, "its list of files has \(record.parts.count) parts")
        }
        var files: [RevisionFile] = []
        for (part, hash) in zip(parts, record.parts) {
            guard hexadecimal(sha256(part)) == hash else {
                throw .damaged(place, "its list of files differs from the published one")
            }
            let fields = try FieldReader(part, place: place)
            for item in fields.value["files"]?.array ?? [] {
                files.append(try Self.file(FieldReader(item, place: place)))
            }
        }
        guard files.count <= Self.filesMaximum, Int64(files.count) == record.files else {
            throw .damaged(place, "its list has \(files.count) files instead of \(record.files)")
        }
        let names = Set(files.map(\.path))
        guard names.count == files.count else {
            throw .damaged(place, "its list names a file twice")
        }
        self.files = files
        self.parts = parts
    }

    private static func file(_ fields: FieldReader) throws(FleetError) -> RevisionFile {
        let path = try fields.text("path")
        guard RevisionFile.isSafe(path) else {
            throw .damaged(fields.place, "it names a path that aasa does not write: \"\(path)\"")
        }
        let size = try fields.integer("size")
        guard (0...Int64(fileBytesMaximum)).contains(size) else {
            throw .damaged(fields.place, "\(path) has \(size) bytes")
        }
        return RevisionFile(path: path, hash: try fields.hash("sha256"), size: Int(size))
    }
}
