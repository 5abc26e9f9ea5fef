import Foundation
import TestSupport
import Testing

@testable import AppSiteAssociation

/// The reference of the format, key by key, is written from the table:
/// `AASA_UPDATE_GOLDEN=1 swift test --filter FormatPageTests`.
@Suite struct FormatPageTests {
    @Test func thePageIsThatOfTheTable() throws {
        let page = Fixtures.packageRoot.appendingPathComponent(
            "Sources/AppSiteAssociation/AppSiteAssociation.docc"
        ).appendingPathComponent("FileFormat.md")
        let text = Self.page
        if ProcessInfo.processInfo.environment["AASA_UPDATE_GOLDEN"] != nil {
            try text.write(to: page, atomically: true, encoding: .utf8)
        }
        try expectEqual(String(contentsOf: page, encoding: .utf8), text)
    }

    private static let titles = [
        "document": "The document", "applinks": "applinks",
        "apps": "A list of apps",
        "entry": "An entry of details", "component": "A component, and defaults",
    ]

    private static var page: String {
        let objects = AssociationFormat.format.root.namedObjects.filter {
            titles[$0.name ?? ""] != nil
        }
        return """
            # The format of the association file

            Every key of `apple-app-site-association`, with its type and the first system that reads it.

            Devices ignore other keys, so a misspelt key is a missing one. `aasa lint` reports both. `aasa schema` prints the same
            table as a JSON Schema for editors. This page is written from that table (`AssociationFormat`); a test keeps it current.


            """ + objects.map { section($0) }.joined(separator: "\n")
    }

    private static func section(_ object: SchemaObject) -> String {
        var lines = ["## \(titles[object.name ?? ""] ?? "")", ""]
        for need in object.needs {
            let keys = need.keys.filter { object[$0]?.standing != .undocumented }
            lines += ["Required: " + keys.map { "`\($0)`" }.joined(separator: " or ") + ".", ""]
        }
        lines += ["| key | type | since | meaning |", "|---|---|---|---|"]
        lines += object.members.map { member in
            let mark = member.text.firstRange(of: " Since ")
            let since = mark.map { member.text[$0.upperBound...].dropLast() } ?? ""
            let text = mark.map { member.text[..<$0.lowerBound] } ?? member.text[...]
            return "| `\(member.key)` | \(type(member.node)) | \(since) | \(text) |"
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func type(_ node: SchemaNode) -> String {
        switch node {
        case .list(let element): "array of \(plural(element))"
        case .table(let element): "object; its values: \(type(element))"
        case .either(let first, let second): "\(type(first)), or \(type(second))"
        case .object(let object): titles[object.name ?? ""].map { "object: \($0)" } ?? "object"
        case .string, .choice, .boolean, .integer, .anything: node.typeName
        }
    }

    private static func plural(_ node: SchemaNode) -> String {
        guard case .object(let object) = node else { return "strings" }
        return "objects: " + (titles[object.name ?? ""] ?? "")
    }
}
