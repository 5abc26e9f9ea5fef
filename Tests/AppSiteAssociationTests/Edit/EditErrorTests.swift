import AppSiteAssociation
import TestSupport
import Testing

@Suite struct EditErrorTests {
    private let text = "{\n  \"appclips\": {\"apps\": [\"A.a\"]}\n}\n"

    private func refusal(_ edit: (inout FragmentEditor) throws -> Void) throws -> EditError {
        var editor = FragmentEditor(try JSONReader.read(text: text, name: "site/f.json"))
        do {
            try edit(&editor)
        } catch let error as EditError {
            return error
        }
        throw Unrefused()
    }

    private struct Unrefused: Error {}

    @Test func namesThePlaceOfWhatIsInTheWay() throws {
        let error = try refusal { try $0.add(app: "A.a", to: .appclips) }
        expectEqual(
            error.diagnostic.description,
            "site/f.json:2:25: error: A.a is listed under appclips already [edit-refused]")
        expectEqual(error.diagnostic.range, 26..<31)
    }

    /// What is not there has no place, but a file in which it was looked for.
    @Test func namesTheFileWhereThereIsNoPlace() throws {
        let error = try refusal { try $0.remove(app: "A.b", from: .appclips) }
        #expect(error.diagnostic.start == nil && error.diagnostic.range == nil)
        expectEqual(
            error.diagnostic.description,
            "site/f.json: error: A.b is not listed under appclips [edit-refused]")
    }

    @Test func keepsTheRemedyInBothForms() throws {
        let unplaced = try refusal { try $0.addLinks(app: "A.b", like: "A.a") }
        #expect(unplaced.diagnostic.start == nil)
        expectEqual(unplaced.diagnostic.remedy, "Name an app that has, or give --path.")
        let placed = try refusal {
            try $0.addLinks(app: "A.a", patterns: ["/a"])
            try $0.removeRule(app: "A.a", number: 1)
        }
        #expect(placed.diagnostic.start != nil)
        expectEqual(placed.diagnostic.remedy, "Remove the app from applinks instead.")
    }

    @Test func namesAWrongShape() throws {
        let document = try JSONReader.read(text: #"{"appclips": []}"#)
        var editor = FragmentEditor(document)
        let error = #expect(throws: EditError.self) {
            try editor.add(app: "A.a", to: .appclips)
        }
        expectEqual(error?.diagnostic.message, "\"appclips\" is not an object")
        expectEqual(error?.diagnostic.range, 13..<15)
    }
}
