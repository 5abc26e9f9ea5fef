import TestSupport
import Testing

@testable import AppSiteAssociation

@Suite struct TextEditSpellingTests {
    private func object(_ text: String) throws -> (members: [JSONMember], source: SourceText) {
        let source = SourceText(name: "f", text: text)
        return (try #require(try JSONReader.read(source).root.members), source)
    }

    private func applied(_ edits: [TextEdit]?, _ source: SourceText) -> String? {
        edits.flatMap { TextEdit.apply($0, to: source.bytes) }.map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    @Test(
        arguments: [
            (#""True""#, "true"), (#""false""#, "false"), (#""yes""#, nil), ("1", nil),
        ] as [(String, String?)])
    func takesAFlagOutOfItsQuotes(text: String, flag: String?) throws {
        let (members, source) = try object("{\"a\": \(text)}")
        let fixed = applied(TextEdit.flag(members[0].value), source)
        expectEqual(fixed, flag.map { "{\"a\": \($0)}" })
    }

    @Test(
        arguments: [
            (#""/buy/*""#, #"{ "/": "/buy/*" }"#), (#""*""#, #"{ "/": "*" }"#),
            (#""NOT /h\/\u0061""#, #"{ "/": "/h\/\u0061", "exclude": true }"#),
            (#""NOT""#, nil), (#""NOT  /a""#, nil), (#""buy""#, nil), ("{}", nil),
        ] as [(String, String?)])
    func makesAComponentOfAPattern(text: String, component: String?) throws {
        let (members, source) = try object("{\"a\": \(text)}")
        let fixed = applied(TextEdit.component(of: members[0].value, in: source), source)
        expectEqual(fixed, component.map { "{\"a\": \($0)}" })
    }

    @Test func changesTheTextItself() {
        func whole(
            _ text: String, _ edits: (Range<Int>, SourceText) -> [TextEdit]?
        ) -> String? {
            let source = SourceText(name: "f", text: text)
            return applied(edits(0..<source.bytes.count, source), source)
        }
        expectEqual(whole(#"" a b ""#) { TextEdit.trimmed($0, in: $1) }, #""a b""#)
        #expect(whole(#""a b""#) { TextEdit.trimmed($0, in: $1) } == nil)
        expectEqual(whole("WWW.example") { TextEdit.lowercased($0, in: $1) }, "www.example")
        expectEqual(whole("a7:FF") { TextEdit.uppercased($0, in: $1) }, "A7:FF")
        expectEqual(
            whole("Contact: a@b.example") { TextEdit.mailAddress($0, in: $1) },
            "Contact: mailto:a@b.example")
        #expect(whole("Contact: +49 30 1") { TextEdit.mailAddress($0, in: $1) } == nil)
    }
}
