import AppSiteAssociation
package import Logging
import OpenSSL

/// A table of what is served where, which `aasa serve` prints at start for the person who typed the
/// command.
package enum StartupTable {
    /// What is reported of a host or certificate, by the names of the fields in the log.
    private typealias Row = KeyValuePairs<String, any CustomStringConvertible & Sendable>

    package static func text(
        _ snapshot: Snapshot, listeners: [String], plain: [String], admin: String?, now: Int64
    ) -> String {
        let hosts = ["HOST", "FORM", "TEAMS", "APPS", "BYTES OF 131072", "SIGNED", "NOTES"]
        var lines = table(hosts, rows(snapshot), of: snapshot.hosts.count, "more host")
        lines.append("")
        let certificates = ["CERTIFICATE", "KEY", "EXPIRES", "LEFT", "ISSUER", "NAMES"]
        lines += table(
            certificates, rows(snapshot.certificates, now), of: snapshot.certificates.count,
            "more certificate")
        lines.append("")
        if !listeners.isEmpty {
            lines.append("listening on  " + listeners.joined(separator: "  "))
        }
        if !plain.isEmpty {
            lines.append("without TLS   " + plain.joined(separator: "  "))
        }
        if let admin { lines.append("admin on      \(admin)") }
        while lines.last?.isEmpty == true { lines.removeLast() }
        return InertText.joined(lines)
    }

    /// The same as lines of a log for machines.
    package static func write(
        _ snapshot: Snapshot, listeners: [String], plain: [String], admin: String?, now: Int64,
        to log: Logger
    ) {
        func addresses(_ addresses: [String]) -> [Row] { addresses.map { ["address": $0] } }
        for (message, entries) in [
            ("serving host", rows(snapshot)),
            ("serving certificate", rows(snapshot.certificates, now)),
            ("listening", addresses(listeners)), ("listening without TLS", addresses(plain)),
            ("admin listener", addresses(admin.map { [$0] } ?? [])),
        ] {
            for entry in entries {
                var fields: Logger.Metadata = [:]
                for (name, value) in entry { fields[name] = .stringConvertible(value) }
                log.notice("\(message)", metadata: fields)
            }
        }
    }

    private static func notes(on host: ServedHost, isDefault: Bool) -> String {
        var notes: [String] = []
        if isDefault { notes.append("default") }
        if !host.aliases.isEmpty { notes.append("also " + listed(host.aliases, atMost: 3)) }
        if !host.siblings.isEmpty { notes.append(counted(host.siblings.count, "sibling")) }
        if let problem = host.facts.problem {
            if host.association.counts == .unavailable {
                notes.append("answers 503: \(problem)")
            } else {
                notes.append(host.facts.kept ?? problem)
            }
        }
        return notes.joined(separator: "; ")
    }

    private static func rows(_ snapshot: Snapshot) -> [Row] {
        snapshot.hosts.prefix(StatusText.rowsMaximum).enumerated().map { index, host in
            [
                "host": host.name, "form": host.facts.form.rawValue,
                "teams": host.facts.teams.count, "apps": host.facts.apps,
                "bytes": host.facts.documentBytes, "signed": host.facts.signedBytes ?? 0,
                "notes": notes(on: host, isDefault: index == snapshot.defaultHost),
            ]
        }
    }

    private static func rows(_ certificates: [ServedCertificate], _ now: Int64) -> [Row] {
        certificates.prefix(StatusText.rowsMaximum).map { certificate in
            let days = Double(certificate.notAfter - now) / 86_400
            return [
                "folder": certificate.folder, "key": certificate.keyType,
                "ends": DateText.day(certificate.notAfter), "days": Int(days.rounded(.down)),
                "issuer": certificate.issuer, "names": listed(certificate.names, atMost: 3),
            ]
        }
    }

    private static func table(
        _ head: [String], _ rows: [Row], of count: Int, _ more: String
    ) -> [String] {
        TextTable.lines([head] + rows.map { $0.map { InertText.piece(cell($0.key, $0.value)) } })
            + StatusText.omitted(count, more)
    }

    /// How a person reads a value.
    private static func cell(_ name: String, _ value: any CustomStringConvertible) -> String {
        switch (name, value as? Int) {
        case ("signed", 0): "-"
        case ("bytes", let bytes?), ("signed", let bytes?):
            "\(bytes) (\(bytes * 100 / SiteLimits.documentBytesMaximum) %)"
        case ("days", let days?): days < 0 ? "expired" : counted(days, "day")
        default: "\(value)"
        }
    }
}
