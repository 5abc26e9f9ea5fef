/// The associated domains of an app, from its `.entitlements` file.
public struct EntitlementFile: Sendable {
    /// One entry with its place.
    public struct Entry: Sendable {
        /// The parsed entry.
        public let entry: EntitlementEntry
        /// The bytes of its element in the file.
        public let range: Range<Int>
    }

    /// The key of the entitlement that lists associated domains.
    public static let domainsKey = "com.apple.developer.associated-domains"
    /// The key of the entitlement for domains that device management adds.
    public static let managedKey = "com.apple.developer.associated-domains.mdm-managed"
    /// The keys with the app's identifier; macOS uses the second.
    public static let identifierKeys = [
        "application-identifier", "com.apple.application-identifier",
    ]

    /// The parsed file.
    public let source: SourceText
    /// Nil if the file has no associated domains.
    public let entries: [Entry]?
    /// The app's identifier, if the file is of a signed app (source files rarely have it).
    public let applicationIdentifier: String?
    /// Whether the app takes domains from device management.
    public let isManaged: Bool
    /// Whether it is a configuration profile (`.mobileconfig`) with associated domains.
    public let isProfile: Bool
    /// Values of the wrong type, and problems of the entries (see ``EntitlementEntry/problems``).
    public let problems: [Diagnostic]

    /// - Throws: ``PropertyListError`` if the file is not a property list.
    public init(reading source: SourceText) throws(PropertyListError) {
        var context = LintContext(source: source)
        try self.init(reading: source, &context)
    }

    /// Reports the problems, too.
    init(
        reading source: SourceText, _ context: inout LintContext
    ) throws(PropertyListError) {
        let root = try PropertyListReader.read(source)
        self.source = source
        for (first, second) in Self.repeatedKeys(in: root) {
            context.report(
                "duplicate-key", at: second.range,
                "the key \"\(second.value)\" appears twice in one dictionary; only one of them "
                    + "is read", related: [("first here", first.range)])
        }
        var dictionary: [(key: Located<String>, value: PropertyListValue)] = []
        if case .dictionary(let found) = root.kind {
            dictionary = found
        } else {
            context.report(
                "entitlement-root", at: root.range, "entitlements are a dictionary",
                remedy: "write <dict> around them")
        }
        // A provisioning profile has the entitlements one level down.
        if let inner = dictionary.first(where: { $0.key.value == "Entitlements" }),
            case .dictionary(let found) = inner.value.kind
        {
            dictionary = found
        }

        isManaged = dictionary.contains { item in
            guard item.key.value == Self.managedKey, case .bool(let flag) = item.value.kind else {
                return false
            }
            return flag
        }
        let apps = Self.managedApps(in: dictionary)
        isProfile = apps != nil
        applicationIdentifier =
            dictionary.first { Self.identifierKeys.contains($0.key.value) }
            .flatMap {
                if case .string(let text) = $0.value.kind { return text }
                return nil
            }

        var entries: [Entry]?
        let written = dictionary.last { $0.key.value == Self.domainsKey }.map { [$0.value] }
        for domains in written ?? apps ?? [] {
            var list: [Entry] = []
            var values: [PropertyListValue] = []
            switch domains.kind {
            case .array(let found): values = found
            case .string, .bool, .dictionary, .other:
                context.report(
                    "entitlement-domains-not-array", at: domains.range,
                    "\(Self.domainsKey) has to be an array of strings",
                    remedy: "write <array> around them")
            }
            for value in values {
                guard case .string(let text) = value.kind else {
                    context.report(
                        "entitlement-not-string", at: value.range,
                        "an associated domain has to be a string",
                        remedy: "write <string>service:domain</string>")
                    continue
                }
                let entry = EntitlementEntry(text)
                list.append(Entry(entry: entry, range: value.range))
                for problem in entry.problems {
                    let meant =
                        problem == .unknownService
                        ? Spelling.correction(of: entry.service, among: AssociationFormat.services)
                        : nil
                    context.report(
                        problem.rawValue, at: value.range, "\"\(text)\": \(problem.message)",
                        remedy: meant.map { "write \($0):" } ?? problem.remedy,
                        fix: problem == .upperCase
                            ? TextEdit.lowercased(value.range, in: source) : nil)
                }
            }
            entries = (entries ?? []) + list
        }
        self.entries = entries
        problems = context.findings
    }

    /// The lists of domains in the payloads of a configuration profile; nil if it is none.
    private static func managedApps(
        in dictionary: [(key: Located<String>, value: PropertyListValue)]
    ) -> [PropertyListValue]? {
        func member(_ key: String, of value: PropertyListValue) -> PropertyListValue? {
            guard case .dictionary(let members) = value.kind else { return nil }
            return members.first { $0.key.value == key }?.value
        }
        func elements(_ value: PropertyListValue?) -> [PropertyListValue] {
            if case .array(let values) = value?.kind { return values }
            return []
        }
        let content = dictionary.first { $0.key.value == "PayloadContent" }?.value
        let payloads = elements(content).filter {
            if case .string("com.apple.associated-domains") = member("PayloadType", of: $0)?.kind {
                return true
            }
            return false
        }
        if payloads.isEmpty { return nil }
        return payloads.flatMap { elements(member("Configuration", of: $0)) }.compactMap {
            member("AssociatedDomains", of: $0)
        }
    }

    /// The keys that stand in their dictionary before, at any depth, each with its first place.
    private static func repeatedKeys(
        in value: PropertyListValue
    ) -> [(first: Located<String>, second: Located<String>)] {
        switch value.kind {
        case .array(let values): return values.flatMap { repeatedKeys(in: $0) }
        case .dictionary(let entries):
            var seen: Set<NumberedName> = []
            return entries.enumerated().flatMap { index, entry in
                let name = NumberedName(ExactText(entry.key.value), index)
                let (isNew, first) = seen.insert(name)
                return (isNew ? [] : [(first: entries[first.number].key, second: entry.key)])
                    + repeatedKeys(in: entry.value)
            }
        case .string, .bool, .other: return []
        }
    }
}
