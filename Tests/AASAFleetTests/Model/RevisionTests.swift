// Covers: FileList.swift, FieldReader.swift, ChannelPointer.swift, FleetKeys.swift

import AASAFleet
import OpenSSL
import Testing

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
        #expect(read == written)
        #expect(try FileList(parts: list.parts, of: read, place: "") == list)
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

    @Test func aLargeSiteHasAListInParts() throws {
        let files = (0..<4500).map {
            RevisionFile(
                path: "site/h\($0)/x", hash: hexadecimal(sha256([UInt8($0 % 256)])), size: 1)
        }
        let list = FileList(files)
        #expect(list.parts.count == 3)
        #expect(list.parts.allSatisfy { $0.count < 1 << 20 })
        let read = try FileList(parts: list.parts, of: record(list), place: "")
        #expect(read.files.count == 4500)
        #expect(throws: FleetError.self) {
            try FileList(
                parts: [list.parts[1], list.parts[0], list.parts[2]], of: record(list), place: "")
        }
        #expect(throws: FleetError.self) {
            try FileList(parts: Array(list.parts.dropLast()), of: record(list), place: "")
        }
    }

    /// Whoever may write into the store must not be able to write beside the folder.
    @Test(arguments: [
        "/etc/passwd", "../x", "site/../../x", "site/a/../b/x", "site//x/y", "site/a/.hidden",
        "site/a/./x", "other/a/x", "site/x", "site/a/x\n", "site/a/x\u{0}", "", "site/a/",
        "certs/a/../../site/x", "site/a/b/c/d/e/f/g/h",
        "site/a/" + String(repeating: "x", count: 256),
    ])
    func pathsThatLeadElsewhereAreRefused(_ path: String) throws {
        #expect(!RevisionFile.isSafe(path))
        let list = FileList([RevisionFile(path: path, hash: Self.hash, size: 3)])
        #expect(throws: FleetError.self) {
            try FileList(parts: list.parts, of: record(list), place: "")
        }
    }

    @Test(arguments: [
        "site/a.example/teams/T.json", "site/a/well-known/acme-challenge/token",
        "certs/a/rsa/privkey.pem", "site/ä/x",
    ])
    func pathsOfASiteAreTaken(_ path: String) { #expect(RevisionFile.isSafe(path)) }

    @Test(arguments: [
        "", "[]", "{}", #"{"format":1}"#, #"{"format":2,"revision":1}"#,
        #"{"format":1,"revision":"1"}"#,
    ])
    func whatIsNoRecordIsSaid(_ text: String) {
        #expect(throws: FleetError.self) {
            try RevisionRecord(decoding: Array(text.utf8), place: "x")
        }
        #expect(throws: FleetError.self) {
            try ChannelPointer(decoding: Array(text.utf8), place: "x")
        }
        #expect(throws: FleetError.self) { try FleetHead(decoding: Array(text.utf8), place: "x") }
        #expect(throws: FleetError.self) {
            try MachineRecord(decoding: Array(text.utf8), place: "x")
        }
    }

    @Test func aPointerComesBackAsItWasWritten() throws {
        let pointer = ChannelPointer(
            revision: RevisionID(number: 3, hash: Self.hash), action: .rollback, author: "ann",
            time: 9, note: "ä", nonce: "n")
        #expect(try ChannelPointer(decoding: pointer.encoded, place: "") == pointer)
        let head = FleetHead(last: 9, nonce: "n")
        #expect(try FleetHead(decoding: head.encoded, place: "") == head)
    }

    @Test func keysSortAsNumbersDo() {
        let keys = FleetKeys(fleet: "web")
        #expect(keys.revision(9) < keys.revision(10))
        #expect(keys.revision(41) == "/aasa/web/revisions/0000000041")
        #expect(FleetKeys.name(of: "/aasa/web/machines/m1", below: keys.machines) == "m1")
        #expect(FleetKeys.name(of: "/aasa/other/x", below: keys.machines) == nil)
    }

    @Test(arguments: ["", ".", "..", "a/b", "a b", "ä", String(repeating: "a", count: 129)])
    func namesStandInKeysAsTheyAre(_ name: String) { #expect(!FleetKeys.isName(name)) }
}
