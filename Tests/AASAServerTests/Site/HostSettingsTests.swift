import AppSiteAssociation
import Testing

@testable import AASAServer

@Suite struct HostSettingsTests {
    private func read(_ text: String) -> (HostSettings, [Diagnostic]) {
        HostSettingsReader.read(SourceText(name: "host.json", text: text))
    }

    @Test func everySettingIsRead() {
        let (settings, problems) = read(
            """
            {"aliases": ["www.example.com"], "form": "auto", "cacheControl": "max-age=60",
             "changePassword": "https://example.com/password", "certificate": "example.org",
             "types": {"nodeinfo": "application/json"}, "default": true, "strict": false}
            """)
        #expect(problems.isEmpty)
        #expect(settings.aliases.map(\.value) == ["www.example.com"])
        #expect(settings.form == .auto)
        #expect(settings.cacheControl == "max-age=60")
        #expect(settings.changePassword == "https://example.com/password")
        #expect(settings.certificate == "example.org")
        #expect(settings.types == ["nodeinfo": "application/json"])
        #expect(settings.isDefault)
        #expect(!settings.isStrict)
    }

    @Test func anEmptyObjectMeansTheDefaults() {
        let (settings, problems) = read("{}")
        #expect(problems.isEmpty)
        #expect(settings == HostSettings())
        #expect(settings.form == .json)
        #expect(settings.cacheControl == "max-age=3600")
    }

    @Test(arguments: [
        ("{\"from\": \"auto\"}", "host-unknown-key", 1, 2),
        ("[]", "host-not-an-object", 1, 1),
        ("{\n  \"form\": \"cms\"}", "host-bad-form", 2, 11),
        ("{\"form\": 1}", "host-bad-form", 1, 10),
        ("{\"aliases\": \"www.example.com\"}", "host-wrong-type", 1, 13),
        ("{\"aliases\": [1]}", "host-wrong-type", 1, 14),
        ("{\"aliases\": [\"WWW.example.com\"]}", "host-bad-alias", 1, 14),
        ("{\"cacheControl\": \"a\\r\\nSet-Cookie: x\"}", "host-bad-value", 1, 18),
        ("{\"changePassword\": \"http://example.com/\"}", "host-bad-change-password", 1, 20),
        ("{\"changePassword\": \"//evil.example/\"}", "host-bad-change-password", 1, 20),
        ("{\"default\": \"yes\"}", "host-wrong-type", 1, 13),
        ("{\"types\": {\"a\": \"json\"}}", "host-bad-type", 1, 17),
        ("{\"types\": {\"a\": \"/json\"}}", "host-bad-type", 1, 17),
        ("{\"types\": {\"a\": \"text/\"}}", "host-bad-type", 1, 17),
        ("{\"certificate\": \"../x\"}", "host-bad-certificate", 1, 17),
        ("{\"form\": \"json\", \"form\": \"auto\"}", "duplicate-key", 1, 18),
    ])
    func whatIsWrongHasAPlaceAndARemedy(text: String, code: String, line: Int, column: Int) {
        let (_, problems) = read(text)
        #expect(problems.count == 1)
        #expect(problems.first?.code == code)
        #expect(problems.first?.start?.line == line)
        #expect(problems.first?.start?.column == column)
        #expect(problems.first?.remedy?.isEmpty == false)
        #expect(problems.first?.severity == .error)
    }

    @Test func aMisspeltKeyIsRecognised() {
        #expect(read("{\"from\": \"auto\"}").1.first?.remedy == "Write \"form\".")
        #expect(read("{\"from\": \"auto\"}").1.first?.message.contains("is not known") == true)
        #expect(
            read("{\"cache-control\": \"x\"}").1.first?.remedy == "Write \"cacheControl\".")
        #expect(read("{\"zzz\": 1}").1.first?.remedy?.contains("changePassword") == true)
    }

    @Test func brokenJSONIsAPositionedProblem() {
        let (_, problems) = read("{\n  \"form\": \"json\",\n}")
        #expect(problems.first?.code == "json-trailing-comma")
        #expect(problems.first?.start?.line == 2)
    }
}
