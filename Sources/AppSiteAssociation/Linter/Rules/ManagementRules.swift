/// Associated domains that device management gives to apps.
///
/// For a Mac they are a payload of a configuration profile, and for other devices attributes of a
/// managed app, in a declaration or in the command that installs the app.
enum ManagementRules {
    private static let code = "managed-domains"

    private static let domains = SchemaMember(
        "AssociatedDomains", .list(of: .string()), "Entries as in the entitlement.")

    /// A payload `com.apple.associated-domains`, since macOS 10.15.
    private static let payload = DocumentFormat(
        "com.apple.associated-domains", code: code,
        .object(
            [
                SchemaMember(
                    "Configuration", .list(of: .object(payloadApp)), "The apps and their domains.")
            ], needs: [["Configuration"]], isOpen: true))

    private static let payloadApp = SchemaObject(
        nil,
        [
            SchemaMember("ApplicationIdentifier", .string(), "PREFIX.BUNDLE-ID."), domains,
            SchemaMember(
                "EnableDirectDownloads", .boolean,
                "Whether the Mac asks the host itself, and not Apple's CDN. Since macOS 11."),
        ], needs: [["ApplicationIdentifier"], ["AssociatedDomains"]], isOpen: true,
        readings: {
            $0.key == "AssociatedDomainsEnableDirectDownloads"
                ? SchemaSlip(key: "EnableDirectDownloads") : nil
        })

    /// Attributes of a managed app, since iOS 13.
    private static let attributes = DocumentFormat(
        "attributes of a managed app", code: code,
        .object(
            SchemaObject(
                nil,
                [
                    domains,
                    SchemaMember(
                        "AssociatedDomainsEnableDirectDownloads", .boolean,
                        "Whether devices ask the host itself, and not Apple's CDN. Since iOS 14."),
                ], isOpen: true,
                readings: {
                    $0.key == "EnableDirectDownloads"
                        ? SchemaSlip(key: "AssociatedDomainsEnableDirectDownloads") : nil
                })))

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
