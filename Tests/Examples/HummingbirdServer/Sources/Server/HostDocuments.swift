import AppSiteAssociation
import Foundation

/// Everything that a host serves, by path, and what the library finds in its files.
struct HostDocuments {
    private(set) var byPath: [String: [UInt8]] = [:]
    private(set) var findings: [Diagnostic] = []

    /// - Throws: where a file cannot be read, or a team's is no association file.
    init(_ host: URL) throws {
        let teams = try Self.sources(in: host.appendingPathComponent("teams"))
        // TEAM.json is a fragment; TEAM.assetlinks.json and TEAM.webauthn.json are siblings' parts.
        let fragments = try teams.filter { $0.name.split(separator: ".").count == 2 }.map {
            Fragment(
                team: $0.name.dropSuffix(".json"), file: try AssociationFile(reading: $0.source))
        }
        let merged = Merge.merge(fragments)
        findings += merged.diagnostics
        for path in ["/.well-known/apple-app-site-association", "/apple-app-site-association"] {
            byPath[path] = merged.bytes
        }
        for kind in SiblingPart.Kind.allCases {
            let parts = teams.filter { $0.name.hasSuffix(kind.ending) }.map {
                SiblingPart(kind: kind, team: $0.name.dropSuffix(kind.ending), source: $0.source)
            }
            let sibling = SiblingMerge.merge(parts, name: kind.rawValue)
            findings += sibling.diagnostics
            byPath["/.well-known/" + kind.rawValue] = sibling.document?.bytes
        }
        // What somebody wrote by hand is served as it is, once it has been looked at.
        let written = host.appendingPathComponent("well-known")
        guard FileManager.default.fileExists(atPath: written.path) else { return }
        for kind in [LintKind.assetLinks, .webAuthn, .passkeyEndpoints] {
            for file in try Self.sources(in: written) where file.name == kind.rawValue {
                findings += Linter.lint(file.source, as: kind)
                byPath["/.well-known/" + file.name] = file.source.bytes
            }
        }
    }

    private static func sources(in folder: URL) throws -> [(name: String, source: SourceText)] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().filter {
            !$0.hasPrefix(".")
        }.map { name in
            let file = folder.appendingPathComponent(name)
            return (name, SourceText(name: file.path, bytes: [UInt8](try Data(contentsOf: file))))
        }
    }
}

extension String {
    fileprivate func dropSuffix(_ suffix: String) -> String { String(dropLast(suffix.count)) }
}
