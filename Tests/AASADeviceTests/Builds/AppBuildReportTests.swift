import AppSiteAssociation
import Foundation
import TestSupport
import Testing

@testable import AASADevice

@Suite struct AppBuildReportTests {
    private static func report(
        _ made: MadeBuild, _ urls: [String], _ network: AnsweringSite = SuiteOfBuilds.good
    ) throws -> AppBuildReport {
        let build = try made.read()
        return AppBuildReport(
            build, faults: BuildRules.findings(of: build, now: 1_790_000_000),
            runs: [try network.links(made, urls)])
    }

    @Test("one table of domains and URLs")
    func text() throws {
        let report = try Self.report(
            .shop(), ["https://example.com/buy/1", "https://example.com/help"])
        #expect(!report.isGood)
        let text = report.text
        #expect(
            text.hasPrefix(
                "app Shop.app, 1.2 (34), 9JA89QQLNQ.com.example.shop, team 9JA89QQLNQ, "
                    + "app-store profile\n"))
        let rows = text.split(separator: "\n").map {
            $0.split(separator: " ").joined(separator: " ")
        }
        #expect(rows.contains("applinks:example.com Shop.app associated associated"))
        #expect(rows.contains("https://example.com/buy/1 \(MadeBuild.app) - opens"))
        #expect(
            rows.contains(
                "https://example.com/help \(MadeBuild.app) - does not open "
                    + "no rule of the app matches it"))
        #expect(text.contains("[link-no-rule]\n  fix: "))
    }

    @Test("warnings and notes do not fail")
    func isGood() throws {
        #expect(try Self.report(.shop(), ["https://example.com/buy/1"]).isGood)
        var made = MadeBuild.shop()
        made.bundles[0].profile = nil
        #expect(try Self.report(made, []).isGood)
        made.bundles[0].executable.isSigned = false
        #expect(try !Self.report(made, []).isGood)
    }

    @Test("JSON has what the schema says, and nothing else")
    func json() throws {
        let schema = try Self.object(AppBuildReport.schema)
        var unsigned = MadeBuild.family()
        unsigned.bundles[2].executable.isSigned = false
        unsigned.bundles[3].profile = nil
        for made in [.shop(), unsigned] {
            let report = try Self.report(made, ["https://example.com/buy/1", "https://a.com/"])
            Self.check(try Self.object(report.json), schema, at: "report")
        }
    }

    @Test("the schema lists every word")
    func words() {
        let schema = String(decoding: JSONWriter.minified(AppBuildReport.schema), as: UTF8.self)
        for words in [
            Era.allCases.map(\.rawValue), AppBundle.Kind.allCases.map(\.rawValue),
            ProvisioningProfile.Kind.allCases.map(\.rawValue), Severity.allCases.map(\.rawValue),
        ] {
            let list = words.map { "\"\($0)\"" }.joined(separator: ",")
            #expect(schema.contains("\"enum\":[\(list)]"))
        }
    }

    private static func object(_ value: JSONValue) throws -> Any {
        try JSONSerialization.jsonObject(with: Data(JSONWriter.indented(value)))
    }

    /// As far as this schema goes: objects, arrays, enums and types.
    private static func check(_ value: Any, _ schema: Any, at place: String) {
        guard let schema = schema as? [String: Any] else { return }
        if let choices = schema["anyOf"] as? [Any] {
            let isNull = value is NSNull
            return check(value, choices[isNull ? 1 : 0], at: place)
        }
        if let words = schema["enum"] as? [Any] {
            let isKnown = words.contains { "\($0)" == "\(value)" }
            #expect(isKnown, "\(place): \(value)")
            return
        }
        let types = (schema["type"] as? [String]) ?? [schema["type"] as? String ?? ""]
        switch value {
        case let members as [String: Any]:
            expectEqual(types, ["object"], "\(place)")
            let properties = schema["properties"] as? [String: Any] ?? [:]
            expectEqual(Set(members.keys), Set(properties.keys), "\(place)")
            for (key, member) in members { check(member, properties[key] ?? [:], at: key) }
        case let elements as [Any]:
            expectEqual(types, ["array"], "\(place)")
            for element in elements { check(element, schema["items"] ?? [:], at: place) }
        case is NSNull: #expect(types.contains("null"), "\(place)")
        case is String: #expect(types.contains("string"), "\(place)")
        default: expectEqual(types, ["boolean"], "\(place): \(value)")
        }
    }
}
