import TestSupport
import Testing

@testable import AppSiteAssociation

/// What validators of other people say of the schemas is asked in Tests/Deploy/test_schema.py.
@Suite struct SiblingFormatTests {
    /// The rules for links of Android are described by Apple's components.
    @Test func describesComponentsOnce() {
        let definitions = SiblingFormat.assetLinks.schema["definitions"]
        expectEqual(definitions?.members?.map(\.key), ["statement", "component"])
        expectEqual(
            definitions?["component"]?.means(
                AssociationFormat.format.schema["definitions"]?["component"] ?? .object([])), true
        )
        let target = definitions?["statement"]?["properties"]?["target"]
        expectEqual(target?["required"]?.array?.map(\.string), ["namespace"])
        // A need with a condition is one of its own.
        expectEqual(
            target?["allOf"]?.array?.last?["then"]?["required"]?.array?.map(\.string), ["site"])
        expectEqual(SiblingFormat.webAuthn.schema["properties"]?.members?.map(\.key), ["origins"])
    }
}
