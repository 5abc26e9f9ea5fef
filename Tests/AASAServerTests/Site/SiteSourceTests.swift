import AppSiteAssociation
import TestSupport
import Testing

@testable import AASAServer

@Suite struct SiteSourceTests {
    @Test func aLostHostHasItsReasonAndNothingElse() throws {
        let why = Diagnostic(code: "x", severity: .error, message: "gone", file: "site/h")
        let lost = HostSource.lost("h", place: "site/h", kept: KeptHost(), because: why)
        #expect(lost.lostBecause == why && lost.problems.all.isEmpty)
        guard case .none = lost.document else {
            Issue.record("a document of nothing")
            return
        }
        #expect(lost.siblings.isEmpty && lost.settings == HostSettings())
        expectEqual(lost.settingsPlace, "site/h/host.json")
        expectEqual(lost.siblingsPlace, "site/h/well-known")
    }

    @Test func problemsAreListedInOrder() {
        func finding(_ code: String) -> Diagnostic {
            Diagnostic(code: code, severity: .error, message: "", file: "")
        }
        var problems = HostProblems()
        problems.siblings = ["b": [finding("5"), finding("6")], "a": [finding("4")]]
        problems.document = [finding("2"), finding("3")]
        problems.settings = [finding("1")]
        expectEqual(problems.all.map(\.code), ["1", "2", "3", "4", "5", "6"])
    }
}
