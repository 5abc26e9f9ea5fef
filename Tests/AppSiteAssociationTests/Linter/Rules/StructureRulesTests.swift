import AppSiteAssociation
import TestSupport
import Testing

@Suite struct StructureRulesTests: LintSuite {
    private static let list = #"{"apps": ["9JA89QQLNQ.com.example.shop"]}"#

    @Test(
        arguments: [
            ("{}", ["no-service"]), (#"{"x": 1, "y": 2}"#, ["no-service"]),
            ("{\"webcredentials\": \(list)}", []), ("{\"activitycontinuation\": \(list)}", []),
            ("{\"activitycontinuation\": \(list), \"x\": 1}", ["unknown-service"]),
            ("{\"webCredentials\": \(list)}", ["service-misspelt"]),
            ("{\"app-clips\": \(list), \"x\": 1}", ["service-misspelt", "unknown-service"]),
            ("{\"webcredentials\": \(list), \"details\": []}", ["key-without-effect"]),
            ("{\"webcredentials\": \(list), \"defaults\": {}}", ["key-without-effect"]),
            ("{\"webcredentials\": \(list), \"paths\": []}", ["key-without-effect"]),
            // A part may hold nothing else.
            ("{\"authsrv\": \(list)}", ["unknown-service"]),
            // A service that only others document is read as a list of apps.
            (
                "{\"webcredentials\": \(list), \"authsrv\": {\"apps\": []}}",
                ["unknown-service", "app-list-empty"]
            ),
        ] as [(String, [String])])
    func servicesAreThoseOfApple(_ text: String, _ wanted: [String]) {
        expectEqual(codes(text), wanted)
    }

    @Test(arguments: [
        (#""detials": [], "#, "applinks-key-misspelt" as String?),
        (#""default": {}, "#, "applinks-key-misspelt"),
        (#""components": [], "#, "key-without-effect"),
        (#""webcredentials": {}, "#, "key-without-effect"), (#""x": 1, "#, "applinks-key-unknown"),
        (#""apps": [], "#, nil), (#""apps": ["x.y"], "#, "applinks-apps-used"),
        (#""defaults": {}, "#, nil), (#""substitutionVariables": {}, "#, nil),
    ]) func membersOfApplinks(_ member: String, _ code: String?) {
        expectEqual(codes(components(#"{"/": "/a"}"#, applinks: member)), [code].compactMap { $0 })
    }

    @Test func appsThatAreIgnoredAreCounted() {
        func message(_ apps: String) -> String? {
            lint(components(#"{"/": "/a"}"#, applinks: "\"apps\": [\(apps)], ")).first?.message
        }
        expectEqual(message(#""a""#), "applinks.apps holds an app, but devices ignore this list")
        expectEqual(
            message(#""a", "b""#), "applinks.apps holds 2 apps, but devices ignore this list")
    }

    @Test(
        arguments: [
            (#""apps": []"#, ["app-list-empty"]),
            (#""Apps": []"#, ["applinks-key-misspelt"]),
            (#""apps": ["9JA89QQLNQ.com.a"], "applinks": {}"#, ["key-without-effect"]),
            (#""apps": ["9JA89QQLNQ.com.a"], "details": []"#, ["key-without-effect"]),
            (#""apps": ["9JA89QQLNQ.com.a"], "paths": []"#, ["key-without-effect"]),
            (#""apps": ["9JA89QQLNQ.com.a"], "x": 1"#, ["applinks-key-unknown"]),
            (#""apps": ["9JA89QQLNQ.com.a", "9JA89QQLNQ.com.b"]"#, []),
            (#""apps": ["9JA89QQLNQ.com.a", "9JA89QQLNQ.com.A"]"#, ["app-id-near-miss"]),
            (#""apps": ["9JA89QQLNQ.com.a", "9JA89QQLNQ.com.a"]"#, ["app-listed-twice"]),
            // What is wrong with a name is said where it stands first.
            (#""apps": ["a", "a"]"#, ["app-id-prefix-missing", "app-listed-twice"]),
            (#""apps": ["a"]"#, ["app-id-prefix-missing"]),
        ] as [(String, [String])])
    func listsOfApps(_ members: String, _ wanted: [String]) {
        for service in ["webcredentials", "activitycontinuation"] {
            expectEqual(codes("{\"\(service)\": {\(members)}}").sorted(), wanted.sorted())
        }
    }

    @Test func theFirstOfThreeIsShown() {
        let app = #""9JA89QQLNQ.com.a""#
        let found = lint("{\"webcredentials\": {\"apps\": [\(app),\n\(app),\n\(app)]}}")
        expectEqual(found.map(\.start?.line), [2, 3])
        expectEqual(found.flatMap(\.related).map(\.start?.line), [1, 1])
    }

    @Test(arguments: [
        ("1e999", true), ("-1e999", true), ("1\(String(repeating: "0", count: 400))", true),
        ("1e308", false), ("-0.5e-999", false), ("12345678901234567890", false),
    ]) func numbersHaveToBeRepresentable(_ number: String, _ isTold: Bool) {
        for value in [number, "[1, \(number)]", "{\"y\": \(number)}"] {
            let found = codes("{\"appclips\": {\"apps\": [\"9JA89QQLNQ.com.a\"], \"x\": \(value)}}")
            expectEqual(found.contains("number-out-of-range"), isTold)
        }
    }
}
