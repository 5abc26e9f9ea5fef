package import AASAServer
package import ACME
package import AppSiteAssociation

/// How the status shows the certificates that are renewed by ACME.
extension RenewalStatus: StatusSection {
    package var json: JSONValue {
        .object([
            ("entries", .list(entries.map(\.json))), ("succeeded", .integer(succeeded)),
            ("failed", .integer(failed)), ("storeError", .text(storeError)),
        ])
    }

    package var metrics: [MetricFamily] {
        var next = MetricFamily("aasa_acme_next_timestamp_seconds")
        var tries = MetricFamily("aasa_acme_failures")
        for entry in entries {
            if let moment = entry.next { next.add(Double(moment), entry.folder, entry.key) }
            tries.add(Double(entry.tries), entry.folder, entry.key)
        }
        return [
            next, tries,
            MetricFamily(
                "aasa_acme_orders_total", [("ok", Double(succeeded)), ("failed", Double(failed))]),
        ]
    }

    package func problems(in report: StatusReport) -> [Health.Reason] {
        var found: [Health.Reason] = []
        if let storeError {
            found.append(.init(.attention, "certificates cannot be kept: \(storeError)"))
        }
        for entry in entries where entry.state != "foreign" {
            if let error = entry.lastError, entry.tries > 1 {
                found.append(
                    .init(
                        .attention, "no new certificate for \(entry.folder): \(error)",
                        fix: entry.remedy))
            } else if entry.state != "good", let problem = entry.gap(report.certificates) {
                found.append(.init(.attention, problem))
            }
        }
        return found
    }

    /// Certificates that fail or wait come first, because the list is cut.
    package func lines(now: Int64) -> [String] {
        let good = entries.filter { $0.state == "good" && $0.lastError == nil }
        let others = entries.filter { $0.state != "good" || $0.lastError != nil }
        var lines = others.prefix(StatusText.rowsMaximum).flatMap { $0.lines(now: now) }
        lines += StatusText.omitted(others.count, "more certificate").map { "  " + $0 }
        if let next = good.compactMap(\.next).min() {
            lines.append(
                "  \(counted(good.count, "certificate")) good (ACME); the next is "
                    + "renewed in \(StatusText.span(next - now))")
        }
        return lines
    }
}

extension RenewalStatus.Entry {
    var key: String { isRSA ? "rsa" : "ecdsa" }

    /// In `status.json`, and in the report of `aasa certs plan`.
    var json: JSONValue {
        .object([
            ("host", .text(folder)), ("key", .text(key)),
            ("names", .list(names.map { .text($0) })), ("state", .text(state)),
            ("note", .text(note)), ("notAfter", .integer(notAfter)), ("next", .integer(next)),
            ("tries", .integer(tries)), ("lastError", .text(lastError)),
            ("remedy", .text(remedy)), ("authority", .text(authority)),
        ])
    }

    /// What the certificates of the folder do not serve yet.
    fileprivate func gap(_ certificates: [ServedCertificate]) -> String? {
        let own = certificates.filter { $0.folder == folder }
        // A folder may wait for two.
        let kind = isRSA ? "RSA" : "ECDSA"
        if own.isEmpty { return "\(folder) waits for its \(kind) certificate" }
        // Authorities give no wildcards for the challenges that are answered here.
        let missing = names.first { name in !own.allSatisfy { $0.names.contains(name) } }
        return missing.map { "\(folder) waits for an \(kind) certificate that covers \($0)" }
    }

    fileprivate func lines(now: Int64) -> [String] {
        var line = "  certificate of \(folder) (\(key)): \(note)"
        if let next {
            line += next > now ? "; next try in \(StatusText.span(next - now))" : "; under way"
        }
        if tries > 0 { line += ", \(tries) failed \(tries == 1 ? "try" : "tries")" }
        guard let lastError else { return [line] }
        return [line, "    \(lastError)"] + (remedy.map { ["    \($0)"] } ?? [])
    }
}
