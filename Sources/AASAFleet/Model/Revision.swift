import AppSiteAssociation
import OpenSSL

/// The identity of a revision: its number, and the hash of its record, as a store restored from a
/// backup assigns numbers again.
package struct RevisionID: Sendable, Hashable, CustomStringConvertible {
    package let number: Int64
    /// SHA-256 of the record's bytes.
    package let hash: String

    package var description: String { "\(number)" }

    /// `41-9f86d081884c7d65`: its folder name on a machine.
    package var folderName: String { "\(number)-\(hash.prefix(16))" }

    var json: JSONValue {
        .object([("revision", .integer(Int(number))), ("sha256", .text(hash))])
    }
}

extension RevisionID {
    init?(_ value: JSONValue?) {
        guard let fields = value.map({ FieldReader($0, place: "") }),
            let number = try? fields.integer("revision"), let hash = try? fields.hash("sha256")
        else { return nil }
        self.init(number: number, hash: hash)
    }
}

/// A revision: who published what, when and why. Immutable.
package struct RevisionRecord: Sendable, Equatable {
    package var number: Int64
    package var author: String
    /// Seconds since 1970, by the publisher's clock.
    package var time: Int64
    package var note: String
    /// The number of the linter's warnings; a site with errors is not published.
    package var warnings: Int64
    /// The channel's revision before this one; nil if there was none.
    package var parent: RevisionID?
    package var files: Int64
    package var bytes: Int64
    /// The blobs of the file list, in order.
    package var parts: [String]
    /// Distinguishes otherwise equal publications.
    package var nonce: String

    package init(
        number: Int64, author: String, time: Int64, note: String, warnings: Int64,
        parent: RevisionID?, list: FileList, nonce: String
    ) {
        self.number = number
        self.author = author
        self.time = time
        self.note = note
        self.warnings = warnings
        self.parent = parent
        files = Int64(list.files.count)
        bytes = list.files.reduce(0) { $0 + Int64($1.size) }
        parts = list.parts.map { hexadecimal(sha256($0)) }
        self.nonce = nonce
    }

    package var encoded: [UInt8] {
        FieldReader.encode([
            ("revision", .integer(number)), ("author", .text(author)), ("time", .integer(time)),
            ("note", .text(note)), ("warnings", .integer(warnings)),
            ("parent", parent?.json ?? JSONValue(.null)), ("files", .integer(files)),
            ("bytes", .integer(bytes)), ("parts", .list(parts.map { .text($0) })),
            ("nonce", .text(nonce)),
        ])
    }

    package var id: RevisionID { RevisionID(number: number, hash: hexadecimal(sha256(encoded))) }

    /// - Throws: ``FleetError`` if it is not a record.
    package init(decoding bytes: [UInt8], place: String) throws(FleetError) {
        let fields = try FieldReader(bytes, place: place)
        number = try fields.integer("revision")
        author = try fields.text("author")
        time = try fields.integer("time")
        note = try fields.text("note")
        warnings = try fields.integer("warnings")
        parent = RevisionID(fields.value["parent"])
        files = try fields.integer("files")
        self.bytes = try fields.integer("bytes")
        parts = try fields.hashes("parts")
        nonce = try fields.text("nonce")
    }

    /// Only the record with this identity.
    package init(
        decoding bytes: [UInt8], expecting id: RevisionID, place: String
    ) throws(FleetError) {
        guard hexadecimal(sha256(bytes)) == id.hash else {
            throw .damaged(place, "its record differs from the published one")
        }
        try self.init(decoding: bytes, place: place)
        guard number == id.number else {
            throw .damaged(place, "it is the record of revision \(number)")
        }
    }
}
