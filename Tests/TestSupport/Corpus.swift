public import Foundation

/// The shared corpus: real association files, JSON conformance cases, matching tables.
///
/// It lives outside the repository (it is large and changes on its own), so a clone that stands
/// alone has none. Tests that read it ask for `folder(_:)` and leave when it is `nil`; the absence
/// is said loudly, once per folder asked for, so that a green run never hides it.
public enum Corpus {
    /// The root of the corpus, or `nil` when this clone stands alone.
    ///
    /// `AASA_SHARED` names the folder that holds `corpus/`; without it the folder `shared` beside
    /// the package root is tried, then beside each parent of it (worktrees lie deeper than clones).
    public static let root: URL? = findRoot(
        environment: ProcessInfo.processInfo.environment, packageRoot: Fixtures.packageRoot)

    static func findRoot(environment: [String: String], packageRoot: URL) -> URL? {
        if let named = environment["AASA_SHARED"], !named.isEmpty {
            let corpus = URL(fileURLWithPath: named).appendingPathComponent("corpus")
            return isFolder(corpus) ? corpus : nil
        }
        var parent = packageRoot.deletingLastPathComponent()
        for _ in 0..<3 {
            let corpus = parent.appendingPathComponent("shared/corpus")
            if isFolder(corpus) { return corpus }
            parent = parent.deletingLastPathComponent()
        }
        return nil
    }

    /// A folder of the corpus, such as `aasa` or `jsontestsuite`; `nil` (said loudly) when it is
    /// not here.
    public static func folder(_ name: String) -> URL? {
        guard let root else {
            skip(name, why: "no shared corpus (set AASA_SHARED or put shared/ beside the clone)")
            return nil
        }
        let folder = root.appendingPathComponent(name)
        guard isFolder(folder) else {
            skip(name, why: "\(folder.path) is not a folder")
            return nil
        }
        return folder
    }

    /// All regular files below a folder of the corpus, sorted by path; empty (said loudly) when
    /// absent.
    public static func files(in name: String, withExtension wanted: String? = nil) -> [URL] {
        guard let folder = folder(name) else { return [] }
        return Fixtures.files(below: folder).filter { wanted == nil || $0.pathExtension == wanted }
    }

    private static func isFolder(_ url: URL) -> Bool {
        var isDirectory: ObjCBool = false
        return FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory)
            && isDirectory.boolValue
    }

    private static func skip(_ name: String, why: String) {
        let line = "SKIPPED: corpus folder '\(name)' is not tested: \(why)\n"
        FileHandle.standardError.write(Data(line.utf8))
    }
}
