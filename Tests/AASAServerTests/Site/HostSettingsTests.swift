import AppSiteAssociation
import TestSupport
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
        expectEqual(settings.aliases.map(\.value), ["www.example.com"])
        expectEqual(settings.form, .auto)
        expectEqual(settings.cacheControl, "max-age=60")
        expectEqual(settings.changePassword, "https://example.com/password")
        expectEqual(settings.certificate, "example.org")
        expectEqual(settings.types, ["nodeinfo": "application/json"])
        #expect(settings.isDefault)
        #expect(!settings.isStrict)
    }

    @Test func anEmptyObjectMeansTheDefaults() {
        let (settings, problems) = read("{}")
        #expect(problems.isEmpty)
        expectEqual(settings, HostSettings())
        expectEqual(settings.form, .json)
        expectEqual(settings.cacheControl, "max-age=3600")
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
        expectEqual(problems.count, 1)
        expectEqual(problems.first?.code, code)
        expectEqual(problems.first?.start?.line, line)
        expectEqual(problems.first?.start?.column, column)
        expectEqual(problems.first?.remedy?.isEmpty, false)
        expectEqual(problems.first?.severity, .error)
    }

    @Test func aMisspeltKeyIsRecognised() {
        expectEqual(read("{\"from\": \"auto\"}").1.first?.remedy, "Write \"form\".")
        expectEqual(read("{\"from\": \"auto\"}").1.first?.message.contains("is not known"), true)
        expectEqual(
            read("{\"cache-control\": \"x\"}").1.first?.remedy, "Write \"cacheControl\".")
        expectEqual(read("{\"zzz\": 1}").1.first?.remedy?.contains("changePassword"), true)
    }

    @Test func brokenJSONIsAPositionedProblem() {
        let (_, problems) = read("{\n  \"form\": \"json\",\n}")
        expectEqual(problems.first?.code, "json-trailing-comma")
        expectEqual(problems.first?.start?.line, 2)
    }
}
