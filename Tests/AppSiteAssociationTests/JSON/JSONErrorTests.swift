import TestSupport
import Testing

@testable import AppSiteAssociation

@Suite struct JSONErrorTests {
    @Test func saysItAsPeopleNeedIt() {
        let text =
            "{\n  \"applinks\": {\n    \"details\": [\n      {\"appID\": \"A\"},\n    ]\n  }\n}\n"
        let error = #expect(throws: JSONError.self) {
            try JSONReader.read(text: text, name: "site/x.json")
        }
        expectEqual(
            error?.description,
            "site/x.json:4:21: error: a comma after the last element [json-trailing-comma]")
        expectEqual(error?.remedy, "Remove the comma before ']'.")
        expectEqual(error?.diagnostic.sourceLine, "      {\"appID\": \"A\"},")
    }

    @Test func theFindingSaysTheSame() throws {
        let error = #expect(throws: JSONError.self) { try JSONReader.read(text: "[\n  é") }
        let found = try #require(error)
        expectEqual(found.position, SourcePosition(offset: 4, line: 2, column: 3))
        #expect(found.offset == 4 && found.diagnostic.range == 4..<6)
        expectEqual(found.diagnostic.start, found.position)
        expectEqual(found.diagnostic.message, found.message)
        expectEqual(found.diagnostic.remedy, found.remedy)
    }

    @Test(arguments: [
        (4 << 20, 512, 4 << 20, 512), (-1, 0, 0, 1), (0, 1, 0, 1), (1 << 30, 512, 1 << 30, 512),
        ((1 << 30) + 1, 513, 1 << 30, 512), (Int.max, Int.min, 1 << 30, 1),
    ]) func limitsAreClamped(_ bytes: Int, _ depth: Int, _ bytesMaximum: Int, _ depthMaximum: Int) {
        let limits = JSONLimits(bytesMaximum: bytes, depthMaximum: depth)
        #expect(limits.bytesMaximum == bytesMaximum && limits.depthMaximum == depthMaximum)
    }
}
