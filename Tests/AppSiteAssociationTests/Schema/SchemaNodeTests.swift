import Testing

@testable import AppSiteAssociation

@Suite struct SchemaNodeTests {
    private func text(_ node: SchemaNode) -> String {
        String(decoding: JSONWriter.minified(node.json), as: UTF8.self)
    }

    private static let member = SchemaMember("k", .boolean, "What k is for.")
    private static let named = SchemaNode.object(SchemaObject("d", []))
    private static let k = #""properties":{"k":{"description":"What k is for.","type":"boolean"}}"#

    @Test(arguments: [
        (SchemaNode.string(), #"{"type":"string"}"#),
        (.string(pattern: "^a$"), #"{"type":"string","pattern":"^a$"}"#),
        (.choice(["a", "b"]), #"{"enum":["a","b"]}"#), (.boolean, #"{"type":"boolean"}"#),
        (.anything, "{}"), (named, ##"{"$ref":"#/definitions/d"}"##),
        (.list(of: .boolean), #"{"type":"array","items":{"type":"boolean"}}"#),
        (
            .list(of: .anything, isSet: true),
            #"{"type":"array","items":{},"uniqueItems":true}"#
        ),
        (
            .table(of: .boolean),
            #"{"type":"object","additionalProperties":{"type":"boolean"}}"#
        ),
        (
            .table(of: .anything, names: "^x"),
            #"{"type":"object","additionalProperties":{},"propertyNames":{"pattern":"^x"}}"#
        ),
    ]) func aNodeIsItsKeywords(_ node: SchemaNode, _ wanted: String) {
        #expect(text(node) == wanted)
    }

    /// Others are refused unless the object is open.
    @Test func anObjectIsClosedUnlessOpen() {
        #expect(
            text(.object([Self.member]))
                == #"{"type":"object",\#(Self.k),"additionalProperties":false}"#)
        #expect(text(.object([Self.member], isOpen: true)) == #"{"type":"object",\#(Self.k)}"#)
    }

    /// One of one key is required, one of several is a choice; every choice has to be made.
    @Test func needsAreRequirements() {
        let a = #"{"anyOf":[{"required":["k"]},{"required":["l"]}]}"#
        let b = #"{"anyOf":[{"required":["m"]},{"required":["n"]}]}"#
        #expect(
            text(
                .object(
                    [Self.member], needs: [["k"], ["k", "l"], ["o"], ["m", "n"]], isOpen: true))
                == #"{"type":"object",\#(Self.k),"required":["k","o"],"allOf":[\#(a),\#(b)]}"#)
    }

    /// Draft 7 has a list of types; the keywords of each say nothing of values of the other.
    @Test func eitherJoinsTheTypes() {
        #expect(
            text(.either(.string(pattern: "^a$"), .list(of: .boolean)))
                == #"{"type":["string","array"],"pattern":"^a$","items":{"type":"boolean"}}"#)
    }

    /// Draft 7 ignores whatever stands beside a reference.
    @Test func aReferenceStandsApartFromItsDescription() {
        let node = SchemaNode.object(
            [SchemaMember("k", Self.named, "What.")], isOpen: true)
        #expect(
            text(node)
                == #"{"type":"object","properties":{"k":{"description":"What.","#
                + ##""allOf":[{"$ref":"#/definitions/d"}]}}}"##)
    }

    @Test func aDocumentNamesItsDraft() {
        func document(_ node: SchemaNode) -> String {
            String(decoding: JSONWriter.minified(node.document(title: "t")), as: UTF8.self)
        }
        let head = ##"{"$schema":"http://json-schema.org/draft-07/schema#","title":"t","##
        #expect(document(.boolean) == head + #""type":"boolean"}"#)
        let object = #"{"type":"object","properties":{},"additionalProperties":false}"#
        #expect(
            document(.list(of: Self.named))
                == head + ##""type":"array","items":{"$ref":"#/definitions/d"},"##
                + #""definitions":{"d":\#(object)}}"#)
        // The outermost object is the document itself.
        #expect(document(Self.named) == head + String(object.dropFirst()))
    }

    @Test func acceptsItsType() {
        #expect(SchemaNode.choice(["a"], retired: ["b"]).accepts(.text("b")))
        #expect(!SchemaNode.choice(["a"]).accepts(.text("b")) && !Self.named.accepts(.list([])))
        let either = SchemaNode.either(.string(), .list(of: .boolean))
        #expect(
            either.accepts(.text("")) && either.accepts(.list([])) && !either.accepts(.flag(true)))
        #expect(either.typeName == "a string or an array")
    }
}
