import AppSiteAssociation
import Testing

@Suite struct AssociationChangeTests: DiffSuite {
    @Test func knowsThePlaces() throws {
        let after = try file("\n" + rules(#"{"/": "/new"}"#))
        let change = try #require(AssociationDiff.diff(try file(rules("")), after).first)
        #expect(change.kind == .ruleAdded)
        #expect(change.before == nil)
        let place = try #require(change.after?.range.lowerBound)
        #expect(after.source.position(at: place).line == 2)
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
