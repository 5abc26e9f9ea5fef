import OpenSSL
import TestSupport
import Testing

@testable import AASAFleet

@Suite struct RevisionTests {
    private static let hash = String(repeating: "a", count: 64)

    private func record(_ list: FileList) -> RevisionRecord {
        RevisionRecord(
            number: 41, author: "ann", time: 1_800_000_000, note: "why \"not\"", warnings: 2,
            parent: RevisionID(number: 40, hash: Self.hash), list: list, nonce: "n")
    }

    @Test func aRecordComesBackAsItWasWritten() throws {
        let list = FileList([RevisionFile(path: "site/a/x", hash: Self.hash, size: 3)])
        let written = record(list)
        let read = try RevisionRecord(
            decoding: written.encoded, expecting: written.id, place: "revision 41")
        expectEqual(read, written)
        try expectEqual(FileList(parts: list.parts, of: read, place: ""), list)
        var other = written.encoded
        other[other.count - 3] ^= 1
        #expect(throws: FleetError.self) {
            try RevisionRecord(decoding: other, expecting: written.id, place: "revision 41")
        }
        // A record that stands under another number.
        #expect(throws: FleetError.self) {
            try RevisionRecord(
                decoding: written.encoded,
                expecting: RevisionID(number: 42, hash: written.id.hash), place: "revision 42")
        }
    }
}
