import Foundation
import TestSupport

/// The files of the repository as a value, so that every rule can be tried on a few made-up files.
struct SourceTree: Sendable {
    struct File: Sendable {
        /// Relative to the package root, with `/`.
        let path: String
        let text: String
        let isExecutable: Bool
        let lines: [Substring]
        /// Comments and code told apart, once for all rules; empty for other languages.
        let swift: SwiftText

        init(path: String, text: String, isExecutable: Bool) {
            self.path = path
            self.text = text
            self.isExecutable = isExecutable
            lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            swift = SwiftText(path.hasSuffix(".swift") ? text : "")
        }

        var name: String { String(path.split(separator: "/").last ?? "") }
        var stem: String { name.split(separator: ".").first.map(String.init) ?? name }
        var fileExtension: String {
            let parts = name.split(separator: ".", omittingEmptySubsequences: false)
            return parts.count > 1 ? String(parts[parts.count - 1]) : ""
        }
        var isSwift: Bool { fileExtension == "swift" }
        var isMarkdown: Bool { fileExtension == "md" }
        /// Data that tests read, not code that people read.
        var isFixture: Bool {
            path.hasPrefix("Tests/")
                && path.split(separator: "/").contains {
                    ["Fixtures", "Corpus", "FailCases"].contains($0)
                }
        }
        /// The target whose folder holds the file: `Sources/HTTP/…` → `HTTP`.
        var target: String? {
            let parts = path.split(separator: "/")
            return parts.count > 2 && parts[0] == "Sources" ? String(parts[1]) : nil
        }
        /// Scripts are told by their first line, whatever their name.
        var interpreter: String? {
            guard text.hasPrefix("#!") else { return nil }
            return String(text.prefix { $0 != "\n" })
        }
    }

    let files: [File]

    init(files: [File]) { self.files = files.sorted { $0.path < $1.path } }

    /// A made-up tree for the tests of the rules.
    init(_ texts: [String: String], executable: Set<String> = []) {
        self.init(
            files: texts.map {
                File(path: $0.key, text: $0.value, isExecutable: executable.contains($0.key))
            })
    }

    subscript(path: String) -> File? { files.first { $0.path == path } }

    func hasFolder(_ path: String) -> Bool {
        files.contains { $0.path.hasPrefix(path.hasSuffix("/") ? path : path + "/") }
    }
}

extension SourceTree {
    /// The folder of the repository (`Tests` may be reached through a symbolic link).
    static let root: URL = Fixtures.packageRoot.appendingPathComponent("Tests")
        .resolvingSymlinksInPath().deletingLastPathComponent()

    /// What git tracks, and what it would if everything were added.
    static func repository() throws -> SourceTree {
        let listing = try Tool.run(
            "git",
            [
                "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others",
                "--exclude-standard",
            ], folder: root.path)
        guard listing.status == 0 else { throw Tool.Failure(description: listing.description) }
        let paths = Set(
            listing.outputBytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) })
        return SourceTree(
            files: paths.compactMap { path in
                let url = root.appendingPathComponent(path)
                guard let data = try? Data(contentsOf: url) else { return nil }
                return File(
                    path: path, text: String(decoding: data, as: UTF8.self),
                    isExecutable: FileManager.default.isExecutableFile(atPath: url.path))
            })
    }
}
