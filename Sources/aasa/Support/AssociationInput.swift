import AASAServer
import AppSiteAssociation
import OpenSSL

/// An association document as the commands take it: a file (plain or signed), `-`, or a host's
/// folder, whose fragments are merged exactly as the server merges them.
struct AssociationInput {
    let file: AssociationFile
    /// The host, where a folder tells it.
    let host: String?
    /// What merge and linter said about a host's folder; empty for a file.
    let findings: [Diagnostic]

    /// - Throws: where there is no document: nothing to read, not JSON, fragments that cannot be
    ///   merged.
    static func load(_ path: String) throws(CommandError) -> AssociationInput {
        if let folder = HostInput(path) {
            let (document, findings) = folder.build()
            guard let document else {
                let first = findings.first { $0.severity == .error }
                throw CommandError(
                    "no document can be built" + (first.map { ": \($0)" } ?? ""), place: path,
                    remedy: first?.remedy ?? "aasa build \(path) says all that is wrong")
            }
            return AssociationInput(file: document.file, host: folder.name, findings: findings)
        }
        let source = try InputFile.source(path)
        do {
            return AssociationInput(
                file: try AssociationFile(reading: payload(source)), host: nil, findings: [])
        } catch {
            throw CommandError(
                error.message, place: "\(source.name):\(error.position)", remedy: error.remedy)
        }
    }

    /// The JSON inside a signed file; positions are then those inside the payload.
    static func payload(_ source: SourceText) -> SourceText {
        guard CMSVerifier.looksSigned(source.bytes),
            let payload = CMSVerifier.payload(of: source.bytes)
        else { return source }
        return SourceText(name: source.name, bytes: payload)
    }
}

/// A host's folder given on the command line.
struct HostInput {
    /// The host: the folder's name.
    let name: String
    /// The folder as it was given, without a slash at the end.
    let path: String
    let source: HostSource

    /// Nil when the path is no folder.
    init?(_ path: String) {
        guard path != "-", (try? FileReading.entries(of: path, maximum: 4096)) != nil else {
            return nil
        }
        var folder = path
        while folder.utf8.count > 1, folder.hasSuffix("/") { folder.removeLast() }
        let real = FileReading.resolved(folder) ?? folder
        name = real.split(separator: "/").last.map(String.init) ?? folder
        self.path = folder
        source = HostFolder.read(name: name, path: folder)
    }

    /// Fragments, or the one ready-made file.
    var documentCount: Int {
        switch source.document {
        case .fragments(let sources): sources.count
        case .readyMade: 1
        case .none: 0
        }
    }

    /// The folder of a host, where nothing else will do.
    /// - Throws: what keeps the path from being one.
    static func require(_ path: String) throws(CommandError) -> HostInput {
        if let host = HostInput(path) { return host }
        let remedy = "name the folder of a host, such as site/example.com"
        do {
            _ = try FileReading.entries(of: path, maximum: 4096)
        } catch {
            // opendir(3) says ENOTDIR for a file as well as for a path through one.
            let isFile = FileReading.resolved(path) != nil && error.isMissing
            throw CommandError(
                isFile ? "this is a file, not a folder" : error.cause, place: path,
                remedy: error.isMissing ? remedy : error.remedy)
        }
        throw CommandError("this is no folder", place: path, remedy: remedy)
    }

    /// The document as `aasa serve` would publish it, and everything found on the way.
    func build() -> (document: HostDocument?, findings: [Diagnostic]) {
        let (document, findings) = DocumentBuilder.build(
            source.document, isStrict: source.settings.isStrict)
        let problems = source.problems.settings + source.problems.document
        let isBroken = problems.contains { $0.severity == .error }
        return (isBroken ? nil : document, problems + findings)
    }
}
