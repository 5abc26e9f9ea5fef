import AppSiteAssociation

/// A host's last good state → a record, and back.
extension HostState {
    package func record(of name: String) -> StateRecord {
        var record = StateRecord(.host, name)
        if let settingsSource { record.add("host.json", settingsSource.bytes) }
        // What `host.json` says and another host has.
        if !settings.refused.aliases.isEmpty {
            record.add("refused.aliases", settings.refused.aliases.sorted().joined(separator: "\n"))
        }
        if settings.refused.isDefault { record.add("refused.default", "1") }
        if let document {
            record.add("document.json", document.json)
            record.add("document.source", document.source.rawValue)
            let teams = document.teams.map { "\($0.identifier) \($0.bytes)" }
            record.add("document.teams", teams.joined(separator: "\n"))
            if let ready = document.readySigned {
                record.add("document.signed", ready.der)
                record.add("document.signed.life", "\(ready.notBefore) \(ready.notAfter)")
            }
            if let signature, document.readySigned == nil, signature.payload == document.json {
                record.add("signature", signature.der)
                record.add("signature.signer", signature.signer)
                record.add("signature.life", "\(signature.notBefore) \(signature.notAfter)")
            }
        }
        for (name, sibling) in siblings.sorted(by: { $0.key < $1.key }) {
            record.add("sibling/" + name, sibling.source.bytes)
            record.add("sibling.type/" + name, sibling.mediaType)
            record.add("sibling.cache/" + name, sibling.cacheControl)
            if sibling.isMerged {
                record.add(
                    "sibling.merged/" + name, sibling.teams.sorted().joined(separator: "\n"))
            }
        }
        if loss.isHost { record.add("lost.host", "1") }
        if loss.isDocument { record.add("lost.document", "1") }
        if !loss.siblings.isEmpty {
            record.add("lost.siblings", loss.siblings.sorted().joined(separator: "\n"))
        }
        if let defaultName { record.add("default", defaultName) }
        if let since = served.facts.keptSince { record.add("kept", "\(since)") }
        return record
    }

    /// - Throws: if the record's document is no longer valid.
    package init(
        restoring record: StateRecord, factory: ResponseFactory
    ) throws(StateError) {
        let name = record.name
        var settings = HostSettings()
        var settingsSource: SourceText?
        if let bytes = record["host.json"] {
            let source = SourceText(name: "host.json (as it was served)", bytes: bytes)
            // The settings were good when they were kept. If a later version finds a problem in
            // them, that is no reason to drop the rest.
            settings = HostSettingsReader.read(source).0
            var refused = HostSettings.Refused()
            refused.aliases = Self.lines(record.text("refused.aliases"))
            refused.isDefault = record["refused.default"] != nil
            settings.refuse(refused)
            settingsSource = source
        }
        let document = try Self.document(record)
        var signature: HostSignature?
        if let document, let der = record["signature"],
            let life = Self.life(record.text("signature.life"))
        {
            signature = HostSignature(
                der: der, payload: document.json, signer: record.text("signature.signer") ?? "",
                notBefore: life.0, notAfter: life.1)
        } else if let document, let ready = document.readySigned, settings.form.needsSignature {
            signature = HostSignature(
                der: ready.der, payload: document.json, signer: "", notBefore: ready.notBefore,
                notAfter: ready.notAfter)
        }
        var siblings: [String: SiblingState] = [:]
        for field in record.fields where field.name.hasPrefix("sibling/") {
            let path = String(field.name.dropFirst("sibling/".count))
            siblings[path] = SiblingState(
                source: SourceText(name: path, bytes: field.bytes),
                mediaType: record.text("sibling.type/" + path) ?? "application/octet-stream",
                cacheControl: record.text("sibling.cache/" + path) ?? settings.cacheControl,
                name: path, isMerged: record["sibling.merged/" + path] != nil,
                // Earlier versions wrote "1", which is no team.
                teams: Self.lines(record.text("sibling.merged/" + path)).subtracting(["1"]),
                factory: factory)
        }
        let assembly = HostAssembly(factory: factory)
        var facts = assembly.facts(document, signature, settings)
        facts.keptSince = record.text("kept").flatMap { Int64($0) }
        let served = assembly.served(
            name: name, settings: settings, document: document, signature: signature,
            uncovered: assembly.uncoveredAliases(document, signature, settings),
            siblings: siblings, counters: HostCounters(host: name), facts: facts)
        self.init(
            settings: settings, settingsSource: settingsSource, document: document,
            built: nil, signature: signature, siblings: siblings, served: served,
            loss: Loss(
                isHost: record["lost.host"] != nil, isDocument: record["lost.document"] != nil,
                siblings: Self.lines(record.text("lost.siblings"))),
            defaultName: record.text("default"))
    }

    private static func lines(_ text: String?) -> Set<String> {
        Set((text ?? "").split(separator: "\n").map(String.init))
    }

    private static func document(_ record: StateRecord) throws(StateError) -> HostDocument? {
        guard let json = record["document.json"] else { return nil }
        let source = SourceText(name: "the kept document of \(record.name)", bytes: json)
        let file: AssociationFile
        do {
            file = try AssociationFile(reading: source)
        } catch {
            throw .unusable("its document cannot be read: \(error.diagnostic.message)")
        }
        var teams: [String: Int] = [:]
        for line in (record.text("document.teams") ?? "").split(separator: "\n") {
            let words = line.split(separator: " ")
            if words.count == 2, let bytes = Int(words[1]) { teams[String(words[0])] = bytes }
        }
        var ready: HostDocument.PresignedDocument?
        if let der = record["document.signed"],
            let life = life(record.text("document.signed.life"))
        {
            ready = HostDocument.PresignedDocument(der: der, notBefore: life.0, notAfter: life.1)
        }
        return HostDocument(
            json: json, file: file,
            source: record.text("document.source").flatMap(HostFacts.Source.init) ?? .fragments,
            teamBytes: teams, readySigned: ready)
    }

    /// `BEGIN END` in seconds since 1970.
    private static func life(_ text: String?) -> (Int64, Int64)? {
        let words = (text ?? "").split(separator: " ").compactMap { Int64($0) }
        return words.count == 2 ? (words[0], words[1]) : nil
    }
}
