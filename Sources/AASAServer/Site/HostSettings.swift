package import AppSiteAssociation

/// What `host.json` says about a host. Every member is optional; so is the file.
///
/// ```json
/// {
///   "aliases": ["www.example.com"],
///   "form": "auto",
///   "cacheControl": "max-age=3600",
///   "changePassword": "https://example.com/account/password",
///   "certificate": "example.com",
///   "types": { "nodeinfo": "application/json" },
///   "default": true,
///   "order": ["D3KQX62K1A", "9JA89QQLNQ"],
///   "strict": true
/// }
/// ```
package struct HostSettings: Sendable, Equatable {
    /// Other names with the same answers, each with its place for messages about conflicts.
    package var aliases: [Alias] = []
    package var form: AssociationForm = .json
    /// The `Cache-Control` of documents and siblings: an hour, what Apple's own CDN sends.
    package var cacheControl = "max-age=3600"
    /// Where `/.well-known/change-password` redirects to; nil: 404.
    package var changePassword: String?
    /// The folder under `--certs` whose certificate serves and signs for the host; nil: the folder
    /// with the host's name.
    package var certificate: String?
    /// Media types of siblings by path below `well-known/`.
    package var types: [String: String] = [:]
    /// Answers for unknown names. `--default-host` overrides it.
    package var isDefault = false
    /// Teams in the order of their parts in the document, which is their priority if several claim
    /// a URL; the others follow in alphabetical order. Each with its place.
    package var order: [Located<String>] = []
    /// Whether linter findings of severity `error` prevent publishing the document. False: only a
    /// document that no reader could parse is not published.
    package var isStrict = true

    /// Parts of the settings that are another host's, and so are not in force here.
    package struct Refused: Sendable, Equatable {
        package var aliases: Set<String> = []
        /// `default`.
        package var isDefault = false

        package init() {}
    }

    package struct Alias: Sendable, Equatable {
        package let name: String
        /// Bytes of the name in `host.json`.
        package let range: Range<Int>
    }

    package init() {}
}

/// Reads `host.json` strictly: if a misspelt key were ignored silently, it would be found only when
/// it matters. All problems are collected.
package struct HostSettingsReader {
    private let source: SourceText
    private var settings = HostSettings()
    private var problems: [Diagnostic] = []

    /// The settings, and what is wrong with them; errors among the problems mean that the settings
    /// must not be used.
    package static func read(_ source: SourceText) -> (HostSettings, [Diagnostic]) {
        do {
            let document = try JSONReader.read(source)
            var reader = HostSettingsReader(source: source)
            reader.read(document)
            return (reader.settings, reader.problems)
        } catch {
            return (HostSettings(), [error.diagnostic])
        }
    }

    private init(source: SourceText) { self.source = source }

    private static let keys = HostSettings.members.map(\.key)

    private mutating func read(_ document: JSONDocument) {
        for duplicate in document.duplicateKeys {
            report(
                "host-duplicate-key", "\"\(duplicate.key)\" is given twice", duplicate.second,
                remedy: "keep one of the two",
                related: [.init(message: "first here", source: source, range: duplicate.first)])
        }
        guard let members = document.root.members else {
            report(
                "host-not-an-object", "host.json holds \(document.root.kindName), not an object",
                document.root.range, remedy: "write { \"form\": \"json\" }, or delete the file")
            return
        }
        for member in members { read(member) }
    }

    private mutating func read(_ member: JSONMember) {
        switch member.key {
        case "aliases": readAliases(member.value)
        case "form": readForm(member.value)
        case "cacheControl":
            if let value = fieldValue(member) { settings.cacheControl = value }
        case "changePassword": readChangePassword(member)
        case "certificate":
            guard let name = string(member) else { return }
            if let problem = HostName.problem(of: name) {
                report(
                    "host-bad-certificate", problem.message, member.value.range,
                    remedy: "name the folder under --certs, such as example.com")
            } else {
                settings.certificate = name
            }
        case "types": readTypes(member.value)
        case "order": readOrder(member.value)
        case "$schema": _ = string(member)
        case "default":
            if let value = bool(member) { settings.isDefault = value }
        case "strict":
            if let value = bool(member) { settings.isStrict = value }
        default:
            let known = Self.keys.joined(separator: ", ")
            let near = NearName.nearest(to: member.key, in: Self.keys)
            report(
                "host-unknown-key", "unknown setting \"\(member.key)\"", member.keyRange,
                remedy: near.map { "did you mean \"\($0)\"?" } ?? "the settings are \(known)")
        }
    }

    private mutating func readAliases(_ value: JSONValue) {
        guard let values = value.array else {
            report(
                "host-wrong-type", "\"aliases\" is \(value.kindName), not an array of names",
                value.range, remedy: "write [\"www.example.com\"]")
            return
        }
        if values.count > SiteLimits.aliasesMaximum {
            report(
                "host-too-many-aliases",
                "\(values.count) aliases; at most \(SiteLimits.aliasesMaximum)", value.range,
                remedy: "split them among several host folders")
            return
        }
        for value in values {
            guard let name = value.string else {
                report(
                    "host-wrong-type", "an alias is \(value.kindName), not a string",
                    value.range, remedy: "write the name in quotes")
                continue
            }
            if let problem = HostName.problem(of: name) {
                report("host-bad-alias", problem.message, value.range, remedy: problem.remedy)
            } else {
                settings.aliases.append(.init(name: name, range: value.range))
            }
        }
    }

    private mutating func readOrder(_ value: JSONValue) {
        guard let values = value.array else {
            report(
                "host-wrong-type", "\"order\" is \(value.kindName), not an array of teams",
                value.range, remedy: "write [\"D3KQX62K1A\"], as the files in teams/ are called")
            return
        }
        var known: Set<String> = []
        for value in values {
            guard let name = value.string else {
                report(
                    "host-wrong-type", "a team is \(value.kindName), not a string", value.range,
                    remedy: "write the team in quotes, as its file in teams/ is called")
                continue
            }
            guard known.insert(name).inserted else {
                report(
                    "host-team-twice", "team \(name) is listed twice in \"order\"", value.range,
                    remedy: "keep one of the two")
                continue
            }
            settings.order.append(Located(name, range: value.range))
        }
    }

    private mutating func readForm(_ value: JSONValue) {
        if let form = value.string.flatMap(AssociationForm.init(rawValue:)) {
            settings.form = form
            return
        }
        let given = value.string.map { "\"\($0)\"" } ?? value.kindName
        report(
            "host-bad-form", "\"form\" is \(given)", value.range,
            remedy: "use \"json\" (since iOS 9), \"signed\", or \"auto\" (signed for iOS 8 only)")
    }

    private mutating func readChangePassword(_ member: JSONMember) {
        guard let target = fieldValue(member) else { return }
        let isURL = target.hasPrefix("https://") && target.utf8.count > "https://".utf8.count
        let isPath = target.hasPrefix("/") && !target.hasPrefix("//")
        if !(isURL || isPath) || target.contains(" ") {
            report(
                "host-bad-change-password", "\"\(target)\" is not a page to redirect to",
                member.value.range,
                remedy: "write the whole URL, https://…, or an absolute path, /…")
        } else if target.hasSuffix("/.well-known/change-password") {
            report(
                "host-bad-change-password", "change-password would redirect to itself",
                member.value.range, remedy: "name the page where a password is changed")
        } else {
            settings.changePassword = target
        }
    }

    private mutating func readTypes(_ value: JSONValue) {
        guard let members = value.members else {
            report(
                "host-wrong-type", "\"types\" is \(value.kindName), not an object", value.range,
                remedy: "write { \"nodeinfo\": \"application/json\" }")
            return
        }
        for member in members {
            guard let type = fieldValue(member) else { continue }
            // RFC 9110 section 8.3.1: a type and a subtype, neither of them empty.
            let halves = type.split(
                separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
            if halves.count < 2 || halves.contains(where: \.isEmpty) {
                report(
                    "host-bad-type", "\"\(type)\" is not a media type", member.value.range,
                    remedy: "write one such as application/json")
            } else {
                settings.types[member.key] = type
            }
        }
    }

    private mutating func string(_ member: JSONMember) -> String? {
        if let string = member.value.string { return string }
        report(
            "host-wrong-type", "\"\(member.key)\" is \(member.value.kindName), not a string",
            member.value.range, remedy: "write the value in quotes")
        return nil
    }

    private mutating func bool(_ member: JSONMember) -> Bool? {
        if let bool = member.value.bool { return bool }
        report(
            "host-wrong-type", "\"\(member.key)\" is \(member.value.kindName), not true or false",
            member.value.range, remedy: "write true or false, without quotes")
        return nil
    }

    /// A string that is valid as a response field value (RFC 9110 section 5.5, visible ASCII and
    /// single spaces inside): with a line break it would become a second field.
    private mutating func fieldValue(_ member: JSONMember) -> String? {
        guard let value = string(member) else { return nil }
        let isClean = value.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        if value.isEmpty || value.utf8.count > 2048 || !isClean || value.hasPrefix(" ")
            || value.hasSuffix(" ")
        {
            report(
                "host-bad-value", "\"\(member.key)\" cannot be sent in a response field",
                member.value.range, remedy: "use 1 to 2048 visible ASCII characters")
            return nil
        }
        return value
    }

    private mutating func report(
        _ code: String, _ message: String, _ range: Range<Int>, remedy: String,
        related: [Diagnostic.Related] = []
    ) {
        problems.append(
            Diagnostic(
                code: code, severity: .error, message: message, remedy: remedy, source: source,
                range: range, related: related))
    }
}

/// The known name that a misspelt one most likely meant.
package enum NearName {
    /// At most two letters, or a third of them, may differ, letter case aside; two swapped letters
    /// count as two.
    package static func nearest(to name: String, in known: [String]) -> String? {
        let candidates = known.map { (name: $0, distance: distance(name, $0)) }
        guard let best = candidates.min(by: { $0.distance < $1.distance }),
            best.distance <= max(2, best.name.count / 3)
        else { return nil }
        return best.name
    }

    /// Levenshtein's, over lower-cased characters; names longer than 40 are not compared.
    private static func distance(_ left: String, _ right: String) -> Int {
        let left = Array(left.lowercased())
        let right = Array(right.lowercased())
        if left.isEmpty || left.count > 40 { return Int.max }
        var row = Array(0...right.count)
        for (i, character) in left.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, other) in right.enumerated() {
                let above = row[j + 1]
                row[j + 1] = min(
                    above + 1, row[j] + 1, diagonal + (character == other ? 0 : 1))
                diagonal = above
            }
        }
        return row[right.count]
    }
}
