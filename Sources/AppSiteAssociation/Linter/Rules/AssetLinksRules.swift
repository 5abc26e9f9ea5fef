/// Android's `assetlinks.json` (Google, *Digital Asset Links: Creating a Statement List*).
enum AssetLinksRules {
    /// Google's relation strings, from its pages on app links, credentials, instant apps and web
    /// activities.
    private static let relations = WordList([
        "delegate_permission/common.handle_all_urls",
        "delegate_permission/common.get_login_creds",
        "delegate_permission/common.use_as_origin",
        "delegate_permission/common.share_location",
        "delegate_permission/common.query_webapk",
        "delegate_permission/common.handle_all_webapk_urls",
        "delegate_permission/smartlock.autofill",
    ])
    /// Fingerprints from Google's pages and from guides that copied them.
    private static let samples: Set<String> = [
        "14:6D:E9:83:C5:73:06:50:D8:EE:B9:95:2F:34:FC:64:16:A0:83:42:E6:1D:BE:A8:8A:04:96:B2:3F:CF:"
            + "44:E5",
        "10:39:38:EE:45:37:E5:9E:8E:E7:92:F6:54:50:4F:B8:34:6F:C6:B3:46:D0:BB:C4:41:5F:C3:39:FC:FC:"
            + "8E:C1",
    ]

    static func check(_ document: JSONDocument, _ context: inout LintContext) {
        guard let statements = document.root.array else {
            if document.root["statements"] != nil {
                context.report(
                    "assetlinks-api-answer", at: document.root.range,
                    "this is an answer of Google's API and not the file that a site publishes")
            } else if AssociationFormat.services.contains(where: { document.root[$0] != nil }) {
                context.report(
                    "assetlinks-not-array", at: document.root.range,
                    "this is an association file for Apple's devices and not assetlinks.json",
                    remedy: "Publish it as apple-app-site-association.")
            } else {
                let isStatement = document.root["relation"] != nil
                context.report(
                    "assetlinks-not-array", at: document.root.range,
                    "the file contains \(document.root.kindName) and not an array",
                    remedy: isStatement
                        ? nil
                        : "Publish an array of statements, each with \"relation\" and \"target\".",
                    fix: isStatement ? TextEdit.bracketed(document.root.range) : nil)
            }
            return
        }
        if statements.isEmpty {
            context.report(
                "assetlinks-empty", at: document.root.range, "this file contains no statement")
        }
        var seen: [String: Range<Int>] = [:]
        for value in statements {
            if value.members != nil {
                let text = context.source.text(in: value.range)
                checkTwice(text, "this statement", at: value.range, &seen, &context)
            }
            guard let members = value.members else {
                context.report(
                    "assetlinks-statement", at: value.range,
                    "this statement is \(value.kindName), not an object"
                )
                continue
            }
            SiblingFormat.statement.checkSpelling(of: members, "assetlinks-key-misspelt", &context)
            if value["include"] != nil { continue }
            for extensions in value["relation_extensions"]?.members ?? [] {
                checkExtensions(extensions.value, &context)
            }
            checkRelation(value, &context)
            checkTarget(value, &context)
        }
    }

    /// Rules for links without a new version of the app, in the form of Apple's components.
    private static func checkExtensions(_ value: JSONValue, _ context: inout LintContext) {
        SiblingFormat.relationExtension.checkSpelling(
            of: value.members ?? [], "assetlinks-key-misspelt", &context)
        guard let list = value["dynamic_app_link_components"] else { return }
        let file = DynamicLinkRules.file(list, in: context.source)
        AssociationFormat.format.check(file.document, &context)
        let entries = LinkEntry.outlined(file.applinks)
        let components = file.applinks?.details.first?.components ?? []
        for (component, rule) in zip(components, entries.first?.rules ?? []) {
            ComponentRules.check(component, rule, hasDefault: false, &context)
        }
        ReachRules.checkCovered(entries, Steps(LintLimits.coverageSteps), &context)
    }

    private static func checkRelation(_ statement: JSONValue, _ context: inout LintContext) {
        let value = statement["relation"]
        guard let relations = value?.array, !relations.isEmpty else {
            if SiblingFormat.statement.isMeant(["relation"], in: statement.members ?? []) { return }
            context.report(
                "assetlinks-relation", at: value?.range ?? head(statement),
                value.map {
                    "relation is \($0.array == nil ? $0.kindName : "empty"), not a list of strings"
                }
                    ?? "this statement has no relation")
            return
        }
        var seen: [String: Range<Int>] = [:]
        for entry in relations {
            guard let text = entry.string, text.utf8.contains(UInt8(ascii: "/")) else {
                context.report(
                    "assetlinks-relation", at: entry.range,
                    "this relation is not of the form kind/detail")
                continue
            }
            checkTwice(text, "\(text)", at: entry.range, &seen, &context)
            if !Self.relations.contains(text) {
                context.report(
                    "assetlinks-relation-unknown", at: entry.range,
                    "\"\(text)\" is not a relation that Google documents",
                    remedy: Self.relations.correction(of: text).map { "Write \"\($0)\"." })
            }
        }
    }

    private static func checkTwice(
        _ key: String, _ what: @autoclosure () -> String, at range: Range<Int>,
        _ seen: inout [String: Range<Int>], _ context: inout LintContext
    ) {
        guard let first = seen[key] else {
            seen[key] = range
            return
        }
        context.report(
            "assetlinks-twice", at: range, "\(what()) is listed twice",
            related: [("first here", first)])
    }

    private static func checkTarget(_ statement: JSONValue, _ context: inout LintContext) {
        guard let value = statement["target"], let members = value.members else {
            if SiblingFormat.statement.isMeant(["target"], in: statement.members ?? []) { return }
            context.report(
                "assetlinks-target", at: statement["target"]?.range ?? head(statement),
                "this statement has no target object")
            return
        }
        SiblingFormat.target.checkSpelling(of: members, "assetlinks-key-misspelt", &context)
        switch value["namespace"]?.string {
        case "android_app": checkApp(value, &context)
        case "web": checkSite(value, &context)
        default:
            if SiblingFormat.target.isMeant(["namespace"], in: members) { return }
            context.report(
                "assetlinks-target", at: value["namespace"]?.range ?? head(value),
                "the namespace is neither android_app nor web")
        }
    }

    private static func checkSite(_ target: JSONValue, _ context: inout LintContext) {
        if SiblingFormat.target.isMeant(["site"], in: target.members ?? []) { return }
        let text = target["site"]?.string ?? ""
        let address = WebAddress(text)
        if address?.isSound != true || address?.hasUserInfo == true
            || !["", "/"].contains(address?.rest ?? "")
        {
            context.report(
                "assetlinks-site", at: target["site"]?.range ?? head(target),
                "\"\(text)\" is not a scheme and a host")
        }
    }

    private static func checkApp(_ target: JSONValue, _ context: inout LintContext) {
        let package = target["package_name"]
        let parts = (package?.string ?? "").utf8.split(
            separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let legal = parts.allSatisfy { part in
            part.first.map { (0x61...0x7A).contains($0 | 0x20) } == true
                && part.allSatisfy {
                    (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) || $0 == 0x5F
                }
        }
        let isMisspelt = SiblingFormat.target.isMeant(["package_name"], in: target.members ?? [])
        if !isMisspelt, parts.count < 2 || !legal {
            context.report(
                "assetlinks-package", at: package?.range ?? head(target),
                "\"\(package?.string ?? "")\" cannot be a package name")
        }
        let list = target["sha256_cert_fingerprints"]
        guard let prints = list?.array, !prints.isEmpty else {
            if !SiblingFormat.target.isMeant(
                ["sha256_cert_fingerprints"], in: target.members ?? [])
            {
                context.report(
                    "assetlinks-fingerprint", at: list?.range ?? head(target),
                    "the app has no list of fingerprints")
            }
            return
        }
        var seen: [String: Range<Int>] = [:]
        for print in prints {
            checkFingerprint(print, &context)
            if let text = print.string, text.utf8.count < 200 {
                checkTwice(
                    text.uppercased(), "this fingerprint", at: print.range, &seen, &context)
            }
        }
    }

    private static func checkFingerprint(_ value: JSONValue, _ context: inout LintContext) {
        let text = value.string ?? ""
        let count = hexPairs(text)
        let digits = text.utf8.filter { !" :-._".utf8.contains($0) }
        let isBare =
            digits.count == 64 && digits.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
        // 32 bytes in Base64, as apksigner and some libraries print them.
        let isBase64 =
            text.utf8.count == 44 && text.hasSuffix("=")
            && text.utf8.dropLast().allSatisfy { OtherText.isBase64($0) || "-_".utf8.contains($0) }
        if count != 32, isBare || isBase64 {
            context.report(
                "assetlinks-fingerprint", at: value.range,
                "\"\(text.prefix(11))…\" has the 32 bytes of SHA-256 in another form",
                remedy: "Write the bytes in upper case with colons between them: 14:6D:E9:…")
            return
        }
        if count != 32 {
            let what = count == 20 ? " (20 bytes: this is SHA-1)" : ""
            context.report(
                "assetlinks-fingerprint", at: value.range,
                "\"\(text)\" is not a SHA-256 fingerprint\(what)")
            return
        }
        let values = (0..<32).map { UInt8(text.dropFirst($0 * 3).prefix(2), radix: 16) ?? 0 }
        // 00:00:…, AA:BB:CC:…, 00:01:02:…, 12:34:56:…: no hash is so regular.
        let steps = zip(values, values.dropFirst()).map { $1 &- $0 }
        let isRegular =
            Set(values).count == 1 || values.allSatisfy { $0 % 0x11 == 0 }
            || [1, 0x22, 0xFF].contains { step in steps.allSatisfy { $0 == step } }
        if isRegular || samples.contains(text.uppercased()) {
            context.report(
                "assetlinks-fingerprint-sample", at: value.range,
                "\"\(text.prefix(11))…\" is not the fingerprint of any app's certificate")
        } else if text.utf8.contains(where: { (0x61...0x66).contains($0) }) {
            let source = context.source
            context.report(
                "assetlinks-fingerprint-case", at: value.range, "this fingerprint is in lower case",
                fix: TextEdit.uppercased(value.range, in: source))
        }
    }

    /// The number of pairs of hexadecimal digits separated by colons; nil for other text.
    private static func hexPairs(_ text: String) -> Int? {
        // The longest hash in use has 64 bytes.
        guard text.utf8.count < 200, (text.utf8.count + 1) % 3 == 0 else { return nil }
        for (index, byte) in text.utf8.enumerated() {
            let isRight =
                index % 3 == 2
                ? byte == UInt8(ascii: ":")
                : (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte & 0xDF)
            guard isRight else { return nil }
        }
        return (text.utf8.count + 1) / 3
    }

    private static func head(_ value: JSONValue) -> Range<Int> {
        value.range.lowerBound..<value.range.lowerBound + 1
    }
}
