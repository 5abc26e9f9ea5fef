import AppSiteAssociation

/// Reads what aasa 1.1.0 kept of a host, from its state folder or at an upgrade. It kept what it
/// had built, and not what it had read. To be deleted in a later release.
extension KeptHost {
    init(version1 record: StateRecord) {
        self.init()
        let settings = record["host.json"].map {
            HostSettingsReader.read(SourceText(name: "host.json", bytes: $0)).0
        }
        files["host.json"] = record["host.json"]
        files["apple-app-site-association"] = record["document.signed"] ?? record["document.json"]
        for field in record.fields where field.name.hasPrefix("sibling/") {
            files["well-known/" + field.name.dropFirst("sibling/".count)] = field.bytes
        }
        lost = Set(
            record.lines("lost.siblings").map { .sibling($0) }
                + (record["lost.document"] == nil ? [] : [.document]))
        isLost = record["lost.host"] != nil
        facts = KeptFacts(
            aliases: Set(settings?.aliases.map(\.name) ?? [])
                .subtracting(record.lines("refused.aliases")),
            isDefault: settings?.isDefault == true && record["refused.default"] == nil,
            defaultName: record.text("default"),
            form: record["document.json"] == nil ? nil : settings?.form ?? .json,
            signature: record.signature(), since: record.text("kept").flatMap { Int64($0) })
    }
}
