import OpenSSL
import Reactor
import TestSupport
import Testing

@testable import AASADevice

@Suite struct CodeSignatureTests {
    private static func signature(
        _ change: (inout MadeExecutable) -> Void = { _ in },
        edit: (inout [UInt8]) -> Void = { _ in }
    ) throws -> CodeSignature? {
        var made = MadeExecutable(identifier: "com.example.shop", team: MadeBuild.team)
        made.list = Array("<plist/>".utf8)
        change(&made)
        var bytes = made.bytes
        edit(&bytes)
        return try MachOFile(ByteSource(bytes)).slices[0].signature
    }

    private static func place(_ magic: [UInt8], in bytes: [UInt8]) -> Int {
        bytes.indices.first { bytes[$0...].starts(with: magic) } ?? 0
    }

    @Test("reads identifier, team and entitlements")
    func reads() throws {
        let signed = try #require(try Self.signature())
        #expect(signed.identifier == "com.example.shop" && signed.team == MadeBuild.team)
        #expect(!signed.isAdHoc && signed.encodedEntitlements == nil)
        let adHoc = try #require(
            try Self.signature {
                $0.isAdHoc = true
                $0.team = nil
                $0.list = nil
            })
        #expect(adHoc.isAdHoc && adHoc.team == nil && adHoc.entitlements == nil)
    }

    @Test("other kinds of digests are not compared")
    func otherDigests() throws {
        let other = try #require(
            try Self.signature {
                $0.signedList = [1]
                $0.info = [2]
            })
        #expect(other.hasOtherEntitlements && other.infoDigest == sha256([2]) && other.isSealed)
        let old = try #require(
            try Self.signature(
                { $0.signedList = [1] },
                edit: { bytes in
                    // The kind of digest: 1 is SHA-1. The seal breaks with it.
                    bytes[Self.place([0xFA, 0xDE, 0x0C, 0x02], in: bytes) + 37] = 1
                }))
        #expect(!old.hasOtherEntitlements && old.infoDigest == nil && !old.isSealed)
    }

    @Test("blobs that lie outside or are not what their place says are damage")
    func damaged() {
        let directory: [UInt8] = [0xFA, 0xDE, 0x0C, 0x02]
        let list: [UInt8] = [0xFA, 0xDE, 0x71, 0x71]
        for magic in [directory, list, [0xFA, 0xDE, 0x0C, 0xC0]] {
            #expect(throws: Problem.self) {
                try Self.signature(edit: { bytes in bytes[Self.place(magic, in: bytes)] = 0 })
            }
        }
        // A size beyond the file, and one below its own head.
        for size: UInt8 in [0xFF, 0] {
            #expect(throws: Problem.self) {
                try Self.signature(edit: { bytes in
                    let at = Self.place(list, in: bytes)
                    bytes[at + 4] = size
                    bytes[at + 7] = size
                })
            }
        }
    }
}
