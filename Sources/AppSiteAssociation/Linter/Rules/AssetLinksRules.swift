/// Android's `assetlinks.json` (Google, *Digital Asset Links: Creating a Statement List*).
enum AssetLinksRules {
    static let rules = [
        notArray, wrapped, statement, relation, target, packageName, fingerprint, fingerprintCase,
        keyMisspelt, site,
    ]
    private static let google = "Google, Digital Asset Links, Creating a Statement List"
    private static let print32 = (0..<32).map { _ in "A7" }.joined(separator: ":")

    private static func file(_ text: String) -> LintExample {
        LintExample(text + "\n", file: "assetlinks.json")
    }
    private static func app(
        relation: String = "[\"delegate_permission/common.handle_all_urls\"]",
        package: String = "com.example.shop", key: String = "sha256_cert_fingerprints",
        print: String? = nil
    ) -> LintExample {
        file(
            """
            [{
              "relation": \(relation),
              "target": {
                "namespace": "android_app",
                "package_name": "\(package)",
                "\(key)": ["\(print ?? print32)"]
              }
            }]
            """)
    }
    private static let good = app()

    static let notArray = LintRule(
        "assetlinks-not-array", .error, "assetlinks.json is not an array of statements",
        why: "Readers expect an array; anything else counts as an empty list.",
        fix: "put the statement in brackets", .documented, google,
        bad: file("{ \"relation\": [], \"target\": {} }"), good: good)
    static let wrapped = LintRule(
        "assetlinks-api-answer", .error, "an answer of Google's API instead of a statement list",
        why:
            "The list API wraps the statements in an object with \"statements\" and \"maxAge\"; "
            + "the file "
            + "on the server is the bare array, and its members are named otherwise.",
        fix: "publish the array that the API read, not its answer", .observed, "domain.md 5",
        bad: file("{ \"statements\": [], \"maxAge\": \"600s\" }"), good: good)
    static let statement = LintRule(
        "assetlinks-statement", .error, "an element that is not a statement",
        why: "A statement is an object with \"relation\" and \"target\" (or \"include\").",
        fix: "write { \"relation\": […], \"target\": {…} }", .documented, google,
        bad: file("[\"com.example.shop\"]"), good: good)
    static let relation = LintRule(
        "assetlinks-relation", .error, "a statement without a usable relation",
        why: "relation is an array of strings of the form kind/detail, for apps "
            + "delegate_permission/common.handle_all_urls and …/common.get_login_creds.",
        fix: "write \"relation\": [\"delegate_permission/common.handle_all_urls\"]", .documented,
        google,
        bad: app(relation: "\"delegate_permission/common.handle_all_urls\""), good: good)
    static let target = LintRule(
        "assetlinks-target", .error, "a statement without a usable target",
        why: "target is an object whose namespace is android_app or web.",
        fix: "write \"target\": { \"namespace\": \"android_app\", … }", .documented, google,
        bad: file(
            "[{ \"relation\": [\"delegate_permission/common.handle_all_urls\"], \"target\": { "
                + "\"namespace\": \"android\" } }]"
        ), good: good)
    static let packageName = LintRule(
        "assetlinks-package", .error, "a package name that no Android app has",
        why:
            "A package name has at least two parts of letters, digits and underscores, each "
            + "beginning "
            + "with a letter.",
        fix: "copy applicationId from the app's build.gradle", .documented,
        "Android, application ID", bad: app(package: "shop"), good: good)
    static let fingerprint = LintRule(
        "assetlinks-fingerprint", .error, "a fingerprint that is not SHA-256 in colon form",
        why: "sha256_cert_fingerprints holds 32 bytes as hexadecimal pairs with colons. SHA-1 "
            + "(20 bytes), a missing list or a placeholder verifies no app.",
        fix:
            "copy SHA-256 from Play Console > App signing (with Play App Signing the upload key "
            + "is the "
            + "wrong one)", .documented, google, bad: app(print: "A7:A7:A7:A7"), good: good)
    static let fingerprintCase = LintRule(
        "assetlinks-fingerprint-case", .warning, "a fingerprint in small letters",
        why: "Google writes it in capitals; some readers compare text.",
        fix: "write it in capitals",
        .observed, "domain.md 5", bad: app(print: print32.lowercased()), good: good)
    static let keyMisspelt = LintRule(
        "assetlinks-key-misspelt", .error, "a member of a statement is misspelt",
        why: "Unknown members are ignored, so what it says is missing.",
        fix: "write the key as Google documents it", .documented, google,
        bad: app(key: "sha256_cert_fingerprint"), good: good)
    static let site = LintRule(
        "assetlinks-site", .error, "a web target without a usable site",
        why: "site is scheme and host (and port), without a path.",
        fix: "write \"site\": \"https://www.example.com\"", .documented, google,
        bad: file(
            "[{ \"relation\": [\"delegate_permission/common.get_login_creds\"], \"target\": { "
                + "\"namespace\": \"web\", \"site\": \"www.example.com\" } }]"
        ),
        good: file(
            "[{ \"relation\": [\"delegate_permission/common.get_login_creds\"], \"target\": { "
                + "\"namespace\": \"web\", \"site\": \"https://www.example.com\" } }]"
        ))

    private static let statementKeys = ["relation", "target", "include"]
    private static let targetKeys = [
        "namespace", "package_name", "sha256_cert_fingerprints", "site",
    ]

    static func check(_ document: JSONDocument, _ context: inout LintContext) {
        guard let statements = document.root.array else {
            if document.root["statements"] != nil {
                context.report(
                    wrapped, at: document.root.range,
                    "this is what Google's API answers, not what a site publishes")
            } else {
                context.report(
                    notArray, at: document.root.range,
                    "the file holds \(document.root.kindName), not an array")
            }
            return
        }
        for value in statements {
            guard let members = value.members else {
                context.report(
                    statement, at: value.range, "this statement is \(value.kindName), not an object"
                )
                continue
            }
            checkKeys(members, statementKeys, &context)
            if value["include"] != nil { continue }
            checkRelation(value, &context)
            checkTarget(value, &context)
        }
    }

    private static func checkKeys(
        _ members: [JSONMember], _ known: [String], _ context: inout LintContext
    ) {
        for member in members {
            guard let meant = Spelling.correction(of: member.key, among: known) else { continue }
            context.report(
                keyMisspelt, at: member.keyRange,
                "\"\(member.key)\" is ignored; \"\(meant)\" was probably meant",
                remedy: "write \"\(meant)\"")
        }
    }

    private static func checkRelation(_ statement: JSONValue, _ context: inout LintContext) {
        let value = statement["relation"]
        guard let relations = value?.array, !relations.isEmpty else {
            context.report(
                relation, at: value?.range ?? head(statement),
                value.map {
                    "relation is \($0.array == nil ? $0.kindName : "empty"), not a list of strings"
                }
                    ?? "this statement has no relation")
            return
        }
        for entry in relations where entry.string?.contains("/") != true {
            context.report(
                relation, at: entry.range, "this relation is not of the form kind/detail")
        }
    }

    private static func checkTarget(_ statement: JSONValue, _ context: inout LintContext) {
        guard let value = statement["target"], let members = value.members else {
            context.report(
                target, at: statement["target"]?.range ?? head(statement),
                "this statement has no target object")
            return
        }
        checkKeys(members, targetKeys, &context)
        switch value["namespace"]?.string {
        case "android_app": checkApp(value, &context)
        case "web": checkSite(value, &context)
        default:
            context.report(
                target, at: value["namespace"]?.range ?? head(value),
                "the namespace is neither android_app nor web")
        }
    }

    private static func checkSite(_ target: JSONValue, _ context: inout LintContext) {
        let text = target["site"]?.string ?? ""
        let rest =
            text.hasPrefix("https://")
            ? text.dropFirst(8) : text.hasPrefix("http://") ? text.dropFirst(7) : ""
        let path = rest.drop { $0 != "/" }
        if rest.isEmpty || !(path.isEmpty || path == "/") {
            context.report(
                site, at: target["site"]?.range ?? head(target),
                "\"\(text)\" is not scheme and host")
        }
    }

    private static func checkApp(_ target: JSONValue, _ context: inout LintContext) {
        let package = target["package_name"]
        let parts = (package?.string ?? "").split(separator: ".", omittingEmptySubsequences: false)
        let legal = parts.allSatisfy { part in
            part.first?.isLetter == true
                && part.utf8.allSatisfy {
                    (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) || $0 == 0x5F
                }
        }
        if parts.count < 2 || !legal {
            context.report(
                packageName, at: package?.range ?? head(target),
                "\"\(package?.string ?? "")\" cannot be a package name")
        }
        let list = target["sha256_cert_fingerprints"]
        guard let prints = list?.array, !prints.isEmpty else {
            let misspelt = (target.members ?? []).contains {
                Spelling.correction(of: $0.key, among: targetKeys) == "sha256_cert_fingerprints"
            }
            if !misspelt {
                context.report(
                    fingerprint, at: list?.range ?? head(target),
                    "the app has no list of fingerprints")
            }
            return
        }
        for print in prints { checkFingerprint(print, &context) }
    }

    private static func checkFingerprint(_ value: JSONValue, _ context: inout LintContext) {
        let text = value.string ?? ""
        let pairs = text.split(separator: ":", omittingEmptySubsequences: false)
        let isHex = pairs.allSatisfy { $0.count == 2 && $0.allSatisfy(\.isHexDigit) }
        if !isHex || pairs.count != 32 {
            let what = isHex && pairs.count == 20 ? " (20 bytes: this is SHA-1)" : ""
            context.report(
                fingerprint, at: value.range, "\"\(text)\" is not a SHA-256 fingerprint\(what)")
        } else if text.contains(where: \.isLowercase) {
            context.report(
                fingerprintCase, at: value.range, "this fingerprint is written in small letters")
        }
    }

    private static func head(_ value: JSONValue) -> Range<Int> {
        value.range.lowerBound..<value.range.lowerBound + 1
    }
}
