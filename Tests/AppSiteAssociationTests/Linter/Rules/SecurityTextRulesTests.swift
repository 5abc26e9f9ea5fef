import AppSiteAssociation
import TestSupport
import Testing

@Suite struct SecurityTextRulesTests: LintSuite {
    private func found(_ text: String) -> [String] { codes(text, file: "security.txt") }

    private let contact = "Contact: mailto:a@b.example\n"
    private let expires = "Expires: 2027-06-01T00:00:00Z\n"

    @Test func twoFieldsAreNeeded() {
        expectEqual(found(contact + expires), [])
        expectEqual(found(expires), ["security-contact-missing"])
        expectEqual(found(contact), ["security-expires-missing"])
        expectEqual(found(""), ["security-contact-missing", "security-expires-missing"])
    }

    @Test(arguments: [
        ("", [String]()), ("# a comment: x\n", []), ("\r\n \t\r\n", []),
        ("nonsense\n", ["security-line"]), ("Policy https://a.example\n", ["security-line"]),
        (": x\n", ["security-line"]),
        ("Foo: x\n", ["security-field-unknown"]), ("ENCRYPTION: https://a.example\n", []),
        ("Contact: tel:+1\nContact: https://a.example\n", []),
        ("contact:https://a.example\n", []),
        ("Expires: 2027-06-01T00:00:00Z\n", ["security-field-twice"]),
        ("Preferred-Languages: en\n", []),
        ("Preferred-Languages: en\npreferred-languages: de\n", ["security-field-twice"]),
        ("Hash: SHA256\n", []), ("Hash\n", ["security-line"]),
        ("-----BEGIN PGP SIGNED MESSAGE-----\n", []),
        ("-----BEGIN PGP SIGNATURE-----\nnonsense\nFoo: x\n", []),
    ]) func linesAreFieldsOrComments(_ lines: String, _ wanted: [String]) {
        expectEqual(found(contact + expires + lines), wanted)
    }

    @Test(arguments: [
        ("<html></html>", "HTML"), ("\u{FEFF}Contact: mailto:a@b.example\n", "byte order mark"),
        ("Contact mailto:a@b.example\n", "colon after Contact"),
    ]) func oneCauseIsOneFinding(_ text: String, _ part: String) {
        let found = lint(text + (text.hasPrefix("<") ? "" : expires), file: "security.txt")
        expectEqual(found.map(\.code), ["security-line"])
        expectEqual(found.first?.message.contains(part), true)
    }

    @Test func theFirstOfTwoIsShown() {
        let finding = lint(contact + expires + expires + expires, file: "security.txt").last
        #expect(finding?.start?.line == 4 && finding?.related.map(\.start?.line) == [2])
    }

    @Test(arguments: [
        ("xmpp:a@b.example", true), ("openpgp4fpr:5F2DE5", true), ("tel:+1-201-555-0123", true),
        ("a1+-.:x", true), ("http://example.com/", false), ("HTTP:x", false),
        ("a@b.example", false), ("mailto:", false), ("mailto:a b", false), ("1a:x", false),
        (":x", false), ("a_b:x", false),
    ])
    func aContactIsAnyURI(value: String, isURI: Bool) {
        #expect(found("Contact: \(value)\n\(expires)").contains("security-contact-uri") != isURI)
    }

    /// Beside the day of the examples, 2026-11-21.
    @Test(arguments: [
        ("2027-06-01T00:00:00Z", nil as String?), ("2027-06-01T00:00:00.5+02:00", nil),
        ("2026-11-21T00:00:00Z", "security-expired"),
        ("2026-11-21T00:00:01Z", "security-expires-soon"),
        ("2026-11-21T01:00:00+02:00", "security-expired"),
        ("2026-12-20T23:59:59Z", "security-expires-soon"), ("2026-12-21T00:00:00Z", nil),
        ("2027-11-22T23:59:59Z", nil), ("2027-11-23T00:00:00Z", "security-expires-far"),
        ("2027-06-01", "security-expires-format"), ("tomorrow", "security-expires-format"),
    ]) func theDateIsNeitherPastNorFar(_ date: String, _ code: String?) {
        expectEqual(found("\(contact)Expires: \(date)\r\n"), [code].compactMap { $0 })
    }

    /// Without a date nothing is judged by one.
    @Test func withoutAClockOnlyTheFormIsLookedAt() {
        func found(_ date: String) -> [String] {
            Linter.lint(
                SourceText(name: "security.txt", text: "\(contact)Expires: \(date)\n")
            ).map(\.code)
        }
        expectEqual(found("2001-01-01T00:00:00Z"), [])
        expectEqual(found("2001-01-01"), ["security-expires-format"])
    }

    @Test func signedSecurityTextIsRead() {
        let text = """
            -----BEGIN PGP SIGNED MESSAGE-----
            Hash: SHA256

            Contact: https://example.com/security
            Expires: 2027-06-01T00:00:00Z
            -----BEGIN PGP SIGNATURE-----

            iHUEARYKAB0WIQ
            =abcd
            -----END PGP SIGNATURE-----
            """
        expectEqual(found(text), [])
    }

    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0), ("1969-12-31T23:59:59Z", -1),
        ("2000-02-29T00:00:00Z", 951_782_400), ("2000-03-01T00:00:00Z", 951_868_800),
        ("2026-11-21T00:00:00Z", exampleDate), ("2026-11-21t01:02:03z", exampleDate + 3_723),
        ("2026-11-21T05:30:00+05:30", exampleDate), ("2026-11-20T23:00:00-01:00", exampleDate),
        ("2026-11-21T00:00:00.123456Z", exampleDate), ("2026-11-21T00:00:00.5+00:00", exampleDate),
        ("2026-11-20T23:59:60Z", exampleDate), ("2024-12-31T00:00:00Z", 1_735_603_200),
    ]) func timestampsAreSeconds(_ text: String, _ seconds: Int) {
        expectEqual(Timestamp.seconds(rfc3339: text), seconds)
    }

    @Test(arguments: [
        "", "2026-11-21", "2026-11-21T00:00:00", "2026-11-21T00:00:00.", "2026-11-21T00:00:00.Z",
        "2026-11-21T00:00:00.+00:00", "2026-11-21T00:00:00.5", "2026-11-21 00:00:00Z",
        "2026-00-21T00:00:00Z", "2026-13-21T00:00:00Z", "2026-11-00T00:00:00Z",
        "2026-11-31T00:00:00Z", "2026-12-32T00:00:00Z", "2026-02-29T00:00:00Z",
        "2100-02-29T00:00:00Z", "2024-02-30T00:00:00Z", "2026-11-21T24:00:00Z",
        "2026-11-21T00:60:00Z", "2026-11-21T00:00:61Z", "2026-11-21T00:00:00Zx",
        "2026-11-21T00:00:00+0000", "2026-11-21T00:00:00+24:00", "2026-11-21T00:00:00+00:60",
        "2026-11-21T00:00:00+00:000", "2026/11-21T00:00:00Z", "2026-11/21T00:00:00Z",
        "2026-11-21T00.00:00Z", "2026-11-21T00:00.00Z", "+026-11-21T00:00:00Z",
    ]) func otherTextsAreNoDates(_ text: String) {
        #expect(Timestamp.seconds(rfc3339: text) == nil)
    }
}
