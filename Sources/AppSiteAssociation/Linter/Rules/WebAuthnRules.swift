/// `/.well-known/webauthn`: other origins that may use this site's passkeys (WebAuthn level 3,
/// 5.11).
enum WebAuthnRules {
    static let rules = [shape, origin, tooMany, repeated]
    private static let w3c = "W3C, WebAuthn level 3, section 5.11"
    private static func file(_ text: String) -> LintExample {
        LintExample(text + "\n", file: "webauthn")
    }
    private static let good = file("{ \"origins\": [\"https://shop.example.de\"] }")

    static let shape = LintRule(
        "webauthn-shape", .error, "webauthn without a list of origins",
        why:
            "The document is an object with one array of strings, \"origins\"; with anything "
            + "else no "
            + "related origin is allowed.", fix: "write { \"origins\": [\"https://…\"] }",
        .documented, w3c, bad: file("[\"https://shop.example.de\"]"), good: good)
    static let origin = LintRule(
        "webauthn-origin", .error, "an origin that is not one",
        why:
            "An origin is https, host and perhaps port; with a path, a slash at the end or "
            + "another scheme "
            + "it never equals the origin of a page.", fix: "write https://host", .documented, w3c,
        bad: file("{ \"origins\": [\"https://shop.example.de/\"] }"), good: good)
    static let tooMany = LintRule(
        "webauthn-too-many-labels", .warning, "more distinct names than clients must read",
        why:
            "Clients count the name in front of the public suffix (example in shop.example.de) "
            + "and may "
            + "stop after five different ones. Public suffixes are guessed here: the last label, "
            + "or two "
            + "for the like of co.uk.",
        fix: "put the important origins first, or use fewer names", .documented, w3c,
        bad: file(
            "{ \"origins\": [\"https://a1.de\", \"https://b2.de\", \"https://c3.de\", "
                + "\"https://d4.de\", \"https://e5.de\", \"https://f6.de\"] }"
        ), good: good)
    static let repeated = LintRule(
        "webauthn-origin-twice", .warning, "the same origin twice",
        why: "The second has no effect.", fix: "remove it", .advice, w3c,
        bad: file("{ \"origins\": [\"https://shop.example.de\", \"https://shop.example.de\"] }"),
        good: good)

    static func check(_ document: JSONDocument, _ context: inout LintContext) {
        guard let origins = document.root["origins"]?.array else {
            context.report(
                shape, at: document.root["origins"]?.range ?? document.root.range,
                "there is no array \"origins\" in this document")
            return
        }
        var seen: Set<String> = []
        var labels: Set<String> = []
        for value in origins {
            guard let text = value.string, let address = WebAddress(text),
                address.scheme == "https", address.rest.isEmpty, !address.hasUserInfo,
                address.isSound
            else {
                context.report(
                    origin, at: value.range,
                    "\(value.string.map { "\"\($0)\"" } ?? value.kindName) is not an https origin")
                continue
            }
            if !seen.insert(text.lowercased()).inserted {
                context.report(repeated, at: value.range, "\(text) is listed twice")
            }
            guard labels.count <= LintLimits.relatedOriginLabels else { continue }
            let label = registrableLabel(of: address.host)
            if labels.insert(label).inserted, labels.count == LintLimits.relatedOriginLabels + 1 {
                context.report(
                    tooMany, at: value.range,
                    "\"\(label)\" is the sixth distinct name; clients may stop before it")
            }
        }
    }

    private static func registrableLabel(of host: String) -> String {
        // A name has at most 253 bytes; the end of a longer text is enough.
        let parts = host.utf8.suffix(256).split(separator: UInt8(ascii: "."))
        guard parts.count >= 2 else { return host }
        let second = String(decoding: parts[parts.count - 2], as: UTF8.self)
        let isSecondLevelSuffix =
            parts.count >= 3 && parts[parts.count - 1].count == 2
            && ["co", "com", "org", "net", "ac", "gov", "or", "ne"].contains(second)
        return isSecondLevelSuffix
            ? String(decoding: parts[parts.count - 3], as: UTF8.self) : second
    }
}

/// `/.well-known/passkey-endpoints` (W3C, *Passkey Endpoints Well-Known URL*).
enum PasskeyEndpointRules {
    static let rules = [shape, url, unknown]
    private static let w3c = "W3C, Passkey Endpoints Well-Known URL"
    private static func file(_ text: String) -> LintExample {
        LintExample(text + "\n", file: "passkey-endpoints")
    }
    private static let good = file("{ \"enroll\": \"https://example.com/account/passkeys/new\" }")
    private static let known = WordList(["enroll", "manage", "prfUsageDetails"])

    static let shape = LintRule(
        "passkey-endpoints-shape", .error, "passkey-endpoints is not an object",
        why: "The document is an object of URLs; {} says that passkeys are supported.",
        fix: "write { \"enroll\": \"https://…\" }", .documented, w3c, bad: file("[]"), good: good)
    static let url = LintRule(
        "passkey-endpoints-url", .error, "an endpoint that is not an https URL",
        why: "Password managers open the page for the user; only absolute https URLs are used.",
        fix: "write the whole URL with https://", .documented, w3c,
        bad: file("{ \"manage\": \"/account/passkeys\" }"), good: good)
    static let unknown = LintRule(
        "passkey-endpoints-key", .warning, "a member that the specification does not know",
        why: "Known are enroll, manage and prfUsageDetails; others are ignored.",
        fix: "correct the name or remove it", .documented, w3c,
        bad: file("{ \"enrol\": \"https://example.com/account/passkeys/new\" }"), good: good)

    static func check(_ document: JSONDocument, _ context: inout LintContext) {
        guard let members = document.root.members else {
            context.report(
                shape, at: document.root.range, "the document is \(document.root.kindName)")
            return
        }
        for member in members {
            guard known.contains(member.key) else {
                context.report(
                    unknown, at: member.keyRange, "\"\(member.key)\" is ignored",
                    remedy: known.correction(of: member.key).map { "write \"\($0)\"" })
                continue
            }
            if WebAddress(member.value.string ?? "")?.scheme != "https" {
                context.report(url, at: member.value.range, "\"\(member.key)\" is not an https URL")
            }
        }
    }
}
