import AppSiteAssociation
import Testing

@Suite struct AssociationChangeTests: DiffSuite {
    @Test func knowsThePlaces() throws {
        let change = try #require(
            AssociationDiff.diff(
                try file(rules("")), try file("\n" + rules(#"{"/": "/new"}"#))
            ).first)
        #expect(change.kind == .ruleAdded)
        #expect(change.before == nil)
        #expect(change.after?.position.line == 2)
        #expect(change.after?.index == 0)
    }

    @Test func countsWhatItDoesNotList() throws {
        let many = (0..<AssociationDiff.changesMaximum + 5).map { #"{"/": "/\#($0)"}"# }
        let changes = AssociationDiff.diff(
            try file(rules("")), try file(rules(many.joined(separator: ","))))
        #expect(changes.count == AssociationDiff.changesMaximum + 1)
        #expect(changes.last.map { "\($0)" } == "… and 5 more changes of rules")
    }
}
