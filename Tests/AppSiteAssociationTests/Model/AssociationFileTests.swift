// Covers: AppLinks.swift, LinkComponent.swift, ShapeReader.swift

import AppSiteAssociation
import Foundation
import TestSupport
import Testing

@Suite struct AssociationFileTests {
    private func read(_ text: String) throws -> AssociationFile {
        try AssociationFile(reading: SourceText(name: "f", text: text))
    }

    @Test func readsEveryService() throws {
        let file = try read(
            #"""
            {"webcredentials": {"apps": ["A.w"], "x": 1}, "appclips": {"apps": ["A.c"]},
             "activitycontinuation": {"apps": ["A.h"]}, "authsrv": {"apps": []},
             "applinks": {"apps": [], "details": []}}
            """#)
        #expect(file.webcredentials?.apps.map(\.value) == ["A.w"])
        #expect(file.webcredentials?.unknownMembers.map(\.key) == ["x"])
        #expect(file.appclips?.apps.map(\.value) == ["A.c"])
        #expect(file.activitycontinuation?.apps.map(\.value) == ["A.h"])
        #expect(file.unknownServices.map(\.key) == ["authsrv"])
        #expect(file.applinks?.detailsForm == .array)
        #expect(file.problems.isEmpty)
    }

    @Test func readsComponents() throws {
        let file = try read(
            ##"""
            {"applinks": {"defaults": {"caseSensitive": false, "z": 0},
              "substitutionVariables": {"v": ["a", "b"]},
              "details": [{"appIDs": ["A.a", "A.b"], "defaults": {"/": "/d"}, "other": {},
                "components": [
                  {"/": "/p", "?": "q", "#": "f", "exclude": true, "caseSensitive": true,
                   "percentEncoded": false, "comment": "c", "path": "/typo"},
                  {"?": {"a": "1", "b": "*"}}]}]}}
            """##)
        let links = try #require(file.applinks)
        #expect(links.defaults.caseSensitive?.value == false)
        #expect(links.defaults.unknownMembers.map(\.key) == ["z"])
        #expect(links.substitutionVariables.map(\.name.value) == ["v"])
        #expect(links.substitutionVariables.first?.values.map(\.value) == ["a", "b"])
        let detail = try #require(links.details.first)
        #expect(detail.appIDs.map(\.value) == ["A.a", "A.b"])
        #expect(detail.appIDForm == .appIDs)
        #expect(detail.defaults.path?.value == "/d")
        #expect(detail.unknownMembers.map(\.key) == ["other"])
        #expect(detail.paths == nil)
        let first = try #require(detail.components?.first)
        #expect(first.path?.value == "/p")
        #expect(first.query?.value == .pattern("q"))
        #expect(first.fragment?.value == "f")
        #expect(first.exclude?.value == true)
        #expect(first.caseSensitive?.value == true)
        #expect(first.percentEncoded?.value == false)
        #expect(first.comment?.value == "c")
        #expect(first.unknownMembers.map(\.key) == ["path"])
        let second = try #require(detail.components?.last)
        #expect(second.index == 1)
        guard case .items(let items) = second.query?.value else {
            Issue.record("no items")
            return
        }
        #expect(items.map(\.name.value) == ["a", "b"])
        #expect(items.map(\.pattern.value) == ["1", "*"])
        #expect(file.problems.isEmpty)
    }

    @Test func readsTheOldForms() throws {
        let dictionary = try read(
            #"{"applinks": {"details": {"A.a": {"paths": ["*"]}, "A.b": {"paths": []}}}}"#)
        #expect(dictionary.applinks?.detailsForm == .dictionary)
        #expect(dictionary.applinks?.details.map { $0.appIDs.map(\.value) } == [["A.a"], ["A.b"]])
        #expect(dictionary.applinks?.details.first?.appIDForm == .key)

        let single = try read(
            #"{"applinks": {"details": [{"appID": "A.a", "paths": ["NOT /x", "/y"]}]}}"#)
        #expect(single.applinks?.details.first?.appIDForm == .appID)
        #expect(single.applinks?.details.first?.paths?.map(\.value) == ["NOT /x", "/y"])
        #expect(single.applinks?.details.first?.components == nil)

        let both = try read(
            #"{"applinks": {"details": [{"appID": "A.a", "appIDs": ["A.b"], "paths": []}]}}"#)
        #expect(both.applinks?.details.first?.appIDs.map(\.value) == ["A.b"])
        #expect(both.applinks?.details.first?.appIDMember?.value.string == "A.a")
    }

    @Test func dropsAQueryWithAValueThatIsNoString() throws {
        for query in [#"{"a": "1", "b": true}"#, "5", "null", "[]"] {
            let file = try read(
                #"{"applinks": {"details": [{"appIDs": ["A.a"], "components": [{"?": "#
                    + #"\#(query)}]}]}}"#
            )
            #expect(file.applinks?.details.first?.components?.first?.query?.value == .dropped)
            #expect(file.problems.count == 1)
        }
    }

    @Test(arguments: [
        ("[]", ShapeRule.rootNotObject), ("\"x\"", .rootNotObject),
        (#"{"applinks": []}"#, .serviceNotObject), (#"{"webcredentials": 1}"#, .serviceNotObject),
        (#"{"webcredentials": {}}"#, .appsMissing),
        (#"{"webcredentials": {"apps": "A"}}"#, .appsNotArray),
        (#"{"webcredentials": {"apps": [1]}}"#, .appNotString),
        (#"{"applinks": {}}"#, .detailsMissing),
        (#"{"applinks": {"details": 1}}"#, .detailsWrongType),
        (#"{"applinks": {"details": ["A"]}}"#, .detailNotObject),
        (#"{"applinks": {"details": {"A": []}}}"#, .detailNotObject),
        (#"{"applinks": {"details": [{"paths": []}]}}"#, .appIDsMissing),
        (#"{"applinks": {"details": [{"appID": ["A"], "paths": []}]}}"#, .appIDNotString),
        (#"{"applinks": {"details": [{"appIDs": "A", "paths": []}]}}"#, .appIDsNotArray),
        (#"{"applinks": {"details": [{"appIDs": [{}], "paths": []}]}}"#, .appNotString),
        (#"{"applinks": {"details": [{"appID": "A", "paths": "*"}]}}"#, .pathsNotArray),
        (#"{"applinks": {"details": [{"appID": "A", "paths": [{}]}]}}"#, .pathNotString),
        (#"{"applinks": {"details": [{"appID": "A", "components": {}}]}}"#, .componentsNotArray),
        (#"{"applinks": {"details": [{"appID": "A", "components": ["/"]}]}}"#, .componentNotObject),
        (
            #"{"applinks": {"details": [{"appID": "A", "components": [{"/": 1}]}]}}"#,
            .patternNotString
        ),
        (
            #"{"applinks": {"details": [{"appID": "A", "components": [{"exclude": "true"}]}]}}"#,
            .flagNotBoolean
        ),
        (
            #"{"applinks": {"details": [{"appID": "A", "components": [{"comment": 1}]}]}}"#,
            .commentNotString
        ),
        (#"{"applinks": {"details": [], "defaults": []}}"#, .defaultsNotObject),
        (#"{"applinks": {"details": [], "substitutionVariables": []}}"#, .variablesNotObject),
        (#"{"applinks": {"details": [], "substitutionVariables": {"a": "b"}}}"#, .variableNotArray),
        (
            #"{"applinks": {"details": [], "substitutionVariables": {"a": [1]}}}"#,
            .variableValueNotString
        ),
        (#"{"a": 1, "a": 2}"#, .duplicateKey),
    ]) func reportsTheShape(_ text: String, _ rule: ShapeRule) throws {
        let file = try read(text)
        #expect(file.problems.map(\.code) == [rule.rawValue])
        #expect(file.problems.first?.severity == rule.severity)
        #expect(file.problems.first?.remedy?.isEmpty == false)
    }

    @Test func readsPublishedFiles() throws {
        var read = 0
        for url in Corpus.files(in: "aasa", withExtension: "json") {
            let source = SourceText(
                name: url.lastPathComponent, bytes: [UInt8](try Data(contentsOf: url)))
            guard let file = try? AssociationFile(reading: source) else { continue }
            read += 1
            for problem in file.problems { #expect(problem.range != nil, "\(problem)") }
            for detail in file.applinks?.details ?? [] {
                for app in detail.appIDs {
                    #expect(source.text(in: app.range).contains(app.value.prefix(4)))
                }
            }
        }
        if Corpus.root != nil { #expect(read > 120) }
    }
}
