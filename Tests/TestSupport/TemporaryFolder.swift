public import Foundation

/// A folder of its own for one test, removed with everything in it when the value dies.
public final class TemporaryFolder: Sendable {
    /// The folder; unique in this process and on this machine.
    public let url: URL

    /// The folder's path.
    public var path: String { url.path }

    /// Makes the folder below the system's temporary folder, with mode 0700.
    public init(_ purpose: String = "test") throws {
        let base = URL(fileURLWithPath: NSTemporaryDirectory())
        // Short, because Unix socket paths are limited to 107 bytes.
        let unique = UUID().uuidString.prefix(13)
        url = base.appendingPathComponent("aasa-\(purpose.prefix(24))-\(unique)")
        try FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The path of `name` in this folder; nothing is created.
    public func path(_ name: String) -> String { url.appendingPathComponent(name).path }

    /// Writes a file, and the folders on the way to it; returns its path.
    @discardableResult
    public func write(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
        let file = url.appendingPathComponent(name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
        return file.path
    }

    /// Writes a text file, and the folders on the way to it; returns its path.
    @discardableResult
    public func write(_ name: String, _ text: String) throws -> String {
        try write(name, Array(text.utf8))
    }

    /// Makes a folder inside this one; returns its path.
    @discardableResult
    public func makeFolder(_ name: String) throws -> String {
        let folder = url.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder.path
    }

    /// The bytes of a file in this folder.
    public func read(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: url.appendingPathComponent(name)))
    }
}
