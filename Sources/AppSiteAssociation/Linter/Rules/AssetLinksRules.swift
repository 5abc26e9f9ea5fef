/// Android's `assetlinks.json` (Google, *Digital Asset Links: Creating a Statement List*).
enum AssetLinksRules {
    /// Google's relation strings, from its pages on app links, credentials, instant apps and web
    /// activities.
    private static let webAppRelation = "delegate_permission/common.query_webapk"
    private static let relations = WordList([
        "delegate_permission/common.handle_all_urls",
        "delegate_permission/common.get_login_creds",
        "delegate_permission/common.use_as_origin",
        "delegate_permission/common.share_location",
        webAppRelation,
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
        let root = document.root
        if root["statements"] != nil {
            return context.report("assetlinks-api-answer", at: root.range)
        }
        if AssociationFormat.services.contains(where: { root[$0] != nil }) {
            return context.report(
                "assetlinks-not-array", at: root.range,
                "this is an association file for Apple's devices and not assetlinks.json",
                remedy: "Publish it as apple-app-site-association.")
        }
        SiblingFormat.assetLinks.check(document, &context)
        guard let statements = root.array else { return }
        if statements.isEmpty { context.report("assetlinks-empty", at: root.range) }
        var seen: [String: Range<Int>] = [:]
        for value in statements where value.members != nil {
            let text = context.source.text(in: value.range)
            context.reportRepeat(
                "assetlinks-twice", of: text, at: value.range, in: &seen, "this statement")
            if value["include"] != nil { continue }
            for extensions in value["relation_extensions"]?.members ?? [] {
                checkLinks(extensions.value["dynamic_app_link_components"], &context)
            }
            if let relation = value["relation"] { checkRelation(relation, &context) }
            guard let target = value["target"] else { continue }
            switch target["namespace"]?.string {
            case "android_app": checkApp(target, &context)
            case "web": checkSite(target, of: value["relation"], &context)
            default: break
            }
        }
    }

    /// Rules for links without a new version of the app, in the form of Apple's components.
    private static func checkLinks(_ list: JSONValue?, _ context: inout LintContext) {
        guard let list else { return }
        let links = DynamicLinkRules.file(list, in: context.source).applinks
        let entries = LinkEntry.all(of: links)
        let components = links?.details.first?.components ?? []
        for (component, rule) in zip(components, entries.first?.rules ?? []) {
            ComponentRules.check(component, rule, hasDefault: false, &context)
        }
        ReachRules.checkCovered(entries, Steps(LintLimits.coverageSteps), &context)
    }

    private static func checkRelation(_ value: JSONValue, _ context: inout LintContext) {
        if value.array?.isEmpty == true {
            context.report("assetlinks-relation", at: value.range, "relation is empty")
        }
        var seen: [String: Range<Int>] = [:]
        for entry in value.array ?? [] {
            guard let text = entry.string else { continue }
            guard text.utf8.contains(UInt8(ascii: "/")) else {
                context.report(
                    "assetlinks-relation", at: entry.range,
                    "this relation is not of the form kind/detail")
                continue
            }
            context.reportRepeat("assetlinks-twice", of: text, at: entry.range, in: &seen, text)
            if !Self.relations.contains(text) {
                context.report(
                    "assetlinks-relation-unknown", at: entry.range, text,
                    remedy: Self.relations.correction(of: text).map { "Write \"\($0)\"." })
            }
        }
    }

    /// A site is an origin; only of a web app it is the URL of the manifest (Chrome,
    /// getInstalledRelatedApps).
    private static func checkSite(
        _ target: JSONValue, of relations: JSONValue?, _ context: inout LintContext
    ) {
        guard let site = target["site"], let text = site.string else { return }
        let address = WebAddress(text)
        let mayHavePath =
            relations?.array?.contains { $0.string == Self.webAppRelation } == true
        if address?.isSound != true || address?.hasUserInfo == true
            || !mayHavePath && !["", "/"].contains(address?.rest ?? "")
        {
            context.report(
                "assetlinks-site", at: site.range, "\"\(text)\" is not a web origin")
        }
    }

    private static func checkApp(_ target: JSONValue, _ context: inout LintContext) {
        if let package = target["package_name"], let text = package.string, !isPackage(text) {
            context.report(
                "assetlinks-package", at: package.range, "\"\(text)\" cannot be a package name")
        }
        guard let list = target["sha256_cert_fingerprints"], let prints = list.array else { return }
        if prints.isEmpty {
            context.report(
                "assetlinks-fingerprint", at: list.range, "the app has no fingerprint")
        }
        var seen: [String: Range<Int>] = [:]
        for print in prints {
            guard let text = print.string else { continue }
            checkFingerprint(text, at: print.range, &context)
            if text.utf8.count < 200 {
                context.reportRepeat(
                    "assetlinks-twice", of: text.uppercased(), at: print.range, in: &seen,
                    "this fingerprint")
            }
        }
    }

    /// Two Java names at least, with full stops between them.
    private static func isPackage(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count > 1
            && parts.allSatisfy { part in
                part.first?.isASCIILetter == true
                    && part.allSatisfy {
                        $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "_")
                    }
            }
    }

    private static func checkFingerprint(
        _ text: String, at range: Range<Int>, _ context: inout LintContext
    ) {
        let pairs = hexPairs(text)
        guard let values = pairs, values.count == 32 else {
            let digits = text.utf8.filter { !" :-._".utf8.contains($0) }
            let isBare = digits.count == 64 && digits.allSatisfy(\.isASCIIHexDigit)
            // 32 bytes in Base64, as apksigner and some libraries print them.
            let isBase64 =
                text.utf8.count == 44 && text.hasSuffix("=")
                && text.utf8.dropLast().allSatisfy { $0.isBase64 || "-_".utf8.contains($0) }
            let isOther = isBare || isBase64
            let what = pairs?.count == 20 ? " (20 bytes: this is SHA-1)" : ""
            return context.report(
                "assetlinks-fingerprint", at: range,
                isOther
                    ? "\"\(text.prefix(11))…\" has the 32 bytes of SHA-256 in another form"
                    : "\"\(text)\" is not a SHA-256 fingerprint\(what)",
                remedy: isOther
                    ? "Write the bytes in upper case with colons between them: 14:6D:E9:…" : nil)
        }
        // 00:00:…, AA:BB:CC:…, 00:01:02:…, 12:34:56:…: no hash is so regular.
        let steps = zip(values, values.dropFirst()).map { $1 &- $0 }
        let isRegular =
            Set(values).count == 1 || values.allSatisfy { $0 % 0x11 == 0 }
            || [1, 0x22, 0xFF].contains { step in steps.allSatisfy { $0 == step } }
        if isRegular || samples.contains(text.uppercased()) {
            context.report("assetlinks-fingerprint-sample", at: range, "\(text.prefix(11))…")
        } else if text.utf8.contains(where: { (0x61...0x66).contains($0) }) {
            let source = context.source
            context.report(
                "assetlinks-fingerprint-case", at: range,
                fix: TextEdit.uppercased(range, in: source))
        }
    }

    /// The values of pairs of hexadecimal digits separated by colons; nil for other text.
    private static func hexPairs(_ text: String) -> [UInt8]? {
        guard text.utf8.count < 200 else { return nil }
        let pairs = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        let isRight = pairs.allSatisfy { $0.count == 2 && $0.allSatisfy(\.isASCIIHexDigit) }
        return isRight
            ? pairs.compactMap { UInt8(String(decoding: $0, as: UTF8.self), radix: 16) } : nil
    }
}
