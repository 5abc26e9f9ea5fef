import Foundation
import TestSupport
import Testing

@testable import AppSiteAssociation

/// Random documents and URLs, decided by the matcher and by an independent one, which reads the
/// JSON itself and tries patterns character by character (``ReferenceMatcher``).
///
/// `AASA_ROUNDS=50000` sets the number of pairs.
@Suite struct DifferentialTests {
    static let rounds =
        ProcessInfo.processInfo.environment["AASA_ROUNDS"].flatMap(Int.init) ?? 3_000

    @Test func decidesAsTheReference() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededRandom(seed: seed)
        var counts: [LinkDecision: Int] = [:]
        for _ in 0..<Self.rounds / 10 {
            let document = Generator.document(&random)
            let bytes = JSONWriter.minified(document)
            let source = SourceText(name: "seed \(seed)", bytes: bytes)
            let association = CompiledAssociation(try AssociationFile(reading: source))
            for _ in 0..<10 {
                let url = Generator.url(&random)
                let answers = association.decide(url: "https://example.com" + url) ?? []
                for app in Generator.apps {
                    let decision = answers.first { $0.app == app }?.decision ?? LinkDecision.none
                    let expected = ReferenceDecision(document, url).decision(of: app)
                    counts[expected, default: 0] += 1
                    expectEqual(
                        decision, expected,
                        "seed \(seed): \(url), \(app): \(String(decoding: bytes, as: UTF8.self))")
                }
            }
        }
        // Each decision is tried often.
        for decision in LinkDecision.allCases {
            #expect(counts[decision, default: 0] > Self.rounds / 50, "\(decision)")
        }
    }
}

/// Documents of all forms, and URLs that their rules may match.
private enum Generator {
    static let apps = ["A.a", "B.b"]

    private static func pick<Element>(_ list: [Element], _ random: inout SeededRandom) -> Element {
        list[Int.random(in: 0..<list.count, using: &random)]
    }

    private static func text(
        _ pieces: [String], _ most: Int, _ random: inout SeededRandom
    ) -> String {
        (0..<Int.random(in: 0...most, using: &random)).map { _ in pick(pieces, &random) }.joined()
    }

    private static func pattern(_ random: inout SeededRandom) -> JSONValue {
        .text(text(["a", "B", "/", "*", "?", "$(v)", "$(digit)", "1", "%61"], 4, &random))
    }

    private static func rule(_ random: inout SeededRandom) -> JSONValue {
        var members: [(String, JSONValue)] = []
        func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
        if chance(70) { members.append(("/", chance(5) ? .integer(5) : pattern(&random))) }
        if chance(15) { members.append(("#", pattern(&random))) }
        if chance(15) { members.append(("?", pattern(&random))) }
        if chance(20) {
            let items = ["x", "Y"].filter { _ in chance(60) }.map { name in
                (name, chance(8) ? JSONValue.flag(true) : pattern(&random))
            }
            members.append(("?", .object(items)))
        }
        for (key, percent) in [("exclude", 25), ("caseSensitive", 25), ("percentEncoded", 20)]
        where chance(percent) {
            members.append((key, chance(10) ? .text("true") : .flag(chance(50))))
        }
        return .object(members)
    }

    private static func entry(_ app: String, _ random: inout SeededRandom) -> JSONValue {
        var members: [(String, JSONValue)] = [("appIDs", .list([.text(app)]))]
        let count = Int.random(in: 1...4, using: &random)
        switch Int.random(in: 0..<10, using: &random) {
        case 0: break
        case 1, 2:
            members.append(
                (
                    "paths",
                    .list(
                        (0..<count).map { _ in
                            let path = pattern(&random).string ?? ""
                            return .text(Bool.random(using: &random) ? path : "NOT " + path)
                        })
                ))
        default: members.append(("components", .list((0..<count).map { _ in rule(&random) })))
        }
        if Bool.random(using: &random) { members.append(("defaults", rule(&random))) }
        return .object(members)
    }

    static func document(_ random: inout SeededRandom) -> JSONValue {
        var members: [(String, JSONValue)] = [
            ("details", .list(apps.map { entry($0, &random) })),
            ("substitutionVariables", .object([("v", .list([.text("a"), .text("B*")]))])),
        ]
        if Int.random(in: 0..<3, using: &random) == 0 {
            members.append(("defaults", rule(&random)))
        }
        return .object([("applinks", .object(members))])
    }

    static func url(_ random: inout SeededRandom) -> String {
        func part(_ most: Int) -> String { text(["a", "A", "b", "/", "1", "%61"], most, &random) }
        var url = "/" + part(5)
        if Bool.random(using: &random) {
            let items = (0..<Int.random(in: 1...3, using: &random)).map { _ in
                pick(["x", "X", "Y", "y"], &random) + pick(["=", "=", ""], &random) + part(2)
            }
            url += "?" + items.joined(separator: "&")
        }
        return Bool.random(using: &random) ? url : url + "#" + part(2)
    }
}

/// The decision in the words of the documentation, from the JSON.
private struct ReferenceDecision {
    private let links: JSONValue
    private let path: String
    private let query: String
    private let fragment: String

    init(_ document: JSONValue, _ url: String) {
        links = document["applinks"] ?? .object([])
        let parts = url.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let front = parts[0].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = String(front[0])
        query = front.count > 1 ? String(front[1]) : ""
        fragment = parts.count > 1 ? String(parts[1]) : ""
    }

    func decision(of app: String) -> LinkDecision {
        for entry in links["details"]?.array ?? []
        where entry["appIDs"]?.array?.contains(where: { $0.string == app }) == true {
            let outer = [entry["defaults"], links["defaults"]].compactMap { $0 }
            if let components = entry["components"]?.array {
                for rule in components where matches([rule] + outer) {
                    return flag("exclude", [rule] + outer, false) ? .exclude : .match
                }
            } else if let paths = entry["paths"]?.array {
                for text in paths.compactMap(\.string) {
                    let isExclusion = text.hasPrefix("NOT ")
                    let pattern = isExclusion ? String(text.dropFirst(4)) : text
                    let matcher = matcher(outer)
                    if matcher.matchesPath(pattern, form(path, outer)) {
                        return isExclusion ? .exclude : .match
                    }
                }
            } else {
                return .match
            }
        }
        return .none
    }

    /// The value of the first level that has one of the right type.
    private func flag(_ key: String, _ levels: [JSONValue], _ builtIn: Bool) -> Bool {
        levels.lazy.compactMap { $0[key]?.bool }.first ?? builtIn
    }

    private func matcher(_ levels: [JSONValue]) -> ReferenceMatcher {
        ReferenceMatcher(
            variables: [("v", ["a", "B*"])],
            caseSensitive: flag("caseSensitive", levels, true))
    }

    private func form(_ text: String, _ levels: [JSONValue]) -> String {
        flag("percentEncoded", levels, true) ? text : text.replacing("%61", with: "a")
    }

    private func matches(_ levels: [JSONValue]) -> Bool {
        let matcher = matcher(levels)
        let pattern = levels.lazy.compactMap { $0["/"]?.string }.first ?? "*"
        guard matcher.matchesPath(pattern, form(path, levels)) else { return false }
        let mark = levels.lazy.compactMap { $0["#"]?.string }.first ?? "*"
        guard matcher.matches(mark, form(fragment, levels)) else { return false }
        // A "?" of a wrong type is dropped, and takes the place of defaults.
        guard let wanted = levels.lazy.compactMap({ $0["?"] }).first else { return true }
        if let text = wanted.string { return matcher.matches(text, form(query, levels)) }
        let members = wanted.members ?? []
        if members.contains(where: { $0.value.string == nil }) { return true }
        return members.allSatisfy { member in
            let values = query.split(separator: "&", omittingEmptySubsequences: false).compactMap {
                item -> String? in
                let name = item.prefix { $0 != "=" }
                func fold(_ text: String) -> String {
                    matcher.caseSensitive ? text : text.lowercased()
                }
                guard fold(form(String(name), levels)) == fold(member.key) else { return nil }
                return form(String(item.dropFirst(name.count + 1)), levels)
            }
            return (values.isEmpty ? [""] : values).allSatisfy {
                matcher.matches(member.value.string ?? "", $0)
            }
        }
    }
}
