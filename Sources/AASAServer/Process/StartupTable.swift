import AppSiteAssociation
package import Logging
import OpenSSL

/// A table of what is served where, which `aasa serve` prints at start for the person who typed the
/// command.
package enum StartupTable {
    package static func text(
        _ snapshot: Snapshot, listeners: [String], plain: [String], admin: String?, now: Int64
    ) -> String {
        var lines = hostTable(snapshot)
        lines.append("")
        lines += certificateTable(snapshot.certificates, now)
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
        for (index, host) in snapshot.hosts.prefix(StatusText.rowsMaximum).enumerated() {
            log.notice(
                "serving host",
                metadata: [
                    "host": "\(host.name)", "form": "\(host.facts.form.rawValue)",
                    "teams": .stringConvertible(host.facts.teams.count),
                    "apps": .stringConvertible(host.facts.apps),
                    "bytes": .stringConvertible(host.facts.documentBytes),
                    "notes": "\(notes(on: host, isDefault: index == snapshot.defaultHost))",
                ])
        }
        for certificate in snapshot.certificates.prefix(StatusText.rowsMaximum) {
            log.notice(
                "serving certificate",
                metadata: [
                    "folder": "\(certificate.folder)", "key": "\(certificate.keyType)",
                    "ends": "\(DateText.day(certificate.notAfter))",
                    "days": .stringConvertible((certificate.notAfter - now) / 86_400),
                    "names": "\(listed(certificate.names, atMost: 3))",
                ])
        }
        for (message, addresses) in [
            ("listening", listeners), ("listening without TLS", plain),
            ("admin listener", admin.map { [$0] } ?? []),
        ] {
            for address in addresses {
                log.notice("\(message)", metadata: ["address": "\(address)"])
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

    private static func hostTable(_ snapshot: Snapshot) -> [String] {
        let rows = snapshot.hosts.prefix(StatusText.rowsMaximum).enumerated().map { index, host in
            [
                host.name, host.facts.form.rawValue, "\(host.facts.teams.count)",
                "\(host.facts.apps)", share(host.facts.documentBytes),
                host.facts.signedBytes.map(share) ?? "-",
                notes(on: host, isDefault: index == snapshot.defaultHost),
            ]
        }
        let head = ["HOST", "FORM", "TEAMS", "APPS", "BYTES OF 131072", "SIGNED", "NOTES"]
        return table([head] + rows, of: snapshot.hosts.count, "more host")
    }

    private static func certificateTable(
        _ certificates: [ServedCertificate], _ now: Int64
    ) -> [String] {
        let rows = certificates.prefix(StatusText.rowsMaximum).map { certificate in
            let left = certificate.notAfter - now
            return [
                certificate.folder, certificate.keyType, DateText.day(certificate.notAfter),
                left < 0 ? "expired" : counted(Int(left / 86_400), "day"),
                certificate.issuer, listed(certificate.names, atMost: 3),
            ]
        }
        let head = ["CERTIFICATE", "KEY", "EXPIRES", "LEFT", "ISSUER", "NAMES"]
        return table([head] + rows, of: certificates.count, "more certificate")
    }

    private static func table(_ rows: [[String]], of count: Int, _ more: String) -> [String] {
        TextTable.lines(rows.map { $0.map { InertText.piece($0) } })
            + StatusText.omitted(count, more)
    }

    private static func share(_ bytes: Int) -> String {
        "\(bytes) (\(bytes * 100 / SiteLimits.documentBytesMaximum) %)"
    }
}
