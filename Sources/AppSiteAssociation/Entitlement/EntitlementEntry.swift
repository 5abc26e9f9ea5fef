/// One entry of `com.apple.developer.associated-domains`: `service:domain[:port][?mode=…]`.
///
/// Apple: *Associated Domains Entitlement*, *Supporting associated domains*.
public struct EntitlementEntry: Sendable, Hashable {
    /// When the system contacts the host instead of Apple's CDN (`?mode=`).
    public struct Mode: OptionSet, Sendable, Hashable {
        /// The bits of the `OptionSet`.
        public let rawValue: UInt8
        /// Creates a set from its bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Needs a development-signed build and the device's developer switch.
        public static let developer = Mode(rawValue: 1)
        /// Needs a device management profile that allows it.
        public static let managed = Mode(rawValue: 2)
    }

    /// The text before the first colon: `applinks`, `webcredentials`, `appclips`,
    /// `activitycontinuation`, ….
    public private(set) var service = ""
    /// The domain without `*.`, as written. For `service:*` it is empty.
    public private(set) var domain = ""
    /// `*.domain`: every sub-domain, not the domain itself. Also set for `service:*`.
    public private(set) var isWildcard = false
    /// The port, which only older documentation allows.
    public private(set) var port: Int?
    /// Empty without `?mode=`; if both are set, both conditions must hold.
    public private(set) var mode: Mode = []
    /// The entry as written.
    public let text: String
    /// What prevents the entry, or may prevent it, from working. An invalid entry has the parts
    /// that could be parsed.
    public private(set) var problems: [Problem] = []

    /// `service:*`: any domain, to be set by device management.
    public var isAnyDomain: Bool { isWildcard && domain.isEmpty }

    /// Whether an app with this entry can claim the host (case-insensitive).
    ///
    /// `*.example.com` matches sub-domains of any depth; the file is then fetched from
    /// `example.com`.
    public func covers(host: String) -> Bool {
        let host = host.lowercased()
        let domain = domain.lowercased()
        if !isWildcard { return host == domain }
        if domain.isEmpty { return true }
        return host.utf8.count > domain.utf8.count + 1 && host.hasSuffix("." + domain)
    }

    /// Parses an entry; never fails, see ``problems``.
    public init(_ text: String) {
        self.text = text
        if AppIdentifier.blank(in: text) != nil { problems.append(.blank) }
        let bytes = Array(text.utf8)
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else {
            domain = text
            problems.append(.serviceMissing)
            return
        }
        service = String(decoding: bytes[..<colon], as: UTF8.self)
        var rest = Array(bytes[(colon + 1)...])
        let isURL = rest.starts(with: "//".utf8)
        if isURL {
            problems.append(.scheme)
            rest.removeFirst(2)
        } else if !AssociationFormat.services.contains(service) {
            let meant = Spelling.correction(of: service, among: AssociationFormat.services)
            problems.append(meant == nil ? .unknownService : .misspeltService)
        }

        if let question = rest.firstIndex(of: UInt8(ascii: "?")) {
            let query = String(decoding: rest[(question + 1)...], as: UTF8.self)
            rest.removeSubrange(question...)
            switch query {
            case "mode=developer": mode = .developer
            case "mode=managed": mode = .managed
            case "mode=developer+managed", "mode=managed+developer": mode = [.developer, .managed]
            default: problems.append(query.hasPrefix("mode=") ? .unknownMode : .query)
            }
        }
        if !isURL, let scheme = Self.schemeLength(rest) {
            problems.append(.scheme)
            rest.removeSubrange(..<scheme)
        }
        if let slash = rest.firstIndex(of: UInt8(ascii: "/")) {
            // The slash that ends a copied URL goes with its scheme.
            if slash + 1 < rest.count || !problems.contains(.scheme) { problems.append(.path) }
            rest.removeSubrange(slash...)
        }

        // Colons of an address in brackets do not begin a port.
        let isBracketed = rest.first == UInt8(ascii: "[") && rest.last == UInt8(ascii: "]")
        if !isBracketed, let colon = rest.lastIndex(of: UInt8(ascii: ":")) {
            let digits = String(decoding: rest[(colon + 1)...], as: UTF8.self)
            let isNumber = digits.utf8.allSatisfy { $0.isASCIIDigit }
            port = isNumber ? Int(digits).flatMap { (1...65535).contains($0) ? $0 : nil } : nil
            problems.append(
                port == nil ? .invalidPort : service == "applinks" ? .portOfLinks : .port)
            rest.removeSubrange(colon...)
        }

        if rest == [UInt8(ascii: "*")] {
            isWildcard = true
            rest = []
        } else if rest.starts(with: [UInt8(ascii: "*"), UInt8(ascii: ".")]) {
            isWildcard = true
            rest.removeFirst(2)
        }
        if isWildcard, service == "appclips" { problems.append(.wildcardAppClip) }
        domain = String(decoding: rest, as: UTF8.self)
        let isAny = isWildcard && rest.isEmpty && !text.contains("*.")
        // A blank is the cause of what else is wrong with the name.
        if !isAny, !problems.contains(.blank) {
            let isAddress = rest.first == UInt8(ascii: "[") && rest.contains(UInt8(ascii: ":"))
            if !isAddress, !rest.contains(UInt8(ascii: "$")),
                Placeholder.part(of: domain) != nil
                    || ["domain", "to" + "do", "placeholder", "changeme"].contains(domain)
            {
                problems = [.placeholder]
            } else {
                problems += Self.domainProblems(rest)
            }
        }
    }

    /// The length of `https://` and its like.
    private static func schemeLength(_ bytes: [UInt8]) -> Int? {
        let name = bytes.prefix { $0.isASCIILetter }.count
        return name > 0 && bytes.dropFirst(name).starts(with: "://".utf8) ? name + 3 : nil
    }

    private static func domainProblems(_ bytes: [UInt8]) -> [Problem] {
        if bytes.isEmpty { return [.domainMissing] }
        // An address; the rules for lists report it.
        if bytes.first == UInt8(ascii: "["), bytes.last == UInt8(ascii: "]") { return [] }
        var problems: [Problem] = []
        if bytes.contains(where: { $0 >= 0x80 }) { problems.append(.notPunycode) }
        if bytes.contains(UInt8(ascii: "*")) { problems.append(.misplacedWildcard) }
        if bytes.contains(UInt8(ascii: "$")) { problems.append(.buildVariable) }
        if bytes.contains(where: \.isASCIIUppercase),
            !problems.contains(.buildVariable)
        {
            problems.append(.upperCase)
        }
        // RFC 1035 section 2.3.1 with the digits of RFC 1123: labels of 1 to 63 letters, digits and
        // hyphens.
        let labels = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let isName = labels.allSatisfy { label in
            (1...63).contains(label.count) && label.first != UInt8(ascii: "-")
                && label.last != UInt8(ascii: "-")
                && label.allSatisfy {
                    $0 >= 0x80 || $0.isASCIILetter || $0.isASCIIDigit
                        || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
                }
        }
        if !isName || bytes.count > 253, problems.allSatisfy({ $0 == .upperCase }) {
            problems.append(.invalidDomain)
        }
        return problems
    }
}

extension EntitlementEntry {
    /// A problem of an entry.
    public enum Problem: String, Sendable, Hashable, CaseIterable {
        case blank = "entitlement-blank"
        case buildVariable = "entitlement-build-variable"
        case domainMissing = "entitlement-domain-missing"
        case invalidDomain = "entitlement-invalid-domain"
        case invalidPort = "entitlement-invalid-port"
        case misspeltService = "entitlement-service-misspelt"
        case misplacedWildcard = "entitlement-misplaced-wildcard"
        case notPunycode = "entitlement-not-punycode"
        case path = "entitlement-path"
        case placeholder = "entitlement-placeholder"
        case port = "entitlement-port"
        case portOfLinks = "entitlement-port-of-links"
        case query = "entitlement-query"
        case scheme = "entitlement-scheme"
        case serviceMissing = "entitlement-service-missing"
        case unknownMode = "entitlement-unknown-mode"
        case unknownService = "entitlement-unknown-service"
        case upperCase = "entitlement-upper-case"
        case wildcardAppClip = "entitlement-wildcard-app-clip"

        /// The severity: errors prevent the entry from working.
        public var severity: Severity { RuleCatalog.table[rawValue]?.severity ?? .error }

        /// What is wrong, as one sentence without a full stop.
        public var message: String { RuleCatalog.table[rawValue]?.title ?? rawValue }

        /// The suggested fix.
        public var remedy: String { RuleCatalog.table[rawValue]?.remedy ?? "" }
    }
}
