import TestSupport
import Testing

@testable import AppSiteAssociation

/// What validators of other people say of the schemas is asked in Tests/Deploy/test_schema.py.
@Suite struct AssociationFormatTests {
    private static let objects = AssociationFormat.format.root.namedObjects

    /// The model reads every key of the table that Apple documents.
    @Test func everyServiceIsInTheModel() {
        expectEqual(AssociationFormat.services, AssociationService.allCases.map(\.rawValue))
    }

    @Test func everyKeyOfAComponentIsInTheModel() throws {
        let members = AssociationFormat.component.members
        expectEqual(
            members.map(\.key).sorted(), LinkComponent.Key.allCases.map(\.rawValue).sorted())
    }

    @Test func keysOfAnObjectAreUnique() {
        expectEqual(Self.objects.count, 6)
        for object in Self.objects {
            expectEqual(Set(object.members.map(\.key)).count, object.members.count)
            for need in object.needs { for key in need.keys { #expect(object[key] != nil) } }
        }
    }

    /// Every code of the table has its rule, and every rule of the shape its place in the table.
    @Test func codesAreThoseOfTheCatalogue() {
        var codes: Set = ["duplicate-key", "root-not-object"]
        for object in Self.objects {
            codes.formUnion(object.members.flatMap(\.wrong))
            codes.formUnion(object.members.compactMap { $0.list?.code })
            codes.formUnion(object.needs.compactMap(\.code))
            codes.formUnion([object.codes?.misspelt, object.codes?.unknown].compactMap { $0 })
        }
        for code in codes { #expect(RuleCatalog.rule(code) != nil, "\(code)") }
        #expect(RuleCatalog.shape.isSubset(of: codes))
    }

    /// A remedy names a member that there is, and none says that a right name is wrong.
    @Test func remediesNameMembers() {
        let component = AssociationFormat.component
        #expect(component.synonyms.count > 15 && component.opposites.count > 10)
        for (written, meant) in component.synonyms {
            #expect(component[meant] != nil, "\(written)")
            #expect(component[written] == nil && written == written.lowercased())
        }
        for (written, meant) in component.opposites {
            #expect(["exclude", "caseSensitive", "percentEncoded"].contains(meant), "\(written)")
            #expect(written.allSatisfy { $0.isLowercase })
            #expect(component.synonyms[written] == nil)
        }
    }

    /// The schema has two definitions, as the older form of an entry needs no app.
    @Test func bothFormsOfAnEntryHaveTheSameMembers() throws {
        let entry = try #require(DocumentFormat.definitions["entry"]?["properties"])
        let named = try #require(DocumentFormat.definitions["namedEntry"]?["properties"])
        #expect(entry.means(named))
        expectEqual(entry["appID"]?["pattern"]?.string, AppIdentifier.expression)
    }

    @Test func everyMemberIsTypedAndDescribed() throws {
        var left = [
            AssociationFormat.format.schema, LintConfiguration.format.schema, LintReport.schema,
        ]
        var seen = 0
        while let node = left.popLast() {
            for (name, member) in (node["properties"]?.members ?? []).map({ ($0.key, $0.value) }) {
                seen += 1
                expectEqual(member["description"]?.string?.hasSuffix("."), true, "\(name)")
                #expect(
                    name == "authsrv" || member["type"] != nil || member["enum"] != nil
                        || member["allOf"] != nil,
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
        let schema = AssociationFormat.format.schema
        let names = Set((schema["definitions"]?.members ?? []).map(\.key))
        let text = String(decoding: JSONWriter.minified(schema), as: UTF8.self)
        let used = Set(
            text.components(of: "\"#/definitions/").dropFirst().compactMap {
                $0.split(separator: "\"").first.map(String.init)
            })
        expectEqual(names, used)
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
