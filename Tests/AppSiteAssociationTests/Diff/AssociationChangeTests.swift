import AppSiteAssociation
import TestSupport
import Testing

@Suite struct AssociationChangeTests: DiffSuite {
    @Test func knowsThePlaces() throws {
        let after = try file("\n" + rules(#"{"/": "/new"}"#))
        let change = try #require(AssociationDiff.diff(try file(rules("")), after).first)
        expectEqual(change.kind, .ruleAdded)
        #expect(change.before == nil)
        let place = try #require(change.after?.range.lowerBound)
        expectEqual(after.source.position(at: place).line, 2)
        expectEqual(change.after?.index, 0)
    }

    @Test func countsWhatItDoesNotList() throws {
        let many = (0..<AssociationDiff.changesMaximum + 5).map { #"{"/": "/\#($0)"}"# }
        let changes = AssociationDiff.diff(
            try file(rules("")), try file(rules(many.joined(separator: ","))))
        expectEqual(changes.count, AssociationDiff.changesMaximum + 1)
        expectEqual(changes.last.map { "\($0)" }, "… and 5 more changes of rules")
    }
}
