import AppSiteAssociation
import Testing

/// Compares documents, as texts.
protocol DiffSuite {}

extension DiffSuite {
    func file(_ text: String) throws -> AssociationFile {
        try AssociationFile(reading: SourceText(name: "f", text: text))
    }

    func diff(_ before: String, _ after: String) throws -> [String] {
        AssociationDiff.diff(try file(before), try file(after)).map(\.description)
    }

    func links(_ details: String, _ more: String = "") -> String {
        #"{"applinks": {\#(more) "details": [\#(details)]}}"#
    }

    func rules(_ components: String, _ more: String = "") -> String {
        links(#"{"appIDs": ["A.a"], "components": [\#(components)]}"#, more)
    }
}
