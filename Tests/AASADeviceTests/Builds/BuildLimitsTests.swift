import Reactor
import TestSupport
import Testing

@testable import AASADevice

/// Each limit at twice its size: an error that names it, in no time and no memory to speak of.
@Suite struct BuildLimitsTests {
    private static func cause(_ body: () throws -> Void) -> String {
        do {
            try body()
            return "nothing"
        } catch {
            return (error as? Problem).map { "\($0)" } ?? "another error"
        }
    }

    private static func open(_ file: MadeArchive.File) throws {
        let archive = try ZipArchive(ByteSource(MadeArchive([file]).bytes)) { _ in true }
        _ = try archive.open(file.name)?.all(maximum: BuildLimits.documentBytesMaximum)
    }

    @Test func files() {
        let count = 2 * BuildLimits.filesMaximum
        let made = MadeArchive((0..<count).map { .init("\($0)", [], method: 0) })
        let bytes = made.bytes
        #expect(
            Self.cause { _ = try ZipArchive(ByteSource(bytes)) { _ in false } }
                .contains("more than 200000 files"))
    }

    @Test func documents() {
        let twice = 2 * BuildLimits.documentBytesMaximum
        #expect(
            Self.cause { try Self.open(.init("a", [UInt8](repeating: 65, count: twice))) }
                .contains("at most 2097152 are read"))
        var file = MadeArchive.File("a", [1])
        file.claimedSize = 2 * BuildLimits.executableBytesMaximum
        #expect(Self.cause { try Self.open(file) }.contains("is not supported"))
    }

    @Test func bundles() {
        let bundles = (0..<2 * BuildLimits.bundlesMaximum).map {
            MadeBundle("Payload/A\($0).app", "com.example.a\($0)")
        }
        let files = bundles.map { MadeArchive.File($0.path + "/Info.plist", $0.info.xml) }
        #expect(
            Self.cause { _ = try AppBuild(archive: ByteSource(MadeArchive(files).bytes)) }
                .contains("at most 128 are read"))
    }

    @Test func executables() {
        var made = MadeExecutable(identifier: "a", team: nil)
        made.form = .fat
        var fat = made.bytes
        fat[7] = UInt8(2 * BuildLimits.slicesMaximum)
        #expect(Self.cause { _ = try MachOFile(ByteSource(fat)) }.contains("architectures"))
        made.form = .little64
        var commands = made.bytes
        // sizeofcmds: 4 MiB.
        commands[20...23] = [0, 0, 0x40, 0]
        #expect(Self.cause { _ = try MachOFile(ByteSource(commands)) }.contains("load commands"))
        made.list = [UInt8](repeating: 65, count: 2 * BuildLimits.entitlementBytesMaximum)
        #expect(
            Self.cause { _ = try MachOFile(ByteSource(made.bytes)) }
                .contains("a part of its signature has"))
        made.list = nil
        var blobs = made.bytes
        if let place = blobs.indices.first(where: {
            blobs[$0...].starts(with: [0xFA, 0xDE, 0x0C, 0xC0])
        }) {
            blobs[place + 11] = UInt8(2 * BuildLimits.blobsMaximum)
        }
        #expect(Self.cause { _ = try MachOFile(ByteSource(blobs)) }.contains("signature"))
    }

    @Test("an archive of nothing but zeros that claims a gigabyte costs a window of memory")
    func bombs() throws {
        let size = 8 << 20
        let content = [UInt8](repeating: 0, count: size)
        let archive = try ZipArchive(ByteSource(MadeArchive([.init("a", content)]).bytes)) {
            _ in true
        }
        let source = try #require(try archive.open("a"))
        try expectEqual(source.read(at: size - 1, count: 1), [0])
    }
}
