import AASAFleet
import Foundation
import TestSupport
import Testing

extension KeyRing {
    /// A new key in a file of its own.
    static func fresh(before old: KeyRing? = nil) throws -> KeyRing {
        let folder = try TemporaryFolder("key")
        let path = try folder.write("key", try KeyRing.text(adding: old))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        return try KeyRing(reading: path)
    }
}

@Suite struct KeyRingTests {
    @Test func sealedFilesOpenUnderTheirOwnNameAlone() throws {
        let ring = try KeyRing.fresh()
        let sealed = try ring.seal([1, 2, 3], name: "web/certs/a/privkey.pem")
        try expectEqual(ring.open(sealed, name: "web/certs/a/privkey.pem"), [1, 2, 3])
        #expect(throws: FleetError.self) {
            try ring.open(sealed, name: "web/certs/b/privkey.pem")
        }
        #expect(throws: FleetError.self) { try ring.open([1, 2, 3], name: "web/certs/a") }
        for index in sealed.indices {
            var spoiled = sealed
            spoiled[index] ^= 1
            #expect(throws: FleetError.self) {
                try ring.open(spoiled, name: "web/certs/a/privkey.pem")
            }
        }
        #expect(throws: FleetError.self) {
            try ring.open(Array(sealed.dropLast()), name: "web/certs/a/privkey.pem")
        }
    }

    @Test func twoKeysOpenDuringARotation() throws {
        let old = try KeyRing.fresh()
        let both = try KeyRing.fresh(before: old)
        let sealed = try old.seal([7], name: "n")
        try expectEqual(both.open(sealed, name: "n"), [7])
        #expect(old.isCurrent(sealed, name: "n") && !both.isCurrent(sealed, name: "n"))
        let next = try both.seal([7], name: "n")
        #expect(throws: FleetError.self) { try old.open(next, name: "n") }
    }

    @Test(arguments: [
        "", "# only words\n", "00\n", String(repeating: "g", count: 64),
        String(repeating: "a", count: 63),
        String(repeating: String(repeating: "a", count: 64) + "\n", count: 5),
    ])
    func whatIsNoKeyFileIsRefused(_ text: String) throws {
        let folder = try TemporaryFolder("key")
        let path = try folder.write("key", text)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        #expect(throws: FleetError.self) { try KeyRing(reading: path) }
    }

    @Test func aKeyThatEverybodyReadsIsRefused() throws {
        let folder = try TemporaryFolder("key")
        let path = try folder.write("key", String(repeating: "a", count: 64))
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        #expect(throws: FleetError.self) { try KeyRing(reading: path) }
    }
}
