/// The list of associated domains, and domains that are well formed but useless.
enum EntitlementListRules {
    static let rules = [
        repeated, many, developerOnly, anyDomain, wholeSuffix, localName, address, placeholder,
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
    static let placeholder = LintRule(
        "entitlement-placeholder", .error, "a placeholder instead of a domain",
        why: "It comes from a guide or a template; the site is not yours.",
        fix: "write your own domain", .observed, apple, bad: file(["applinks:yourdomain.com"]),
        good: good)

    /// Apple: "no more than about 20 to 30".
    private static let domainsAdvised = 30

    private static let placeholders: Set<String> = [
        "yourdomain", "your-domain", "your_domain", "yourwebsite", "your-website", "yoursite",
        "your-site", "mydomain", "my-domain", "mywebsite", "yourcompany", "your-company",
        "yourapp", "your-app", "domainname", "domain-name", "fully-qualified-domain",
    ]
    /// Words that are placeholders if they are the whole domain; `todo.example.com` is a site.
    private static let notes: Set<String> = ["to" + "do", "changeme", "placeholder", "domain"]

    private static func isPlaceholder(_ label: Substring) -> Bool {
        label.hasPrefix("your_") || placeholders.contains(String(label))
    }

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
            if let first = seen[entry.text] {
                context.report(
                    repeated, at: item.range, "\(entry.text) is listed twice",
                    related: [("first here", first)])
            } else {
                seen[entry.text] = item.range
            }
            check(entry, at: item.range, &context)
        }
        for item in entries where item.entry.mode.contains(.developer) {
            let entry = item.entry
            let name =
                "\(entry.service):\(entry.isWildcard ? "*." : "")\(entry.domain.lowercased())"
            guard !plain.contains(name) else { continue }
            context.report(
                developerOnly, at: item.range,
                "\(entry.text) has no entry without ?mode=developer beside it")
        }
        if domains.count > domainsAdvised {
            context.report(
                many, at: nil,
                "\(domains.count) domains; Apple advises no more than about 20 to 30")
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
        guard !entry.domain.isEmpty, entry.domain.utf8.count <= 253 else { return }
        let domain = entry.domain.lowercased()
        let labels = domain.split(separator: ".", omittingEmptySubsequences: false)
        if labels.contains(where: isPlaceholder) || notes.contains(domain) {
            context.report(placeholder, at: range, "\(entry.text): \(domain) comes from a template")
        } else if isAddress(domain, labels) {
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
