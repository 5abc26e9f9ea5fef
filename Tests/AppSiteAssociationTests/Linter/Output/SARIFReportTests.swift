import AppSiteAssociation
import TestSupport
import Testing

@Suite struct SARIFReportTests {
    private let source = SourceText(name: "f", text: "é\nab\n")

    private func run(
        _ findings: [Diagnostic], failures: [String] = []
    ) throws -> JSONValue {
        let bytes = LintReport(findings: findings, documents: 1).sarif(
            version: "1.2.3", failures: failures)
        let root = try JSONReader.read(SourceText(name: "report", bytes: bytes)).root
        expectEqual(root["version"]?.string, "2.1.0")
        return try #require(root["runs"]?.array?.first)
    }

    private func text(_ value: JSONValue?) -> String {
        value.map { String(decoding: JSONWriter.minified($0), as: UTF8.self) } ?? "nothing"
    }

    private func finding(
        _ code: String, _ severity: Severity = .error, message: String = "m", file: String = "f"
    ) -> Diagnostic {
        Diagnostic(code: code, severity: severity, message: message, file: file)
    }

    @Test func theDriverNamesItself() throws {
        let driver = try run([])["tool"]?["driver"]
        expectEqual(driver?["name"]?.string, "aasa lint")
        expectEqual(driver?["semanticVersion"]?.string, "1.2.3")
        expectEqual(text(driver?["rules"]), "[]")
        try expectEqual(run([])["columnKind"]?.string, "unicodeCodePoints")
    }

    /// Each rule that was met stands there once, and results point to theirs.
    @Test func resultsPointToTheirRules() throws {
        let codes = ["catch-all", "no-service", "catch-all", "site-x"]
        let run = try run(codes.map { finding($0) })
        let rules = try #require(run["tool"]?["driver"]?["rules"]?.array)
        expectEqual(rules.map { $0["id"]?.string }, ["catch-all", "no-service", "site-x"])
        let results = try #require(run["results"]?.array)
        expectEqual(results.map { text($0["ruleIndex"]) }, ["0", "1", "0", "2"])
        expectEqual(results.map { $0["ruleId"]?.string }, codes)
        // Equal findings are told apart.
        expectEqual(Set(results.map { text($0["partialFingerprints"]) }).count, 4)
    }

    @Test func rulesOfTheCatalogAreDescribed() throws {
        let rules = try #require(
            try run([finding("catch-all"), finding("site-x", .warning)])["tool"]?["driver"]?[
                "rules"]?.array)
        let known = try #require(RuleCatalog.rule("catch-all"))
        expectEqual(rules[0]["shortDescription"]?["text"]?.string, known.title)
        expectEqual(rules[0]["help"]?["text"]?.string, known.remedy)
        expectEqual(rules[0]["helpUri"]?.string, known.page)
        expectEqual(rules[0]["properties"]?["standing"]?.string, known.standing?.rawValue)
        expectEqual(rules[0]["defaultConfiguration"]?["level"]?.string, "note")
        // Those of other rooms describe themselves.
        expectEqual(
            text(rules[1]),
            #"{"id":"site-x","shortDescription":{"text":"site-x"},"#
                + #""defaultConfiguration":{"level":"warning"}}"#)
    }

    @Test(arguments: [(Severity.error, "error"), (.warning, "warning"), (.note, "note")])
    func severitiesAreLevels(_ severity: Severity, _ level: String) throws {
        let results = try run([finding("c", severity)])["results"]
        expectEqual(results?.array?.first?["level"]?.string, level)
    }

    @Test func placesHaveRegions() throws {
        let finding = Diagnostic(
            code: "c", severity: .error, message: "m", remedy: "r", source: source, range: 4..<5,
            related: [
                Diagnostic.Related(message: "here", source: source, range: 0..<2),
                Diagnostic.Related(message: "there", file: "g"),
            ])
        let result = try #require(try run([finding])["results"]?.array?.first)
        expectEqual(result["message"]?["text"]?.string, "m. Fix: r")
        expectEqual(
            text(result["locations"]),
            #"[{"physicalLocation":{"artifactLocation":{"uri":"f"},"region":{"startLine":2,"#
                + #""startColumn":2,"endLine":2,"endColumn":3,"byteOffset":4,"byteLength":1}}}]"#)
        expectEqual(
            text(result["relatedLocations"]),
            #"[{"physicalLocation":{"artifactLocation":{"uri":"f"},"region":{"startLine":1,"#
                + #""startColumn":1,"byteOffset":0,"byteLength":2}},"message":{"text":"here"}},"#
                + #"{"physicalLocation":{"artifactLocation":{"uri":"g"}},"#
                + #""message":{"text":"there"}}]"#)
    }

    /// A relative reference (RFC 3986): a colon would read as a scheme.
    @Test(arguments: [
        ("-", "stdin"), ("a b/t,1:x.json", "a%20b/t,1%3Ax.json"), ("é\n", "%C3%A9%0A"),
        ("AZaz09-._~/@+,=", "AZaz09-._~/@+,="), ("%?#[]", "%25%3F%23%5B%5D"), ("./-", "./-"),
    ]) func filesAreReferences(_ file: String, _ uri: String) throws {
        let result = try run([finding("c", file: file)])["results"]?.array?.first
        let place = result?["locations"]?.array?.first?["physicalLocation"]
        expectEqual(text(place), "{\"artifactLocation\":{\"uri\":\"\(uri)\"}}")
    }

    /// SARIF 2.1.0, section 3.11.6: a viewer makes a link of `[words](0)`.
    @Test(arguments: [
        ("[a](0)", "\\[a\\](0)"), ("\\[a](0)", "\\\\\\[a\\](0)"), ("[a] (0)", "[a] (0)"),
        ("a]", "a]"),
    ]) func textOfADocumentMakesNoLink(_ message: String, _ shown: String) throws {
        let result = try run([finding("c", message: message)])["results"]?.array?.first
        expectEqual(result?["message"]?["text"]?.string, shown)
    }

    @Test func aRunThatSawNotAllFailed() throws {
        expectEqual(text(try run([])["invocations"]), #"[{"executionSuccessful":true}]"#)
        expectEqual(
            text(try run([], failures: ["a", "b"])["invocations"]),
            #"[{"executionSuccessful":false,"toolExecutionNotifications":["#
                + #"{"level":"error","message":{"text":"a"}},"#
                + #"{"level":"error","message":{"text":"b"}}]}]"#)
    }
}
