// Covers: Merge.swift

import AppSiteAssociation
import TestSupport
import Testing

/// The merged document decides every URL for every app as the app's own fragment does.
@Suite struct MergePropertyTests {
    @Test(arguments: (1...24).map(UInt64.init)) func decidesAsTheFragmentsDo(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for round in 0..<20 {
            let teams = ["AAAA111111", "BBBB222222", "CCCC333333"].prefix(
                Int.random(in: 1...3, using: &random))
            let fragments = try teams.map { team in
                let bytes = JSONWriter.minified(Self.fragment(team, &random))
                return Fragment(
                    team: team,
                    file: try AssociationFile(reading: SourceText(name: team, bytes: bytes)))
            }
            let result = Merge.merge(fragments)
            let bytes = try #require(
                result.bytes, "seed \(seed) round \(round): \(result.diagnostics)")
            expectEqual(Merge.merge(fragments).bytes, bytes)
            #expect(result.teamSizes.reduce(0) { $0 + $1.bytes } <= bytes.count)
            let merged = CompiledAssociation(
                try AssociationFile(reading: SourceText(name: "merged", bytes: bytes)))

            for _ in 0..<30 {
                let url = Self.url(&random)
                let together = try #require(merged.decide(url: url))
                for fragment in fragments {
                    let alone = try #require(CompiledAssociation(fragment.file).decide(url: url))
                    let ours = together.filter { $0.app.hasPrefix(fragment.team) }
                    #expect(
                        ours.map(\.app) == alone.map(\.app)
                            && ours.map(\.decision) == alone.map(\.decision),
                        """
                        seed \(seed) round \(round) \(url)
                        alone \(fragment.file.source.text(in: 0..<99_999))
                        merged \(String(decoding: bytes, as: UTF8.self))
                        """)
                }
            }
        }
    }

    // MARK: Random documents

    private static func object(_ members: [(String, JSONValue)]) -> JSONValue {
        JSONValue(.object(members.map { JSONMember(key: $0.0, value: $0.1) }))
    }

    private static func string(_ text: String) -> JSONValue { JSONValue(.string(text)) }

    private static func fragment(_ team: String, _ random: inout SeededRandom) -> JSONValue {
        var applinks: [(String, JSONValue)] = []
        if chance(&random) { applinks.append(("defaults", component(&random))) }
        if chance(&random) {
            let names = ["x", "y", "lang", "alpha", "x-BBBB222222"].filter { _ in chance(&random) }
            applinks.append(
                (
                    "substitutionVariables",
                    object(
                        names.map { name in
                            let values = ["a", "b", "en", "*"].filter { _ in chance(&random) }
                            return (name, JSONValue(.array(values.map(string))))
                        })
                ))
        }
        let isDictionary = Int.random(in: 0..<4, using: &random) == 0
        let count = Int.random(in: 1...3, using: &random)
        let details = (0..<count).map { detail(team, $0, isDictionary, &random) }
        applinks.append(
            (
                "details",
                isDictionary
                    ? object(details.enumerated().map { ("\(team).app\($0)", $1) })
                    : JSONValue(.array(details))
            ))
        return object([("applinks", object(applinks))])
    }

    private static func detail(
        _ team: String, _ index: Int, _ isDictionary: Bool, _ random: inout SeededRandom
    ) -> JSONValue {
        var members: [(String, JSONValue)] = []
        if !isDictionary {
            if chance(&random) {
                members.append(("appID", string("\(team).app\(index % 2)")))
            } else {
                let apps = (0...index).map { string("\(team).app\($0)") }
                members.append(("appIDs", JSONValue(.array(apps))))
            }
        }
        if chance(&random) { members.append(("defaults", component(&random))) }
        let count = Int.random(in: 0...3, using: &random)
        if chance(&random) {
            members.append(
                ("components", JSONValue(.array((0..<count).map { _ in component(&random) }))))
        } else {
            let paths = (0..<count).map { _ in
                string((Int.random(in: 0..<3, using: &random) == 0 ? "NOT " : "") + path(&random))
            }
            members.append(("paths", JSONValue(.array(paths))))
        }
        return object(members)
    }

    private static func component(_ random: inout SeededRandom) -> JSONValue {
        var members: [(String, JSONValue)] = []
        if chance(&random) { members.append(("/", string(path(&random)))) }
        switch Int.random(in: 0..<4, using: &random) {
        case 0: members.append(("?", string(part(&random))))
        case 1: members.append(("?", object([("q", string(part(&random)))])))
        default: break
        }
        if Int.random(in: 0..<4, using: &random) == 0 {
            members.append(("#", string(part(&random))))
        }
        for flag in ["exclude", "caseSensitive", "percentEncoded"]
        where Int.random(in: 0..<3, using: &random) == 0 {
            members.append((flag, JSONValue(.bool(chance(&random)))))
        }
        return object(members)
    }

    private static func path(_ random: inout SeededRandom) -> String {
        "/"
            + (0..<Int.random(in: 1...2, using: &random)).map { _ in part(&random) }
            .joined(separator: "/")
    }

    private static func part(_ random: inout SeededRandom) -> String {
        ["a", "b", "B", "*", "?", "$(x)", "$(y)", "$(lang)", "$(alpha)", "$(x", "en"]
            .randomElement(using: &random) ?? "*"
    }

    private static func url(_ random: inout SeededRandom) -> String {
        let parts = ["a", "A", "b", "B", "en", "fr", "%61", ""]
        func pick(_ random: inout SeededRandom) -> String {
            parts.randomElement(using: &random) ?? "a"
        }
        var url = "https://example.com/" + pick(&random)
        if chance(&random) { url += "/" + pick(&random) }
        if chance(&random) { url += "?q=" + pick(&random) }
        if chance(&random) { url += "#" + pick(&random) }
        return url
    }

    private static func chance(_ random: inout SeededRandom) -> Bool {
        Bool.random(using: &random)
    }
}
