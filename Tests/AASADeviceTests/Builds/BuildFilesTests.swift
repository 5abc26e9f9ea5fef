import Reactor
import TestSupport
import Testing

@testable import AASADevice

@Suite struct BuildFilesTests {
    @Test("a folder and an archive have the same files")
    func same() throws {
        let folder = try TemporaryFolder("files")
        // Once, as signatures and dictionaries differ each time.
        let made = try MadeBuild.family().files()
        let archive = try BuildFiles(
            archive: ByteSource(MadeArchive(made.map { .init($0.0, $0.1) }).bytes))
        for (path, bytes) in made { try folder.write(path, bytes) }
        let onDisk = try BuildFiles(folder: folder.path("Payload"))
        #expect(archive.paths == onDisk.paths && archive.paths.count == 12)
        for path in archive.paths {
            let left = try archive.open(path)?.all(maximum: 1 << 20)
            try expectEqual(left, onDisk.open(path)?.all(maximum: 1 << 20), "\(path)")
        }
        expectEqual(
            archive.bundles,
            [
                "Payload/Shop.app", "Payload/Shop.app/AppClips/Clip.app",
                "Payload/Shop.app/PlugIns/Widget.appex", "Payload/Shop.app/Watch/Watch.app",
            ])
        #expect(try onDisk.open("Payload/Shop.app/none") == nil)
    }

    @Test("the folder's own name counts, and frameworks and links do not")
    func folders() throws {
        let folder = try TemporaryFolder("files")
        try MadeBuild.shop().writeFolder("App", in: folder)
        try folder.write("App/Payload/Shop.app/Frameworks/Inner.framework/X.app/Info.plist", "no")
        try folder.write("App/Payload/Shop.app/Assets.car", "no")
        for path in ["App/Payload/Shop.app", "App/Payload/Shop.app/", "App/Payload/Shop.app/."] {
            let files = try BuildFiles(folder: folder.path(path))
            expectEqual(files.bundles, ["Shop.app"], "\(path)")
        }
        try expectEqual(BuildFiles(folder: folder.path("App")).bundles, ["App/Payload/Shop.app"])
        #expect(throws: Problem.self) { try BuildFiles(folder: folder.path("none")) }
        let inner = "Shop.app/Contents/Frameworks/Up.framework/Versions/B/Updater.app/Contents/"
        let archive = MadeArchive([.init(inner + "Info.plist", []), .init(inner + "Other", [])])
        try expectEqual(BuildFiles(archive: ByteSource(archive.bytes)).paths, [])
    }
}
