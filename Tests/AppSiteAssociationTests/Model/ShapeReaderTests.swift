import AppSiteAssociation
import Testing

@Suite struct ShapeReaderTests {
    private func read(_ text: String) throws -> AssociationFile {
        try AssociationFile(reading: SourceText(name: "f", text: text))
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
}
