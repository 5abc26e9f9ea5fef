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
    /// Values of the wrong type, and problems of the entries (see ``EntitlementEntry/problems``).
    public let problems: [Diagnostic]

    /// - Throws: ``PropertyListError`` if the file is not a property list.
    public init(reading source: SourceText) throws(PropertyListError) {
        var context = LintContext(source: source)
        self.init(try PropertyListReader.read(source), &context)
    }

    /// Reports the problems, too.
    init(_ root: JSONValue, _ context: inout LintContext) {
        source = context.source
        for duplicate in root.repeatedKeys { context.report(duplicate) }
        if root.members == nil {
            context.report("entitlement-root", at: root.range, "the root must be a dictionary")
        }
        let dictionary = Self.entitlements(in: root)
        isManaged = dictionary[Self.managedKey]?.bool == true
        applicationIdentifier =
            Self.identifierKeys.lazy.compactMap { dictionary[$0]?.string }.first
        entries = dictionary[Self.domainsKey].map { Self.entries(of: $0, &context) }
        problems = context.findings
    }

    /// A provisioning profile has the entitlements one level down.
    private static func entitlements(in root: JSONValue) -> JSONValue {
        guard let inner = root["Entitlements"], inner.members != nil else { return root }
        return inner
    }

    /// The member that was meant to list the domains, where none does.
    static func misspeltDomainsKey(in root: JSONValue) -> JSONMember? {
        let dictionary = entitlements(in: root)
        if dictionary[domainsKey] != nil { return nil }
        return dictionary.members?.first {
            Spelling.correction(of: $0.key, among: [domainsKey]) != nil
        }
    }

    private static func entries(of list: JSONValue, _ context: inout LintContext) -> [Entry] {
        guard let values = list.array else {
            context.report(
                "entitlement-domains-not-array", at: list.range,
                "\(domainsKey) has to be an array of strings")
            return []
        }
        return values.compactMap { value in
            guard let text = value.string else {
                context.report(
                    "entitlement-not-string", at: value.range,
                    "an associated domain has to be a string")
                return nil
            }
            return Entry(text, at: value.range, &context)
        }
    }
}

extension EntitlementFile.Entry {
    /// Reports the problems of the entry, too.
    init(_ text: String, at range: Range<Int>, _ context: inout LintContext) {
        entry = EntitlementEntry(text)
        self.range = range
        let source = context.source
        for problem in entry.problems {
            let meant =
                problem == .misspeltService
                ? Spelling.correction(of: entry.service, among: AssociationFormat.services) : nil
            context.report(
                problem.rawValue, at: range, "\"\(text)\": \(problem.message)",
                remedy: meant.map { "Write \($0):." } ?? problem.remedy,
                fix: problem == .upperCase ? TextEdit.lowercased(range, in: source) : nil)
        }
    }
}
