import AppSiteAssociation

/// Property lists as text, and the entitlements read from them.
enum PlistText {
    static func document(_ body: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
        "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        \(body)
        </plist>
        """
    }

    static func read(_ text: String) throws -> EntitlementFile {
        try EntitlementFile(reading: SourceText(name: "app.entitlements", text: text))
    }
}
