import TestSupport
import Testing

@testable import AppSiteAssociation

@Suite struct UnknownKeysTests {
    private func member(_ key: String, _ value: JSONValue = .flag(true)) -> JSONMember {
        JSONMember(key: key, value: value)
    }

    private func slip(_ member: JSONMember, _ object: SchemaObject) -> SchemaSlip? {
        UnknownKeys([member], of: object)[0]
    }

    @Test(
        arguments: [
            ("path", "/"), ("Fragment", "#"), ("params", "?"), ("exlude", "exclude"),
            ("casesensitive", "caseSensitive"), ("percent_encoded", "percentEncoded"),
            ("include", "exclude"), ("ignore-case", "caseSensitive"), ("/buy/*", "/"),
            ("NOT /x", "/"), ("*", "/"), ("Comment", nil), ("team", nil), ("", nil),
        ] as [(String, String?)])
    func readsWhatWasMeant(_ key: String, _ meant: String?) {
        expectEqual(slip(member(key), AssociationFormat.component)?.key, meant)
    }

    /// The opposite of a flag is another value as well.
    @Test func anOppositeIsRewritten() {
        let component = AssociationFormat.component
        expectEqual(slip(member("include"), component)?.remedy, "Write \"exclude\": false.")
    }

    /// What stands under its right key as well was meant for something else.
    @Test func whatIsThereIsNotMeant() {
        let members = ["/", "/buy/*", "Fragment", "Fragment"].map { member($0) }
        let keys = UnknownKeys(members, of: AssociationFormat.component)
        #expect(keys[0] == nil && keys[1] == nil)
        #expect(keys[2]?.key == "#" && keys[3]?.key == "#")
        expectEqual(keys.written, ["/", "/buy/*", "Fragment"])
    }

    @Test func knowsWhatTheKeysOfAnObjectMean() {
        let entry = AssociationFormat.entry
        let misspelt = UnknownKeys([member("compnents")], of: entry)
        #expect(misspelt.mean(["components", "paths"]))
        let both = UnknownKeys([member("components"), member("Paths")], of: entry)
        #expect(!both.mean(["components"]))
    }
}
