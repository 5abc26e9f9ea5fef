import AppSiteAssociation
import TestSupport
import Testing

@Suite struct WebAuthnRulesTests: LintSuite {
    private func found(_ origins: String...) -> [String] {
        let list = origins.map { "\"\($0)\"" }.joined(separator: ", ")
        return codes("{\"origins\": [\(list)]}", file: "webauthn")
    }

    @Test(arguments: ["{}", "[]", #"{"origins": {}}"#, #"{"origins": "https://a.example"}"#])
    func originsAreAnArray(_ text: String) {
        expectEqual(codes(text, file: "webauthn"), ["webauthn-shape"])
    }

    @Test(arguments: [
        ("https://a.example", true), ("https://a.example:8443", true), ("HTTPS://a.example", true),
        ("http://a.example", false), ("https://u@a.example", false), ("a.example", false),
        ("", false), ("https://", false),
    ]) func originsAreSchemeHostAndPort(_ text: String, _ isOrigin: Bool) {
        expectEqual(found(text), (isOrigin ? [] : ["webauthn-origin"]))
    }

    /// The URL parser drops the rest of them (WebAuthn level 3, section 5.11.1).
    @Test(arguments: ["https://a.example/", "https://a.example/x?y", "https://a.example?x"])
    func aPathHasNoEffect(_ text: String) {
        expectEqual(found(text), ["webauthn-origin-path"])
        expectEqual(found("https://a.example", text).last, "webauthn-origin-twice")
    }

    @Test func whatIsNoStringIsTold() {
        let finding = lint(#"{"origins": [1]}"#, file: "webauthn").first
        expectEqual(finding?.code, "webauthn-origin")
    }

    @Test func equalOriginsAreToldWhateverTheirCase() {
        expectEqual(found("https://a.example", "https://A.example"), ["webauthn-origin-twice"])
        expectEqual(found("https://a.example", "https://a.example:443"), [])
    }

    /// Five distinct names before the public suffix are read; the sixth is told, and no further.
    @Test func sixNamesAreTooMany() {
        let names = (1...7).map { "https://n\($0).example" }
        expectEqual(codes(names.prefix(5)), [])
        expectEqual(codes(names.prefix(6)), ["webauthn-too-many-labels"])
        expectEqual(codes(names.prefix(7)), ["webauthn-too-many-labels"])
        // One name under many suffixes, and its parts, are one.
        let one = ["com", "de", "co.uk", "com.au", "org", "net", "fr"]
        expectEqual(codes(one.map { "https://shop.\($0)" }[...]), [])
        expectEqual(codes((1...7).map { "https://n\($0).shop.com" }[...]), [])
        // Under a suffix of two parts the third counts, and only there.
        expectEqual(
            codes((1...6).map { "https://n\($0).co.uk" }[...]), ["webauthn-too-many-labels"])
        expectEqual(codes((1...6).map { "https://n\($0).co.com" }[...]), [])
        expectEqual(codes((1...6).map { "https://n\($0).co.info" }[...]), [])
    }

    private func codes(_ origins: ArraySlice<String>) -> [String] {
        let list = origins.map { "\"\($0)\"" }.joined(separator: ", ")
        return lint("{\"origins\": [\(list)]}", file: "webauthn").map(\.code)
    }

    @Test(arguments: [
        ("{}", [String]()), ("[]", ["passkey-endpoints-shape"]),
        (#"{"enroll": "https://a.example/x", "manage": "https://a.example/y"}"#, []),
        (#"{"enroll": "http://a.example/x"}"#, ["passkey-endpoints-url"]),
        (#"{"manage": "/x"}"#, ["passkey-endpoints-url"]),
        (#"{"manage": 1}"#, ["passkey-endpoints-url"]),
        (#"{"prfUsageDetails": "https://a.example"}"#, []),
        (#"{"enrol": 1}"#, ["passkey-endpoints-key"]), (#"{"x": 1}"#, ["passkey-endpoints-key"]),
    ]) func endpointsOfPasskeys(_ text: String, _ wanted: [String]) {
        expectEqual(codes(text, file: "passkey-endpoints"), wanted)
    }

    @Test func theEndpointThatWasMeantIsNamed() {
        let finding = lint(#"{"enrol": 1}"#, file: "passkey-endpoints").first
        expectEqual(finding?.remedy, "Write \"enroll\".")
    }
}
