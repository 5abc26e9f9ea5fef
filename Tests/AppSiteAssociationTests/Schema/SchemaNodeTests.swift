import TestSupport
import Testing

@testable import AppSiteAssociation

@Suite struct SchemaNodeTests {
    private static let definitions: JSONValue = ["d": ["type": "object"]]

    private func node(_ text: String) throws -> SchemaNode {
        SchemaNode(try JSONReader.read(text: text).root, in: Self.definitions)
    }

    private func object(_ text: String) throws -> SchemaObject {
        guard case .object(let object) = try node(text) else { throw NoObject() }
        return object
    }

    private struct NoObject: Error {}

    @Test(arguments: [
        (#"{"type":"string"}"#, "a string"), (#"{"type":"boolean"}"#, "true or false"),
        (#"{"enum":["a","b"]}"#, "one of a, b"), ("{}", "any value"),
        (##"{"$ref":"#/definitions/d"}"##, "an object"),
        (##"{"description":"D.","allOf":[{"$ref":"#/definitions/d"}]}"##, "an object"),
        (#"{"type":"array","items":{"type":"boolean"}}"#, "an array"),
        (#"{"type":"object","additionalProperties":{"type":"boolean"}}"#, "an object"),
        (#"{"type":["string","array"],"items":{}}"#, "a string or an array"),
    ]) func aSchemaIsANode(_ schema: String, _ wanted: String) throws {
        try expectEqual(node(schema).typeName, wanted)
    }

    @Test func readsWhatStandsBelow() throws {
        let list = try node(#"{"type":"array","items":{"type":"boolean"}}"#)
        expectEqual(list.children.map(\.typeName), ["true or false"])
        let table = try node(#"{"type":"object","additionalProperties":{"type":"string"}}"#)
        expectEqual(table.children.map(\.typeName), ["a string"])
        let member = try object(
            #"{"type":"object","properties":{"k":{"type":"array","items":{}}}}"#)
        expectEqual(member["k"]?.node.children.map(\.typeName), ["any value"])
        guard case .string(let pattern) = try node(#"{"type":"string","pattern":"^a$"}"#) else {
            throw NoObject()
        }
        expectEqual(pattern, "^a$")
        try expectEqual(object(##"{"$ref":"#/definitions/d"}"##).name, "d")
    }

    /// Others are refused unless the object is open.
    @Test func anObjectIsOpenUnlessClosed() throws {
        let member = #""properties":{"k":{"type":"boolean","description":"K."}}"#
        let closed = try object(#"{"type":"object",\#(member),"additionalProperties":false}"#)
        #expect(!closed.isOpen && closed["k"]?.text == "K." && closed.name == nil)
        #expect(try object(#"{"type":"object",\#(member)}"#).isOpen)
    }

    /// One of one key is required, one of several is a choice; every choice has to be made.
    @Test func requirementsAreNeeds() throws {
        let object = try object(
            #"""
            {"type":"object",
             "properties":{"k":{"aasa":{"missing":"no-k","lacks":"lacks k"}},"l":{}},
             "required":["l"],
             "allOf":[{"anyOf":[{"required":["k"]},{"required":["l"]}]},
                      {"if":{"properties":{"l":{"const":"x"}},"required":["l"]},
                       "then":{"required":["k"]}}]}
            """#)
        expectEqual(object.needs.map(\.keys), [["l"], ["k", "l"], ["k"]])
        expectEqual(object.needs.map(\.code), [nil, "no-k", "no-k"])
        expectEqual(object.needs[1].message, "lacks k")
        #expect(object.needs[2].condition?.key == "l" && object.needs[2].condition?.value == "x")
        func applies(_ value: String) -> Bool {
            object.needs[2].applies(to: [JSONMember(key: "l", value: .text(value))])
        }
        #expect(applies("x") && !applies("y"))
    }

    @Test func notesOfAMemberAreRead() throws {
        let object = try object(
            #"""
            {"type":"object","aasa":{"place":"in x","noun":"a thing","misspelt":"m"},
             "properties":{"k":{"aasa":{"wrong":["a","b"],"standing":"repeated",
                                        "list":{"key":"ks","code":"c"}}}}}
            """#)
        #expect(object.place == "in x" && object.home == "in x" && object.noun == "a thing")
        #expect(object.codes?.misspelt == "m" && object.codes?.unknown == nil)
        let member = try #require(object["k"])
        #expect(member.wrong == ["a", "b"] && member.standing == .repeated)
        #expect(member.list?.key == "ks" && member.list?.code == "c")
    }

    /// Editors get neither the notes nor what other formats refer to.
    @Test func theSchemaIsWithoutNotes() {
        let schemas = [
            AssociationFormat.format.schema, SiblingFormat.assetLinks.schema,
            SiblingFormat.webAuthn.schema, LintConfiguration.format.schema,
        ]
        for schema in schemas {
            expectEqual(schema["title"]?.string?.isEmpty, false)
            schema.forEachValue { #expect($0["aasa"] == nil) }
        }
        #expect(SiblingFormat.webAuthn.schema["definitions"] == nil)
        let names = AssociationFormat.format.schema["definitions"]?.members?.map(\.key)
        expectEqual(names, ["applinks", "apps", "component", "entry", "namedEntry"])
    }

    @Test func acceptsItsType() {
        #expect(SchemaNode.choice(["a"], retired: ["b"]).accepts(.text("b")))
        #expect(!SchemaNode.choice(["a"]).accepts(.text("b")))
        #expect(!SchemaNode.object([]).accepts(.list([])))
        let either = SchemaNode.either(.string(), .list(of: .boolean))
        #expect(
            either.accepts(.text("")) && either.accepts(.list([])) && !either.accepts(.flag(true)))
        expectEqual(either.typeName, "a string or an array")
    }
}
