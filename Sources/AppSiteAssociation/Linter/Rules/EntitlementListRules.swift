/// The list of associated domains, and domains that are well formed but useless.
enum EntitlementListRules {
    static let rules = [
        repeated, many, developerOnly, anyDomain, wholeSuffix, localName, address, tooMany,
        notManaged, managedOnly, noCredentials,
    ]
    private static let apple = "Apple, Associated Domains Entitlement"
    private static let good = file(["applinks:www.example.com"])

    private static func file(_ entries: [String]) -> LintExample {
        let list = entries.map { "<string>\($0)</string>" }.joined(separator: "\n    ")
        return LintExample(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0">
            <dict>
              <key>com.apple.developer.associated-domains</key>
              <array>
                \(list)
              </array>
            </dict>
            </plist>

            """, file: "Shop.entitlements")
    }

    static let repeated = LintRule(
        "entitlement-twice", .warning, "the same associated domain twice",
        why: "The second has no effect; it often hides a slip in one of the two.",
        fix: "remove one, or correct it", .advice, apple,
        bad: file(["applinks:www.example.com", "applinks:www.example.com"]), good: good)
    static let many = LintRule(
        "entitlement-many-domains", .warning, "more domains than Apple advises",
        why:
            "Apple's page asks for no more than about 20 to 30: each is looked up when the app is "
            + "installed and updated.",
        fix: "write *.example.com for many subdomains, or leave out what no app needs",
        .documented, apple, bad: file((0..<31).map { "applinks:shop\($0).example.com" }),
        good: good)
    static let tooMany = LintRule(
        "entitlement-too-many-domains", .error, "more domains than an app survives",
        why: "With more than 1,000 associated domains the app crashes when it is launched.",
        fix: "write *.example.com for many subdomains, or leave out what no app needs", .observed,
        "openradar 22997683", bad: file((0...1_000).map { "applinks:shop\($0).example.com" }),
        good: good)
    static let notManaged = LintRule(
        "entitlement-not-managed", .note, "mode=managed without the entitlement of managed domains",
        why: "Domains that device management supplies count only in apps with "
            + "com.apple.developer.associated-domains.mdm-managed; for mode=managed alone this is not "
            + "documented.",
        fix: "add com.apple.developer.associated-domains.mdm-managed where domains come from "
            + "device management", .reported, apple,
        bad: file(["applinks:www.example.com?mode=managed"]), good: good)
    static let managedOnly = LintRule(
        "entitlement-managed-only", .note, "managed domains without an entry with mode=managed",
        why: "Device management may add domains to this app; none of its own entries is downloaded "
            + "directly on managed devices.",
        fix: "add ?mode=managed to the entries that managed devices fetch directly, if any",
        .reported, apple,
        bad: LintExample(
            """
            <plist version="1.0"><dict>
              <key>com.apple.developer.associated-domains.mdm-managed</key><true/>
              <key>com.apple.developer.associated-domains</key>
              <array><string>applinks:www.example.com</string></array>
            </dict></plist>

            """, file: "Shop.entitlements"), good: good)
    static let noCredentials = LintRule(
        "entitlement-without-webcredentials", .note, "applinks for a domain without webcredentials",
        why:
            "HTTPS callbacks of sign-in sessions (ASWebAuthenticationSession, iOS 17.4), passwords and "
            + "passkeys need the service webcredentials; applinks is not enough for them.",
        fix: "add webcredentials: for the domain if the app signs in there", .documented,
        "Apple, ASWebAuthenticationSession.Callback", bad: file(["applinks:www.example.com"]),
        good: file(["applinks:www.example.com", "webcredentials:www.example.com"]))
    static let developerOnly = LintRule(
        "entitlement-developer-only", .warning, "a domain that stands only with ?mode=developer",
        why:
            "An entry with mode=developer counts only in builds signed for development, on devices "
            + "in developer mode. In the App Store the domain is not associated.",
        fix: "add the same entry without ?mode=developer", .documented, apple,
        bad: file(["applinks:www.example.com?mode=developer"]),
        good: file(["applinks:www.example.com", "applinks:www.example.com?mode=developer"]))
    static let anyDomain = LintRule(
        "entitlement-any-domain", .warning, "* in place of a domain",
        why: "Only device management can fill it in; in the App Store it associates nothing.",
        fix: "write the domains", .documented, apple, bad: file(["applinks:*"]), good: good)
    static let wholeSuffix = LintRule(
        "entitlement-whole-suffix", .error, "a wildcard over a public suffix",
        why: "No site answers for all of .com: the file would be asked of https://com/.",
        fix: "write *.example.com", .documented, apple, bad: file(["applinks:*.com"]), good: good)
    static let localName = LintRule(
        "entitlement-local-name", .error, "a name that is known on one machine or network only",
        why:
            "Apple's CDN fetches the file from the public internet: localhost, .local and names "
            + "without a full stop cannot be reached by it.",
        fix: "use a public name; for a server of your own during development add ?mode=developer",
        .documented, apple, bad: file(["applinks:localhost"]), good: good)
    static let address = LintRule(
        "entitlement-address", .error, "an address instead of a domain name",
        why: "A domain is associated by its name, and the certificate has to cover it.",
        fix: "write the domain name", .documented, apple, bad: file(["applinks:192.0.2.1"]),
        good: good)
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
                    repeated, at: item.range, "\(entry.text) is listed twice",
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
                developerOnly, at: item.range,
                "\(entry.text) has no entry without ?mode=developer beside it")
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
                noCredentials, at: item.range, "\(item.entry.domain) has no webcredentials entry")
        }
        if domains.count > domainsMaximum {
            context.report(
                tooMany, at: nil, "\(domains.count) domains: the app crashes when it is launched")
        } else if domains.count > domainsAdvised {
            context.report(
                many, at: nil,
                "\(domains.count) domains; Apple advises no more than about 20 to 30")
        }
    }

    private static func checkManaged(
        _ file: EntitlementFile, _ entries: [EntitlementFile.Entry], _ context: inout LintContext
    ) {
        if file.isProfile { return }
        let managed = entries.first { $0.entry.mode.contains(.managed) }
        if let managed, !file.isManaged {
            context.report(
                notManaged, at: managed.range,
                "\(managed.entry.text) stands here without \(EntitlementFile.managedKey)")
        } else if managed == nil, file.isManaged {
            context.report(
                managedOnly, at: nil,
                "\(EntitlementFile.managedKey) is set, and no entry is managed")
        }
    }

    private static func check(
        _ entry: EntitlementEntry, at range: Range<Int>, _ context: inout LintContext
    ) {
        if entry.isAnyDomain {
            if !entry.mode.contains(.managed) {
                context.report(
                    anyDomain, at: range, "\(entry.text) names no domain that a site could have")
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
            context.report(address, at: range, "\(domain) is an address")
        } else if entry.isWildcard, labels.count == 1 || suffixes.contains(domain) {
            context.report(wholeSuffix, at: range, "*.\(domain) covers sites of everybody")
        } else if labels.count == 1
            || ["local", "localhost", "internal", "lan", "test"].contains(
                labels.last ?? "")
        {
            guard !domain.contains("$"), !domain.contains("*"), !entry.mode.contains(.developer)
            else { return }
            context.report(
                localName, at: range, "\(domain) is not a name on the public internet")
        }
    }
}
