import Reactor
import TestSupport
import Testing

@testable import AASADevice

@Suite struct AppBuildTests {
    @Test("reads archives, stored or deflated, and folders")
    func forms() throws {
        let folder = try TemporaryFolder("build")
        let made = MadeBuild.family()
        let stored = try folder.write("Stored.ipa", try made.archive(method: 0).bytes)
        var large = try made.archive()
        large.isLarge = true
        let archive = try folder.write("Shop.xcarchive.zip", large.bytes)
        let payload = try made.writeFolder("Shop.xcarchive", in: folder)
        for path in [stored, archive, payload, payload + "/Payload/Shop.app"] {
            #expect(AppBuild.isBuild(path), "\(path)")
            let build = try AppBuild(reading: path)
            expectEqual(build.name, path)
            #expect(build.bundles.count == 4 && build.main.application == MadeBuild.app)
            expectEqual(build.container(of: build.bundles[1])?.path, build.main.path)
        }
    }

    @Test("what holds no app says so")
    func others() throws {
        let folder = try TemporaryFolder("build")
        let empty = try folder.write("Empty.ipa", MadeArchive([]).bytes)
        let text = try folder.write("Text.ipa", "hello")
        let dots = try folder.write("notes.zip", "hello")
        #expect(!AppBuild.isBuild(dots) && !AppBuild.isBuild("site/example.com"))
        for path in [empty, text, folder.path, folder.path("none.ipa")] {
            let problem = #expect(throws: Problem.self) { try AppBuild(reading: path) }
            #expect(problem?.remedy.isEmpty == false && problem?.place.isEmpty == false)
        }
    }

    @Test("a cut build and every changed byte of one end in an error or a result")
    func damage() throws {
        var made = MadeBuild.shop()
        // Stored, so that a change reaches the readers of what is inside.
        made.bundles[0].profileBytes = made.bundles[0].profile?.xml
        var archive = try made.archive(method: 0)
        // Every checksum fits, as it is not asked for stored files.
        archive.comment = [1]
        let bytes = archive.bytes
        // Each is searched for the directory's end as a whole: the sum of all is a square.
        for count in 0..<bytes.count where count % 16 == 0 || count > bytes.count - 64 {
            #expect(throws: Problem.self) {
                try AppBuild(archive: ByteSource(Array(bytes[..<count])))
            }
        }
        for index in bytes.indices {
            var bytes = bytes
            bytes[index] ^= index % 2 == 0 ? 0x01 : 0xFF
            guard let build = try? AppBuild(archive: ByteSource(bytes)) else { continue }
            _ = BuildRules.findings(of: build, now: 1_790_000_000)
        }
    }
}
