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
        return last.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    private static let suffixes: Set<String> = [
        "co.uk", "com.au", "co.jp", "com.br", "co.nz", "co.za", "com.cn", "com.tr", "co.in",
        "co.kr", "com.mx", "com.sg", "com.hk", "com.tw", "org.uk", "github.io", "web.app",
    ]

    static func check(_ file: EntitlementFile, _ context: inout LintContext) {
        let entries = file.entries ?? []
        var seen: [String: Range<Int>] = [:]
        var plain: Set<String> = []
        var domains: Set<String> = []
        for item in entries {
            let entry = item.entry
            let name =
                "\(entry.service):\(entry.isWildcard ? "*." : "")\(entry.domain.lowercased())"
            if !entry.mode.contains(.developer) { plain.insert(name) }
            domains.insert(entry.domain.lowercased())
            let spelling = name + (entry.port.map { ":\($0)" } ?? "") + "?\(entry.mode.rawValue)"
            if let first = seen[spelling] {
                context.report(
                    "entitlement-twice", at: item.range, "\(entry.text) is listed twice",
                    related: [("first here", first)])
            } else {
                seen[spelling] = item.range
            }
            check(entry, at: item.range, &context)
        }
        for item in entries
        where item.entry.mode.contains(.developer) && !item.entry.problems.contains(.placeholder) {
            let entry = item.entry
            let name =
                "\(entry.service):\(entry.isWildcard ? "*." : "")\(entry.domain.lowercased())"
            guard !plain.contains(name) else { continue }
            context.report(
                "entitlement-developer-only", at: item.range,
                "\(entry.text) has no second entry without ?mode=developer")
        }
        checkManaged(file, entries, &context)
        let bare = entries.filter {
            $0.entry.service == "applinks" && $0.entry.problems.isEmpty && !$0.entry.isAnyDomain
                && !plain.contains(
                    "webcredentials:\($0.entry.isWildcard ? "*." : "")\($0.entry.domain.lowercased())"
                )
        }
        for item in bare {
            context.gather(
                "entitlement-without-webcredentials", at: item.range,
                "\(item.entry.domain) has no webcredentials entry")
        }
        if domains.count > domainsMaximum {
            context.report(
                "entitlement-too-many-domains", at: nil,
                "\(domains.count) domains: the app crashes at launch")
        } else if domains.count > domainsAdvised {
            context.report(
                "entitlement-many-domains", at: nil,
                "\(domains.count) domains; Apple recommends at most about 20 to 30")
        }
    }

    private static func checkManaged(
        _ file: EntitlementFile, _ entries: [EntitlementFile.Entry], _ context: inout LintContext
    ) {
        if file.isProfile { return }
        let managed = entries.first { $0.entry.mode.contains(.managed) }
        if let managed, !file.isManaged {
            context.report(
                "entitlement-not-managed", at: managed.range,
                "\(managed.entry.text) is listed without \(EntitlementFile.managedKey)")
        } else if managed == nil, file.isManaged {
            context.report(
                "entitlement-managed-only", at: nil,
                "\(EntitlementFile.managedKey) is set, but no entry has mode=managed")
        }
    }

    private static func check(
        _ entry: EntitlementEntry, at range: Range<Int>, _ context: inout LintContext
    ) {
        if entry.isAnyDomain {
            if !entry.mode.contains(.managed) {
                context.report(
                    "entitlement-any-domain", at: range, "\(entry.text) does not name a domain")
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
            context.report("entitlement-address", at: range, "\(domain) is an address")
        } else if entry.isWildcard, labels.count == 1 || suffixes.contains(domain) {
            context.report(
                "entitlement-whole-suffix", at: range,
                "*.\(domain) covers every site with this suffix")
        } else if labels.count == 1
            || ["local", "localhost", "internal", "lan", "test"].contains(
                labels.last ?? "")
        {
            guard !domain.contains("$"), !domain.contains("*"), !entry.mode.contains(.developer)
            else { return }
            context.report(
                "entitlement-local-name", at: range,
                "\(domain) is not a name on the public internet")
        }
    }
}
