import TestSupport
import Testing

@testable import AppSiteAssociation

@Suite struct AssetLinksRulesTests: LintSuite {
    private static let print = (0..<32).map {
        $0 < 16 ? "A\(String($0, radix: 16))" : "3\($0 % 10)"
    }
    .joined(separator: ":").uppercased()
    private static let relation = "\"relation\": [\"delegate_permission/common.handle_all_urls\"]"

    private func found(_ text: String) -> [String] { codes(text, file: "assetlinks.json") }

    private func statement(_ target: String, relation: String = Self.relation) -> String {
        "[{\(relation), \"target\": {\(target)}}]"
    }

    private func app(
        _ package: String = "\"com.example.app\"", prints: String = "[\"\(Self.print)\"]"
    ) -> String {
        "\"namespace\": \"android_app\", \"package_name\": \(package), "
            + "\"sha256_cert_fingerprints\": \(prints)"
    }

    @Test func aStatementThatIsRightIsSilent() {
        expectEqual(found(statement(app())), [])
        expectEqual(found(statement("\"namespace\": \"web\", \"site\": \"https://a.example\"")), [])
        expectEqual(found("[{\"include\": \"https://a.example/x.json\"}]"), [])
    }

    @Test(arguments: [
        ("{}", ["assetlinks-not-array"]), ("1", ["assetlinks-not-array"]),
        ("{\"statements\": []}", ["assetlinks-api-answer"]), ("[]", ["assetlinks-empty"]),
        ("[1]", ["assetlinks-statement"]), ("[[]]", ["assetlinks-statement"]),
        ("[{}]", ["assetlinks-relation", "assetlinks-target"]),
        (
            "[{\"relations\": [], \"target\": {\"namespace\": \"x\"}}]",
            ["assetlinks-key-misspelt", "assetlinks-target"]
        ),
        ("[{\"include\": \"a\"}, {\"include\": \"a\"}]", ["assetlinks-twice"]),
    ]) func statementsHaveTheirForm(_ text: String, _ wanted: [String]) {
        expectEqual(found(text), wanted)
    }

    /// A misspelt key is the cause of what is missing.
    @Test(arguments: [
        "relation", "target", "namespace", "package_name", "sha256_cert_fingerprints",
    ])
    func aMisspeltKeyIsOneFinding(_ key: String) {
        let text = statement(app()).replacing("\"\(key)\"", with: "\"\(key)s\"")
        expectEqual(found(text), ["assetlinks-key-misspelt"])
    }

    @Test(arguments: [
        ("package_name", "assetlinks-package"),
        ("sha256_cert_fingerprints", "assetlinks-fingerprint"),
    ])
    func anAppNeedsItsMembers(_ key: String, _ code: String) {
        expectEqual(found(statement(app()).replacing("\"\(key)\"", with: "\"x\"")), [code])
        expectEqual(found(statement("\"namespace\": \"web\"")), ["assetlinks-site"])
    }

    @Test func anUnknownKeyIsForPeople() {
        expectEqual(found(statement(app() + ", \"comment\": \"x\"")), [])
    }

    @Test(arguments: [
        ("[\"delegate_permission/common.get_login_creds\"]", [String]()),
        ("[]", ["assetlinks-relation"]), ("\"a/b\"", ["assetlinks-relation"]),
        ("[1]", ["assetlinks-relation"]), ("[\"handle_all_urls\"]", ["assetlinks-relation"]),
        ("[\"a/b\"]", ["assetlinks-relation-unknown"]),
        (
            "[\"delegate_permission/common.handle_all_url\"]", ["assetlinks-relation-unknown"]
        ),
        (
            "[\"delegate_permission/common.use_as_origin\", "
                + "\"delegate_permission/common.use_as_origin\"]", ["assetlinks-twice"]
        ),
    ]) func relationsAreThoseOfGoogle(_ relation: String, _ wanted: [String]) {
        expectEqual(found(statement(app(), relation: "\"relation\": \(relation)")), wanted)
    }

    @Test func theOtherFileIsNamed() {
        let found = lint("{\"applinks\": {}}", file: "assetlinks.json")
        expectEqual(found.map(\.remedy), ["Publish it as apple-app-site-association."])
    }

    @Test func base64IsAnotherForm() {
        let print = "FG3pg8VzBlDY7rmVLzT8ZBagg0LmHb6oigSWsj/PROE="
        let finding = lint(statement(app(prints: "[\"\(print)\"]")), file: "assetlinks.json").first
        expectEqual(finding?.message.hasSuffix("in another form"), true)
    }

    @Test func theRelationThatWasMeantIsNamed() {
        let near = lint(
            statement(
                app(), relation: "\"relation\": [\"delegate_permission/common.handle_all_url\"]"),
            file: "assetlinks.json")
        expectEqual(near.first?.remedy, "Write \"delegate_permission/common.handle_all_urls\".")
    }

    @Test(arguments: [
        ("com.example", true), ("a.B_1", true), ("com", false), ("", false), ("com.", false),
        (".com", false), ("com.1a", false), ("com._a", false), ("com.a-b", false),
        ("com.é", false), ("com.a[", false), ("com.{a", false), ("com.a:", false), ("a.b/", false),
    ]) func packagesAreJavaNames(_ package: String, _ isRight: Bool) {
        expectEqual(
            found(statement(app("\"\(package)\""))), (isRight ? [] : ["assetlinks-package"]))
    }

    @Test(arguments: [
        ("https://a.example", true), ("https://a.example/", true), ("http://a.example:8080", true),
        ("https://", false), ("a.example", false), ("https://a.example/x", false), ("", false),
        ("ftp://a.example", false),
    ]) func sitesAreSchemeAndHost(_ site: String, _ isRight: Bool) {
        expectEqual(
            found(statement("\"namespace\": \"web\", \"site\": \"\(site)\"")),
            (isRight ? [] : ["assetlinks-site"]))
    }

    @Test func aWebAppIsNamedByItsManifest() {
        let target = "{\"namespace\": \"web\", \"site\": \"https://a.example/app.json\"}"
        for (relation, codes) in [
            ("delegate_permission/common.query_webapk", []),
            ("delegate_permission/common.get_login_creds", ["assetlinks-site"]),
        ] {
            expectEqual(found("[{\"relation\": [\"\(relation)\"], \"target\": \(target)}]"), codes)
        }
    }

    @Test(arguments: [
        ("[\"\(print)\"]", [String]()), ("[]", ["assetlinks-fingerprint"]),
        ("\"\(print)\"", ["assetlinks-fingerprint"]), ("[1]", ["assetlinks-fingerprint"]),
        ("[\"\(print.dropLast(3))\"]", ["assetlinks-fingerprint"]),
        ("[\"\(print):00\"]", ["assetlinks-fingerprint"]),
        ("[\"\(print.dropLast())G\"]", ["assetlinks-fingerprint"]),
        ("[\"\(print.dropLast())@\"]", ["assetlinks-fingerprint"]),
        ("[\"\(print.replacing(":", with: "-"))\"]", ["assetlinks-fingerprint"]),
        ("[\"\(print.replacing(":", with: ""))\"]", ["assetlinks-fingerprint"]),
        ("[\"\(print.lowercased())\"]", ["assetlinks-fingerprint-case"]),
        ("[\"\(print)\", \"\(print)\"]", ["assetlinks-twice"]),
        (
            "[\"\(print)\", \"\(print.lowercased())\"]",
            ["assetlinks-fingerprint-case", "assetlinks-twice"]
        ),
    ]) func fingerprintsAreSHA256(_ prints: String, _ wanted: [String]) {
        expectEqual(found(statement(app(prints: prints))), wanted)
    }

    @Test(arguments: [("00", true), ("FF", true), ("ff", true), ("11", true), ("A7", true)])
    func fingerprintsOfNothingAreTold(_ byte: String, _ isSample: Bool) {
        let print = Array(repeating: byte, count: 32).joined(separator: ":")
        expectEqual(
            found(statement(app(prints: "[\"\(print)\"]"))),
            (isSample ? ["assetlinks-fingerprint-sample"] : []))
        let other = print.dropLast(2) + "12"
        #expect(
            !found(statement(app(prints: "[\"\(other)\"]"))).contains(
                "assetlinks-fingerprint-sample"))
    }

    @Test func aHashOfTwentyBytesIsNamed() {
        func message(_ pairs: Int) -> String? {
            let print = Array(repeating: "A1", count: pairs).joined(separator: ":")
            return lint(statement(app(prints: "[\"\(print)\"]")), file: "assetlinks.json").first?
                .message
        }
        expectEqual(message(20)?.hasSuffix("(20 bytes: this is SHA-1)"), true)
        expectEqual(message(21)?.hasSuffix("is not a SHA-256 fingerprint"), true)
    }

    /// A misspelt key is the cause, and said alone.
    @Test func aMisspeltListIsSaidOnce() {
        let target =
            "\"namespace\": \"android_app\", \"package_name\": \"a.b\", "
            + "\"sha256_cert_fingerprint\": []"
        expectEqual(found(statement(target)), ["assetlinks-key-misspelt"])
    }
}
