import AppSiteAssociation
import Foundation
import TestSupport
import Testing

/// What no fix may do, over the corpus and over documents made from a seed. The matcher and the
/// linter judge, not what the fixes say of themselves.
@Suite struct FixCheckTests {
    @Test func theCorpusKeepsItsMeaning() throws {
        for file in Corpus.files(in: "aasa", withExtension: "json") {
            let bytes = [UInt8](try Data(contentsOf: file))
            judge(
                SourceText(name: file.lastPathComponent, bytes: bytes), "\(file.lastPathComponent)")
        }
    }

    @Test func madeDocumentsKeepTheirMeaning() {
        var random = SeededRandom(seed: 41)
        var fixed = 0
        for number in 0..<1_000 {
            let text = MadeDocument.text(&random)
            if judge(SourceText(name: "made", text: text), "number \(number): \(text)") {
                fixed += 1
            }
        }
        // Else the slips that are planted are none.
        #expect(fixed > 300)
    }

    /// The document before the slips tells what was meant, also where a slip kept it from being
    /// read.
    @Test func whatIsFixedIsWhatWasMeant() throws {
        var random = SeededRandom(seed: 42)
        var compared = 0
        for number in 0..<1_000 {
            let (clean, slipped) = MadeDocument.pair(&random)
            let (bytes, codes) = Fixer.fixed(SourceText(name: "made", text: slipped)) {
                Linter.lint($0, as: .association)
            }
            let meant = SourceText(name: "made", text: clean)
            let fixed = SourceText(name: "made", bytes: bytes)
            guard !codes.isEmpty, Self.errors(fixed) == Self.errors(meant) else { continue }
            compared += 1
            Self.expectSameDecisions(
                try AssociationFile(reading: meant), try AssociationFile(reading: fixed),
                "number \(number): \(slipped)")
        }
        #expect(compared > 200)
    }

    private static func expectSameDecisions(
        _ old: AssociationFile, _ new: AssociationFile, _ what: String
    ) {
        let (was, now) = (CompiledAssociation(old), CompiledAssociation(new))
        expectEqual(was.apps, now.apps, "\(what)")
        for url in MadeDocument.urls {
            let (left, right) = (was.decide(url: url) ?? [], now.decide(url: url) ?? [])
            expectEqual(left.map(\.decision), right.map(\.decision), "\(url): \(what)")
        }
    }

    /// - Returns: whether something was fixed.
    @discardableResult private func judge(_ source: SourceText, _ what: String) -> Bool {
        let (bytes, codes) = Fixer.fixed(source) { Linter.lint($0, as: .association) }
        if codes.isEmpty {
            expectEqual(bytes, source.bytes, "\(what)")
            return false
        }
        let after = SourceText(name: source.name, bytes: bytes)
        guard let new = try? AssociationFile(reading: after) else {
            Issue.record("no JSON any more: \(what)")
            return true
        }
        guard let old = try? AssociationFile(reading: source) else { return true }
        #expect(Self.rules(new).count >= Self.rules(old).count, "\(what)")
        for (code, count) in Self.errors(after)
        where codes.allSatisfy({ !$0.hasSuffix("-misspelt") }) {
            #expect(count <= Self.errors(source)[code, default: 0], "\(code) is new: \(what)")
        }
        if codes.contains(where: Fixer.changesMeaning) { return true }
        Self.expectSameDecisions(old, new, what)
        return true
    }

    private static func rules(_ file: AssociationFile) -> [Int] {
        file.applinks?.details.flatMap { detail in
            Array(0..<(detail.components?.count ?? detail.paths?.count ?? 0))
        } ?? []
    }

    private static func errors(_ source: SourceText) -> [String: Int] {
        Linter.lint(source, as: .association).filter { $0.severity == .error }.reduce(into: [:]) {
            $0[$1.code, default: 0] += 1
        }
    }
}

/// Documents with the slips that people make.
private enum MadeDocument {
    static let urls = [
        "/", "/a", "/a/b", "/help/x", "/de/account/password", "/buy/1?q=1", "/x#top",
    ].map {
        "https://example.com" + $0
    }

    private static let patterns = ["/a", "/a/*", "*", "/help/*", "/*/account/*", "/buy/?*", "/"]
    private static let slips: [(String, String)] = [
        ("\"exclude\"", "\"exlude\""), ("\"appIDs\"", "\"appIds\""),
        ("\"components\"", "\"Components\""),
        ("true", "\"true\""), ("true", "True"), ("},{", "} {"), ("\"exclude\"", "exclude"),
        ("]}", "],}"), ("\"/a\"", "'/a'"), ("\"*\"", "\u{201C}*\u{201D}"), ("NOT /", "not /"),
        ("NOT /", "!/"), ("\"NOT ", "NOT \""), ("\",\"", ",\" \""), ("{\"/\"", "{ // rule\n\"/\""),
        ("{\"/\"", "{ #: \"top\", \"/\""), ("\"/a/*\"", "/a/*\""), ("[{\"/\"", "[ // {\"/\""),
        ("\"details\"", "\"detials\""), ("D3KQX62K1A.com.a\"", " D3KQX62K1A.com.a\""),
    ]

    static func text(_ random: inout SeededRandom) -> String { pair(&random).slipped }

    static func pair(_ random: inout SeededRandom) -> (clean: String, slipped: String) {
        let entries = (0..<Int.random(in: 1...3, using: &random)).map { _ in entry(&random) }
        let clean = "{\"applinks\":{\"details\":[\(entries.joined(separator: ","))]}}"
        var text = clean
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            guard let (right, wrong) = slips.randomElement(using: &random) else { continue }
            let places = text.ranges(of: right)
            guard let place = places.randomElement(using: &random) else { continue }
            text.replaceSubrange(place, with: wrong)
        }
        return (clean, text)
    }

    private static func entry(_ random: inout SeededRandom) -> String {
        let app = ["D3KQX62K1A.com.a", "9JA89QQLNQ.com.b"].randomElement(using: &random) ?? ""
        let isOld = Int.random(in: 0..<3, using: &random) == 0
        let rules = (0..<Int.random(in: 1...5, using: &random)).map { _ in
            let pattern = patterns.randomElement(using: &random) ?? "*"
            let excludes = Bool.random(using: &random)
            return isOld
                ? "\"\(excludes ? "NOT " : "")\(pattern)\""
                : "{\"/\":\"\(pattern)\"\(excludes ? ",\"exclude\":true" : "")}"
        }.joined(separator: ",")
        return isOld
            ? "{\"appID\":\"\(app)\",\"paths\":[\(rules)]}"
            : "{\"appIDs\":[\"\(app)\"],\"components\":[\(rules)]}"
    }
}
