/// `/.well-known/webauthn`: other origins that may use this site's passkeys (WebAuthn level 3,
/// 5.11).
enum WebAuthnRules {
    static func check(_ document: JSONDocument, _ context: inout LintContext) {
        SiblingFormat.webAuthn.check(document, &context)
        var seen: Set<String> = []
        var labels: Set<String> = []
        for value in document.root["origins"]?.array ?? [] {
            guard let text = value.string else { continue }
            guard let address = WebAddress(text), address.scheme == "https", !address.hasUserInfo,
                address.isSound
            else {
                context.report(
                    "webauthn-origin", at: value.range, "\"\(text)\" is not an https origin")
                continue
            }
            if !address.rest.isEmpty {
                context.report("webauthn-origin-path", at: value.range, text)
            }
            if !seen.insert(WebAddress.origin(of: text)).inserted {
                context.report("webauthn-origin-twice", at: value.range, text)
            }
            guard labels.count <= LintLimits.relatedOriginLabels else { continue }
            let label = registrableLabel(of: address.host)
            if labels.insert(label).inserted, labels.count == LintLimits.relatedOriginLabels + 1 {
                context.report("webauthn-too-many-labels", at: value.range, label)
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
    static func check(_ document: JSONDocument, _ context: inout LintContext) {
        SiblingFormat.passkeyEndpoints.check(document, &context)
        guard case .object(let known) = SiblingFormat.passkeyEndpoints.root else { return }
        for member in document.root.members ?? [] {
            guard known[member.key] != nil, let text = member.value.string else { continue }
            if WebAddress(text)?.scheme != "https" {
                context.report(
                    "passkey-endpoints-url", at: member.value.range,
                    "\"\(member.key)\" is not an https URL")
            }
        }
    }
}
