import Reactor
import TestSupport
import Testing

@testable import AASADevice

@Suite struct MachOFileTests {
    private static func made(_ form: MadeExecutable.Form) -> MadeExecutable {
        var made = MadeExecutable(identifier: "com.example.shop", team: MadeBuild.team)
        made.form = form
        made.list = Array("<plist/>".utf8)
        made.der = [0x70, 0]
        return made
    }

    private static func read(_ bytes: [UInt8]) throws -> MachOFile {
        try MachOFile(ByteSource(bytes))
    }

    @Test("finds the signature in every form", arguments: MadeExecutable.Form.allCases)
    func forms(form: MadeExecutable.Form) throws {
        let slices = try Self.read(Self.made(form).bytes).slices
        let isFat = form == .fat
        expectEqual(slices.count, (isFat ? 2 : 1))
        expectEqual(slices.map(\.architecture), (isFat ? ["arm64", "x86_64"] : ["arm64"]))
        for slice in slices {
            #expect(!slice.isSimulator)
            expectEqual(slice.signature?.identifier, "com.example.shop")
            expectEqual(slice.signature?.team, MadeBuild.team)
            expectEqual(slice.signature?.entitlements, Array("<plist/>".utf8))
            expectEqual(slice.signature?.encodedEntitlements, [0x70, 0])
        }
    }

    @Test("tells builds for the simulator and without a signature")
    func others() throws {
        var made = Self.made(.little64)
        made.isSimulator = true
        made.isSigned = false
        let slice = try #require(try Self.read(made.bytes).slices.first)
        #expect(slice.isSimulator && slice.signature == nil)
    }

    @Test(arguments: ["", "#!/bin/sh\necho", "\u{7F}ELF and so on, and more of it than a header"])
    func rejects(text: String) {
        #expect(throws: Problem.self) { try Self.read(Array(text.utf8)) }
    }

    @Test("every prefix and every changed byte ends in an error or a result")
    func damage() {
        for form in MadeExecutable.Form.allCases {
            var made = Self.made(form)
            // The seal is checked for one form: it is the same in all, and takes most of the time.
            made.isAdHoc = form != .little64
            var bytes = made.bytes
            for count in 0..<bytes.count where count < 600 || count > bytes.count - 600 {
                _ = try? Self.read(Array(bytes[..<count]))
            }
            for index in bytes.indices where bytes[index] != 0 || index < 600 {
                let old = bytes[index]
                for change: UInt8 in made.isAdHoc ? [0x01, 0x7F, 0x80, 0xFF] : [0x80] {
                    bytes[index] = old ^ change
                    _ = try? Self.read(bytes)
                }
                bytes[index] = old
            }
        }
    }
}
