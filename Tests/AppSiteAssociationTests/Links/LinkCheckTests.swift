import TestSupport
import Testing

@testable import AppSiteAssociation

@Suite struct LinkCheckTests {
    private func outcome(
        _ url: String, _ apps: String, _ details: String, hosts: [String] = []
    ) throws -> LinkCheck.Outcome {
        let text = #"{"applinks":{"details":[\#(details)]}}"#
        let file = AssociationFile(document: try JSONReader.read(text: text))
        let tests = LinkExpectationReader.read(
            SourceText(name: "t", text: "\"\(url)\",\(apps)")
        ).expectations
        let check = LinkCheck(CompiledAssociation(file), hosts: hosts)
        return try #require(check.outcomes(of: tests).first)
    }

    private func entry(_ app: String, _ path: String) -> String {
        #"{"appIDs":["\#(app)"],"components":[{"/":"\#(path)"}]}"#
    }

    private let a = "AAAAAAAAA1.com.a"
    private let b = "BBBBBBBBB1.com.b"

    @Test func passes() throws {
        #expect(try outcome("/x", a, entry(a, "/x")).isPassed)
        #expect(try outcome("/y", "none", entry(a, "/x")).isPassed)
        #expect(
            try outcome("https://h.example/x", a, entry(a, "/x"), hosts: ["h.example"]).isPassed)
        #expect(
            try outcome("https://o.example/x", "none", entry(a, "/x"), hosts: ["h.example"])
                .isPassed)
        // Builds of one app share their links.
        #expect(
            try outcome(
                "/x", "AAAAAAAAA1.com.beta",
                entry(a, "*") + ","
                    + entry("AAAAAAAAA1.com.beta", "/x")
            ).isPassed)
        #expect(
            try outcome(
                "/x", "BBBBBBBBB1.com.a",
                entry(a, "*") + ","
                    + entry("BBBBBBBBB1.com.a", "/x")
            ).isPassed)
    }

    @Test func fails() throws {
        try expectEqual(outcome("/y", a, entry(a, "/x")).reason, "no rule of \(a) matches it")
        try expectEqual(outcome("/x", "none", entry(a, "/x")).reason, "it opens \(a)")
        try expectEqual(
            outcome("/x", b, entry(a, "/x")).reason?.contains("is not in the document"),
            true)
        let taken = try outcome("/x", b, entry(a, "*") + "," + entry(b, "/x"))
        expectEqual(taken.reason?.contains("another team opens it"), true)
        expectEqual(taken.rule?.detail, 0)
        try expectEqual(
            outcome("https://www.h.example/x", a, entry(a, "/x"), hosts: ["h.example"]).reason?
                .contains("another host"), true)
        try expectEqual(
            outcome(
                "/x", a, #"{"appIDs":["\#(a)"],"components":[{"/":"/x","exclude":true}]}"#
            ).reason, "a rule of \(a) excludes it")
    }

    /// Tests times rules has no end: what is not run is said, and never counts as passed.
    @Test func theWorkIsBounded() throws {
        let apps = (0..<200).map { "AAAAAAAAA1.com.a\($0)" }
        let details = apps.map { entry($0, "/\($0)/*") }.joined(separator: ",")
        let file = AssociationFile(
            document: try JSONReader.read(text: #"{"applinks":{"details":[\#(details)]}}"#))
        let source = SourceText(
            name: "t", text: (0..<1000).map { "/x/\($0),none" }.joined(separator: "\n"))
        let tests = LinkExpectationReader.read(source).expectations
        let check = LinkCheck(CompiledAssociation(file))
        expectEqual(check.outcomes(of: tests).count, 1000)
        #expect(LinkCheck.notRun(tests, after: check.outcomes(of: tests), in: source) == nil)
        let some = check.outcomes(of: tests, Steps(40_000))
        #expect((50...100).contains(some.count))
        #expect(some.allSatisfy { $0.isPassed })
        let rest = try #require(LinkCheck.notRun(tests, after: some, in: source))
        #expect(rest.message.hasPrefix("\(1000 - some.count) of 1000 tests were not run"))
        expectEqual(rest.range, tests[some.count].range)
        expectEqual(rest.severity, .error)
    }

    /// An app that opens every URL costs more than a comparison: it is put down with its rule.
    @Test func answersCountAsWork() throws {
        let details = (0..<100).map { entry("AAAAAAAAA1.com.a\($0)", "*") }.joined(separator: ",")
        let file = AssociationFile(
            document: try JSONReader.read(text: #"{"applinks":{"details":[\#(details)]}}"#))
        let tests = LinkExpectationReader.read(
            SourceText(
                name: "t",
                text: (0..<100).map { "/\($0),AAAAAAAAA1.com.a99" }.joined(separator: "\n"))
        ).expectations
        let outcomes = LinkCheck(CompiledAssociation(file)).outcomes(
            of: tests, Steps(40_000))
        #expect((8...14).contains(outcomes.count))
        #expect(outcomes.allSatisfy { $0.isPassed && $0.opening.count == 100 })
    }

    @Test func anEntryForOtherURLsTakesNothing() throws {
        let details = [entry(a, "/y"), entry(b, "/x"), entry(a, "*")].joined(separator: ",")
        #expect(try outcome("/x", b, details).isPassed)
    }
}
