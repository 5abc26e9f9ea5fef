import OpenSSL

/// What is kept of a host → a record, and back:
///
/// ```
/// file/PATH                         the bytes that are served, by their path in the host's folder
/// lost  lost.host                   what of it is not on disk
/// aliases  default  form  …         `KeptFacts`
/// ```
extension KeptHost {
    package func record(of name: String) -> StateRecord {
        var record = StateRecord(.host, name)
        for (path, bytes) in files.sorted(by: { $0.key < $1.key }) {
            let names = path.split(separator: "/").map { StateRecord.escaped(String($0)) }
            record.add("file/" + names.joined(separator: "/"), bytes)
        }
        if !lost.isEmpty { record.add("lost", Self.text(lost.map(\.text))) }
        if isLost { record.add("lost.host", "1") }
        if !facts.aliases.isEmpty { record.add("aliases", Self.text(facts.aliases)) }
        if facts.isDefault { record.add("default", "1") }
        if let name = facts.defaultName { record.add("default.name", name) }
        if let form = facts.form { record.add("form", form.rawValue) }
        if let signature = facts.signature {
            record.add("signature", signature.der)
            record.add("signature.signer", signature.signer)
            record.add("signature.life", "\(signature.notBefore) \(signature.notAfter)")
        }
        if let document = facts.document { record.add("document", document) }
        if let since = facts.since { record.add("kept", "\(since)") }
        return record
    }

    package init(_ record: StateRecord) {
        if record.version < StateRecord.version {
            self.init(version1: record)
            return
        }
        self.init()
        for field in record.fields where field.name.hasPrefix("file/") {
            files[StateRecord.unescaped(String(field.name.dropFirst("file/".count)))] = field.bytes
        }
        lost = Set(record.lines("lost").compactMap { HostTree.Group(text: $0) })
        isLost = record["lost.host"] != nil
        facts = KeptFacts(
            aliases: Set(record.lines("aliases")), isDefault: record["default"] != nil,
            defaultName: record.text("default.name"),
            form: record.text("form").flatMap(AssociationForm.init),
            signature: record.signature(), document: record["document"],
            since: record.text("kept").flatMap { Int64($0) })
    }

    private static func text(_ lines: some Collection<String>) -> String {
        lines.sorted().joined(separator: "\n")
    }
}

extension StateRecord {
    func lines(_ field: String) -> [String] {
        (text(field) ?? "").split(separator: "\n").map(String.init)
    }

    /// `signature`, and what was signed: nil where it cannot be read, and so not be served.
    func signature() -> HostSignature? {
        guard let der = self["signature"], let payload = CMSVerifier.payload(of: der) else {
            return nil
        }
        let life = (text("signature.life") ?? "").split(separator: " ").compactMap { Int64($0) }
        guard life.count == 2 else { return nil }
        return HostSignature(
            der: der, payload: payload, signer: text("signature.signer") ?? "", notBefore: life[0],
            notAfter: life[1])
    }
}
