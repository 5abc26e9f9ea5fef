import Foundation
import TestSupport
import Testing

/// What validators say of the schemas is asked in Tests/Deploy/test_schema.py.
@Suite struct SchemaCommandTests {
    @Test(arguments: [
        "association", "host", "lint", "findings", "build", "webauthn", "assetlinks",
    ])
    func printsJSON(name: String) throws {
        let result = try Tool.aasa(["schema", name])
        #expect(result.status == 0 && result.stderr.isEmpty, "\(result)")
        let schema = try JSONSerialization.jsonObject(with: Data(result.outputBytes))
        let members = try #require(schema as? [String: Any])
        #expect(members["$schema"] as? String == "http://json-schema.org/draft-07/schema#")
        let content = members["properties"] ?? members["items"]
        expectEqual((content as? [String: Any])?.isEmpty, false)
    }

    /// `deploy/reference/json.md` has each command with `--format`, and names schemas that exist.
    @Test func thePageListsEveryCommandThatWritesJSON() throws {
        func page(_ name: String) throws -> [Substring] {
            let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appendingPathComponent("../../../deploy/\(name)").standardizedFileURL
            return try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        }
        var writers: Set<Substring> = []
        var command: Substring = ""
        for line in try page("OPTIONS.md") {
            if line.hasPrefix("## aasa ") { command = line.dropFirst(3) }
            if line.hasPrefix("| `--format ") { writers.insert(command) }
        }
        let rows = try page("reference/json.md").filter { $0.hasPrefix("| `aasa ") }
        let listed = rows.compactMap { $0.split(separator: "`").dropFirst().first }
        #expect(Set(listed) == writers && listed.count == writers.count)
        for row in rows {
            for found in row.matches(of: #/aasa schema ([a-z]+)/#) {
                try expectEqual(Tool.aasa(["schema", String(found.1)]).status, 0, "\(row)")
            }
        }
    }

    @Test func writesAFile() throws {
        let folder = try TemporaryFolder("schema")
        let file = folder.path("association.json")
        try expectEqual(Tool.aasa(["schema", "--output", file]).status, 0)
        let written = try Data(contentsOf: URL(fileURLWithPath: file))
        try expectEqual(Tool.aasa(["schema"]).outputBytes, [UInt8](written))
        try expectEqual(Tool.aasa(["schema", "nothing"]).status, 2)
    }
}
