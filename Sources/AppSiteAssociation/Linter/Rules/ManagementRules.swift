/// Associated domains that device management gives to apps.
///
/// For a Mac they are a payload of a configuration profile, and for other devices attributes of a
/// managed app, in a declaration or in the command that installs the app.
enum ManagementRules {
    /// A payload `com.apple.associated-domains`, since macOS 10.15.
    private static let payload = DocumentFormat(named: "managed-payload")

    /// Attributes of a managed app, since iOS 13.
    private static let attributes = DocumentFormat(named: "managed-attributes")

    /// - Returns: whether the document is from device management, and so no document of its kind.
    static func check(_ root: JSONValue, _ context: inout LintContext) -> Bool {
        let payloads = (root["PayloadContent"]?.array ?? []).filter {
            $0["PayloadType"]?.string == "com.apple.associated-domains"
        }
        for value in payloads {
            payload.check(value, named: "the payload", &context)
            for app in value["Configuration"]?.array ?? [] {
                if let name = app["ApplicationIdentifier"], let text = name.string {
                    AppIdentifierRules.check(text, at: name.range, &context)
                }
                checkDomains(of: app, &context)
            }
        }
        if !payloads.isEmpty { return true }
        let kind = root["Type"]?.string ?? root["PayloadType"]?.string
        guard kind?.hasPrefix("com.apple.") == true else { return false }
        root.forEachValue { value in
            guard value.members?.contains(where: { $0.key.contains("AssociatedDomain") }) == true
            else { return }
            attributes.check(value, named: "the attributes", &context)
            checkDomains(of: value, &context)
        }
        return true
    }

    private static func checkDomains(of app: JSONValue, _ context: inout LintContext) {
        let entries = (app["AssociatedDomains"]?.array ?? []).compactMap { value in
            value.string.map { EntitlementFile.Entry($0, at: value.range, &context) }
        }
        EntitlementListRules.check(entries, &context)
    }
}
