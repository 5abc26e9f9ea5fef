import Testing

@testable import AppSiteAssociation

/// What validators of other people say of the schemas is asked in Tests/Deploy/test_schema.py.
@Suite struct SiblingFormatTests {
    /// The rules for links of Android are described by Apple's components.
    @Test func describesComponentsOnce() {
        let definitions = SiblingFormat.assetLinks["definitions"]
        #expect(definitions?.members?.map(\.key) == ["statement", "component"])
        #expect(
            definitions?["component"]?.means(
                AssociationFormat.format.schema["definitions"]?["component"] ?? .object([])) == true
        )
        let target = definitions?["statement"]?["properties"]?["target"]
        #expect(target?["required"]?.array?.map(\.string) == ["namespace"])
        #expect(SiblingFormat.webAuthn["properties"]?.members?.map(\.key) == ["origins"])
    }
}
