/// The list of associated domains, and domains that are well formed but useless.
enum EntitlementListRules {
    /// Apple: "no more than about 20 to 30".
    private static let domainsAdvised = 30
    /// openradar 22997683.
    private static let domainsMaximum = 1_000

    /// No top-level domain is numeric, so a name that ends with a number is parsed as an address
    /// (WHATWG URL, "ends in a number"): `10.0.0.1`, `127.1`, `[::1]`.
    private static func isAddress(_ domain: String, _ labels: [Substring]) -> Bool {
        if domain.hasPrefix("["), domain.hasSuffix("]") { return true }
        guard let last = labels.last, !last.isEmpty else { return false }
        return last.utf8.allSatisfy { $0.isASCIIDigit }
    }

    private static let suffixes: Set<String> = [
        "co.uk", "com.au", "co.jp", "com.br", "co.nz", "co.za", "com.cn", "com.tr", "co.in",
        "co.kr", "com.mx", "com.sg", "com.hk", "com.tw", "org.uk", "github.io", "web.app",
    ]

    static func check(_ file: EntitlementFile, _ context: inout LintContext) {
        let entries = file.entries ?? []
        let plain = check(entries, &context)
        let managed = entries.first { $0.entry.mode.contains(.managed) }
        if let managed, !file.isManaged {
            context.report("entitlement-not-managed", at: managed.range, managed.entry.text)
        } else if managed == nil, file.isManaged {
            context.report("entitlement-managed-only", at: nil)
        }
        for item in entries {
            let entry = item.entry
            guard entry.service == "applinks", entry.problems.isEmpty, !entry.isAnyDomain,
                !plain.contains(place(entry, of: "webcredentials"))
            else { continue }
            context.gather(
                "entitlement-without-webcredentials", at: item.range,
                "\(entry.isWildcard ? "*." : "")\(entry.domain) has no webcredentials entry")
        }
    }

    /// Reports what is wrong in a list of domains, wherever it stands.
    /// - Returns: the places that hold outside of developer mode.
    @discardableResult
    static func check(
        _ entries: [EntitlementFile.Entry], _ context: inout LintContext
    ) -> Set<String> {
        var seen: [String: Range<Int>] = [:]
        for item in entries {
            let entry = item.entry
            let port = entry.port.map { ":\($0)" } ?? ""
            let spelling = place(entry, of: entry.service) + port + "?\(entry.mode.rawValue)"
            // What devices cannot read is no entry that another could repeat.
            if !entry.problems.contains(where: { $0 != .placeholder && $0.severity == .error }) {
                context.reportRepeat(
                    "entitlement-twice", of: spelling, at: item.range, in: &seen, entry.text)
            }
            check(entry, at: item.range, &context)
        }
        let plain = Set(
            entries.filter { !$0.entry.mode.contains(.developer) }
                .map { place($0.entry, of: $0.entry.service) })
        for item in entries {
            let entry = item.entry
            guard entry.mode.contains(.developer), !entry.problems.contains(.placeholder),
                !plain.contains(place(entry, of: entry.service))
            else { continue }
            context.report("entitlement-developer-only", at: item.range, entry.text)
        }
        let count = Set(entries.map { $0.entry.domain.lowercased() }).count
        if count > domainsMaximum {
            context.report("entitlement-too-many-domains", at: nil, "\(count)")
        } else if count > domainsAdvised {
            context.report("entitlement-many-domains", at: nil, "\(count)")
        }
        return plain
    }

    /// An entry without port and mode, under a service.
    private static func place(_ entry: EntitlementEntry, of service: String) -> String {
        "\(service):\(entry.isWildcard ? "*." : "")\(entry.domain.lowercased())"
    }

    private static func check(
        _ entry: EntitlementEntry, at range: Range<Int>, _ context: inout LintContext
    ) {
        if entry.isAnyDomain {
            if !entry.mode.contains(.managed) {
                context.report("entitlement-any-domain", at: range, entry.text)
            }
            return
        }
        // Invalid names are reported by the entry parser.
        guard !entry.problems.contains(.placeholder), !entry.domain.isEmpty,
            entry.domain.utf8.count <= 253
        else { return }
        let domain = entry.domain.lowercased()
        let labels = domain.split(separator: ".", omittingEmptySubsequences: false)
        if isAddress(domain, labels) {
            context.report("entitlement-address", at: range, domain)
        } else if entry.isWildcard, labels.count == 1 || suffixes.contains(domain) {
            context.report("entitlement-whole-suffix", at: range, domain)
        } else if labels.count == 1
            || ["local", "localhost", "internal", "lan", "test"].contains(
                labels.last ?? "")
        {
            guard !domain.contains("$"), !domain.contains("*"), !entry.mode.contains(.developer)
            else { return }
            context.report("entitlement-local-name", at: range, domain)
        }
    }
}
