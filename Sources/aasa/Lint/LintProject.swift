import AASAServer
import AppSiteAssociation
import Reactor

/// The linter's configuration of the project around the current folder.
struct LintProject {
    let configuration: LintConfiguration
    /// The configuration's path as people know it; empty without one.
    let name: String
    /// The real path of its folder.
    private let folder: String

    /// - Parameter config: the file; nil: the nearest `.aasa.json` from the current folder upward.
    /// - Throws: when it cannot be read or says something that is not known.
    static func load(config: String?) throws(CommandError) -> LintProject {
        guard let path = config ?? nearest() else {
            return LintProject(configuration: LintConfiguration(), name: "", folder: "")
        }
        let source = try InputFile.source(path)
        let (configuration, problems) = LintConfiguration.read(
            source, isKnown: CodeCatalog.isKnown)
        if let problem = problems.first {
            throw CommandError(problem, status: .usage)
        }
        return LintProject(
            configuration: configuration, name: path,
            folder: Files.folder(of: Files.resolved(path) ?? path))
    }

    private static func nearest() -> String? {
        var folder = Files.resolved(".") ?? ""
        while folder.hasPrefix("/") {
            let path = (folder == "/" ? "" : folder) + "/.aasa.json"
            if Files.isReadable(path) { return path }
            if folder == "/" { return nil }
            folder = Files.folder(of: folder)
        }
        return nil
    }

    func apply(to findings: [Diagnostic]) -> (findings: [Diagnostic], ignored: Int) {
        configuration.apply(to: findings) { file in
            Self.name(of: file, below: folder)
        }
    }

    /// A file's path from a folder on, however it was given; nil: it is elsewhere.
    static func name(of file: String, below folder: String) -> String? {
        // Of a file that is gone or was a pipe, the name as it was given.
        guard let real = Files.resolved(file) else { return file }
        let prefix = folder == "/" ? "/" : folder + "/"
        return real.hasPrefix(prefix) ? String(real.dropFirst(prefix.count)) : nil
    }

    /// How a baseline names files: from its own folder on, where they are in it.
    static func names(in baseline: String) -> (String) -> String {
        // It may not exist yet.
        let folder = Files.resolved(Files.folder(of: baseline)) ?? ""
        return { name(of: $0, below: folder) ?? $0 }
    }

    static func baseline(_ path: String) throws(CommandError) -> LintBaseline {
        let source = try InputFile.source(path)
        if let baseline = LintBaseline(try InputFile.json(source, status: .usage)) {
            return baseline
        }
        throw CommandError(
            "this is not a baseline", place: path,
            remedy: "aasa lint PATH --write-baseline \(path) makes one", status: .usage)
    }

    /// - Throws: where a baseline would replace something else; an empty file is nothing yet.
    static func checkBaseline(at path: String) throws(CommandError) {
        guard let status = Files.status(path), status.kind == .file, status.size > 0 else { return }
        let source = try InputFile.source(path)
        if let document = try? JSONReader.read(source), LintBaseline(document) != nil { return }
        throw CommandError(
            "this is not a baseline: aasa does not replace it", place: path,
            remedy: "name a new file, or remove this one first", status: .usage)
    }
}
