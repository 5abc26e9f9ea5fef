import Testing

@testable import AppSiteAssociation

@Suite struct ShapeCatalogTests {
    @Test func everyShapeHasOneRule() {
        #expect(ShapeCatalog.rules.map(\.code) == ShapeRule.allCases.map(\.rawValue))
        #expect(Set(ShapeCatalog.rules.map(\.title)).count == ShapeCatalog.rules.count)
        for (rule, shape) in zip(ShapeCatalog.rules, ShapeRule.allCases) {
            #expect(rule.severity == shape.severity, "\(rule.code)")
        }
    }

    /// The model itself says it of the example, and has a place and a remedy for it.
    @Test(arguments: ShapeRule.allCases)
    func theModelSaysIt(_ shape: ShapeRule) throws {
        let rule = try #require(ShapeCatalog.rules.first { $0.code == shape.rawValue })
        let problems = try AssociationFile(reading: rule.bad.source).problems
        let problem = try #require(problems.first { $0.code == shape.rawValue })
        #expect(problem.start != nil && problem.remedy?.isEmpty == false)
        #expect(
            try !AssociationFile(reading: rule.good.source).problems.contains {
                $0.code == shape.rawValue
            })
    }
}
