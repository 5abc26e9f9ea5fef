import Testing

@testable import AppSiteAssociation

@Suite struct SchemaObjectTests {
    private func member(_ key: String, _ value: JSONValue = .flag(true)) -> JSONMember {
        JSONMember(key: key, value: value)
    }

    @Test(
        arguments: [
            ("path", "/"), ("Fragment", "#"), ("params", "?"), ("exlude", "exclude"),
            ("casesensitive", "caseSensitive"), ("percent_encoded", "percentEncoded"),
            ("include", "exclude"), ("ignore-case", "caseSensitive"), ("/buy/*", "/"),
            ("NOT /x", "/"), ("*", "/"), ("Comment", nil), ("team", nil), ("", nil),
        ] as [(String, String?)])
    func readsWhatWasMeant(_ key: String, _ meant: String?) {
        #expect(AssociationFormat.component.slip(of: member(key))?.key == meant)
    }

    /// The opposite of a flag is another value as well.
    @Test func anOppositeIsRewritten() {
        let component = AssociationFormat.component
        guard case .rewriting(_, let remedy) = component.slip(of: member("include")) else {
            Issue.record("no rewriting")
            return
        }
        #expect(remedy == "Write \"exclude\": false.")
    }

    @Test func knowsWhatAKeyWasMeantFor() {
        let entry = AssociationFormat.entry
        #expect(entry.isMeant(["components", "paths"], in: [member("compnents")]))
        #expect(!entry.isMeant(["components"], in: [member("components"), member("Paths")]))
        #expect(entry["appIDs"]?.since == "iOS 13" && entry["Paths"] == nil)
    }
}
