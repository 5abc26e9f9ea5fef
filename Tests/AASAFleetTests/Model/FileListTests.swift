import OpenSSL
import TestSupport
import Testing

@testable import AASAFleet

@Suite struct FileListTests {
    private static let hash = String(repeating: "a", count: 64)

    private func record(_ list: FileList) -> RevisionRecord {
        RevisionRecord(
            number: 41, author: "ann", time: 1_800_000_000, note: "why \"not\"", warnings: 2,
            parent: RevisionID(number: 40, hash: Self.hash), list: list, nonce: "n")
    }

    @Test func aLargeSiteHasAListInParts() throws {
        let files = (0..<4500).map {
            RevisionFile(
                path: "site/h\($0)/x", hash: hexadecimal(sha256([UInt8($0 % 256)])), size: 1)
        }
        let list = FileList(files)
        expectEqual(list.parts.count, 3)
        #expect(list.parts.allSatisfy { $0.count < 1 << 20 })
        let read = try FileList(parts: list.parts, of: record(list), place: "")
        expectEqual(read.files.count, 4500)
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
        "certs/a/../../site/x", "certs", "certs/.a.crt", "site/a/b/c/d/e/f/g/h",
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
        "certs/a/rsa/privkey.pem", "certs/a.example.crt", "site/ä/x",
    ])
    func pathsOfASiteAreTaken(_ path: String) { #expect(RevisionFile.isSafe(path)) }
}
