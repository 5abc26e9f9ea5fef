import Testing

/// The rules of the house, held against the house itself.
@Suite struct HouseRulesTests {
    @Test(arguments: Rule.all) func holds(_ rule: Rule) throws {
        let findings = rule.check(try Self.repository.get())
        let list = findings.prefix(40).map(\.description).joined(separator: "\n")
        #expect(findings.isEmpty, "\(rule.name) (\(rule.why)):\n\(list)")
    }

    /// The repository is read once; what stands in the way is thrown in each test.
    private static let repository = Result { try SourceTree.repository() }

    @Test func readsTheWholeRepository() throws {
        let tree = try Self.repository.get()
        #expect(tree["Package.swift"] != nil)
        #expect(tree.files.count { $0.target != nil } > 5)
    }
}
