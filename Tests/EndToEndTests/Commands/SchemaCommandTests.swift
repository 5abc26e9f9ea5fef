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
        #expect((content as? [String: Any])?.isEmpty == false)
    }

    @Test func writesAFile() throws {
        let folder = try TemporaryFolder("schema")
        let file = folder.path("association.json")
        #expect(try Tool.aasa(["schema", "--output", file]).status == 0)
        let written = try Data(contentsOf: URL(fileURLWithPath: file))
        #expect(try Tool.aasa(["schema"]).outputBytes == [UInt8](written))
        #expect(try Tool.aasa(["schema", "nothing"]).status == 2)
    }
}
