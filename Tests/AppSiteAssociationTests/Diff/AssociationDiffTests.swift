// Covers: AssociationChange.swift, AppLinksDiff.swift, EffectiveRule.swift

import AppSiteAssociation
import Foundation
import TestSupport
import Testing

@Suite struct AssociationDiffTests {
    private func file(_ text: String) throws -> AssociationFile {
        try AssociationFile(reading: SourceText(name: "f", text: text))
    }

    private func diff(_ before: String, _ after: String) throws -> [String] {
        AssociationDiff.diff(try file(before), try file(after)).map(\.description)
    }

    private func links(_ details: String, _ more: String = "") -> String {
        #"{"applinks": {\#(more) "details": [\#(details)]}}"#
    }

    private func rules(_ components: String, _ more: String = "") -> String {
        links(#"{"appIDs": ["A.a"], "components": [\#(components)]}"#, more)
    }

    // MARK: No change

    @Test func findsNothingInFormatting() throws {
        for url in Corpus.files(in: "aasa", withExtension: "json") {
            let source = SourceText(
                name: url.lastPathComponent, bytes: [UInt8](try Data(contentsOf: url)))
            guard let before = try? AssociationFile(reading: source) else { continue }
            for bytes in [
                JSONWriter.minified(before.document.root),
                JSONWriter.indented(before.document.root, by: 7),
            ] {
                let after = try AssociationFile(reading: SourceText(name: "x", bytes: bytes))
                #expect(AssociationDiff.diff(before, after).isEmpty, "\(source.name)")
            }
        }
    }

    @Test func findsNothingInOtherWordsForTheSame() throws {
        let component = #"{"/": "/x", "caseSensitive": false}"#
        let plain = rules(component)
        #expect(
            try diff(
                plain,
                rules(
                    #"{"comment": "c", "caseSensitive": false, "/": "/x", "?": "*", "exclude": "#
                        + #"false}"#
                )) == [])
        #expect(
            try diff(plain, rules(#"{"/": "/x"}"#, #""defaults": {"caseSensitive": false},"#)) == []
        )
        #expect(
            try diff(
                plain,
                links(
                    #"{"appID": "A.a", "defaults": {"caseSensitive": false}, "components": "#
                        + #"[{"/": "/x"}]}"#
                )) == [])
        let x = rules(#"{"/": "/$(x)"}"#, #""substitutionVariables": {"x": ["1", "2"]},"#)
        let y = rules(#"{"/": "/$(y)"}"#, #""substitutionVariables": {"y": ["2", "1"], "z": []},"#)
        #expect(try diff(x, y) == [])
    }

    // MARK: Apps

    @Test func findsApps() throws {
        #expect(
            try diff(
                #"{"webcredentials": {"apps": ["A.a", "A.b"]}}"#,
                #"{"webcredentials": {"apps": ["A.c", "A.b"]}, "appclips": {"apps": ["A.x"]}}"#)
                == ["- app A.a", "+ app A.c", "+ app A.x"])
        #expect(
            try diff(rules("{}"), #"{"applinks": {"details": {"A.b": {"paths": ["*"]}}}}"#)
                == ["- app A.a", "+ app A.b", "+ rule {} (takes EVERY URL) of A.b"])
    }

    @Test func comparesSharedEntriesOnce() throws {
        let apps = (0..<2_000).map { #""A.n\#($0)""# }.joined(separator: ",")
        let paths = (0..<2_000).map { #"{"/":"/p\#($0)"}"# }
        func document(_ rules: [String]) -> String {
            links(#"{"appIDs":[\#(apps)],"components":[\#(rules.joined(separator: ","))]}"#)
        }
        let changes = AssociationDiff.diff(
            AssociationFile(document: try JSONReader.read(text: document(paths))),
            AssociationFile(document: try JSONReader.read(text: document(paths.dropLast()))))
        #expect(changes.map(\.kind) == [.ruleRemoved])
        #expect(changes.first?.apps.count == 2_000)
    }

    @Test func findsTheOrderOfApps() throws {
        let a = #"{"appIDs": ["A.a"], "components": []}"#
        let b = #"{"appIDs": ["A.b"], "components": []}"#
        #expect(
            try diff(links("\(a), \(b)"), links("\(b), \(a)"))
                == ["~ order of apps: A.b, A.a, was A.a, A.b"])
    }

    // MARK: Rules

    @Test func findsRules() throws {
        let old = #"{"/": "/a"}, {"/": "/b"}, {"/": "/c"}"#
        #expect(
            try diff(rules(old), rules(#"{"/": "/a"}, {"/": "/c"}"#))
                == [#"- rule {"/":"/b"} of A.a"#])
        #expect(
            try diff(rules(old), rules(#"{"/": "/z"}, "# + old)) == [#"+ rule {"/":"/z"} of A.a"#])
        #expect(
            try diff(rules(old), rules(#"{"/": "/a"}, {"/": "/b", "exclude": true}, {"/": "/c"}"#))
                == [#"~ rule {"/":"/b"} -> {"/":"/b","exclude":true} of A.a"#])
        #expect(
            try diff(rules(old), rules(#"{"/": "/b"}, {"/": "/c"}, {"/": "/a"}"#))
                == [#"~ rule {"/":"/a"} moved from place 1 to 3 of A.a"#])
    }

    @Test func namesAllAppsOfAnEntryOnce() throws {
        let before = links(#"{"appIDs": ["A.a", "A.b"], "components": []}"#)
        let after = links(#"{"appIDs": ["A.a", "A.b"], "components": [{"/": "/n"}]}"#)
        #expect(try diff(before, after) == [#"+ rule {"/":"/n"} of A.a, A.b"#])
    }

    @Test func findsTheFormOfRules() throws {
        let paths = links(#"{"appID": "A.a", "paths": ["NOT /x", "/y"]}"#)
        let components = rules(#"{"/": "/x", "exclude": true}, {"/": "/y"}"#)
        #expect(
            try diff(paths, components)
                == ["~ rules of A.a are written as components, were paths"])
    }

    @Test func findsAnEntryThatLostItsRules() throws {
        let changes = try diff(rules(#"{"/": "/x"}"#), links(#"{"appIDs": ["A.a"]}"#))
        #expect(changes == [#"~ rule {"/":"/x"} -> {} of A.a"#])
    }

    @Test func findsVariables() throws {
        let rule = #"{"/": "/$(x)"}"#
        let one = rules(rule, #""substitutionVariables": {"x": ["1"]},"#)
        let two = rules(rule, #""substitutionVariables": {"x": ["1", "2"]},"#)
        #expect(try diff(one, two) == [#"~ variable x: ["1"] -> ["1","2"]"#])
        #expect(try diff(one, rules(rule)) == [#"~ variable x: ["1"] -> undefined"#])
    }

    @Test func findsMembersItDoesNotKnow() throws {
        #expect(
            try diff(#"{"a": 1, "b": {"x": 1, "y": 2}}"#, #"{"b": {"y": 2, "x": 1}, "c": []}"#)
                == ["- a: 1", "+ c: []"])
        #expect(
            try diff(
                #"{"applinks": {"details": [], "o": 1}}"#, #"{"applinks": {"details": [], "o": 2}}"#
            )
                == ["~ applinks.o: 1 -> 2"])
    }

    @Test func knowsThePlaces() throws {
        let change = try #require(
            AssociationDiff.diff(
                try file(rules("")), try file("\n" + rules(#"{"/": "/new"}"#))
            ).first)
        #expect(change.kind == .ruleAdded)
        #expect(change.before == nil)
        #expect(change.after?.position.line == 2)
        #expect(change.after?.index == 0)
    }

    // MARK: Properties

    @Test(arguments: (1...10).map(UInt64.init)) func appliesToRandomLists(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<50 {
            func list() -> String {
                (0..<Int.random(in: 0...8, using: &random)).map { _ in
                    #"{"/": "/\#(Int.random(in: 0...5, using: &random))"}"#
                }.joined(separator: ",")
            }
            let (a, b) = (list(), list())
            let there = AssociationDiff.diff(try file(rules(a)), try file(rules(b)))
            let back = AssociationDiff.diff(try file(rules(b)), try file(rules(a)))
            #expect(there.isEmpty == (a == b), "seed \(seed): \(a) \(b)")
            #expect(there.count == back.count, "seed \(seed): \(a) \(b)")
            let growth =
                there.count { $0.kind == .ruleAdded } - there.count { $0.kind == .ruleRemoved }
            #expect(
                growth == b.split(separator: ",").count - a.split(separator: ",").count,
                "seed \(seed): \(a) \(b)")
        }
    }

    /// Long defaults under many rules: 1,000 rules of 60,000 bytes each, if each were written out.
    @Test func comparesInheritedPatternsWithoutWritingThemOut() throws {
        let long = String(repeating: "a", count: 60_000)
        func document(_ last: String) -> String {
            let list = (0..<1_000).map { ##"{"#": "\##($0)"}"## } + [last]
            return rules(list.joined(separator: ","), #""defaults": {"/": "/\#(long)"},"#)
        }
        let changes = AssociationDiff.diff(
            try file(document(##"{"#": "x"}"##)), try file(document(##"{"#": "y"}"##)))
        #expect(changes.map(\.kind) == [.ruleChanged])
        #expect((changes.first?.after?.text.utf8.count ?? 0) < 2_000)
    }

    /// The same long pattern in thousands of rules is said in thousands of changes, but not beyond
    /// what anybody would read.
    @Test func listsNoMoreTextThanSomebodyReads() throws {
        let list = (0..<3_000).map { ##"{"#": "\##($0)"}"## }.joined(separator: ",")
        let long = #""defaults": {"/": "/\#(String(repeating: "a", count: 20_000))"},"#
        let changes = AssociationDiff.diff(try file(rules("")), try file(rules(list, long)))
        let shown = changes.reduce(0) { $0 + ($1.after?.text.utf8.count ?? 0) }
        #expect(shown <= 1_050_576)
        #expect(changes.last?.kind == .changesOmitted)
        let listed = changes.count { $0.kind == .ruleAdded }
        #expect(changes.last?.subject == "\(3_000 - listed) more changes of rules")
    }

    @Test func countsWhatItDoesNotList() throws {
        let many = (0..<AssociationDiff.changesMaximum + 5).map { #"{"/": "/\#($0)"}"# }
        let changes = AssociationDiff.diff(
            try file(rules("")), try file(rules(many.joined(separator: ","))))
        #expect(changes.count == AssociationDiff.changesMaximum + 1)
        #expect(changes.last.map { "\($0)" } == "… and 5 more changes of rules")
    }

    @Test func comparesThousandsOfRulesQuickly() throws {
        let many = { (offset: Int) in
            (0..<2_500).map { #"{"/": "/\#($0 + offset)"}"# }.joined(separator: ",")
        }
        let changes = try diff(rules(many(0)), rules(many(2_500)))
        #expect(changes.count == 5_000)
    }
}
