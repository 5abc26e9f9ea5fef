import AppSiteAssociation
import Testing

/// Merges fragments of two teams, as texts.
protocol MergeSuite {}

extension MergeSuite {
    static var teamA: String { "AAAA111111" }
    static var teamB: String { "BBBB222222" }

    func fragment(_ team: String, _ text: String) throws -> Fragment {
        let source = SourceText(name: "\(team).json", text: text)
        return Fragment(team: team, file: try AssociationFile(reading: source))
    }

    func merge(_ a: String, _ b: String? = nil) throws -> MergeResult {
        var fragments = [try fragment(Self.teamA, a)]
        if let b { fragments.append(try fragment(Self.teamB, b)) }
        return Merge.merge(fragments)
    }

    func text(_ result: MergeResult) throws -> String {
        let bytes = try #require(result.bytes, "\(result.diagnostics)")
        return String(decoding: bytes, as: UTF8.self)
    }
}
