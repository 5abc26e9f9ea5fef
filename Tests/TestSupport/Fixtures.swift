public import Foundation

/// Files in the source tree that tests read, found by `#filePath` (no bundle resources to copy).
public enum Fixtures {
    /// The root of the package: the folder of `Package.swift`.
    public static let packageRoot: URL = {
        var folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        while folder.path != "/" {
            let manifest = folder.appendingPathComponent("Package.swift").path
            if FileManager.default.fileExists(atPath: manifest) { return folder }
            folder = folder.deletingLastPathComponent()
        }
        return URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
    }()

    /// The folder `Fixtures` beside the test that asks, or in the nearest folder above it.
    public static func folder(_ testFile: String = #filePath) -> URL {
        var folder = URL(fileURLWithPath: testFile).deletingLastPathComponent()
        let first = folder.appendingPathComponent("Fixtures")
        while folder.path.count > packageRoot.path.count {
            let candidate = folder.appendingPathComponent("Fixtures")
            if FileManager.default.fileExists(atPath: candidate.path) { return candidate }
            folder = folder.deletingLastPathComponent()
        }
        return first
    }

    /// The bytes of the fixture `name` (a path relative to the `Fixtures` folder of the test that
    /// asks).
    public static func bytes(_ name: String, testFile: String = #filePath) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder(testFile).appendingPathComponent(name)))
    }

    /// The fixture `name` as text.
    public static func text(_ name: String, testFile: String = #filePath) throws -> String {
        String(decoding: try bytes(name, testFile: testFile), as: UTF8.self)
    }

    /// All regular files below a folder, hidden ones left out, sorted by path.
    public static func files(below folder: URL) -> [URL] {
        let found = FileManager.default.enumerator(
            at: folder, includingPropertiesForKeys: [.isRegularFileKey],
            options: [.skipsHiddenFiles])
        var files: [URL] = []
        while let url = found?.nextObject() as? URL {
            let isFile = (try? url.resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile
            if isFile == true { files.append(url) }
        }
        return files.sorted { $0.path < $1.path }
    }
}
