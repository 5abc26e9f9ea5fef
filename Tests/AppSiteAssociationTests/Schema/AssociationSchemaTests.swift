import AppSiteAssociation
import Testing

/// What validators of other people say of the schemas is asked in Tests/Deploy/test_schema.py.
@Suite struct AssociationSchemaTests {
    @Test func everyMemberIsTypedAndDescribed() throws {
        var left = [AssociationSchema.json, LintConfiguration.schema, LintReport.schema]
        var seen = 0
        while let node = left.popLast() {
            for (name, member) in (node["properties"]?.members ?? []).map({ ($0.key, $0.value) }) {
                seen += 1
                #expect(member["description"]?.string?.hasSuffix(".") == true, "\(name)")
                #expect(
                    member["type"] != nil || member["enum"] != nil || member["allOf"] != nil,
                    "\(name)")
            }
            switch node.kind {
            case .object(let members): left += members.map(\.value)
            case .array(let values): left += values
            case .null, .bool, .number, .string: break
            }
        }
        #expect(seen > 25)
    }

    @Test func referencesLeadSomewhere() throws {
        let schema = AssociationSchema.json
        let names = Set((schema["definitions"]?.members ?? []).map(\.key))
        let text = String(decoding: JSONWriter.minified(schema), as: UTF8.self)
        let used = Set(
            text.components(of: "\"#/definitions/").dropFirst().compactMap {
                $0.split(separator: "\"").first.map(String.init)
            })
        #expect(names == used)
    }
}

extension String {
    fileprivate func components(of separator: String) -> [Substring] {
        var rest = self[...]
        var parts: [Substring] = []
        while let range = rest.firstRange(of: separator) {
            parts.append(rest[..<range.lowerBound])
            rest = rest[range.upperBound...]
        }
        return parts + [rest]
    }
}
