import AppSiteAssociation
import OpenSSL

/// What a load changed about one host, for the log: the change of meaning, not of bytes.
package struct HostChange: Sendable, Equatable {
    package let host: String
    package let lines: [String]

    /// Further changes are counted, not listed: a completely replaced document would fill pages.
    static let linesMaximum = 20

    /// The first load reports no changes: everything would be new.
    ///
    /// - Parameters:
    ///   - defaultHosts: the default host before and now.
    ///   - certificates: those before and now.
    package static func changes(
        from old: [String: HostState], to new: [String: HostState],
        defaultHosts: (old: String?, new: String?)? = nil,
        certificates: (old: [ServedCertificate], new: [ServedCertificate]) = ([], [])
    ) -> [HostChange] {
        if old.isEmpty { return [] }
        var changes: [HostChange] = []
        let renewals = certificateLines(certificates.old, certificates.new)
        for name in Set(old.keys).union(new.keys).union(renewals.keys).sorted() {
            var lines =
                switch (old[name], new[name]) {
                case (nil, nil): [String]()
                case (let old?, let new?): difference(old, new)
                case (nil, let new?): ["host added, apps: \(new.served.facts.apps)"]
                case (_, nil): ["host removed"]
                }
            if let (old, new) = defaultHosts, old != new, name == new ?? old {
                lines.append("default host: \(old ?? "none") → \(new ?? "none")")
            }
            lines += renewals[name] ?? []
            if !lines.isEmpty { changes.append(HostChange(host: name, lines: lines)) }
        }
        return changes
    }

    /// By folder. A renewal is the most frequent reason for a load; the first load reports none.
    private static func certificateLines(
        _ old: [ServedCertificate], _ new: [ServedCertificate]
    ) -> [String: [String]] {
        if old.isEmpty { return [:] }
        func key(_ certificate: ServedCertificate) -> [String] {
            [certificate.folder, certificate.keyType]
        }
        let before = Dictionary(old.map { (key($0), $0) }) { first, _ in first }
        let kept = Set(new.map(key))
        var lines: [String: [String]] = [:]
        for certificate in new {
            let known = before[key(certificate)]
            if known?.notBefore == certificate.notBefore, known?.notAfter == certificate.notAfter,
                known?.names == certificate.names
            {
                continue
            }
            lines[certificate.folder, default: []].append(
                "\(certificate.keyType) certificate \(known == nil ? "added" : "replaced"), "
                    + "expires on \(DateText.day(certificate.notAfter))")
        }
        for certificate in old where !kept.contains(key(certificate)) {
            lines[certificate.folder, default: []].append(
                "\(certificate.keyType) certificate removed")
        }
        return lines
    }

    private static func difference(_ old: HostState, _ new: HostState) -> [String] {
        var lines: [String] = []
        func compare<Value: Equatable>(
            _ setting: KeyPath<HostSettings, Value>, _ line: (Value, Value) -> String
        ) {
            let (before, now) = (old.settings[keyPath: setting], new.settings[keyPath: setting])
            if before != now { lines.append(line(before, now)) }
        }
        compare(\.form) { "form: \($0) → \($1)" }
        let aliases = (old.settings.aliases.map(\.value), new.settings.aliases.map(\.value))
        lines += Set(aliases.1).subtracting(aliases.0).sorted().map { "alias added: \($0)" }
        lines += Set(aliases.0).subtracting(aliases.1).sorted().map { "alias removed: \($0)" }
        compare(\.changePassword) { "change-password: \($1 ?? "none")" }
        compare(\.cacheControl) { "cacheControl: \($0) → \($1)" }
        compare(\.certificate) { "certificate: \($1 ?? "of its own folder")" }
        compare(\.types) { _, _ in "types changed" }
        compare(\.isStrict) { "strict: \($1)" }
        lines += documentLines(old.document, new.document)
        if old.signature != nil, new.signature == nil, new.document != nil {
            lines.append("no longer signed")
        }
        // Of a ready-made file the signer is not known.
        let isResigned =
            old.signature?.signer != new.signature?.signer
            || new.signature?.signer == "" && old.signature?.der != new.signature?.der
        if isResigned, let signature = new.signature {
            lines.append(
                "signed again; the signature expires on \(DateText.day(signature.notAfter))")
        }
        for name in Set(old.siblings.keys).union(new.siblings.keys).sorted() {
            let (before, now) = (old.siblings[name]?.source.bytes, new.siblings[name]?.source.bytes)
            if before == now { continue }
            lines.append(
                "\(name) " + (before == nil ? "added" : now == nil ? "removed" : "changed"))
        }
        if lines.count <= linesMaximum { return lines }
        return lines.prefix(linesMaximum) + ["and \(lines.count - linesMaximum) more changes"]
    }

    private static func documentLines(_ old: HostDocument?, _ new: HostDocument?) -> [String] {
        switch (old, new) {
        case (nil, let new?): return ["document served: \(new.json.count) bytes"]
        case (let old?, let new?):
            if old.json == new.json { return [] }
            var lines = ["document: \(old.json.count) → \(new.json.count) bytes"]
            // First, and in one line each, so that an operator who did not intend it sees it.
            let present = Set(new.teams.filter { $0.apps > 0 }.map(\.identifier))
            lines += old.teams.filter { $0.apps > 0 && !present.contains($0.identifier) }.map {
                "team \($0.identifier) removed, with \(counted($0.apps, "app"))"
            }
            // The same app may be removed from several services: each line names its own.
            lines += AssociationDiff.diff(old.file, new.file).map {
                $0.service.isEmpty ? $0.description : "\($0.service): \($0.description)"
            }
            return lines
        case (_, nil): return []
        }
    }
}
